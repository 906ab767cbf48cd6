-- Corpora of counts without trees: read, checked, stored apart, added and taken out.

-- name: read_tsv
-- The text of a field, which may be in quotes.
-- @columns@: the lexeme, path, context, count and direct count, by the fields of a line.
CREATE OR REPLACE TEMP MACRO unquoted(field) AS
    CASE WHEN starts_with(field, '"') THEN replace(field[2:-2], '""', '"') ELSE field END;

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
SELECT line, len(fields) AS columns, @columns@
FROM line
WHERE fields IS NOT NULL;

-- name: read_parquet
-- A row: a row of a Parquet file of counts, by its number, with the numbers in the types that they have there. A view:
-- the file is read as often as it is asked for, and nothing of its text is kept.
-- @file@: the file.
-- @columns@: the lexeme, path, context, count and direct count, by the columns of the file.
-- @number@: the number of a row.
-- @numbered@: whether DuckDB numbers the rows as it reads them, by several threads at once.
CREATE OR REPLACE TEMP VIEW counts_line AS
SELECT @number@ AS line, getvariable('columns') AS columns, @columns@
FROM read_parquet(@file@, hive_partitioning = false, binary_as_string = true, file_row_number = @numbered@);

-- name: has_direct
-- One row: whether a line has a direct count; a column of nothing says that none is known.
SELECT EXISTS (FROM counts_line WHERE coalesce(direct::VARCHAR, '') <> '');

-- name: names
-- The number that is written, as text or in a type of whole numbers; NULL if it is none or beyond a BIGINT.
CREATE OR REPLACE TEMP MACRO number_of(written) AS
    CASE
        WHEN typeof(written) <> 'VARCHAR' OR regexp_full_match(written::VARCHAR, '[0-9]+')
        THEN try_cast(written AS BIGINT)
    END;

-- Whether a path that was made of a relation is not of one step.
CREATE OR REPLACE TEMP MACRO is_no_arc(path) AS
    NOT regexp_full_match(path, '>[^<>]+', 's');

-- The edges of a lexeme, and of its lemma and part of speech where it has them: NULL where they are right.
CREATE OR REPLACE TEMP MACRO lexeme_edge_fault(name, lexeme) AS
    coalesce(
        edge_fault(name, lexeme),
        CASE WHEN getvariable('has_pos') THEN coalesce(
            edge_fault(name || ' ' || left(lexeme, 60) || ': the lemma', regexp_extract(lexeme, '^(.*)/', 1, 's')),
            edge_fault(name || ' ' || left(lexeme, 60) || ': the part of speech', regexp_extract(lexeme, '[^/]*$'))
        ) END
    );

-- The edges of the first relation of a path where they are wrong; NULL where they are right.
CREATE OR REPLACE TEMP MACRO path_edge_fault(name, path) AS
    edge_fault(
        CASE WHEN getvariable('is_triples') THEN name ELSE name || ' ' || left(path, 60) || ': a relation' END,
        list_filter(regexp_split_to_array(path, '[<>]'), lambda relation: edge_space(relation) <> '')[1]
    );

-- A row: a lexeme or context of the lines, once ('' where it is missing), and whether it cannot be one.
CREATE OR REPLACE TEMP TABLE counts_lexeme AS
SELECT lexeme, lexeme = '' OR lacks_pos(lexeme) OR lexeme_edge_fault('', lexeme) IS NOT NULL AS is_wrong
FROM (
    SELECT DISTINCT coalesce(lexeme, '') AS lexeme FROM counts_line
    UNION
    SELECT DISTINCT coalesce(context, '') FROM counts_line
);

-- A row: a path of the lines, once, as it is written (NULL where it is missing) and as lexicons have it, with its
-- inverse and its order; and whether it cannot be one.
CREATE OR REPLACE TEMP TABLE counts_path AS
WITH met AS (
    SELECT DISTINCT path AS written, CASE WHEN path <> 'ε' THEN path ELSE '' END AS text FROM counts_line
),
checked AS (
    SELECT written, text, written IS NOT NULL AND (text = '' OR coalesce(path_is_valid(text), false))
        AND NOT (getvariable('is_triples') AND is_no_arc(written)) AS is_path
    FROM met
)
SELECT written, text, CASE WHEN is_path THEN path_inverse(text) END AS inverse,
    CASE WHEN is_path THEN path_order(text) END AS path_order,
    NOT coalesce(CASE WHEN is_path THEN path_order(text) END <= getvariable('max_order'), false)
        OR path_edge_fault('', text) IS NOT NULL AS is_wrong
FROM checked;

-- name: has_wrong_names
-- One row: whether a line has a lexeme or a path that cannot be one, or another number of columns.
SELECT EXISTS (FROM counts_lexeme WHERE is_wrong) OR EXISTS (FROM counts_path WHERE is_wrong)
    OR EXISTS (FROM counts_line WHERE columns <> getvariable('columns'));

-- name: has_wrong_counts
-- One row: whether a coded line has a count or a direct count that cannot be one.
SELECT EXISTS (
    FROM counts_coded
    WHERE NOT coalesce(count >= 1, false)
        OR (getvariable('has_direct') AND NOT coalesce(direct BETWEEN 0 AND count, false))
        OR (
            getvariable('has_direct') AND direct > 0 AND lexeme_id <> context_id
            AND path_id = (SELECT id FROM _store.path WHERE text = '')
        )
);

-- name: first_wrong
-- One row: the number of the first line of counts that is wrong in any way.
SELECT min(line)
FROM counts_line
LEFT JOIN counts_lexeme AS own ON own.lexeme = coalesce(counts_line.lexeme, '')
LEFT JOIN counts_lexeme AS other ON other.lexeme = coalesce(counts_line.context, '')
LEFT JOIN counts_path ON counts_path.written IS NOT DISTINCT FROM counts_line.path
WHERE columns <> getvariable('columns') OR own.is_wrong OR other.is_wrong OR counts_path.is_wrong
    OR NOT coalesce(number_of(count) >= 1, false)
    OR (getvariable('has_direct') AND NOT coalesce(number_of(direct) BETWEEN 0 AND number_of(count), false))
    OR (
        getvariable('has_direct') AND counts_path.text = '' AND counts_line.lexeme <> counts_line.context
        AND number_of(direct) > 0
    );

-- name: fault
-- One row: what is wrong with a line of counts.
-- @line@: its number.
SELECT line, problem
FROM (
    SELECT line, CASE
        WHEN columns <> getvariable('columns') THEN columns || CASE WHEN columns = 1 THEN ' column' ELSE ' columns' END
            || '; a line has ' || getvariable('columns') || ' (' || getvariable('shown')
            || '), with tabs between them'
        WHEN coalesce(lexeme, '') = '' THEN getvariable('names')[1] || ' is empty; a lexeme is e.g. dog/NOUN'
        WHEN coalesce(context, '') = '' THEN
            getvariable('names')[3] || ' is empty; expected a lexeme, e.g. dog/NOUN'
        WHEN lacks_pos(lexeme) OR lacks_pos(context) THEN
            CASE WHEN lacks_pos(lexeme) THEN getvariable('names')[1] || ' is ''' || left(lexeme, 60)
                ELSE getvariable('names')[3] || ' is ''' || left(context, 60) END
            || '''; in this lexicon it has a part of speech, e.g. dog/NOUN (with the setting lexeme {lemma} not)'
        WHEN getvariable('is_triples') AND coalesce(is_no_arc(path), true) THEN
            getvariable('names')[2] || ' is ' || coalesce('''' || left(path[2:], 60) || '''', 'missing')
            || '; a relation is a name without < or >'
        WHEN path IS NULL OR NOT (path IN ('', 'ε') OR coalesce(path_is_valid(path), false)) THEN
            getvariable('names')[2] || ' is ' || coalesce('''' || left(path, 60) || '''', 'missing')
            || '; a path is reduced, ups before downs, e.g. <amod>nsubj, and empty for ε'
        WHEN lexeme_edge_fault('', lexeme) IS NOT NULL
            THEN lexeme_edge_fault(getvariable('names')[1], lexeme)['problem']
        WHEN lexeme_edge_fault('', context) IS NOT NULL
            THEN lexeme_edge_fault(getvariable('names')[3], context)['problem']
        WHEN path_edge_fault('', path) IS NOT NULL THEN path_edge_fault(getvariable('names')[2], path)['problem']
        WHEN path NOT IN ('', 'ε') AND path_order(path) > getvariable('max_order') THEN
            'path ' || left(path, 60) || ' has order ' || path_order(path) || '; the lexicon counts up to '
            || getvariable('max_order')
        WHEN NOT coalesce(number_of(count) >= 1, false) THEN
            getvariable('names')[4] || ' is ' || coalesce('''' || left(count::VARCHAR, 40) || '''', 'missing')
            || '; expected a whole number, 1 or more'
        WHEN getvariable('has_direct') AND NOT coalesce(number_of(direct) BETWEEN 0 AND number_of(count), false) THEN
            'direct is ' || coalesce('''' || left(direct::VARCHAR, 40) || '''', 'missing')
            || '; expected a whole number, at most the count (' || count || ')'
        WHEN getvariable('has_direct') AND path IN ('', 'ε') AND lexeme <> context
            AND number_of(direct) > 0
        THEN 'direct is ' || direct || '; expected 0: along ε a word meets only itself directly'
    END AS problem
    FROM counts_line
    WHERE line = @line@
)
WHERE problem IS NOT NULL;

-- name: coded
-- A row: a line of counts by the ids of the lexicon, with its numbers (NULL where they are none). Lines that have the
-- same co-occurrence are not summed yet.
CREATE OR REPLACE TEMP TABLE counts_coded AS
SELECT lexeme.id AS lexeme_id, path.id AS path_id, context.id AS context_id, number_of(counts_line.count) AS count,
    number_of(counts_line.direct) AS direct
FROM counts_line
JOIN _store.lexeme ON lexeme.text = counts_line.lexeme
JOIN _store.lexeme AS context ON context.text = counts_line.context
JOIN counts_path ON counts_path.written = counts_line.path
JOIN _store.path ON path.text = counts_path.text;

-- name: turned
-- Adds a row for each coded triple, as its dependent counts it.
INSERT INTO counts_coded (lexeme_id, path_id, context_id, count, direct)
SELECT counts_coded.context_id, path.inverse_id, counts_coded.lexeme_id, counts_coded.count, counts_coded.direct
FROM counts_coded
JOIN _store.path ON path.id = counts_coded.path_id;

-- name: sums
-- One row: how many lines were coded and the sum of their counts; and that of the lexicon.
SELECT count(*) AS lines, coalesce(sum(count), 0) AS total,
    coalesce((SELECT sum(count) FROM _store.path), 0) AS there
FROM counts_coded;

-- name: give
-- Adds a row for each co-occurrence of the corpus corpus_id that some lexemes have: all that its lines count of it.
-- @first@: the first of the lexemes, by id.
-- @last@: the last of them.
INSERT INTO _store.given_count (corpus_id, lexeme_id, path_id, context_id, count, merged)
SELECT getvariable('corpus_id'), lexeme_id, path_id, context_id, sum(count)::BIGINT,
    (sum(count) - coalesce(sum(direct), sum(count)))::BIGINT
FROM counts_coded
WHERE lexeme_id BETWEEN @first@ AND @last@
GROUP BY lexeme_id, path_id, context_id
ORDER BY lexeme_id, path_id, context_id;

-- name: both_ways
-- One row: the sum of the counts of the corpus corpus_id; and what its co-occurrences come to, read one way and the
-- other, which is equal where each has the same count from both ends.
SELECT coalesce(sum(given_count.count), 0) AS total,
    coalesce(sum(hash(lexeme_id, path_id, context_id, given_count.count, given_count.merged)::HUGEINT), 0) AS one_way,
    coalesce(
        sum(hash(context_id, path.inverse_id, lexeme_id, given_count.count, given_count.merged)::HUGEINT), 0
    ) AS other_way
FROM _store.given_count
JOIN _store.path ON path.id = given_count.path_id
WHERE given_count.corpus_id = getvariable('corpus_id');

-- name: first_asymmetric
-- One row: the first line whose co-occurrence in the corpus corpus_id has another count, or direct count (manner), from
-- its other end, and both.
WITH given AS (
    SELECT lexeme_id, path_id, context_id, count, merged
    FROM _store.given_count
    WHERE corpus_id = getvariable('corpus_id')
),
uneven AS (
    SELECT own.lexeme_id, own.path_id, own.context_id, path.inverse_id, CASE
            WHEN own.count <> coalesce(other.count, 0)
            THEN {'manner': '', 'own': own.count, 'other': coalesce(other.count, 0)}
            ELSE {'manner': ' directly', 'own': own.count - own.merged, 'other': other.count - other.merged}
        END AS counts
    FROM given AS own
    JOIN _store.path ON path.id = own.path_id
    LEFT JOIN given AS other
        ON other.lexeme_id = own.context_id AND other.context_id = own.lexeme_id AND other.path_id = path.inverse_id
    WHERE own.count <> coalesce(other.count, 0) OR own.merged <> other.merged
)
SELECT counts_line.line, lexeme.text AS lexeme, path.text AS path, context.text AS context, inverse.text AS inverse,
    uneven.counts
FROM uneven
JOIN _store.lexeme ON lexeme.id = uneven.lexeme_id
JOIN _store.lexeme AS context ON context.id = uneven.context_id
JOIN _store.path ON path.id = uneven.path_id
JOIN _store.path AS inverse ON inverse.id = uneven.inverse_id
JOIN counts_path ON counts_path.text = path.text
JOIN counts_line ON counts_line.lexeme = lexeme.text AND counts_line.context = context.text
    AND counts_line.path = counts_path.written
ORDER BY counts_line.line
LIMIT 1;

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
SELECT lexeme FROM counts_lexeme WHERE lexeme <> '';

-- name: add_paths
-- Adds a row for each path that the corpus is the first to have, and for its inverse.
INSERT INTO _store.path (id, text, path_order, inverse_id, count, merged)
WITH met AS (
    SELECT text, inverse, path_order FROM counts_path WHERE inverse IS NOT NULL
    UNION
    SELECT inverse, text, path_order FROM counts_path WHERE inverse IS NOT NULL
),
numbered AS (
    SELECT (SELECT coalesce(max(id), 0) FROM _store.path) + row_number() OVER (ORDER BY met.text) AS id,
        met.text, met.inverse, met.path_order
    FROM met
    ANTI JOIN _store.path ON path.text = met.text
)
SELECT numbered.id, numbered.text, numbered.path_order, inverse.id, 0, 0
FROM numbered
JOIN numbered AS inverse ON inverse.text = numbered.inverse;

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
    context.text AS context, given_count.count,
    CASE WHEN getvariable('has_direct') THEN given_count.count - given_count.merged END AS direct
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
WITH met AS (SELECT DISTINCT lexeme_id FROM _store.given_count WHERE corpus_id = getvariable('corpus_id')),
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
