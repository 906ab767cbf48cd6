-- Corpora of counts without trees: read, checked, stored apart, added and taken out.

-- name: read_tsv
-- A row: a line of a TSV of counts, by its number in the file, as text; NULL where the line has fewer columns.
CREATE OR REPLACE TEMP TABLE counts_line AS
WITH line AS (
    SELECT row_number() OVER () + 1 AS line, string_split(content, chr(9)) AS fields
    FROM read_csv(
        getvariable('counts_file'), columns = {'content': 'VARCHAR'}, auto_detect = false, header = false, skip = 1,
        delim = chr(1), quote = '', escape = '', new_line = '\n', null_padding = true, strict_mode = false,
        max_line_size = 8388608, buffer_size = 8388608
    )
)
SELECT line, len(fields) AS columns, fields[1] AS lexeme, fields[2] AS path, fields[3] AS context, fields[4] AS count,
    fields[5] AS direct
FROM line
WHERE fields IS NOT NULL;

-- name: read_parquet
-- A row: a row of a Parquet file of counts, by its number, as text.
-- @direct@: the column of direct counts, or NULL if there is none.
CREATE OR REPLACE TEMP TABLE counts_line AS
SELECT row_number() OVER () AS line, getvariable('columns') AS columns, lexeme::VARCHAR AS lexeme,
    path::VARCHAR AS path, context::VARCHAR AS context, count::VARCHAR AS count, @direct@::VARCHAR AS direct
FROM read_parquet(getvariable('table_file'), hive_partitioning = false, binary_as_string = true);

-- name: first_fault
-- One row: the first wrong line of counts, and what is wrong with it; no row if all lines are right.
SELECT line, problem
FROM (
    SELECT line, CASE
        WHEN columns <> getvariable('columns') THEN columns || CASE WHEN columns = 1 THEN ' column' ELSE ' columns' END
            || '; a line has ' || getvariable('columns') || ' (lexeme, path, context, count'
            || CASE WHEN getvariable('columns') = 5 THEN ', direct' ELSE '' END || '), with tabs between them'
        WHEN coalesce(lexeme, '') = '' THEN 'lexeme is empty; a lexeme is e.g. dog/NOUN'
        WHEN coalesce(context, '') = '' THEN 'context is empty; expected a lexeme, e.g. dog/NOUN'
        WHEN lacks_pos(lexeme) THEN
            'lexeme is ''' || left(lexeme, 60) || '''; in this lexicon it has a part of speech, e.g. dog/NOUN'
        WHEN lacks_pos(context) THEN
            'context is ''' || left(context, 60) || '''; in this lexicon it has a part of speech, e.g. dog/NOUN'
        WHEN path IS NULL OR NOT (path IN ('', 'ε') OR coalesce(path_is_valid(path), false)) THEN
            'path is ' || coalesce('''' || left(path, 60) || '''', 'missing')
            || '; a path is reduced, ups before downs, e.g. <amod>nsubj, and empty for ε'
        WHEN path NOT IN ('', 'ε') AND path_order(path) > getvariable('max_order') THEN
            'path ' || left(path, 60) || ' has order ' || path_order(path) || '; the lexicon counts up to '
            || getvariable('max_order')
        WHEN NOT coalesce(regexp_full_match(count, '0*[1-9][0-9]*'), false) OR try_cast(count AS BIGINT) IS NULL THEN
            'count is ' || coalesce('''' || left(count, 40) || '''', 'missing')
            || '; expected a whole number, 1 or more'
        WHEN getvariable('columns') = 5 AND NOT coalesce(
            regexp_full_match(direct, '[0-9]+') AND try_cast(direct AS BIGINT) <= try_cast(count AS BIGINT), false
        ) THEN
            'direct is ' || coalesce('''' || left(direct, 40) || '''', 'missing')
            || '; expected a whole number, at most the count (' || count || ')'
        WHEN getvariable('columns') = 5 AND path IN ('', 'ε') AND lexeme <> context
            AND try_cast(direct AS BIGINT) > 0
        THEN 'direct is ' || direct || '; expected 0: along ε a word meets only itself directly'
    END AS problem
    FROM counts_line
)
WHERE problem IS NOT NULL
ORDER BY line
LIMIT 1;

-- name: counts
-- A row: a co-occurrence of the corpus, as text, with all that its lines count of it (direct: NULL if they do not say);
-- and the first of them.
CREATE OR REPLACE TEMP TABLE counts_text AS
SELECT lexeme, CASE WHEN path = 'ε' THEN '' ELSE path END AS path, context, sum(count::BIGINT) AS count,
    sum(direct::BIGINT) AS direct, min(line) AS line
FROM counts_line
GROUP BY ALL;

-- A row: a path of the corpus, with its inverse and its order.
CREATE OR REPLACE TEMP TABLE counts_path AS
SELECT text, path_inverse(text) AS inverse, path_order(text) AS path_order
FROM (SELECT DISTINCT path AS text FROM counts_text);

-- name: first_asymmetric
-- One row: the first line whose co-occurrence has another count, or direct count (manner), from its other end, and
-- both; no row if all are symmetric.
SELECT own.line, own.lexeme, own.path, own.context, counts_path.inverse, CASE
        WHEN own.count <> coalesce(other.count, 0)
        THEN {'manner': '', 'own': own.count, 'other': coalesce(other.count, 0)}
        ELSE {'manner': ' directly', 'own': own.direct, 'other': other.direct}
    END AS counts
FROM counts_text AS own
JOIN counts_path ON counts_path.text = own.path
LEFT JOIN counts_text AS other
    ON other.lexeme = own.context AND other.context = own.lexeme AND other.path = counts_path.inverse
WHERE own.count <> coalesce(other.count, 0) OR own.direct <> other.direct
ORDER BY own.line
LIMIT 1;

-- name: too_many
-- One row: whether all counts of the corpus and of the lexicon together are more than a BIGINT holds.
SELECT coalesce(corpus.total, 0) + coalesce(lexicon.total, 0) > 9223372036854775807
FROM (SELECT sum(count) AS total FROM counts_text) AS corpus,
    (SELECT sum(count) AS total FROM _store.path) AS lexicon;

-- name: lexemes
-- Adds a row for each lexeme of the corpus corpus_id, with the tokens that it is taken for: how often it meets itself
-- at ε, where each token does (like siblings too, as packed trees have it); in counts without ε, the most that it is
-- counted in any one co-occurrence.
INSERT INTO _store.given_lexeme (corpus_id, lexeme_id, tokens)
SELECT getvariable('corpus_id'), given_count.lexeme_id, coalesce(
        max(given_count.count - given_count.merged) FILTER (
            path.text = '' AND given_count.context_id = given_count.lexeme_id AND given_count.count > given_count.merged
        ),
        max(given_count.count)
    )
FROM _store.given_count
JOIN _store.path ON path.id = given_count.path_id
WHERE given_count.corpus_id = getvariable('corpus_id')
GROUP BY given_count.lexeme_id
ORDER BY given_count.lexeme_id;

-- name: met_lexeme
-- A row: a lexeme that the corpus has.
CREATE OR REPLACE TEMP VIEW met_lexeme AS
SELECT lexeme FROM counts_text;

-- name: add
-- Adds a row for each path that the corpus is the first to have. It has the inverse of each, being symmetric.
INSERT INTO _store.path (id, text, path_order, inverse_id, count, merged)
WITH numbered AS (
    SELECT (SELECT coalesce(max(id), 0) FROM _store.path) + row_number() OVER (ORDER BY counts_path.text) AS id,
        counts_path.text, counts_path.inverse, counts_path.path_order
    FROM counts_path
    ANTI JOIN _store.path ON path.text = counts_path.text
)
SELECT numbered.id, numbered.text, numbered.path_order, inverse.id, 0, 0
FROM numbered
JOIN numbered AS inverse ON inverse.text = numbered.inverse;

-- Adds a row for each co-occurrence of the corpus corpus_id.
INSERT INTO _store.given_count (corpus_id, lexeme_id, path_id, context_id, count, merged)
SELECT getvariable('corpus_id'), lexeme.id AS lexeme_id, path.id AS path_id, context.id AS context_id,
    counts_text.count::BIGINT, (counts_text.count - coalesce(counts_text.direct, counts_text.count))::BIGINT
FROM counts_text
JOIN _store.lexeme ON lexeme.text = counts_text.lexeme
JOIN _store.path ON path.text = counts_text.path
JOIN _store.lexeme AS context ON context.text = counts_text.context
ORDER BY lexeme_id, path_id, context_id;

-- name: added
-- A row: what the corpus corpus_id, which came as counts, adds to the count of a co-occurrence, and how much of it is
-- merged; below 0 where it is taken away (sign).
CREATE OR REPLACE TEMP VIEW added AS
SELECT lexeme_id, path_id, context_id, getvariable('sign') * count AS count, getvariable('sign') * merged AS merged
FROM _store.given_count
WHERE corpus_id = getvariable('corpus_id');

-- A row: how many tokens of a lexeme the corpus has.
CREATE OR REPLACE TEMP VIEW counted_lexeme AS
SELECT lexeme_id, tokens
FROM _store.given_lexeme
WHERE corpus_id = getvariable('corpus_id');

-- name: take_out
-- Takes away the counts of the corpus corpus_id, and the tokens of its lexemes.
DELETE FROM _store.given_count WHERE corpus_id = getvariable('corpus_id');

DELETE FROM _store.given_lexeme WHERE corpus_id = getvariable('corpus_id');

-- name: of_other
-- A row: a co-occurrence of the corpus other_corpus_id of the attached lexicon, as a line of a file of counts has it.
CREATE OR REPLACE TEMP TABLE counts_line AS
SELECT row_number() OVER () AS line, getvariable('columns') AS columns, lexeme.text AS lexeme, path.text AS path,
    context.text AS context, given_count.count::VARCHAR AS count,
    CASE WHEN getvariable('columns') = 5 THEN (given_count.count - given_count.merged)::VARCHAR END AS direct
FROM "/other"._store.given_count
LEFT JOIN "/other"._store.lexeme ON lexeme.id = given_count.lexeme_id
LEFT JOIN "/other"._store.path ON path.id = given_count.path_id
LEFT JOIN "/other"._store.lexeme AS context ON context.id = given_count.context_id
WHERE given_count.corpus_id = getvariable('other_corpus_id');

-- name: first_twice
-- One row: the first co-occurrence that has several lines, and how many; no row if all have one.
SELECT any_value(lexeme) AS lexeme, any_value(path) AS path, any_value(context) AS context, count(*) AS times
FROM counts_line
GROUP BY lexeme, path, context
HAVING count(*) > 1
ORDER BY min(line)
LIMIT 1;

-- name: lexemes_of_other
-- Adds a row for each lexeme of the corpus corpus_id, with the tokens that the attached lexicon has of it in the corpus
-- other_corpus_id.
INSERT INTO _store.given_lexeme (corpus_id, lexeme_id, tokens)
SELECT getvariable('corpus_id'), lexeme.id AS lexeme_id, theirs.tokens
FROM "/other"._store.given_lexeme AS theirs
JOIN "/other"._store.lexeme AS their_lexeme ON their_lexeme.id = theirs.lexeme_id
JOIN _store.lexeme ON lexeme.text = their_lexeme.text
WHERE theirs.corpus_id = getvariable('other_corpus_id')
ORDER BY lexeme_id;

-- name: wrong_tokens
-- One row: the first lexeme of the corpus corpus_id whose tokens are not there once, beside its counts, as 1 or more;
-- no row if all are.
WITH met AS (
    SELECT DISTINCT lexeme_id FROM _store.given_count WHERE corpus_id = getvariable('corpus_id')
),
said AS (
    SELECT lexeme_id, count(*) AS times, min(tokens) AS tokens
    FROM _store.given_lexeme
    WHERE corpus_id = getvariable('corpus_id')
    GROUP BY lexeme_id
)
SELECT lexeme.text
FROM met
FULL JOIN said ON said.lexeme_id = met.lexeme_id
JOIN _store.lexeme ON lexeme.id = coalesce(met.lexeme_id, said.lexeme_id)
WHERE met.lexeme_id IS NULL OR said.times IS DISTINCT FROM 1 OR said.tokens < 1
ORDER BY lexeme.text
LIMIT 1;
