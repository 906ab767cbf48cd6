-- Faults of a chunk that was read: found, named, and their sentences left out.

-- name: edges
-- The first character of white space at an edge of a text, by Unicode; '' where there is none.
CREATE OR REPLACE TEMP MACRO edge_space(value) AS
    regexp_extract(value, '^[\pZ\x0B\x0C\x{85}]|[\pZ\x0B\x0C\x{85}]$');

-- The edges of a column: it may have white space only between other characters. Of trees, and of counts without them.
CREATE OR REPLACE TEMP MACRO edge_fault(name, value) AS
    CASE WHEN edge_space(value) <> '' THEN {'kind': 'space', 'problem':
        name || ' is ''' || left(value, 40) || ''', with white space ('
        || format('U+{:04X}', unicode(edge_space(value))) || ') at its edge; delete it'}
    END;

-- name: fault_rules
-- The rules of CoNLL, each once, as {kind, problem}: what is wrong and would be right; NULL where nothing is. suspect
-- asks of every chunk whether one may be broken, fault where. A text in quotes is cut where it is long.

-- Whether a text is a whole number, as the ID and the HEAD of a word are.
CREATE OR REPLACE TEMP MACRO is_number(content) AS
    regexp_full_match(content, '[0-9]+');

-- A line, by its columns as those of CoNLL-U and how many it has in the file: their number, its ID, and its FORM, which
-- ranges have too.
CREATE OR REPLACE TEMP MACRO line_fault(fields, columns) AS
    CASE
        WHEN len(fields) <> 10 THEN {'kind': 'columns', 'problem':
            columns || CASE WHEN columns = 1 THEN ' column' ELSE ' columns' END || '; a line has '
            || getvariable('columns_wanted') || ', with tabs between them'}
        WHEN NOT regexp_full_match(fields[1], '[0-9]+([-.][0-9]+)?') THEN {'kind': 'ID', 'problem':
            'ID is ''' || left(fields[1], 40)
            || '''; expected a number, a range (e.g. 1-2) or an empty node (e.g. 8.1)'}
        ELSE edge_fault('FORM', fields[2])
    END;

-- The columns of a word that are never empty, and these and FEATS without white space at their edges.
CREATE OR REPLACE TEMP MACRO columns_fault(form, lemma, upos, xpos, feats) AS
    CASE WHEN form = '' OR lemma = '' OR upos = '' OR xpos = '' THEN {'kind': 'empty', 'problem':
        CASE '' WHEN form THEN 'FORM' WHEN lemma THEN 'LEMMA' WHEN upos THEN 'UPOS' ELSE 'XPOS' END
        || ' is empty; write _ if there is none'}
        ELSE coalesce(
            edge_fault('FORM', form), edge_fault('LEMMA', lemma), edge_fault('UPOS', upos), edge_fault('XPOS', xpos),
            edge_fault('FEATS', feats)
        )
    END;

-- The same of a word as its line has it, in one look: whether a column is empty, or has white space at an edge.
CREATE OR REPLACE TEMP MACRO has_wrong_column(written) AS
    regexp_matches(written, '(^|\t)[\t\pZ\x0B\x0C\x{85}]|[\pZ\x0B\x0C\x{85}](\t|$)');

-- The text of a HEAD.
CREATE OR REPLACE TEMP MACRO head_text_fault(head_text) AS
    CASE WHEN NOT is_number(head_text) THEN {'kind': 'HEAD', 'problem':
        'HEAD is ''' || left(head_text, 40) || '''; expected the ID of a word in the sentence, or 0 for the root'}
    END;

-- A relation that the settings do not rename.
CREATE OR REPLACE TEMP MACRO relation_fault(relation, has_head) AS
    CASE
        WHEN new_relation(relation) IS NOT NULL THEN NULL
        WHEN relation = '' THEN {'kind': 'DEPREL', 'problem': 'DEPREL is empty; a relation is a name, e.g. nsubj'}
        WHEN edge_space(relation) <> '' THEN edge_fault('DEPREL', relation)
        WHEN regexp_matches(relation, '[<>]') THEN {'kind': 'DEPREL', 'problem':
            'DEPREL is ''' || left(relation, 40)
            || '''; a relation is a name without < or > (--relation-map renames it)'}
        WHEN has_head AND regexp_matches(relation, '^(_|_?:.*)$') THEN {'kind': 'DEPREL', 'problem':
            'DEPREL is ''' || left(relation, 40) || '''; a word with a head has a relation to it'}
    END;

-- The place and the head of a word in its sentence of so many words (NULL where it belongs to none), with the
-- texts of its ID and its HEAD.
CREATE OR REPLACE TEMP MACRO place_fault(place, head, words, id_text, head_text) AS
    CASE
        WHEN words IS NULL THEN {'kind': 'ID', 'problem':
            'ID is ' || id_text || ', out of sequence; words are numbered 1, 2, 3 … and start at 1 after each blank '
            || 'line'}
        WHEN head = place THEN {'kind': 'HEAD', 'problem':
            'HEAD is ' || head || ', the word itself; expected another word, or 0 for the root'}
        WHEN NOT coalesce(head <= words, false) THEN {'kind': 'HEAD', 'problem':
            'HEAD is ' || head_text || ', but the sentence has ' || words
            || CASE WHEN words = 1 THEN ' word' ELSE ' words' END}
    END;

-- The length of a sentence.
CREATE OR REPLACE TEMP MACRO length_fault(words) AS
    CASE WHEN words > getvariable('max_sentence') THEN {'kind': 'length', 'problem': format(
        'a sentence of {:,} words; at most {:,} are allowed, because the number of pairs grows with '
        'their square; raise this with --max-sentence', words, getvariable('max_sentence'))}
    END;

-- The pairs of words of a sentence (many_pairs).
CREATE OR REPLACE TEMP MACRO pairs_fault(pairs) AS
    {'kind': 'length', 'problem': format(
        'a sentence with {:,} pairs of words to count, since many words hang from one; at most {:,} are allowed, '
        'a thousand for each word of --max-sentence; raise that to count it', pairs, getvariable('max_pairs'))};

-- name: no_circle
-- A row: a word that no root leads down to: none, where that has not been looked for.
CREATE OR REPLACE TEMP TABLE in_circle (number INTEGER);

-- name: in_circle
-- A row: a word of the chunk whose way up comes round to itself, or to such a word, by its number. A way that ends at a
-- word whose head is wrong by itself is that word's fault alone. In a sentence that is too long nobody walks: its ways
-- may have any number of steps.
CREATE OR REPLACE TEMP TABLE in_circle AS
WITH RECURSIVE edge AS MATERIALIZED (
    SELECT word_line.number, CASE WHEN word_line.head > 0 THEN span.first + word_line.head - 1 END AS head_number
    FROM word_line
    JOIN sentence_span AS span
        ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last
        AND word_line.head <= span.last - span.first + 1 AND word_line.head <> word_line.position
    WHERE coalesce(span.last - span.first < getvariable('max_sentence'), true)
),
rooted (number) AS (
    SELECT edge.number
    FROM edge
    LEFT JOIN edge AS above ON above.number = edge.head_number
    WHERE above.number IS NULL
    UNION ALL
    SELECT edge.number
    FROM rooted
    JOIN edge ON edge.head_number = rooted.number
)
SELECT number
FROM edge
ANTI JOIN rooted USING (number);

-- name: suspect
-- One row: whether a rule is broken in the chunk. Cheap, and asked of every chunk; which and where, fault tells.
SELECT EXISTS (FROM placed_word WHERE place_fault(position, head, words, '', '') IS NOT NULL)
    OR EXISTS (
        FROM other_line
        WHERE content <> '' AND NOT starts_with(content, '#') AND line_fault(fields_of(content), 0) IS NOT NULL
    )
    OR EXISTS (FROM written_word WHERE has_wrong_column(written))
    OR EXISTS (FROM range_span WHERE problem IS NOT NULL)
    OR EXISTS (
        FROM (SELECT DISTINCT relation, head > 0 AS has_head FROM word_line)
        WHERE relation_fault(relation, has_head) IS NOT NULL
    )
    OR EXISTS (FROM sentence_span WHERE length_fault(last - first + 1) IS NOT NULL)
    OR EXISTS (FROM many_pairs)
    OR EXISTS (FROM in_circle);

-- name: suspect_line
-- A row: a line of the chunk in which a rule may be broken, counted from 0, and its number among the words (NULL where
-- it is none). The same rules as in suspect; only these lines are cut, so that one fault does not cost the whole chunk.
CREATE OR REPLACE TEMP TABLE suspect_line AS
WITH wrong_relation AS (
    FROM (SELECT DISTINCT relation, head > 0 AS has_head FROM word_line)
    WHERE relation_fault(relation, has_head) IS NOT NULL
),
wrong_word AS (SELECT written FROM written_word WHERE has_wrong_column(written)),
suspect_word AS (
    SELECT number FROM placed_word WHERE place_fault(position, head, words, '', '') IS NOT NULL
    UNION
    SELECT word_line.number
    FROM word_line
    SEMI JOIN wrong_word ON wrong_word.written = word_line.written
    UNION
    SELECT word_line.number
    FROM word_line
    SEMI JOIN wrong_relation
        ON wrong_relation.relation = word_line.relation
        AND wrong_relation.has_head IS NOT DISTINCT FROM (word_line.head > 0)
    UNION
    SELECT first FROM sentence_span WHERE length_fault(last - first + 1) IS NOT NULL
    UNION
    SELECT first FROM many_pairs
    UNION
    SELECT number FROM in_circle
),
-- A row: the last line that is no word before a word.
line_before AS (
    SELECT next_word, max(line) AS line
    FROM other_line
    GROUP BY next_word
)
SELECT coalesce(line_before.line + 1 + suspect_word.number - line_before.next_word, suspect_word.number) AS line,
    suspect_word.number AS word
FROM suspect_word
ASOF LEFT JOIN line_before ON suspect_word.number >= line_before.next_word
UNION
SELECT line, NULL
FROM other_line
WHERE content <> '' AND NOT starts_with(content, '#') AND line_fault(fields_of(content), 0) IS NOT NULL
UNION
SELECT line, NULL
FROM range_span
WHERE problem IS NOT NULL;

-- name: cut_line
-- A row: a suspect line with its number, from 0, the number of its columns, their text and, for a word, its number
-- among the words. The chunk's file holds only these lines now, in order.
CREATE OR REPLACE TEMP TABLE cut_line AS
WITH suspect AS (
    SELECT line, word, row_number() OVER (ORDER BY line) AS place
    FROM suspect_line
),
written AS (
    SELECT content, row_number() OVER () AS place
    FROM chunk_line
)
SELECT suspect.line AS number, len(string_split(written.content, chr(9))) AS columns,
    fields_of(written.content) AS fields, suspect.word
FROM suspect
JOIN written USING (place);

-- name: fault
-- A row: something in the chunk that is not as CoNLL has it: its line, counted from 0, its kind, and what is wrong with
-- it and would be right. rank: what is wrong with a line itself is 1; what follows from other lines is more, since it
-- may only follow from a fault of theirs.
CREATE OR REPLACE TEMP TABLE fault AS
WITH of_line AS (
    SELECT number AS line, coalesce(line_fault(fields, columns), CASE WHEN is_number(fields[1]) THEN coalesce(
        columns_fault(fields[2], fields[3], fields[4], fields[5], fields[6]), head_text_fault(fields[7]),
        relation_fault(fields[8], NOT regexp_full_match(fields[7], '0+'))
    ) END) AS found, 1 AS rank
    FROM cut_line
    WHERE fields IS NOT NULL
),
of_range AS (
    SELECT range_span.line,
        {'kind': 'ID', 'problem': 'ID is ' || cut_line.fields[1] || '; ' || range_span.problem} AS found, 2 AS rank
    FROM range_span
    JOIN cut_line ON cut_line.number = range_span.line
    WHERE range_span.problem IS NOT NULL
),
of_place AS (
    SELECT cut_line.number AS line, place_fault(
        placed_word.position, placed_word.head, placed_word.words, cut_line.fields[1], cut_line.fields[7]
    ) AS found, 3 AS rank
    FROM placed_word
    JOIN cut_line ON cut_line.word = placed_word.number
),
-- A row: a word that heads lead round to; its place is right, or it would not have been walked to.
of_circle AS (
    SELECT cut_line.number AS line, {'kind': 'circle', 'problem':
        'HEAD is ' || placed_word.head || ', which leads in a circle; heads lead up to a word whose HEAD is 0'
    } AS found, 4 AS rank
    FROM placed_word
    SEMI JOIN in_circle ON in_circle.number = placed_word.number
    JOIN cut_line ON cut_line.word = placed_word.number
),
of_sentence AS (
    SELECT cut_line.number AS line, length_fault(span.last - span.first + 1) AS found, 1 AS rank
    FROM sentence_span AS span
    JOIN cut_line ON cut_line.word = span.first
),
of_pairs AS (
    SELECT cut_line.number AS line, pairs_fault(many_pairs.pairs) AS found, 3 AS rank
    FROM many_pairs
    JOIN cut_line ON cut_line.word = many_pairs.first
),
of_any AS (
    FROM of_line
    UNION ALL
    FROM of_range
    UNION ALL
    FROM of_place
    UNION ALL
    FROM of_circle
    UNION ALL
    FROM of_sentence
    UNION ALL
    FROM of_pairs
)
SELECT line, found.kind AS kind, found.problem AS problem, rank
FROM of_any
WHERE found IS NOT NULL;

-- name: invalid_sentence
-- A row: a sentence in which a fault was found, by its first and last line and its first and last word; where no line
-- of it is a word, the last is less than the first. Sentences end where a blank line is, or the chunk ends.
CREATE OR REPLACE TEMP TABLE invalid_sentence AS
WITH blank AS (
    SELECT line, next_word
    FROM other_line
    WHERE content = ''
),
size AS (SELECT (SELECT count(*) FROM word_line) AS words, (SELECT count(*) FROM other_line) AS others)
SELECT DISTINCT coalesce(before.line + 1, 0) AS first_line,
    coalesce(after.line, size.words + size.others) - 1 AS last_line,
    coalesce(before.next_word, 0) AS first_word, coalesce(after.next_word, size.words) - 1 AS last_word
FROM fault
CROSS JOIN size
ASOF LEFT JOIN blank AS before ON fault.line > before.line
ASOF LEFT JOIN blank AS after ON fault.line < after.line;

-- name: faults
-- A row: a fault of the chunk, with the first and the last line of its sentence.
SELECT sentence.first_line, sentence.last_line, fault.line, fault.kind, fault.problem, fault.rank
FROM fault
ASOF JOIN invalid_sentence AS sentence ON fault.line >= sentence.first_line
ORDER BY fault.line, fault.rank;

-- name: leave_out
-- A row: a word of an invalid sentence, by its number. The words that stay keep theirs.
CREATE OR REPLACE TEMP TABLE invalid_word AS
SELECT unnest(range(first_word, last_word + 1))::INTEGER AS number
FROM invalid_sentence;

-- A row: a word line of a sentence that stays. (To delete rows that were written within the same transaction would take
-- DuckDB very long.)
CREATE OR REPLACE TEMP VIEW kept_word AS
FROM word_line
ANTI JOIN invalid_word USING (number);

-- A row: a sentence that stays, numbered anew.
CREATE OR REPLACE TEMP TABLE sentence_span AS
SELECT first, last, row_number() OVER (ORDER BY first)::INTEGER AS number
FROM sentence_span
ANTI JOIN invalid_word ON invalid_word.number = sentence_span.first;

-- A row: a line that is no word and in no invalid sentence, whose comments are those of no other; but what begins a
-- document, or is said of one, holds for the sentences that follow.
CREATE OR REPLACE TEMP TABLE other_line AS
SELECT other_line.line, other_line.next_word, other_line.content
FROM other_line
ASOF LEFT JOIN invalid_sentence AS invalid ON other_line.line >= invalid.first_line
WHERE invalid.last_line IS NULL OR other_line.line > invalid.last_line
    OR regexp_matches(other_line.content, '^#\s*(' || getvariable('document_comments') || ')');

-- A row: words of a sentence that stays, written as one.
CREATE OR REPLACE TEMP TABLE range_span AS
SELECT range_span.line, range_span.first, range_span.last, range_span.form, range_span.space_after, range_span.problem
FROM range_span
ASOF LEFT JOIN invalid_sentence AS invalid ON range_span.line >= invalid.first_line
WHERE invalid.last_line IS NULL OR range_span.line > invalid.last_line;
