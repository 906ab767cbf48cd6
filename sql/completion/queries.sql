-- What a shell offers on Tab: names that begin with what was typed.

-- name: relations
-- A row: a grammatical relation that begins with $begin, and how often it is counted.
SELECT substr(text, 2) AS relation, count - merged AS count
FROM _store.path
WHERE path_order = 1 AND starts_with(text, '>' || $begin)
ORDER BY count DESC, relation;

-- name: contexts
-- A row: a context that begins with $begin and occurs with $lexeme along $path, or along any if that is NULL; and how
-- often, by direct counts. The most frequent come first. The first and the last of all that match are among them, as
-- for lexemes.
WITH met AS (
    SELECT met.context_id, sum(met.count - met.merged)::BIGINT AS frequency
    FROM _store.cooccurrence AS met
    WHERE met.count > met.merged
        AND met.lexeme_id = (SELECT id FROM _store.lexeme WHERE text = $lexeme)
        AND ($path IS NULL OR met.path_id = (SELECT id FROM _store.path WHERE text = $path))
    GROUP BY met.context_id
),
matching AS (
    SELECT context.text, met.frequency
    FROM met
    JOIN _store.lexeme AS context ON context.id = met.context_id
    WHERE starts_with(context.text, $begin)
)
SELECT text, frequency
FROM matching
QUALIFY row_number() OVER (ORDER BY frequency DESC, text ASC) <= $most
    OR text IN (min(text) OVER (), max(text) OVER ())
ORDER BY frequency DESC, text;

-- name: lexemes
-- A row: a lexeme or entry that begins with $begin, and how often it occurs; the most frequent come first.
-- The first and the last of all that match are among them, so that all rows begin with what all that match begin with.
WITH matching AS (
    SELECT text, frequency FROM _store.lexeme WHERE starts_with(text, $begin)
    UNION ALL
    SELECT name AS text, NULL AS frequency FROM _store.stored_entry WHERE starts_with(name, $begin)
)
SELECT text, frequency
FROM matching
QUALIFY row_number() OVER (ORDER BY frequency DESC NULLS LAST, text ASC) <= $most
    OR text IN (min(text) OVER (), max(text) OVER ())
ORDER BY frequency DESC NULLS LAST, text;

-- name: paths
-- A row: a path that begins with $begin, of $lexeme or, if that is NULL, of any; and its count. Short ones come first.
SELECT path.text, coalesce(sum(node.count - node.merged), any_value(path.count - path.merged))::BIGINT AS count
FROM _store.path AS path
LEFT JOIN _store.node AS node
    ON node.path_id = path.id AND node.lexeme_id = (SELECT id FROM _store.lexeme WHERE text = $lexeme)
WHERE path.text > '' AND starts_with(path.text, $begin) AND ($lexeme IS NULL OR node.id IS NOT NULL)
GROUP BY path.text, path.path_order
ORDER BY path.path_order, count DESC, path.text;

-- name: derived
-- A row: what is kept of a kind ($kind; NULL for any), and its condition, phrase, scheme or dimensions.
SELECT name, coalesce(asked['condition'], asked['phrase'], asked['scheme'], made['dimensions'])
FROM _store.derived
WHERE $kind IS NULL OR kind = $kind
ORDER BY name;

-- name: corpora
-- A row: a corpus, and how many tokens it has.
SELECT name, tokens
FROM _store.corpus
ORDER BY id;

-- name: columns
-- A row: a column that says something of documents or sentences, and of which.
SELECT column_name, replace(table_name, '_metadata', '') AS of
FROM duckdb_columns()
WHERE
    schema_name = '_store'
    AND table_name IN ('document_metadata', 'sentence_metadata')
    AND column_name NOT IN ('document_id', 'sentence_id')
ORDER BY table_name, column_index;

-- name: tags
-- A row: a part of speech of lexemes, and how many tokens have it.
SELECT pos, sum(frequency)::BIGINT AS tokens
FROM _store.lexeme
WHERE pos > ''
GROUP BY pos
ORDER BY tokens DESC, pos;
