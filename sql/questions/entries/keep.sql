-- Keeps the APT of a phrase as the weights of the entry $id.
-- @compose@: the call that composes the phrase.
INSERT INTO _store.entry_weight (entry_id, path, context, weight)
SELECT $id, composed.path, composed.context, composed.weight
FROM @compose@ AS composed
ORDER BY composed.path, composed.context;
