-- A row: a line of the chunk, by its content: '' where it is blank, '#' where it is a comment that nothing is kept of,
-- NULL where it is a word. (To read the file twice, each time what is needed, costs less than to keep all lines and
-- copy from them.)
CREATE OR REPLACE TEMP TABLE unnumbered_other_line AS
SELECT CASE
    WHEN content IS NULL THEN ''
    WHEN regexp_matches(content, '^[0-9]+(\t|$)') THEN NULL
    WHEN starts_with(content, '#') AND NOT regexp_matches(content, getvariable('kept_comments')) THEN '#'
    ELSE content
END AS content
FROM chunk_line;

-- A row: a line that is no word, with its number among all lines, from 0, and the number of the word that follows it.
CREATE OR REPLACE TEMP TABLE other_line AS
SELECT line, (line - row_number() OVER (ORDER BY line) + 1)::INTEGER AS next_word, content
FROM (SELECT rowid - (SELECT min(rowid) FROM unnumbered_other_line) AS line, content FROM unnumbered_other_line)
WHERE content IS NOT NULL;
