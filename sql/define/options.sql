-- Whether weights names one of the six schemes, and not a relation of the user's own.
CREATE OR REPLACE MACRO _store.is_scheme(weights) AS
    weights IN ('raw_count', 'probability', 'pmi', 'ppmi', 'lmi', 'log_dice');

-- The parameters of a weighting as one value, so that they travel together; NULL where one is not given.
CREATE OR REPLACE MACRO _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order) AS
    {
        'cds': cds::DOUBLE, 'cds_total': cds_total::VARCHAR, 'scope': scope::VARCHAR, 'shift': shift::DOUBLE,
        'min_count': min_count::BIGINT, 'min_feature_count': min_feature_count::BIGINT, 'max_order': max_order::BIGINT
    };

-- The filters alone: what remains of a weighting's parameters where probabilities are composed.
CREATE OR REPLACE MACRO _store.filters(options) AS
    _store.options(
        NULL, NULL, NULL, NULL, options['min_count'], options['min_feature_count'], options['max_order']
    );

-- The parameters given that the weighting does not take, by name: pmi's own in the schemes that are not made of
-- pmi, and all of them in a relation of the user's own.
CREATE OR REPLACE MACRO _store.foreign_options(weights, options) AS
    list_filter(
        CASE
            WHEN weights IN ('pmi', 'ppmi', 'lmi') THEN []::VARCHAR[]
            ELSE [
                CASE WHEN options['cds'] IS NOT NULL THEN 'cds' END,
                CASE WHEN options['cds_total'] IS NOT NULL THEN 'cds_total' END,
                CASE WHEN options['scope'] IS NOT NULL THEN 'scope' END,
                CASE WHEN options['shift'] IS NOT NULL THEN 'shift' END,
                CASE WHEN options['min_count'] IS NOT NULL AND NOT _store.is_scheme(weights) THEN 'min_count' END,
                CASE
                    WHEN options['min_feature_count'] IS NOT NULL AND NOT _store.is_scheme(weights)
                    THEN 'min_feature_count'
                END,
                CASE WHEN options['max_order'] IS NOT NULL AND NOT _store.is_scheme(weights) THEN 'max_order' END
            ]
        END,
        lambda name: name IS NOT NULL
    );

-- True where a weighting's parameters can be obeyed; an error that names the first that cannot.
-- A parameter that is not taken is refused, never ignored.
CREATE OR REPLACE MACRO _store.check_options(weights, options) AS
    CASE
        WHEN weights IS NULL THEN error(
            'weights is NULL; it is raw_count, probability, pmi, ppmi, lmi, log_dice or a relation of your own'
        )
        WHEN len(_store.foreign_options(weights, options)) > 0 THEN error(
            weights || ' takes no ' || _store.foreign_options(weights, options)[1] || '; it takes ' || CASE
                WHEN _store.is_scheme(weights) THEN 'min_count, min_feature_count, max_order'
                ELSE 'no parameters, being a relation of your own'
            END
        )
        WHEN NOT coalesce(options['cds'] > 0 AND options['cds'] <= 1, true) THEN error(
            'cds is ' || options['cds'] || '; it is above 0 and at most 1'
        )
        WHEN NOT coalesce(options['shift'] >= 1 AND isfinite(options['shift']), true) THEN error(
            'shift is ' || options['shift'] || '; it is 1 or more'
        )
        WHEN options['cds_total'] NOT IN ('power_of_sum', 'sum_of_powers') THEN error(
            'cds_total is ''' || options['cds_total'] || '''; it is power_of_sum or sum_of_powers'
        )
        WHEN options['scope'] NOT IN ('path', 'all') THEN error(
            'scope is ''' || options['scope'] || '''; it is path or all'
        )
        WHEN options['min_count'] < 0 THEN error('min_count is ' || options['min_count'] || '; it is 0 or more')
        WHEN options['min_feature_count'] < 0 THEN error(
            'min_feature_count is ' || options['min_feature_count'] || '; it is 0 or more'
        )
        WHEN options['max_order'] < 0 THEN error('max_order is ' || options['max_order'] || '; it is 0 or more')
        ELSE true
    END;
