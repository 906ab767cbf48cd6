-- Adds a row for each form with its stem, from $stems, which is JSON.
INSERT INTO stemmed
SELECT unnest(from_json($stems, '[{"form": "VARCHAR", "stem": "VARCHAR"}]'), max_depth := 2);
