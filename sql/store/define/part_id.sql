-- That there is no such part of the corpora to ask, and what there is.
CREATE OR REPLACE MACRO _store.no_part(part) AS
    'no part ' || part || @recorded_parts@;

-- Where a name stands in a JSON object, as a JSON pointer (RFC 6901), which any name can be.
CREATE OR REPLACE MACRO _store.pointer(name) AS
    '/' || replace(replace(coalesce(name, ''), '~', '~0'), '/', '~1');

-- Whether there is a part of this name that is kept. (The names and ids of all stand here as one text: a list would be
-- planned item by item, wherever a part is read.)
CREATE OR REPLACE MACRO _store.is_part(part) AS
    coalesce(json_exists(@recorded_part_ids@, _store.pointer(part::VARCHAR)), false);

-- The id of a part that is kept, by its name; otherwise an error. (It is an error and not NULL: a plan that finds
-- nothing to read looks no further, at what else is wrong.)
CREATE OR REPLACE MACRO _store.part_id(part) AS
    CASE
        WHEN _store.is_part(part)
        THEN json_extract_string(@recorded_part_ids@, _store.pointer(part::VARCHAR))::INTEGER
        ELSE error(_store.no_part(part))::INTEGER
    END;

-- True where part is the name of a part that is kept, or NULL; otherwise an error that says what there is.
CREATE OR REPLACE MACRO _store.check_part(part) AS
    CASE
        WHEN part IS NULL OR _store.is_part(part) THEN true
        ELSE error(_store.no_part(part))
    END;
