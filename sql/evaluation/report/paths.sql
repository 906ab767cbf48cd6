-- A row: one of the paths that most is met along, and what is: how often, how many co-occurrences, and the most
-- frequent one. Of a path and its inverse, along which the same is met the other way, only one is a row.
SELECT path.text AS path, path.count AS "sum of counts", along.cooccurrences AS "co-occurrences",
    lexeme.text || ' – ' || context.text AS "most frequent"
FROM _store.path
JOIN (
    SELECT path_id, count(*) AS cooccurrences,
        max_by({'lexeme_id': lexeme_id, 'context_id': context_id}, (count, -lexeme_id, -context_id)) AS top
    FROM _store.cooccurrence
    GROUP BY path_id
) AS along ON along.path_id = path.id
JOIN _store.lexeme ON lexeme.id = along.top.lexeme_id
JOIN _store.lexeme AS context ON context.id = along.top.context_id
JOIN _store.path AS inverse ON inverse.id = path.inverse_id AND inverse.text >= path.text
ORDER BY path.count DESC, path.text
LIMIT 20;
