-- One row: how many nodes the folder says it has, and a digest of them and their sums.
SELECT count(*) AS nodes, coalesce(sum(hash(lexeme_id, path_id, count)::HUGEINT), 0) AS digest
FROM folder_node;
