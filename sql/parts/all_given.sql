-- The same with min_frequency, where that is the weighting's own.
list_append(@given@, {'name': 'min_frequency', 'given': min_frequency IS NOT NULL})
