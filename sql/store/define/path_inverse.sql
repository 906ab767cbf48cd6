-- The same path walked the other way: its steps reversed, each turned round. NULL gives NULL, ε gives ''.
-- Example: SELECT path_inverse('<amod<obj')
CREATE OR REPLACE MACRO path_inverse(p) AS
    array_to_string(_store.inverse_steps(p), '');
