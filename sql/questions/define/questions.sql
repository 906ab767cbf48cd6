-- Questions come to what answers them as a relation that is named, a row for each: its number, the lexeme it asks about
-- (name, NULL for a phrase), its words (for a lexeme that one), the anchor that was asked for, and what that comes to:
-- seen_from, the path from the word it is anchored at to the root's word; anchored, that word; and root, the root's
-- word (NULL where there is none).

-- A question about a lexeme, or about a phrase seen from its anchor, as one value: a row of such a relation, its number
-- aside.
CREATE OR REPLACE MACRO _store.about_lexeme(lexeme, anchor) AS
    {
        'name': lexeme, 'words': [{'lexeme': lexeme, 'delta': ''}], 'anchor': anchor, 'seen_from': '',
        'anchored': lexeme, 'root': lexeme
    };
CREATE OR REPLACE MACRO _store.about_phrase(words, anchor) AS
    {
        'name': NULL::VARCHAR, 'words': words, 'anchor': anchor,
        'seen_from': CASE WHEN anchor > 0 THEN coalesce(nullif(words[anchor::BIGINT].delta, 'ε'), '') ELSE '' END,
        'anchored': _store.anchored_word(words, anchor).lexeme, 'root': _store.anchored_word(words, 0).lexeme
    };

-- One row: a question, by its number.
CREATE OR REPLACE MACRO _store.question(number, value) AS TABLE (
    SELECT number AS question, unnest(one.asked)
    FROM (SELECT value AS asked) AS one
);

-- A row: one of the two sides of a comparison, as question 1 and question 2.
CREATE OR REPLACE MACRO _store.pair(a, b) AS TABLE (
    FROM _store.question(1, a)
    UNION ALL
    FROM _store.question(2, b)
);

-- The end of an error about a name that is not there. names: those that may have been meant; NULL if none is alike.
CREATE OR REPLACE MACRO _store.meant(names) AS
    coalesce('; did you mean ' || names || '?', ', and none that is spelt like it');

-- What is said of a word that the lexicon lacks. names: those that it may have meant.
CREATE OR REPLACE MACRO _store.no_lexeme(name, names, subcorpus) AS
    CASE
        WHEN NOT _store.check_subcorpus(subcorpus) THEN ''
        WHEN ends_with(name, ']') THEN
            'a phrase in SQL is a list of words, e.g. [{''lexeme'': ''dog/NOUN'', ''delta'': ''''}, '
            || '{''lexeme'': ''small/ADJ'', ''delta'': ''<amod''}]; Python and the commands write ' || name
        WHEN name IS NULL THEN _store.name_a_lexeme()
        ELSE 'no lexeme ' || CASE name WHEN '' THEN '''''' ELSE name END
            || coalesce(' in the subcorpus ' || subcorpus, '')
            || _store.meant(names) || ' (missing := ''skip'' leaves it out)'
    END;

-- The id that a lexeme has in a question where the phrase's own occurrences are taken out of its counts, and the id of
-- the lexeme itself. (Those of lexemes are below 2^32, and those of entries below 0.)
CREATE OR REPLACE MACRO _store.elsewhere_id(question, lexeme_id) AS
    CASE WHEN lexeme_id > 0 THEN question::BIGINT * 4294967296 + lexeme_id ELSE lexeme_id END;
CREATE OR REPLACE MACRO _store.counted_id(lexeme_id) AS
    CASE WHEN lexeme_id > 0 THEN lexeme_id % 4294967296 ELSE lexeme_id END;

-- A row: a word of a question, by its number from 1, with its offset and the id of its lexeme; NULL where the lexicon
-- lacks it. Where missing is 'error' that is one, which names the word. (The errors stand in both columns by which rows
-- are joined, so that no plan can do without them.)
CREATE OR REPLACE MACRO _store.question_word(
    questions, subcorpus, weights, scheme, missing, @own_options@
) AS TABLE (
    WITH _named AS (
        SELECT question, unnest(range(1, len(words) + 1)) AS position, unnest(words) AS word
        FROM query_table(questions)
    ),
    _found AS MATERIALIZED (
        SELECT _named.question, _named.position, _named.word.lexeme AS name,
            coalesce(nullif(_named.word.delta, 'ε'), '') AS delta, known.id
        FROM _named
        LEFT JOIN _store.names(subcorpus) AS known ON known.text = _named.word.lexeme
    ),
    -- A row: the first word that the lexicon lacks, and what it may have meant. No row where all are known.
    _unknown AS MATERIALIZED (
        SELECT name FROM _found WHERE id IS NULL AND missing = 'error' ORDER BY question ASC, position ASC LIMIT 1
    ),
    _meant AS (FROM _store.near_lexemes('_unknown', subcorpus)),
    -- A row: why an entry cannot be taken: it is stale, or asked about with other weights than its own; probabilities,
    -- which compose-first composes, are none that it has.
    _foreign AS (
        SELECT CASE
            WHEN _store.is_stale_entry(entry.name, entry.state) THEN _store.stale_entry(entry.name, entry.composition)
            ELSE entry.name || ' was composed and stored with ' || entry.weighing || '; ' || CASE
                WHEN (scheme IS DISTINCT FROM _store.scheme(weights))
                THEN 'compose-first takes counted lexemes alone; choose compose-second'
                ELSE 'ask with these weights, or store it again with ' || _store.weighing(weights, @own_options@)
            END
        END AS problem
        FROM _found
        JOIN _store.stored_entry AS entry ON entry.id = -_found.id
        WHERE _store.is_stale_entry(entry.name, entry.state)
            OR entry.weighing <> _store.weighing(weights, @own_options@)
            OR scheme IS DISTINCT FROM _store.scheme(weights)
        ORDER BY _found.question ASC, _found.position ASC
        LIMIT 1
    ),
    _taken AS NOT MATERIALIZED (
        SELECT question, position, id AS lexeme_id, delta
        FROM _found
        WHERE id IS NOT NULL OR missing <> 'error'
        UNION ALL
        SELECT stopped.at_once, 0, stopped.at_once, ''
        FROM (
            SELECT error(
                _store.no_lexeme(_unknown.name, _meant.names, subcorpus)
            )::INTEGER AS at_once
            FROM _unknown, _meant
        ) AS stopped
    ),
    _taken_beside_entries AS NOT MATERIALIZED (
        FROM _taken
        UNION ALL
        SELECT stopped.at_once, 0, stopped.at_once, ''
        FROM (SELECT error(problem)::INTEGER AS at_once FROM _foreign) AS stopped
    )
    FROM query_table(CASE WHEN _store.entries() > 0 THEN '_taken_beside_entries' ELSE '_taken' END)
);

-- One row: all questions as a list, whether phrases are among them, and phrases without a root.
CREATE OR REPLACE MACRO _store.gathered_questions(questions) AS TABLE (
    SELECT list({'is_lexeme': name IS NOT NULL, 'words': words, 'anchor': anchor}) AS asked,
        bool_or(name IS NULL) AS with_phrases, bool_or(
            name IS NULL AND anchor = 0 AND anchored IS NULL AND words[1].lexeme IS NOT NULL
        ) AS without_root
    FROM query_table(questions)
);

-- True where all gathered questions can be asked; otherwise an error that names what is wrong. A lexeme has one word
-- and no choice: beside phrases, the anchor is theirs.
CREATE OR REPLACE MACRO _store.check_gathered(asked, with_phrases) AS
    coalesce(list_bool_and(list_transform(asked, lambda each: _store.check_phrase(
        each.words, CASE WHEN each.is_lexeme AND with_phrases THEN 0 ELSE each.anchor END
    ))), true);
-- A row: a question of the relation named, by its number, with what it is called. Its rows are words: phrase (what the
-- question is called; where it is left out each lexeme is a question of its own), lexeme, delta (left out or '' for the
-- root's word) and position (left out: in the order of the rows). A phrase of one word at the root is that lexeme.
CREATE OR REPLACE MACRO _store.asked_in(relation, anchor) AS TABLE (
    WITH _row AS (
        SELECT * FROM query_table(relation)
        UNION ALL BY NAME
        SELECT NULL::VARCHAR AS phrase, NULL::VARCHAR AS lexeme, NULL::VARCHAR AS delta, NULL::BIGINT AS position
        WHERE false
    ),
    _placed AS (
        SELECT phrase::VARCHAR AS phrase, coalesce(delta::VARCHAR, '') AS delta,
            row_number() OVER () AS place, position,
            CASE
                WHEN lexeme IS NULL THEN error(
                    'a question has no lexeme; expected a table with the column lexeme or, for phrases, the columns '
                    || 'phrase, lexeme and delta'
                )
                WHEN phrase IS NULL AND coalesce(delta, '') NOT IN ('', 'ε') THEN error(
                    'phrase is NULL beside ' || lexeme || ' with the delta ' || delta
                    || '; give all words of a phrase the same name in phrase'
                )
                ELSE lexeme::VARCHAR
            END AS lexeme
        FROM _row
    ),
    _gathered AS (
        SELECT phrase AS called, min(place) AS place,
            list({'lexeme': lexeme, 'delta': delta} ORDER BY coalesce(position, place) ASC, place ASC) AS words
        FROM _placed
        WHERE phrase IS NOT NULL
        GROUP BY phrase
        UNION ALL
        SELECT lexeme, min(place), [{'lexeme': lexeme, 'delta': ''}]
        FROM _placed
        WHERE phrase IS NULL
        GROUP BY lexeme
    ),
    _numbered AS (
        SELECT row_number() OVER (ORDER BY place ASC)::INTEGER AS question, called, words,
            CASE WHEN len(words) = 1 AND words[1].delta IN ('', 'ε') THEN words[1].lexeme END AS name
        FROM _gathered
    )
    SELECT question, called, unnest(
        CASE WHEN name IS NULL THEN _store.about_phrase(words, anchor) ELSE _store.about_lexeme(name, anchor) END
    )
    FROM _numbered
);
