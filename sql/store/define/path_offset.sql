-- Where the node at path p stands once the anchor has moved along delta: the inverse of delta before p, reduced
-- (the paper's section 4.2). NULL where the node is dropped, because an up step would follow a down step.
-- Example: SELECT path_offset('<obj', '<amod')
CREATE OR REPLACE MACRO path_offset(p, delta) AS
    CASE
        WHEN p IS NULL OR delta IS NULL THEN NULL
        ELSE list_filter(
            [_store.reduce_steps(list_concat(_store.inverse_steps(delta), _store.path_steps(p)))],
            lambda moved: NOT regexp_matches(moved, '>[^<]*<')
        )[1]
    END;
