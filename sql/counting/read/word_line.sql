-- A row: a line of the chunk that is a word of a tree. Ranges (1-2), empty nodes (8.1) and comments are no words. The
-- position is NULL where the line has other than 10 columns or no number as its HEAD; fault says more of it then.
CREATE OR REPLACE TEMP TABLE unnumbered_word_line AS
WITH cut AS (
    SELECT fields_of(content) AS fields
    FROM chunk_line
    WHERE regexp_matches(content, '^[0-9]+(\t|$)')
)
SELECT CASE WHEN len(fields) = 10 AND regexp_full_match(fields[7], '[0-9]+') THEN try_cast(fields[1] AS INTEGER) END
        AS position,
    fields[2] AS form, fields[3] AS lemma, fields[4] AS upos, fields[5] AS xpos,
    coalesce(nullif(fields[6], ''), '_') AS feats, try_cast(fields[7] AS INTEGER) AS head, fields[8] AS relation,
    NOT coalesce(contains(fields[10], 'SpaceAfter=No'), false) AS space_after
FROM cut;

-- The same with its number among the chunk's words, from 0. Rows keep the order of the lines, and numbering them so
-- leaves the reading to all processors, which row_number() would not. (Within a transaction rowids begin at some great
-- number.)
CREATE OR REPLACE TEMP VIEW word_line AS
SELECT (rowid - (SELECT min(rowid) FROM unnumbered_word_line))::INTEGER AS number,
    position, form, lemma, upos, xpos, feats, head, relation, space_after
FROM unnumbered_word_line;

-- A row: a word line of a sentence that is not left out. None is yet; see leave_out.
CREATE OR REPLACE TEMP VIEW kept_word AS
FROM word_line;
