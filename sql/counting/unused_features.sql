-- A row: a feature that lexemes are made with and no word has, and what features there are, the most frequent first.
-- @written@: the names that there are (written_names).
WITH named AS (
    SELECT unnest(regexp_extract_all(lexeme, '\{feats:([^{}]*)\}', 1)) AS name
    FROM _store.settings
),
feature AS (
    SELECT name, tokens FROM @written@ WHERE kind = 'feature'
),
there AS (
    SELECT array_to_string(list(name ORDER BY tokens DESC, name)[:12], ', ') AS names
    FROM feature
)
SELECT 'lexeme' AS setting, named.name, 'feature' AS kind, coalesce(there.names, 'none') AS there
FROM named
CROSS JOIN there
ANTI JOIN feature ON feature.name = named.name
ORDER BY named.name;
