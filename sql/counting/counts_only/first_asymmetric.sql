-- One row: the first line whose co-occurrence is counted otherwise from its other end, and what it is counted there; no
-- row where all are symmetric.
SELECT own.line, own.lexeme, own.path, own.context, own.count, given_path.inverse, coalesce(other.count, 0) AS counted
FROM given_text AS own
JOIN given_path ON given_path.text = own.path
LEFT JOIN given_text AS other
    ON other.lexeme = own.context AND other.context = own.lexeme AND other.path = given_path.inverse
WHERE own.count <> coalesce(other.count, 0)
ORDER BY own.line
LIMIT 1;
