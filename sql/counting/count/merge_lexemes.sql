-- Adds what was counted to each lexeme's tokens and to the number of its co-occurrences.
MERGE INTO _store.lexeme
USING (
    SELECT met.lexeme_id, met.cooccurrences, tokens.frequency
    FROM (SELECT lexeme_id, sum(count)::BIGINT AS cooccurrences FROM added GROUP BY lexeme_id) AS met
    JOIN (
        SELECT lexeme_id, getvariable('sign') * sum(tokens)::BIGINT AS frequency FROM counted_lexeme GROUP BY lexeme_id
    ) AS tokens ON tokens.lexeme_id = met.lexeme_id
) AS added
ON lexeme.id = added.lexeme_id
WHEN MATCHED AND lexeme.frequency + added.frequency = 0 AND lexeme.cooccurrences + added.cooccurrences = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET
    frequency = lexeme.frequency + added.frequency, cooccurrences = lexeme.cooccurrences + added.cooccurrences;
