-- One row: the number of lexemes that are frequent enough to be a neighbour.
-- @part@: the part of the corpora that they are of, or NULL.
SELECT count(*) FROM lexemes(part := @part@)
WHERE frequency >= coalesce($min_frequency, _store.default_min_frequency(@part@));
