-- A row: a lexeme, a path and a context, and the number of their co-occurrences in packed trees, #⟨w, τ, w'⟩; direct:
-- how many of these are paths of the trees themselves, as one arc for a path of one step (NULL if a corpus was added
-- without direct counts).
-- Columns: lexeme VARCHAR, path VARCHAR, context VARCHAR, count BIGINT, direct BIGINT
-- Example: FROM cooccurrences WHERE lexeme = 'shoot/NOUN' ORDER BY count DESC LIMIT 10
CREATE OR REPLACE VIEW cooccurrences AS
SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, cooccurrence.count,
    CASE WHEN _store.without_direct(NULL) IS NULL THEN cooccurrence.count - cooccurrence.merged END AS direct
FROM _store.cooccurrence
JOIN _store.lexeme ON lexeme.id = cooccurrence.lexeme_id
JOIN _store.path ON path.id = cooccurrence.path_id
JOIN _store.lexeme AS context ON context.id = cooccurrence.context_id;

-- A row: a co-occurrence, its packed count and its direct count, in a subcorpus or in the whole lexicon.
-- Columns: lexeme VARCHAR, path VARCHAR, context VARCHAR, count BIGINT, direct BIGINT
-- Example: FROM cooccurrences(subcorpus := NULL) WHERE lexeme = 'shoot/NOUN' LIMIT 10
CREATE OR REPLACE MACRO cooccurrences(subcorpus := NULL) AS TABLE (
    SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, cooccurrence.count,
        CASE WHEN _store.without_direct(subcorpus) IS NULL THEN cooccurrence.count - cooccurrence.merged END AS direct
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('cooccurrences', row(subcorpus)) AS _constants
    CROSS JOIN _store.cooccurrence_in(subcorpus) AS cooccurrence
    JOIN _store.lexeme_in(subcorpus) AS lexeme ON lexeme.id = cooccurrence.lexeme_id
    JOIN _store.path_in(subcorpus) AS path ON path.id = cooccurrence.path_id
    JOIN _store.lexeme_in(subcorpus) AS context ON context.id = cooccurrence.context_id
    WHERE _store.admitted('@stamp@', _store.check_subcorpus(subcorpus))
);

-- A row: a lexeme, its lemma, its part of speech, and its number of tokens.
-- Columns: lexeme VARCHAR, lemma VARCHAR, pos VARCHAR, frequency BIGINT
-- Example: FROM lexemes WHERE pos = 'NOUN' ORDER BY frequency DESC LIMIT 10
CREATE OR REPLACE VIEW lexemes AS
SELECT text AS lexeme, lemma, pos, frequency
FROM _store.lexeme;

-- A row: a lexeme, by id. The set to weigh when nothing narrower is asked for.
CREATE OR REPLACE VIEW _store.every_lexeme AS
SELECT id AS lexeme_id FROM _store.lexeme;
