-- Stored senses where a lexeme is asked for: mouse/NOUN#1, whose occurrences alone count.

-- A row: a stored sense of a lexeme, its name and its state. (Each is an entry: without these it is no part of a plan.)
CREATE OR REPLACE MACRO _store.sense_named() AS TABLE (
    WITH _stored AS NOT MATERIALIZED (
        SELECT sense.id, sense.lexeme_id, own.name AS lexeme, own.name || '#' || sense.number AS name, own.state
        FROM _store.sense
        JOIN _store.derived AS own ON own.kind = 'senses' AND own.id = sense.senses_id
    ),
    _none AS NOT MATERIALIZED (
        SELECT NULL::INTEGER AS id, NULL::INTEGER AS lexeme_id, NULL::VARCHAR AS lexeme, NULL::VARCHAR AS name,
            NULL::VARCHAR AS state
        WHERE false
    )
    FROM query_table(CASE WHEN _store.entries() > 0 THEN '_stored' ELSE '_none' END)
);

-- Whether a lexeme has this text.
CREATE OR REPLACE MACRO _store.is_lexeme(called) AS
    EXISTS (FROM _store.lexeme AS lexeme WHERE lexeme.text = called);

-- The lexeme of which a text would be a sense: mouse/NOUN of mouse/NOUN#2; '' for any other text.
CREATE OR REPLACE MACRO _store.lexeme_of_sense(called) AS
    regexp_extract(called, '(?s)^(.+)#[0-9]+$', 1);

-- What follows where a text would be a sense of a lexeme that has no such sense, in an error.
CREATE OR REPLACE MACRO _store.other_senses(called) AS
    coalesce((
        SELECT '; did you mean ' || string_agg(sense.name, ', ' ORDER BY sense.id ASC) || '?'
        FROM _store.sense_named() AS sense
        WHERE sense.lexeme = _store.lexeme_of_sense(called)
    ), '; ' || _store.lexeme_of_sense(called) || ' has no stored senses; find them by: aptdb senses --save');

-- What is wrong where the senses of a lexeme are stale.
CREATE OR REPLACE MACRO _store.are_stale(lexeme) AS
    'the senses of ' || lexeme || ' are stale, because the lexicon or their space has changed; '
    || 'find them again by: aptdb refresh LEXICON ' || lexeme;

-- A row: an error where a sense that is asked for (asked: sense_id) was found before the lexicon or its space changed.
CREATE OR REPLACE MACRO _store.stale_asked(asked) AS TABLE (
    SELECT error(_store.are_stale(any_value(sense.lexeme)))::INTEGER AS at_once
    FROM query_table(asked) AS own
    JOIN _store.sense_named() AS sense ON sense.id = own.sense_id AND sense.state <> 'kept'
    HAVING count(*) > 0
);

-- A row: a node of those named (sentence_id, position) that a side of a question asks for (asked: of_context,
-- sense_id): any of them, unless that is a sense; else an occurrence of it.
CREATE OR REPLACE MACRO _store.node_of_side(nodes, asked, side) AS TABLE (
    WITH _own AS NOT MATERIALIZED (
        SELECT sense_id FROM query_table(asked) WHERE of_context = side AND sense_id IS NOT NULL
    ),
    _sensed AS NOT MATERIALIZED (
        SELECT stored.sentence_id, stored.position
        FROM _store.sense_occurrence AS stored
        SEMI JOIN _own ON _own.sense_id = stored.sense_id
    ),
    _kept AS NOT MATERIALIZED (
        SELECT node.*
        FROM query_table(nodes) AS node
        LEFT JOIN _sensed ON _sensed.sentence_id = node.sentence_id AND _sensed.position = node.position
        WHERE _sensed.position IS NOT NULL OR (SELECT count(*) = 0 FROM _own)
    )
    FROM query_table(CASE WHEN _store.entries() > 0 THEN '_kept' ELSE nodes END)
);

-- A row: a node of the one lexeme that is asked for (asked: w_id), or of its sense (sense_id), in the sentences of a
-- subcorpus, or in all.
CREATE OR REPLACE MACRO _store.node_asked(asked, subcorpus) AS TABLE (
    WITH _given AS MATERIALIZED (
        SELECT w_id AS lexeme_id, sense_id, false AS of_context FROM query_table(asked)
    ),
    _node AS NOT MATERIALIZED (FROM _store.node_of('_given', subcorpus))
    FROM _store.node_of_side('_node', '_given', false)
);
