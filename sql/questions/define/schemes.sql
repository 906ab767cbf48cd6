-- A row: the weight of one co-occurrence under a built-in scheme, or under a weighting that has a name, as text.
-- Nothing stands between a filter of the reader's and the tables that it reads.
CREATE OR REPLACE MACRO _store.weights_as_text(weights, @own_options@) AS TABLE (
    WITH _kept AS NOT MATERIALIZED (
        SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, kept.weight
        FROM _store.kept_weights(_store.kept(weights), false) AS kept
        JOIN _store.lexeme ON lexeme.id = kept.lexeme_id
        JOIN _store.path ON path.id = kept.path_id
        JOIN _store.lexeme AS context ON context.id = kept.context_id
    ),
    -- A row: a co-occurrence, as _store.met has it, with the texts of its lexemes. (They are joined here and not below,
    -- where weights are shown: a filter of the reader's on a context must stand below the weights, which may be
    -- filtered too.)
    _met AS NOT MATERIALIZED (
        SELECT cooccurrence.lexeme_id, lexeme.frequency, lexeme.cooccurrences, cooccurrence.path_id,
            cooccurrence.context_id, cooccurrence.count, lexeme.text AS lexeme, context.text AS context
        FROM _store.cooccurrence_in(@held_subcorpus@, @held_counts@) AS cooccurrence
        JOIN _store.lexeme_in(@held_subcorpus@, @held_counts@) AS lexeme
            ON lexeme.id = cooccurrence.lexeme_id
        JOIN _store.lexeme_in(@held_subcorpus@) AS context ON context.id = cooccurrence.context_id
    ),
    _node AS NOT MATERIALIZED (FROM _store.node_in(@held_subcorpus@, @held_counts@)),
    _of_scheme AS NOT MATERIALIZED (
        SELECT lexeme, path, context, weight
        FROM _store.weighed_of('_met', '_node', true, weights, _store.scheme(weights), @own_options@)
    )
    SELECT lexeme, path, context, weight
    FROM query_table(
        CASE WHEN _store.is_kept(weights, _store.scheme(weights), @own_options@) THEN '_kept' ELSE '_of_scheme' END
    )
);
