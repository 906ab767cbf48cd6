FROM @.neighbours('dog/NOUN', weights := 'raw_count', pos := 'any', top := 3)
SELECT @.similarity('dog/NOUN', 'cat/NOUN', weights := 'lmi'), @.path_inverse('<amod')
FROM @.evidence('dog/NOUN', '>amod', NULL)
FROM @.evidence(@.cql('[upos="ADJ"] [lemma="dog|cat"]'), NULL, NULL)
FROM @.sketch('cat/NOUN')
FROM @.counts_by('dog/NOUN', by := 'corpus')
FROM @.cooccurrences(subcorpus := 'half') ORDER BY ALL
FROM @.apt('dog/NOUN', weights := 'strict') ORDER BY ALL
FROM @.compose([{'lexeme': 'dog/NOUN', 'delta': ''}, {'lexeme': 'small/ADJ', 'delta': '<amod'}]) ORDER BY ALL
