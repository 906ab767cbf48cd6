-- What is recorded of reduced spaces: it stands here as one JSON text, so that plans are made for the space that is
-- asked for, e.g. without a window where it has none. NULL where there is no space of the name.

-- A fact of a space as text, as a number, and as a whole number: its id; shift; dimensions, and tree_dimensions, those
-- of features along paths; window, how near words are that it has, 0 for none, and window_share, how much these count;
-- of the lexemes that were decomposed min_frequency and pos; and least_frequency, from which on lexemes have a vector.
CREATE OR REPLACE MACRO _store.space_fact(space, fact) AS
    json_extract_string(@recorded_spaces@, lower(concat('in ', space, '/', fact)));
CREATE OR REPLACE MACRO _store.space_number(space, fact) AS
    try_cast(_store.space_fact(space, fact) AS DOUBLE);
CREATE OR REPLACE MACRO _store.space_count(space, fact) AS
    try_cast(_store.space_fact(space, fact) AS INTEGER);

-- The id of a space; otherwise an error, not NULL: a plan that finds nothing to read looks no further.
CREATE OR REPLACE MACRO _store.space_id(space) AS
    CASE
        WHEN _store.space_fact(space, 'id') IS NOT NULL THEN _store.space_count(space, 'id')
        ELSE error('no space ' || space || '; ' || @recorded_known_spaces@)::INTEGER
    END;
