-- One row: what tells the content of this lexicon from any other, and from its own before the last addition.
SELECT stamp FROM _store.settings;
