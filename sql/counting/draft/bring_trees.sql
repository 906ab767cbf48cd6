-- Adds the trees of the draft: its sentences, their tokens in order, and which of them are joined into one lexeme.
INSERT INTO _store.sentence FROM "/draft"._store.sentence;

INSERT INTO _store.token FROM "/draft"._store.token;

INSERT INTO _store.joined FROM "/draft"._store.joined;
