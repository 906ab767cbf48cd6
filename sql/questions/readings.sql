-- Readings of typed phrases.

-- name: analysis
-- A row: a lexeme that one of the typed $words may be, and how many tokens that are written so it has; NULL for the
-- tokens that are left out. A lexeme whose lemma is typed, and that is never written so, is taken to be so once; with
-- all of its tokens where it came as counts, without forms, or where nothing is written so. A word that is the text of
-- a lexeme is that lexeme alone.
WITH typed AS MATERIALIZED (
    SELECT DISTINCT unnest($words) AS word
),
of_form AS MATERIALIZED (
    SELECT typed.word, form.id AS word_id, form.lexeme_id
    FROM _store.word AS form
    JOIN typed ON lower(form.form) = lower(typed.word)
),
written AS MATERIALIZED (
    SELECT of_form.word, of_form.lexeme_id, count(*) AS tokens
    FROM _store.token
    JOIN of_form ON of_form.word_id = token.word_id
    GROUP BY of_form.word, of_form.lexeme_id
    UNION ALL
    SELECT of_form.word, of_form.lexeme_id, count(*)
    FROM _store.joined
    JOIN of_form ON of_form.word_id = joined.word_id
    WHERE joined.position = joined.top
    GROUP BY of_form.word, of_form.lexeme_id
),
of_lemma AS MATERIALIZED (
    SELECT typed.word, lexeme.id AS lexeme_id, lexeme.frequency AS tokens
    FROM _store.lexeme
    JOIN typed ON lower(lexeme.lemma) = lower(typed.word)
),
unwritten AS (
    SELECT of_lemma.word, of_lemma.lexeme_id, CASE
            WHEN of_lemma.word IN (SELECT written.word FROM written)
            AND of_lemma.lexeme_id IN (SELECT form.lexeme_id FROM _store.word AS form WHERE form.lexeme_id IS NOT NULL)
            THEN 1
            ELSE of_lemma.tokens
        END AS tokens
    FROM of_lemma
    ANTI JOIN written ON written.word = of_lemma.word AND written.lexeme_id = of_lemma.lexeme_id
),
named AS (
    SELECT typed.word, lexeme.id AS lexeme_id, greatest(lexeme.frequency, 1) AS tokens
    FROM _store.lexeme
    JOIN typed ON typed.word = lexeme.text
    WHERE contains(typed.word, '/')
),
found AS (
    SELECT word, lexeme_id, sum(tokens)::BIGINT AS tokens
    FROM (FROM written UNION ALL BY NAME FROM unwritten)
    WHERE word NOT IN (SELECT named.word FROM named)
    GROUP BY word, lexeme_id
    UNION ALL
    FROM named
)
SELECT found.word, lexeme.id, lexeme.text, lexeme.pos, greatest(lexeme.frequency, 1) AS frequency, found.tokens
FROM found
LEFT JOIN _store.lexeme ON lexeme.id = found.lexeme_id
ORDER BY found.word ASC, found.tokens DESC, lexeme.text ASC;

-- name: near
-- A row: a lexeme that is spelt nearly like a typed $word, the likeliest first.
SELECT text FROM _store.near_lexeme($word, NULL) ORDER BY rank LIMIT 5;

-- name: grammar
-- A row: a relation between words of two parts of speech in the first $sentences sentences, at one place of the
-- dependent (before its head or not, and between the two: nothing '', one word by its part of speech, or '*' more),
-- how many arcs are so, and how often two such words are expected along the relation, for each pair of their tokens in
-- the lexicon (rate). relation is '' for words without a head, and rate then their share of all words of their part of
-- speech.
WITH token AS MATERIALIZED (
    SELECT node.sentence_id, node.position, node.head, relation.label AS relation, lexeme.pos,
        row_number() OVER sentence AS place, lead(lexeme.pos) OVER sentence AS next_pos
    FROM _store.stored_node AS node
    JOIN _store.relation ON relation.id = node.relation_id
    JOIN _store.word ON word.id = node.word_id
    JOIN _store.lexeme ON lexeme.id = word.lexeme_id
    WHERE node.sentence_id <= $sentences
    WINDOW sentence AS (PARTITION BY node.sentence_id ORDER BY node.position ASC)
),
tagged AS MATERIALIZED (
    SELECT pos, count(*) AS tokens FROM token GROUP BY pos
),
size AS (
    SELECT (SELECT count(*) FROM token) / sum(frequency) AS share FROM _store.lexeme
),
arc AS MATERIALIZED (
    SELECT head.pos AS head, token.pos AS dependent,
        CASE WHEN head.place IS NULL THEN '' ELSE token.relation END AS relation,
        coalesce(token.place < head.place, false) AS before, CASE
            WHEN head.place IS NULL OR abs(token.place - head.place) = 1 THEN ''
            WHEN head.place - token.place = 2 THEN token.next_pos
            WHEN token.place - head.place = 2 THEN head.next_pos
            ELSE '*'
        END AS between, count(*) AS arcs
    FROM token
    LEFT JOIN token AS head ON head.sentence_id = token.sentence_id AND head.position = token.head
    WHERE token.relation IS NOT NULL OR head.place IS NULL
    GROUP BY ALL
)
SELECT arc.head, arc.dependent, arc.relation, CASE
        WHEN arc.relation = '' THEN arc.arcs / of_dependent.tokens
        ELSE sum(arc.arcs) OVER (PARTITION BY arc.head, arc.dependent, arc.relation) * size.share
            / (of_head.tokens * of_dependent.tokens)
    END AS rate, arc.before, coalesce(arc.between, '') AS between, arc.arcs
FROM arc
JOIN tagged AS of_dependent ON of_dependent.pos IS NOT DISTINCT FROM arc.dependent
LEFT JOIN tagged AS of_head ON of_head.pos IS NOT DISTINCT FROM arc.head
CROSS JOIN size
ORDER BY ALL;

-- name: arc
-- A row: a relation along which one of $lexemes may be the head of another: its direct count (count), and how
-- often it would be by chance, from how often either meets anything along the relation (expected).
WITH asked AS MATERIALIZED (
    SELECT unnest($lexemes::INTEGER[]) AS id
),
down AS MATERIALIZED (
    SELECT id, inverse_id, text[2:] AS relation, count - merged AS count
    FROM _store.path
    WHERE path_order = 1 AND starts_with(text, '>') AND count > merged
),
node AS MATERIALIZED (
    SELECT lexeme_id, path_id, count - merged AS count
    FROM _store.node
    WHERE lexeme_id IN (SELECT id FROM asked) AND count > merged
),
counted AS MATERIALIZED (
    SELECT lexeme_id, path_id, context_id, count - merged AS count
    FROM _store.cooccurrence
    WHERE lexeme_id IN (SELECT id FROM asked) AND context_id IN (SELECT id FROM asked)
)
SELECT head.lexeme_id AS head, dependent.lexeme_id AS dependent, down.relation, coalesce(counted.count, 0) AS count,
    head.count * dependent.count / down.count AS expected
FROM down
JOIN node AS head ON head.path_id = down.id
JOIN node AS dependent ON dependent.path_id = down.inverse_id
LEFT JOIN counted
    ON counted.lexeme_id = head.lexeme_id AND counted.path_id = down.id AND counted.context_id = dependent.lexeme_id
ORDER BY ALL;

-- name: known
-- A row: one of $texts that is the text of a lexeme or the name of an entry.
SELECT text FROM _store.lexeme WHERE text IN (SELECT unnest($texts))
UNION
SELECT name FROM _store.entry WHERE name IN (SELECT unnest($texts));
