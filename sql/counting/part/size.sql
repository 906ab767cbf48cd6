-- One row: how many sentences are chosen, and how many tokens they have.
-- @store@: the store that the sentences are in.
SELECT (SELECT count(*) FROM _store.chosen_sentence) AS sentences, count(*) AS tokens
FROM @store@.token
SEMI JOIN _store.chosen_sentence USING (sentence_id);
