-- A row: a node of the trees that are counted, by the number of its token, and the node that it hangs from: NULL for a
-- root, and where the lexicon excludes the relation between the two. Each token is one.
CREATE OR REPLACE TEMP VIEW node AS
SELECT number, word_id, CASE WHEN label_id IS NOT NULL THEN head_number END AS head_number, label_id
FROM token;
