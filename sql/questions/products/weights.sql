-- One row: how many co-occurrences the lexemes have that may be neighbours; their vectors have no more weights.
-- @fewest@: the fewest tokens of one.
SELECT count(*)
FROM _store.cooccurrence AS met
SEMI JOIN _store.candidate_place(@fewest@) AS candidate ON candidate.lexeme_id = met.lexeme_id
