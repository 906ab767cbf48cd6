-- Matches of patterns as people see them.

-- A row: a match of a pattern as a hit of evidence: its first node stands as the lexeme, its second as the context.
CREATE OR REPLACE MACRO _store.pattern_hit(pattern, subcorpus) AS TABLE (
    WITH _found AS NOT MATERIALIZED (
        SELECT sentence_id, found[1] AS one, found[2] AS other FROM _store.match_of_pattern(pattern, subcorpus)
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

-- True where matches can be shown; otherwise an error that names the value.
CREATE OR REPLACE MACRO _store.check_matches(pattern, top, subcorpus) AS
    CASE
        @frames_checks@
        WHEN NOT _store.bounded_pattern(_store.pattern_asked(pattern)) THEN false
        ELSE _store.check_subcorpus(subcorpus)
    END;

-- A row: a match of a pattern, by its number from 1, with the tokens of its nodes by their names, in the order in which
-- the pattern has them. sentence: its sent_id, or its number in the corpus; sentence_number: that in tokens and
-- sentences.
-- Columns: corpus VARCHAR, document VARCHAR, sentence VARCHAR, match BIGINT, tokens STRUCT("name" VARCHAR, "position"
-- INTEGER, form VARCHAR, lexeme VARCHAR)[], sentence_number INTEGER
-- Example: FROM matches(pattern('{"nodes": [{"name": "N", "tests": [[{"attribute": "lemma", "value": "shoot"}]]}]}'))
CREATE OR REPLACE MACRO matches(pattern, @parameters_of_matches@) AS TABLE (
    WITH _own_block AS MATERIALIZED (FROM _store.pattern_block(_store.pattern_asked(pattern)) WHERE block = 0),
    _named AS MATERIALIZED (SELECT slot, name FROM _store.pattern_node('_own_block')),
    _found AS MATERIALIZED (
        SELECT row_number() OVER () AS match, sentence_id, found
        FROM _store.match_of_pattern(_store.pattern_asked(pattern), subcorpus)
    ),
    _token AS (
        SELECT match, sentence_id, unnest(found) AS token, generate_subscripts(found, 1) AS slot
        FROM _found
    ),
    _listed AS (
        SELECT _token.match, _token.sentence_id, list({
                'name': _named.name, 'position': _token.token['position'], 'form': word.form, 'lexeme': lexeme.text
            } ORDER BY _token.slot ASC) AS tokens
        FROM _token
        JOIN _named ON _named.slot = _token.slot
        JOIN _store.word ON word.id = _token.token['word_id']
        LEFT JOIN _store.lexeme ON lexeme.id = word.lexeme_id
        GROUP BY _token.match, _token.sentence_id
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
