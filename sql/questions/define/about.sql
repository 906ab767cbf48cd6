-- The text of a lexeme, or an error where a value is of a type that is none.
CREATE OR REPLACE MACRO _store.as_lexeme(x) AS
    CASE
        WHEN typeof(x) IN ('VARCHAR', '"NULL"', 'JSON') OR starts_with(typeof(x), 'ENUM') THEN x::VARCHAR
        ELSE error(
            'a question about a value of type ' || typeof(x) || '; ask about a lexeme, e.g. ''dog/NOUN'', or a phrase, '
            || 'a list of {''lexeme'': …, ''delta'': …}'
        )
    END;

-- A question about a value of either type; here and in the next macro alone the type decides. (The overload without a
-- type is also what DuckDB binds while it creates the macros that call this with a parameter, whose type it does not
-- know then: of two overloads with types it could choose neither. A bare NULL comes to the other; it is no lexeme
-- either.)
CREATE OR REPLACE MACRO _store.about(x, anchor) AS
    _store.about_lexeme(_store.as_lexeme(x), anchor),
(x STRUCT(lexeme VARCHAR, delta VARCHAR)[], anchor) AS
    _store.about_phrase(coalesce(x, _store.one_word(NULL)), anchor);

-- What one question is about, or two are: 'lexemes', 'phrases' or 'both'. It decides what is planned.
CREATE OR REPLACE MACRO _store.sort_of(x) AS
    'lexemes',
(x STRUCT(lexeme VARCHAR, delta VARCHAR)[]) AS
    'phrases';
CREATE OR REPLACE MACRO _store.sort_of_pair(a, b) AS
    CASE WHEN _store.sort_of(a) = _store.sort_of(b) THEN _store.sort_of(a) ELSE 'both' END;
