-- A row: a form whose stem is wanted.
SELECT DISTINCT form FROM normal_word;
