-- The tables of a lexicon, after the last migration. meaning.md 8 describes their contents.
--
-- They are in the schema `_store`, apart from the public views and macros in `main`. So a user who lists `main` sees
-- only public objects, and a name in a user's query (a CTE `path`, a temporary table `lexeme`) never hides a table.
--
-- keys: columns that together stand once, of several keys with semicolons between them. They are not constraints:
-- DuckDB's indexes would be larger than the counts. `verify` checks them, and that what a column ending in _id refers
-- to is there (counting/consistency.py).

-- One row: the migration that a file is at. It is Alembic's, made as Alembic makes it.
CREATE TABLE _store.alembic_version (
    version_num VARCHAR NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

-- One row: how this lexicon counts, its identity (uid), that of its content (stamp) and that of its SQL (definitions).
-- Maps and lists of names are JSON. runs: how many additions there were since the counts were last sorted.
CREATE TABLE _store.settings (
    uid VARCHAR NOT NULL, stamp VARCHAR NOT NULL, definitions VARCHAR NOT NULL, created_at TIMESTAMP NOT NULL,
    version VARCHAR NOT NULL, max_order INTEGER NOT NULL, lexeme VARCHAR NOT NULL, lowercase BOOLEAN NOT NULL,
    exclude_upos VARCHAR NOT NULL, relations VARCHAR NOT NULL, relation_map VARCHAR NOT NULL,
    pos_map VARCHAR NOT NULL, exclude_relations VARCHAR NOT NULL, joined_relations VARCHAR NOT NULL,
    min_token_length INTEGER NOT NULL, nfc BOOLEAN NOT NULL, stop_list VARCHAR NOT NULL, stemmer VARCHAR NOT NULL,
    runs INTEGER NOT NULL
);

-- A row: a corpus that was added; sha256 is that of its unpacked bytes. kind: trees, or counts without trees. skipped:
-- how many of its sentences were invalid and left out. has_direct: whether its direct counts are known. has_misc:
-- whether MISC and DEPS of its tokens are stored, where they have any.
-- keys: id; name
CREATE TABLE _store.corpus (
    id INTEGER NOT NULL, name VARCHAR NOT NULL, source VARCHAR NOT NULL, sha256 VARCHAR NOT NULL,
    sentences BIGINT NOT NULL, tokens BIGINT NOT NULL, added_at TIMESTAMP NOT NULL, version VARCHAR NOT NULL,
    kind VARCHAR NOT NULL, skipped BIGINT NOT NULL, has_direct BOOLEAN NOT NULL, has_misc BOOLEAN NOT NULL
);

-- A row: a sentence of a corpus, and its document.
-- keys: id
CREATE TABLE _store.sentence (id INTEGER NOT NULL, corpus_id INTEGER NOT NULL, sent_id VARCHAR, document_id INTEGER);

-- A row: a document of a corpus, by its name there. Sentences of before schema 0010 are in none.
-- keys: id; corpus_id, name
CREATE TABLE _store.document (id INTEGER NOT NULL, corpus_id INTEGER NOT NULL, name VARCHAR NOT NULL);

-- A row: metadata of a document, or of a sentence. Each kind that there is has a column of its own
-- (counting/metadata), by its name, with the type of its values.
-- keys: document_id
CREATE TABLE _store.document_metadata (document_id INTEGER NOT NULL);
-- keys: sentence_id
CREATE TABLE _store.sentence_metadata (sentence_id INTEGER NOT NULL);

-- A row: a word as files write it, or as several joined tokens make it, with its analysis, and the lexeme that this
-- lexicon makes of it; NULL if it is left out, or is only a part of joined words. feats: its features as the file
-- writes them, '' in what was added before they were stored (schema 0010).
-- keys: id; form, lemma, upos, xpos, feats
CREATE TABLE _store.word (
    id INTEGER NOT NULL, form VARCHAR NOT NULL, lemma VARCHAR NOT NULL, upos VARCHAR NOT NULL, xpos VARCHAR NOT NULL,
    lexeme_id INTEGER, feats VARCHAR NOT NULL
);

-- A row: a relation as files write it, and the label under which this lexicon counts it; NULL if such edges are not
-- counted.
-- keys: id; text
CREATE TABLE _store.relation (id INTEGER NOT NULL, text VARCHAR NOT NULL, label VARCHAR);

-- A row: what files write in MISC, without SpaceAfter=No, which space_after says; or in DEPS, the enhanced
-- dependencies: = where these are the token's own head and relation. '' stands for nothing in either.
-- keys: id; text
CREATE TABLE _store.annotation ( -- noqa: PRS
    id INTEGER NOT NULL, text VARCHAR NOT NULL USING COMPRESSION zstd
);

-- A row: a token of a sentence, at its position, with the position of its head (0 for a root) and its relation to it.
-- keys: sentence_id, position
CREATE TABLE _store.token (
    sentence_id INTEGER NOT NULL, position INTEGER NOT NULL, word_id INTEGER NOT NULL, head INTEGER NOT NULL,
    relation_id INTEGER NOT NULL, space_after BOOLEAN NOT NULL, misc_id INTEGER NOT NULL,
    deps_id INTEGER NOT NULL
);

-- A row: a token that is joined with others into one lexeme, the position of their top, and the word that they make.
-- (Derived from the trees; other tokens have no row.)
-- keys: sentence_id, position
CREATE TABLE _store.joined (
    sentence_id INTEGER NOT NULL, position INTEGER NOT NULL, top INTEGER NOT NULL, word_id INTEGER NOT NULL
);

-- Beside each count stands how much of it is merged: pairs that are packed together but whose path in the tree itself
-- is another. The rest are the direct counts. Most co-occurrences have nothing merged, and a column of zeros takes no
-- room. Where a corpus came without direct counts (has_direct), nothing of it is known to be merged.

-- A row: a lexeme, the number of its tokens and of its co-occurrences (n_w). Its text is not compressed, else each
-- question would decompress all of them to find one.
-- keys: id; text
CREATE TABLE _store.lexeme (
    id INTEGER NOT NULL, text VARCHAR NOT NULL USING COMPRESSION uncompressed, lemma VARCHAR NOT NULL, pos VARCHAR,
    frequency BIGINT NOT NULL, cooccurrences BIGINT NOT NULL, merged BIGINT NOT NULL
);

-- A row: a path, its order, its inverse, and the total of its counts (n_τ).
-- keys: id; text
CREATE TABLE _store.path (
    id INTEGER NOT NULL, text VARCHAR NOT NULL, path_order INTEGER NOT NULL, inverse_id INTEGER NOT NULL,
    count BIGINT NOT NULL, merged BIGINT NOT NULL
);

-- A row: a node of a lexeme's APT, and the total of its counts (n_wτ). The marginal of a feature
-- ⟨τ, w'⟩, n_τw', is that of the node of w' at the inverse of τ: the node's id is the feature's too.
-- keys: id
CREATE TABLE _store.node (
    id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, path_id INTEGER NOT NULL, count BIGINT NOT NULL,
    merged BIGINT NOT NULL
);

-- A row: how often a lexeme occurs with a context along a path (n), sorted by the three ids.
CREATE TABLE _store.cooccurrence (
    lexeme_id INTEGER NOT NULL, path_id INTEGER NOT NULL, context_id INTEGER NOT NULL, count BIGINT NOT NULL,
    merged BIGINT NOT NULL
);

-- A row: a count of a corpus that came as counts, without trees. The counts above include it.
-- keys: corpus_id, lexeme_id, path_id, context_id
CREATE TABLE _store.given_count (
    corpus_id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, path_id INTEGER NOT NULL, context_id INTEGER NOT NULL,
    count BIGINT NOT NULL, merged BIGINT NOT NULL
);

-- A row: a lexeme of a corpus that came as counts, and how many of its tokens it has. The frequencies above include it.
-- keys: corpus_id, lexeme_id
CREATE TABLE _store.given_lexeme (corpus_id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, tokens BIGINT NOT NULL);

-- No row, or one where the counts are in a folder of counts beside the lexicon, and cooccurrence is a view of its
-- files: the folder, its place as seen from the lexicon, and the sha256 of its manifest.
CREATE TABLE _store.opened (folder VARCHAR NOT NULL, relative_folder VARCHAR NOT NULL, digest VARCHAR NOT NULL);

-- A row: what is derived from counts and kept under a name. kind: weighting, entry, space, senses (of the lexeme that
-- is its name) or subcorpus. asked: how it was asked for, parameters by name, from which it is made again; made: what
-- came out, by name, as sizes. made_of: others that it is made of, as subcorpus:fiction. state: kept; stale after the
-- lexicon, or what it is made of, has changed; or computed, of a weighting whose weights are not kept.
-- keys: kind, id; kind, name
CREATE TABLE _store.derived (
    id INTEGER NOT NULL, kind VARCHAR NOT NULL, name VARCHAR NOT NULL, state VARCHAR NOT NULL,
    asked MAP(VARCHAR, VARCHAR) NOT NULL, made MAP(VARCHAR, VARCHAR) NOT NULL, made_of VARCHAR[] NOT NULL,
    made_at TIMESTAMP NOT NULL, version VARCHAR NOT NULL
);

-- A row: a sentence of a subcorpus.
-- keys: subcorpus_id, sentence_id
CREATE TABLE _store.subcorpus_sentence (subcorpus_id INTEGER NOT NULL, sentence_id INTEGER NOT NULL);

-- A subcorpus has the same counts of its own, by the same ids.
-- keys: subcorpus_id, id
CREATE TABLE _store.subcorpus_lexeme (
    subcorpus_id INTEGER NOT NULL, id INTEGER NOT NULL, text VARCHAR NOT NULL, lemma VARCHAR NOT NULL, pos VARCHAR,
    frequency BIGINT NOT NULL, cooccurrences BIGINT NOT NULL, merged BIGINT NOT NULL
);
-- keys: subcorpus_id, id
CREATE TABLE _store.subcorpus_path (
    subcorpus_id INTEGER NOT NULL, id INTEGER NOT NULL, text VARCHAR NOT NULL, path_order INTEGER NOT NULL,
    inverse_id INTEGER NOT NULL, count BIGINT NOT NULL, merged BIGINT NOT NULL
);
-- keys: subcorpus_id, id
CREATE TABLE _store.subcorpus_node (
    subcorpus_id INTEGER NOT NULL, id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, path_id INTEGER NOT NULL,
    count BIGINT NOT NULL, merged BIGINT NOT NULL
);
CREATE TABLE _store.subcorpus_cooccurrence (
    subcorpus_id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, path_id INTEGER NOT NULL, context_id INTEGER NOT NULL,
    count BIGINT NOT NULL, merged BIGINT NOT NULL
);

-- A row: a weight of a weighting that is kept, without phi, in the order of their features, but for those that came
-- with small additions: ranking looks up features. Path and context follow from the feature.
-- keys: weighting_id, feature_id, lexeme_id
CREATE TABLE _store.kept_weight (
    weighting_id INTEGER NOT NULL, feature_id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, weight DOUBLE NOT NULL
);

-- A row: a lexeme under a weighting that is kept: the sum of its vector's values (under the weighting's phi), that of
-- their squares, and the least of them.
-- keys: weighting_id, lexeme_id
CREATE TABLE _store.kept_size (
    weighting_id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, total DOUBLE NOT NULL, square DOUBLE NOT NULL,
    least DOUBLE NOT NULL
);

-- A row: a feature of a stored APT. Its path may be one that the lexicon lacks, and is text.
-- keys: entry_id, path, context
CREATE TABLE _store.entry_weight (
    entry_id INTEGER NOT NULL, path VARCHAR NOT NULL, context VARCHAR NOT NULL, weight DOUBLE NOT NULL
);

-- A row: the result of an evaluation on one part of a data set (the public view `evaluations` has its columns).
-- question: everything that it was made with, as JSON; content: a digest of the lexicon and its weights. The two
-- identify it.
-- keys: id
CREATE TABLE _store.evaluation (
    id INTEGER NOT NULL, dataset VARCHAR NOT NULL, sha256 VARCHAR NOT NULL, part VARCHAR NOT NULL,
    method VARCHAR NOT NULL, merge VARCHAR, weights VARCHAR NOT NULL, parameters VARCHAR NOT NULL, rho DOUBLE,
    low DOUBLE, high DOUBLE, items BIGINT NOT NULL, missing BIGINT NOT NULL, empty BIGINT NOT NULL, undefined VARCHAR,
    question VARCHAR NOT NULL, content VARCHAR NOT NULL, tokens BIGINT NOT NULL, evaluated_at TIMESTAMP NOT NULL,
    version VARCHAR NOT NULL
);

-- A row: a feature of a space, and what one unit of its weight adds to each dimension of a vector: projection · scale.
-- (Whole numbers take half the room, and the sums of thousands are the same to five digits.)
-- keys: space_id, path_id, context_id
CREATE TABLE _store.space_feature (
    space_id INTEGER NOT NULL, path_id INTEGER NOT NULL, context_id INTEGER NOT NULL, scale DOUBLE NOT NULL,
    projection SMALLINT[] NOT NULL
);

-- A row: a lexeme of a space, and its vector, of length 1, which compression would make hardly smaller.
-- keys: space_id, lexeme_id
CREATE TABLE _store.space_vector (
    space_id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, vector FLOAT[] NOT NULL USING COMPRESSION uncompressed
);

-- A row: a sense of a lexeme, by its number from 1: how many occurrences are of it, and their centre in a space, of
-- length 1. senses_id: the row of `derived` of all senses of the lexeme; if that is stale, no occurrences are stored.
-- keys: id; lexeme_id, number
CREATE TABLE _store.sense (
    id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, number INTEGER NOT NULL, occurrences BIGINT NOT NULL,
    vector FLOAT[] NOT NULL, senses_id INTEGER NOT NULL
);

-- A row: an occurrence that has a sense, by the position of its node, and how near it is to the centre of the sense.
-- keys: sense_id, sentence_id, position
CREATE TABLE _store.sense_occurrence (
    sense_id INTEGER NOT NULL, sentence_id INTEGER NOT NULL, position INTEGER NOT NULL, similarity DOUBLE NOT NULL
);
