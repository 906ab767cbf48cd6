-- Subcorpora: their sentences, chosen by a condition, and counts of their own.

-- name: syntax_trees
-- One row: DuckDB's syntax tree of a condition, as JSON: without brackets of ours, and within them, on lines of its own
-- (it may end with a comment).
SELECT json_serialize_sql('SELECT 1 WHERE ' || $text)::VARCHAR AS bare,
    json_serialize_sql('SELECT 1 WHERE (' || chr(10) || $text || chr(10) || ')')::VARCHAR AS bracketed;

-- name: choose
-- A row: a sentence that a condition holds of, by its id.
-- @condition@: the condition on the relations below.
-- @store@: the store that they are in.
SELECT sentence.id AS sentence_id
FROM @store@.sentence
JOIN @store@.corpus ON corpus.id = sentence.corpus_id
LEFT JOIN @store@.document ON document.id = sentence.document_id
LEFT JOIN @store@.document_metadata AS of_document ON of_document.document_id = sentence.document_id
LEFT JOIN @store@.sentence_metadata AS of_sentence ON of_sentence.sentence_id = sentence.id
WHERE @condition@;

-- name: values
-- A row: a value that sentences have, or none (NULL), and how many do. (A kind of metadata may be called value too.)
-- @kind@: the column, of one of the relations below.
SELECT @kind@ AS value, count(*) AS sentences
FROM _store.sentence
JOIN _store.corpus ON corpus.id = sentence.corpus_id
LEFT JOIN _store.document ON document.id = sentence.document_id
LEFT JOIN _store.document_metadata AS of_document ON of_document.document_id = sentence.document_id
LEFT JOIN _store.sentence_metadata AS of_sentence ON of_sentence.sentence_id = sentence.id
GROUP BY ALL
ORDER BY 1;

-- name: fit
-- One row: how many sentences have a value that a function fits, how many another value, and the first of these.
-- @known@: the statement that gives the values that are there, and how many sentences have each.
-- @fits@: the function of value, NULL where it is none.
SELECT coalesce(sum(sentences) FILTER (fits IS NOT NULL), 0)::BIGINT AS fit,
    coalesce(sum(sentences) FILTER (value IS NOT NULL AND fits IS NULL), 0)::BIGINT AS left_out,
    min(value::VARCHAR) FILTER (value IS NOT NULL AND fits IS NULL) AS example
FROM (SELECT value, sentences, @fits@ AS fits FROM (@known@)) AS known;

-- name: out_of_order
-- A row: the first value whose letters are before another text, $text, and whose number at the beginning is not, or the
-- other way round, as 10;00 and 2;06.
-- @known@: the statement that gives the values that are there.
SELECT value
FROM (
    SELECT value::VARCHAR AS value, try_cast(regexp_extract(value::VARCHAR, '^[0-9]+') AS HUGEINT) AS number,
        try_cast(regexp_extract($text, '^[0-9]+') AS HUGEINT) AS limit_number
    FROM (@known@)
) AS known
WHERE number <> limit_number AND (number < limit_number) <> (value < $text)
ORDER BY value ASC
LIMIT 1;

-- name: near
-- A row: a text that there is, whether it is spelt nearly like another one, and how many there are in all. The nearest
-- come first.
-- @known@: the statement that gives those there are, as value.
-- @most@: how many rows there are at most.
WITH known AS (
    SELECT value, damerau_levenshtein(lower(value), lower($text)) AS distance
    FROM (@known@)
    WHERE value IS NOT NULL
),
told AS (
    SELECT value, distance, distance <= least(2, length($text) // 3) AS is_near, count(*) OVER () AS total
    FROM known
)
SELECT value, is_near, total
FROM told
ORDER BY is_near DESC, CASE WHEN is_near THEN distance END, value
LIMIT @most@;

-- name: lacking
-- A row: a text or pattern that is asked for and that nothing there fits, in the order of asking.
-- @known@: the statement that gives the texts that are there, as value.
-- @fits@: whether known.value fits asked.value: it is that text, or is LIKE that pattern.
WITH asked AS (SELECT unnest($texts) AS value, unnest(range(len($texts))) AS place)
SELECT asked.value
FROM asked
ANTI JOIN (@known@) AS known ON @fits@
ORDER BY asked.place;

-- name: size
-- One row: how many sentences are chosen, and how many tokens they have.
-- @store@: the store that the sentences are in.
SELECT (SELECT count(*) FROM _store.chosen_sentence) AS sentences, count(*) AS tokens
FROM @store@.token
SEMI JOIN _store.chosen_sentence USING (sentence_id);

-- name: keep_sentences
-- Keeps which sentences a subcorpus has.
-- @id@: the subcorpus's id.
-- @draft@: the store of the draft that counted it.
INSERT INTO _store.subcorpus_sentence (subcorpus_id, sentence_id)
SELECT @id@, sentence_id
FROM @draft@.chosen_sentence
ORDER BY sentence_id;

-- name: keep_cooccurrences
-- Keeps the co-occurrences of some lexemes of a subcorpus, in the order that makes them their own index.
-- @id@: the subcorpus's id.
-- @first@: the first of the lexemes, by id.
-- @last@: the last of them.
INSERT INTO _store.subcorpus_cooccurrence (subcorpus_id, lexeme_id, path_id, context_id, count, merged)
SELECT @id@, lexeme_id, path_id, context_id, count, merged
FROM added
WHERE lexeme_id BETWEEN @first@ AND @last@
ORDER BY lexeme_id, path_id, context_id;

-- name: keep_marginals
-- Keeps the nodes of a subcorpus, by the ids that they have in the whole lexicon.
-- @id@: the subcorpus's id.
INSERT INTO _store.subcorpus_node (subcorpus_id, id, lexeme_id, path_id, count, merged)
SELECT @id@, node.id, own.lexeme_id, own.path_id, own.count, own.merged
FROM (
    SELECT lexeme_id, path_id, sum(count)::BIGINT AS count, sum(merged)::BIGINT AS merged
    FROM _store.subcorpus_cooccurrence
    WHERE subcorpus_id = @id@
    GROUP BY lexeme_id, path_id
) AS own
JOIN _store.node ON node.lexeme_id = own.lexeme_id AND node.path_id = own.path_id
ORDER BY own.lexeme_id, own.path_id;

-- Keeps its paths, and their totals.
INSERT INTO _store.subcorpus_path (subcorpus_id, id, text, path_order, inverse_id, count, merged)
SELECT @id@, path.id, path.text, path.path_order, path.inverse_id, own.count, own.merged
FROM (
    SELECT path_id, sum(count)::BIGINT AS count, sum(merged)::BIGINT AS merged
    FROM _store.subcorpus_node
    WHERE subcorpus_id = @id@
    GROUP BY path_id
) AS own
JOIN _store.path ON path.id = own.path_id
ORDER BY path.id;

-- Keeps its lexemes, the number of their tokens and of their co-occurrences.
INSERT INTO _store.subcorpus_lexeme (subcorpus_id, id, text, lemma, pos, frequency, cooccurrences, merged)
SELECT @id@, lexeme.id, lexeme.text, lexeme.lemma, lexeme.pos, own.frequency, met.cooccurrences, met.merged
FROM (SELECT lexeme_id, sum(tokens)::BIGINT AS frequency FROM counted_lexeme GROUP BY lexeme_id) AS own
JOIN (
    SELECT lexeme_id, sum(count)::BIGINT AS cooccurrences, sum(merged)::BIGINT AS merged
    FROM _store.subcorpus_node
    WHERE subcorpus_id = @id@
    GROUP BY lexeme_id
) AS met ON met.lexeme_id = own.lexeme_id
JOIN _store.lexeme ON lexeme.id = own.lexeme_id
ORDER BY lexeme.id;

-- name: chosen
-- A row: a sentence of the subcorpus that is counted.
-- @choice@: the statement that gives the ids of its sentences.
CREATE OR REPLACE TABLE _store.chosen_sentence AS
FROM (@choice@);

-- name: corpora
-- A row: a corpus that the chosen sentences are of.
-- @store@: the store that the sentences are in.
SELECT DISTINCT sentence.corpus_id
FROM _store.chosen_sentence AS chosen
JOIN @store@.sentence ON sentence.id = chosen.sentence_id
ORDER BY sentence.corpus_id;

-- name: add_corpus
-- Adds the record of what was chosen of a corpus of the attached lexicon, which is $own here. It has another digest
-- than the whole, which may still be added.
-- @choice@: the statement that gives the ids of the chosen sentences.
-- @condition@: what they were chosen by.
INSERT INTO _store.corpus (
    id, name, source, sha256, sentences, tokens, added_at, version, kind, skipped, has_direct, has_misc
)
SELECT $own, name, source, sha256(sha256 || ' ' || @condition@), size.sentences, size.tokens, added_at, version, kind,
    skipped, has_direct OR kind = 'trees', has_misc
FROM "/other"._store.corpus
CROSS JOIN (
    SELECT count(DISTINCT token.sentence_id) AS sentences, count(*) AS tokens
    FROM "/other"._store.token
    JOIN "/other"._store.sentence ON sentence.id = token.sentence_id
    SEMI JOIN (@choice@) AS chosen ON chosen.sentence_id = token.sentence_id
    WHERE sentence.corpus_id = $corpus
) AS size
WHERE id = $corpus;
