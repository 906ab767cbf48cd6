-- A row: a fault of the chunk; those that others may only follow from come first.
SELECT line, kind, problem, rank
FROM fault
ORDER BY rank > 1, line, rank;
