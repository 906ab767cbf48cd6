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
