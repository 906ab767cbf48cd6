-- A row: a table of a part of the corpora whose rows are not those that its sentences come to, by number and digest.
-- @id@: the part's id here.
-- @again@: its id in the recount.
-- @name@: its name.
-- @choice@: the statement that gives the ids of its sentences.
WITH node_of_whole AS NOT MATERIALIZED (
    SELECT node.id, node.lexeme_id, node.path_id FROM _store.node
),
own AS (
    SELECT 'co-occurrences' AS kind, hash(lexeme_id, path_id, context_id, count) AS digest
    FROM _store.part_cooccurrence WHERE part_id = @id@
    UNION ALL
    SELECT 'nodes', hash(id, lexeme_id, path_id, count) FROM _store.part_node WHERE part_id = @id@
    UNION ALL
    SELECT 'paths', hash(id, text, path_order, inverse_id, count) FROM _store.part_path WHERE part_id = @id@
    UNION ALL
    SELECT 'lexemes', hash(id, text, lemma, pos, frequency, cooccurrences)
    FROM _store.part_lexeme WHERE part_id = @id@
    UNION ALL
    SELECT 'sentences', hash(sentence_id) FROM _store.part_sentence WHERE part_id = @id@
    UNION ALL
    SELECT 'size', hash(sentences, tokens) FROM _store.part WHERE id = @id@
),
again AS (
    SELECT 'co-occurrences' AS kind, hash(lexeme.own_id, path.own_id, context.own_id, count) AS digest
    FROM "/recount"._store.part_cooccurrence AS counted
    JOIN lexeme_id AS lexeme ON lexeme.again_id = counted.lexeme_id
    JOIN path_id AS path ON path.again_id = counted.path_id
    JOIN lexeme_id AS context ON context.again_id = counted.context_id
    WHERE counted.part_id = @again@
    UNION ALL
    SELECT 'nodes', hash(node_of_whole.id, lexeme.own_id, path.own_id, counted.count)
    FROM "/recount"._store.part_node AS counted
    JOIN lexeme_id AS lexeme ON lexeme.again_id = counted.lexeme_id
    JOIN path_id AS path ON path.again_id = counted.path_id
    LEFT JOIN node_of_whole ON node_of_whole.lexeme_id = lexeme.own_id AND node_of_whole.path_id = path.own_id
    WHERE counted.part_id = @again@
    UNION ALL
    SELECT 'paths', hash(path.own_id, path.text, path_order(path.text), inverse.own_id, counted.count)
    FROM "/recount"._store.part_path AS counted
    JOIN path_id AS path ON path.again_id = counted.id
    JOIN path_id AS inverse ON inverse.again_id = counted.inverse_id
    WHERE counted.part_id = @again@
    UNION ALL
    SELECT 'lexemes', hash(lexeme.own_id, lexeme.text, lemma, pos, frequency, cooccurrences)
    FROM "/recount"._store.part_lexeme AS counted
    JOIN lexeme_id AS lexeme ON lexeme.again_id = counted.id
    WHERE counted.part_id = @again@
    UNION ALL
    SELECT 'sentences', hash(sentence_id) FROM (@choice@) AS chosen
    UNION ALL
    SELECT 'size', hash(sentences, tokens) FROM "/recount"._store.part WHERE id = @again@
),
found AS (
    SELECT kind, count(*) AS rows, sum(digest::HUGEINT) AS digest FROM own GROUP BY kind
),
expected AS (
    SELECT kind, count(*) AS rows, sum(digest::HUGEINT) AS digest FROM again GROUP BY kind
)
SELECT 'part' AS what, @name@ || ': ' || kind AS row, coalesce(found.rows, 0) || ' rows' AS found,
    coalesce(expected.rows, 0) || ' rows, with other values' AS expected
FROM found
FULL JOIN expected USING (kind)
WHERE found.digest IS DISTINCT FROM expected.digest;
