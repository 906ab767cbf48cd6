-- What holds of a weighting's parameter: what is recorded under the weighting's name, else what is given.
CREATE OR REPLACE MACRO _store.@name@(weights, given) AS
    coalesce((@recorded_option@)::@kind@, given::@kind@);
