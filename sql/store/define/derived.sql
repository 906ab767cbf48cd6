-- What is derived from counts and kept under a name, by its kind: each a view of one table.

-- A row: an entry, a composed APT: the phrase as it is shown; the word that it is anchored at, and its part of speech;
-- weighing, its weights as text that identifies them; composition, how it was composed; question, all that in JSON.
CREATE OR REPLACE VIEW _store.stored_entry AS
SELECT id, name, state, asked['phrase'] AS phrase, asked['question'] AS question, made['anchored'] AS anchored,
    made['pos'] AS pos, made['weighting'] AS weighing, made['composition'] AS composition,
    try_cast(made['weights'] AS BIGINT) AS weights
FROM _store.derived
WHERE kind = 'entry';

-- A row: a reduced space, as `spaces` shows it.
CREATE OR REPLACE VIEW _store.reduced_space AS
SELECT id, name, state, try_cast(made['dimensions'] AS INTEGER) AS dimensions,
    try_cast(made['shift'] AS DOUBLE) AS shift, try_cast(made['power'] AS DOUBLE) AS power,
    try_cast(made['max_order'] AS INTEGER) AS max_order, try_cast(made['min_frequency'] AS BIGINT) AS min_frequency,
    try_cast(made['min_feature_count'] AS BIGINT) AS min_feature_count, made['pos'] AS pos,
    try_cast(made['seed'] AS BIGINT) AS seed, try_cast(made['lexemes'] AS BIGINT) AS lexemes,
    try_cast(made['features'] AS BIGINT) AS features, try_cast(made['vectors'] AS BIGINT) AS vectors,
    try_cast(made['least_frequency'] AS BIGINT) AS least_frequency,
    coalesce(try_cast(made['window'] AS INTEGER), 0) AS window_tokens,
    coalesce(try_cast(made['window_share'] AS DOUBLE), 0) AS window_share,
    coalesce(try_cast(made['tree_dimensions'] AS INTEGER), dimensions) AS tree_dimensions, made_at AS reduced_at
FROM _store.derived
WHERE kind = 'space';
