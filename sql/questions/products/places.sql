-- A row: a lexeme that may be a neighbour, in the order of their places: its group, -1 where it has none. Who is asked
-- for `same` has neighbours in the own group, else in 0.
-- @fewest@: the fewest tokens of one.
-- @part@: the part of the corpora that they are of, or NULL.
-- @tag@: their part of speech: same, any, or a tag.
SELECT CASE
        WHEN @tag@ = 'any' THEN 0
        WHEN @tag@ = 'same' THEN pos_id
        WHEN part_of_speech = @tag@ THEN 0
        ELSE -1
    END::INTEGER AS group_id
FROM _store.candidate_place(@fewest@, @part@)
ORDER BY place;
