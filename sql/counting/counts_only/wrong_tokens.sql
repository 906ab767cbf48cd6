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
