-- Occurrences of a phrase in the stored trees.

-- True where occurrences of a phrase can be looked for; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_occurring(words) AS
    CASE
        WHEN NOT _store.check_phrase(words, 0) THEN false
        WHEN len(list_filter(words, lambda word: word.delta IN ('', 'ε'))) <> 1
        THEN error('a phrase has one root, a word whose delta is ''''')
        WHEN len(list_filter(words, lambda word: contains(word.delta, '>'))) > 0 THEN error(
            'delta is ' || list_filter(words, lambda word: contains(word.delta, '>'))[1].delta
            || '; in sentences a phrase is found by words below its head, so a delta only goes up, as <obj'
        )
        ELSE true
    END;

-- A row: a word of one of the phrases named (question, words), in an order in which heads come first: its number, from
-- 1 for the root, its lexeme, the number of its head and its relation to it, NULL for the root. An error where a head
-- is not there, or is not clear.
CREATE OR REPLACE MACRO _store.phrase_word(phrases) AS TABLE (
    WITH _listed AS MATERIALIZED (
        SELECT question, words FROM query_table(phrases) WHERE _store.check_occurring(words)
    ),
    _own_word AS MATERIALIZED (
        SELECT question, unnest(words) AS word, generate_subscripts(words, 1) AS place FROM _listed
    ),
    _numbered AS MATERIALIZED (
        SELECT question, word['lexeme'] AS lexeme, coalesce(nullif(word['delta'], 'ε'), '') AS delta,
            row_number() OVER (
                PARTITION BY question
                ORDER BY length(regexp_replace(word['delta'], '[^<]', '', 'g')) ASC, place ASC
            ) AS number,
            nullif(regexp_extract(word['delta'], '^<([^<>]+)', 1), '') AS relation,
            CASE WHEN word['delta'] NOT IN ('', 'ε') THEN regexp_replace(word['delta'], '^<[^<>]+', '') END AS above
        FROM _own_word
    ),
    _head AS (
        SELECT question, delta, min(number) AS number, count(*) AS words FROM _numbered GROUP BY question, delta
    )
    SELECT _numbered.question, _numbered.number, _numbered.lexeme, _numbered.relation, CASE
            WHEN _numbered.above IS NULL THEN NULL
            WHEN _head.words IS NULL THEN error('the head of ' || _numbered.lexeme || ' is not in the phrase')
            WHEN _head.words > 1 THEN error(
                'more than one word of the phrase may be the head of ' || _numbered.lexeme || ', at ' || _numbered.above
            )
            ELSE _head.number
        END::BIGINT AS head
    FROM _numbered
    LEFT JOIN _head ON _head.question = _numbered.question AND _head.delta = _numbered.above
);

-- A row: a word of a phrase (as _store.phrase_word has it) with the id of its lexeme. Where missing is 'error' a lexeme
-- that the lexicon lacks is one, which names those that may have been meant; else its id is NULL.
CREATE OR REPLACE MACRO _store.known_word(phrases, missing, subcorpus) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT own.*, known.id AS lexeme_id
        FROM _store.phrase_word(phrases) AS own
        LEFT JOIN _store.lexeme_in(subcorpus) AS known ON known.text = own.lexeme
    ),
    _unknown AS MATERIALIZED (
        SELECT lexeme AS name
        FROM _word
        WHERE lexeme_id IS NULL AND missing = 'error'
        ORDER BY question ASC, number ASC
        LIMIT 1
    ),
    _meant AS (FROM _store.near_lexemes('_unknown', subcorpus))
    SELECT question, number, lexeme_id, head, relation FROM _word
    UNION ALL
    SELECT NULL, stopped.at_once, NULL, NULL, NULL
    FROM (
        SELECT error(_store.none_asked(_unknown.name, _meant.names, subcorpus))::BIGINT AS at_once
        FROM _unknown, _meant
    ) AS stopped
);

-- A row: a sentence that has all words of one of the phrases whose words are named (as _store.known_word has them).
CREATE OR REPLACE MACRO _store.sentence_of_phrase(words, subcorpus) AS TABLE (
    WITH _lexeme AS MATERIALIZED (
        SELECT DISTINCT lexeme_id FROM query_table(words) WHERE lexeme_id IS NOT NULL
    ),
    _wanted AS MATERIALIZED (SELECT DISTINCT question, lexeme_id FROM query_table(words)),
    _number AS MATERIALIZED (SELECT question, count(*) AS lexemes FROM _wanted GROUP BY question),
    _met AS (
        SELECT DISTINCT node.sentence_id, node.lexeme_id FROM _store.node_of('_lexeme', subcorpus) AS node
    ),
    _having AS (
        SELECT _wanted.question, _met.sentence_id, count(*) AS lexemes
        FROM _met
        JOIN _wanted ON _wanted.lexeme_id = _met.lexeme_id
        GROUP BY _wanted.question, _met.sentence_id
    )
    SELECT _having.question, _having.sentence_id
    FROM _having
    JOIN _number ON _number.question = _having.question AND _number.lexemes = _having.lexemes
);

-- A row: a way to find one of the phrases named (question, words) in a sentence: a node of its root's lexeme and nodes
-- of the other words below it, each another node and along its relation directly below its head; nodes has them in the
-- order of _store.phrase_word. lexeme_id: that of the root's word.
CREATE OR REPLACE MACRO _store.phrase_nodes(phrases, missing, subcorpus) AS TABLE (
    -- twin: the word before that asks for the same. (It heads no other: its head would not be clear.) Twins are found
    -- next to each other among their like: so are all nodes, and not once for each order and choice of them.
    WITH RECURSIVE _word AS MATERIALIZED (
        SELECT *, lag(number) OVER (PARTITION BY question, head, relation, lexeme_id ORDER BY number ASC) AS twin
        FROM _store.known_word(phrases, missing, subcorpus)
    ),
    _searched AS MATERIALIZED (FROM _store.sentence_of_phrase('_word', subcorpus)),
    _node AS MATERIALIZED (
        SELECT token.sentence_id, token.node, token.above, token.label, token.lexeme_id, lag(token.node) OVER (
                PARTITION BY token.sentence_id, token.above, token.label, token.lexeme_id ORDER BY token.node
            ) AS before
        FROM _store.token_of('_searched') AS token
        SEMI JOIN _word ON _word.lexeme_id = token.lexeme_id
        WHERE token.position = token.node
    ),
    -- A row: nodes of the first words of a phrase.
    _begun (question, sentence_id, lexeme_id, nodes) AS (
        SELECT _searched.question, _node.sentence_id, _node.lexeme_id, [_node.node]
        FROM _searched
        JOIN _word ON _word.question = _searched.question AND _word.number = 1
        JOIN _node ON _node.sentence_id = _searched.sentence_id AND _node.lexeme_id = _word.lexeme_id
        UNION ALL
        SELECT _begun.question, _begun.sentence_id, _begun.lexeme_id, list_append(_begun.nodes, _node.node)
        FROM _begun
        JOIN _word ON _word.question = _begun.question AND _word.number = len(_begun.nodes) + 1
        JOIN _node
            ON _node.sentence_id = _begun.sentence_id AND _node.lexeme_id = _word.lexeme_id
            AND _node.label = _word.relation AND _node.above = _begun.nodes[_word.head]
        WHERE NOT list_contains(_begun.nodes, _node.node)
            AND (_word.twin IS NULL OR _node.before = _begun.nodes[_word.twin])
    ),
    _length AS MATERIALIZED (SELECT question, count(*) AS words FROM _word GROUP BY question)
    SELECT _begun.question, _begun.sentence_id, _begun.lexeme_id, _begun.nodes
    FROM _begun
    JOIN _length ON _length.question = _begun.question AND _length.words = len(_begun.nodes)
);

-- A row: an occurrence of a phrase as a hit of evidence: a node of its root's lexeme to which all other words are
-- found.
CREATE OR REPLACE MACRO _store.phrase_hit(words, subcorpus) AS TABLE (
    WITH _phrase AS MATERIALIZED (SELECT 1 AS question, NULL::VARCHAR AS name, words AS words)
    SELECT DISTINCT sentence_id, nodes[1] AS position, NULL::INTEGER AS context_position, lexeme_id,
        NULL::VARCHAR AS path, NULL::INTEGER AS context_id, NULL::BOOLEAN AS is_direct, NULL::INTEGER AS last_position
    FROM _store.phrase_nodes('_phrase', 'error', subcorpus)
    WHERE (SELECT _store.check_relations_found('_phrase', subcorpus))
);
