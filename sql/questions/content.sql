-- One row: what tells apart two lexicons, or one before and after it grew or other parts of it were kept, or two
-- weightings of one name ($weights), as far as answers go; and whether the weights are known here, and not a relation
-- of the user's own.
SELECT md5(concat_ws(
    ' ', settings.uid, settings.definitions,
    (
        SELECT string_agg(
            concat_ws(':', corpus.id, corpus.sha256, corpus.tokens, corpus.added_at), ' ' ORDER BY corpus.id
        )
        FROM _store.corpus
    ),
    (
        SELECT string_agg(concat_ws(':', part.name, part.condition), ' ' ORDER BY part.name)
        FROM _store.part
    ),
    (
        SELECT weightings.scheme || weightings.parameters || weightings.phi
        FROM weightings
        WHERE weightings.name = lower($weights)
    )
)) AS content, _store.scheme($weights) IS NOT NULL AS known
FROM _store.settings;
