-- A row: a co-occurrence, in the order that makes the counts their own index.
CREATE OR REPLACE TEMP TABLE in_order AS
FROM _store.cooccurrence
ORDER BY lexeme_id, path_id, context_id;

DELETE FROM _store.cooccurrence;

INSERT INTO _store.cooccurrence FROM in_order;

-- A row: a node, in the same order, by the id that it has.
CREATE OR REPLACE TEMP TABLE in_order AS
FROM _store.node
ORDER BY lexeme_id, path_id;

DELETE FROM _store.node;

INSERT INTO _store.node FROM in_order;

DROP TABLE in_order;
