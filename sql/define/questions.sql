-- Questions come to what answers them as a relation that is named, a row for each: its number, the lexeme it asks about
-- (name, NULL for a phrase) and the phrase, which for a lexeme is that of its one word.

-- A question about a lexeme, or about a phrase, as one value.
CREATE OR REPLACE MACRO _store.about_lexeme(lexeme) AS
    {'name': lexeme::VARCHAR, 'phrase': _store.one_word(lexeme)};
CREATE OR REPLACE MACRO _store.about_phrase(phrase) AS
    {'name': NULL::VARCHAR, 'phrase': phrase};

-- One row: the only question that is asked, about a lexeme or about a phrase.
CREATE OR REPLACE MACRO _store.only_lexeme(lexeme) AS TABLE (
    SELECT 1 AS question, lexeme::VARCHAR AS name, _store.one_word(lexeme) AS words
);
CREATE OR REPLACE MACRO _store.only_phrase(words) AS TABLE (
    SELECT 1 AS question, NULL::VARCHAR AS name, words AS words
);

-- A row: a word of a question, by its number from 1, with its lexeme's id and its offset. A word that the lexicon lacks is
-- an error that names it.
CREATE OR REPLACE MACRO _store.question_word(questions) AS TABLE (
    WITH _named AS (
        SELECT question, unnest(range(1, len(words) + 1)) AS position, unnest(words) AS word
        FROM query_table(questions)
    ),
    _found AS (
        SELECT _named.question, _named.position, _named.word.lexeme AS name, nullif(_named.word.delta, 'ε') AS delta,
            lexeme.id
        FROM _named
        LEFT JOIN _store.lexeme ON lexeme.text = _named.word.lexeme
    ),
    -- A row: the first word that the lexicon lacks, and what it may have meant. No row where all are known.
    _unknown AS MATERIALIZED (
        SELECT name FROM _found WHERE id IS NULL ORDER BY question, position LIMIT 1
    ),
    _meant AS (
        SELECT string_agg(near.text, ', ' ORDER BY near.rank) AS names
        FROM _unknown, _store.near_lexeme(_unknown.name) AS near
        WHERE near.rank <= 5
    )
    SELECT question, position, id AS lexeme_id, coalesce(delta, '') AS delta FROM _found WHERE id IS NOT NULL
    UNION ALL
    SELECT 0, 0, error(
        'no lexeme ' || coalesce(_unknown.name, 'NULL')
        || coalesce('; there is ' || _meant.names, ', nor one that is spelt nearly so')
    ), ''
    FROM _unknown, _meant
);

-- True where all questions can be asked at this anchor; otherwise an error that names what is wrong. A lexeme has one
-- word and no choice: beside phrases, the anchor is theirs.
CREATE OR REPLACE MACRO _store.check_questions(questions, anchor) AS (
    SELECT coalesce(bool_and(checked.right), true)
    FROM (
        SELECT _store.check_phrase(
            asked.words, CASE WHEN asked.name IS NOT NULL AND asked.with_phrases THEN 0 ELSE anchor END
        ) AS right
        FROM (
            SELECT name, words, coalesce(bool_or(name IS NULL) OVER (), false) AS with_phrases
            FROM query_table(questions)
        ) AS asked
    ) AS checked
);

-- A row: a question of the relation named, by its number, with what it is called. Its rows are words: phrase (what the
-- question is called; where it is left out each lexeme is a question of its own), lexeme, delta (left out or '' for the
-- root's word) and position (left out: in the order of the rows). A phrase of one word at the root is that lexeme.
CREATE OR REPLACE MACRO _store.asked_in(relation) AS TABLE (
    WITH _row AS (
        SELECT * FROM query_table(relation)
        UNION ALL BY NAME
        SELECT NULL::VARCHAR AS phrase, NULL::VARCHAR AS lexeme, NULL::VARCHAR AS delta, NULL::BIGINT AS position
        WHERE false
    ),
    _placed AS (
        SELECT phrase::VARCHAR AS phrase, coalesce(delta::VARCHAR, '') AS delta, row_number() OVER () AS place, position,
            CASE
                WHEN lexeme IS NULL THEN error(
                    'a question without a lexeme; its table has the columns lexeme or, for phrases, phrase, lexeme, delta'
                )
                WHEN phrase IS NULL AND coalesce(delta, '') NOT IN ('', 'ε') THEN error(
                    'phrase is NULL beside ' || lexeme || ' with the delta ' || delta
                    || '; the words of a phrase have its name in common'
                )
                ELSE lexeme::VARCHAR
            END AS lexeme
        FROM _row
    ),
    _gathered AS (
        SELECT phrase AS called, min(place) AS place,
            list({'lexeme': lexeme, 'delta': delta} ORDER BY coalesce(position, place), place) AS words
        FROM _placed
        WHERE phrase IS NOT NULL
        GROUP BY phrase
        UNION ALL
        SELECT lexeme, min(place), [{'lexeme': lexeme, 'delta': ''}]
        FROM _placed
        WHERE phrase IS NULL
        GROUP BY lexeme
    )
    SELECT row_number() OVER (ORDER BY place)::INTEGER AS question, called,
        CASE WHEN len(words) = 1 AND words[1].delta IN ('', 'ε') THEN words[1].lexeme END AS name, words
    FROM _gathered
);
