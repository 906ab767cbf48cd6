-- Notes beside a word sketch.

-- name: left_out
-- One row: how many collocates of lexemes a sketch leaves out, ε aside: because they are there for grammar, and of the
-- others because they are met too rarely; how often they must be met; which counts
-- are shown, and what came without direct ones (NULL: nothing).
-- @lexemes@: the lexemes, a list.
-- @relations@: those of the sketch, or NULL.
-- @max_order@: how many steps its paths have at most.
-- @min_count@: how often they must be met, or NULL.
-- @everything@: whether it shows those that are there for grammar.
-- @subcorpus@: the subcorpus, or NULL.
-- @counts@: packed, direct, or NULL for direct ones where they are known.
WITH met AS (
    SELECT path_id, context_id, max(count) AS count
    FROM _store.cooccurrence_in(@subcorpus@, _store.shown_counts(@counts@, @subcorpus@))
    WHERE lexeme_id IN (SELECT known.id FROM _store.lexeme AS known WHERE list_contains(@lexemes@, known.text))
    GROUP BY path_id, context_id
)
SELECT count(*) FILTER (is_grammar) AS for_grammar,
    count(*) FILTER (NOT is_grammar AND count < _store.least_count(@min_count@)) AS rare,
    _store.least_count(@min_count@) AS least_count,
    _store.shown_counts(@counts@, @subcorpus@) AS counts, _store.without_direct(@subcorpus@) AS without_direct
FROM (
    SELECT met.count, NOT @everything@ AND coalesce(
            context.pos IN (SELECT function_pos.pos FROM _store.function_pos), false
        ) AS is_grammar
    FROM met
    JOIN _store.path_to_look(@relations@, @max_order@, @everything@, @subcorpus@) AS along
        ON along.path_id = met.path_id
    JOIN _store.lexeme AS context ON context.id = met.context_id
);
