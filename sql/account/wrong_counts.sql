-- One row: how many counts are below what can be, after something was taken out of them.
SELECT (SELECT count(*) FROM _store.cooccurrence WHERE count <= 0) + (SELECT count(*) FROM _store.node WHERE count <= 0)
    + (SELECT count(*) FROM _store.path WHERE count <= 0) + (SELECT count(*) FROM _store.lexeme WHERE frequency < 0);
