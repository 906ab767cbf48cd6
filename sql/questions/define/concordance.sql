-- From the stored trees to lines of a concordance: the pairs of nodes that a path brings together, and the sentences
-- that these stand in.

-- A row: a token of the sentences named (sentence_id), the position of its node and of the node above, NULL where there
-- is none, the label between the two, the lexeme and the word of the node, and its lemma (without one its form).
CREATE OR REPLACE MACRO _store.token_of(sentences) AS TABLE (
    -- (A list that is unnested is expected to be short, so that it is looked up, and not all tokens in it.)
    WITH _wanted AS MATERIALIZED (
        SELECT unnest(list(DISTINCT sentence_id)) AS sentence_id FROM query_table(sentences)
    ),
    _token AS MATERIALIZED (
        SELECT token.* FROM _store.token JOIN _wanted ON _wanted.sentence_id = token.sentence_id
    )
    SELECT _token.sentence_id, _token.position, word.form, word.upos, word.feats, _token.space_after,
        coalesce(joined.top, _token.position) AS node,
        CASE WHEN _token.head > 0 AND relation.label IS NOT NULL THEN coalesce(over.top, _token.head) END AS above,
        relation.label, counted.lexeme_id, counted.id AS word_id,
        CASE WHEN counted.lemma = '_' THEN counted.form ELSE counted.lemma END AS word
    FROM _token
    JOIN _store.word ON word.id = _token.word_id
    JOIN _store.relation ON relation.id = _token.relation_id
    LEFT JOIN _store.joined ON joined.sentence_id = _token.sentence_id AND joined.position = _token.position
    LEFT JOIN _store.joined AS over ON over.sentence_id = _token.sentence_id AND over.position = _token.head
    JOIN _store.word AS counted ON counted.id = coalesce(joined.word_id, _token.word_id)
);

-- A row: a node of the tokens named (as _store.token_of has them) that is a lexeme, the root above it, and the labels
-- and the nodes down from there to it (chain, the root first, itself last).
CREATE OR REPLACE MACRO _store.rooted_node(tokens) AS TABLE (
    WITH RECURSIVE _node AS MATERIALIZED (
        SELECT sentence_id, node, above, label, lexeme_id, word_id FROM query_table(tokens) WHERE position = node
    ),
    _down (sentence_id, node, root, labels, chain) AS (
        SELECT sentence_id, node, node, '', [node] FROM _node WHERE above IS NULL
        UNION ALL
        SELECT _node.sentence_id, _node.node, _down.root, _down.labels || '>' || _node.label,
            list_append(_down.chain, _node.node)
        FROM _down
        JOIN _node ON _node.sentence_id = _down.sentence_id AND _node.above = _down.node
    )
    SELECT _down.sentence_id, _down.node, _down.root, _down.labels, _down.chain, _node.lexeme_id, _node.word_id
    FROM _down
    JOIN _node ON _node.sentence_id = _down.sentence_id AND _node.node = _down.node
    WHERE _node.lexeme_id IS NOT NULL
);

-- Whether a pair of nodes is direct: whether the nodes where a path turns, so many steps above the one and the other,
-- are one node of the tree.
CREATE OR REPLACE MACRO _store.is_direct(path, chain, other_chain) AS
    chain[len(chain) - len(regexp_extract_all(path, '<'))]
    = other_chain[len(other_chain) - len(regexp_extract_all(path, '>'))];

-- A row: a pair of nodes that is counted along a way, NULL for any, by sentence and positions (the paper's section 2),
-- with the way, and whether it is direct; of two relations of nodes, one that may be the lexeme and one that may be the
-- context. Nodes of one tree whose relations from the root down begin alike are one packed node: x and y make the pair
-- if what is left of both strings, when the way's ups are struck off the one and its downs off the other, is the same.
CREATE OR REPLACE MACRO _store.counted_pair(lexemes, contexts, way) AS TABLE (
    -- A row: the labels of the way's ups, from above down, and of its downs.
    WITH _way AS MATERIALIZED (
        SELECT path_inverse(regexp_extract(way, '^(<[^<>]+)*')) AS above_x,
            regexp_extract(way, '(>[^<>]+)*$') AS above_y
    ),
    _x_met AS NOT MATERIALIZED (
        SELECT x.*, left(x.labels, length(x.labels) - length(_way.above_x)) AS met
        FROM query_table(lexemes) AS x
        JOIN _way ON suffix(x.labels, _way.above_x)
    ),
    _y_met AS NOT MATERIALIZED (
        SELECT y.*, left(y.labels, length(y.labels) - length(_way.above_y)) AS met
        FROM query_table(contexts) AS y
        JOIN _way ON suffix(y.labels, _way.above_y)
    ),
    _along AS NOT MATERIALIZED (
        SELECT _x_met.sentence_id, _x_met.node AS position, _y_met.node AS context_position, _x_met.lexeme_id,
            way AS path, _y_met.lexeme_id AS context_id, _x_met.chain, _y_met.chain AS other_chain
        FROM _x_met
        JOIN _y_met
            ON _y_met.sentence_id = _x_met.sentence_id AND _y_met.root = _x_met.root AND _y_met.met = _x_met.met
    ),
    _anyhow AS NOT MATERIALIZED (
        SELECT x.sentence_id, x.node AS position, y.node AS context_position, x.lexeme_id,
            path_reduce(path_inverse(x.labels) || y.labels) AS path, y.lexeme_id AS context_id, x.chain,
            y.chain AS other_chain
        FROM query_table(lexemes) AS x
        JOIN query_table(contexts) AS y ON y.sentence_id = x.sentence_id AND y.root = x.root
    ),
    _near_enough AS NOT MATERIALIZED (FROM _anyhow WHERE path_order(path) <= _store.longest_path())
    SELECT sentence_id, position, context_position, lexeme_id, path, context_id,
        _store.is_direct(path, chain, other_chain) AS is_direct
    FROM query_table(CASE WHEN way IS NULL THEN '_near_enough' ELSE '_along' END)
);

-- A row: a sentence of the tokens named, its words in order, each with its node, its position and what follows it.
CREATE OR REPLACE MACRO _store.words_of(tokens) AS TABLE (
    SELECT sentence_id, list(
        {'form': form, 'node': node, 'gap': CASE WHEN space_after THEN ' ' ELSE '' END, 'place': position}
        ORDER BY position ASC
    ) AS words
    FROM query_table(tokens)
    GROUP BY sentence_id
);

-- The text of some words.
CREATE OR REPLACE MACRO _store.text_of(words) AS
    array_to_string(list_transform(words, lambda each: each['form'] || each['gap']), '');

-- What makes a sentence a good example, and how much each counts unless others are given.
CREATE OR REPLACE MACRO _store.example_weights() AS
    {'whole': 0.2, 'length': 0.2, 'frequent': 0.2, 'names': 0.1, 'signs': 0.1, 'pronouns': 0.1, 'collocate': 0.1};

-- The weight of one thing that makes a sentence a good example; weights: those that are given.
CREATE OR REPLACE MACRO _store.example_weight(weights, name) AS
    coalesce(
        try_cast(regexp_extract(weights, '(?:^|,) *' || name || ' *= *([0-9.]+)', 1) AS DOUBLE),
        struct_extract(_store.example_weights(), name)
    );
CREATE OR REPLACE MACRO _store.sum_of_weights(weights) AS
    _store.example_weight(weights, 'whole') + _store.example_weight(weights, 'length')
    + _store.example_weight(weights, 'frequent') + _store.example_weight(weights, 'names')
    + _store.example_weight(weights, 'signs') + _store.example_weight(weights, 'pronouns')
    + _store.example_weight(weights, 'collocate');

-- True where weights are written as 'length=2, names=0' and all have names; otherwise an error.
CREATE OR REPLACE MACRO _store.check_example_weights(weights) AS
    CASE
        WHEN weights IS NULL THEN true
        WHEN len(list_filter(string_split(weights, ','), lambda each: NOT regexp_full_match(
            trim(each), '(whole|length|frequent|names|signs|pronouns|collocate) *= *[0-9]{0,6}[.]?[0-9]{1,6}'
        ))) > 0 OR len(string_split(weights, ',')) > len(list_distinct(list_transform(
            string_split(weights, ','), lambda each: trim(split_part(each, '=', 1))
        )))
            OR _store.sum_of_weights(weights) = 0
        THEN error(
            'example_weights is ''' || weights || '''; expected each once, as whole=1, length=0.5, of whole, length, '
            || 'frequent, names, signs, pronouns, collocate'
        )
        ELSE true
    END;

-- How good an example a sentence is, by its text, the number of its words, the shares of them that are frequent and
-- that are names, and whether a pronoun in it refers to what is not there (meaning.md, 6.5); without what a collocate
-- adds.
CREATE OR REPLACE MACRO _store.example_score(text, words, frequent, names, refers_back, weights) AS (
    _store.example_weight(weights, 'whole')
    * CASE WHEN regexp_matches(text, '^["''“‘(]?\p{Lu}.*[.!?…]["''”’)]?$') THEN 1 ELSE 0 END
    + _store.example_weight(weights, 'length')
    * CASE WHEN words BETWEEN 6 AND 20 THEN 1 WHEN words < 6 THEN words / 6 ELSE 20 / words END
    + _store.example_weight(weights, 'frequent') * frequent
    + _store.example_weight(weights, 'names') * (1 - least(1, 4 * names))
    + _store.example_weight(weights, 'signs')
    * CASE WHEN regexp_matches(text, '[0-9\[\](){}<>/|@#*_=]') THEN 0 ELSE 1 END
    + _store.example_weight(weights, 'pronouns') * CASE WHEN refers_back THEN 0 ELSE 1 END
) / nullif(_store.sum_of_weights(weights), 0);

-- A row: a hit of those named (sentence_id, position, …) in its sentence, up to last_position where it is a sequence,
-- with where the keyword begins and ends among the words, its text, and how good an example it is; 0 unless weights
-- are given, '' being the usual ones.
CREATE OR REPLACE MACRO _store.line_of(hits, tokens, weights, subcorpus) AS TABLE (
    WITH _words AS MATERIALIZED (FROM _store.words_of(tokens)),
    _size AS MATERIALIZED (FROM _store.tokens_in(subcorpus)),
    -- A row: how many of the words of a sentence are frequent (a hundred in a million, or more), and how many are
    -- names, as shares; and whether a pronoun of the third person, or that, comes before any noun.
    _quality AS NOT MATERIALIZED (
        SELECT own.sentence_id,
            coalesce(avg(
                CASE WHEN lexeme.frequency * 10000 >= _size.tokens OR own.upos = '_' THEN 1 ELSE 0 END
            ) FILTER (own.upos <> 'PUNCT'), 0) AS frequent,
            count(*) FILTER (own.upos <> 'PUNCT') AS words,
            coalesce(avg(CASE WHEN own.upos = 'PROPN' THEN 1 ELSE 0 END) FILTER (own.upos <> 'PUNCT'), 0) AS names,
            coalesce(min(own.position) FILTER (own.upos = 'PRON' AND (
                own.feats IN ('', '_') OR regexp_matches(own.feats, '(^|\|)(Person=3|PronType=Dem)(\||$)')
            )) < coalesce(min(own.position) FILTER (own.upos IN ('NOUN', 'PROPN')), 1000000), false) AS refers_back
        FROM query_table(tokens) AS own
        CROSS JOIN _size
        LEFT JOIN _store.lexeme_in(subcorpus) AS lexeme ON lexeme.id = own.lexeme_id
        GROUP BY own.sentence_id
    ),
    _none AS NOT MATERIALIZED (
        SELECT sentence_id, 0 AS frequent, 0 AS words, 0 AS names, false AS refers_back FROM _words
    ),
    _placed AS (
        SELECT hit.*, _words.words,
            CASE
                WHEN hit.last_position IS NULL
                THEN list_position(list_transform(_words.words, lambda each: each['node']), hit.position)
                ELSE hit.position
            END AS first_word, coalesce(hit.last_position, 1 + len(_words.words)
                - list_position(list_reverse(list_transform(_words.words, lambda each: each['node'])), hit.position)
            ) AS last_word
        FROM query_table(hits) AS hit
        JOIN _words ON _words.sentence_id = hit.sentence_id
    )
    SELECT _placed.*, CASE
        WHEN weights IS NOT NULL THEN _store.example_score(
            trim(_store.text_of(_placed.words)), quality.words, quality.frequent, quality.names,
            quality.refers_back, weights
        )
        ELSE 0
    END AS score
    FROM _placed
    JOIN query_table(CASE WHEN weights IS NULL THEN '_none' ELSE '_quality' END) AS quality
        ON quality.sentence_id = _placed.sentence_id
);
