-- The number of steps of the reduced path; 0 for ε.
-- Example: SELECT path_order('<amod<obj')
CREATE OR REPLACE MACRO path_order(p) AS
    len(regexp_extract_all(path_reduce(p), '[<>]'));
