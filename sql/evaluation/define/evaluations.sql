-- A row: what an evaluation of this lexicon came to on one part of a data set: Spearman's ρ between the model and
-- people, its 95 % interval, how many items were scored, miss a word, or have an empty vector, and why ρ is undefined
-- where it is. tokens: the lexicon's size when it was made.
-- Example: SELECT dataset, part, rho FROM evaluations
CREATE OR REPLACE VIEW evaluations AS
SELECT dataset, part, method, "merge", weights, parameters, rho, low, high, items, missing, empty, undefined, sha256,
    tokens, evaluated_at, version
FROM _store.evaluation
ORDER BY id ASC;
