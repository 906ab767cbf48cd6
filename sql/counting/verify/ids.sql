-- A row: a lexeme or context of either, by its id in the lexicon and in the recount.
CREATE OR REPLACE TEMP TABLE lexeme_id AS
SELECT coalesce(own.text, again.text) AS text, own.id AS own_id, again.id AS again_id
FROM _store.lexeme AS own
FULL JOIN "/recount"._store.lexeme AS again ON again.text = own.text;

-- A row: a path of either, in the same way.
CREATE OR REPLACE TEMP TABLE path_id AS
SELECT coalesce(own.text, again.text) AS text, own.id AS own_id, again.id AS again_id
FROM _store.path AS own
FULL JOIN "/recount"._store.path AS again ON again.text = own.text;
