"""What can be asked of a lexicon: the parameters, the questions, weightings, entries and thesauri."""
