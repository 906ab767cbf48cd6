-- The 10 columns of a line of CoNLL-U, or of CoNLL-X, whose columns mean the same as far as trees go; NULL of a blank
-- line.
CREATE OR REPLACE TEMP MACRO fields_of(content) AS
    string_split(content, chr(9));
