-- One row: whether weights of this name are a scheme, or a weighting that is recorded.
SELECT _store.scheme($weights) IS NOT NULL AS known;
