-- Occurrences of a phrase in the stored trees.

-- True where occurrences of a phrase can be looked for; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_occurring(words) AS
    CASE
        WHEN NOT _store.check_phrase(words, 0) THEN false
        WHEN len(list_filter(words, lambda word: word.delta IN ('', 'ε'))) <> 1
        THEN error('a phrase has one root, a word whose delta is ''''')
        WHEN len(list_filter(words, lambda word: contains(word.delta, '>'))) > 0 THEN error(
            'a phrase is looked for by its dependents, and the delta '
            || list_filter(words, lambda word: contains(word.delta, '>'))[1].delta || ' is not up alone'
        )
        ELSE true
    END;

-- A row: a word of a phrase, in an order in which heads come first: its number, from 1 for the root, its lexeme, the
-- number of its head and its relation to it, NULL for the root. An error where a head is not there, or is not clear.
CREATE OR REPLACE MACRO _store.phrase_word(words) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT own.lexeme, CASE WHEN own.delta = 'ε' THEN '' ELSE own.delta END AS delta, own.place
        FROM (SELECT unnest(words, recursive := true), generate_subscripts(words, 1) AS place) AS own
        WHERE (SELECT _store.check_occurring(words))
    ),
    _numbered AS MATERIALIZED (
        SELECT lexeme, delta, row_number() OVER (
                ORDER BY length(regexp_replace(delta, '[^<]', '', 'g')) ASC, place ASC
            ) AS number,
            nullif(regexp_extract(delta, '^<([^<>]+)', 1), '') AS relation,
            CASE WHEN delta <> '' THEN regexp_replace(delta, '^<[^<>]+', '') END AS above
        FROM _word
    ),
    _head AS (
        SELECT delta, min(number) AS number, count(*) AS words FROM _numbered GROUP BY delta
    )
    SELECT _numbered.number, _numbered.lexeme, _numbered.relation, CASE
            WHEN _numbered.above IS NULL THEN NULL
            WHEN _head.words IS NULL THEN error('the head of ' || _numbered.lexeme || ' is not in the phrase')
            WHEN _head.words > 1 THEN error(
                'more than one word of the phrase may be the head of ' || _numbered.lexeme || ', at ' || _numbered.above
            )
            ELSE _head.number
        END::BIGINT AS head
    FROM _numbered
    LEFT JOIN _head ON _head.delta = _numbered.above
);

-- A row: a word of a phrase (as _store.phrase_word has it) with the id of its lexeme; an error where the lexicon lacks
-- one, which names those that may have been meant.
CREATE OR REPLACE MACRO _store.known_word(words, subcorpus) AS TABLE (
    WITH _word AS MATERIALIZED (
        SELECT own.*, known.id AS lexeme_id
        FROM _store.phrase_word(words) AS own
        LEFT JOIN _store.lexeme_in(subcorpus) AS known ON known.text = own.lexeme
    ),
    _unknown AS MATERIALIZED (
        SELECT lexeme FROM _word WHERE lexeme_id IS NULL ORDER BY number ASC LIMIT 1
    ),
    _meant AS (
        SELECT string_agg(near.text, ', ' ORDER BY near.rank ASC) AS names
        FROM _unknown, _store.near_lexeme(_unknown.lexeme, subcorpus) AS near
        WHERE near.rank <= 5
    )
    SELECT number, lexeme_id, head, relation FROM _word
    UNION ALL
    SELECT stopped.at_once, NULL, NULL, NULL
    FROM (
        SELECT error(_store.none_asked(_unknown.lexeme, _meant.names, subcorpus))::BIGINT AS at_once
        FROM _unknown, _meant
    ) AS stopped
);

-- A row: an occurrence of a phrase as a hit of evidence: a node of its root's lexeme that has nodes of the other words
-- below it, each another node and along its relation directly below its head.
CREATE OR REPLACE MACRO _store.phrase_hit(words, subcorpus) AS TABLE (
    WITH RECURSIVE _word AS MATERIALIZED (
        FROM _store.known_word(words, subcorpus)
    ),
    _given AS MATERIALIZED (
        SELECT DISTINCT lexeme_id FROM _word
    ),
    _searched AS MATERIALIZED (
        SELECT sentence_id
        FROM _store.node_of('_given', subcorpus)
        GROUP BY sentence_id
        HAVING count(DISTINCT lexeme_id) = (SELECT count(*) FROM _given)
    ),
    _node AS MATERIALIZED (
        SELECT token.sentence_id, token.node, token.above, token.label, token.lexeme_id
        FROM _store.token_of('_searched') AS token
        SEMI JOIN _given ON _given.lexeme_id = token.lexeme_id
        WHERE token.position = token.node
    ),
    -- A row: nodes of the first words of the phrase.
    _begun (sentence_id, lexeme_id, nodes) AS (
        SELECT _node.sentence_id, _node.lexeme_id, [_node.node]
        FROM _node
        JOIN _word ON _word.number = 1 AND _word.lexeme_id = _node.lexeme_id
        UNION ALL
        SELECT _begun.sentence_id, _begun.lexeme_id, list_append(_begun.nodes, _node.node)
        FROM _begun
        JOIN _word ON _word.number = len(_begun.nodes) + 1
        JOIN _node
            ON _node.sentence_id = _begun.sentence_id AND _node.lexeme_id = _word.lexeme_id
            AND _node.label = _word.relation AND _node.above = _begun.nodes[_word.head]
        WHERE NOT list_contains(_begun.nodes, _node.node)
    )
    SELECT DISTINCT sentence_id, nodes[1] AS position, NULL::INTEGER AS context_position, lexeme_id,
        NULL::VARCHAR AS path, NULL::INTEGER AS context_id, NULL::BOOLEAN AS is_direct, NULL::INTEGER AS last_position
    FROM _begun
    WHERE len(nodes) = (SELECT count(*) FROM _word)
);
