-- The same with one row for each co-occurrence: all that was counted of it, summed.
DROP TABLE counted;

ALTER TABLE folded RENAME TO counted;
