-- A row: a feature that lexemes are made with and no word has, and what features there are, the most frequent first.
WITH named AS (
    SELECT unnest(regexp_extract_all(lexeme, '\{feats:([^{}]*)\}', 1)) AS name
    FROM _store.settings
),
-- A row: a feature of a word, and the number of tokens of that word.
feature AS (
    SELECT split_part(unnest(string_split(word.feats, '|')), '=', 1) AS name, used.tokens
    FROM (SELECT word_id, count(*) AS tokens FROM _store.token GROUP BY word_id) AS used
    JOIN _store.word ON word.id = used.word_id
    WHERE contains(word.feats, '=')
),
there AS (
    SELECT array_to_string(list(name ORDER BY tokens DESC, name)[:12], ', ') AS names
    FROM (SELECT name, sum(tokens) AS tokens FROM feature GROUP BY name)
)
SELECT 'lexeme' AS setting, named.name, 'feature' AS kind, coalesce(there.names, 'none') AS there
FROM named
CROSS JOIN there
ANTI JOIN feature ON feature.name = named.name
ORDER BY named.name;
