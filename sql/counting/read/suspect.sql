-- One row: whether anything may be at fault in the chunk. Cheap, and asked of every chunk; what it is, fault tells.
SELECT (
        SELECT count(*)
        FROM word_line
        JOIN sentence_span AS span
            ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last
            AND word_line.head <= span.last - span.first + 1 AND word_line.head <> word_line.position
    ) < (SELECT count(*) FROM word_line)
    OR EXISTS (
        FROM other_line
        WHERE content <> '' AND NOT starts_with(content, '#')
            AND NOT (regexp_matches(content, '^[0-9]+[-.][0-9]+\t') AND len(fields_of(content)) = 10)
    )
    OR EXISTS (FROM word_line WHERE form = '' OR lemma = '' OR upos = '' OR xpos = '')
    OR EXISTS (FROM range_span WHERE problem IS NOT NULL)
    OR EXISTS (
        FROM (SELECT DISTINCT relation, head > 0 AS has_head FROM word_line)
        WHERE regexp_matches(relation, '^$|[<>]') OR (has_head AND regexp_matches(relation, '^(_|_?:.*)$'))
    )
    OR EXISTS (FROM sentence_span WHERE last - first >= getvariable('max_sentence'))
    OR EXISTS (FROM in_circle);
