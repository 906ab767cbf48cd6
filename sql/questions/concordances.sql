-- Concordances page by page: the hits of a question, sorted and a few at a time; how often each value of something is
-- among them; and the sentences around one.

-- name: hits
-- A row: a hit of a question, as evidence has them, with its number in the order of the corpora (hit), the number of
-- hits before any are drawn (found), and the first and last token of its keyword.
-- @lexeme@: the lexeme, phrase or query, as evidence takes it
-- @path@: the path, or NULL
-- @context@: the context, or NULL
-- @subcorpus@: the subcorpus, or NULL
-- @counts@: direct or packed, or NULL
-- @sample@: how many hits are drawn, or NULL for all
-- @seed@: the seed of the sample
WITH _asked AS MATERIALIZED (
    FROM _store.asked(_store.text_asked(@lexeme@), @context@, @subcorpus@)
    WHERE (SELECT _store.check_drawing(NULL, @sample@, @seed@, 'place', false, @counts@))
        AND (SELECT _store.check_evidence(@lexeme@, @path@, @context@, @subcorpus@, NULL))
        AND (SELECT coalesce(_store.counted_path(@path@, @subcorpus@), '') IS NOT NULL)
),
_found AS MATERIALIZED (
    FROM _store.hit_asked(
        '_asked', @lexeme@, @path@, @context@, @subcorpus@, _store.shown_counts(@counts@, @subcorpus@)
    )
),
_drawn AS MATERIALIZED (FROM _store.drawn_hit('_found', NULL, @sample@, @seed@, 'place', false)),
-- A row: a node of joined tokens that is the keyword of a hit, with the first and the last of them.
_edge AS (
    SELECT joined.sentence_id, joined.top, min(joined.position) AS first_token, max(joined.position) AS last_token
    FROM _store.joined
    SEMI JOIN _drawn ON _drawn.sentence_id = joined.sentence_id AND _drawn.position = joined.top
    GROUP BY joined.sentence_id, joined.top
),
_count AS MATERIALIZED (SELECT count(*) AS found FROM _found)
SELECT _drawn.*, _count.found, row_number() OVER (
        ORDER BY _drawn.sentence_id ASC, _drawn.position ASC, _drawn.context_position ASC, _drawn.last_position ASC
    ) AS hit,
    CASE
        WHEN _drawn.last_position IS NULL THEN coalesce(_edge.first_token, _drawn.position)
        ELSE _drawn.position
    END AS first_token,
    coalesce(_drawn.last_position, _edge.last_token, _drawn.position) AS last_token
FROM _drawn
CROSS JOIN _count
LEFT JOIN _edge ON _edge.sentence_id = _drawn.sentence_id AND _edge.top = _drawn.position;

-- name: value_of_tokens
-- A row: a hit of _hit and the forms, lemmas or parts of speech of some tokens in or beside its keyword, if the
-- sentence has them.
-- @attribute@: the expression of the attribute, of word
-- @first@: the expression of the first position
-- @last@: the expression of the last position
SELECT place.hit, string_agg(@attribute@, ' ' ORDER BY place.position ASC) AS value
FROM (
    SELECT hit, sentence_id, unnest(range(@first@, @last@ + 1)) AS position FROM _hit
) AS place
JOIN _store.token ON token.sentence_id = place.sentence_id AND token.position = place.position
JOIN _store.word ON word.id = token.word_id
GROUP BY place.hit;

-- name: value_of_sentence
-- A row: a hit of _hit and what is known of its sentence: its corpus, its document, or metadata.
-- @kind@: corpus, document, or a column of metadata
SELECT _hit.hit, said.value
FROM _hit
JOIN _store.sentence_value(@kind@, NULL) AS said ON said.sentence_id = _hit.sentence_id;

-- name: no_value
-- No row: the values of no hit.
SELECT 0::BIGINT AS hit, NULL::VARCHAR AS value LIMIT 0;

-- name: place_of_example
-- A row: a hit of _wanted that is a good example, and its place among these. Of very many hits, some are looked at, and
-- of those with the same words one, as evidence does.
-- @subcorpus@: the subcorpus, or NULL
-- @sample@: how many hits were drawn, or NULL
-- @seed@: the seed of the sample
WITH _looked AS MATERIALIZED (FROM _store.drawn_hit('_wanted', NULL, @sample@, @seed@, 'place', true))
SELECT hit, place AS value FROM _store.placed_line('_looked', 'place', '', @subcorpus@);

-- name: page
-- A row: a line of a page of a concordance: the number of hits before any are drawn (found) and of those that are shown
-- on all pages (hits), the place of this one among them, its sentence and the words there, and where the keyword begins
-- and ends. One row without a line if the page has none.
-- @hits@: the statement hits, in brackets
-- @value@: a statement of values, in brackets, by which lines are sorted
-- @sorting@: the order of values, as ORDER BY has it
-- @chosen@: a statement of values, in brackets, one of which the hits must have
-- @wanted@: the condition for that value (chosen.value)
-- @kept@: the condition for the value by which lines are sorted (sorted.value)
-- @skipped@: the number of lines before the page
-- @rows@: the most lines of a page
WITH _hit AS MATERIALIZED (FROM @hits@),
_chosen AS (FROM @chosen@),
_wanted AS MATERIALIZED (
    SELECT _hit.* FROM _hit LEFT JOIN _chosen AS chosen ON chosen.hit = _hit.hit WHERE @wanted@
),
_value AS (FROM @value@),
_sorted AS MATERIALIZED (
    SELECT _wanted.*, row_number() OVER (ORDER BY @sorting@, _wanted.hit ASC) AS rank
    FROM _wanted
    LEFT JOIN _value AS sorted ON sorted.hit = _wanted.hit
    WHERE @kept@
),
_page AS MATERIALIZED (FROM _sorted WHERE rank > @skipped@ AND rank <= @skipped@ + @rows@),
_line AS (FROM _store.placed_line('_page', 'place', NULL, NULL)),
_shown AS (
    SELECT _line.rank, _line.sentence_id AS number, corpus.name AS corpus, document.name AS document,
        coalesce(sentence.sent_id, '#' || 1 + sentence.id - (
            SELECT min(own.id) FROM _store.sentence AS own WHERE own.corpus_id = corpus.id
        )) AS sentence,
        own.text AS lexeme, _line.path, other.text AS context, _line.words, _line.first_word, _line.last_word,
        _line.position, _line.context_position, _line.is_direct
    FROM _line
    JOIN _store.sentence ON sentence.id = _line.sentence_id
    JOIN _store.corpus ON corpus.id = sentence.corpus_id
    LEFT JOIN _store.document ON document.id = sentence.document_id
    LEFT JOIN _store.lexeme AS own ON own.id = _line.lexeme_id
    LEFT JOIN _store.lexeme AS other ON other.id = _line.context_id
)
SELECT (SELECT coalesce(max(found), 0) FROM _hit) AS found, (SELECT count(*) FROM _sorted) AS hits, _shown.*
FROM (SELECT 1) AS always
LEFT JOIN _shown ON true
ORDER BY _shown.rank ASC;

-- name: breakdown
-- A row: a value, how many of the hits have it, and the numbers of all hits and of all values; the most frequent first.
-- @hits@: the statement hits, in brackets
-- @value@: a statement of values, in brackets
-- @chosen@: a statement of values, in brackets, one of which the hits must have
-- @wanted@: the condition for that value (chosen.value)
-- @top@: the most rows
WITH _hit AS MATERIALIZED (FROM @hits@),
_value AS (FROM @value@),
_chosen AS (FROM @chosen@)
SELECT own.value, count(*) AS count, sum(count(*)) OVER ()::BIGINT AS hits, count(*) OVER () AS kinds
FROM _hit
LEFT JOIN _value AS own ON own.hit = _hit.hit
LEFT JOIN _chosen AS chosen ON chosen.hit = _hit.hit
WHERE @wanted@
GROUP BY own.value
ORDER BY count DESC, own.value ASC NULLS LAST
LIMIT @top@;

-- name: spread
-- A row: in how many documents hits are, of how many texts, and Gries' DP; no row without hits.
-- @hits@: the statement hits, in brackets
-- @subcorpus@: the subcorpus, or NULL
WITH _placed AS MATERIALIZED (SELECT 1 AS place, sentence_id FROM @hits@ AS hit),
_text AS (SELECT count(DISTINCT text_id) AS texts FROM _store.sentence_text(@subcorpus@, 'document'))
SELECT spread.documents, spread.dp, _text.texts
FROM _store.dispersion_of_hits('_placed', @subcorpus@, 'document') AS spread
CROSS JOIN _text;

-- name: sizes
-- A row: a value of metadata, of documents or of corpora, and the number of its tokens.
-- @kind@: corpus, document, or a column of metadata
-- @subcorpus@: the subcorpus, or NULL
SELECT said.value, count(*) AS tokens
FROM _store.token
JOIN _store.sentence_value(@kind@, @subcorpus@) AS said ON said.sentence_id = token.sentence_id
GROUP BY said.value;

-- name: facet
-- A row: a value of metadata, the numbers of its documents and sentences among those chosen, and of all values; the
-- most frequent first.
-- @kind@: corpus, or a column of metadata
-- @chosen@: the statement of the chosen sentences, in brackets
-- @top@: the most rows
SELECT said.value, count(DISTINCT sentence.document_id) AS documents, count(*) AS sentences, count(*) OVER () AS kinds
FROM @chosen@ AS chosen
JOIN _store.sentence ON sentence.id = chosen.sentence_id
JOIN _store.sentence_value(@kind@, NULL) AS said ON said.sentence_id = chosen.sentence_id
GROUP BY said.value
ORDER BY documents DESC, sentences DESC, said.value ASC NULLS LAST
LIMIT @top@;

-- name: chosen
-- One row: the numbers of documents, sentences and tokens that are chosen.
-- @chosen@: the statement of the chosen sentences, in brackets
WITH _chosen AS MATERIALIZED (FROM @chosen@)
SELECT count(DISTINCT sentence.document_id) AS documents, count(*) AS sentences,
    (SELECT count(*) FROM _store.token SEMI JOIN _chosen USING (sentence_id)) AS tokens
FROM _chosen
JOIN _store.sentence ON sentence.id = _chosen.sentence_id;

-- name: metadata_of
-- A row: one of the sentences named, the metadata of the sentence, and then that of its document.
-- @sentences@: a list of numbers of sentences
SELECT sentence.id AS number, own.* EXCLUDE (sentence_id), said.* EXCLUDE (document_id)
FROM _store.sentence
LEFT JOIN _store.sentence_metadata AS own ON own.sentence_id = sentence.id
LEFT JOIN _store.document_metadata AS said ON said.document_id = sentence.document_id
WHERE list_contains(@sentences@, sentence.id);

-- name: around
-- A row: a sentence near one of those named (of), in the same document, itself included, and its text.
-- @sentences@: a list of numbers of sentences
-- @most@: how far from it, in sentences
WITH _near AS MATERIALIZED (
    SELECT own.id AS of, near.id AS sentence_id
    FROM (SELECT unnest(@sentences@) AS id) AS named
    JOIN _store.sentence AS own ON own.id = named.id
    CROSS JOIN (SELECT unnest(range(-@most@, @most@ + 1)) AS away) AS shift
    JOIN _store.sentence AS near ON near.id = own.id + shift.away AND near.corpus_id = own.corpus_id
        AND near.document_id IS NOT DISTINCT FROM own.document_id
),
_token AS MATERIALIZED (FROM _store.token_of('_near'))
SELECT _near.of, _near.sentence_id AS number, trim(_store.text_of(written.words)) AS text
FROM _near
JOIN _store.words_of('_token') AS written ON written.sentence_id = _near.sentence_id
ORDER BY _near.of ASC, _near.sentence_id ASC;

-- name: words_of_sentence
-- A row: a token of a sentence, in their order, with its lexeme.
-- @number@: the number of the sentence
SELECT position, form, lemma, upos, xpos, feats, head, relation, lexeme, space_after
FROM tokens
WHERE sentence = @number@
ORDER BY position ASC;

-- name: about_sentence
-- One row: a sentence, its corpus, its document and its name; none if there is no such sentence.
-- @number@: the number of the sentence
SELECT corpus.name AS corpus, document.name AS document, coalesce(sentence.sent_id, '#' || 1 + sentence.id - (
    SELECT min(own.id) FROM _store.sentence AS own WHERE own.corpus_id = corpus.id
)) AS sentence
FROM _store.sentence
JOIN _store.corpus ON corpus.id = sentence.corpus_id
LEFT JOIN _store.document ON document.id = sentence.document_id
WHERE sentence.id = @number@;
