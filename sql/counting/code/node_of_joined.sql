-- A row: the same where tokens are joined.
CREATE OR REPLACE TEMP VIEW node AS
SELECT number, word_id, CASE WHEN label_id IS NOT NULL THEN head_number END AS head_number, label_id
FROM joined_node;
