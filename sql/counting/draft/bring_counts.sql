-- A row: what all that was counted adds to the count of a co-occurrence, both directions of each path; below 0 where it
-- is taken away (sign).
-- @draft@: the store of the draft.
CREATE OR REPLACE TEMP VIEW added AS
SELECT lexeme_id, path_id, context_id, getvariable('sign') * count AS count
FROM @draft@.counted
UNION ALL
SELECT counted.context_id, path.inverse_id, counted.lexeme_id, getvariable('sign') * counted.count
FROM @draft@.counted
JOIN _store.path ON path.id = counted.path_id
WHERE path.inverse_id <> path.id;

-- A row: how many tokens of a lexeme a chunk holds.
CREATE OR REPLACE TEMP VIEW counted_lexeme AS
FROM @draft@.counted_lexeme;
