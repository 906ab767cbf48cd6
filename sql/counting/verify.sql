-- Verifying counts: the stored trees are counted again, and rows that differ are listed.

-- name: counts
-- A row: a co-occurrence that is counted otherwise than its trees, or the counts that came without trees, come to. Rows
-- are compared one by one for lexemes whose digests differ.
WITH counted_again AS NOT MATERIALIZED (
    SELECT lexeme.own_id AS lexeme_id, path.own_id AS path_id, context.own_id AS context_id, counted.count,
        counted.merged,
        lexeme.text AS lexeme, path.text AS path, context.text AS context
    FROM "/recount"._store.cooccurrence AS counted
    JOIN lexeme_id AS lexeme ON lexeme.again_id = counted.lexeme_id
    JOIN path_id AS path ON path.again_id = counted.path_id
    JOIN lexeme_id AS context ON context.again_id = counted.context_id
),
own_digest AS (
    SELECT lexeme_id, sum(hash(path_id, context_id, count, merged)::HUGEINT) AS digest
    FROM _store.cooccurrence
    GROUP BY lexeme_id
),
digest_again AS (
    SELECT lexeme_id, sum(hash(path_id, context_id, count, merged)::HUGEINT) AS digest
    FROM counted_again
    GROUP BY lexeme_id
),
suspect AS MATERIALIZED (
    SELECT coalesce(own_digest.lexeme_id, digest_again.lexeme_id) AS lexeme_id
    FROM own_digest
    FULL JOIN digest_again ON digest_again.lexeme_id = own_digest.lexeme_id
    WHERE own_digest.digest IS DISTINCT FROM digest_again.digest
),
own AS (
    SELECT lexeme_id, path_id, context_id, sum(count) AS count, sum(count - merged) AS direct, count(*) AS rows
    FROM _store.cooccurrence
    WHERE lexeme_id IN (SELECT lexeme_id FROM suspect)
    GROUP BY ALL
),
again AS (
    SELECT counted_again.*
    FROM counted_again
    SEMI JOIN suspect ON suspect.lexeme_id IS NOT DISTINCT FROM counted_again.lexeme_id
),
-- A row: a co-occurrence, and its count, or its direct count, found and expected.
compared AS (
    SELECT concat_ws(
            ' ', coalesce(again.lexeme, lexeme.text, 'lexeme ' || own.lexeme_id),
            coalesce(nullif(coalesce(again.path, path.text), ''), 'ε'),
            coalesce(again.context, context.text, 'lexeme ' || own.context_id)
        ) AS row, own.rows, unnest([
            {'what': 'count', 'found': own.count, 'expected': again.count},
            {'what': 'direct count', 'found': own.direct, 'expected': again.count - again.merged}
        ], recursive := true)
    FROM own
    FULL JOIN again
        ON again.lexeme_id = own.lexeme_id AND again.path_id = own.path_id AND again.context_id = own.context_id
    LEFT JOIN lexeme_id AS lexeme ON lexeme.own_id = own.lexeme_id
    LEFT JOIN path_id AS path ON path.own_id = own.path_id
    LEFT JOIN lexeme_id AS context ON context.own_id = own.context_id
)
SELECT what, row,
    coalesce(found, 0)::VARCHAR || CASE WHEN rows > 1 THEN ' in ' || rows || ' rows' ELSE '' END AS found,
    coalesce(expected, 0)::VARCHAR AS expected
FROM compared
WHERE coalesce(found, 0) <> coalesce(expected, 0) OR (rows > 1 AND what = 'count');

-- name: lexemes
-- A row: a lexeme that is otherwise than the trees make it: its parts, its tokens, or that it is there at all.
WITH either AS (
    SELECT coalesce(own.text, again.text) AS text,
        {'lemma': own.lemma, 'pos': own.pos, 'frequency': own.frequency} AS found,
        {'lemma': again.lemma, 'pos': again.pos, 'frequency': again.frequency} AS expected
    FROM _store.lexeme AS own
    FULL JOIN "/recount"._store.lexeme AS again ON again.text = own.text
)
SELECT 'lexeme' AS what, text AS row, concat_ws(' ', found.lemma, found.pos, coalesce(found.frequency, 0)) AS found,
    concat_ws(' ', expected.lemma, expected.pos, coalesce(expected.frequency, 0)) AS expected
FROM either
WHERE found IS DISTINCT FROM expected;

-- name: words
-- A row: a word that is another lexeme than the settings make of it, or that no tree has, or that is missing.
SELECT 'word' AS what, concat_ws(' ', form, lemma, upos, xpos, feats) AS row,
    CASE WHEN own.id IS NULL THEN 'no word' ELSE coalesce(lexeme.text, 'no lexeme') END AS found,
    CASE WHEN again.id IS NULL THEN 'no word' ELSE coalesce(lexeme_again.text, 'no lexeme') END AS expected
FROM _store.word AS own
FULL JOIN "/recount"._store.word AS again USING (form, lemma, upos, xpos, feats)
LEFT JOIN _store.lexeme ON lexeme.id = own.lexeme_id
LEFT JOIN "/recount"._store.lexeme AS lexeme_again ON lexeme_again.id = again.lexeme_id
WHERE lexeme.text IS DISTINCT FROM lexeme_again.text OR own.id IS NULL OR again.id IS NULL;

-- name: relations
-- A row: a relation that has another label in paths than the settings give it, or that no tree has, or that is missing.
SELECT 'relation' AS what, text AS row,
    CASE WHEN own.id IS NULL THEN 'no relation' ELSE coalesce(own.label, 'no label') END AS found,
    CASE WHEN again.id IS NULL THEN 'no relation' ELSE coalesce(again.label, 'no label') END AS expected
FROM _store.relation AS own
FULL JOIN "/recount"._store.relation AS again USING (text)
WHERE own.label IS DISTINCT FROM again.label OR own.id IS NULL OR again.id IS NULL;

-- name: joined
-- A row: a token that is joined with others otherwise than the settings join it.
WITH own AS (
    SELECT sentence.place, joined.position, {
        'top': joined.top, 'form': word.form, 'lemma': word.lemma, 'upos': word.upos, 'xpos': word.xpos,
        'feats': word.feats
    } AS part
    FROM _store.joined
    JOIN _store.word ON word.id = joined.word_id
    JOIN (SELECT id, row_number() OVER (ORDER BY corpus_id, id) AS place FROM _store.sentence) AS sentence
        ON sentence.id = joined.sentence_id
),
again AS (
    SELECT sentence.place, joined.position, {
        'top': joined.top, 'form': word.form, 'lemma': word.lemma, 'upos': word.upos, 'xpos': word.xpos,
        'feats': word.feats
    } AS part
    FROM "/recount"._store.joined
    JOIN "/recount"._store.word ON word.id = joined.word_id
    JOIN (SELECT id, row_number() OVER (ORDER BY corpus_id, id) AS place FROM "/recount"._store.sentence) AS sentence
        ON sentence.id = joined.sentence_id
)
SELECT 'joined word' AS what,
    'sentence ' || coalesce(own.place, again.place)
    || ' of all, word ' || coalesce(own.position, again.position) AS row,
    coalesce(concat_ws(' ', own.part.form, 'at', own.part.top), 'not joined') AS found,
    coalesce(concat_ws(' ', again.part.form, 'at', again.part.top), 'not joined') AS expected
FROM own
FULL JOIN again ON again.place = own.place AND again.position = own.position
WHERE own.part IS DISTINCT FROM again.part;

-- name: nodes
-- A row: a marginal, of a lexeme and a path, that is not the sum of its counts, or of its direct counts.
WITH summed AS (
    SELECT lexeme_id, path_id, sum(count) AS count, sum(count - merged) AS direct
    FROM _store.cooccurrence
    GROUP BY ALL
),
noted AS (
    SELECT lexeme_id, path_id, sum(count) AS count, sum(count - merged) AS direct, count(*) AS rows
    FROM _store.node
    GROUP BY ALL
),
compared AS (
    SELECT concat_ws(
            ' ', coalesce(lexeme.text, 'lexeme ' || coalesce(noted.lexeme_id, summed.lexeme_id)),
            coalesce(nullif(path.text, ''), 'ε')
        ) AS row, noted.rows, unnest([
            {'what': 'marginal', 'found': noted.count, 'expected': summed.count},
            {'what': 'direct marginal', 'found': noted.direct, 'expected': summed.direct}
        ], recursive := true)
    FROM noted
    FULL JOIN summed ON summed.lexeme_id = noted.lexeme_id AND summed.path_id = noted.path_id
    LEFT JOIN _store.lexeme ON lexeme.id = coalesce(noted.lexeme_id, summed.lexeme_id)
    LEFT JOIN _store.path ON path.id = coalesce(noted.path_id, summed.path_id)
    WHERE noted.count IS DISTINCT FROM summed.count OR noted.direct IS DISTINCT FROM summed.direct OR noted.rows > 1
)
SELECT what, row,
    coalesce(found, 0)::VARCHAR || CASE WHEN rows > 1 THEN ' in ' || rows || ' rows' ELSE '' END AS found,
    coalesce(expected, 0)::VARCHAR AS expected
FROM compared
WHERE coalesce(found, 0) <> coalesce(expected, 0) OR (rows > 1 AND what = 'marginal');

-- name: totals
-- A row: the total of a path, or of a lexeme, that is not the sum of its counts, or of its direct counts.
WITH compared AS (
    SELECT coalesce(nullif(path.text, ''), 'ε') AS row, unnest([
            {'what': 'total of the path', 'found': path.count, 'expected': summed.count},
            {'what': 'direct total of the path', 'found': path.count - path.merged, 'expected': summed.direct}
        ], recursive := true)
    FROM _store.path
    LEFT JOIN (
        SELECT path_id, sum(count) AS count, sum(count - merged) AS direct FROM _store.cooccurrence GROUP BY path_id
    ) AS summed ON summed.path_id = path.id
    UNION ALL
    SELECT lexeme.text, unnest([
            {'what': 'total of the lexeme', 'found': cooccurrences, 'expected': summed.count},
            {'what': 'direct total of the lexeme', 'found': cooccurrences - merged, 'expected': summed.direct}
        ], recursive := true)
    FROM _store.lexeme
    LEFT JOIN (
        SELECT lexeme_id, sum(count) AS count, sum(count - merged) AS direct
        FROM _store.cooccurrence
        GROUP BY lexeme_id
    ) AS summed ON summed.lexeme_id = lexeme.id
)
SELECT what, row, found::VARCHAR AS found, coalesce(expected, 0)::VARCHAR AS expected
FROM compared
WHERE found IS DISTINCT FROM coalesce(expected, 0);

-- name: paths
-- A row: a path whose inverse, or order, is not that of its text.
SELECT 'path' AS what, coalesce(nullif(path.text, ''), 'ε') AS row,
    'inverse ' || coalesce(nullif(inverse.text, ''), CASE WHEN inverse.id IS NULL THEN 'missing' ELSE 'ε' END)
    || ', order ' || path.path_order AS found,
    'inverse ' || coalesce(nullif(path_inverse(path.text), ''), 'ε') || ', order ' || path_order(path.text) AS expected
FROM _store.path
LEFT JOIN _store.path AS inverse ON inverse.id = path.inverse_id
WHERE inverse.text IS DISTINCT FROM path_inverse(path.text) OR path.path_order <> path_order(path.text);

-- name: symmetry
-- A row: a co-occurrence that is counted otherwise from its other end, along the inverse path, or by direct counts.
-- Rows are compared one by one for lexemes whose digests differ.
WITH own_digest AS (
    SELECT lexeme_id, sum(hash(path_id, context_id, count, merged)::HUGEINT) AS digest
    FROM _store.cooccurrence
    GROUP BY lexeme_id
),
digest_from_contexts AS (
    SELECT other.context_id AS lexeme_id,
        sum(hash(path.inverse_id, other.lexeme_id, other.count, other.merged)::HUGEINT) AS digest
    FROM _store.cooccurrence AS other
    JOIN _store.path ON path.id = other.path_id
    GROUP BY other.context_id
),
suspect AS MATERIALIZED (
    SELECT own_digest.lexeme_id
    FROM own_digest
    LEFT JOIN digest_from_contexts ON digest_from_contexts.lexeme_id = own_digest.lexeme_id
    WHERE own_digest.digest IS DISTINCT FROM digest_from_contexts.digest
),
own AS (FROM _store.cooccurrence WHERE lexeme_id IN (SELECT lexeme_id FROM suspect)),
other AS (FROM _store.cooccurrence WHERE context_id IN (SELECT lexeme_id FROM suspect))
SELECT 'symmetry' AS what, concat_ws(' ', lexeme.text, coalesce(nullif(path.text, ''), 'ε'), context.text) AS row,
    own.count::VARCHAR || ', direct ' || own.count - own.merged AS found,
    coalesce(other.count, 0)::VARCHAR || ', direct ' || coalesce(other.count - other.merged, 0) AS expected
FROM own
JOIN _store.path ON path.id = own.path_id
LEFT JOIN other
    ON other.lexeme_id = own.context_id AND other.path_id = path.inverse_id AND other.context_id = own.lexeme_id
LEFT JOIN _store.lexeme ON lexeme.id = own.lexeme_id
LEFT JOIN _store.lexeme AS context ON context.id = own.context_id
WHERE own.count IS DISTINCT FROM other.count OR own.merged IS DISTINCT FROM other.merged;

-- name: corpora
-- A row: a corpus of which others sentences or tokens are recorded than are stored. What was counted elsewhere is not
-- stored.
WITH stored AS (
    SELECT corpus.id, count(DISTINCT sentence.id) AS sentences, count(token.position) AS tokens
    FROM _store.corpus
    LEFT JOIN _store.sentence ON sentence.corpus_id = corpus.id
    LEFT JOIN _store.token ON token.sentence_id = sentence.id
    GROUP BY corpus.id
)
SELECT 'corpus' AS what, corpus.name AS row, corpus.sentences || ' sentences, ' || corpus.tokens || ' tokens' AS found,
    stored.sentences || ' sentences, ' || stored.tokens || ' tokens' AS expected
FROM _store.corpus
JOIN stored ON stored.id = corpus.id
WHERE least(corpus.sentences, corpus.tokens) < 0
    OR (corpus.kind <> 'counts' AND (stored.sentences <> corpus.sentences OR stored.tokens <> corpus.tokens));

-- name: documents
-- A row: a document of another corpus than a sentence of it.
SELECT 'sentence' AS what, sentence.id || ' of ' || corpus.name AS row, 'in a document of ' || other.name AS found,
    'in one of its own corpus' AS expected
FROM _store.sentence
JOIN _store.document ON document.id = sentence.document_id AND document.corpus_id <> sentence.corpus_id
JOIN _store.corpus ON corpus.id = sentence.corpus_id
JOIN _store.corpus AS other ON other.id = document.corpus_id;

-- name: kinds
-- A row: a corpus that has both trees and counts, or what its kind has not, or is of no kind there is; or whose other
-- notes cannot be so.
WITH known AS (
    SELECT corpus.*, corpus.id IN (SELECT corpus_id FROM _store.sentence) AS has_trees,
        corpus.id IN (SELECT corpus_id FROM _store.given_count) AS has_counts
    FROM _store.corpus
)
SELECT 'corpus' AS what, name AS row,
    concat_ws(', ', 'kind ' || kind, CASE WHEN has_trees THEN 'trees' END, CASE WHEN has_counts THEN 'counts' END)
    AS found, 'either trees or counts, as its kind says' AS expected
FROM known
WHERE (kind <> 'trees' OR has_counts) AND (kind <> 'counts' OR has_trees OR NOT has_counts)
UNION ALL
SELECT 'corpus', name, skipped || ' skipped', '0 or more'
FROM known
WHERE skipped < 0
UNION ALL
SELECT 'corpus', name, 'sha256 ' || sha256, '64 digits'
FROM known
WHERE NOT regexp_full_match(sha256, '[0-9a-f]{64}')
UNION ALL
SELECT 'corpus', known.name, 'merged counts', 'none, as its direct counts are not known'
FROM known
WHERE kind = 'counts' AND NOT has_direct
    AND id IN (SELECT given_count.corpus_id FROM _store.given_count WHERE given_count.merged <> 0)
UNION ALL
SELECT DISTINCT 'corpus', known.name, 'direct counts along ε between two lexemes', 'none'
FROM known
JOIN _store.given_count AS met ON met.corpus_id = known.id
JOIN _store.path ON path.id = met.path_id
WHERE known.has_direct AND path.text = '' AND met.lexeme_id <> met.context_id AND met.count > met.merged;

-- name: given
-- A row: a count of a corpus without trees that is below one, or is another from its other end, along the inverse path;
-- or a lexeme of one that has no tokens beside its counts, or tokens without them.
SELECT 'given count' AS what, concat_ws(
        ' ', corpus.name || ':', lexeme.text, coalesce(nullif(path.text, ''), 'ε'), context.text
    ) AS row, own.count::VARCHAR AS found,
    CASE WHEN own.count < 1 THEN '1 or more' ELSE coalesce(other.count, 0)::VARCHAR END AS expected
FROM _store.given_count AS own
JOIN _store.corpus ON corpus.id = own.corpus_id
JOIN _store.path ON path.id = own.path_id
JOIN _store.lexeme ON lexeme.id = own.lexeme_id
JOIN _store.lexeme AS context ON context.id = own.context_id
LEFT JOIN _store.given_count AS other
    ON other.corpus_id = own.corpus_id AND other.lexeme_id = own.context_id AND other.path_id = path.inverse_id
    AND other.context_id = own.lexeme_id
WHERE own.count IS DISTINCT FROM other.count OR own.count < 1
UNION ALL
SELECT 'given lexeme', concat_ws(' ', corpus.name || ':', lexeme.text), coalesce(said.tokens, 0) || ' tokens',
    CASE WHEN met.lexeme_id IS NULL THEN 'no tokens' ELSE '1 or more' END
FROM _store.given_lexeme AS said
FULL JOIN (SELECT DISTINCT corpus_id, lexeme_id FROM _store.given_count) AS met
    ON met.corpus_id = said.corpus_id AND met.lexeme_id = said.lexeme_id
JOIN _store.corpus ON corpus.id = coalesce(met.corpus_id, said.corpus_id)
JOIN _store.lexeme ON lexeme.id = coalesce(met.lexeme_id, said.lexeme_id)
WHERE met.lexeme_id IS NULL OR said.tokens IS NULL OR said.tokens < 1;

-- name: ids
-- A row: a lexeme or context of either, by its id in the lexicon and in the recount.
CREATE OR REPLACE TEMP TABLE lexeme_id AS
SELECT coalesce(own.text, again.text) AS text, own.id AS own_id, again.id AS again_id
FROM _store.lexeme AS own
FULL JOIN "/recount"._store.lexeme AS again ON again.text = own.text;

-- A row: a path of either, in the same way.
CREATE OR REPLACE TEMP TABLE path_id AS
SELECT coalesce(own.text, again.text) AS text, own.id AS own_id, again.id AS again_id
FROM _store.path AS own
FULL JOIN "/recount"._store.path AS again ON again.text = own.text;

-- name: opened
-- A row: a lexeme or path that is otherwise than the folder of counts has it, by its id.
-- @lexemes@: the files of its lexemes.
-- @paths@: those of its paths.
WITH own_lexeme AS (SELECT id, [text, frequency::VARCHAR] AS said FROM _store.lexeme),
their_lexeme AS (
    SELECT lexeme_id AS id, [lexeme, frequency::VARCHAR] AS said
    FROM read_parquet(@lexemes@, hive_partitioning = false)
    WHERE frequency > 0
),
own_path AS (SELECT id, [text, inverse_id::VARCHAR] AS said FROM _store.path),
their_path AS (
    SELECT path_id AS id, [path, inverse_id::VARCHAR] AS said
    FROM read_parquet(@paths@, hive_partitioning = false)
)
SELECT 'lexeme' AS what, coalesce(own_lexeme.said[1], their_lexeme.said[1]) AS row,
    coalesce(array_to_string(own_lexeme.said, ' '), 'none') AS found,
    coalesce(array_to_string(their_lexeme.said, ' '), 'none') AS expected
FROM own_lexeme
FULL JOIN their_lexeme ON their_lexeme.id = own_lexeme.id
WHERE own_lexeme.said IS DISTINCT FROM their_lexeme.said
UNION ALL
SELECT 'path', coalesce(own_path.said[1], their_path.said[1]), coalesce(array_to_string(own_path.said, ' '), 'none'),
    coalesce(array_to_string(their_path.said, ' '), 'none')
FROM own_path
FULL JOIN their_path ON their_path.id = own_path.id
WHERE own_path.said IS DISTINCT FROM their_path.said;
