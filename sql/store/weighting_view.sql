-- A row: the weight of one co-occurrence under a weighting that has a name, as text.
-- @view@: the weighting's view.
-- @name@: its name as text.
-- @stamp@: the lexicon's stamp.
CREATE OR REPLACE VIEW @view@ AS FROM _store.weighting_as_text(@name@, @stamp@);

COMMENT ON VIEW @view@ IS 'A row: the weight of one co-occurrence under the weighting of this name (see weightings).';
