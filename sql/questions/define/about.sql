-- The text of a lexeme, or an error where a value is of a type that is none.
CREATE OR REPLACE MACRO _store.as_lexeme(x) AS
    CASE
        WHEN typeof(x) IN ('VARCHAR', '"NULL"', 'JSON') OR starts_with(typeof(x), 'ENUM') THEN x::VARCHAR
        ELSE error(
            'a question about a value of type ' || typeof(x) || '; ask about a lexeme, e.g. ''dog/NOUN'', or a phrase, '
            || 'a list of {''lexeme'': …, ''delta'': …}'
        )
    END;

-- What one question is about, or two are: 'lexemes', 'phrases' or 'both'. It decides what is planned; here alone the
-- type of a value decides. (The overload without a type is also what DuckDB binds while it creates the macros that call
-- this with a parameter, whose type it does not know then: of two overloads with types it could choose neither. A bare
-- NULL comes to the other; it is no lexeme either. In a LATERAL join DuckDB 2.0.0 fails, with unordered_map::at, where
-- an overloaded macro is the first to take a column: so neither uses its argument, and who calls them reads it before.)
CREATE OR REPLACE MACRO _store.sort_of(x) AS
    'lexemes',
(x STRUCT(lexeme VARCHAR, delta VARCHAR)[]) AS
    'phrases';
CREATE OR REPLACE MACRO _store.sort_of_pair(a, b) AS
    CASE WHEN _store.sort_of(a) = _store.sort_of(b) THEN _store.sort_of(a) ELSE 'both' END;

-- Whether a value is a list of words, by its type; that of an empty one does not tell.
CREATE OR REPLACE MACRO _store.is_list(x) AS
    regexp_full_match(typeof(x), '(STRUCT|TUPLE)\(.*\)\[\]|"NULL"\[\]', 's');

-- The words of a phrase, from a value that may be one by its type. (A cast that is tried takes every type.)
CREATE OR REPLACE MACRO _store.words_of(x) AS
    coalesce(try_cast(x AS STRUCT(lexeme VARCHAR, delta VARCHAR)[]), [{'lexeme': NULL, 'delta': ''}]);

-- The words of a phrase, or an error where a value is of a type that is none.
CREATE OR REPLACE MACRO _store.as_phrase(x) AS
    CASE
        WHEN _store.is_list(x) OR typeof(x) = '"NULL"' THEN _store.words_of(x)
        ELSE error(
            'a phrase is a list of {''lexeme'': …, ''delta'': …}, each word with the path from it to the root''s; '
            || 'this is of type ' || typeof(x)
        )
    END;

-- A question about a value of either type.
CREATE OR REPLACE MACRO _store.about(x, anchor) AS
    CASE
        WHEN _store.is_list(x) THEN _store.about_phrase(_store.words_of(x), anchor)
        ELSE _store.about_lexeme(_store.as_lexeme(x), anchor)
    END;

-- Whether a question is asked of a phrase, of a sequence, or of a pattern, by the type. (NULL comes to the other.)
CREATE OR REPLACE MACRO _store.is_phrase(x) AS
    false,
(x STRUCT(lexeme VARCHAR, delta VARCHAR)[]) AS
    x IS NOT NULL;
CREATE OR REPLACE MACRO _store.is_sequence(x) AS
    false,
(x STRUCT(cql VARCHAR)) AS
    x IS NOT NULL;
CREATE OR REPLACE MACRO _store.is_pattern(x) AS
    false,
(x STRUCT(pattern VARCHAR)) AS
    x IS NOT NULL;

-- The words of a phrase that is asked for, the query of a sequence, and the JSON of a pattern; NULL where it is none.
CREATE OR REPLACE MACRO _store.phrase_asked(x) AS
    NULL::STRUCT(lexeme VARCHAR, delta VARCHAR)[],
(x STRUCT(lexeme VARCHAR, delta VARCHAR)[]) AS
    x;
CREATE OR REPLACE MACRO _store.query_asked(x) AS
    NULL::VARCHAR,
(x STRUCT(cql VARCHAR)) AS
    x.cql;
CREATE OR REPLACE MACRO _store.pattern_asked(x) AS
    NULL::VARCHAR,
(x STRUCT(pattern VARCHAR)) AS
    x.pattern;

-- How a question is asked: of words, of which there is a text, of a phrase, a sequence or a pattern; and that text, or
-- NULL.
CREATE OR REPLACE MACRO _store.sort_asked(x) AS
    CASE WHEN _store.is_phrase(x) THEN 'phrase' WHEN _store.is_sequence(x) THEN 'sequence'
        WHEN _store.is_pattern(x) THEN 'pattern' ELSE 'words' END;
CREATE OR REPLACE MACRO _store.text_asked(x) AS
    CASE WHEN _store.sort_asked(x) = 'words' THEN x::VARCHAR END;

-- A list of texts that is given for a parameter; an error where it is none. (A parameter with a type would be refused
-- by DuckDB, whose message lists all parameters, and does not say which one.)
CREATE OR REPLACE MACRO _store.as_texts(name, given) AS
    error(
        name || ' is ' || CASE typeof(given) WHEN 'VARCHAR' THEN '''' || given::VARCHAR || '''' ELSE given::VARCHAR END
        || '; expected a list, as [''amod'', ''nsubj'']'
    )::VARCHAR[],
(name, given VARCHAR[]) AS
    given;
