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
