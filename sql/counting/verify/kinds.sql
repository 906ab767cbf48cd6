-- A row: a corpus that has both trees and counts, or what its kind has not, or is of no kind there is; or whose other
-- notes cannot be so.
WITH known AS (
    SELECT corpus.*, corpus.id IN (SELECT corpus_id FROM _store.sentence) AS has_trees,
        corpus.id IN (SELECT corpus_id FROM _store.given_count) AS has_counts
    FROM _store.corpus
)
SELECT 'corpus' AS what, name AS row,
    concat_ws(', ', 'kind ' || kind, CASE WHEN has_trees THEN 'trees' END, CASE WHEN has_counts THEN 'counts' END)
    AS found, 'either trees or counts, as its kind says' AS expected
FROM known
WHERE (kind <> 'trees' OR has_counts) AND (kind <> 'counts' OR has_trees OR NOT has_counts)
UNION ALL
SELECT 'corpus', name, skipped || ' skipped', '0 or more'
FROM known
WHERE skipped < 0
UNION ALL
SELECT 'corpus', name, 'sha256 ' || sha256, '64 digits'
FROM known
WHERE NOT regexp_full_match(sha256, '[0-9a-f]{64}');
