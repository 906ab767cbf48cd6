-- A row: a lexeme of one part of a thesaurus and one of its neighbours; the most frequent lexemes first.
-- @min_frequency@: the fewest tokens of a lexeme.
-- @part@: the part of the corpora that they are of, or NULL.
-- @first@: the place of the first lexeme.
-- @size@: how many.
-- @neighbours@: the call that ranks.
WITH asked AS (
    SELECT lexeme
    FROM lexemes(part := @part@)
    WHERE frequency >= coalesce(@min_frequency@, _store.default_min_frequency(@part@))
    ORDER BY frequency DESC, lexeme
    LIMIT @size@ OFFSET @first@
)
SELECT question AS lexeme, lexeme AS neighbour, similarity
FROM @neighbours@;
