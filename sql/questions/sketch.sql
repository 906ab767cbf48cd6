-- Many word sketches at once, and notes beside a sketch.

-- name: left_out
-- One row: how many collocates of lexemes a sketch leaves out, ε aside: because they are there for grammar, and of the
-- others because they are met too rarely; how often they must be met; which counts
-- are shown, and what came without direct ones (NULL: nothing).
-- @lexemes@: the lexemes, or senses, a list.
-- @relations@: those of the sketch, or NULL.
-- @max_order@: how many steps its paths have at most.
-- @min_count@: how often they must be met, or NULL.
-- @everything@: whether it shows those that are there for grammar.
-- @subcorpus@: the subcorpus, or NULL.
-- @counts@: packed, direct, or NULL for direct ones where they are known.
WITH _asked AS MATERIALIZED (
    SELECT id AS w_id, NULL::INTEGER AS sense_id FROM _store.lexeme WHERE list_contains(@lexemes@, text)
    UNION ALL
    SELECT lexeme_id, id FROM _store.sense_named() WHERE list_contains(@lexemes@, name) AND NOT _store.is_lexeme(name)
),
_by_sense AS (FROM _store.met_by_sense('_asked', @subcorpus@, _store.shown_counts(@counts@, @subcorpus@))),
_each AS (
    SELECT path_id, context_id, count
    FROM _store.cooccurrence_in(@subcorpus@, _store.shown_counts(@counts@, @subcorpus@))
    WHERE lexeme_id IN (SELECT w_id FROM _asked WHERE sense_id IS NULL)
    UNION ALL
    SELECT path_id, context_id, count FROM _by_sense
),
met AS (SELECT path_id, context_id, max(count) AS count FROM _each GROUP BY path_id, context_id)
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

-- name: sketch_each
-- A row: a collocate in the sketch of one of the lexemes $lexemes, as `sketch` shows it by default, in its order. (The
-- plan of one sketch takes longer than its answer, and is the same for all.)
-- @max_order@: how many steps its paths have at most.
-- @top@: how many collocates are shown along each path.
-- @score@: how typical they are.
WITH _asked AS MATERIALIZED (
    SELECT id AS w_id, NULL::INTEGER AS sense_id, text, lemma
    FROM _store.lexeme
    WHERE list_contains($lexemes, text)
),
_along AS MATERIALIZED (FROM _store.path_to_look(NULL, @max_order@, false, NULL)),
_shown AS MATERIALIZED (
    FROM _store.usual_collocate('_asked', '_along', @top@, @score@)
)
SELECT _asked.text AS lexeme, _shown.path, coalesce(said.before || _asked.lemma || said.after, _shown.path) AS relation,
    _shown.context, _shown.count, _shown.score
FROM _shown
JOIN _asked ON _asked.w_id = _shown.lexeme_id
JOIN _store.words_around('_shown') AS said ON said.path = _shown.path
ORDER BY _shown.lexeme_id ASC, _shown.path_place ASC, _shown.place ASC;

-- name: left_out_of_each
-- A row: one of the lexemes $lexemes, and what its sketch leaves out by default, as left_out counts it.
-- @max_order@: how many steps the paths of the sketch have at most.
WITH _asked AS MATERIALIZED (SELECT id, text FROM _store.lexeme WHERE list_contains($lexemes, text)),
_met AS (
    SELECT met.lexeme_id, met.count, context.pos IN (SELECT function_pos.pos FROM _store.function_pos) AS is_grammar
    FROM _store.cooccurrence_in(NULL, _store.shown_counts(NULL, NULL)) AS met
    SEMI JOIN _asked ON _asked.id = met.lexeme_id
    JOIN _store.path_to_look(NULL, @max_order@, false, NULL) AS along ON along.path_id = met.path_id
    JOIN _store.lexeme AS context ON context.id = met.context_id
)
SELECT _asked.text AS lexeme, count(*) FILTER (_met.is_grammar) AS for_grammar,
    count(*) FILTER (_met.is_grammar IS DISTINCT FROM true AND _met.count < _store.least_count(NULL)) AS rare,
    _store.least_count(NULL) AS least_count
FROM _asked
LEFT JOIN _met ON _met.lexeme_id = _asked.id
GROUP BY _asked.text;

-- name: frames_of_each
-- A row: a frame of one of the lexemes $lexemes, as `frames` shows it, how many of $sample of its occurrences have it,
-- and their share; of all lexemes at once, the $most most frequent of each.
WITH _given AS MATERIALIZED (SELECT id AS lexeme_id FROM _store.lexeme WHERE list_contains($lexemes, text)),
_node AS MATERIALIZED (
    SELECT lexeme_id, sentence_id, position
    FROM _store.node_of('_given', NULL)
    QUALIFY row_number() OVER (
        PARTITION BY lexeme_id ORDER BY hash(1, sentence_id, position) ASC, sentence_id ASC, position ASC
    ) <= $sample
),
_token AS MATERIALIZED (FROM _store.token_of('_node')),
_dependent AS (
    SELECT sentence_id, head AS position, string_agg(label, ' ' ORDER BY label ASC) AS frame
    FROM _store.argument('_token', NULL)
    GROUP BY sentence_id, head
)
SELECT own.text AS lexeme, coalesce(_dependent.frame, '(no arguments)') AS frame, count(*) AS count,
    count(*) / sum(count(*)) OVER (PARTITION BY own.text) AS share
FROM _node
JOIN _store.lexeme AS own ON own.id = _node.lexeme_id
LEFT JOIN _dependent USING (sentence_id, position)
GROUP BY own.text, frame
QUALIFY row_number() OVER (PARTITION BY own.text ORDER BY count(*) DESC, frame ASC) <= $most
ORDER BY own.text ASC, count DESC, frame ASC;
