-- One row: the number of lexemes that are frequent enough to be a neighbour.
SELECT count(*) FROM lexemes WHERE frequency >= coalesce($min_frequency, _store.default_min_frequency());
