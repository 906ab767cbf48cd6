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
