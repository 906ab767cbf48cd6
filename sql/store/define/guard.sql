-- True where the question runs on the lexicon that it was asked of. A macro's names are looked up in the database in
-- use, not in the one that holds the macro, so `FROM other.ppmi()` would quietly answer from the wrong file. Every
-- public macro therefore carries the stamp of its own lexicon's content and compares it with the one it meets. A view
-- needs none: its names are looked up in the database that holds it. fine: whether the question's parameters are, too.
-- (The aggregate, as in other checks, is planned as one row: so it is checked once, not beside each row that is found.)
CREATE OR REPLACE MACRO _store.admitted(own_stamp, fine) AS (
    SELECT bool_and(CASE
        WHEN settings.stamp = own_stamp THEN fine
        ELSE error('this lexicon is attached but not in use, so another one would answer; run USE with its name first')
    END)
    FROM _store.settings
);

-- Whether a question may be answered by what is stale, of this name, as it was before the lexicon changed: who asks
-- says so, SET VARIABLE aptdb_allow_stale = ['NAME'], or ['*'] for all, as Python does, which warns instead.
CREATE OR REPLACE MACRO _store.allows_stale(name) AS
    coalesce(list_has_any(getvariable('aptdb_allow_stale')::VARCHAR[], [name, '*']), false);

-- Whether an entry is stale, and stale ones are not allowed; and what is then said.
CREATE OR REPLACE MACRO _store.is_stale_entry(name, state) AS
    state = 'stale' AND NOT _store.allows_stale(name);
CREATE OR REPLACE MACRO _store.stale_entry(name, composition) AS
    'the entry ' || name || ' is stale, because the lexicon, or an entry in it, has changed; ' || CASE
        WHEN starts_with(composition, 'sense ') THEN 'find it again by: aptdb refresh LEXICON'
        ELSE 'compose it again by: aptdb refresh LEXICON'
    END;

-- Whether the arguments of a question, as they are written, have a column of another table; its own tables are hidden
-- by a subquery that reads some, and a lambda has names of its own.
CREATE OR REPLACE MACRO _store.names_column(written) AS (
    contains(written, '"class":"COLUMN_REF"')
    AND NOT regexp_matches(written, '"class":"LAMBDA"|"from_table":\{"type":"(?:[^E]|EX)')
);

-- True where all arguments of a question, as they are written, are constants; otherwise an error, while the question is
-- planned. (It is that of a cast, because DuckDB calls error() only once a question runs.)
CREATE OR REPLACE MACRO _store.check_written(written, question) AS
    CASE
        WHEN _store.names_column(json_serialize_sql('SELECT ' || written)::VARCHAR) THEN (
            question || ' takes constants, not columns; ' || CASE question
                WHEN 'neighbours' THEN 'neighbours_each(''t'') asks about all lexemes or phrases of a table t at once'
                WHEN 'apt' THEN 'compose_each(''t'') composes all lexemes or phrases of a table t at once'
                WHEN 'compose' THEN 'compose_each(''t'') composes all phrases of a table t at once'
                ELSE 'call it once for each value'
            END
        )::BOOLEAN
        ELSE true
    END;

-- One row; an error where some argument of a question (given, a row of them) is a column, as in a LATERAL join: DuckDB
-- would answer by a plan that joins all counts with all rows, and fill the disk. The names of the columns of a SELECT
-- are the text of their expressions, which COLUMNS reads while it plans; of what is hidden there, in a subquery, DuckDB
-- refuses the positional join.
CREATE OR REPLACE MACRO _store.constants(question, given) AS TABLE (
    SELECT COLUMNS(lambda written: _store.check_written(written, question))
    FROM (SELECT given)
    POSITIONAL JOIN (SELECT 1) AS _no_column_of_another_table
);
