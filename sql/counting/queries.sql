-- Settings that nothing in a corpus matches, and names that need quotation marks.

-- name: written_names
-- A row: a relation, a part of speech or a feature as files write it, its kind, and the number of tokens that have it.
-- @tokens@: the tokens that are looked at: word_id, relation_id, and how many are alike.
WITH token AS (SELECT word_id, relation_id, tokens FROM @tokens@)
SELECT 'relation' AS kind, relation.text AS name, sum(token.tokens)::BIGINT AS tokens
FROM token
JOIN _store.relation ON relation.id = token.relation_id
GROUP BY ALL
UNION ALL
SELECT 'part of speech', word.upos, sum(token.tokens)::BIGINT
FROM token
JOIN _store.word ON word.id = token.word_id
GROUP BY ALL
UNION ALL
SELECT 'xpos', word.xpos, sum(token.tokens)::BIGINT
FROM token
JOIN _store.word ON word.id = token.word_id
GROUP BY ALL
UNION ALL
SELECT 'feature', name, sum(tokens)::BIGINT
FROM (
    SELECT split_part(unnest(string_split(word.feats, '|')), '=', 1) AS name, token.tokens
    FROM (SELECT word_id, sum(tokens) AS tokens FROM token GROUP BY word_id) AS token
    JOIN _store.word ON word.id = token.word_id
    WHERE contains(word.feats, '=')
)
GROUP BY ALL;

-- name: unused_settings
-- A row: a name in a setting of this lexicon that nothing in its text has, and what there is, the most frequent first.
-- @written@: the names that there are (written_names).
-- One row: the settings that name something, as lists and maps.
WITH setting AS (
    SELECT relations, from_json(joined_relations, '["VARCHAR"]') AS joined,
        from_json(exclude_relations, '["VARCHAR"]') AS excluded_relations,
        from_json(exclude_upos, '["VARCHAR"]') AS excluded_upos,
        from_json(relation_map, '"MAP(VARCHAR, VARCHAR)"') AS relation_map,
        from_json(pos_map, '"MAP(VARCHAR, VARCHAR)"') AS pos_map
    FROM _store.settings
),
named AS (
    SELECT 'join' AS setting, unnest(joined) AS name, 'relation' AS kind FROM setting
    UNION ALL
    SELECT 'exclude_relations', unnest(excluded_relations), 'relation' FROM setting
    UNION ALL
    SELECT 'relation_map', unnest(map_keys(relation_map)), 'old relation' FROM setting
    UNION ALL
    SELECT 'exclude_upos', unnest(excluded_upos), 'part of speech' FROM setting
    UNION ALL
    SELECT 'pos_map', unnest(map_keys(pos_map)), 'old part of speech' FROM setting
),
-- A row: a relation or a part of speech as files write it (a relation without its subtype where that is not counted),
-- its kind, and the number of tokens that have it.
written AS (
    SELECT found.kind, CASE WHEN found.kind = 'relation' AND setting.relations = 'universal'
            THEN string_split(found.name, ':')[1] ELSE found.name
        END AS name, found.tokens
    FROM @written@ AS found
    CROSS JOIN setting
),
-- A row: the same, once by the name that files write and once by the new one.
met AS (
    SELECT 'old ' || kind AS kind, name, tokens FROM written
    UNION ALL
    SELECT written.kind, coalesce(
            map_extract_value(
                CASE written.kind WHEN 'relation' THEN setting.relation_map ELSE setting.pos_map END, written.name
            ),
            written.name
        ), written.tokens
    FROM written
    CROSS JOIN setting
),
there AS (
    SELECT kind, array_to_string(list(name ORDER BY tokens DESC, name)[:12], ', ') AS names
    FROM (SELECT kind, name, sum(tokens) AS tokens FROM met GROUP BY kind, name)
    GROUP BY kind
)
SELECT named.setting, named.name, replace(named.kind, 'old ', '') AS kind, there.names
FROM named
JOIN there ON there.kind = named.kind
ANTI JOIN met ON met.kind = named.kind AND met.name = named.name
ANTI JOIN written AS tag ON named.setting = 'pos_map' AND tag.kind = 'xpos' AND tag.name = named.name
ORDER BY named.setting, named.name;

-- name: unused_features
-- A row: a feature that lexemes are made with and no word has, and what features there are, the most frequent first.
-- @written@: the names that there are (written_names).
WITH named AS (
    SELECT unnest(regexp_extract_all(lexeme, '\{feats:([^{}]*)\}', 1)) AS name
    FROM _store.settings
),
feature AS (SELECT name, tokens FROM @written@ WHERE kind = 'feature'),
there AS (
    SELECT array_to_string(list(name ORDER BY tokens DESC, name)[:12], ', ') AS names
    FROM feature
)
SELECT 'lexeme' AS setting, named.name, 'feature' AS kind, coalesce(there.names, 'none') AS there
FROM named
CROSS JOIN there
ANTI JOIN feature ON feature.name = named.name
ORDER BY named.name;

-- name: last_id
-- One row: the greatest id in a table, 0 where there is none.
-- @table@: the table.
SELECT coalesce(max(id), 0) FROM _store.@table@;

-- name: spelt_twice
-- A row: a lexeme in Unicode's normal form C that another lexeme looks like, where one of the two is new.
-- @known@: the greatest id of the lexemes that are not new.
SELECT DISTINCT composed.text
FROM _store.lexeme AS other
JOIN _store.lexeme AS composed ON composed.text = nfc_normalize(other.text)
WHERE other.text <> nfc_normalize(other.text) AND greatest(other.id, composed.id) > @known@
ORDER BY composed.text ASC;

-- name: left_out
-- One row: the number of lexemes, and of words that the stop list may have left out: those that are no lexeme, and that
-- no other setting leaves out for sure. (Tags that are renamed, and words that are joined, are not looked into.)
SELECT (SELECT count(*) FROM _store.lexeme) AS lexemes, count(*) FILTER (
        word.lexeme_id IS NULL AND (
            settings.pos_map <> '{}' OR settings.nfc
            OR length(word.form) >= settings.min_token_length
            AND NOT list_contains(from_json(settings.exclude_upos, '["VARCHAR"]'), word.upos)
        )
    ) AS stopped
FROM _store.settings
LEFT JOIN _store.word ON true;

-- name: lacking
-- A row: a corpus, its words, and how many have no lemma (_) but a form, how many no UPOS, and how many no XPOS.
-- @tokens@: the words, by the id of their corpus and their own: a query.
SELECT own.corpus_id, count(*) AS words, count(*) FILTER (word.lemma = '_' AND word.form <> '_') AS lemma,
    count(*) FILTER (word.upos = '_') AS upos, count(*) FILTER (word.xpos = '_') AS xpos
FROM @tokens@ AS own
JOIN _store.word ON word.id = own.word_id
GROUP BY own.corpus_id
ORDER BY own.corpus_id;

-- name: tokens_of
-- A row: a token of corpora, by the id of its corpus and that of its word.
-- @corpora@: the ids of the corpora.
WITH asked AS MATERIALIZED ( -- first, or the tokens of all corpora are read
    SELECT id, corpus_id FROM _store.sentence WHERE corpus_id IN (SELECT unnest(@corpora@::INTEGER[]))
)
SELECT asked.corpus_id, token.word_id
FROM _store.token
JOIN asked ON asked.id = token.sentence_id;

-- name: without_direct
-- A row: a corpus with trees whose direct counts are not known yet, and its tokens.
SELECT id, tokens
FROM _store.corpus
WHERE kind = 'trees' AND NOT has_direct
ORDER BY id;

-- name: same_content
-- A row: the corpus that has the same content. Those that are about to be replaced are none.
-- $digest: of the content. $former: what names of such corpora begin with.
SELECT name FROM _store.corpus WHERE sha256 = $digest AND NOT starts_with(name, $former);

-- name: add_corpora
-- Adds a row for each corpus of $corpora, which is JSON. $added_at: when they were added. $version: by which aptdb.
INSERT INTO _store.corpus BY NAME
SELECT unnest(from_json($corpora, '[{
        "id": "INTEGER", "name": "VARCHAR", "source": "VARCHAR", "sha256": "VARCHAR", "sentences": "BIGINT",
        "tokens": "BIGINT", "kind": "VARCHAR", "skipped": "BIGINT", "has_direct": "BOOLEAN",
        "has_misc": "BOOLEAN"
    }]'), max_depth := 2), $added_at AS added_at, $version AS version;

-- name: corpora_known
-- A row: a corpus of the lexicon by its name and digest. Those that are about to be replaced are none.
-- $former: what names of such corpora begin with.
SELECT name, sha256 FROM _store.corpus WHERE NOT starts_with(name, $former);
