-- A row: a part of a past evaluation, the oldest first: what it was made with (question, as JSON), and its results.
SELECT dataset, sha256, part, method, "merge", weights, question, rho, low, high, items, missing, empty, tokens,
    evaluated_at
FROM _store.evaluation
ORDER BY id;
