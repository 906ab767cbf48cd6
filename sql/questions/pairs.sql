-- A row: a pair of questions by what they are called, from $pairs, which is JSON.
SELECT unnest(from_json($pairs, '[{"a": "VARCHAR", "b": "VARCHAR"}]'), max_depth := 2);
