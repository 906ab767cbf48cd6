-- A row: an evaluation, with what it was made with, in JSON and in columns.
SELECT concat_ws(' ', 'number', id, 'on', dataset, part) AS row, question, sha256, method, weights
FROM _store.evaluation
ORDER BY id;
