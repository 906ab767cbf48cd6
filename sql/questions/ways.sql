-- A row: a path along which two lexemes do meet, and how often; the most frequent first.
SELECT path, count
FROM cooccurrences
WHERE lexeme = $lexeme AND context = $context
ORDER BY count DESC, path
LIMIT 5;
