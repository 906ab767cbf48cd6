-- Matches of patterns as people see them.

-- Whether a pattern has a sequence, as JSON says it.
CREATE OR REPLACE MACRO _store.has_sequence(asked) AS
    regexp_matches(asked, '"sequence"\s*:');

-- A row: a match of a pattern of trees as a hit of evidence: its first node stands as the lexeme, its second as the
-- context.
CREATE OR REPLACE MACRO _store.tree_hit(asked, subcorpus) AS TABLE (
    WITH _found AS NOT MATERIALIZED (
        SELECT sentence_id, found[1] AS one, found[2] AS other FROM _store.match_of_pattern(asked, subcorpus)
    )
    SELECT _found.sentence_id, coalesce(joined.top, _found.one['position']) AS position,
        coalesce(over.top, _found.other['position']) AS context_position, word.lexeme_id, NULL::VARCHAR AS path,
        context.lexeme_id AS context_id, NULL::BOOLEAN AS is_direct, NULL::INTEGER AS last_position
    FROM _found
    JOIN _store.word ON word.id = _found.one['word_id']
    LEFT JOIN _store.word AS context ON context.id = _found.other['word_id']
    LEFT JOIN _store.joined ON joined.sentence_id = _found.sentence_id AND joined.position = _found.one['position']
    LEFT JOIN _store.joined AS over
        ON over.sentence_id = _found.sentence_id AND over.position = _found.other['position']
);

-- A row: a stretch of those named as a hit of evidence; its lexeme is that of its first token, NULL where that is none.
CREATE OR REPLACE MACRO _store.stretch_hit(stretches) AS TABLE (
    SELECT stretch.sentence_id, stretch.position, NULL::INTEGER AS context_position, word.lexeme_id,
        NULL::VARCHAR AS path, NULL::INTEGER AS context_id, NULL::BOOLEAN AS is_direct, stretch.last_position
    FROM query_table(stretches) AS stretch
    JOIN _store.word ON word.id = stretch.word_id
);

-- A row: a match of a pattern as a hit of evidence.
CREATE OR REPLACE MACRO _store.pattern_hit(asked, subcorpus) AS TABLE (
    WITH _of_trees AS NOT MATERIALIZED (FROM _store.tree_hit(asked, subcorpus)),
    _stretch AS NOT MATERIALIZED (FROM _store.stretch_of_pattern(asked, false, subcorpus)),
    _of_sequence AS NOT MATERIALIZED (FROM _store.stretch_hit('_stretch'))
    FROM query_table(CASE WHEN _store.has_sequence(asked) THEN '_of_sequence' ELSE '_of_trees' END)
);

-- A row: a sequence that cql asks for as a hit of evidence.
CREATE OR REPLACE MACRO _store.sequence_hit(query, subcorpus) AS TABLE (
    WITH _stretch AS NOT MATERIALIZED (FROM _store.stretch_of_query(query, subcorpus))
    FROM _store.stretch_hit('_stretch')
);

-- True where matches can be shown; otherwise an error that names the value.
CREATE OR REPLACE MACRO _store.check_matches(pattern, top, subcorpus) AS
    CASE
        @frames_checks@
        WHEN NOT _store.bounded_pattern(_store.pattern_asked(pattern)) THEN false
        ELSE _store.check_subcorpus(subcorpus)
    END;

-- Whether a pattern labels some token of a sequence.
CREATE OR REPLACE MACRO _store.has_labels(asked) AS
    regexp_matches(asked, '"name"\s*:\s*"[^_]');

-- A row: a match of a pattern by a number (match): its sentence, its first position, of a sequence its last, and the
-- tokens of its nodes by their slots.
CREATE OR REPLACE MACRO _store.numbered_match(asked, subcorpus) AS TABLE (
    WITH _tree AS NOT MATERIALIZED (
        SELECT row_number() OVER () AS match, sentence_id, NULL::INTEGER AS position, NULL::INTEGER AS last_position,
            found
        FROM _store.match_of_pattern(asked, subcorpus)
    ),
    _sequence AS NOT MATERIALIZED (
        SELECT row_number() OVER () AS match, sentence_id, position, last_position, found
        FROM _store.stretch_of_pattern(asked, _store.has_labels(asked), subcorpus)
    )
    FROM query_table(CASE WHEN _store.has_sequence(asked) THEN '_sequence' ELSE '_tree' END)
);

-- A row: the slot and the name of a node of a pattern that has a name, and its number among them.
CREATE OR REPLACE MACRO _store.named_node(asked) AS TABLE (
    WITH _own_block AS MATERIALIZED (FROM _store.pattern_block(asked) WHERE block = 0)
    SELECT slot, name, number
    FROM _store.pattern_node('_own_block')
    WHERE block = 0 AND NOT (_store.has_sequence(asked) AND starts_with(name, '_'))
);

-- A row: a token of a match of a pattern: of trees those of the nodes by their names, in the order in which the pattern
-- has them (place); of a sequence all, with the names of those that are labelled.
CREATE OR REPLACE MACRO _store.token_of_match(asked, subcorpus) AS TABLE (
    WITH _named AS MATERIALIZED (FROM _store.named_node(asked)),
    _match AS MATERIALIZED (FROM _store.numbered_match(asked, subcorpus)),
    _label AS (
        SELECT _match.match, _match.sentence_id, _named.slot, _named.name, _match.found[_named.slot] AS token
        FROM _match, _named
    ),
    _tree AS NOT MATERIALIZED (
        SELECT match, sentence_id, slot AS place, name, token['position'] AS position, token['word_id'] AS word_id
        FROM _label
    ),
    _sequence AS NOT MATERIALIZED (
        SELECT _match.match, _match.sentence_id, token.position AS place, _label.name, token.position, token.word_id
        FROM _match
        JOIN _store.token
            ON token.sentence_id = _match.sentence_id
            AND token.position BETWEEN _match.position AND _match.last_position
        LEFT JOIN _label ON _label.match = _match.match AND _label.token['position'] = token.position
    )
    FROM query_table(CASE WHEN _store.has_sequence(asked) THEN '_sequence' ELSE '_tree' END)
);

-- A row: a match of a pattern, numbered from 1, with its tokens: those of the nodes with their names, in the order of
-- the pattern; or those of a sequence with their labels. sentence: its sent_id, or its number in the corpus;
-- sentence_number: its number in tokens and sentences.
-- Columns: corpus VARCHAR, document VARCHAR, sentence VARCHAR, match BIGINT, tokens STRUCT("name" VARCHAR, "position"
-- INTEGER, form VARCHAR, lexeme VARCHAR)[], sentence_number INTEGER
-- Example: FROM matches(pattern('{"nodes": [{"name": "N", "tests": []}]}'), top := 3)
CREATE OR REPLACE MACRO matches(pattern, @parameters_of_matches@) AS TABLE (
    WITH _listed AS (
        SELECT token.match AS number, token.sentence_id, list({
                'name': token.name, 'position': token.position, 'form': word.form, 'lexeme': lexeme.text
            } ORDER BY token.place ASC) AS tokens
        FROM _store.token_of_match(_store.pattern_asked(pattern), subcorpus) AS token
        JOIN _store.word ON word.id = token.word_id
        LEFT JOIN _store.lexeme ON lexeme.id = word.lexeme_id
        GROUP BY token.match, token.sentence_id
    )
    SELECT corpus.name AS corpus, document.name AS document, coalesce(sentence.sent_id, '#' || 1 + sentence.id - (
            SELECT min(own.id) FROM _store.sentence AS own WHERE own.corpus_id = corpus.id
        )) AS sentence,
        row_number() OVER (
            ORDER BY _listed.sentence_id ASC, list_transform(_listed.tokens, lambda each: each['position']) ASC
        ) AS match,
        _listed.tokens, sentence.id AS sentence_number
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('matches', row(pattern, @given_to_matches@)) AS _constants
    CROSS JOIN _listed
    JOIN _store.sentence ON sentence.id = _listed.sentence_id
    JOIN _store.corpus ON corpus.id = sentence.corpus_id
    LEFT JOIN _store.document ON document.id = sentence.document_id
    WHERE _store.admitted('@stamp@', _store.check_matches(pattern, top, subcorpus))
    QUALIFY match <= coalesce(top, match)
    ORDER BY match ASC
);
