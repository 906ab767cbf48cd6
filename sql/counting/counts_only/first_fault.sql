-- One row: the first wrong line of counts, and what is wrong with it; no row if all lines are right.
SELECT line, problem
FROM (
    SELECT line, CASE
        WHEN columns <> 4 THEN columns || CASE WHEN columns = 1 THEN ' column' ELSE ' columns' END
            || '; a line has 4 (lexeme, path, context, count), with tabs between them'
        WHEN coalesce(lexeme, '') = '' THEN 'lexeme is empty; a lexeme is e.g. dog/NOUN'
        WHEN coalesce(context, '') = '' THEN 'context is empty; it is a lexeme, e.g. dog/NOUN'
        WHEN getvariable('has_pos') AND NOT regexp_full_match(lexeme, '.+/[^/]+', 's') THEN
            'lexeme is ''' || left(lexeme, 60) || '''; in this lexicon it has a part of speech, e.g. dog/NOUN'
        WHEN getvariable('has_pos') AND NOT regexp_full_match(context, '.+/[^/]+', 's') THEN
            'context is ''' || left(context, 60) || '''; in this lexicon it has a part of speech, e.g. dog/NOUN'
        WHEN path IS NULL OR NOT (path IN ('', 'ε') OR coalesce(path_is_valid(path), false)) THEN
            'path is ' || coalesce('''' || left(path, 60) || '''', 'missing')
            || '; a path is reduced, ups before downs, e.g. <amod>nsubj, and empty for ε'
        WHEN path NOT IN ('', 'ε') AND path_order(path) > getvariable('max_order') THEN
            'path ' || left(path, 60) || ' has order ' || path_order(path) || '; the lexicon counts up to '
            || getvariable('max_order')
        WHEN NOT coalesce(regexp_full_match(count, '0*[1-9][0-9]*'), false) OR try_cast(count AS BIGINT) IS NULL THEN
            'count is ' || coalesce('''' || left(count, 40) || '''', 'missing') || '; it is a whole number, 1 or more'
    END AS problem
    FROM counts_line
)
WHERE problem IS NOT NULL
ORDER BY line
LIMIT 1;
