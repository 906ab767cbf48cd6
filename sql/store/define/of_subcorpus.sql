-- a subcorpus is counted by itself: its lexemes, paths, nodes and co-occurrences stand beside those of the
-- whole lexicon, in tables of the same columns, by the same ids. Where subcorpus is NULL, the whole is meant. (A plan
-- is made of the tables that are asked for and nothing else; and a macro is a copy of its text and of its arguments:
-- what is not asked for stands in a macro of its own, where it is no more than a name.)

-- A row: @row@ of a subcorpus, by the columns that the whole's table has.
CREATE OR REPLACE MACRO _store.@table@_of_subcorpus(subcorpus) AS TABLE (
    SELECT @columns@
    FROM _store.subcorpus_@table@
    WHERE subcorpus_id = _store.subcorpus_id(subcorpus)
);

-- A row: @row@ of a subcorpus or of the whole.
CREATE OR REPLACE MACRO _store.@table@_in(subcorpus) AS TABLE (
    WITH _of_subcorpus AS NOT MATERIALIZED (
        FROM _store.@table@_of_subcorpus(subcorpus)
    )
    FROM query_table(CASE WHEN subcorpus IS NULL THEN '_store.@table@' ELSE '_of_subcorpus' END)
);
