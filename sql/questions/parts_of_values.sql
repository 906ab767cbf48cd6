-- A row: a value that sentences have, and a part that is kept and has all of those sentences and no others.
-- @kind@: what the value is of: corpus, document, or what is said of documents or sentences.
WITH value_of AS MATERIALIZED (
    FROM _store.sentence_value(@kind@, NULL)
),
of_whole AS (
    SELECT value, count(*) AS sentences FROM value_of GROUP BY value
),
of_part AS (
    SELECT chosen.part_id, min(value_of.value) AS value, count(*) AS sentences
    FROM _store.part_sentence AS chosen
    JOIN value_of ON value_of.sentence_id = chosen.sentence_id
    GROUP BY chosen.part_id
    HAVING count(DISTINCT value_of.value) = 1 AND count(value_of.value) = count(*)
)
SELECT of_part.value, min(part.name) AS part
FROM of_part
JOIN of_whole ON of_whole.value = of_part.value AND of_whole.sentences = of_part.sentences
JOIN _store.part ON part.id = of_part.part_id
WHERE part.state = 'kept'
GROUP BY of_part.value;
