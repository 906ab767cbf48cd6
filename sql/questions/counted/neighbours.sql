-- A row: a neighbour, with its frequency; NULL for an entry.
-- @query@: the neighbours, in order.
-- @part@: the part of the corpora, or NULL.
SELECT near.* EXCLUDE (place), known.frequency
FROM (SELECT *, row_number() OVER () AS place FROM (@query@)) AS near
LEFT JOIN _store.lexeme_in(@part@) AS known ON known.text = near.lexeme
ORDER BY near.place ASC;
