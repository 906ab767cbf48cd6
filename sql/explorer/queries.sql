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

-- name: next_words
-- A row: a lemma that begins with $begin, not there for grammar, which words of $before, forms or lemmas, meet one step
-- away; and how often, by direct counts: with the word that meets it least. First comes what may follow the last of
-- them, by its place in the tree (the noun of an adjective, the object of a verb), and of that what more of them meet.
WITH written AS (
    SELECT DISTINCT lower(form.form) AS word, form.lexeme_id
    FROM _store.word AS form
    WHERE list_contains($before, lower(form.form))
    UNION
    SELECT lower(lemma), id FROM _store.lexeme WHERE list_contains($before, lower(lemma))
),
met AS (
    SELECT written.word, context.lemma, sum(met.count - met.merged)::BIGINT AS frequency,
        sum(met.count - met.merged) FILTER (
            written.word = $before[-1] AND NOT regexp_matches(path.text, 'subj|conj') AND CASE
                WHEN own.pos = 'ADV' THEN starts_with(path.text, '<')
                ELSE starts_with(path.text, if(starts_with(own.pos, 'V'), '>', '<'))
                    AND regexp_matches(context.pos, '^(N|PROPN)')
            END
        ) AS following
    FROM written
    JOIN _store.lexeme AS own ON own.id = written.lexeme_id
    JOIN _store.cooccurrence AS met ON met.lexeme_id = own.id AND met.count > met.merged
    JOIN _store.path ON path.id = met.path_id AND path.path_order = 1
    JOIN _store.lexeme AS context ON context.id = met.context_id
    ANTI JOIN _store.function_pos AS grammar ON grammar.pos = context.pos
    WHERE starts_with(lower(context.lemma), $begin) AND regexp_matches(context.lemma, '^\pL')
    GROUP BY written.word, context.lemma
)
SELECT lemma, min(frequency) AS frequency
FROM met
GROUP BY lemma
ORDER BY count(following) DESC, count(*) DESC, max(following) DESC NULLS LAST, frequency DESC, lemma ASC
LIMIT $most;

-- name: forms
-- A row: a form in small letters that begins with $begin, of a lexeme that does not, and its most frequent lexeme; not
-- where the form is the lemma of one that is as frequent.
SELECT lower(form.form) AS form, arg_max(lexeme.text, lexeme.frequency) AS lexeme
FROM _store.word AS form
JOIN _store.lexeme ON lexeme.id = form.lexeme_id
WHERE
    starts_with(lower(form.form), $begin)
    AND NOT starts_with(lower(lexeme.text), $begin)
    AND NOT EXISTS (
        SELECT 1 FROM _store.lexeme AS own
        WHERE lower(own.lemma) = lower(form.form) AND own.frequency >= lexeme.frequency
    )
GROUP BY lower(form.form)
ORDER BY max(lexeme.frequency) DESC, form ASC
LIMIT $most;

-- name: short_sentence
-- One row at most: a sentence by chance, of 6 to 12 tokens where there is one, with the lexeme $lexeme unless that is
-- NULL.
SELECT token.sentence_id AS sentence
FROM _store.token
LEFT JOIN _store.word
    ON word.id = token.word_id AND word.lexeme_id = (SELECT id FROM _store.lexeme WHERE text = $lexeme)
GROUP BY token.sentence_id
HAVING $lexeme IS NULL OR count(word.id) > 0
ORDER BY count(*) BETWEEN 6 AND 12 DESC, hash(token.sentence_id + $seed) ASC
LIMIT 1;

-- name: partner_of
-- One row at most: the content word that depends on the lexeme $lexeme more than on others or, if $is_alike, is one
-- step away and has its part of speech, by direct counts; and the relation.
SELECT context.text AS lexeme, context.lemma, context.pos, substr(path.text, 2) AS relation
FROM _store.lexeme AS own
JOIN _store.cooccurrence AS met ON met.lexeme_id = own.id AND met.context_id <> own.id
JOIN _store.path ON path.id = met.path_id AND path.path_order = 1
JOIN _store.lexeme AS context ON context.id = met.context_id
ANTI JOIN _store.function_pos AS grammar ON grammar.pos = context.pos
WHERE own.text = $lexeme AND regexp_full_match(context.lemma, '\pL+')
    AND CASE WHEN $is_alike THEN context.pos = own.pos ELSE starts_with(path.text, '>') END
ORDER BY (met.count - met.merged) ** 3 / context.frequency DESC, context.text ASC
LIMIT 1;

-- name: with_senses
-- A row: a lexeme of which senses are stored.
SELECT DISTINCT lexeme FROM senses ORDER BY lexeme ASC;

-- name: slots
-- A row: the name of a token of what is asked for, in their order, as in hits of a pattern.
-- @asked@: the pattern, its path and its context, as evidence takes them
SELECT name FROM _store.name_of_token(@asked@) ORDER BY number ASC;

-- name: shared_sentences
-- One row: whether the subcorpora $a and $b have sentences in common.
SELECT count(*) > 0 AS shared
FROM _store.subcorpus_sentence AS own
SEMI JOIN _store.subcorpus_sentence AS other
    ON other.sentence_id = own.sentence_id AND other.subcorpus_id = _store.subcorpus_id($b)
WHERE own.subcorpus_id = _store.subcorpus_id($a);
