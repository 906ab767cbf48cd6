-- A row: a word of a phrase, and the node where it stands in the phrase's own tree, seen from the anchor.
-- $words: the words as JSON: lexeme, delta.
-- $seen_from: the path from the anchor's word to the root's.
SELECT word.lexeme, path_offset(path_inverse(word.delta), path_inverse($seen_from)) AS path
FROM (
    SELECT unnest(from_json($words, '[{"lexeme": "VARCHAR", "delta": "VARCHAR"}]'), max_depth := 2)
) AS word;
