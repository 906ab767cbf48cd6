-- One row: whether a scheme has this name.
SELECT _store.is_scheme($name) AS is_scheme;
