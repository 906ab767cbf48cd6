-- Where words stand in the stored trees: a node is a token, or several that are joined to one.

-- A row: a node of the stored trees whose word is one of those named (word_id, lexeme_id).
CREATE OR REPLACE MACRO _store.node_of_any(words) AS TABLE (
    SELECT token.sentence_id, token.position, own.lexeme_id, own.word_id
    FROM _store.token
    JOIN query_table(words) AS own ON own.word_id = token.word_id
    ANTI JOIN _store.joined ON joined.sentence_id = token.sentence_id AND joined.position = token.position
    UNION ALL
    SELECT joined.sentence_id, joined.position, own.lexeme_id, own.word_id
    FROM _store.joined
    JOIN query_table(words) AS own ON own.word_id = joined.word_id
    WHERE joined.position = joined.top
);

-- A row: the same in the sentences of a subcorpus, or in all.
CREATE OR REPLACE MACRO _store.node_of_words(words, subcorpus) AS TABLE (
    WITH _in_any AS NOT MATERIALIZED (FROM _store.node_of_any(words)),
    _in_subcorpus AS NOT MATERIALIZED (
        SELECT node.*
        FROM _store.node_of_any(words) AS node
        JOIN _store.subcorpus_sentence AS chosen ON chosen.sentence_id = node.sentence_id
        WHERE chosen.subcorpus_id = _store.subcorpus_id(subcorpus)
    )
    FROM query_table(CASE WHEN subcorpus IS NULL THEN '_in_any' ELSE '_in_subcorpus' END)
);

-- A row: a node whose lexeme is one of those named (lexeme_id), in the sentences of a subcorpus, or in all.
CREATE OR REPLACE MACRO _store.node_of(lexemes, subcorpus) AS TABLE (
    WITH _of_word AS MATERIALIZED (
        SELECT word.id AS word_id, word.lexeme_id FROM _store.word SEMI JOIN query_table(lexemes) USING (lexeme_id)
    )
    FROM _store.node_of_words('_of_word', subcorpus)
);
