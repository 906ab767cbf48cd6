-- The same where min_frequency is that of the neighbours, and no parameter of the weighting.
_store.guard('@stamp@') AND _store.check_given(weights, @given@)
