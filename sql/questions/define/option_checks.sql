-- True where a weighting's parameters can be obeyed; an error that names the first that cannot.
CREATE OR REPLACE MACRO _store.check_options(weights, options) AS
    CASE
        @option_checks@
        WHEN NOT _store.check_subcorpus(_store.subcorpus(weights, options)) THEN false
        WHEN NOT _store.check_counts(_store.counts(weights, options), _store.subcorpus(weights, options)) THEN false
        WHEN options['max_order'] > (SELECT settings.max_order FROM _store.settings) THEN error(
            'max_order is ' || options['max_order'] || '; the lexicon counts to '
            || (SELECT settings.max_order FROM _store.settings)
        )
        ELSE true
    END;
