-- The stored trees as relations that everybody can read. A sentence is called by a number that no other sentence of the
-- lexicon has.

-- A row: a node of the stored trees, by sentence and the position of its token, and its word: that of the token itself,
-- or the one that it and others are joined to.
CREATE OR REPLACE VIEW _store.stored_node AS
SELECT token.sentence_id, token.position, token.head, token.relation_id,
    coalesce(joined.word_id, token.word_id) AS word_id
FROM _store.token
LEFT JOIN _store.joined ON joined.sentence_id = token.sentence_id AND joined.position = token.position
WHERE joined.top IS NULL OR joined.top = token.position;

-- A row: a corpus that was added. kind: trees, or counts without trees. skipped: the number of sentences that were left
-- out. has_direct: whether its direct counts are known. has_misc: whether MISC and DEPS of its tokens are stored.
-- Columns: corpus VARCHAR, kind VARCHAR, sentences BIGINT, tokens BIGINT, skipped BIGINT, source VARCHAR, sha256
-- VARCHAR, added_at TIMESTAMP, version VARCHAR, has_direct BOOLEAN, has_misc BOOLEAN
-- Example: SELECT corpus, sentences, tokens FROM corpora
CREATE OR REPLACE VIEW corpora AS
SELECT name AS corpus, kind, sentences, tokens, skipped, source, sha256, added_at, version, has_direct, has_misc
FROM _store.corpus;

-- A row: a token of a sentence as in its file, at its position from 1, with the position of its head (0 for a root);
-- and its lexeme, NULL if it is left out or joined with another token. document and feats are NULL in corpora that were
-- added before they were stored. sentence_number is the same as sentence, named as in evidence. lemma has its capitals,
-- also if lexemes are in lower case. misc: MISC without SpaceAfter=No; deps: DEPS; NULL if empty, and in corpora added
-- without them (has_misc in corpora).
-- Columns: corpus VARCHAR, document VARCHAR, sentence INTEGER, position INTEGER, form VARCHAR, lemma VARCHAR, upos
-- VARCHAR, xpos VARCHAR, feats VARCHAR, head INTEGER, relation VARCHAR, lexeme VARCHAR, space_after BOOLEAN,
-- sentence_number INTEGER, misc VARCHAR, deps VARCHAR
-- Example: FROM tokens WHERE lexeme = 'shoot/NOUN' LIMIT 10
CREATE OR REPLACE VIEW tokens AS
SELECT corpus.name AS corpus, document.name AS document, token.sentence_id AS sentence, token.position, word.form,
    word.lemma, word.upos, word.xpos, nullif(word.feats, '') AS feats, token.head, relation.text AS relation,
    lexeme.text AS lexeme, token.space_after, token.sentence_id AS sentence_number, nullif(misc.text, '') AS misc,
    CASE WHEN deps.text = '=' THEN token.head || ':' || relation.text ELSE nullif(deps.text, '') END AS deps
FROM _store.token
JOIN _store.sentence ON sentence.id = token.sentence_id
JOIN _store.corpus ON corpus.id = sentence.corpus_id
LEFT JOIN _store.document ON document.id = sentence.document_id
JOIN _store.word ON word.id = token.word_id
JOIN _store.relation ON relation.id = token.relation_id
LEFT JOIN _store.joined ON joined.sentence_id = token.sentence_id AND joined.position = token.position
LEFT JOIN _store.word AS counted
    ON counted.id = CASE
        WHEN joined.top IS NULL THEN token.word_id
        WHEN joined.top = token.position THEN joined.word_id
    END
LEFT JOIN _store.lexeme ON lexeme.id = counted.lexeme_id
JOIN _store.annotation AS misc ON misc.id = token.misc_id
JOIN _store.annotation AS deps ON deps.id = token.deps_id;

-- A row: a head, a relation and a dependent, and the number of such arcs in the stored trees, without packing.
-- Columns: head VARCHAR, relation VARCHAR, dependent VARCHAR, count BIGINT
-- Example: FROM arcs WHERE head = 'shoot/NOUN' ORDER BY count DESC LIMIT 10
CREATE OR REPLACE VIEW arcs AS
WITH _counted AS NOT MATERIALIZED (
    SELECT head.text AS head, path.text[2:] AS relation, dependent.text AS dependent, arc.count
    FROM _store.direct_cooccurrence AS arc
    JOIN _store.path ON path.id = arc.path_id
    JOIN _store.lexeme AS head ON head.id = arc.lexeme_id
    JOIN _store.lexeme AS dependent ON dependent.id = arc.context_id
    WHERE path.path_order = 1 AND starts_with(path.text, '>')
),
_in_trees AS NOT MATERIALIZED (
    SELECT head.text AS head, relation.label AS relation, dependent.text AS dependent, count(*) AS count
    FROM _store.stored_node AS node
    JOIN _store.relation ON relation.id = node.relation_id
    JOIN _store.word AS word ON word.id = node.word_id
    JOIN _store.lexeme AS dependent ON dependent.id = word.lexeme_id
    LEFT JOIN _store.joined AS over ON over.sentence_id = node.sentence_id AND over.position = node.head
    JOIN _store.stored_node AS above
        ON above.sentence_id = node.sentence_id AND above.position = coalesce(over.top, node.head)
    JOIN _store.word AS word_above ON word_above.id = above.word_id
    JOIN _store.lexeme AS head ON head.id = word_above.lexeme_id
    WHERE relation.label IS NOT NULL
    GROUP BY ALL
)
FROM query_table(CASE WHEN _store.counts_are_arcs() THEN '_counted' ELSE '_in_trees' END);

-- A row: a path, its order, its inverse, its first and last relation with their directions (NULL for ε), and its
-- packed count n_τ; direct: that of its direct counts, NULL if they are not known.
-- Columns: path VARCHAR, path_order INTEGER, inverse VARCHAR, first_step VARCHAR, last_step VARCHAR, count BIGINT,
-- direct BIGINT
-- Example: FROM paths WHERE path_order = 1 ORDER BY count DESC LIMIT 10
CREATE OR REPLACE VIEW paths AS
SELECT path.text AS path, path.path_order, inverse.text AS inverse,
    nullif(regexp_extract(path.text, '^[<>][^<>]+'), '') AS first_step,
    nullif(regexp_extract(path.text, '[<>][^<>]+$'), '') AS last_step, path.count,
    CASE WHEN _store.without_direct(NULL) IS NULL THEN path.count - path.merged END AS direct
FROM _store.path
JOIN _store.path AS inverse ON inverse.id = path.inverse_id;

-- A row: a path with its packed count and its direct count, in a subcorpus or in the whole lexicon.
-- Columns: path VARCHAR, path_order INTEGER, inverse VARCHAR, first_step VARCHAR, last_step VARCHAR, count BIGINT,
-- direct BIGINT
-- Example: FROM paths(subcorpus := NULL) ORDER BY count DESC LIMIT 10
CREATE OR REPLACE MACRO paths(subcorpus := NULL) AS TABLE (
    SELECT path.text AS path, path.path_order, inverse.text AS inverse,
        nullif(regexp_extract(path.text, '^[<>][^<>]+'), '') AS first_step,
        nullif(regexp_extract(path.text, '[<>][^<>]+$'), '') AS last_step, path.count,
        CASE WHEN _store.without_direct(subcorpus) IS NULL THEN path.count - path.merged END AS direct
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('paths', row(subcorpus)) AS _constants
    CROSS JOIN _store.path_in(subcorpus) AS path
    JOIN _store.path_in(subcorpus) AS inverse ON inverse.id = path.inverse_id
    WHERE _store.admitted('@stamp@', _store.check_subcorpus(subcorpus))
);

-- A row: a node of a lexeme's APT, with the packed count of all co-occurrences of the lexeme along its path, n_wτ;
-- direct: that of its direct counts, NULL if they are not known.
-- Columns: lexeme VARCHAR, path VARCHAR, count BIGINT, direct BIGINT
-- Example: FROM nodes WHERE lexeme = 'shoot/NOUN' ORDER BY count DESC LIMIT 10
CREATE OR REPLACE VIEW nodes AS
SELECT lexeme.text AS lexeme, path.text AS path, node.count,
    CASE WHEN _store.without_direct(NULL) IS NULL THEN node.count - node.merged END AS direct
FROM _store.node
JOIN _store.lexeme ON lexeme.id = node.lexeme_id
JOIN _store.path ON path.id = node.path_id;

-- A row: a node of a lexeme's APT with its packed count and its direct count, in a subcorpus or in the whole lexicon.
-- Columns: lexeme VARCHAR, path VARCHAR, count BIGINT, direct BIGINT
-- Example: FROM nodes(subcorpus := NULL) WHERE lexeme = 'shoot/NOUN' LIMIT 10
CREATE OR REPLACE MACRO nodes(subcorpus := NULL) AS TABLE (
    SELECT lexeme.text AS lexeme, path.text AS path, node.count,
        CASE WHEN _store.without_direct(subcorpus) IS NULL THEN node.count - node.merged END AS direct
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('nodes', row(subcorpus)) AS _constants
    CROSS JOIN _store.node_in(subcorpus) AS node
    JOIN _store.lexeme_in(subcorpus) AS lexeme ON lexeme.id = node.lexeme_id
    JOIN _store.path_in(subcorpus) AS path ON path.id = node.path_id
    WHERE _store.admitted('@stamp@', _store.check_subcorpus(subcorpus))
);

-- A row: a feature, a context at the end of a path, with the packed count of all its co-occurrences, n_τw'; direct:
-- that of its direct counts, NULL if they are not known.
-- Columns: path VARCHAR, context VARCHAR, count BIGINT, direct BIGINT
-- Example: FROM features WHERE path = '<amod' ORDER BY count DESC LIMIT 10
CREATE OR REPLACE VIEW features AS
SELECT path.text AS path, context.text AS context, node.count,
    CASE WHEN _store.without_direct(NULL) IS NULL THEN node.count - node.merged END AS direct
FROM _store.node
JOIN _store.path AS inverse ON inverse.id = node.path_id
JOIN _store.path ON path.id = inverse.inverse_id
JOIN _store.lexeme AS context ON context.id = node.lexeme_id;

-- A row: a feature with its packed count and its direct count, in a subcorpus or in the whole lexicon.
-- Columns: path VARCHAR, context VARCHAR, count BIGINT, direct BIGINT
-- Example: FROM features(subcorpus := NULL) WHERE path = '<amod' ORDER BY count DESC LIMIT 10
CREATE OR REPLACE MACRO features(subcorpus := NULL) AS TABLE (
    SELECT path.text AS path, context.text AS context, node.count,
        CASE WHEN _store.without_direct(subcorpus) IS NULL THEN node.count - node.merged END AS direct
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('features', row(subcorpus)) AS _constants
    CROSS JOIN _store.node_in(subcorpus) AS node
    JOIN _store.path_in(subcorpus) AS inverse ON inverse.id = node.path_id
    JOIN _store.path_in(subcorpus) AS path ON path.id = inverse.inverse_id
    JOIN _store.lexeme_in(subcorpus) AS context ON context.id = node.lexeme_id
    WHERE _store.admitted('@stamp@', _store.check_subcorpus(subcorpus))
);

-- A row: a setting of the lexicon, by its name in Python, and its value as text; also the time and the version of aptdb
-- that made the lexicon, and the version of its tables (schema).
-- Columns: setting VARCHAR, value VARCHAR
-- Example: FROM settings WHERE setting = 'order'
CREATE OR REPLACE VIEW settings AS
SELECT one.setting, one.value
FROM (
    SELECT unnest([
            {'setting': 'order', 'value': settings.max_order::VARCHAR},
            {'setting': 'lexeme', 'value': settings.lexeme::VARCHAR},
            {'setting': 'lowercase', 'value': settings.lowercase::VARCHAR},
            {'setting': 'exclude_upos', 'value': settings.exclude_upos::VARCHAR},
            {'setting': 'relations', 'value': settings.relations::VARCHAR},
            {'setting': 'relation_map', 'value': settings.relation_map::VARCHAR},
            {'setting': 'pos_map', 'value': settings.pos_map::VARCHAR},
            {'setting': 'exclude_relations', 'value': settings.exclude_relations::VARCHAR},
            {'setting': 'join', 'value': settings.joined_relations::VARCHAR},
            {'setting': 'min_token_length', 'value': settings.min_token_length::VARCHAR},
            {'setting': 'nfc', 'value': settings.nfc::VARCHAR},
            {'setting': 'stop_list', 'value': settings.stop_list::VARCHAR},
            {'setting': 'stemmer', 'value': settings.stemmer::VARCHAR},
            {'setting': 'created_at', 'value': settings.created_at::VARCHAR},
            {'setting': 'version', 'value': settings.version::VARCHAR},
            {'setting': 'schema', 'value': alembic_version.version_num}
        ]) AS one
    FROM _store.settings
    CROSS JOIN _store.alembic_version
);
