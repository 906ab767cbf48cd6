-- A row: a lexeme whose vector has another size than the one that is kept for it under its weighting.
-- @id@: the weighting's id.
-- @phi@: its phi.
-- @part@: the part of the corpora that it is of, or NULL.
WITH of_weighting AS (
    SELECT *, NULL::VARCHAR AS path_text FROM _store.kept_weights(@id@, _store.needs_no_paths(@phi@, 'all'))
),
defined AS (
    SELECT lexeme_id, fsum(value) AS total, fsum(value * value) AS square, min(value) AS least
    FROM _store.dimensions('of_weighting', @phi@, @part@)
    WHERE value <> 0
    GROUP BY lexeme_id
),
kept AS (
    SELECT lexeme_id, total, square, least
    FROM _store.kept_size
    WHERE weighting_id = @id@
)
SELECT 'size' AS what, lexeme.text AS row, concat_ws(' ', kept.total, kept.square, kept.least) AS found,
    concat_ws(' ', defined.total, defined.square, defined.least) AS expected
FROM kept
FULL JOIN defined ON defined.lexeme_id = kept.lexeme_id
LEFT JOIN _store.lexeme ON lexeme.id = coalesce(kept.lexeme_id, defined.lexeme_id)
WHERE kept.total IS NULL OR defined.total IS NULL
    OR abs(kept.total - defined.total) > 1e-9 * greatest(1, abs(defined.total))
    OR abs(kept.square - defined.square) > 1e-9 * greatest(1, abs(defined.square))
    OR abs(kept.least - defined.least) > 1e-9 * greatest(1, abs(defined.least));
