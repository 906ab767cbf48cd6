-- Takes away the table of counts, in whose place a view of the files of a folder is put.
DROP TABLE _store.cooccurrence;
