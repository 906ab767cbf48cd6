-- A row: something that tasks said, in JSON, and how often.
SELECT context AS said, count
FROM summed
WHERE lexeme IS NULL;
