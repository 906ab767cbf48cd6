-- Adds what the attached lexicon says of the sentences of its corpus $corpus, which is $own here: they are in the same
-- order.
-- @chosen@: the statement that gives the ids of the sentences there that were taken.
INSERT INTO _store.sentence_metadata BY NAME
WITH theirs AS (
    SELECT id, row_number() OVER (ORDER BY id) AS place
    FROM "/other"._store.sentence
    SEMI JOIN (@chosen@) AS chosen ON chosen.sentence_id = id
    WHERE corpus_id = $corpus
),
own AS (
    SELECT id, row_number() OVER (ORDER BY id) AS place FROM _store.sentence WHERE corpus_id = $own
)
SELECT own.id AS sentence_id, said.* EXCLUDE (sentence_id)
FROM "/other"._store.sentence_metadata AS said
JOIN theirs ON theirs.id = said.sentence_id
JOIN own ON own.place = theirs.place
ORDER BY own.id;
