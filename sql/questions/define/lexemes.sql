-- What is said of a part of speech that no lexeme has, and which there are.
CREATE OR REPLACE MACRO _store.no_pos(tag, subcorpus) AS
    'no lexeme has the part of speech ' || tag || coalesce('; available: ' || (
        SELECT array_to_string(list(common.pos ORDER BY common.tokens DESC, common.pos ASC)[:20], ', ')
            || CASE WHEN count(*) > 20 THEN ', …' ELSE '' END
        FROM (SELECT pos, sum(frequency) AS tokens FROM _store.lexeme_in(subcorpus) GROUP BY pos) AS common
    ), '; no lexeme has one');

-- What is said where no lexeme is given.
CREATE OR REPLACE MACRO _store.name_a_lexeme() AS
    'no lexeme is given; write one, as ''dog/NOUN''; FROM lexemes lists them';

-- True where lexemes can be looked for; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_lexemes(wanted, regex, tag, fewest, sort, top, subcorpus) AS
    CASE
        @lexemes_checks@
        WHEN NOT _store.check_subcorpus(subcorpus) THEN false
        WHEN regex AND wanted IS NULL THEN error('regex is true, but there is no pattern')
        WHEN (SELECT count(*) FROM _store.lexeme_in(subcorpus) AS having_pos WHERE having_pos.pos = tag) = 0
            AND tag IS NOT NULL
        THEN error(_store.no_pos(tag, subcorpus))
        ELSE true
    END;

-- Whether a text is like a pattern: the same, or as ? and * stand for any letter and any letters; or matches it as a
-- whole as a regular expression. A pattern that is NULL stands for any text.
CREATE OR REPLACE MACRO _store.is_like(text, wanted, regex) AS
    CASE
        WHEN wanted IS NULL THEN true
        -- (An expression that is a constant is read before the choice: a pattern such as ? is none.)
        WHEN regex THEN regexp_full_match(text, CASE WHEN regex THEN wanted::VARCHAR ELSE '' END)
        ELSE text = wanted::VARCHAR OR text GLOB wanted::VARCHAR
    END;

-- A row: a lexeme that is like a pattern, by itself, by its lemma or by one of its forms (form:…), has a part of
-- speech, and is not too rare, with its place by frequency or by text.
CREATE OR REPLACE MACRO _store.lexeme_like(wanted, regex, tag, fewest, sort, subcorpus) AS TABLE (
    SELECT known.text, known.lemma, known.pos AS part_of_speech, known.frequency, row_number() OVER (
            ORDER BY CASE WHEN sort = 'frequency' THEN known.frequency END DESC, known.text ASC
        ) AS place
    FROM _store.lexeme_in(subcorpus) AS known
    WHERE (_store.is_like(known.text, wanted, regex) OR _store.is_like(known.lemma, wanted, regex)
        OR known.id IN (
            SELECT word.lexeme_id
            FROM _store.word
            WHERE _store.asks_for_form(CASE WHEN NOT regex THEN wanted::VARCHAR ELSE '' END, word.form) IS NOT NULL
        ))
        AND (tag IS NULL OR known.pos = tag) AND (fewest IS NULL OR known.frequency >= fewest)
);

-- A row: a lexeme of a subcorpus, or of the whole lexicon, its lemma, its part of speech, and its number of tokens
-- there. pattern: only lexemes that match, or whose lemma matches; * stands for any characters, ? for one; form:dogs:
-- those with this form. regex: the pattern is a regular expression for the whole lexeme or lemma.
-- Columns: lexeme VARCHAR, lemma VARCHAR, pos VARCHAR, frequency BIGINT
-- Example: FROM lexemes(pattern := 'sho*', pos := 'NOUN', top := 10)
CREATE OR REPLACE MACRO lexemes(subcorpus := NULL, pattern VARCHAR := NULL, @parameters_of_lexemes@) AS TABLE (
    SELECT known.text AS lexeme, known.lemma, known.part_of_speech AS pos, known.frequency
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('lexemes', row(subcorpus, @given_to_lexemes@)) AS _constants
    CROSS JOIN _store.lexeme_like(pattern, regex, pos, min_frequency, sort, subcorpus) AS known
    WHERE known.place <= coalesce(top, known.place)
        AND _store.admitted('@stamp@', _store.check_lexemes(pattern, regex, pos, min_frequency, sort, top, subcorpus))
    ORDER BY known.place ASC
);
