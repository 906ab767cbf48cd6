-- That there is no such subcorpus of the corpora to ask, and what there is.
CREATE OR REPLACE MACRO _store.no_subcorpus(subcorpus) AS
    'no subcorpus ' || subcorpus || @recorded_subcorpora@;

-- Where a name stands in a JSON object, as a JSON pointer (RFC 6901), which any name can be.
CREATE OR REPLACE MACRO _store.pointer(name) AS
    '/' || replace(replace(coalesce(name, ''), '~', '~0'), '/', '~1');

-- Whether there is a part of this name that is kept. (The names and ids of all stand here as one text: a list would be
-- planned item by item, wherever a subcorpus is read.)
CREATE OR REPLACE MACRO _store.is_subcorpus(subcorpus) AS
    coalesce(json_exists(@recorded_subcorpus_ids@, _store.pointer(subcorpus::VARCHAR)), false);

-- The id of a subcorpus that is kept, by its name; otherwise an error. (It is an error and not NULL: a plan that finds
-- nothing to read looks no further, at what else is wrong.)
CREATE OR REPLACE MACRO _store.subcorpus_id(subcorpus) AS
    CASE
        WHEN _store.is_subcorpus(subcorpus)
        THEN json_extract_string(@recorded_subcorpus_ids@, _store.pointer(subcorpus::VARCHAR))::INTEGER
        ELSE error(_store.no_subcorpus(subcorpus))::INTEGER
    END;

-- True where subcorpus is the name of a subcorpus that is kept, or NULL; otherwise an error that says what there is.
CREATE OR REPLACE MACRO _store.check_subcorpus(subcorpus) AS
    CASE
        WHEN subcorpus IS NULL OR _store.is_subcorpus(subcorpus) THEN true
        ELSE error(_store.no_subcorpus(subcorpus))
    END;
