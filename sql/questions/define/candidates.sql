-- Who may be a neighbour. Parts of speech are compared by number.

-- The fewest tokens a neighbour must have where nothing is said: one per 25,000 tokens of the lexicon, at least 1, at
-- most 50.
CREATE OR REPLACE MACRO _store.default_min_frequency(subcorpus) AS (
    SELECT greatest(1, least(50, all_tokens.tokens // 25000)) FROM _store.tokens_in(subcorpus) AS all_tokens
);

-- A row: a part of speech of the lexicon, with a number for it.
CREATE OR REPLACE MACRO _store.pos(subcorpus) AS TABLE (
    SELECT part_of_speech, row_number() OVER (ORDER BY part_of_speech ASC) AS pos_id
    FROM (SELECT DISTINCT lexeme.pos AS part_of_speech FROM _store.lexeme_in(subcorpus) AS lexeme)
);

-- A row: a lexeme with its part of speech, and that as a number.
CREATE OR REPLACE MACRO _store.lexeme_pos(subcorpus) AS TABLE (
    SELECT lexeme.id AS lexeme_id, lexeme.text, lexeme.frequency, pos.part_of_speech, pos.pos_id
    FROM _store.lexeme_in(subcorpus) AS lexeme
    JOIN _store.pos(subcorpus) AS pos ON pos.part_of_speech IS NOT DISTINCT FROM lexeme.pos
);

-- A row: an entry that is stored under the weights asked for, as _store.lexeme_pos has lexemes. Its part of speech is
-- that of the word it is anchored at.
CREATE OR REPLACE MACRO _store.entry_pos(weights, @own_options@) AS TABLE (
    SELECT
        CASE
            WHEN _store.is_stale_entry(entry.name, entry.state)
            THEN error(_store.stale_entry(entry.name, entry.composition))::INTEGER
            ELSE -entry.id
        END AS lexeme_id,
        entry.name AS text, 0 AS frequency, entry.pos AS part_of_speech, coalesce(pos.pos_id, 0) AS pos_id
    FROM _store.stored_entry AS entry
    ANTI JOIN _store.lexeme ON lexeme.text = entry.name
    LEFT JOIN _store.pos(@held_subcorpus@) AS pos ON pos.part_of_speech IS NOT DISTINCT FROM entry.pos
    WHERE entry.weighing = _store.weighing(weights, @own_options@)
);

-- A row: a question with the lexeme or entry that is not its own neighbour (NULL for a phrase), and the part of speech
-- of the word that it is anchored at, as a number: by its text, so that a word that the lexicon lacks has one too.
CREATE OR REPLACE MACRO _store.asked_pos(questions, subcorpus) AS TABLE (
    SELECT asked.question, CASE WHEN asked.name IS NOT NULL THEN known.id END AS itself, pos.pos_id
    FROM query_table(questions) AS asked
    LEFT JOIN _store.names(subcorpus) AS known ON known.text = asked.anchored
    LEFT JOIN _store.pos(subcorpus) AS pos
        ON pos.part_of_speech IS NOT DISTINCT FROM
            CASE WHEN known.id IS NULL THEN _store.pos_of(asked.anchored) ELSE known.part_of_speech END
);

-- A row: a lexeme or entry that may be a neighbour of one of the questions named (pos_id). tag: same, any, or a part of
-- speech.
CREATE OR REPLACE MACRO _store.candidate(asked, tag, fewest, among, weights, @own_options@) AS TABLE (
    WITH _lexeme AS NOT MATERIALIZED (
        SELECT lexeme_id, text, frequency, part_of_speech, pos_id
        FROM _store.lexeme_pos(@held_subcorpus@)
        -- (As a difference: a comparison with a subquery is estimated by the distinct frequencies, and then a
        -- subcorpus's candidates are thought so few that they are joined in a bad order: neighbours took half as long
        -- again.)
        WHERE frequency - coalesce(fewest, _store.default_min_frequency(@held_subcorpus@)) >= 0
    ),
    _entry AS NOT MATERIALIZED (FROM _store.entry_pos(weights, @own_options@)),
    _all AS NOT MATERIALIZED (FROM _lexeme UNION ALL FROM _entry)
    SELECT word.lexeme_id, word.text, word.frequency, word.pos_id
    FROM query_table(
        CASE
            WHEN among = 'lexemes' OR _store.entries() = 0 THEN '_lexeme'
            WHEN among = 'entries' THEN '_entry'
            ELSE '_all'
        END
    ) AS word
    WHERE (among <> 'entries' OR word.lexeme_id < 0) AND CASE tag
        WHEN 'any' THEN true
        WHEN 'same' THEN word.pos_id IN (SELECT one.pos_id FROM query_table(asked) AS one)
        ELSE word.part_of_speech = tag
    END
);
