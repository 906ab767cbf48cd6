-- A row: a document that a table says something of.
-- @read@: the call that reads the table.
-- @document@: its column of the names of documents.
SELECT @document@::VARCHAR AS document FROM @read@;
