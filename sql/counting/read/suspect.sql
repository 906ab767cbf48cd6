-- One row: whether a rule is broken in the chunk. Cheap, and asked of every chunk; which and where, fault tells.
SELECT EXISTS (FROM placed_word WHERE place_fault(position, head, words, '', '') IS NOT NULL)
    OR EXISTS (
        FROM other_line
        WHERE content <> '' AND NOT starts_with(content, '#') AND line_fault(fields_of(content), 0) IS NOT NULL
    )
    OR EXISTS (FROM word_line WHERE empty_fault(form, lemma, upos, xpos) IS NOT NULL)
    OR EXISTS (FROM range_span WHERE problem IS NOT NULL)
    OR EXISTS (
        FROM (SELECT DISTINCT relation, head > 0 AS has_head FROM word_line)
        WHERE relation_fault(relation, has_head) IS NOT NULL
    )
    OR EXISTS (FROM sentence_span WHERE length_fault(last - first + 1) IS NOT NULL)
    OR EXISTS (FROM many_pairs)
    OR EXISTS (FROM in_circle);
