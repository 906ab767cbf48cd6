-- A row: after how many tokens there were how many lexemes, in the order in which sentences were added; so many points
-- that a curve on logarithmic axes is smooth. Tokens without a lexeme do not count.
-- @points@: how many points for each e-fold of tokens.
WITH token AS (
    SELECT node.sentence_id, word.lexeme_id
    FROM _store.stored_node AS node
    JOIN _store.word ON word.id = node.word_id
    WHERE word.lexeme_id IS NOT NULL
),
of_sentence AS (
    SELECT sentence_id, count(*) AS tokens FROM token GROUP BY sentence_id
),
first_seen AS (
    SELECT lexeme_id, min(sentence_id) AS sentence_id FROM token GROUP BY lexeme_id
),
new_in_sentence AS (
    SELECT sentence_id, count(*) AS lexemes FROM first_seen GROUP BY sentence_id
),
so_far AS (
    SELECT sum(of_sentence.tokens) OVER in_order AS tokens,
        sum(coalesce(new_in_sentence.lexemes, 0)) OVER in_order AS lexemes
    FROM of_sentence
    LEFT JOIN new_in_sentence ON new_in_sentence.sentence_id = of_sentence.sentence_id
    WINDOW in_order AS (ORDER BY of_sentence.sentence_id ASC)
)
SELECT max(tokens)::BIGINT AS tokens, max(lexemes)::BIGINT AS lexemes
FROM so_far
GROUP BY floor(ln(tokens) * @points@)
ORDER BY tokens ASC;
