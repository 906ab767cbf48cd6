-- READ: lines of a chunk become words, sentences and ranges.

-- name: fields_of_conllu
-- Whether a line has one of these IDs, a pattern.
CREATE OR REPLACE TEMP MACRO has_id(content, ids) AS
    regexp_matches(content, '^' || ids || '(\t|$)');

-- The 10 columns of a line of CoNLL-U, or of CoNLL-X, whose columns mean the same as far as trees go; NULL of a blank
-- line.
CREATE OR REPLACE TEMP MACRO fields_of(content) AS
    string_split(content, chr(9));

-- name: fields_of_dialect
-- The same macros where the columns stand elsewhere. A line that has fewer or more of them is but its first.
-- @before@: the number of columns before the ID.
-- @least@: the number of columns of a line, at least.
-- @most@: the same, at most.
-- @fields@: the 10 columns, as column_of or head_of each.
CREATE OR REPLACE TEMP MACRO has_id(content, ids) AS
    regexp_matches(content, '^([^\t]*\t){@before@}' || ids || '(\t|$)');

-- A column of a line by its place and the place of what is read where it is _, 0 for none.
CREATE OR REPLACE TEMP MACRO column_of(line, place, other) AS
    coalesce(CASE WHEN line[place] = '_' THEN line[other] END, line[place], '_');

-- The same of a HEAD. Where the other is no number, the columns are those of another format: it is taken, and at fault.
CREATE OR REPLACE TEMP MACRO head_of(line, place, other) AS
    coalesce(
        CASE WHEN line[place] = '_' OR NOT regexp_full_match(line[other], '[0-9]+|_') THEN line[other] END,
        line[place], '_'
    );

CREATE OR REPLACE TEMP MACRO fields_of(content) AS
    list_transform([string_split(content, chr(9))], lambda line: CASE
        WHEN len(line) BETWEEN @least@ AND @most@ THEN [@fields@]
        ELSE line[:1]
    END)[1];

-- name: chunk_line
-- A row: a line of the chunk, whole; NULL where it is blank. Buffers smaller than a chunk let all processors read it.
CREATE OR REPLACE TEMP VIEW chunk_line AS
SELECT content
FROM read_csv(
    getvariable('chunk_file'), columns = {'content': 'VARCHAR'}, auto_detect = false, header = false,
    delim = chr(1), quote = '', escape = '', new_line = '\n', null_padding = true, strict_mode = false,
    max_line_size = 8388608, buffer_size = 8388608
);

-- name: stored_columns
-- What is stored of MISC: all but SpaceAfter=No; '' where that is nothing. (The last two columns of CoNLL-X are the
-- head and the relation of another tree: DEPS is a number there.)
CREATE OR REPLACE TEMP MACRO misc_of(fields) AS
    CASE
        WHEN fields[10] IN ('_', '', 'SpaceAfter=No') OR regexp_full_match(fields[9], '[0-9]+') THEN ''
        WHEN contains(fields[10], 'SpaceAfter=No') THEN array_to_string(
            list_filter(string_split(fields[10], '|'), lambda each: each <> 'SpaceAfter=No'), '|'
        )
        ELSE coalesce(fields[10], '')
    END;

-- What is stored of DEPS: = where that is HEAD and DEPREL again; '' where there is nothing.
CREATE OR REPLACE TEMP MACRO deps_of(fields) AS
    CASE
        WHEN NOT coalesce(contains(fields[9], ':'), false) THEN ''
        WHEN fields[9] = fields[7] || ':' || fields[8] THEN '='
        ELSE fields[9]
    END;

-- name: word_line
-- A row: a line of the chunk that is a word of a tree. Ranges (1-2), empty nodes (8.1) and comments are no words. The
-- position is NULL where the line has another number of columns or no number as its HEAD; fault says more of it then.
-- written: FORM to FEATS, with tabs between them: one text takes half the time of five to be compared. misc and deps:
-- MISC and DEPS as they are stored; '' where there is nothing, or none is wanted.
CREATE OR REPLACE TEMP TABLE unnumbered_word_line AS
WITH cut AS (
    SELECT fields_of(content) AS fields
    FROM chunk_line
    WHERE has_id(content, '[0-9]+')
)
SELECT CASE WHEN len(fields) = 10 AND regexp_full_match(fields[7], '[0-9]+') THEN try_cast(fields[1] AS INTEGER) END
        AS position,
    concat_ws(chr(9), fields[2], fields[3], fields[4], fields[5], coalesce(nullif(fields[6], ''), '_')) AS written,
    try_cast(fields[7] AS INTEGER) AS head, fields[8] AS relation,
    NOT coalesce(contains(fields[10], 'SpaceAfter=No'), false) AS space_after,
    CASE WHEN getvariable('with_misc') THEN misc_of(fields) ELSE '' END AS misc,
    CASE WHEN getvariable('with_misc') THEN deps_of(fields) ELSE '' END AS deps
FROM cut;

-- The same with its number among the chunk's words, from 0. Rows keep the order of the lines, and numbering them so
-- leaves the reading to all processors, which row_number() would not. (Within a transaction rowids begin at some great
-- number.)
CREATE OR REPLACE TEMP VIEW word_line AS
SELECT (rowid - (SELECT min(rowid) FROM unnumbered_word_line))::INTEGER AS number,
    position, written, head, relation, space_after, misc, deps
FROM unnumbered_word_line;

-- A row: a word line of a sentence that is not left out. None is yet; see leave_out.
CREATE OR REPLACE TEMP VIEW kept_word AS
FROM word_line;

-- name: other_line
-- A row: a line of the chunk, by its content: '' where it is blank, '#' where it is a comment that nothing is kept of,
-- NULL where it is a word. (To read the file twice, each time what is needed, costs less than to keep all lines and
-- copy from them.)
CREATE OR REPLACE TEMP TABLE unnumbered_other_line AS
SELECT CASE
    WHEN content IS NULL THEN ''
    WHEN has_id(content, '[0-9]+') THEN NULL
    WHEN starts_with(content, '#') AND NOT regexp_matches(content, getvariable('kept_comments')) THEN '#'
    ELSE content
END AS content
FROM chunk_line;

-- A row: a line that is no word, with its number among all lines, from 0, and the number of the word that follows it.
CREATE OR REPLACE TEMP TABLE other_line AS
SELECT line, (line - row_number() OVER (ORDER BY line) + 1)::INTEGER AS next_word, content
FROM (SELECT rowid - (SELECT min(rowid) FROM unnumbered_other_line) AS line, content FROM unnumbered_other_line)
WHERE content IS NOT NULL;

-- name: sentence_span
-- A row: a sentence of the chunk, that is the words between two blank lines, by the numbers of its first and last word.
CREATE OR REPLACE TEMP TABLE sentence_span AS
WITH first_word AS (
    SELECT 0 AS first
    UNION
    SELECT next_word FROM other_line WHERE content = ''
)
SELECT first, lead(first, 1, (SELECT count(*)::INTEGER FROM word_line)) OVER (ORDER BY first) - 1 AS last,
    row_number() OVER (ORDER BY first)::INTEGER AS number
FROM first_word
WHERE first < (SELECT count(*) FROM word_line);

-- name: written_word
-- A row: a word as lines of the chunk have it, with its columns; of sentences that are not left out.
CREATE OR REPLACE TEMP TABLE written_word AS
WITH cut AS (
    SELECT written, string_split(written, chr(9)) AS fields
    FROM (SELECT DISTINCT written FROM kept_word WHERE position IS NOT NULL)
)
SELECT written, fields[1] AS form, fields[2] AS lemma, fields[3] AS upos, fields[4] AS xpos, fields[5] AS feats
FROM cut;

-- name: placed_word
-- A row: a word line with the sentence that it belongs to by its position: its first word and its number of words, NULL
-- where the position is out of sequence.
CREATE OR REPLACE TEMP VIEW placed_word AS
SELECT word_line.number, word_line.position, word_line.head, span.first, span.last - span.first + 1 AS words
FROM word_line
LEFT JOIN sentence_span AS span
    ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last;

-- name: range_span
-- A row: a line 1-2, the words written as one from first to last, by their numbers in the chunk; and what is wrong with
-- it, NULL where it fits.
CREATE OR REPLACE TEMP TABLE range_span AS
WITH cut AS (
    SELECT line, next_word, fields_of(content) AS fields, string_split(fields[1], '-') AS ends
    FROM other_line
    WHERE has_id(content, '[0-9]+-[0-9]+')
),
range_line AS (
    SELECT line, next_word AS first, try_cast(ends[1] AS INTEGER) AS position,
        next_word::BIGINT + try_cast(ends[2] AS INTEGER) - position AS last,
        fields[2] AS form, NOT coalesce(contains(fields[10], 'SpaceAfter=No'), false) AS space_after
    FROM cut
),
-- A row: the last blank line before a word.
blank_line AS (
    SELECT next_word, max(line) AS line
    FROM other_line
    WHERE content = ''
    GROUP BY next_word
)
SELECT range_line.line, range_line.first, range_line.last, range_line.form, range_line.space_after, CASE
    WHEN NOT coalesce(
        range_line.position = word_line.position AND range_line.last BETWEEN range_line.first AND span.last, false
    ) OR range_line.line < blank_line.line
        THEN 'a range stands before the first of its words and ends within the sentence'
    WHEN range_line.first <= max(range_line.last) OVER (
        PARTITION BY span.first, range_line.line < blank_line.line ORDER BY range_line.line
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) THEN 'the first of its words is in the range before already'
END AS problem
FROM range_line
LEFT JOIN word_line ON word_line.number = range_line.first
LEFT JOIN sentence_span AS span ON span.first = range_line.first - word_line.position + 1
LEFT JOIN blank_line ON blank_line.next_word = range_line.first;

-- name: many_pairs
-- A row: a sentence that would take too long to count, by its first word, and the pairs that it has: words that stand
-- in one place (meaning.md 3.4), or in places whose ways to a common one have at most max_order steps together. A
-- sentence of few words cannot have so many, and is not looked at.
CREATE OR REPLACE TEMP TABLE many_pairs AS
WITH RECURSIVE long_word AS MATERIALIZED (
    SELECT word_line.number, span.first, word_line.relation,
        CASE WHEN word_line.head > 0 THEN span.first + word_line.head - 1 END AS head_number
    FROM word_line
    JOIN sentence_span AS span
        ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last
    WHERE span.last - span.first + 1 <= getvariable('max_sentence')
        AND (span.last - span.first + 1)::BIGINT ^ 2 > getvariable('max_pairs')
),
-- A row: a word and the first of those that stand in the same place, as in packed.
placed (number, first, place, above) AS (
    SELECT number, first, number, NULL::INTEGER FROM long_word WHERE head_number IS NULL
    UNION ALL
    SELECT long_word.number, long_word.first,
        min(long_word.number) OVER (PARTITION BY placed.place, long_word.relation), placed.place
    FROM placed
    JOIN long_word ON long_word.head_number = placed.number
),
place AS MATERIALIZED (
    SELECT first, place, any_value(above) AS above, count(*) AS words
    FROM placed
    GROUP BY first, place
),
-- A row: a place, one at most max_order steps above it, and how many.
climbed (first, words, top, height) AS (
    SELECT first, words, place, 0 FROM place
    UNION ALL
    SELECT climbed.first, climbed.words, place.above, climbed.height + 1
    FROM climbed
    JOIN place ON place.place = climbed.top
    WHERE place.above IS NOT NULL AND climbed.height < getvariable('max_order')
),
below AS (
    SELECT first, top, height, sum(words)::BIGINT AS words
    FROM climbed
    GROUP BY first, top, height
)
-- Pairs that are near enough are counted at the root, or where the place above is too far for them.
SELECT one.first, sum(one.words * other.words)::BIGINT AS pairs
FROM below AS one
JOIN below AS other ON other.top = one.top AND one.height + other.height <= getvariable('max_order')
JOIN place ON place.place = one.top
WHERE place.above IS NULL OR one.height + other.height > getvariable('max_order') - 2
GROUP BY one.first
HAVING sum(one.words * other.words) > getvariable('max_pairs');

-- name: token_rows
-- A row: a node of a tree of the chunk that was read, as a phrase has it: its sentence, its position, its lexeme (NULL
-- where it is left out), the position of its head (0 for a root) and its relation.
SELECT token.sentence, token.position, lexeme.text, coalesce(head.position, 0), coalesce(label.text, relation.text)
FROM node
JOIN token ON token.number = node.number
JOIN _store.word ON word.id = node.word_id
JOIN _store.relation ON relation.id = token.relation_id
LEFT JOIN label ON label.id = node.label_id
LEFT JOIN token AS head ON head.number = node.head_number
LEFT JOIN _store.lexeme ON lexeme.id = word.lexeme_id
ORDER BY token.number;
