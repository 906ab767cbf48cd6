-- One row: the document that goes on after the chunk, and how many have begun in the corpus.
SELECT arg_max(name, line) AS name, getvariable('documents_begun') + count(*) - 1 AS begun FROM document_start;
