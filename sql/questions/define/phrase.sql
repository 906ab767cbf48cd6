-- A phrase is a list of words, each with its offset delta, the path from it to the root's word.

-- The word at which a phrase is anchored, as {lexeme, delta}: its i-th, or for 0 the root's. NULL where it has no root.
CREATE OR REPLACE MACRO _store.anchored_word(phrase, anchor) AS
    CASE
        WHEN anchor > 0 THEN phrase[anchor::BIGINT]
        ELSE list_filter(phrase, lambda word: word.delta = '' OR word.delta = 'ε')[1]
    END;

-- The text before the last / of a lexeme, and the text after it; all of it, and NULL, where there is none.
CREATE OR REPLACE MACRO _store.lemma_of(name) AS
    regexp_replace(name, '/[^/]*$', '');
CREATE OR REPLACE MACRO _store.pos_of(name) AS
    CASE WHEN contains(name, '/') THEN regexp_extract(name, '[^/]*$') END;

-- One row: what the name in a relation (name) of at most one row may have meant: up to five lexemes, as text. Those
-- spelt most like it (of its lemma, if there are any) come first, then those of its part of speech; NULL if none is.
CREATE OR REPLACE MACRO _store.near_lexemes(unknown, subcorpus) AS TABLE (
    SELECT array_to_string(list_transform(
        list_filter(found.nearest, lambda near: near.distance = found.nearest[1].distance), lambda near: near.text
    ), ', ') AS names
    FROM (
        SELECT min({
            'distance': damerau_levenshtein(lexeme.lemma, lower(_store.lemma_of(asked.name))),
            'is_other': lexeme.pos IS DISTINCT FROM _store.pos_of(asked.name), 'rarity': -lexeme.frequency,
            'text': lexeme.text
        }, 5) AS nearest
        FROM query_table(unknown) AS asked
        JOIN _store.lexeme_in(subcorpus) AS lexeme
            ON CASE -- (Where the lengths differ by more, so do the names, which takes long to find out of long ones.)
                WHEN abs(length(lexeme.lemma) - length(lower(_store.lemma_of(asked.name)))) <= 2
                THEN damerau_levenshtein(lexeme.lemma, lower(_store.lemma_of(asked.name)))
                    <= least(2, length(_store.lemma_of(asked.name)) // 3)
                ELSE false
            END
    ) AS found
);

-- True where a phrase can be asked about: it has words, each of them a lexeme of the lexicon with a valid offset, and
-- the anchor is one of them. Otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_phrase(phrase, anchor) AS
    CASE
        WHEN coalesce(len(phrase), 0) = 0 THEN error('the phrase is empty; it needs one word or more')
        WHEN len(list_filter(phrase, lambda word: word.lexeme IS NULL)) > 0
        THEN error(_store.name_a_lexeme())
        WHEN anchor IS NULL OR anchor < 0 OR anchor > len(phrase) THEN error(
            'anchor is ' || coalesce(anchor::VARCHAR, 'NULL')
            || '; expected 0 for the root''s word, or the number of a word, 1 to '
            || len(phrase)
        )
        WHEN len(list_filter(phrase, lambda word: NOT coalesce(path_is_valid(word.delta), false))) > 0 THEN error(
            'delta is ' || coalesce('''' || list_filter(
                phrase, lambda word: NOT coalesce(path_is_valid(word.delta), false)
            )[1].delta || '''', 'NULL') || '; expected a reduced path, ups before downs, as <amod, or '''' for the root'
        )
        ELSE true
    END;
