-- What is typical of one subcorpus beside another.

-- One row: the number of tokens that a comparison is with: those of a subcorpus, of the rest, or of another lexicon;
-- and a corpus there that came as counts, without tokens that these could be compared with.
CREATE OR REPLACE MACRO _store.beside(a, b, other) AS TABLE (
    WITH _elsewhere AS NOT MATERIALIZED (
        SELECT sum(tokens) AS tokens, min(corpus) FILTER (kind = 'counts') AS counts
        FROM query_table(coalesce(other || '.main.corpora', 'corpora'))
    ),
    _subcorpus AS NOT MATERIALIZED (
        SELECT tokens, NULL AS counts FROM _store.tokens_in(b)
    ),
    _rest AS NOT MATERIALIZED (
        SELECT whole.tokens - own.tokens AS tokens,
            (SELECT min(corpus.name) FROM _store.corpus WHERE corpus.kind = 'counts') AS counts
        FROM _store.tokens_in(NULL) AS whole, _store.tokens_in(a) AS own
    )
    SELECT tokens::BIGINT AS tokens, counts
    FROM query_table(CASE WHEN other IS NOT NULL THEN '_elsewhere' WHEN b IS NULL THEN '_rest' ELSE '_subcorpus' END)
);

-- True where both sides of a comparison have tokens, and nothing that came as counts; otherwise an error.
CREATE OR REPLACE MACRO _store.check_sizes(a, b, other) AS (
    SELECT CASE
        WHEN coalesce(beside.counts, own.counts) IS NOT NULL THEN error(
            coalesce(beside.counts, own.counts) || ' came as counts, without tokens to compare by; compare subcorpora, '
            || 'which have only sentences'
        )
        WHEN beside.tokens = 0 THEN error(
            'there is nothing beside ' || coalesce(a, 'this lexicon') || ' to compare with'
        )
        ELSE true
    END
    FROM _store.beside(a, b, other) AS beside, (
        SELECT min(name) FILTER (kind = 'counts' AND a IS NULL) AS counts FROM _store.corpus
    ) AS own
);

-- Whether direct counts of an attached lexicon are not known.
CREATE OR REPLACE MACRO _store.lacks_direct(other) AS (
    SELECT other IS NOT NULL AND NOT coalesce(bool_and(has_direct), true)
    FROM query_table(coalesce(other || '.main.corpora', 'corpora'))
);

-- True where two subcorpora can be compared; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_keyness(a, b, kind, min_count, other, counts) AS
    CASE
        @keyness_checks@
        WHEN NOT (_store.check_subcorpus(a) AND _store.check_subcorpus(b)) THEN false
        WHEN a IS NULL AND other IS NULL THEN error('a is NULL; expected the name of a subcorpus (see subcorpora)')
        WHEN other IS NOT NULL AND b IS NOT NULL THEN error(
            'b and other are both given; compare with a subcorpus of this lexicon, or with another one'
        )
        WHEN a = b THEN error(
            'a and b are both the subcorpus ' || a || '; compare it with another, or leave b out for the rest'
        )
        WHEN kind <> 'lexemes' AND NOT _store.check_counts(counts, CASE WHEN b IS NOT NULL THEN a END) THEN false
        WHEN kind <> 'lexemes' AND _store.compared_counts(a, b, counts) = 'direct' AND _store.lacks_direct(other)
        THEN error(
            'the lexicon ' || other || ' has no direct counts of all its corpora; ask for counts := ''packed'''
        )
        ELSE _store.check_sizes(a, b, other)
    END;

-- Which counts a comparison is of, where all are known in both: in a subcorpus, or in all.
CREATE OR REPLACE MACRO _store.compared_counts(a, b, counts) AS
    _store.shown_counts(counts, CASE WHEN b IS NOT NULL THEN a END);

-- A row: what is counted in a subcorpus, or in all, by ids (0 where it has none) and how often. Of a pair
-- that is one seen from both ends, the one whose path begins with an up, as <amod; ε is left out.
CREATE OR REPLACE MACRO _store.counted_item(kind, subcorpus, counts) AS TABLE (
    WITH _one_way AS NOT MATERIALIZED (
        SELECT path.id, path.text = inverse.text AS is_own_inverse, path.count
        FROM _store.path_in(subcorpus, counts) AS path
        JOIN _store.path AS inverse ON inverse.id = path.inverse_id
        WHERE path.text <> '' AND path.text <= inverse.text
    ),
    _lexemes AS NOT MATERIALIZED (
        SELECT id AS lexeme_id, 0 AS path_id, 0 AS context_id, frequency AS count FROM _store.lexeme_in(subcorpus)
    ),
    _paths AS NOT MATERIALIZED (
        SELECT 0 AS lexeme_id, id AS path_id, 0 AS context_id, count FROM _one_way
    ),
    _cooccurrences AS NOT MATERIALIZED (
        SELECT met.lexeme_id, met.path_id, met.context_id, met.count
        FROM _store.cooccurrence_in(subcorpus, counts) AS met
        JOIN _one_way ON _one_way.id = met.path_id
        WHERE NOT _one_way.is_own_inverse OR met.lexeme_id <= met.context_id
    )
    FROM query_table(CASE WHEN kind IN ('paths', 'cooccurrences') THEN '_' || kind ELSE '_lexemes' END)
);

-- A row: what is counted in two subcorpora, or in one and in the rest, by ids, with both counts.
CREATE OR REPLACE MACRO _store.compared_subcorpora(a, b, kind, counts) AS TABLE (
    WITH _in_a AS NOT MATERIALIZED (
        FROM _store.counted_item(kind, a, counts)
    ),
    _in_b AS NOT MATERIALIZED (
        FROM _store.counted_item(kind, b, counts)
    ),
    _both AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, coalesce(_in_a.count, 0) AS count_a, coalesce(_in_b.count, 0) AS count_b
        FROM _in_a
        FULL JOIN _in_b USING (lexeme_id, path_id, context_id)
    ),
    -- (Where b is NULL it is the whole.)
    _beside_rest AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, count_a, count_b - count_a AS count_b FROM _both
    )
    FROM query_table(CASE WHEN b IS NULL THEN '_beside_rest' ELSE '_both' END)
);

-- A row: the same with texts.
CREATE OR REPLACE MACRO _store.compared_texts(compared) AS TABLE (
    SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, item.count_a, item.count_b
    FROM query_table(compared) AS item
    LEFT JOIN _store.lexeme ON lexeme.id = item.lexeme_id
    LEFT JOIN _store.path ON path.id = item.path_id
    LEFT JOIN _store.lexeme AS context ON context.id = item.context_id
);

-- A row: what is counted in another lexicon that is attached under this name, by text, as _store.counted_item has it.
CREATE OR REPLACE MACRO _store.item_elsewhere(kind, other, counts) AS TABLE (
    WITH _lexemes AS NOT MATERIALIZED (
        SELECT lexeme, '' AS path, '' AS context, frequency AS count
        FROM query_table(coalesce(other || '.main.lexemes', 'lexemes'))
    ),
    _one_way AS NOT MATERIALIZED (
        SELECT path, path = inverse AS is_own_inverse, CASE WHEN counts = 'direct' THEN direct ELSE count END AS count
        FROM query_table(coalesce(other || '.main.paths', 'paths'))
        WHERE path <> '' AND path <= inverse
    ),
    _paths AS NOT MATERIALIZED (
        SELECT '' AS lexeme, path, '' AS context, count FROM _one_way
    ),
    _cooccurrences AS NOT MATERIALIZED (
        SELECT met.lexeme, met.path, met.context,
            CASE WHEN counts = 'direct' THEN met.direct ELSE met.count END AS count
        FROM query_table(coalesce(other || '.main.cooccurrences', 'cooccurrences')) AS met
        JOIN _one_way ON _one_way.path = met.path
        WHERE NOT _one_way.is_own_inverse OR met.lexeme <= met.context
    )
    FROM query_table(CASE WHEN kind IN ('paths', 'cooccurrences') THEN '_' || kind ELSE '_lexemes' END)
    WHERE count > 0
);

-- A row: what is counted in a subcorpus of this lexicon, or in all of it, and in another one, with both counts.
CREATE OR REPLACE MACRO _store.compared_lexicons(a, kind, other, counts) AS TABLE (
    WITH _item AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, count AS count_a, 0 AS count_b FROM _store.counted_item(kind, a, counts)
    ),
    -- (Of a pair seen from both ends along a path that is its own inverse, ids and texts may choose differently.)
    _here AS NOT MATERIALIZED (
        SELECT CASE WHEN path = path_inverse(path) THEN least(lexeme, context) ELSE lexeme END AS lexeme, path,
            CASE WHEN path = path_inverse(path) THEN greatest(lexeme, context) ELSE context END AS context, count_a
        FROM _store.compared_texts('_item')
    ),
    _there AS NOT MATERIALIZED (
        FROM _store.item_elsewhere(kind, other, counts)
    )
    SELECT coalesce(here.lexeme, nullif(there.lexeme, '')) AS lexeme,
        coalesce(here.path, nullif(there.path, '')) AS path,
        coalesce(here.context, nullif(there.context, '')) AS context, coalesce(here.count_a, 0) AS count_a,
        coalesce(there.count, 0) AS count_b
    FROM _here AS here
    FULL JOIN _there AS there
        ON there.lexeme = coalesce(here.lexeme, '') AND there.path = coalesce(here.path, '')
        AND there.context = coalesce(here.context, '')
);

-- A row: a lexeme, a co-occurrence or a path, its counts in the subcorpora a and b, also per million tokens, and how
-- typical it is of one of them: g2 (Rayson & Garside 2000); log_ratio, above 0 if it is more frequent in a (Hardie
-- 2014); p_value; q_value, the false discovery rate among all items with min_count or more in both together (NULL for
-- others). If b is NULL, it is everything that is not in a. other: the name of an attached lexicon, in place of b; then
-- a may be NULL, for the whole lexicon. of: lexemes, cooccurrences or paths; a pair that is counted from both ends has
-- one row.
-- Example: SELECT * FROM aptdb_help WHERE name = 'keyness'
CREATE OR REPLACE MACRO keyness(a, b := NULL, @parameters_of_keyness@) AS TABLE (
    WITH _subcorpora AS NOT MATERIALIZED (
        FROM _store.compared_subcorpora(a, b, of, _store.compared_counts(a, b, counts))
    ),
    _lexicons AS NOT MATERIALIZED (
        FROM _store.compared_lexicons(a, of, other, _store.compared_counts(a, b, counts))
    ),
    _compared AS MATERIALIZED (
        FROM query_table(CASE WHEN other IS NULL THEN '_subcorpora' ELSE '_lexicons' END)
        WHERE (SELECT _store.guard('@stamp@') AND _store.check_keyness(a, b, of, min_count, other, counts))
    ),
    _keyness AS NOT MATERIALIZED (
        FROM _store.keyness_of(
            '_compared', (SELECT tokens FROM _store.tokens_in(a)),
            (SELECT tokens FROM _store.beside(a, b, other)), min_count
        )
        WHERE q_value IS NOT NULL
    ),
    _with_texts AS NOT MATERIALIZED (
        SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, _keyness.*
        FROM _keyness
        LEFT JOIN _store.lexeme ON lexeme.id = _keyness.lexeme_id
        LEFT JOIN _store.path ON path.id = _keyness.path_id
        LEFT JOIN _store.lexeme AS context ON context.id = _keyness.context_id
    )
    SELECT lexeme, path, context, count_a, count_b, per_million_a, per_million_b, g2, log_ratio, p_value, q_value
    FROM query_table(CASE WHEN other IS NULL THEN '_with_texts' ELSE '_keyness' END)
);
