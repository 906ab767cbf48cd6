-- Writing counts and marginals again, slice by slice.

-- name: empty_cooccurrence
-- The counts of the lexicon, as they will be; they take the place of the old ones in the end.
CREATE OR REPLACE TABLE _store.cooccurrence_again (
    lexeme_id INTEGER NOT NULL, path_id INTEGER NOT NULL, context_id INTEGER NOT NULL, count BIGINT NOT NULL,
    merged BIGINT NOT NULL
);

-- name: empty_node
-- The same of the marginals.
CREATE OR REPLACE TABLE _store.node_again (
    id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, path_id INTEGER NOT NULL, count BIGINT NOT NULL,
    merged BIGINT NOT NULL
);

-- name: in_place
-- Puts the counts and marginals that were written again in the place of the old ones.
DROP TABLE _store.cooccurrence;
ALTER TABLE _store.cooccurrence_again RENAME TO cooccurrence;
DROP TABLE _store.node;
ALTER TABLE _store.node_again RENAME TO node;

-- name: put_slice
-- Writes the rows of a slice after those of the slices before.
-- @table@: cooccurrence or node.
INSERT INTO _store.@table@_again FROM @table@_of_slice;

-- name: rows_seen
-- One row: how many of the rows that were written a scan finds. (Without a filter DuckDB counts them from metadata.)
-- @table@: cooccurrence or node.
SELECT count(*) FROM _store.@table@_again WHERE count <> 0;

-- name: in_order
-- A row: a co-occurrence of a slice, in the order that makes the counts their own index.
CREATE OR REPLACE TEMP VIEW cooccurrence_of_slice AS
SELECT lexeme_id, path_id, context_id, count, merged
FROM _store.cooccurrence
WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
ORDER BY lexeme_id, path_id, context_id;

-- A row: a node of the slice, in the same order, by the id that it has.
CREATE OR REPLACE TEMP VIEW node_of_slice AS
SELECT id, lexeme_id, path_id, count, merged
FROM _store.node
WHERE lexeme_id BETWEEN getvariable('first_lexeme') AND getvariable('last_lexeme')
ORDER BY lexeme_id, path_id;
