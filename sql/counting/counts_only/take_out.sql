-- Takes away the counts of the corpus corpus_id, and the tokens of its lexemes.
DELETE FROM _store.given_count WHERE corpus_id = getvariable('corpus_id');

DELETE FROM _store.given_lexeme WHERE corpus_id = getvariable('corpus_id');
