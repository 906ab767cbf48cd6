-- Choosing: how a word goes with the other words of a sentence, whatever the paths between them.

-- name: sentences
-- One row: how many sentences are stored.
SELECT count(*) FROM _store.sentence;

-- name: frequencies
-- A row: a lexeme of $lexemes, with how often it occurs.
-- @subcorpus@: the subcorpus, or NULL.
SELECT text, frequency FROM _store.lexeme_in(@subcorpus@) WHERE list_contains($lexemes, text);

-- name: lexemes
-- A row: a word of $words, which is JSON (number, lemma, pos), and the lexeme that has its lemma and part of speech,
-- the most frequent one; whether it is a content word.
-- @content@: the parts of speech of content words.
SELECT wanted.number, lexeme.id, lexeme.text, list_contains(@content@, lexeme.pos) AS is_content
FROM (
    SELECT unnest(from_json($words, '[{"number": "BIGINT", "lemma": "VARCHAR", "pos": "VARCHAR"}]'), max_depth := 2)
) AS wanted
JOIN _store.lexeme ON lower(lexeme.lemma) = lower(wanted.lemma) AND lexeme.pos = wanted.pos
QUALIFY row_number() OVER (PARTITION BY wanted.number ORDER BY lexeme.frequency DESC, lexeme.text ASC) = 1;

-- name: together
-- A row: a pair of $pairs, which is JSON (one, other: ids of lexemes), that some sentences have both of, and its ppmi:
-- of how many sentences have both, beside how many have the one, and the other.
WITH pair AS MATERIALIZED (
    SELECT DISTINCT one, other  -- (beside unnest with max_depth, DISTINCT sees its first column alone)
    FROM (SELECT unnest(from_json($pairs, '[{"one": "INTEGER", "other": "INTEGER"}]'), max_depth := 2))
),
wanted AS MATERIALIZED (SELECT one AS lexeme_id FROM pair UNION SELECT other FROM pair),
in_sentence AS MATERIALIZED (
    SELECT DISTINCT node.sentence_id, word.lexeme_id
    FROM _store.stored_node AS node
    JOIN _store.word ON word.id = node.word_id
    SEMI JOIN wanted ON wanted.lexeme_id = word.lexeme_id
),
having_it AS MATERIALIZED (SELECT lexeme_id, count(*) AS sentences FROM in_sentence GROUP BY lexeme_id),
having_both AS (
    SELECT pair.one, pair.other, count(*) AS sentences
    FROM pair
    JOIN in_sentence AS of_one ON of_one.lexeme_id = pair.one
    JOIN in_sentence AS of_other ON of_other.sentence_id = of_one.sentence_id AND of_other.lexeme_id = pair.other
    GROUP BY pair.one, pair.other
)
SELECT having_both.one, having_both.other, greatest(
    ln(having_both.sentences * (SELECT count(*) FROM _store.sentence) / (one.sentences * other.sentences)), 0
) AS ppmi
FROM having_both
JOIN having_it AS one ON one.lexeme_id = having_both.one
JOIN having_it AS other ON other.lexeme_id = having_both.other;
