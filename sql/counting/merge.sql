-- Merging lexicons: their corpora, one by one.

-- name: no_relation
-- A row: a relation of the attached lexicon that paths cannot be made of, and that the settings do not rename.
SELECT text
FROM "/other"._store.relation
WHERE regexp_matches(text, '[<>]') AND new_relation(text) IS NULL
ORDER BY text;

-- name: corpora
-- A row: a corpus of the attached lexicon, in the order of the additions.
SELECT id, name, kind, sha256, tokens, has_direct
FROM "/other"._store.corpus
ORDER BY id;

-- name: add_corpus
-- Adds the record of a corpus of the attached lexicon, as it is there, with the time and the version of its reading.
-- Trees are counted again, so that their direct counts are known.
INSERT INTO _store.corpus (
    id, name, source, sha256, sentences, tokens, added_at, version, kind, skipped, has_direct, has_misc
)
SELECT $own, $name, source, sha256, sentences, tokens, added_at, version, kind, skipped, has_direct OR kind = 'trees',
    has_misc
FROM "/other"._store.corpus
WHERE id = $corpus;

-- name: rename_document
-- Renames the document of a corpus without documents, which has the name of its corpus.
-- @corpus@: the id of the corpus.
-- @former@: its former name.
-- @new@: its new name.
UPDATE _store.document SET name = @new@ WHERE corpus_id = @corpus@ AND name = @former@;
