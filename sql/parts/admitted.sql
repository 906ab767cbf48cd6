-- Whether the lexicon is the one that was asked, and takes the parameters that were given.
_store.guard('@stamp@') AND _store.check_given(
        weights, list_append(@given@, {'name': 'min_frequency', 'given': min_frequency IS NOT NULL})
    )
