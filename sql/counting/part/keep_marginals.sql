-- Keeps the nodes of a part, by the ids that they have in the whole lexicon.
-- @id@: the part's id.
INSERT INTO _store.part_node (part_id, id, lexeme_id, path_id, count)
SELECT @id@, node.id, own.lexeme_id, own.path_id, own.count
FROM (
    SELECT lexeme_id, path_id, sum(count)::BIGINT AS count
    FROM _store.part_cooccurrence
    WHERE part_id = @id@
    GROUP BY lexeme_id, path_id
) AS own
JOIN _store.node ON node.lexeme_id = own.lexeme_id AND node.path_id = own.path_id
ORDER BY own.lexeme_id, own.path_id;

-- Keeps its paths, and their totals.
INSERT INTO _store.part_path (part_id, id, text, path_order, inverse_id, count)
SELECT @id@, path.id, path.text, path.path_order, path.inverse_id, own.count
FROM (
    SELECT path_id, sum(count)::BIGINT AS count FROM _store.part_node WHERE part_id = @id@ GROUP BY path_id
) AS own
JOIN _store.path ON path.id = own.path_id
ORDER BY path.id;

-- Keeps its lexemes, the number of their tokens and of their co-occurrences.
INSERT INTO _store.part_lexeme (part_id, id, text, lemma, pos, frequency, cooccurrences)
SELECT @id@, lexeme.id, lexeme.text, lexeme.lemma, lexeme.pos, own.frequency, met.cooccurrences
FROM (SELECT lexeme_id, sum(tokens)::BIGINT AS frequency FROM counted_lexeme GROUP BY lexeme_id) AS own
JOIN (
    SELECT lexeme_id, sum(count)::BIGINT AS cooccurrences FROM _store.part_node WHERE part_id = @id@ GROUP BY lexeme_id
) AS met ON met.lexeme_id = own.lexeme_id
JOIN _store.lexeme ON lexeme.id = own.lexeme_id
ORDER BY lexeme.id;
