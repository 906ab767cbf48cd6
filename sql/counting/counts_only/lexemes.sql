-- A row: a lexeme of `added` and how many tokens it is taken for: how often it meets itself at ε, where each token does
-- (like siblings too, as packed trees have it); in counts without ε, the most that it is counted in any one
-- co-occurrence.
CREATE OR REPLACE TEMP TABLE given_lexeme AS
SELECT added.lexeme_id, coalesce(
        max(abs(added.count)) FILTER (path.text = '' AND added.context_id = added.lexeme_id), max(abs(added.count))
    )::BIGINT AS tokens
FROM added
JOIN _store.path ON path.id = added.path_id
GROUP BY added.lexeme_id;

CREATE OR REPLACE TEMP VIEW counted_lexeme AS
FROM given_lexeme;
