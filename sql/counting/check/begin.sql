-- A row: what was found in a chunk, by its kind (relation, part of speech) and name, and how often.
CREATE OR REPLACE TEMP TABLE found (
    kind VARCHAR, name VARCHAR, tokens BIGINT
);

-- A row: a chunk: its sentences, its tokens, its longest sentence in words, and the steps from a root to what is
-- farthest.
CREATE OR REPLACE TEMP TABLE chunk_size (
    sentences BIGINT, tokens BIGINT, longest BIGINT, deepest BIGINT
);
