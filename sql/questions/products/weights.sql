-- One row: how many co-occurrences the lexemes have that may be neighbours; their vectors have no more weights.
-- @fewest@: the fewest tokens of one.
-- @part@: the part of the corpora that they are of, or NULL.
SELECT count(*)
FROM _store.cooccurrence_in(@part@) AS met
SEMI JOIN _store.candidate_place(@fewest@, @part@) AS candidate ON candidate.lexeme_id = met.lexeme_id
