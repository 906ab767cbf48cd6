-- A row: a token that is joined with others otherwise than the settings join it.
WITH own AS (
    SELECT sentence.place, joined.position, {
        'top': joined.top, 'form': word.form, 'lemma': word.lemma, 'upos': word.upos, 'xpos': word.xpos,
        'feats': word.feats
    } AS part
    FROM _store.joined
    JOIN _store.word ON word.id = joined.word_id
    JOIN (SELECT id, row_number() OVER (ORDER BY corpus_id, id) AS place FROM _store.sentence) AS sentence
        ON sentence.id = joined.sentence_id
),
again AS (
    SELECT sentence.place, joined.position, {
        'top': joined.top, 'form': word.form, 'lemma': word.lemma, 'upos': word.upos, 'xpos': word.xpos,
        'feats': word.feats
    } AS part
    FROM "/recount"._store.joined
    JOIN "/recount"._store.word ON word.id = joined.word_id
    JOIN (SELECT id, row_number() OVER (ORDER BY corpus_id, id) AS place FROM "/recount"._store.sentence) AS sentence
        ON sentence.id = joined.sentence_id
)
SELECT 'joined word' AS what,
    'sentence ' || coalesce(own.place, again.place)
    || ' of all, word ' || coalesce(own.position, again.position) AS row,
    coalesce(concat_ws(' ', own.part.form, 'at', own.part.top), 'not joined') AS found,
    coalesce(concat_ws(' ', again.part.form, 'at', again.part.top), 'not joined') AS expected
FROM own
FULL JOIN again ON again.place = own.place AND again.position = own.position
WHERE own.part IS DISTINCT FROM again.part;
