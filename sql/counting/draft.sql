-- Staging: what an addition makes before it enters the lexicon.

-- name: name_words
-- Points each word of the lexicon that is a lexeme now to it.
-- @draft@: the store of the draft.
UPDATE _store.word
SET lexeme_id = drafted.lexeme_id
FROM @draft@.word AS drafted
WHERE drafted.id = word.id AND word.lexeme_id IS NULL AND drafted.lexeme_id IS NOT NULL;

-- name: bring_new
-- Adds a row for each word, relation, annotation, lexeme or path that the draft was the first to have.
-- @draft@: the store of the draft.
-- @table@: their table.
INSERT INTO _store.@table@
FROM @draft@.@table@
WHERE id > (SELECT coalesce(max(id), 0) FROM _store.@table@);

-- name: bring_all
-- Adds the trees of the draft: its sentences, their tokens in order, or which of them are joined into one lexeme.
-- @draft@: the store of the draft.
-- @table@: the table of these.
INSERT INTO _store.@table@ FROM @draft@.@table@;

-- name: bring_counts
-- A row: what all that was counted adds to the count of a co-occurrence, and how much of it is merged, both directions
-- of each path; below 0 where it is taken away (sign, sign_of_merged).
-- @draft@: the store of the draft.
CREATE OR REPLACE TEMP VIEW added AS
SELECT lexeme_id, path_id, context_id, getvariable('sign') * count AS count,
    getvariable('sign_of_merged') * merged AS merged
FROM @draft@.counted
UNION ALL
SELECT counted.context_id, path.inverse_id, counted.lexeme_id, getvariable('sign') * counted.count,
    getvariable('sign_of_merged') * counted.merged
FROM @draft@.counted
JOIN _store.path ON path.id = counted.path_id
WHERE path.inverse_id <> path.id;

-- A row: how many tokens of a lexeme a chunk holds.
CREATE OR REPLACE TEMP VIEW counted_lexeme AS
FROM @draft@.counted_lexeme;

-- name: take_all
-- Takes over what the lexicon knows already, by the same ids.
-- @own@: the store of the lexicon.
-- @table@: word, relation, annotation, lexeme or path.
INSERT INTO _store.@table@ FROM @own@.@table@;

-- name: last_known
-- The greatest ids of the lexicon's words, lexemes and annotations; new ones follow them.
-- @own@: the store of the lexicon.
SET VARIABLE last_word = (SELECT coalesce(max(id), 0) FROM @own@.word);

SET VARIABLE last_lexeme = (SELECT coalesce(max(id), 0) FROM @own@.lexeme);

SET VARIABLE last_annotation = (SELECT coalesce(max(id), 0) FROM @own@.annotation);

-- name: take_words
-- Takes over the words as written that the lexicon knows, by the same ids.
-- @own@: the store of the lexicon.
INSERT INTO _store.word
FROM @own@.word
SEMI JOIN written_word USING (form, lemma, upos, xpos, feats)
ANTI JOIN _store.word AS taken ON taken.id = word.id;

-- name: take_annotations
-- Takes over what the lexicon knows of the chunk's MISC and DEPS, by the same ids.
-- @own@: the store of the lexicon.
INSERT INTO _store.annotation
FROM @own@.annotation
SEMI JOIN (SELECT misc AS text FROM kept_word UNION SELECT deps FROM kept_word) AS met ON met.text = annotation.text
ANTI JOIN _store.annotation AS taken ON taken.id = annotation.id;

-- name: take_lexemes
-- Takes over the lexemes of the chunk's new words that the lexicon knows, by the same ids.
-- @own@: the store of the lexicon.
INSERT INTO _store.lexeme
FROM @own@.lexeme
SEMI JOIN met_lexeme ON met_lexeme.lexeme = lexeme.text
ANTI JOIN _store.lexeme AS taken ON taken.id = lexeme.id;

-- name: is_there
-- One row: whether a lexicon is there already; one that is only being made cannot be seen from beside it.
SELECT count(*) > 0 AS is_there
FROM duckdb_tables()
WHERE database_name = $lexicon AND schema_name = '_store' AND table_name = 'word';
