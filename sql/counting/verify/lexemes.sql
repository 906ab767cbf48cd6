-- A row: a lexeme that is otherwise than the trees make it: its parts, its tokens, or that it is there at all.
WITH either AS (
    SELECT coalesce(own.text, again.text) AS text,
        {'lemma': own.lemma, 'pos': own.pos, 'frequency': own.frequency} AS found,
        {'lemma': again.lemma, 'pos': again.pos, 'frequency': again.frequency} AS expected
    FROM _store.lexeme AS own
    FULL JOIN "/recount"._store.lexeme AS again ON again.text = own.text
)
SELECT 'lexeme' AS what, text AS row, concat_ws(' ', found.lemma, found.pos, coalesce(found.frequency, 0)) AS found,
    concat_ws(' ', expected.lemma, expected.pos, coalesce(expected.frequency, 0)) AS expected
FROM either
WHERE found IS DISTINCT FROM expected;
