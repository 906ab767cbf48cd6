-- One row: the first lexeme of the folder that cannot be so, and what is wrong with it; no row if all are right.
SELECT lexeme_id AS row, problem
FROM (
    SELECT lexeme_id, CASE
        WHEN coalesce(lexeme_id <> number OR times > 1, true) THEN
            'its id is not its number in the order of their texts'
        WHEN coalesce(lexeme, '') = '' THEN 'its text is empty; a lexeme is e.g. dog/NOUN'
        WHEN getvariable('has_pos') AND NOT regexp_full_match(lexeme, '.+/[^/]+', 's') THEN
            'its text is ''' || left(lexeme, 60) || '''; with these settings it has a part of speech, e.g. dog/NOUN'
        WHEN coalesce(frequency < 0 OR (frequency = 0) <> (cooccurrences = 0), true) THEN
            'it has ' || coalesce(frequency::VARCHAR, 'no') || ' tokens and counts of '
            || coalesce(cooccurrences::VARCHAR, 'nothing')
    END AS problem
    FROM (
        SELECT *, row_number() OVER (ORDER BY lexeme) AS number, count(*) OVER (PARTITION BY lexeme) AS times
        FROM folder_lexeme
    )
)
WHERE problem IS NOT NULL
ORDER BY row
LIMIT 1;
