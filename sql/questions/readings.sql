-- Readings of typed phrases.

-- name: analysis
-- A row: a lexeme that one of the typed $words may be, and how many tokens that are written so it has; NULL for the
-- tokens that are left out. A lexeme whose lemma is typed, and that is never written so, is taken to be so once; with
-- all of its tokens where it came as counts, without forms, or where nothing is written so. A word that is the text of
-- a lexeme is that lexeme alone.
WITH typed AS MATERIALIZED (SELECT DISTINCT unnest($words) AS word),
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

-- name: split
-- A row: one of the typed $words and the forms of up to four adjacent tokens that together are written so, how often
-- they stand side by side, and how many tokens are written so as one. Without a space in between, or, with an
-- apostrophe, with spaces: some treebanks have no others. A word that is never written so is cut at its apostrophe.
-- Capitals and the shape of apostrophes make no difference.
WITH RECURSIVE typed AS MATERIALIZED (
    SELECT word, lower(replace(word, '’', '''')) AS text FROM (SELECT DISTINCT unnest($words) AS word)
),
piece AS MATERIALIZED (
    SELECT DISTINCT form.id AS word_id, lower(replace(form.form, '’', '''')) AS text
    FROM _store.word AS form
    JOIN typed ON contains(typed.text, lower(replace(form.form, '’', '''')))
    WHERE form.form <> ''
),
piece_token AS MATERIALIZED (
    SELECT token.sentence_id, token.position, token.space_after, piece.text
    FROM _store.token
    JOIN piece ON piece.word_id = token.word_id
),
chain (word, text, done, sentence_id, position, parts) AS (
    SELECT typed.word, typed.text, piece_token.text, piece_token.sentence_id, piece_token.position, [piece_token.text]
    FROM typed
    JOIN piece_token ON starts_with(typed.text, piece_token.text)
    UNION ALL
    SELECT chain.word, chain.text, chain.done || next.text, chain.sentence_id, next.position,
        list_append(chain.parts, next.text)
    FROM chain
    JOIN piece_token AS last ON last.sentence_id = chain.sentence_id AND last.position = chain.position
    JOIN piece_token AS next ON next.sentence_id = chain.sentence_id AND next.position = chain.position + 1
    WHERE starts_with(chain.text, chain.done || next.text) AND len(chain.parts) < 4
        AND (NOT last.space_after OR contains(chain.text, ''''))
),
seen AS (
    SELECT word, parts, count(*) AS times,
        sum(CASE WHEN len(parts) = 1 THEN count(*) ELSE 0 END) OVER (PARTITION BY word) AS alone
    FROM chain
    WHERE done = text
    GROUP BY word, parts
),
-- A row: two forms of which a word with an apostrophe may be made, though they never stand side by side.
unseen AS (
    SELECT typed.word, [one.text, other.text] AS parts, count(*) AS times, 0 AS alone
    FROM typed
    ANTI JOIN seen ON seen.word = typed.word
    JOIN piece_token AS other ON suffix(typed.text, other.text) AND contains(other.text, '''')
    JOIN (SELECT DISTINCT text FROM piece) AS one ON one.text || other.text = typed.text
    GROUP BY typed.word, one.text, other.text
)
FROM seen
UNION ALL BY NAME
FROM unseen
ORDER BY word ASC, times DESC, parts ASC;

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
tagged AS MATERIALIZED (SELECT pos, count(*) AS tokens FROM token GROUP BY pos),
size AS (SELECT (SELECT count(*) FROM token) / sum(frequency) AS share FROM _store.lexeme),
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
WITH asked AS MATERIALIZED (SELECT unnest($lexemes::INTEGER[]) AS id),
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
SELECT name FROM _store.stored_entry WHERE name IN (SELECT unnest($texts));
