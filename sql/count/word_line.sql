-- A row: a line that is a word of a tree. Ranges (1-2), empty nodes (8.1) and comments are no words.
CREATE OR REPLACE TEMP TABLE unnumbered_word_line AS
SELECT number::INTEGER AS line, try_cast(fields[1] AS INTEGER) AS position, fields[2] AS form, fields[3] AS lemma,
    fields[4] AS upos, fields[5] AS xpos, try_cast(fields[7] AS INTEGER) AS head, fields[8] AS relation,
    NOT coalesce(contains(fields[10], 'SpaceAfter=No'), false) AS space_after
FROM line
WHERE regexp_full_match(fields[1], '[0-9]+');

-- The same with its number among the chunk's words, from 0.
CREATE OR REPLACE TEMP VIEW word_line AS
SELECT (rowid - (SELECT min(rowid) FROM unnumbered_word_line))::INTEGER AS number,
    line, position, form, lemma, upos, xpos, head, relation, space_after
FROM unnumbered_word_line;
