-- A row: a named weighting, with its scheme and the parameters that differ from the scheme's defaults. state: computed,
-- at each question; kept (weights is their number); or stale, kept before the lexicon changed, and computed at each
-- question until aptdb refresh.
-- Columns: name VARCHAR, scheme VARCHAR, parameters VARCHAR, phi VARCHAR, state VARCHAR, weights BIGINT
-- Example: FROM weightings
CREATE OR REPLACE VIEW weightings AS
SELECT name, asked['scheme'] AS scheme, concat_ws(', ', @recorded_texts@) AS parameters, asked['phi'] AS phi, state,
    CASE WHEN state <> 'computed' THEN try_cast(made['weights'] AS BIGINT) END AS weights
FROM _store.derived
WHERE kind = 'weighting'
ORDER BY name ASC;

-- A row: the weight of one co-occurrence under a weighting that has a name, as text.
CREATE OR REPLACE MACRO _store.weighting_as_text(name) AS TABLE
FROM _store.weights_as_text(name, @no_options@)
WHERE (SELECT _store.check_counts(
    _store.counts(name, NULL), _store.subcorpus(name, NULL)
));
