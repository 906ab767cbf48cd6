-- One row: the first line whose co-occurrence has another count from its other end, and that count; no row if all are
-- symmetric.
SELECT own.line, own.lexeme, own.path, own.context, own.count, counts_path.inverse, coalesce(other.count, 0) AS counted
FROM counts_text AS own
JOIN counts_path ON counts_path.text = own.path
LEFT JOIN counts_text AS other
    ON other.lexeme = own.context AND other.context = own.lexeme AND other.path = counts_path.inverse
WHERE own.count <> coalesce(other.count, 0)
ORDER BY own.line
LIMIT 1;
