-- One row: whether anything may be at fault in the chunk. Cheap, and asked of every chunk; what it is, first_fault tells.
SELECT (SELECT count(*) FROM token) < (SELECT count(*) FROM word_line)
    OR EXISTS (
        FROM other_line
        WHERE NOT starts_with(content, '#') AND NOT regexp_full_match(content, '([0-9]+[-.][0-9]+(\t[^\t]*){9})?')
    )
    OR EXISTS (FROM range_span WHERE problem IS NOT NULL)
    OR EXISTS (FROM _store.relation WHERE regexp_matches(text, '^$|[<>]'))
    OR EXISTS (
        FROM token
        JOIN _store.relation ON relation.id = token.relation_id
        WHERE token.head > 0 AND regexp_matches(relation.text, getvariable('no_relation'))
    );
