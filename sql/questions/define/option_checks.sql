-- True where some count reaches the least one that a question asks for, where it asks for one; otherwise an error that
-- names the largest. Where it asks for none nothing is read.
CREATE OR REPLACE MACRO _store.check_least_count(fewest, subcorpus, counts) AS (
    SELECT CASE
        WHEN fewest > max(count) THEN error(
            'min_count is ' || fewest || ', but the largest count is ' || max(count)
        )
        ELSE true
    END
    FROM _store.cooccurrence_in(subcorpus, counts)
    WHERE fewest IS NOT NULL
);

-- True where a weighting's parameters can be obeyed; an error that names the first that cannot. given: the options, and
-- held: what holds of them. (Each stands in a list, so once: copies of both took a quarter of a question's planning.)
CREATE OR REPLACE MACRO _store.check_options(weights, @own_options@) AS
    list_transform([@option_struct@], lambda given: list_transform([@held_options@], lambda held: CASE
        @option_checks@
        WHEN NOT _store.check_subcorpus(held['subcorpus']) THEN false
        WHEN NOT _store.check_counts(held['counts'], held['subcorpus']) THEN false
        WHEN held['max_order'] > _store.longest_path() THEN error(
            'max_order is ' || held['max_order'] || '; the lexicon counts to ' || _store.longest_path()
        )
        ELSE true
    END)[1])[1];
