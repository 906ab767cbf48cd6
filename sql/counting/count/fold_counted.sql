-- The same with one row for each co-occurrence: all that was counted of it, summed.
DROP TABLE _store.counted;

ALTER TABLE _store.folded RENAME TO counted;
