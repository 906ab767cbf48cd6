-- Adds a row for each lexeme that the folder is the first to have.
INSERT INTO _store.lexeme (id, text, lemma, pos, frequency, cooccurrences)
SELECT (SELECT coalesce(max(id), 0) FROM _store.lexeme) + row_number() OVER (ORDER BY met.lexeme),
    met.lexeme,
    CASE WHEN getvariable('has_pos') THEN regexp_replace(met.lexeme, '/[^/]*$', '') ELSE met.lexeme END,
    CASE WHEN getvariable('has_pos') THEN regexp_extract(met.lexeme, '[^/]*$') END,
    0, 0
FROM folder_lexeme AS met
ANTI JOIN _store.lexeme ON lexeme.text = met.lexeme
WHERE met.frequency > 0;

-- Adds a row for each path that the folder is the first to have. It has the inverse of each.
INSERT INTO _store.path (id, text, path_order, inverse_id, count)
WITH numbered AS (
    SELECT (SELECT coalesce(max(id), 0) FROM _store.path) + row_number() OVER (ORDER BY met.path_id) AS id,
        met.path_id, met.path, met.path_order, met.inverse_id
    FROM folder_path AS met
    ANTI JOIN _store.path ON path.text = met.path
)
SELECT numbered.id, numbered.path, numbered.path_order, inverse.id, 0
FROM numbered
JOIN numbered AS inverse ON inverse.path_id = numbered.inverse_id;

-- A row: a lexeme of the folder, by its id there and here.
CREATE OR REPLACE TEMP TABLE own_lexeme AS
SELECT met.lexeme_id, lexeme.id AS own_id, met.frequency
FROM folder_lexeme AS met
JOIN _store.lexeme ON lexeme.text = met.lexeme
WHERE met.frequency > 0;

-- A row: a path of the folder, in the same way.
CREATE OR REPLACE TEMP TABLE own_path AS
SELECT met.path_id, path.id AS own_id
FROM folder_path AS met
JOIN _store.path ON path.text = met.path;

-- Adds a row for each lexeme of the folder, with its tokens.
INSERT INTO _store.given_lexeme (corpus_id, lexeme_id, tokens)
SELECT getvariable('corpus_id'), own_id, frequency
FROM own_lexeme
ORDER BY own_id;
