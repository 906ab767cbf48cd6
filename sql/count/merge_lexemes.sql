-- Adds what the file holds to each lexeme's tokens and to the number of its co-occurrences.
MERGE INTO _store.lexeme
USING (
    SELECT met.lexeme_id, met.cooccurrences, tokens.frequency
    FROM (SELECT lexeme_id, sum(count)::BIGINT AS cooccurrences FROM added GROUP BY lexeme_id) AS met
    JOIN (
        SELECT word.lexeme_id, count(*) AS frequency
        FROM _store.token
        JOIN _store.word ON word.id = token.word_id
        WHERE token.sentence_id > getvariable('sentences_before_file')
        GROUP BY word.lexeme_id
    ) AS tokens ON tokens.lexeme_id = met.lexeme_id
) AS added
ON lexeme.id = added.lexeme_id
WHEN MATCHED THEN UPDATE SET
    frequency = lexeme.frequency + added.frequency, cooccurrences = lexeme.cooccurrences + added.cooccurrences;
