-- Keeps what measures divide by: the sums of the vector of each lexeme that has one, under the weighting's phi.
-- @id@: the weighting's id.
-- @phi@: its phi.
-- @part@: the part of the corpora that it is of, or NULL.
INSERT INTO _store.kept_size (weighting_id, lexeme_id, total, square, least)
WITH of_weighting AS (
    SELECT *, NULL::VARCHAR AS path_text FROM _store.kept_weights(@id@, _store.needs_no_paths(@phi@, 'all'))
)
SELECT @id@, lexeme_id, fsum(value), fsum(value * value), min(value)
FROM _store.dimensions('of_weighting', @phi@, @part@)
WHERE value <> 0
GROUP BY lexeme_id
ORDER BY lexeme_id;
