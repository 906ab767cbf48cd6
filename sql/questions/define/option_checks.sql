-- True where a weighting's parameters can be obeyed; an error that names the first that cannot.
CREATE OR REPLACE MACRO _store.check_options(weights, options) AS
    CASE
        @option_checks@
        WHEN NOT _store.check_subcorpus(_store.subcorpus(weights, options)) THEN false
        WHEN NOT _store.check_counts(_store.counts(weights, options), _store.subcorpus(weights, options)) THEN false
        ELSE true
    END;
