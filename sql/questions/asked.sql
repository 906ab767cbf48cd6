-- A row: a word of one of several questions, from $questions, which is JSON.
SELECT unnest(
    from_json($questions, '[{"phrase": "VARCHAR", "lexeme": "VARCHAR", "delta": "VARCHAR", "position": "BIGINT"}]'),
    max_depth := 2
);
