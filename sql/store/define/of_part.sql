-- A part of the corpora is counted by itself: its lexemes, paths, nodes and co-occurrences stand beside those of the
-- whole lexicon, in tables of the same columns, by the same ids. Where part is NULL, the whole is meant. (A plan is
-- made of the tables that are asked for and nothing else; and a macro is a copy of its text and of its arguments: what
-- is not asked for stands in a macro of its own, where it is no more than a name.)

-- A row: @row@ of a part, by the columns that the whole's table has.
CREATE OR REPLACE MACRO _store.@table@_of_part(part) AS TABLE (
    SELECT @columns@
    FROM _store.part_@table@
    WHERE part_id = _store.part_id(part)
);

-- A row: @row@ of a part or of the whole.
CREATE OR REPLACE MACRO _store.@table@_in(part) AS TABLE (
    WITH _of_part AS NOT MATERIALIZED (
        FROM _store.@table@_of_part(part)
    )
    FROM query_table(CASE WHEN part IS NULL THEN '_store.@table@' ELSE '_of_part' END)
);
