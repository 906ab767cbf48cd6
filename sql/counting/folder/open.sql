-- Fills the lexemes, by the ids of the folder.
INSERT INTO _store.lexeme (id, text, lemma, pos, frequency, cooccurrences)
SELECT lexeme_id, lexeme,
    CASE WHEN getvariable('has_pos') THEN regexp_replace(lexeme, '/[^/]*$', '') ELSE lexeme END,
    CASE WHEN getvariable('has_pos') THEN regexp_extract(lexeme, '[^/]*$') END,
    frequency, cooccurrences
FROM folder_lexeme
WHERE frequency > 0
ORDER BY lexeme_id;

-- Fills the paths, in the same way.
INSERT INTO _store.path (id, text, path_order, inverse_id, count)
SELECT path_id, path, path_order, inverse_id, count
FROM folder_path
ORDER BY path_id;

-- Fills the nodes, numbered in order, as an addition to an empty lexicon does.
INSERT INTO _store.node (id, lexeme_id, path_id, count)
SELECT row_number() OVER (ORDER BY lexeme_id, path_id), lexeme_id, path_id, count
FROM folder_node
ORDER BY lexeme_id, path_id;
