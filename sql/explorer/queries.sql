-- The explorer: what its pages look up.

-- name: common_tags
-- A row: one of the parts of speech of words that are not there for grammar, the most frequent first: in Universal
-- Dependencies, and in the Penn Treebank.
SELECT pos
FROM _store.lexeme
WHERE pos IN ('NOUN', 'VERB', 'ADJ', 'ADV', 'PROPN') OR regexp_full_match(pos, '(NN|VB|JJ|RB).*')
GROUP BY pos
ORDER BY sum(frequency) DESC, pos ASC
LIMIT $most;

-- name: same_lemma
-- A row: a lexeme with the lemma $lemma, the most frequent first.
SELECT text AS lexeme FROM _store.lexeme WHERE lemma = $lemma ORDER BY frequency DESC, text ASC LIMIT $most;

-- name: lexemes
-- A row: one of the most frequent lexemes that are not there for grammar (DET, PUNCT, …), its lemma, and its frequency.
SELECT lexeme.text AS lexeme, lexeme.lemma, lexeme.frequency
FROM _store.lexeme
ANTI JOIN _store.function_pos AS grammar ON grammar.pos = lexeme.pos
ORDER BY lexeme.frequency DESC, lexeme.text ASC
LIMIT $most;

-- name: sentences
-- A row: a sentence of one of the lexemes $lexemes, as `evidence` shows it with sample := $sample, in the order of the
-- corpora; of all of them at once, because each question for evidence looks through all tokens.
WITH _given AS MATERIALIZED (SELECT id AS lexeme_id FROM _store.lexeme WHERE list_contains($lexemes, text)),
_drawn AS MATERIALIZED (
    SELECT sentence_id, position, NULL::INTEGER AS context_position, lexeme_id, NULL::VARCHAR AS path,
        NULL::INTEGER AS context_id, NULL::INTEGER AS last_position
    FROM _store.node_of('_given', NULL)
    QUALIFY row_number() OVER (
        PARTITION BY lexeme_id
        ORDER BY hash(1, sentence_id, position, context_position) ASC, sentence_id ASC, position ASC
    ) <= $sample
),
_line AS (FROM _store.placed_line('_drawn', 'place', NULL, NULL))
SELECT own.text AS lexeme, coalesce(sentence.sent_id, '#' || 1 + sentence.id - (
    SELECT min(first.id) FROM _store.sentence AS first WHERE first.corpus_id = sentence.corpus_id
)) AS sentence, NULL AS context,
    trim(_store.text_of(_line.words[:_line.first_word - 1])) AS before,
    trim(_store.text_of(_line.words[_line.first_word:_line.last_word])) AS keyword,
    trim(_store.text_of(_line.words[_line.last_word + 1:])) AS after,
    trim(array_to_string(list_transform(_line.words, lambda each: CASE
        WHEN each['node'] = _line.position THEN '[' || each['form'] || ']' ELSE each['form']
    END || each['gap']), '')) AS text
FROM _line
JOIN _store.sentence ON sentence.id = _line.sentence_id
JOIN _store.lexeme AS own ON own.id = _line.lexeme_id
ORDER BY own.text ASC, _line.place ASC;

-- name: frequencies
-- A row: one of the lexemes $lexemes, and how many tokens it has in the subcorpus $subcorpus, or in all where that is
-- NULL.
SELECT text AS lexeme, frequency FROM _store.lexeme_in($subcorpus) WHERE list_contains($lexemes, text);

-- name: is_lexicon
-- Whether this database has the settings of a lexicon.
SELECT count(*) > 0 FROM duckdb_tables() WHERE schema_name = '_store' AND table_name = 'settings';

-- name: tables
-- A row: a table of the lexicon, as a query names it.
SELECT '"' || replace(schema_name, '"', '""') || '"."' || replace(table_name, '"', '""') || '"' AS name
FROM duckdb_tables()
WHERE NOT internal AND NOT temporary
ORDER BY name ASC;

-- name: whole_table
-- The row: one number of all values of a table, for which all of them are read.
-- @table@: the table, as a query names it.
SELECT bit_xor(hash(each)) AS number FROM @table@ AS each;

-- name: in_words
-- A row: a path, and in words what a lexeme of this lemma meets along it; the path itself where it has no words.
WITH asked AS (SELECT unnest($paths::VARCHAR[]) AS path)
SELECT around.path, coalesce(around.before || $lemma || around.after, around.path) AS words
FROM _store.words_around('asked') AS around;

-- name: usual_space
-- One row at most: the first reduced space that is up to date and has a vector of the lexeme $root.
SELECT stored.space
FROM space_vectors AS stored
JOIN spaces AS known ON known.space = stored.space
WHERE known.state = 'kept' AND stored.lexeme = $root
ORDER BY stored.space ASC
LIMIT 1;

-- name: has_senses
-- A row if senses of the lexeme $lexeme are stored.
SELECT DISTINCT lexeme FROM senses WHERE lexeme = $lexeme;

-- name: with_senses
-- A row: a lexeme of which senses are stored.
SELECT DISTINCT lexeme FROM senses ORDER BY lexeme ASC;

-- name: slots
-- A row: the name of a token of what is asked for, in their order, as in hits of a pattern.
-- @asked@: the pattern, its path and its context, as evidence takes them
SELECT name FROM _store.name_of_token(@asked@) ORDER BY number ASC;
