-- The number of steps of the reduced path; 0 for ε.
CREATE OR REPLACE MACRO path_order(p) AS
    len(regexp_extract_all(path_reduce(p), '[<>]'));
