-- Adds what was counted to the counts; new co-occurrences follow in order, as a run of their own.
MERGE INTO _store.cooccurrence
USING (FROM added ORDER BY lexeme_id, path_id, context_id) AS added
ON cooccurrence.lexeme_id = added.lexeme_id AND cooccurrence.path_id = added.path_id
    AND cooccurrence.context_id = added.context_id
WHEN MATCHED AND cooccurrence.count + added.count = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET count = cooccurrence.count + added.count
WHEN NOT MATCHED THEN INSERT (lexeme_id, path_id, context_id, count)
    VALUES (added.lexeme_id, added.path_id, added.context_id, added.count);
