-- The built-in schemes.
CREATE OR REPLACE MACRO _store.schemes() AS
    @schemes@;
-- Whether weights names one of the schemes.
CREATE OR REPLACE MACRO _store.is_scheme(weights) AS
    coalesce(list_contains(_store.schemes(), lower(weights)), false);

-- Of each parameter of weights whether it was given. (The types are here: DuckDB lists them where a value is of another
-- type. Each question names this macro in _in_use, which is bound before all that would fail by such a value.)
CREATE OR REPLACE MACRO _store.parameters_of_weights(@typed_options@) AS
    @given_options@;

-- What holds of a weighting: what is recorded under its name, else what is given. The recorded values of all weightings
-- are written into these macros, anew whenever one changes: so a plan is made for the one asked for and nothing else. A
-- macro is a copy of its text wherever it is used, and these are used often: they are short, or planning would take
-- longer than the answer.
CREATE OR REPLACE MACRO _store.scheme(weights) AS
    coalesce(@recorded_scheme@, CASE WHEN _store.is_scheme(weights) THEN lower(weights) END);

-- The path weighting in force: the one asked for, else the weighting's own, else none.
CREATE OR REPLACE MACRO _store.phi(phi, weights) AS
    coalesce(phi, @recorded_phi@, 'constant');

-- The same of the measure, and of the parameters of composition. (smooth may be given as a number.)
CREATE OR REPLACE MACRO _store.measure(measure, weights) AS
    coalesce(measure, @recorded_measure@, 'cosine');
CREATE OR REPLACE MACRO _store.merge(merge, weights) AS
    coalesce(merge, @recorded_merge@, 'sum');
CREATE OR REPLACE MACRO _store.pipeline(pipeline, weights) AS
    coalesce(pipeline, @recorded_pipeline@, 'compose-second');
CREATE OR REPLACE MACRO _store.aligned(aligned, weights) AS
    coalesce(aligned, (@recorded_aligned@)::BOOLEAN, true);
CREATE OR REPLACE MACRO _store.head_weight(head_weight, weights) AS
    coalesce(head_weight, (@recorded_head_weight@)::DOUBLE, 0.5);
CREATE OR REPLACE MACRO _store.unit(unit, weights) AS
    coalesce(unit, (@recorded_unit@)::BOOLEAN, false);
CREATE OR REPLACE MACRO _store.strategy(strategy, weights) AS
    coalesce(strategy, @recorded_strategy@, 'one-step');
CREATE OR REPLACE MACRO _store.context(context, weights) AS
    coalesce(context, @recorded_context@, 'all');
CREATE OR REPLACE MACRO _store.smooth(smooth, weights) AS
    coalesce(smooth::VARCHAR, @recorded_smooth@, 'none');
CREATE OR REPLACE MACRO _store.alpha(alpha, weights) AS
    coalesce(alpha, (@recorded_alpha@)::DOUBLE);

-- What is ranked, of which nodes, and how, as it is in force.
CREATE OR REPLACE MACRO _store.ranking_of(among, context, measure, weights) AS {
    'among': among, 'nodes': _store.context(context, weights), 'measure': _store.measure(measure, weights)
};

-- By what number the weights of a weighting are kept; NULL where they are not, or are stale.
CREATE OR REPLACE MACRO _store.kept(weights) AS
    (@recorded_kept@)::INTEGER;

-- The names of the parameters that a weighting takes: none in a relation of the user's own; beside a name the subcorpus
-- of the corpora alone, where none is recorded.
CREATE OR REPLACE MACRO _store.parameters_of(weights) AS
    CASE
        WHEN NOT _store.is_scheme(weights) THEN
            CASE
                WHEN _store.scheme(weights) IS NULL OR (@recorded_subcorpus@) IS NOT NULL THEN []::VARCHAR[]
                ELSE ['subcorpus']
            END
        ELSE list_concat(
            CASE
                WHEN list_contains(@schemes_of_pmi@, lower(weights)) THEN @names_of_pmi@ ELSE []::VARCHAR[]
            END, @names_of_filters@
        )
    END;

-- True where a weighting takes the parameters that were given; otherwise an error that names the first that it does
-- not. A parameter that is not taken is refused, never ignored. given: a struct that says of each whether it was given.
CREATE OR REPLACE MACRO _store.check_given(weights, given) AS
    CASE
        WHEN weights IS NULL THEN error(
            'weights is NULL; expected ' || array_to_string(_store.schemes(), ', ')
            || ', the name of a weighting, or of a relation of your own'
        )
        WHEN _store.scheme(weights) IS NULL AND _store.names_no_relation(weights)
            THEN error(_store.no_weights(weights))
        ELSE coalesce(list_transform([_store.parameters_of(weights)], lambda taken: list_bool_and(list_transform(
            map_entries(given::MAP (VARCHAR, BOOLEAN)),
            lambda parameter: CASE
                WHEN NOT parameter['value'] OR list_contains(taken, parameter['key']) THEN true
                ELSE error(
                    weights || ' takes no ' || parameter['key'] || '; it takes ' || CASE
                        WHEN _store.is_scheme(weights) THEN array_to_string(taken, ', ')
                        WHEN _store.scheme(weights) IS NOT NULL
                        THEN CASE WHEN len(taken) = 1 THEN 'subcorpus alone' ELSE 'no parameters' END
                            || ', because the name stands for its other parameters'
                        ELSE 'no parameters, because it is a relation of your own'
                    END
                )
            END
        )))[1], true)
    END;
