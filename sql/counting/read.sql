-- READ: lines of a chunk become words, sentences and ranges; faults are found.

-- name: fault_rules
-- The rules of CoNLL, each once, as {kind, problem}: what is wrong and would be right; NULL where nothing is. suspect
-- asks of every chunk whether one may be broken, fault where. A text in quotes is cut where it is long.

-- Whether a text is a whole number, as the ID and the HEAD of a word are.
CREATE OR REPLACE TEMP MACRO is_number(content) AS
    regexp_full_match(content, '[0-9]+');

-- A line, by its columns as those of CoNLL-U and how many it has in the file: their number, and its ID.
CREATE OR REPLACE TEMP MACRO line_fault(fields, columns) AS
    CASE
        WHEN len(fields) <> 10 THEN {'kind': 'columns', 'problem':
            columns || CASE WHEN columns = 1 THEN ' column' ELSE ' columns' END || '; a line has '
            || getvariable('columns_wanted') || ', with tabs between them'}
        WHEN NOT regexp_full_match(fields[1], '[0-9]+([-.][0-9]+)?') THEN {'kind': 'ID', 'problem':
            'ID is ''' || left(fields[1], 40) || '''; it is a number, a range (e.g. 1-2) or an empty node (e.g. 8.1)'}
    END;

-- The columns of a word that are never empty.
CREATE OR REPLACE TEMP MACRO empty_fault(form, lemma, upos, xpos) AS
    CASE WHEN form = '' OR lemma = '' OR upos = '' OR xpos = '' THEN {'kind': 'empty', 'problem':
        CASE '' WHEN form THEN 'FORM' WHEN lemma THEN 'LEMMA' WHEN upos THEN 'UPOS' ELSE 'XPOS' END
        || ' is empty; write _ if there is none'}
    END;

-- The text of a HEAD.
CREATE OR REPLACE TEMP MACRO head_text_fault(head_text) AS
    CASE WHEN NOT is_number(head_text) THEN {'kind': 'HEAD', 'problem':
        'HEAD is ''' || left(head_text, 40) || '''; it is the ID of a word in the sentence, or 0 for the root'}
    END;

-- A relation.
CREATE OR REPLACE TEMP MACRO relation_fault(relation, has_head) AS
    CASE
        WHEN relation = '' THEN {'kind': 'DEPREL', 'problem': 'DEPREL is empty; a relation is a name, e.g. nsubj'}
        WHEN regexp_matches(relation, '[<>]') THEN {'kind': 'DEPREL', 'problem':
            'DEPREL is ''' || left(relation, 40) || '''; a relation is a name without < or >'}
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
            'HEAD is ' || head || ', the word itself; it is another word, or 0 for the root'}
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

-- name: chunk_line
-- A row: a line of the chunk, whole; NULL where it is blank. Buffers smaller than a chunk let all processors read it.
CREATE OR REPLACE TEMP VIEW chunk_line AS
SELECT content
FROM read_csv(
    getvariable('chunk_file'), columns = {'content': 'VARCHAR'}, auto_detect = false, header = false,
    delim = chr(1), quote = '', escape = '', new_line = '\n', null_padding = true, strict_mode = false,
    max_line_size = 8388608, buffer_size = 8388608
);

-- name: word_line
-- A row: a line of the chunk that is a word of a tree. Ranges (1-2), empty nodes (8.1) and comments are no words. The
-- position is NULL where the line has other than 10 columns or no number as its HEAD; fault says more of it then.
CREATE OR REPLACE TEMP TABLE unnumbered_word_line AS
WITH cut AS (
    SELECT fields_of(content) AS fields
    FROM chunk_line
    WHERE regexp_matches(content, '^[0-9]+(\t|$)')
)
SELECT CASE WHEN len(fields) = 10 AND regexp_full_match(fields[7], '[0-9]+') THEN try_cast(fields[1] AS INTEGER) END
        AS position,
    fields[2] AS form, fields[3] AS lemma, fields[4] AS upos, fields[5] AS xpos,
    coalesce(nullif(fields[6], ''), '_') AS feats, try_cast(fields[7] AS INTEGER) AS head, fields[8] AS relation,
    NOT coalesce(contains(fields[10], 'SpaceAfter=No'), false) AS space_after
FROM cut;

-- The same with its number among the chunk's words, from 0. Rows keep the order of the lines, and numbering them so
-- leaves the reading to all processors, which row_number() would not. (Within a transaction rowids begin at some great
-- number.)
CREATE OR REPLACE TEMP VIEW word_line AS
SELECT (rowid - (SELECT min(rowid) FROM unnumbered_word_line))::INTEGER AS number,
    position, form, lemma, upos, xpos, feats, head, relation, space_after
FROM unnumbered_word_line;

-- A row: a word line of a sentence that is not left out. None is yet; see leave_out.
CREATE OR REPLACE TEMP VIEW kept_word AS
FROM word_line;

-- name: other_line
-- A row: a line of the chunk, by its content: '' where it is blank, '#' where it is a comment that nothing is kept of,
-- NULL where it is a word. (To read the file twice, each time what is needed, costs less than to keep all lines and
-- copy from them.)
CREATE OR REPLACE TEMP TABLE unnumbered_other_line AS
SELECT CASE
    WHEN content IS NULL THEN ''
    WHEN regexp_matches(content, '^[0-9]+(\t|$)') THEN NULL
    WHEN starts_with(content, '#') AND NOT regexp_matches(content, getvariable('kept_comments')) THEN '#'
    ELSE content
END AS content
FROM chunk_line;

-- A row: a line that is no word, with its number among all lines, from 0, and the number of the word that follows it.
CREATE OR REPLACE TEMP TABLE other_line AS
SELECT line, (line - row_number() OVER (ORDER BY line) + 1)::INTEGER AS next_word, content
FROM (SELECT rowid - (SELECT min(rowid) FROM unnumbered_other_line) AS line, content FROM unnumbered_other_line)
WHERE content IS NOT NULL;

-- name: sentence_span
-- A row: a sentence of the chunk, that is the words between two blank lines, by the numbers of its first and last word.
CREATE OR REPLACE TEMP TABLE sentence_span AS
WITH first_word AS (
    SELECT 0 AS first
    UNION
    SELECT next_word FROM other_line WHERE content = ''
)
SELECT first, lead(first, 1, (SELECT count(*)::INTEGER FROM word_line)) OVER (ORDER BY first) - 1 AS last,
    row_number() OVER (ORDER BY first)::INTEGER AS number
FROM first_word
WHERE first < (SELECT count(*) FROM word_line);

-- name: placed_word
-- A row: a word line with the sentence that it belongs to by its position: its first word and its number of words, NULL
-- where the position is out of sequence.
CREATE OR REPLACE TEMP VIEW placed_word AS
SELECT word_line.number, word_line.position, word_line.head, span.first, span.last - span.first + 1 AS words
FROM word_line
LEFT JOIN sentence_span AS span
    ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last;

-- name: range_span
-- A row: a line 1-2, the words written as one from first to last, by their numbers in the chunk; and what is wrong with
-- it, NULL where it fits.
CREATE OR REPLACE TEMP TABLE range_span AS
WITH cut AS (
    SELECT line, next_word, fields_of(content) AS fields, string_split(fields[1], '-') AS ends
    FROM other_line
    WHERE regexp_matches(content, '^[0-9]+-[0-9]+(\t|$)')
),
range_line AS (
    SELECT line, next_word AS first, try_cast(ends[1] AS INTEGER) AS position,
        next_word::BIGINT + try_cast(ends[2] AS INTEGER) - position AS last,
        fields[2] AS form, NOT coalesce(contains(fields[10], 'SpaceAfter=No'), false) AS space_after
    FROM cut
),
-- A row: the last blank line before a word.
blank_line AS (
    SELECT next_word, max(line) AS line
    FROM other_line
    WHERE content = ''
    GROUP BY next_word
)
SELECT range_line.line, range_line.first, range_line.last, range_line.form, range_line.space_after, CASE
    WHEN NOT coalesce(
        range_line.position = word_line.position AND range_line.last BETWEEN range_line.first AND span.last, false
    ) OR range_line.line < blank_line.line
        THEN 'a range stands before the first of its words and ends within the sentence'
    WHEN range_line.first <= max(range_line.last) OVER (
        PARTITION BY span.first, range_line.line < blank_line.line ORDER BY range_line.line
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) THEN 'the first of its words is in the range before already'
END AS problem
FROM range_line
LEFT JOIN word_line ON word_line.number = range_line.first
LEFT JOIN sentence_span AS span ON span.first = range_line.first - word_line.position + 1
LEFT JOIN blank_line ON blank_line.next_word = range_line.first;

-- name: many_pairs
-- A row: a sentence that would take too long to count, by its first word, and the pairs that it has: words that stand
-- in one place (meaning.md 3.4), or in places whose ways to a common one have at most max_order steps together. A
-- sentence of few words cannot have so many, and is not looked at.
CREATE OR REPLACE TEMP TABLE many_pairs AS
WITH RECURSIVE long_word AS MATERIALIZED (
    SELECT word_line.number, span.first, word_line.relation,
        CASE WHEN word_line.head > 0 THEN span.first + word_line.head - 1 END AS head_number
    FROM word_line
    JOIN sentence_span AS span
        ON span.first = word_line.number - word_line.position + 1 AND word_line.number BETWEEN span.first AND span.last
    WHERE span.last - span.first + 1 <= getvariable('max_sentence')
        AND (span.last - span.first + 1)::BIGINT ^ 2 > getvariable('max_pairs')
),
-- A row: a word and the first of those that stand in the same place, as in packed.
placed (number, first, place, above) AS (
    SELECT number, first, number, NULL::INTEGER FROM long_word WHERE head_number IS NULL
    UNION ALL
    SELECT long_word.number, long_word.first,
        min(long_word.number) OVER (PARTITION BY placed.place, long_word.relation), placed.place
    FROM placed
    JOIN long_word ON long_word.head_number = placed.number
),
place AS MATERIALIZED (
    SELECT first, place, any_value(above) AS above, count(*) AS words
    FROM placed
    GROUP BY first, place
),
-- A row: a place, one at most max_order steps above it, and how many.
climbed (first, words, top, height) AS (
    SELECT first, words, place, 0 FROM place
    UNION ALL
    SELECT climbed.first, climbed.words, place.above, climbed.height + 1
    FROM climbed
    JOIN place ON place.place = climbed.top
    WHERE place.above IS NOT NULL AND climbed.height < getvariable('max_order')
),
below AS (
    SELECT first, top, height, sum(words)::BIGINT AS words
    FROM climbed
    GROUP BY first, top, height
)
-- Pairs that are near enough are counted at the root, or where the place above is too far for them.
SELECT one.first, sum(one.words * other.words)::BIGINT AS pairs
FROM below AS one
JOIN below AS other ON other.top = one.top AND one.height + other.height <= getvariable('max_order')
JOIN place ON place.place = one.top
WHERE place.above IS NULL OR one.height + other.height > getvariable('max_order') - 2
GROUP BY one.first
HAVING sum(one.words * other.words) > getvariable('max_pairs');

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

-- name: suspect_line
-- A row: a line of the chunk in which a rule may be broken, counted from 0, and its number among the words (NULL where
-- it is none). The same rules as in suspect; only these lines are cut, so that one fault does not cost the whole chunk.
CREATE OR REPLACE TEMP TABLE suspect_line AS
WITH wrong_relation AS (
    FROM (SELECT DISTINCT relation, head > 0 AS has_head FROM word_line)
    WHERE relation_fault(relation, has_head) IS NOT NULL
),
suspect_word AS (
    SELECT number FROM placed_word WHERE place_fault(position, head, words, '', '') IS NOT NULL
    UNION
    SELECT number FROM word_line WHERE empty_fault(form, lemma, upos, xpos) IS NOT NULL
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
        empty_fault(fields[2], fields[3], fields[4], fields[5]), head_text_fault(fields[7]),
        relation_fault(fields[8], NOT regexp_full_match(fields[7], '0+'))
    ) END) AS found, 1 AS rank
    FROM cut_line
    WHERE fields IS NOT NULL AND NOT starts_with(fields[1], '#')
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
size AS (
    SELECT (SELECT count(*) FROM word_line) AS words, (SELECT count(*) FROM other_line) AS others
)
SELECT DISTINCT coalesce(before.line + 1, 0) AS first_line,
    coalesce(after.line, size.words + size.others) - 1 AS last_line,
    coalesce(before.next_word, 0) AS first_word, coalesce(after.next_word, size.words) - 1 AS last_word
FROM fault
CROSS JOIN size
ASOF LEFT JOIN blank AS before ON fault.line > before.line
ASOF LEFT JOIN blank AS after ON fault.line < after.line;

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
    OR regexp_matches(other_line.content, '^#\s*(newdoc|meta::)');

-- A row: words of a sentence that stays, written as one.
CREATE OR REPLACE TEMP TABLE range_span AS
SELECT range_span.line, range_span.first, range_span.last, range_span.form, range_span.space_after, range_span.problem
FROM range_span
ASOF LEFT JOIN invalid_sentence AS invalid ON range_span.line >= invalid.first_line
WHERE invalid.last_line IS NULL OR range_span.line > invalid.last_line;

-- name: suspect
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

-- name: faults
-- A row: a fault of the chunk, with the first and the last line of its sentence.
SELECT sentence.first_line, sentence.last_line, fault.line, fault.kind, fault.problem, fault.rank
FROM fault
ASOF JOIN invalid_sentence AS sentence ON fault.line >= sentence.first_line
ORDER BY fault.line, fault.rank;

-- name: token_rows
-- A row: a node of a tree of the chunk that was read, as a phrase has it: its sentence, its position, its lexeme (NULL
-- where it is left out), the position of its head (0 for a root) and its relation.
SELECT token.sentence, token.position, lexeme.text, coalesce(head.position, 0), coalesce(label.text, relation.text)
FROM node
JOIN token ON token.number = node.number
JOIN _store.word ON word.id = node.word_id
JOIN _store.relation ON relation.id = token.relation_id
LEFT JOIN label ON label.id = node.label_id
LEFT JOIN token AS head ON head.number = node.head_number
LEFT JOIN _store.lexeme ON lexeme.id = word.lexeme_id
ORDER BY token.number;

-- name: fields_of_conll2009
-- The columns of a line of CoNLL-2009 as the 10 of CoNLL-U: what people annotated and, where that is _, what was
-- predicted. A line of fewer than 14 columns is but its first; NULL of a blank line.
CREATE OR REPLACE TEMP MACRO fields_of(content) AS
    list_transform([string_split(content, chr(9))], lambda f: CASE
        WHEN len(f) >= 14 THEN [
            f[1], f[2], CASE WHEN f[3] = '_' THEN f[4] ELSE f[3] END, CASE WHEN f[5] = '_' THEN f[6] ELSE f[5] END,
            CASE WHEN f[6] = '_' THEN f[5] ELSE f[6] END, f[7], CASE WHEN f[9] = '_' THEN f[10] ELSE f[9] END,
            CASE WHEN f[11] = '_' THEN f[12] ELSE f[11] END, '_', '_'
        ]
        ELSE f[:1]
    END)[1];

-- name: fields_of_conllu
-- The 10 columns of a line of CoNLL-U, or of CoNLL-X, whose columns mean the same as far as trees go; NULL of a blank
-- line.
CREATE OR REPLACE TEMP MACRO fields_of(content) AS
    string_split(content, chr(9));
