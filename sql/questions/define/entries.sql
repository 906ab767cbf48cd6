-- How many composed APTs the lexicon stores: where there are none, nothing about them is planned.
CREATE OR REPLACE MACRO _store.entries() AS
    (@recorded_entries@)::INTEGER;

-- A row: an entry, a composed APT that is stored under a name: the part of speech of the word it is anchored at, the
-- phrase, and the composition. state: stored; stale if the lexicon, or an entry in its phrase, has changed since;
-- hidden if a lexeme has the same name.
-- Columns: entry VARCHAR, pos VARCHAR, phrase VARCHAR, weighting VARCHAR, composition VARCHAR, weights BIGINT, state
-- VARCHAR
-- Example: FROM entries
CREATE OR REPLACE VIEW entries AS
SELECT entry.name AS entry, entry.pos, entry.phrase, entry.weighing AS weighting, entry.composition,
    entry.weights, CASE
        WHEN lexeme.text IS NOT NULL THEN 'hidden'
        WHEN entry.state = 'kept' THEN 'stored'
        ELSE entry.state
    END AS state
FROM _store.stored_entry AS entry
LEFT JOIN _store.lexeme ON lexeme.text = entry.name
ORDER BY entry.name ASC;

-- A row: a feature of an entry, and its weight. state: that of the entry; where it is stale, weights are as they were.
-- Columns: entry VARCHAR, path VARCHAR, context VARCHAR, weight DOUBLE, state VARCHAR
-- Example: FROM entry_weights ORDER BY weight DESC LIMIT 10
CREATE OR REPLACE VIEW entry_weights AS
SELECT known.entry, stored.path, stored.context, stored.weight, known.state
FROM _store.entry_weight AS stored
JOIN _store.stored_entry AS entry ON entry.id = stored.entry_id
JOIN entries AS known ON known.entry = entry.name;

-- A row: what a lexeme, or an entry alike, is called, its id and its part of speech. The id of an entry is below 0. A
-- lexeme of the same name hides it.
CREATE OR REPLACE MACRO _store.names(subcorpus) AS TABLE (
    WITH _lexeme AS NOT MATERIALIZED (
        SELECT lexeme.text, lexeme.id, lexeme.pos AS part_of_speech FROM _store.lexeme_in(subcorpus) AS lexeme
    ),
    _lexeme_or_entry AS NOT MATERIALIZED (
        FROM _lexeme
        UNION ALL
        SELECT entry.name, -entry.id, entry.pos
        FROM _store.stored_entry AS entry
        ANTI JOIN _store.lexeme ON lexeme.text = entry.name
    )
    FROM query_table(CASE WHEN _store.entries() > 0 THEN '_lexeme_or_entry' ELSE '_lexeme' END)
);

-- A weighting as text, by which two are told apart. (Which lexemes it leaves out, min_frequency, matters to no entry.)
CREATE OR REPLACE MACRO _store.weighing(weights, @own_options@) AS
    concat_ws(', ', coalesce(_store.scheme(weights), lower(weights)), @option_texts@);
