-- Stored entries.

-- name: keep
-- Keeps the APT of a phrase as the weights of the entry $id.
-- @compose@: the call that composes the phrase.
INSERT INTO _store.entry_weight (entry_id, path, context, weight)
SELECT $id, composed.path, composed.context, composed.weight
FROM @compose@ AS composed
ORDER BY composed.path, composed.context;

-- name: about
-- One row: the word at which a phrase is anchored (where that is an entry, the word that it is anchored at), its part
-- of speech, and the weights that it is composed under, as text.
-- @options@: the parameters of the scheme.
-- @words@: the words of the phrase.
SELECT coalesce(lexeme.text, entry.anchored, phrase.anchored) AS anchored,
    coalesce(lexeme.pos, entry.pos, _store.pos_of(phrase.anchored)) AS pos,
    _store.weighing($weights, @options@) AS weighing
FROM (SELECT _store.anchored_word(@words@, $anchor).lexeme AS anchored) AS phrase
LEFT JOIN _store.lexeme ON lexeme.text = phrase.anchored
LEFT JOIN _store.stored_entry AS entry ON entry.name = phrase.anchored;
