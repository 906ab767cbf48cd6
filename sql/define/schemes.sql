-- A row: the weight of one co-occurrence under a built-in scheme, or under a weighting that has a name, as text.
CREATE OR REPLACE MACRO _store.weights_as_text(weights, options, stamp, given) AS TABLE (
    SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, weight.weight
    FROM _store.known_weights('_store.every_lexeme', weights, _store.scheme(weights), options) AS weight
    JOIN _store.lexeme ON lexeme.id = weight.lexeme_id
    JOIN _store.path ON path.id = weight.path_id
    JOIN _store.lexeme AS context ON context.id = weight.context_id
    WHERE (SELECT _store.guard(stamp) AND _store.check_given(weights, given))
        AND (SELECT _store.check_options(weights, options))
);

-- A row: a co-occurrence and its count.
CREATE OR REPLACE MACRO raw_count(@pmi_parameters@, @filters@) AS TABLE
FROM _store.weights_as_text(
    'raw_count', @options@, '@stamp@',
    @all_given@
);

-- A row: a co-occurrence and the share it has of all that its lexeme meets.
CREATE OR REPLACE MACRO probability(@pmi_parameters@, @filters@) AS TABLE
FROM _store.weights_as_text(
    'probability', @options@, '@stamp@',
    @all_given@
);

-- A row: a co-occurrence and its pointwise mutual information (the paper's section 5.1), minus ln shift.
CREATE OR REPLACE MACRO pmi(@pmi_parameters@, @filters@) AS TABLE
FROM _store.weights_as_text(
    'pmi', @options@, '@stamp@',
    @all_given@
);

-- A row: a co-occurrence whose pmi is above 0, and the pmi.
CREATE OR REPLACE MACRO ppmi(@pmi_parameters@, @filters@) AS TABLE
FROM _store.weights_as_text(
    'ppmi', @options@, '@stamp@',
    @all_given@
);

-- A row: a co-occurrence and its local mutual information, its count times its pmi.
CREATE OR REPLACE MACRO lmi(@pmi_parameters@, @filters@) AS TABLE
FROM _store.weights_as_text(
    'lmi', @options@, '@stamp@',
    @all_given@
);

-- A row: a co-occurrence and its logDice: 14 where the two words meet along the path and never otherwise.
CREATE OR REPLACE MACRO log_dice(@pmi_parameters@, @filters@) AS TABLE
FROM _store.weights_as_text(
    'log_dice', @options@, '@stamp@',
    @all_given@
);

-- A row: a co-occurrence and its G² (Dunning 1993), negative where the words meet more rarely than by chance.
CREATE OR REPLACE MACRO log_likelihood(@pmi_parameters@, @filters@) AS TABLE
FROM _store.weights_as_text(
    'log_likelihood', @options@, '@stamp@',
    @all_given@
);
