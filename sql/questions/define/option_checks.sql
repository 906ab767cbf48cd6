-- True where a weighting's parameters can be obeyed; an error that names the first that cannot.
CREATE OR REPLACE MACRO _store.check_options(weights, options) AS
    CASE
        @option_checks@
        ELSE true
    END;
