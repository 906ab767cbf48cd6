-- A row: what a table says of a document under one name.
-- @read@: the call that reads the table.
-- @document@: its column of the names of documents.
SELECT document, name, value
FROM (
    UNPIVOT (SELECT @document@::VARCHAR AS document, COLUMNS(* EXCLUDE (@document@))::VARCHAR FROM @read@)
    ON COLUMNS(* EXCLUDE (document)) INTO NAME name VALUE value
);
