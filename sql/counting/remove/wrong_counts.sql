-- One row: how many counts are other than they can be, after something was taken out of them: below one, or of a lexeme
-- that is gone.
SELECT (SELECT count(*) FROM _store.cooccurrence WHERE count <= 0) + (SELECT count(*) FROM _store.node WHERE count <= 0)
    + (SELECT count(*) FROM _store.path WHERE count <= 0) + (SELECT count(*) FROM _store.lexeme WHERE frequency < 0)
    + (SELECT count(*) FROM _store.node WHERE lexeme_id NOT IN (SELECT id FROM _store.lexeme WHERE frequency > 0));
