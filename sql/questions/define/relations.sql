-- A row: a step that some path of the lexicon has, with the counts of all that have it. (Not every step is a path by
-- itself: what it leads to may be left out.)
CREATE OR REPLACE MACRO _store.counted_step(subcorpus) AS TABLE (
    SELECT step, sum(count) AS count
    FROM (SELECT unnest(_store.path_steps(text)) AS step, count FROM _store.path_in(subcorpus))
    GROUP BY step
);

-- A row: a step of a word's offset that the lexicon never counts along. (Paths always come in both directions.) No row
-- for lexemes, which have no offset, nor for words that the lexicon lacks.
CREATE OR REPLACE MACRO _store.uncounted_step(questions, subcorpus) AS TABLE (
    WITH _word AS (
        SELECT question, unnest(range(1, len(words) + 1)) AS position, unnest(words) AS word
        FROM query_table(questions)
        WHERE name IS NULL
    ),
    _step AS (
        SELECT question, position, unnest(
                CASE WHEN path_is_valid(word.delta) THEN _store.path_steps(word.delta) ELSE [] END
            ) AS step
        FROM _word
        SEMI JOIN _store.names(subcorpus) AS known ON known.text = _word.word.lexeme
    )
    SELECT _step.question, _step.position, _step.step[2:] AS relation
    FROM _step
    ANTI JOIN _store.counted_step(subcorpus) AS counted ON counted.step = _step.step
);

-- A row: a word whose offset runs the wrong way, with how often it occurs along it and along the inverse: at most once
-- for twenty times, and so do all of its part of speech. (Parsers err: *large* has an adjective below it 23 times.)
CREATE OR REPLACE MACRO _store.reversed_word(questions, subcorpus) AS TABLE (
    WITH _word AS (
        SELECT question, unnest(range(1, len(words) + 1)) AS position, unnest(words) AS word
        FROM query_table(questions)
        WHERE name IS NULL
    ),
    -- A row: a word that seldom occurs along its offset.
    _strange AS MATERIALIZED (
        SELECT _word.question, _word.position, lexeme.text AS lexeme, lexeme.pos, path.text AS delta,
            path.id AS path_id, path.inverse_id, coalesce(there.count, 0) AS along, back.count AS against
        FROM _word
        JOIN _store.lexeme_in(subcorpus) AS lexeme ON lexeme.text = _word.word.lexeme
        JOIN _store.path_in(subcorpus) AS path ON path.text = _word.word.delta
        JOIN _store.node_in(subcorpus) AS back ON back.lexeme_id = lexeme.id AND back.path_id = path.inverse_id
        LEFT JOIN _store.node_in(subcorpus) AS there ON there.lexeme_id = lexeme.id AND there.path_id = path.id
        WHERE _word.word.delta <> '' AND coalesce(there.count, 0) * 20 <= back.count
    ),
    -- A row: a node of a word like a strange one, along its offset or the inverse.
    _like AS (
        SELECT _strange.*, node.path_id = _strange.path_id AS is_along, node.count
        FROM _store.node_in(subcorpus) AS node
        JOIN _strange ON node.path_id IN (_strange.path_id, _strange.inverse_id)
        JOIN _store.lexeme ON lexeme.id = node.lexeme_id AND lexeme.pos IS NOT DISTINCT FROM _strange.pos
    )
    SELECT question, position, lexeme, delta, along, against
    FROM _like
    GROUP BY ALL
    HAVING coalesce(sum(count) FILTER (is_along), 0) * 20 <= sum(count) FILTER (NOT is_along)
);

-- What is said of a word whose offset runs the wrong way, with how often it occurs along it and along the inverse.
CREATE OR REPLACE MACRO _store.wrong_way(word, way, along, against) AS
    word || ' occurs ' || format('{:,}', against) || ' times along ' || path_inverse(way)
    || CASE WHEN along = 0 THEN ', and never along ' ELSE ', and ' || format('{:,}', along) || ' along ' END || way
    || ' (packed counts)';

-- What is said of a relation that the lexicon never counts: those that it may have meant, spelt nearly so, the nearest
-- first; the most frequent ones where there are none.
CREATE OR REPLACE MACRO _store.no_relation(name, subcorpus) AS
    'no relation ' || name || coalesce(' in the subcorpus ' || subcorpus, '') || coalesce(
        '; ' || (
            WITH _relation AS (
                SELECT counted.step[2:] AS relation, counted.count,
                    damerau_levenshtein(lower(counted.step[2:]), lower(name)) AS distance
                FROM _store.counted_step(subcorpus) AS counted
                WHERE starts_with(counted.step, '<')
            ),
            _near AS (
                SELECT relation, distance, row_number() OVER (ORDER BY distance ASC, count DESC, relation ASC) AS rank
                FROM _relation
                WHERE distance <= 2 OR (SELECT min(distance) FROM _relation) > 2
            )
            SELECT CASE WHEN min(distance) > 2 THEN 'available: ' ELSE 'did you mean ' END
                || string_agg(relation, ', ' ORDER BY rank ASC) FILTER (rank <= 5)
                || CASE WHEN max(rank) > 5 THEN ', …' ELSE '' END || CASE WHEN min(distance) > 2 THEN '' ELSE '?' END
            FROM _near
        ),
        ': this lexicon counts along no relation'
    );

-- True where each word of the phrases named can be brought to the root's: otherwise nothing of it would be left in the
-- answer, and an error names what is wrong. Weights of the user's own may have relations that the lexicon lacks.
CREATE OR REPLACE MACRO _store.check_relations(questions, weights, aligned, missing, subcorpus) AS (
    SELECT CASE
        WHEN NOT _store.check_subcorpus(subcorpus) THEN false
        WHEN lost.relation IS NOT NULL THEN error(
            _store.no_relation(lost.relation, subcorpus) || ' (missing := ''skip'' leaves out words along it)'
        )
        WHEN turned.told IS NOT NULL THEN error(
            turned.told || '; the delta of a word is the path from it to the root''s word '
            || '(missing := ''skip'' takes it as it is)'
        )
        ELSE true
    END
    FROM (
        SELECT arg_min(relation, [question, position]) AS relation
        FROM _store.uncounted_step(questions, subcorpus)
        WHERE aligned AND missing = 'error' AND _store.scheme(weights) IS NOT NULL
    ) AS lost, (
        SELECT arg_min(_store.wrong_way(lexeme, delta, along, against), [question, position]) AS told
        FROM _store.reversed_word(questions, subcorpus)
        WHERE aligned AND missing = 'error' AND _store.scheme(weights) IS NOT NULL
    ) AS turned
);
