-- One row: the largest count of a co-occurrence, where a least one is asked for; otherwise NULL, and nothing is read.
CREATE OR REPLACE MACRO _store.largest_count(fewest, subcorpus, counts) AS TABLE (
    SELECT max(count) AS count
    FROM _store.cooccurrence_in(subcorpus, counts)
    WHERE fewest IS NOT NULL
);

-- An error that says that no count reaches the least one that is asked for.
CREATE OR REPLACE MACRO _store.none_so_often(fewest, largest) AS
    error('min_count is ' || fewest || ', and nothing is counted so often; the largest is ' || largest);

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

-- True where some count reaches the least one that a question asks for; otherwise an error that names the largest.
CREATE OR REPLACE MACRO _store.check_least_count(weights, options) AS
    CASE
        WHEN options['min_count'] > (
            SELECT count
            FROM _store.largest_count(
                options['min_count'], _store.subcorpus(weights, options), _store.counts(weights, options)
            )
        ) THEN _store.none_so_often(options['min_count'], (
            SELECT count
            FROM _store.largest_count(
                options['min_count'], _store.subcorpus(weights, options), _store.counts(weights, options)
            )
        ))
        ELSE true
    END;
