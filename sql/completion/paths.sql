-- A row: a path that begins with $begin, of $lexeme or, if that is NULL, of any; and its count. Short ones come first.
SELECT path.text, coalesce(sum(node.count), any_value(path.count))::BIGINT AS count
FROM _store.path AS path
LEFT JOIN _store.node AS node
    ON node.path_id = path.id AND node.lexeme_id = (SELECT id FROM _store.lexeme WHERE text = $lexeme)
WHERE path.text > '' AND starts_with(path.text, $begin) AND ($lexeme IS NULL OR node.id IS NOT NULL)
GROUP BY path.text, path.path_order
ORDER BY path.path_order, count DESC, path.text
