"""Questions about a lexicon, named weightings, entries and thesauri."""
