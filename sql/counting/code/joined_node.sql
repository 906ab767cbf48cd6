-- A row: a node of a tree whose tokens may be joined: a token, or the top of several, in whose place they all stand.
CREATE OR REPLACE TEMP TABLE joined_node AS
WITH joined AS (
    SELECT joined_word.top, word.id AS word_id
    FROM joined_word
    JOIN _store.word USING (form, lemma, upos, xpos, feats)
)
SELECT token.number, coalesce(joined.word_id, token.word_id) AS word_id,
    coalesce(over.top, token.head_number) AS head_number, token.label_id
FROM token
LEFT JOIN member ON member.number = token.number
LEFT JOIN joined ON joined.top = token.number
LEFT JOIN member AS over ON over.number = token.head_number
WHERE member.top IS NULL OR member.top = token.number;
