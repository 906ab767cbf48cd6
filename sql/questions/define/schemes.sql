-- A row: the weight of one co-occurrence under a built-in scheme, or under a weighting that has a name, as text.
-- Nothing stands between a filter of the reader's and the tables that it reads.
CREATE OR REPLACE MACRO _store.weights_as_text(weights, options) AS TABLE (
    WITH _kept AS NOT MATERIALIZED (
        SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, kept.weight
        FROM _store.kept_weights(_store.kept(weights), false) AS kept
        JOIN _store.lexeme ON lexeme.id = kept.lexeme_id
        JOIN _store.path ON path.id = kept.path_id
        JOIN _store.lexeme AS context ON context.id = kept.context_id
    ),
    _met AS NOT MATERIALIZED (
        FROM _store.met_as_text(_store.subcorpus(weights, options), _store.counts(weights, options))
    ),
    _node AS NOT MATERIALIZED (
        FROM _store.node_in(_store.subcorpus(weights, options), _store.counts(weights, options))
    ),
    _of_scheme AS NOT MATERIALIZED (
        SELECT lexeme, path, context, weight
        FROM _store.weighed_of(
            '_met', '_node', true, weights, _store.scheme(weights), options
        )
    )
    SELECT lexeme, path, context, weight
    FROM query_table(
        CASE WHEN _store.is_kept(weights, _store.scheme(weights), options) THEN '_kept' ELSE '_of_scheme' END
    )
);
