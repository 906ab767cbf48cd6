-- The reduced path of any sequence of steps (the paper's equation 1). NULL gives NULL.
-- Example: SELECT path_reduce('>amod<amod<obj')
CREATE OR REPLACE MACRO path_reduce(p) AS
    _store.reduce_steps(_store.path_steps(p));
