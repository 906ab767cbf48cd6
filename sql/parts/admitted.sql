-- Whether the lexicon is the one that was asked, and takes the parameters that were given.
_store.guard('@stamp@') AND _store.check_given(
        weights, @all_given@
    )
