-- True. A macro's names are looked up in the database in use. Where that is no lexicon at all, DuckDB says of the first
-- of them that it does not exist: this is the first in every public macro, so that its name says what to do. It is also
-- what IMPORT DATABASE misses, which makes public macros before the private ones that they stand on.
CREATE OR REPLACE MACRO _store.attached_but_not_in_use_run_use_with_its_name_first_or_aptdb_migrate_exported() AS
    true;

-- The reduced path of any sequence of steps (the paper's equation 1). NULL gives NULL.
-- Example: SELECT path_reduce('>amod<amod<obj')
CREATE OR REPLACE MACRO path_reduce(p VARCHAR) AS
    CASE WHEN _store.attached_but_not_in_use_run_use_with_its_name_first_or_aptdb_migrate_exported()
        THEN _store.reduce_steps(_store.path_steps(p))
    END;

-- The path in the other direction: its steps reversed, each turned round. NULL gives NULL, ε gives ''.
-- Example: SELECT path_inverse('<amod<obj')
CREATE OR REPLACE MACRO path_inverse(p VARCHAR) AS
    CASE WHEN _store.attached_but_not_in_use_run_use_with_its_name_first_or_aptdb_migrate_exported()
        THEN array_to_string(_store.inverse_steps(p), '')
    END;

-- Whether a text is a path of the form that lexicons use: well formed, ups before downs, and reduced. (With ups before
-- downs, only the turn can be unreduced: the last step up followed by the same relation down.)
-- Example: SELECT path_is_valid('<amod<obj')
CREATE OR REPLACE MACRO path_is_valid(p VARCHAR) AS
    p = 'ε' OR (
        regexp_full_match(p, '(<[^<>]+)*(>[^<>]+)*', 's')
        AND (
            NOT contains(p, '<') OR NOT contains(p, '>')
            OR regexp_extract(p, '<([^<>]+)>', 1, 's') <> regexp_extract(p, '>([^<>]+)', 1, 's')
        )
    );

-- The number of steps of the reduced path; 0 for ε.
-- Example: SELECT path_order('<amod<obj')
CREATE OR REPLACE MACRO path_order(p VARCHAR) AS
    CASE WHEN _store.attached_but_not_in_use_run_use_with_its_name_first_or_aptdb_migrate_exported()
        THEN len(regexp_extract_all(path_reduce(p), '[<>]'))
    END;

-- The path to the node at p after the anchor has moved along delta: the inverse of delta before p, reduced (the paper's
-- section 4.2). NULL if the node is dropped, because an up step would follow a down step: along '<amod', '<amod<obj'
-- gives '<obj', and '<obj' NULL. (In a list of one the path is reduced once; where it is filtered out, [1] is NULL.)
-- Example: SELECT path_offset('<amod<obj', '<amod')
CREATE OR REPLACE MACRO path_offset(p VARCHAR, delta VARCHAR) AS
    CASE
        WHEN _store.attached_but_not_in_use_run_use_with_its_name_first_or_aptdb_migrate_exported()
            AND p IS NOT NULL AND delta IS NOT NULL
        THEN list_filter(
            [_store.reduce_steps(list_concat(_store.inverse_steps(delta), _store.path_steps(p)))],
            lambda moved: NOT regexp_matches(moved, '>[^<]*<')
        )[1]
    END;
