-- Puts the counts and marginals that were written again in the place of the old ones.
DROP TABLE _store.cooccurrence;
ALTER TABLE _store.cooccurrence_again RENAME TO cooccurrence;
DROP TABLE _store.node;
ALTER TABLE _store.node_again RENAME TO node;
