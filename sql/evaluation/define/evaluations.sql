-- A row: the result of an evaluation of this lexicon on one part of a data set: Spearman's ρ between model and people,
-- its 95 % interval, the numbers of items that were scored, that miss a word, and that have an empty vector, and why ρ
-- is undefined (NULL if it is defined). tokens: the size of the lexicon at that time.
-- Columns: dataset VARCHAR, part VARCHAR, method VARCHAR, merge VARCHAR, weights VARCHAR, parameters VARCHAR, rho
-- DOUBLE, low DOUBLE, high DOUBLE, items BIGINT, missing BIGINT, empty BIGINT, undefined VARCHAR, sha256 VARCHAR,
-- tokens BIGINT, evaluated_at TIMESTAMP, version VARCHAR
-- Example: SELECT dataset, part, rho FROM evaluations
CREATE OR REPLACE VIEW evaluations AS
SELECT dataset, part, method, "merge", weights, parameters, rho, low, high, items, missing, empty, undefined, sha256,
    tokens, evaluated_at, version
FROM _store.evaluation
ORDER BY id ASC;
