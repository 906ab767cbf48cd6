-- What the text of a question asks for: a lexeme; a stored sense of one; all lexemes like a pattern; or the tokens with
-- a form.

-- The regular expression that a pattern stands for: /…/ is one itself; * stands for any letters, ? for one. NULL for
-- any other text.
CREATE OR REPLACE MACRO _store.pattern(asked) AS
    CASE
        WHEN regexp_full_match(asked, '(?s)/.+/') THEN '(?s)' || asked[2:-2]
        WHEN regexp_matches(asked, '[*?]')
        THEN '(?s)' || replace(replace(regexp_escape(asked), '\*', '.*'), '\?', '.')
    END;

-- The regular expression for lexemes and lemmas that a text stands for; NULL where it is no pattern, or one of forms.
CREATE OR REPLACE MACRO _store.lexeme_pattern(asked) AS
    CASE WHEN NOT starts_with(asked, 'form:') THEN _store.pattern(asked) END;

-- A form, or an expression for some, in the letters in which forms are compared: composed ones, as Unicode's NFC has
-- them, and i for İ, as lower() has it, whose dot may stand apart: the one letter for which (?i) does not stand.
CREATE OR REPLACE MACRO _store.letters_of(form) AS
    replace(replace(nfc_normalize(form), 'İ', 'i'), 'i' || chr(775), 'i');

-- The regular expression for forms, whose capitals make no difference, that form:… stands for; NULL for any other text.
CREATE OR REPLACE MACRO _store.form_pattern(asked) AS
    CASE
        WHEN starts_with(asked, 'form:')
        THEN '(?i)' || _store.letters_of(coalesce(_store.pattern(asked[6:]), regexp_escape(asked[6:])))
    END;

-- How a text asks for a lexeme: 1 by its text, 3 by a pattern for it or for its lemma; NULL if it does not.
CREATE OR REPLACE MACRO _store.asks_for(asked, text, lemma) AS
    CASE
        WHEN text = asked THEN 1
        WHEN _store.lexeme_pattern(asked) IS NULL THEN NULL -- (No expression is compared with each lexeme for nothing.)
        WHEN regexp_full_match(text, _store.lexeme_pattern(asked)) THEN 3
        WHEN regexp_full_match(lemma, _store.lexeme_pattern(asked)) THEN 3
    END;

-- The same of a form: 4 by its letters.
CREATE OR REPLACE MACRO _store.asks_for_form(asked, form) AS
    CASE
        WHEN starts_with(asked, 'form:')
        THEN CASE WHEN regexp_full_match(_store.letters_of(form), _store.form_pattern(asked)) THEN 4 END
    END;

-- A row: a lexeme that the lexeme or the context (of_context) of a question asks for, or one word of it (word_id: a
-- form with its analysis), or one sense of it (sense_id); without an id where the text is NULL. The text of a lexeme
-- asks for that lexeme alone, and so does that of a sense.
CREATE OR REPLACE MACRO _store.found_asked(lexeme, context, subcorpus) AS TABLE (
    -- A row: a lexeme, a sense, a word, or anything at all, and how it is asked for on either side; 2 is by the name of
    -- a sense, 4 by its form.
    WITH _each AS (
        SELECT known.id AS lexeme_id, NULL::INTEGER AS word_id, NULL::INTEGER AS sense_id,
            _store.asks_for(lexeme, known.text, known.lemma) AS as_lexeme,
            _store.asks_for(context, known.text, known.lemma) AS as_context
        FROM _store.lexeme_in(subcorpus) AS known
        UNION ALL
        SELECT sense.lexeme_id, NULL, sense.id, CASE WHEN sense.name = lexeme THEN 2 END,
            CASE WHEN sense.name = context THEN 2 END
        FROM _store.sense_named() AS sense
        UNION ALL
        SELECT word.lexeme_id, word.id, NULL,
            _store.asks_for_form(lexeme, word.form), _store.asks_for_form(context, word.form)
        FROM _store.word
        WHERE word.lexeme_id IS NOT NULL
        UNION ALL
        SELECT NULL, NULL, NULL, CASE WHEN lexeme IS NULL THEN 1 END, CASE WHEN context IS NULL THEN 1 END
    ),
    _side AS (
        SELECT lexeme_id, word_id, sense_id, unnest([false, true]) AS of_context, unnest([as_lexeme, as_context]) AS how
        FROM _each
        WHERE as_lexeme IS NOT NULL OR as_context IS NOT NULL
    )
    SELECT of_context, lexeme_id, word_id, sense_id
    FROM _side
    WHERE how IS NOT NULL
    QUALIFY how = min(how) OVER (PARTITION BY of_context)
);

-- Whether an entry has this name.
CREATE OR REPLACE MACRO _store.is_entry(called) AS
    called IN (SELECT entry.name FROM _store.stored_entry AS entry);

-- What follows where an entry that is no sense is asked for sentences or counts, in an error.
CREATE OR REPLACE MACRO _store.only_entry() AS
    '; that is an entry, and this question takes lexemes alone';

-- What follows a text in the notation of the program for phrases, trees or sequences, which SQL does not read.
CREATE OR REPLACE MACRO _store.no_notation(asked) AS
    asked || ': SQL takes a phrase as a list of words, a tree as pattern(''…'') and a sequence as cql(''…''); '
    || 'aptdb evidence FILE ''' || replace(asked, '''', '''''') || ''' --show-sql writes it so';

-- What is wrong with a text that asks for nothing. names: lexemes that may have been meant.
CREATE OR REPLACE MACRO _store.none_asked(asked, names, subcorpus) AS
    CASE
        WHEN NOT _store.check_subcorpus(subcorpus) THEN NULL
        WHEN regexp_matches(asked, '[]}]$') THEN error(_store.no_notation(asked))
        WHEN starts_with(asked, 'form:') THEN 'no form is ' || asked[6:]
        WHEN _store.pattern(asked) IS NOT NULL THEN 'no lexeme or lemma matches ' || asked
        ELSE 'no lexeme ' || coalesce(nullif(asked, ''), '''''')
    END
    || coalesce(' in the subcorpus ' || subcorpus, '')
    || CASE
        WHEN _store.is_entry(asked) THEN _store.only_entry()
        WHEN _store.is_lexeme(_store.lexeme_of_sense(asked)) THEN _store.other_senses(asked)
        WHEN names IS NULL AND _store.lexeme_pattern(asked) IS NOT NULL THEN ''
        ELSE _store.meant(names)
    END
    || CASE
        WHEN _store.lexeme_pattern(asked) IS NOT NULL AND NOT regexp_matches(asked, '[^/]/[^/]+$')
        THEN '; to search word forms: form:' || asked
        ELSE ''
    END
    || CASE
        WHEN _store.pattern(asked) IS NOT NULL AND _store.lemma_of(asked) <> lower(_store.lemma_of(asked))
            AND (SELECT settings.lowercase FROM _store.settings)
        THEN '; words are in lower case here'
        ELSE ''
    END;

-- A row: as in _store.found_asked; an error where the lexeme or the context asks for nothing, which names lexemes that
-- may have been meant.
CREATE OR REPLACE MACRO _store.asked(lexeme, context, subcorpus) AS TABLE (
    WITH _found AS MATERIALIZED (FROM _store.found_asked(lexeme, context, subcorpus)),
    -- A row: a text that asks for nothing; what may have been meant is looked for only then.
    _unknown AS MATERIALIZED (
        SELECT side.asked, regexp_replace(side.asked, '^form:|^/|/$|[*?]', '', 'g') AS name
        FROM (SELECT unnest([false, true]) AS of_context, unnest([lexeme, context]) AS asked) AS side
        ANTI JOIN _found ON _found.of_context = side.of_context
        ORDER BY side.of_context ASC
        LIMIT 1
    ),
    _meant AS (FROM _store.near_lexemes('_unknown', subcorpus))
    FROM _found
    UNION ALL
    SELECT NULL, stopped.at_once, NULL, NULL
    FROM (
        SELECT error(_store.none_asked(_unknown.asked, _meant.names, subcorpus))::INTEGER AS at_once
        FROM _unknown, _meant
        UNION ALL
        FROM _store.stale_asked('_found')
    ) AS stopped
);
