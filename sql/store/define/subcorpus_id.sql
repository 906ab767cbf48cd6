-- The most steps of a path that this lexicon counts.
CREATE OR REPLACE MACRO _store.longest_path() AS
    @recorded_longest_path@;

-- Where a name stands in a JSON object, as a JSON pointer (RFC 6901), which any name can be.
CREATE OR REPLACE MACRO _store.pointer(name) AS
    '/' || replace(replace(coalesce(name, ''), '~', '~0'), '/', '~1');

-- What is said of a subcorpus that is not kept: that it is stale, or which there are.
CREATE OR REPLACE MACRO _store.no_subcorpus(subcorpus) AS
    CASE
        WHEN json_exists(@recorded_stale_subcorpora@, _store.pointer(subcorpus::VARCHAR))
        THEN 'the subcorpus ' || subcorpus || ' is stale, because the lexicon has changed; count it again by: '
            || 'aptdb refresh LEXICON ' || subcorpus
        ELSE 'no subcorpus ' || subcorpus || '; ' || @recorded_subcorpora@
    END;

-- Whether there is a subcorpus of this name that is kept. (The names and ids of all stand here as one text: a list
-- would be planned item by item, wherever a subcorpus is read.)
CREATE OR REPLACE MACRO _store.is_subcorpus(subcorpus) AS
    coalesce(json_exists(@recorded_subcorpus_ids@, _store.pointer(subcorpus::VARCHAR)), false);

-- The id of a subcorpus that is kept, by its name; otherwise an error. (It is an error and not NULL: a plan that finds
-- nothing to read looks no further, at what else is wrong.)
CREATE OR REPLACE MACRO _store.subcorpus_id(subcorpus) AS
    CASE
        WHEN _store.is_subcorpus(subcorpus)
        THEN json_extract_string(@recorded_subcorpus_ids@, _store.pointer(subcorpus::VARCHAR))::INTEGER
        ELSE error(_store.no_subcorpus(subcorpus))::INTEGER
    END;

-- True where subcorpus is the name of a subcorpus that is kept, or NULL; otherwise an error that says what there is.
CREATE OR REPLACE MACRO _store.check_subcorpus(subcorpus) AS
    CASE
        WHEN subcorpus IS NULL OR _store.is_subcorpus(subcorpus) THEN true
        ELSE error(_store.no_subcorpus(subcorpus))
    END;

-- The names of corpora whose direct counts are not known, of all or of those with trees, which alone are in subcorpora;
-- NULL if they are known of each.
CREATE OR REPLACE MACRO _store.without_direct(subcorpus) AS
    CASE WHEN subcorpus IS NULL THEN @recorded_without_direct@ ELSE @recorded_trees_without_direct@ END;

-- Whether direct counts along one step are those of the arcs in the stored trees: they are known, all are of trees, and
-- paths of one step are counted.
CREATE OR REPLACE MACRO _store.counts_are_arcs() AS
    @recorded_counts_are_arcs@ AND _store.longest_path() > 0;

-- Which counts are shown: those asked for, else direct ones, or packed ones where direct ones are not known.
CREATE OR REPLACE MACRO _store.shown_counts(counts, subcorpus) AS
    coalesce(counts, CASE WHEN _store.without_direct(subcorpus) IS NULL THEN 'direct' ELSE 'packed' END);

-- True where the counts that are asked for are known, or none are asked for; otherwise an error that says what to do.
CREATE OR REPLACE MACRO _store.check_counts(counts, subcorpus) AS
    CASE
        WHEN coalesce(counts = 'direct' AND _store.without_direct(subcorpus) IS NOT NULL, false) THEN error(
            'there are no direct counts of ' || coalesce(
                @recorded_trees_without_direct@ || '; count them by: aptdb migrate',
                _store.without_direct(subcorpus) || ', which was added as packed counts; ask for counts := ''packed'', '
                || 'or name a subcorpus'
            )
        )
        ELSE true
    END;
