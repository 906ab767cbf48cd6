-- A row: the weight of one co-occurrence under a built-in scheme, as text.
CREATE OR REPLACE MACRO _store.scheme_as_text(scheme, options, stamp) AS TABLE (
    SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, weighed.weight
    FROM _store.scheme_weights('_store.every_lexeme', scheme, options) AS weighed
    JOIN _store.lexeme ON lexeme.id = weighed.lexeme_id
    JOIN _store.path ON path.id = weighed.path_id
    JOIN _store.lexeme AS context ON context.id = weighed.context_id
    WHERE (SELECT _store.guard(stamp)) AND (SELECT _store.check_options(scheme, options))
);

-- A row: a co-occurrence and its count.
CREATE OR REPLACE MACRO raw_count(min_count := NULL, min_feature_count := NULL, max_order := NULL) AS TABLE
FROM _store.scheme_as_text(
    'raw_count', _store.options(NULL, NULL, NULL, NULL, min_count, min_feature_count, max_order), '@stamp@'
);

-- A row: a co-occurrence and the share it has of all that its lexeme meets.
CREATE OR REPLACE MACRO probability(min_count := NULL, min_feature_count := NULL, max_order := NULL) AS TABLE
FROM _store.scheme_as_text(
    'probability', _store.options(NULL, NULL, NULL, NULL, min_count, min_feature_count, max_order), '@stamp@'
);

-- A row: a co-occurrence and its pointwise mutual information (the paper's section 5.1), minus ln shift.
CREATE OR REPLACE MACRO pmi(
    cds := 1, cds_total := 'power_of_sum', scope := 'path', shift := 1,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS TABLE
FROM _store.scheme_as_text(
    'pmi', _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), '@stamp@'
);

-- A row: a co-occurrence whose pmi is above 0, and the pmi.
CREATE OR REPLACE MACRO ppmi(
    cds := 1, cds_total := 'power_of_sum', scope := 'path', shift := 1,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS TABLE
FROM _store.scheme_as_text(
    'ppmi', _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), '@stamp@'
);

-- A row: a co-occurrence and its local mutual information, its count times its pmi.
CREATE OR REPLACE MACRO lmi(
    cds := 1, cds_total := 'power_of_sum', scope := 'path', shift := 1,
    min_count := NULL, min_feature_count := NULL, max_order := NULL
) AS TABLE
FROM _store.scheme_as_text(
    'lmi', _store.options(cds, cds_total, scope, shift, min_count, min_feature_count, max_order), '@stamp@'
);

-- A row: a co-occurrence and its logDice: 14 where the two words meet along the path and never otherwise.
CREATE OR REPLACE MACRO log_dice(min_count := NULL, min_feature_count := NULL, max_order := NULL) AS TABLE
FROM _store.scheme_as_text(
    'log_dice', _store.options(NULL, NULL, NULL, NULL, min_count, min_feature_count, max_order), '@stamp@'
);

-- The same with the defaults, for those who look for tables.
CREATE OR REPLACE VIEW raw_count AS FROM raw_count();
CREATE OR REPLACE VIEW probability AS FROM probability();
CREATE OR REPLACE VIEW pmi AS FROM pmi();
CREATE OR REPLACE VIEW ppmi AS FROM ppmi();
CREATE OR REPLACE VIEW lmi AS FROM lmi();
CREATE OR REPLACE VIEW log_dice AS FROM log_dice();
