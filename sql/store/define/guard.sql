-- True where the question runs on the lexicon that it was asked of. A macro's names are looked up in the database in
-- use, not in the one that holds the macro, so `FROM other.ppmi()` would quietly answer from the wrong file. Every
-- public macro therefore carries the stamp of its own lexicon's content and compares it with the one it meets. A view
-- needs none: its names are looked up in the database that holds it.
CREATE OR REPLACE MACRO _store.guard(stamp) AS
    CASE
        WHEN stamp = (SELECT settings.stamp FROM _store.settings) THEN true
        ELSE error('this lexicon is attached but not in use, and another one would answer; run USE with its name first')
    END;
