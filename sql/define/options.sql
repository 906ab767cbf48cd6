-- The built-in schemes, and of them those that are made of pmi and take its parameters.
CREATE OR REPLACE MACRO _store.schemes() AS
    ['raw_count', 'probability', 'pmi', 'ppmi', 'lmi', 'log_dice', 'log_likelihood'];
CREATE OR REPLACE MACRO _store.of_pmi(weights) AS
    coalesce(lower(weights) IN ('pmi', 'ppmi', 'lmi'), false);

-- Whether weights names one of the schemes.
CREATE OR REPLACE MACRO _store.is_scheme(weights) AS
    coalesce(list_contains(_store.schemes(), lower(weights)), false);

-- The parameters given to a question as one value, so that they travel together; NULL where one is not given.
CREATE OR REPLACE MACRO _store.options(
    cds, cds_total, scope, shift, min_count, min_feature_count, max_order, min_frequency, top_features
) AS
    {
        'cds': cds, 'cds_total': cds_total, 'scope': scope, 'shift': shift, 'min_count': min_count,
        'min_feature_count': min_feature_count, 'max_order': max_order, 'min_frequency': min_frequency,
        'top_features': top_features
    };

-- What holds of a weighting: what is recorded under its name, else what is given. The recorded values of all weightings
-- are written into these macros, anew whenever one changes: so a plan is made for the one asked for and nothing else. A
-- macro is a copy of its text wherever it is used, and these are used often: they are short, or planning would take
-- longer than the answer.
CREATE OR REPLACE MACRO _store.scheme(weights) AS
    coalesce(@recorded scheme@, CASE WHEN _store.is_scheme(weights) THEN lower(weights) END);
CREATE OR REPLACE MACRO _store.cds(weights, options) AS
    coalesce((@recorded cds@)::DOUBLE, options['cds']::DOUBLE);
CREATE OR REPLACE MACRO _store.cds_total(weights, options) AS
    coalesce((@recorded cds_total@)::VARCHAR, options['cds_total']::VARCHAR);
CREATE OR REPLACE MACRO _store.scope(weights, options) AS
    coalesce((@recorded scope@)::VARCHAR, options['scope']::VARCHAR);
CREATE OR REPLACE MACRO _store.shift(weights, options) AS
    coalesce((@recorded shift@)::DOUBLE, options['shift']::DOUBLE);
CREATE OR REPLACE MACRO _store.min_count(weights, options) AS
    coalesce((@recorded min_count@)::BIGINT, options['min_count']::BIGINT);
CREATE OR REPLACE MACRO _store.min_feature_count(weights, options) AS
    coalesce((@recorded min_feature_count@)::BIGINT, options['min_feature_count']::BIGINT);
CREATE OR REPLACE MACRO _store.max_order(weights, options) AS
    coalesce((@recorded max_order@)::BIGINT, options['max_order']::BIGINT);
CREATE OR REPLACE MACRO _store.min_frequency(weights, options) AS
    coalesce((@recorded min_frequency@)::BIGINT, options['min_frequency']::BIGINT);
CREATE OR REPLACE MACRO _store.top_features(weights, options) AS
    coalesce((@recorded top_features@)::BIGINT, options['top_features']::BIGINT);

-- The path weighting in force: the one asked for, else the weighting's own, else none.
CREATE OR REPLACE MACRO _store.phi(phi, weights) AS
    coalesce(phi, @recorded phi@, 'constant');

-- By what number the weights of a weighting are kept; NULL where they are not, or are stale.
CREATE OR REPLACE MACRO _store.kept(weights) AS
    (@recorded kept@)::INTEGER;

-- The names of the parameters that a weighting takes: none beside a name or in a relation of the user's own.
CREATE OR REPLACE MACRO _store.parameters_of(weights) AS
    CASE
        WHEN NOT _store.is_scheme(weights) THEN []::VARCHAR[]
        ELSE list_concat(
            CASE WHEN _store.of_pmi(weights) THEN ['cds', 'cds_total', 'scope', 'shift'] ELSE []::VARCHAR[] END,
            ['min_count', 'min_feature_count', 'max_order', 'min_frequency', 'top_features']
        )
    END;

-- True where a weighting takes the parameters that were given, a list of {name, given}; otherwise an error that names
-- the first that it does not. A parameter that is not taken is refused, never ignored.
CREATE OR REPLACE MACRO _store.check_given(weights, parameters) AS
    CASE
        WHEN weights IS NULL THEN error(
            'weights is NULL; it is ' || array_to_string(_store.schemes(), ', ')
            || ', a weighting that has a name, or a relation of your own'
        )
        ELSE coalesce(list_bool_and(list_transform(
            parameters,
            lambda parameter: CASE
                WHEN NOT parameter['given'] OR list_contains(_store.parameters_of(weights), parameter['name']) THEN true
                ELSE error(
                    weights || ' takes no ' || parameter['name'] || '; it takes ' || CASE
                        WHEN _store.is_scheme(weights) THEN array_to_string(_store.parameters_of(weights), ', ')
                        WHEN _store.scheme(weights) IS NOT NULL
                        THEN 'no parameters beside its name, which stands for its own'
                        ELSE 'no parameters, being a relation of your own'
                    END
                )
            END
        )), true)
    END;

-- True where a weighting's parameters can be obeyed; an error that names the first that cannot.
CREATE OR REPLACE MACRO _store.check_options(weights, options) AS
    CASE
        WHEN NOT coalesce(_store.cds(weights, options) > 0 AND _store.cds(weights, options) <= 1, true) THEN error(
            'cds is ' || _store.cds(weights, options) || '; it is above 0 and at most 1'
        )
        WHEN NOT coalesce(_store.shift(weights, options) BETWEEN 1 AND 1e300, true) THEN error(
            'shift is ' || _store.shift(weights, options) || '; it is 1 or more'
        )
        WHEN _store.cds_total(weights, options) NOT IN ('power_of_sum', 'sum_of_powers') THEN error(
            'cds_total is ''' || _store.cds_total(weights, options) || '''; it is power_of_sum or sum_of_powers'
        )
        WHEN _store.scope(weights, options) NOT IN ('path', 'all') THEN error(
            'scope is ''' || _store.scope(weights, options) || '''; it is path or all'
        )
        WHEN _store.min_count(weights, options) < 0 THEN error(
            'min_count is ' || _store.min_count(weights, options) || '; it is 0 or more'
        )
        WHEN _store.min_feature_count(weights, options) < 0 THEN error(
            'min_feature_count is ' || _store.min_feature_count(weights, options) || '; it is 0 or more'
        )
        WHEN _store.max_order(weights, options) < 0 THEN error(
            'max_order is ' || _store.max_order(weights, options) || '; it is 0 or more'
        )
        WHEN _store.min_frequency(weights, options) < 0 THEN error(
            'min_frequency is ' || _store.min_frequency(weights, options) || '; it is 0 or more'
        )
        WHEN _store.top_features(weights, options) < 1 THEN error(
            'top_features is ' || _store.top_features(weights, options) || '; it is 1 or more'
        )
        ELSE true
    END;
