-- Senses: groups of the occurrences of a lexeme, each with contexts of its own.

-- A row: a sense of a lexeme, by its number, the most frequent first: its occurrences, and their share of all
-- occurrences of the lexeme, also those without a sense (NULL if stale: occurrences are then the former ones). entry:
-- the name of its APT among entries. state: kept, or stale after the lexicon has changed.
-- Columns: lexeme VARCHAR, sense INTEGER, entry VARCHAR, occurrences BIGINT, share DOUBLE, space VARCHAR, state
-- VARCHAR, sensed_at TIMESTAMP
-- Example: FROM senses
CREATE OR REPLACE VIEW senses AS
SELECT lexeme.text AS lexeme, sense.number AS sense, lexeme.text || '#' || sense.number AS entry, sense.occurrences,
    CASE WHEN own.state = 'kept' THEN round(sense.occurrences / lexeme.frequency, 6) END AS share,
    own.made['space'] AS space, own.state, own.made_at AS sensed_at
FROM _store.sense
JOIN _store.derived AS own ON own.kind = 'senses' AND own.id = sense.senses_id
JOIN _store.lexeme ON lexeme.id = sense.lexeme_id
ORDER BY lexeme.text ASC, sense.number ASC;

-- A row: an occurrence of a lexeme, the token at a position of a sentence, and its sense; similarity: how near it is to
-- the centre of the sense. Occurrences without a feature of the space have no row. state: that of the sense. Once
-- the lexicon has changed no occurrences are known, and the only row of a sense has no sentence.
-- Columns: lexeme VARCHAR, sense INTEGER, sentence INTEGER, position INTEGER, similarity DOUBLE, state VARCHAR
-- Example: FROM sense_occurrences LIMIT 10
CREATE OR REPLACE VIEW sense_occurrences AS
SELECT lexeme.text AS lexeme, sense.number AS sense, stored.sentence_id AS sentence, stored.position,
    stored.similarity, own.state
FROM _store.sense
JOIN _store.derived AS own ON own.kind = 'senses' AND own.id = sense.senses_id
JOIN _store.lexeme ON lexeme.id = sense.lexeme_id
LEFT JOIN _store.sense_occurrence AS stored ON stored.sense_id = sense.id
WHERE stored.sense_id IS NOT NULL OR own.state = 'stale';

-- A row: a word that an occurrence of a lexeme meets in its own tree, other than itself, by its path.
CREATE OR REPLACE MACRO _store.occurrence_feature(lexeme) AS TABLE (
    WITH _question AS MATERIALIZED (FROM _store.question(1, _store.about_lexeme(concat(lexeme), 0)))
    SELECT pair.sentence_id, pair.position, path.id AS path_id, pair.context_id
    FROM _store.observed_pair('_question', 'error', NULL) AS pair
    JOIN _store.path ON path.text = pair.path
    WHERE pair.is_direct AND pair.path <> ''
);

-- A row: an occurrence of a lexeme that has a sense.
CREATE OR REPLACE MACRO _store.sensed(lexeme) AS TABLE (
    SELECT sense.number AS sense, stored.sentence_id, stored.position, stored.similarity
    FROM _store.sense
    JOIN _store.lexeme AS known ON known.id = sense.lexeme_id
    JOIN _store.sense_occurrence AS stored ON stored.sense_id = sense.id
    WHERE known.text = lexeme
);

-- A row: a feature that more occurrences of a group (grouped: sense, sentence_id, position) have than those of the
-- other groups together: how many, and G² of group and feature. met: the features of the occurrences, each once. Words
-- for grammar are left out, and what fewer occurrences have than a sketch shows by default.
CREATE OR REPLACE MACRO _store.telling_feature(grouped, met) AS TABLE (
    WITH _met AS MATERIALIZED (
        SELECT own.sense, feature.path_id, feature.context_id
        FROM query_table(met) AS feature
        JOIN query_table(grouped) AS own
            ON own.sentence_id = feature.sentence_id AND own.position = feature.position
    ),
    _size AS MATERIALIZED (
        SELECT sense, count(*) AS occurrences, sum(count(*)) OVER ()::BIGINT AS all_occurrences
        FROM query_table(grouped)
        GROUP BY sense
    ),
    _counted AS (
        SELECT sense, path_id, context_id, count(*) AS n,
            sum(count(*)) OVER (PARTITION BY path_id, context_id)::BIGINT AS all_n
        FROM _met
        GROUP BY sense, path_id, context_id
    )
    SELECT _counted.sense, path.text AS path, context.text AS context, _counted.n AS occurrences,
        _store.log_likelihood(
            _counted.n, _size.occurrences, _counted.all_n, _size.all_occurrences,
            _store.surplus(_counted.n, _size.occurrences, _counted.all_n, _size.all_occurrences)
        ) AS g2
    FROM _counted
    JOIN _size ON _size.sense = _counted.sense
    JOIN _store.path ON path.id = _counted.path_id
    JOIN _store.lexeme AS context ON context.id = _counted.context_id
    WHERE _store.surplus(_counted.n, _size.occurrences, _counted.all_n, _size.all_occurrences) > 0
        AND _counted.n >= (SELECT _store.least_count(NULL))
        AND (context.pos IS NULL OR context.pos NOT IN (SELECT function_pos.pos FROM _store.function_pos))
);

-- True where a lexeme has senses that can be asked about; otherwise an error that says what to do.
CREATE OR REPLACE MACRO _store.check_sensed(called) AS
    CASE (
        SELECT bool_and(own.state = 'kept')
        FROM _store.sense
        JOIN _store.derived AS own ON own.kind = 'senses' AND own.id = sense.senses_id
        JOIN _store.lexeme AS known ON known.id = sense.lexeme_id
        WHERE known.text = called
    )
        WHEN true THEN true
        WHEN false THEN error(_store.are_stale(called))
        ELSE CASE
            -- (The question about its occurrences says that there is none.)
            WHEN called IS NOT NULL AND NOT _store.is_lexeme(called) THEN true
            ELSE error(coalesce(called, 'NULL') || ' has no stored senses; find them by: aptdb senses --save')
        END
    END;

-- A row: a feature that distinguishes a sense of a lexeme from its others, how many of the occurrences of the sense
-- have it, and G² of sense and feature; of each sense the most distinctive.
-- Columns: sense INTEGER, path VARCHAR, context VARCHAR, occurrences BIGINT, g2 DOUBLE
-- Example: FROM sense_features('shoot/NOUN', top := 3)
CREATE OR REPLACE MACRO sense_features(lexeme, top BIGINT := 10) AS TABLE (
    WITH _grouped AS MATERIALIZED (
        FROM _store.sensed(_store.as_lexeme(lexeme))
        UNION ALL -- (Beside a text that statistics say no lexeme has, nothing is run, nor checked.)
        SELECT NULL, NULL, NULL, NULL
        WHERE NOT _store.admitted('@stamp@', _store.check_sensed(_store.as_lexeme(lexeme)) AND _store.check_top(top))
    ),
    _met AS MATERIALIZED (
        SELECT DISTINCT sentence_id, position, path_id, context_id FROM _store.occurrence_feature(lexeme)
    )
    SELECT told.sense, told.path, told.context, told.occurrences, told.g2
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('sense_features', row(lexeme, top)) AS _constants
    CROSS JOIN _store.telling_feature('_grouped', '_met') AS told
    QUALIFY row_number() OVER (PARTITION BY told.sense ORDER BY told.g2 DESC, told.path ASC, told.context ASC) <= top
    ORDER BY told.sense ASC, told.g2 DESC, told.path ASC, told.context ASC
);

-- A row: a feature of the APT of a sense, counted where its occurrences are, and its weight under a scheme.
CREATE OR REPLACE MACRO _store.sense_apt(lexeme, sense, weights) AS TABLE (
    WITH _own AS MATERIALIZED (
        SELECT 1 AS question, sensed.sentence_id, sensed.position AS node
        FROM _store.sensed(lexeme) AS sensed
        WHERE sensed.sense = sense AND (SELECT _store.check_sensed(lexeme))
    ),
    _pair AS MATERIALIZED (FROM _store.pair_around('_own'))
    SELECT feature.path, context.text AS context, feature.weight
    FROM _store.observed_weight('_pair', weights, @no_options@) AS feature
    JOIN _store.lexeme AS context ON context.id = feature.context_id
);
