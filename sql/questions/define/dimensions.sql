-- True where phi is a path weighting that there is, and that a question anchored at such a word can have; otherwise an
-- error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_phi(phi, anchored) AS
    CASE
        @phi_check@
        WHEN phi = 'probability' AND anchored IS NULL THEN error(
            'phi := ''probability'' needs the root of the phrase (a word whose delta is ''''), which it lacks; '
            || 'name an anchor'
        )
        ELSE true
    END;

-- The same for all the questions named.
CREATE OR REPLACE MACRO _store.check_phi_of(questions, phi) AS (
    SELECT coalesce(bool_and(checked.fine), true)
    FROM (
        SELECT _store.check_phi(phi, asked.anchored) AS fine
        FROM query_table(questions) AS asked
    ) AS checked
);

-- The factor that phi 'harmonic' gives a path of so many steps: 1/order, or 1 for ε.
CREATE OR REPLACE MACRO _store.harmonic_factor(path_order) AS
    1 / greatest(path_order, 1);

-- A row: a path and that factor. No row where phi is another.
CREATE OR REPLACE MACRO _store.harmonic(phi) AS TABLE (
    SELECT path.id AS path_id, _store.harmonic_factor(path.path_order) AS factor
    FROM _store.path
    WHERE phi = 'harmonic'
);

-- A row: a node of a lexeme, or of an entry that is anchored at it, and the factor that phi 'probability' gives it: the
-- share it has of all that the lexeme meets (the paper's equation 5). No row where phi is another.
CREATE OR REPLACE MACRO _store.path_probability(phi, subcorpus, counts) AS TABLE (
    WITH _of_lexeme AS NOT MATERIALIZED (
        SELECT node.lexeme_id, node.path_id, node.count / lexeme.cooccurrences AS factor
        FROM _store.node_in(subcorpus, counts) AS node
        JOIN _store.lexeme_in(subcorpus, counts) AS lexeme ON lexeme.id = node.lexeme_id
        WHERE phi = 'probability'
    ),
    _of_any AS NOT MATERIALIZED (
        FROM _of_lexeme
        UNION ALL
        SELECT -entry.id, _of_lexeme.path_id, _of_lexeme.factor
        FROM _of_lexeme
        JOIN _store.lexeme ON lexeme.id = _of_lexeme.lexeme_id
        JOIN _store.stored_entry AS entry ON entry.anchored = lexeme.text
    )
    FROM query_table(CASE WHEN _store.entries() > 0 THEN '_of_any' ELSE '_of_lexeme' END)
);

-- The factor that a weight takes from phi; a node that the lexeme never has counts for nothing.
CREATE OR REPLACE MACRO _store.path_weight(phi, harmonic_factor, probability_factor) AS
    CASE phi
        WHEN 'constant' THEN 1
        WHEN 'harmonic' THEN harmonic_factor
        ELSE coalesce(probability_factor, 0)
    END;

-- A row: a weight of the relation named (lexeme_id, path_id, path_text, feature_id, weight) as a dimension of its
-- lexeme's vector, the paper's equation 4. Features without an id are outside FEATS, and no dimensions.
CREATE OR REPLACE MACRO _store.dimensions(weighed, phi, subcorpus, counts) AS TABLE (
    SELECT weight.lexeme_id, weight.path_id, weight.path_text, weight.feature_id,
        weight.weight * _store.path_weight(
            phi, coalesce(harmonic.factor, _store.harmonic_factor(path_order(weight.path_text))), probability.factor
        ) AS value
    FROM query_table(weighed) AS weight
    LEFT JOIN _store.harmonic(phi) AS harmonic ON harmonic.path_id = weight.path_id
    LEFT JOIN _store.path_probability(phi, subcorpus, counts) AS probability
        ON probability.lexeme_id = weight.lexeme_id AND probability.path_id = weight.path_id
    WHERE weight.feature_id IS NOT NULL
);

-- Whether a path is among the nodes that count for a lexeme: all, or its own node alone (internal), or all others
-- (external).
CREATE OR REPLACE MACRO _store.counts_for_lexeme(path_id, path_text, nodes) AS
    coalesce(nodes, 'all') = 'all'
    OR (nodes = 'internal') = coalesce(
        path_text = '', path_id = (SELECT path.id FROM _store.path WHERE path.text = ''), false
    );

-- A row: one dimension, not 0, of the vector of one lexeme of the relation named (column lexeme_id).
CREATE OR REPLACE MACRO _store.lexeme_vectors(lexemes, weights, @own_options@, phi, nodes) AS TABLE (
    WITH _weight AS NOT MATERIALIZED (
        FROM _store.weights_of(
            lexemes, _store.needs_no_paths(phi, nodes), weights, _store.scheme(weights), @own_options@
        )
    )
    SELECT lexeme_id, feature_id, value
    FROM _store.dimensions('_weight', phi, @held_subcorpus@, @held_counts@)
    WHERE value <> 0 AND _store.counts_for_lexeme(path_id, path_text, nodes)
);

-- A row: one dimension, not 0, of an APT of the relation named (question, path, context_id, context_text, weight), as
-- the vector of the question. Its features are those in FEATS: those that some lexeme is counted with or, with weights
-- of the user's own, those that they have. anchored names, for each question, the lexeme that it is anchored at
-- (question, lexeme_id).
CREATE OR REPLACE MACRO _store.apt_vectors(apts, anchored, weights, phi, subcorpus, counts) AS TABLE (
    WITH _counted AS NOT MATERIALIZED (
        SELECT apt.question, path.id AS path_id, NULL::VARCHAR AS path_text, feature.id AS feature_id, apt.weight
        FROM query_table(apts) AS apt
        JOIN _store.path ON path.text = apt.path
        JOIN _store.node_in(subcorpus, counts) AS feature
            ON feature.lexeme_id = apt.context_id AND feature.path_id = path.inverse_id
    ),
    _own AS NOT MATERIALIZED (
        SELECT apt.question, path.id AS path_id, apt.path AS path_text,
            _store.own_feature_id(feature.id, apt.path, apt.context) AS feature_id, apt.weight
        FROM (
            SELECT feature.*, coalesce(known.text, feature.context_text) AS context
            FROM query_table(apts) AS feature
            LEFT JOIN _store.lexeme AS known ON known.id = feature.context_id
        ) AS apt
        SEMI JOIN _store.own_row(weights) AS own ON own.path = apt.path AND own.context = apt.context
        LEFT JOIN _store.path ON path.text = apt.path
        LEFT JOIN _store.node AS feature ON feature.lexeme_id = apt.context_id AND feature.path_id = path.inverse_id
    ),
    _valued AS (
        SELECT apt.question, apt.feature_id,
            apt.weight * _store.path_weight(
                phi, coalesce(harmonic.factor, _store.harmonic_factor(path_order(apt.path_text))), probability.factor
            ) AS value
        FROM query_table(CASE WHEN _store.scheme(weights) IS NULL THEN '_own' ELSE '_counted' END) AS apt
        LEFT JOIN query_table(anchored) AS at_word ON at_word.question = apt.question
        LEFT JOIN _store.harmonic(phi) AS harmonic ON harmonic.path_id = apt.path_id
        LEFT JOIN _store.path_probability(phi, subcorpus, counts) AS probability
            ON probability.lexeme_id = at_word.lexeme_id AND probability.path_id = apt.path_id
    )
    SELECT question, feature_id, value
    FROM _valued
    WHERE value <> 0
);
