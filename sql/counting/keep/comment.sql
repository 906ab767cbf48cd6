-- A row: a comment of the chunk that something is kept of, by its line and the word that follows: its name, and what is
-- said; NULL where nothing is.
CREATE OR REPLACE TEMP TABLE comment AS
SELECT line, next_word, trim(split_part(content[2:], '=', 1), chr(9) || ' ') AS name,
    CASE WHEN contains(content, '=')
        THEN nullif(trim(content[strpos(content, '=') + 1:], chr(9) || ' '), '')
    END AS value
FROM other_line
WHERE starts_with(content, '#') AND content <> '#';
