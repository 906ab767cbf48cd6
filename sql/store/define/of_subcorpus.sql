-- A subcorpus is counted by itself: its lexemes, paths, nodes and co-occurrences stand beside those of the whole
-- lexicon, in tables of the same columns, by the same ids. Where subcorpus is NULL, the whole is meant. Counts are
-- packed, or direct: then they are what is left of them without what is merged, and what has none left is no row. (A
-- plan is made of the tables that are asked for and nothing else; and a macro is a copy of its text and of its
-- arguments: what is not asked for stands in a macro of its own, where it is no more than a name.)

-- A row: @row@ of a subcorpus, by the columns that the whole's table has.
CREATE OR REPLACE MACRO _store.@table@_of_subcorpus(subcorpus) AS TABLE (
    SELECT @columns@, @total@, merged
    FROM _store.subcorpus_@table@
    WHERE subcorpus_id = _store.subcorpus_id(subcorpus)
);

-- A row: @row@ of the whole, by its direct counts.
CREATE OR REPLACE VIEW _store.direct_@table@ AS
SELECT @columns@, @total@ - merged AS @total@, 0::BIGINT AS merged
FROM _store.@table@
WHERE @total@ > merged;

-- A row: @row@ of a subcorpus, by its direct counts.
CREATE OR REPLACE MACRO _store.direct_@table@_of_subcorpus(subcorpus) AS TABLE (
    SELECT @columns@, @total@ - merged AS @total@, 0::BIGINT AS merged
    FROM _store.subcorpus_@table@
    WHERE subcorpus_id = _store.subcorpus_id(subcorpus) AND @total@ > merged
);

-- A row: @row@ of a subcorpus or of the whole, by its packed or direct counts.
CREATE OR REPLACE MACRO _store.@table@_in(subcorpus, counts := 'packed') AS TABLE (
    WITH _of_subcorpus AS NOT MATERIALIZED (FROM _store.@table@_of_subcorpus(subcorpus)),
    _direct_of_subcorpus AS NOT MATERIALIZED (FROM _store.direct_@table@_of_subcorpus(subcorpus))
    FROM query_table(
        CASE WHEN subcorpus IS NULL THEN '_store.' ELSE '_' END
        || CASE WHEN counts = 'direct' THEN 'direct_' ELSE '' END
        || CASE WHEN subcorpus IS NULL THEN '@table@' ELSE 'of_subcorpus' END
    )
);
