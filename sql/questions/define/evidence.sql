-- The id of a lexeme, or an error that names those that may have been meant.
CREATE OR REPLACE MACRO _store.lexeme_id(name) AS
    coalesce(
        (SELECT known.id FROM _store.lexeme AS known WHERE known.text = name),
        error('no lexeme ' || coalesce(name, 'NULL') || coalesce('; there is ' || (
            SELECT string_agg(near.text, ', ' ORDER BY near.rank ASC)
            FROM _store.near_lexeme(name) AS near
            WHERE near.rank <= 5
        ), ', nor one that is spelt nearly so'))
    );

-- A relation of a path that the lexicon never counts along; NULL where there is none.
CREATE OR REPLACE MACRO _store.uncounted_relation(way) AS (
    SELECT min(step.text[2:])
    FROM (SELECT unnest(_store.path_steps(way)) AS text) AS step
    ANTI JOIN _store.counted_step AS counted ON counted.step = step.text
);

-- A path as it is asked about, ε as '', or an error where the lexicon cannot have counted it.
CREATE OR REPLACE MACRO _store.counted_path(way) AS
    CASE
        WHEN way IS NULL THEN error('the path is NULL; it is as <amod, and empty for ε')
        WHEN way IN ('', 'ε') THEN ''
        WHEN NOT path_is_valid(way) THEN error(
            'no path ' || way || '; a path is reduced, ups before downs, as <amod>nsubj'
        )
        WHEN path_order(way) > (SELECT settings.max_order FROM _store.settings) THEN error(
            'the path ' || way || ' has order ' || path_order(way) || '; the lexicon counts to '
            || (SELECT settings.max_order FROM _store.settings)
        )
        WHEN _store.uncounted_relation(way) IS NOT NULL THEN error(_store.no_relation(_store.uncounted_relation(way)))
        ELSE way
    END;

-- A row: a pair of nodes that is counted under ⟨w, way, other⟩, by sentence and positions (the paper's section 2).
-- Nodes of one tree whose relations from the root down begin alike are one packed node: x and y make the pair if what
-- is left of both strings, when the way's ups are struck off the one and its downs off the other, is the same.
CREATE OR REPLACE MACRO _store.counted_pair(w, way, other) AS TABLE (
    WITH RECURSIVE _asked AS MATERIALIZED (
        SELECT _store.lexeme_id(w) AS x_id, _store.lexeme_id(other) AS y_id, _store.counted_path(way) AS way,
            path_inverse(regexp_extract(_store.counted_path(way), '^(<[^<>]+)*')) AS above_x,
            regexp_extract(_store.counted_path(way), '(>[^<>]+)*$') AS above_y
    ),
    _node AS MATERIALIZED (
        SELECT node.sentence_id, node.position, word.lexeme_id
        FROM _store.stored_node AS node
        JOIN _store.word ON word.id = node.word_id
        WHERE word.lexeme_id IN (SELECT x_id FROM _asked) OR word.lexeme_id IN (SELECT y_id FROM _asked)
    ),
    _sentence AS MATERIALIZED (
        SELECT sentence_id FROM _node JOIN _asked ON _asked.x_id = _node.lexeme_id
        INTERSECT
        SELECT sentence_id FROM _node JOIN _asked ON _asked.y_id = _node.lexeme_id
    ),
    -- A row: an edge of those sentences, from a node up to the one that it hangs from.
    _edge AS MATERIALIZED (
        SELECT node.sentence_id, node.position, coalesce(over.top, node.head) AS head, relation.label
        FROM _store.stored_node AS node
        SEMI JOIN _sentence ON _sentence.sentence_id = node.sentence_id
        JOIN _store.relation ON relation.id = node.relation_id
        LEFT JOIN _store.joined AS over ON over.sentence_id = node.sentence_id AND over.position = node.head
        WHERE node.head > 0 AND relation.label IS NOT NULL
    ),
    -- A row: a node of those sentences, the root above it, and the relations down from there to it.
    _down (sentence_id, node, root, labels) AS (
        SELECT node.sentence_id, node.position, node.position, ''
        FROM _store.stored_node AS node
        SEMI JOIN _sentence ON _sentence.sentence_id = node.sentence_id
        ANTI JOIN _edge ON _edge.sentence_id = node.sentence_id AND _edge.position = node.position
        UNION ALL
        SELECT _edge.sentence_id, _edge.position, _down.root, _down.labels || '>' || _edge.label
        FROM _down
        JOIN _edge ON _edge.sentence_id = _down.sentence_id AND _edge.head = _down.node
    ),
    _rooted AS MATERIALIZED (
        SELECT _down.sentence_id, _down.node, _down.root, _down.labels, _node.lexeme_id
        FROM _down
        JOIN _node ON _node.sentence_id = _down.sentence_id AND _node.position = _down.node
    ),
    _x AS (
        SELECT _rooted.sentence_id, _rooted.node, _rooted.root,
            left(_rooted.labels, length(_rooted.labels) - length(_asked.above_x)) AS met
        FROM _rooted
        JOIN _asked ON _asked.x_id = _rooted.lexeme_id
        WHERE suffix(_rooted.labels, _asked.above_x)
    ),
    _y AS (
        SELECT _rooted.sentence_id, _rooted.node, _rooted.root,
            left(_rooted.labels, length(_rooted.labels) - length(_asked.above_y)) AS met
        FROM _rooted
        JOIN _asked ON _asked.y_id = _rooted.lexeme_id
        WHERE suffix(_rooted.labels, _asked.above_y)
    )
    SELECT _x.sentence_id, _x.node AS position, _y.node AS context_position
    FROM _x
    JOIN _y ON _y.sentence_id = _x.sentence_id AND _y.root = _x.root AND _y.met = _x.met
);

-- A row: a sentence, as it was written, in which a lexeme meets a context along a path, with the lexeme [so] and the
-- context {so}; a row for each pair of nodes that is counted, so that there are as many as the count. position,
-- context_position: where the two stand, in words from 1. sentence: its sent_id, or its number in the corpus.
-- Example: FROM evidence('shoot/NOUN', '>amod', 'green/ADJ')
CREATE OR REPLACE MACRO evidence(lexeme, path, context) AS TABLE (
    WITH _pair AS MATERIALIZED (
        FROM _store.counted_pair(lexeme, path, context)
        WHERE (SELECT _store.guard('@stamp@'))
    ),
    -- A row: a sentence with its words in order, the node that each is of, and what follows it.
    _words AS MATERIALIZED (
        SELECT token.sentence_id, list(
            {
                'form': word.form, 'node': coalesce(joined.top, token.position),
                'gap': CASE WHEN token.space_after THEN ' ' ELSE '' END
            } ORDER BY token.position ASC
        ) AS words
        FROM _store.token
        SEMI JOIN _pair ON _pair.sentence_id = token.sentence_id
        JOIN _store.word ON word.id = token.word_id
        LEFT JOIN _store.joined ON joined.sentence_id = token.sentence_id AND joined.position = token.position
        GROUP BY token.sentence_id
    ),
    _text AS (
        SELECT _pair.sentence_id, _pair.position, _pair.context_position, trim(array_to_string(list_transform(
            _words.words, lambda _each: CASE
                WHEN _each.node = _pair.position THEN '[' || _each.form || ']'
                WHEN _each.node = _pair.context_position THEN '{' || _each.form || '}'
                ELSE _each.form
            END || _each.gap
        ), '')) AS text
        FROM _pair
        JOIN _words ON _words.sentence_id = _pair.sentence_id
    )
    SELECT corpus.name AS corpus,
        coalesce(sentence.sent_id, '#' || 1 + sentence.id - (
            SELECT min(own.id) FROM _store.sentence AS own WHERE own.corpus_id = corpus.id
        )) AS sentence,
        _text.position, _text.context_position, _text.text
    FROM _text
    JOIN _store.sentence ON sentence.id = _text.sentence_id
    JOIN _store.corpus ON corpus.id = sentence.corpus_id
    ORDER BY corpus.id ASC, sentence.id ASC, _text.position ASC, _text.context_position ASC
);
