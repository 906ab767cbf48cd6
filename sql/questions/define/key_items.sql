-- What is typical of one subcorpus beside another.

-- A row: a sentence that is in both subcorpora.
CREATE OR REPLACE MACRO _store.shared_sentence(a, b) AS TABLE (
    SELECT own.sentence_id
    FROM _store.subcorpus_sentence AS own
    JOIN _store.subcorpus_sentence AS other ON other.sentence_id = own.sentence_id
    WHERE own.subcorpus_id = _store.subcorpus_id(a) AND other.subcorpus_id = _store.subcorpus_id(b)
);

-- One row: how many sentences two subcorpora share, and how many tokens these have. (The tokens are not read where no
-- sentence is shared.)
CREATE OR REPLACE MACRO _store.shared_size(a, b) AS TABLE (
    WITH _shared AS MATERIALIZED (FROM _store.shared_sentence(a, b))
    SELECT (SELECT count(*) FROM _shared) AS sentences, (
            SELECT count(*) FROM _store.token SEMI JOIN _shared ON _shared.sentence_id = token.sentence_id
        ) AS tokens
);

-- One row: the number of tokens that a comparison is with: those of a subcorpus (without those that it shares with a),
-- of the rest, or of another lexicon; and a corpus there that came as counts, without tokens that these could be
-- compared with.
CREATE OR REPLACE MACRO _store.beside(a, b, other) AS TABLE (
    WITH _elsewhere AS NOT MATERIALIZED (
        SELECT sum(tokens) AS tokens, min(corpus) FILTER (kind = 'counts') AS counts
        FROM query_table(coalesce(other || '.main.corpora', 'corpora'))
    ),
    _subcorpus AS NOT MATERIALIZED (
        SELECT own.tokens - shared.tokens AS tokens, NULL AS counts
        FROM _store.tokens_in(b) AS own, _store.shared_size(a, b) AS shared
    ),
    _rest AS NOT MATERIALIZED (
        SELECT whole.tokens - own.tokens AS tokens,
            (SELECT min(corpus.name) FROM _store.corpus WHERE corpus.kind = 'counts') AS counts
        FROM _store.tokens_in(NULL) AS whole, _store.tokens_in(a) AS own
    )
    SELECT tokens::BIGINT AS tokens, counts
    FROM query_table(CASE WHEN other IS NOT NULL THEN '_elsewhere' WHEN b IS NULL THEN '_rest' ELSE '_subcorpus' END)
);

-- True where both sides of a comparison have tokens, and nothing that came as counts; otherwise an error.
CREATE OR REPLACE MACRO _store.check_sizes(a, b, other) AS (
    SELECT CASE
        WHEN coalesce(beside.counts, own.counts) IS NOT NULL THEN error(
            coalesce(beside.counts, own.counts) || ' was added as counts, without tokens; compare subcorpora, which '
            || 'have only sentences'
        )
        WHEN beside.tokens = 0 THEN error(
            CASE
                WHEN b IS NULL THEN 'all sentences are in ' || coalesce(a, 'this lexicon')
                ELSE 'all of ' || b || ' is also in ' || a
            END || ', so nothing is left to compare with'
        )
        ELSE true
    END
    FROM _store.beside(a, b, other) AS beside, (
        SELECT min(name) FILTER (kind = 'counts' AND a IS NULL) AS counts FROM _store.corpus
    ) AS own
);

-- True where two subcorpora share no sentence, or the shared ones are to be left out of b; otherwise an error. (What
-- is the same on both sides is no difference between them, and would make every test too weak.)
CREATE OR REPLACE MACRO _store.check_overlap(a, b, overlap) AS (
    SELECT CASE
        WHEN overlap = 'refuse' AND b IS NOT NULL AND shared.sentences > 0 THEN error(
            a || ' and ' || b || ' share ' || shared.sentences || CASE
                WHEN shared.sentences = 1 THEN ' sentence' ELSE ' sentences'
            END || '; compare subcorpora that share none, or ' || a || ' with what ' || b
            || ' has beside it (overlap := ''difference'')'
        )
        ELSE true
    END
    FROM _store.shared_size(a, b) AS shared
);

-- The parts of speech in a list with commas.
CREATE OR REPLACE MACRO _store.tags(tag) AS
    list_transform(string_split(tag::VARCHAR, ','), lambda each: trim(each));

-- Whether a lexeme, by its part of speech and its text, is one of those asked for: content (words), any, or one of some
-- parts of speech.
CREATE OR REPLACE MACRO _store.is_of_pos(part_of_speech, text, tag) AS
    CASE tag
        WHEN 'any' THEN true
        WHEN 'content' THEN _store.is_content(part_of_speech, text)
        ELSE coalesce(list_contains(_store.tags(tag), part_of_speech), false)
    END;

-- True where items can be chosen by a part of speech; otherwise an error that names the first that no lexeme has.
CREATE OR REPLACE MACRO _store.check_pos(tag, other) AS (
    WITH _here AS NOT MATERIALIZED (SELECT lexeme.pos AS part_of_speech FROM _store.lexeme),
    _anywhere AS NOT MATERIALIZED (
        FROM _here
        UNION ALL
        SELECT there.pos FROM query_table(coalesce(other || '.main.lexemes', 'lexemes')) AS there
    )
    SELECT CASE
        WHEN tag IS NULL THEN error('pos is NULL; expected content, any, or parts of speech, e.g. NOUN,VERB')
        WHEN tag IN ('content', 'any') OR lacking.name IS NULL THEN true
        ELSE error(_store.no_pos(lacking.name, NULL) || ' (pos may also be content or any)')
    END
    FROM (
        SELECT min(asked.name) AS name
        FROM (SELECT unnest(_store.tags(tag)) AS name) AS asked
        ANTI JOIN query_table(CASE WHEN other IS NULL THEN '_here' ELSE '_anywhere' END) AS known
            ON known.part_of_speech = asked.name
    ) AS lacking
);

-- Which counts a comparison is of, where all are known in both: in a subcorpus, or in all.
CREATE OR REPLACE MACRO _store.compared_counts(a, b, counts) AS
    _store.shown_counts(counts, CASE WHEN b IS NOT NULL THEN a END);

-- True where paths can be chosen: by relations that are counted here or in an attached lexicon, and of lexemes not at
-- all; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_along(kind, relations, max_order, other) AS
    CASE
        WHEN kind = 'lexemes' AND (relations IS NOT NULL OR max_order IS NOT NULL) THEN error(
            CASE WHEN relations IS NOT NULL THEN 'relations' ELSE 'max_order' END
            || ' has an effect only with of := ''cooccurrences'' or of := ''paths'''
        )
        WHEN len(relations) = 0 THEN error('relations is empty; expected a list, as [''amod''], or NULL for all')
        ELSE _store.check_named(
            (
                SELECT list_filter(relations, lambda name: NOT coalesce(
                        other IS NOT NULL AND list_has_all(there.labels, _store.relations_named(name)), false
                    ))
                FROM (
                    SELECT list(DISTINCT first_step[2:]) AS labels
                    FROM query_table(coalesce(other || '.main.paths', 'paths'))
                ) AS there
            ),
            coalesce(max_order, _store.longest_path()), NULL
        )
    END;

-- Whether items are compared along a path: it has at most max_order steps, and from one of its ends it is one of the
-- relations, or has a step of one, as in sketch; NULL is no limit. True of ('>obj', ['<obj'], 1), and not of
-- ('<obj>amod', ['amod'], 1).
CREATE OR REPLACE MACRO _store.is_along(path, relations, max_order) AS
    (max_order IS NULL OR path_order(path) <= max_order)
    AND (relations IS NULL OR _store.is_of_relations(path, relations)
        OR _store.is_of_relations(path_inverse(path), relations));

-- A row: an item of the relation named along such a path, whose id it has (path_id), or, of another lexicon, its text
-- (path).
CREATE OR REPLACE MACRO _store.item_along(items, relations, max_order, other) AS TABLE (
    WITH _along AS MATERIALIZED (
        SELECT id FROM _store.path WHERE _store.is_along(path.text, relations, max_order)
    ),
    _by_id AS NOT MATERIALIZED (
        SELECT item.* FROM query_table(items) AS item SEMI JOIN _along ON _along.id = item.path_id
    ),
    _along_text AS MATERIALIZED (
        SELECT known.path
        FROM (
            SELECT text AS path FROM _store.path
            UNION
            SELECT path FROM query_table(coalesce(other || '.main.paths', 'paths'))
        ) AS known
        WHERE _store.is_along(known.path, relations, max_order)
    ),
    _by_text AS NOT MATERIALIZED (
        SELECT item.* FROM query_table(items) AS item SEMI JOIN _along_text ON _along_text.path = item.path
    )
    FROM query_table(
        CASE
            WHEN relations IS NULL AND max_order IS NULL THEN items WHEN other IS NULL THEN '_by_id' ELSE '_by_text'
        END
    )
);

-- True where keyness can be shown so; otherwise an error that names the value.
CREATE OR REPLACE MACRO _store.check_key_values(
    kind, negative, min_count, overlap, dispersion, top, counts, max_order
) AS
    CASE
        @keyness_checks@
        ELSE true
    END;

-- True where two subcorpora can be compared, and the rest is fine; otherwise an error that says what is wrong. (fine is
-- part of the CASE, which is decided while it is planned: what reads tables would else fail before it.)
CREATE OR REPLACE MACRO _store.check_sides(a, b, other, overlap, fine) AS
    CASE
        WHEN NOT (_store.check_subcorpus(a) AND _store.check_subcorpus(b)) THEN false
        WHEN a IS NULL AND other IS NULL THEN error('a is NULL; expected the name of a subcorpus (see subcorpora)')
        WHEN other IS NOT NULL AND b IS NOT NULL THEN error(
            'b and other are both given; compare with a subcorpus of this lexicon, or with another one'
        )
        WHEN a = b THEN error(
            'a and b are both the subcorpus ' || a || '; compare it with another, or leave b out for the rest'
        )
        ELSE _store.check_overlap(a, b, overlap) AND fine
    END;

-- True where items can be counted on both sides; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_items(a, b, other, kind, counts, documents, relations, max_order) AS
    CASE
        WHEN _store.spelt(documents) IS NULL OR NOT _store.check_along(kind, relations, max_order, other) THEN false
        WHEN kind <> 'lexemes' AND NOT _store.check_counts(counts, CASE WHEN b IS NOT NULL THEN a END) THEN false
        WHEN kind <> 'lexemes' AND _store.compared_counts(a, b, counts) = 'direct' AND other IS NOT NULL AND (
            SELECT NOT coalesce(bool_and(has_direct), true)
            FROM query_table(coalesce(other || '.main.corpora', 'corpora'))
        ) THEN error(
            'the lexicon ' || other || ' has no direct counts of all its corpora; ask for counts := ''packed'''
        )
        ELSE _store.check_sizes(a, b, other)
    END;

-- A row: what is counted in a subcorpus, or in all, by ids (0 where it has none), and how often; of lexemes of some
-- parts of speech: both ends of a co-occurrence, and of what meets along a path. Of a pair that is one seen from both
-- ends, the one whose path begins with an up, as <amod; ε is left out.
CREATE OR REPLACE MACRO _store.item_of_pos(kind, tag, subcorpus, counts) AS TABLE (
    WITH _one_way AS NOT MATERIALIZED (
        SELECT path.id, path.text = inverse.text AS is_own_inverse, path.count
        FROM _store.path_in(subcorpus, counts) AS path
        JOIN _store.path AS inverse ON inverse.id = path.inverse_id
        WHERE path.text <> '' AND path.text <= inverse.text
    ),
    _every_lexeme AS NOT MATERIALIZED (
        SELECT id AS lexeme_id, 0 AS path_id, 0 AS context_id, frequency AS count FROM _store.lexeme_in(subcorpus)
    ),
    _every_path AS NOT MATERIALIZED (
        SELECT 0 AS lexeme_id, id AS path_id, 0 AS context_id, count FROM _one_way
    ),
    _every_cooccurrence AS NOT MATERIALIZED (
        SELECT met.lexeme_id, met.path_id, met.context_id, met.count
        FROM _store.cooccurrence_in(subcorpus, counts) AS met
        JOIN _one_way ON _one_way.id = met.path_id
        WHERE NOT _one_way.is_own_inverse OR met.lexeme_id <= met.context_id
    ),
    _item AS NOT MATERIALIZED (
        FROM query_table(
            CASE kind
                WHEN 'paths' THEN '_every_path' WHEN 'cooccurrences' THEN '_every_cooccurrence' ELSE '_every_lexeme'
            END
        )
    ),
    _wanted AS MATERIALIZED (
        SELECT id FROM _store.lexeme WHERE _store.is_of_pos(lexeme.pos, lexeme.text, tag)
    ),
    _lexemes AS NOT MATERIALIZED (
        SELECT _item.* FROM _item SEMI JOIN _wanted ON _wanted.id = _item.lexeme_id
    ),
    _cooccurrences AS NOT MATERIALIZED (
        SELECT _lexemes.* FROM _lexemes SEMI JOIN _wanted ON _wanted.id = _lexemes.context_id
    ),
    _paths AS NOT MATERIALIZED (
        SELECT 0 AS lexeme_id, met.path_id, 0 AS context_id, sum(met.count)::BIGINT AS count
        FROM _store.cooccurrence_in(subcorpus, counts) AS met
        JOIN _one_way ON _one_way.id = met.path_id
        SEMI JOIN _wanted AS own ON own.id = met.lexeme_id
        SEMI JOIN _wanted AS context ON context.id = met.context_id
        GROUP BY met.path_id
    )
    FROM query_table(
        CASE WHEN tag = 'any' THEN '_item' WHEN kind IN ('paths', 'cooccurrences') THEN '_' || kind ELSE '_lexemes' END
    )
);

-- A row: what is counted in two subcorpora, or in one and in the rest, by ids, with both counts; of b only what is not
-- in a too, if it is asked for so.
CREATE OR REPLACE MACRO _store.compared_subcorpora(a, b, kind, tag, overlap, counts) AS TABLE (
    WITH _in_a AS NOT MATERIALIZED (FROM _store.item_of_pos(kind, tag, a, counts)),
    _in_b AS NOT MATERIALIZED (FROM _store.item_of_pos(kind, tag, b, counts)),
    _both AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, coalesce(_in_a.count, 0) AS count_a, coalesce(_in_b.count, 0) AS count_b
        FROM _in_a
        FULL JOIN _in_b USING (lexeme_id, path_id, context_id)
    ),
    -- (Where b is NULL it is the whole.)
    _beside_rest AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, count_a, count_b - count_a AS count_b FROM _both
    ),
    _shared AS NOT MATERIALIZED (FROM _store.shared_item(a, b, kind, tag, counts)),
    _beside_difference AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, _both.count_a, _both.count_b - coalesce(_shared.count, 0) AS count_b
        FROM _both
        LEFT JOIN _shared USING (lexeme_id, path_id, context_id)
    )
    FROM query_table(
        CASE
            WHEN b IS NULL THEN '_beside_rest' WHEN overlap = 'difference' THEN '_beside_difference' ELSE '_both'
        END
    )
);

-- A row: what is counted in another lexicon that is attached under this name, by text, as _store.item_of_pos has it.
CREATE OR REPLACE MACRO _store.item_elsewhere(kind, tag, other, counts) AS TABLE (
    WITH _wanted AS MATERIALIZED (
        SELECT there.lexeme, there.frequency
        FROM query_table(coalesce(other || '.main.lexemes', 'lexemes')) AS there
        WHERE _store.is_of_pos(there.pos, there.lexeme, tag)
    ),
    _lexemes AS NOT MATERIALIZED (SELECT lexeme, '' AS path, '' AS context, frequency AS count FROM _wanted),
    _one_way AS NOT MATERIALIZED (
        SELECT path, path = inverse AS is_own_inverse, CASE WHEN counts = 'direct' THEN direct ELSE count END AS count
        FROM query_table(coalesce(other || '.main.paths', 'paths'))
        WHERE path <> '' AND path <= inverse
    ),
    _met AS NOT MATERIALIZED (
        SELECT met.lexeme, met.path, met.context, _one_way.is_own_inverse,
            CASE WHEN counts = 'direct' THEN met.direct ELSE met.count END AS count
        FROM query_table(coalesce(other || '.main.cooccurrences', 'cooccurrences')) AS met
        JOIN _one_way ON _one_way.path = met.path
        SEMI JOIN _wanted AS own ON own.lexeme = met.lexeme
        SEMI JOIN _wanted AS context ON context.lexeme = met.context
    ),
    _cooccurrences AS NOT MATERIALIZED (
        SELECT lexeme, path, context, count FROM _met WHERE NOT is_own_inverse OR lexeme <= context
    ),
    _every_path AS NOT MATERIALIZED (SELECT '' AS lexeme, path, '' AS context, count FROM _one_way),
    _paths AS NOT MATERIALIZED (
        SELECT '' AS lexeme, path, '' AS context, sum(count)::BIGINT AS count FROM _met GROUP BY path
    )
    FROM query_table(
        CASE
            WHEN kind = 'paths' AND tag = 'any' THEN '_every_path'
            WHEN kind IN ('paths', 'cooccurrences') THEN '_' || kind
            ELSE '_lexemes'
        END
    )
    WHERE count > 0
);

-- A row: what is counted in a subcorpus of this lexicon, or in all of it, and in another one, with both counts; only
-- along the paths that are asked for, which are chosen on each side, before texts are joined.
CREATE OR REPLACE MACRO _store.compared_lexicons(a, kind, tag, other, counts, relations, max_order) AS TABLE (
    WITH _every_item AS NOT MATERIALIZED (
        SELECT lexeme_id, path_id, context_id, count AS count_a, 0 AS count_b
        FROM _store.item_of_pos(kind, tag, a, counts)
    ),
    _item AS NOT MATERIALIZED (FROM _store.item_along('_every_item', relations, max_order, NULL)),
    _with_text AS NOT MATERIALIZED (
        SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, _item.count_a
        FROM _item
        LEFT JOIN _store.lexeme ON lexeme.id = _item.lexeme_id
        LEFT JOIN _store.path ON path.id = _item.path_id
        LEFT JOIN _store.lexeme AS context ON context.id = _item.context_id
    ),
    -- (Of a pair seen from both ends along a path that is its own inverse, ids and texts may choose differently.)
    _here AS NOT MATERIALIZED (
        SELECT CASE WHEN path = path_inverse(path) THEN least(lexeme, context) ELSE lexeme END AS lexeme, path,
            CASE WHEN path = path_inverse(path) THEN greatest(lexeme, context) ELSE context END AS context, count_a
        FROM _with_text
    ),
    _every_there AS NOT MATERIALIZED (FROM _store.item_elsewhere(kind, tag, other, counts)),
    _there AS NOT MATERIALIZED (FROM _store.item_along('_every_there', relations, max_order, other))
    SELECT coalesce(here.lexeme, nullif(there.lexeme, '')) AS lexeme,
        coalesce(here.path, nullif(there.path, '')) AS path,
        coalesce(here.context, nullif(there.context, '')) AS context, coalesce(here.count_a, 0) AS count_a,
        coalesce(there.count, 0) AS count_b
    FROM _here AS here
    FULL JOIN _there AS there
        ON there.lexeme = coalesce(here.lexeme, '') AND there.path = coalesce(here.path, '')
        AND there.context = coalesce(here.context, '')
);

-- A row: a part of speech, or a relation (kind), and its share of the tokens or arcs of a, or of all of this lexicon,
-- and of another one. is_lacking: whether one has none, where the share of the other lets expect 10 or more;
-- is_odd: whether the shares differ more than tenfold where as many are expected.
CREATE OR REPLACE MACRO _store.label_beside(a, other, counts) AS TABLE (
    WITH _here AS (
        SELECT 'pos' AS kind, pos AS name, sum(frequency)::BIGINT AS count FROM _store.lexeme_in(a) GROUP BY pos
        UNION ALL
        SELECT 'relation', text[2:], count FROM _store.path_in(a, counts) WHERE path_order = 1 AND text[1] = '>'
    ),
    _there AS (
        SELECT 'pos' AS kind, pos AS name, sum(frequency)::BIGINT AS count
        FROM query_table(coalesce(other || '.main.lexemes', 'lexemes'))
        GROUP BY pos
        UNION ALL
        SELECT 'relation', path[2:], CASE WHEN counts = 'direct' THEN direct ELSE count END
        FROM query_table(coalesce(other || '.main.paths', 'paths'))
        WHERE path_order = 1 AND path[1] = '>'
    ),
    _both AS (
        SELECT kind, name, coalesce(_here.count, 0) AS count_a, coalesce(_there.count, 0) AS count_b
        FROM _here
        FULL JOIN _there USING (kind, name)
        WHERE name IS NOT NULL
    ),
    _whole AS (SELECT kind, sum(count_a) AS in_a, sum(count_b) AS in_b FROM _both GROUP BY kind),
    _shared AS (
        SELECT _both.*, count_a / in_a AS share_a, count_b / in_b AS share_b,
            greatest(count_a / in_a * in_b, count_b / in_b * in_a) AS expected
        FROM _both
        JOIN _whole USING (kind)
        WHERE in_a > 0 AND in_b > 0
    )
    SELECT kind, name, share_a, share_b, least(count_a, count_b) = 0 AND expected >= 10 AS is_lacking,
        least(share_a, share_b) * 10 < greatest(share_a, share_b) AND expected >= 10 AS is_odd
    FROM _shared
);

-- Whether a part of speech is that of names, in Universal Dependencies or in the Penn Treebank.
CREATE OR REPLACE MACRO _store.is_name(tag) AS coalesce(tag IN ('PROPN', 'NNP', 'NNPS'), false);

-- Whether two shares differ by more than a half, of a whole that occurs 10 times or more in both lexicons, of so many
-- tokens, and does not lean twofold itself to the side of the greater share: of two ways to annotate, not to speak.
CREATE OR REPLACE MACRO _store.is_apart(share_a, share_b, whole_a, whole_b, in_a, in_b) AS
    least(whole_a, whole_b) >= 10 AND abs(share_a - share_b) > 0.5
    AND CASE
        WHEN share_a > share_b THEN whole_a * in_b < 2 * whole_b * in_a ELSE whole_b * in_a < 2 * whole_a * in_b
    END;

-- A row: a lexeme whose shares of the tokens of its lemma are apart: as be/VERB, where the other has be/AUX. (Names are
-- no tokens of a lemma here: that County is a name in one kind of text, and county a noun in another, is speech.)
CREATE OR REPLACE MACRO _store.word_beside(a, b, other) AS TABLE (
    WITH _size AS MATERIALIZED (
        SELECT here.tokens AS in_a, there.tokens AS in_b
        FROM _store.tokens_in(a) AS here, _store.beside(a, b, other) AS there
    ),
    _there AS (
        SELECT lexeme, lemma, frequency
        FROM query_table(coalesce(other || '.main.lexemes', 'lexemes'))
        WHERE NOT _store.is_name(pos)
    ),
    _both AS (
        SELECT lexeme, lemma, coalesce(here.frequency, 0) AS count_a, coalesce(_there.frequency, 0) AS count_b
        FROM (SELECT text AS lexeme, lemma, frequency FROM _store.lexeme_in(a) WHERE NOT _store.is_name(pos)) AS here
        FULL JOIN _there USING (lexeme, lemma)
    ),
    _of_lemma AS (
        SELECT *, sum(count_a) OVER (PARTITION BY lemma) AS lemma_a, sum(count_b) OVER (PARTITION BY lemma) AS lemma_b
        FROM _both
    )
    SELECT lexeme, count_a / lemma_a AS share_a, count_b / lemma_b AS share_b, lemma_a + lemma_b AS tokens
    FROM _of_lemma, _size
    WHERE _store.is_apart(count_a / lemma_a, count_b / lemma_b, lemma_a, lemma_b, in_a, in_b)
);

-- A row: a lexeme whose lemma's shares of the tokens of a form are apart, if the form is more than half of the lexeme
-- on the side of the greater share: as person/NOUN, where the other has people/NOUN for the form people. With it the
-- shares of the lemma that is commonest here, of those found: for both 'people lemmatised person', 1 and 0.
CREATE OR REPLACE MACRO _store.form_beside(other) AS TABLE (
    WITH _here AS (
        SELECT lower(word.form) AS form, lower(word.lemma) AS lemma, lexeme.text AS lexeme,
            sum(own.count)::DOUBLE AS count
        FROM (SELECT word_id, count(*) AS count FROM _store.token GROUP BY word_id) AS own
        JOIN _store.word ON word.id = own.word_id
        JOIN _store.lexeme ON lexeme.id = word.lexeme_id
        GROUP BY lower(word.form), lower(word.lemma), lexeme.text
    ),
    -- (Tokens are counted before words are joined: of 14 million that takes half the time and memory.)
    _there AS (
        SELECT lower(word.form) AS form, lower(word.lemma) AS lemma, lexeme.text AS lexeme,
            sum(own.count)::DOUBLE AS count
        FROM (
            SELECT word_id, count(*) AS count
            FROM query_table(coalesce(other || '._store.token', '_store.token'))
            GROUP BY word_id
        ) AS own
        JOIN query_table(coalesce(other || '._store.word', '_store.word')) AS word ON word.id = own.word_id
        JOIN query_table(coalesce(other || '._store.lexeme', '_store.lexeme')) AS lexeme ON lexeme.id = word.lexeme_id
        GROUP BY lower(word.form), lower(word.lemma), lexeme.text
    ),
    _both AS (
        SELECT form, lemma, lexeme, coalesce(_here.count, 0) AS count_a, coalesce(_there.count, 0) AS count_b
        FROM _here
        FULL JOIN _there USING (form, lemma, lexeme)
    ),
    _whole AS (
        SELECT *, sum(count_a) OVER (PARTITION BY form) AS form_a, sum(count_b) OVER (PARTITION BY form) AS form_b,
            sum(count_a) OVER (PARTITION BY lexeme) AS lexeme_a, sum(count_b) OVER (PARTITION BY lexeme) AS lexeme_b,
            sum(count_a) OVER (PARTITION BY form, lemma) / sum(count_a) OVER (PARTITION BY form) AS share_a,
            sum(count_b) OVER (PARTITION BY form, lemma) / sum(count_b) OVER (PARTITION BY form) AS share_b,
            sum(count_a) OVER () AS in_a, sum(count_b) OVER () AS in_b
        FROM _both
    )
    SELECT lexeme, form || ' lemmatised ' || first_value(lemma) OVER commonest AS name,
        first_value(share_a) OVER commonest AS share_a, first_value(share_b) OVER commonest AS share_b,
        form_a + form_b AS tokens
    FROM _whole
    WHERE _store.is_apart(share_a, share_b, form_a, form_b, in_a, in_b)
        AND CASE WHEN share_a > share_b THEN 2 * count_a > lexeme_a ELSE 2 * count_b > lexeme_b END
    WINDOW commonest AS (PARTITION BY form ORDER BY share_a DESC, lemma ASC)
);

-- A row: a lexeme that two lexicons annotate differently, by its lemma or by one of its forms, what tells that (name),
-- and its shares there.
CREATE OR REPLACE MACRO _store.lexeme_beside(a, b, other) AS TABLE (
    WITH _found AS (
        SELECT lexeme, lexeme AS name, share_a, share_b, tokens FROM _store.word_beside(a, b, other)
        UNION ALL
        FROM _store.form_beside(other)
    )
    FROM _found
    QUALIFY row_number() OVER (PARTITION BY lexeme ORDER BY tokens DESC, name ASC) = 1
);

-- A row: an item of the relation named and comparable, whether the annotation of both lexicons lets it be compared: its
-- lexemes are none of _store.lexeme_beside, and neither lexicon lacks a part of speech or a relation of it.
CREATE OR REPLACE MACRO _store.comparable_item(items, a, b, other, counts) AS TABLE (
    WITH _word AS MATERIALIZED (FROM _store.lexeme_beside(a, b, other)),
    _lacking AS MATERIALIZED (
        SELECT coalesce(list(name) FILTER (kind = 'pos'), []) AS tags,
            coalesce(list(name) FILTER (kind = 'relation'), []) AS relations
        FROM _store.label_beside(a, other, counts)
        WHERE is_lacking
    )
    SELECT item.*, own.lexeme IS NULL AND met.lexeme IS NULL AND NOT (
            coalesce(list_contains(tags, _store.pos_of(item.lexeme)), false)
            OR coalesce(list_contains(tags, _store.pos_of(item.context)), false)
            OR coalesce(
                list_has_any(relations, list_transform(_store.path_steps(item.path), lambda step: step[2:])), false
            )
        ) AS comparable
    FROM query_table(items) AS item
    CROSS JOIN _lacking
    LEFT JOIN _word AS own ON own.lexeme = item.lexeme
    LEFT JOIN _word AS met ON met.lexeme = item.context
);

-- A row: an item of the relation named that is shown, with its place (from 1): those that cannot be compared come last,
-- and of the others those more frequent in a first, then those equally frequent, then those less frequent; in each part
-- by g2. negative: only the less frequent.
CREATE OR REPLACE MACRO _store.placed_item(items, negative, top) AS TABLE (
    SELECT *, row_number() OVER (
            ORDER BY comparable DESC, sign(per_million_a - per_million_b) DESC, g2 DESC, lexeme ASC, path ASC,
                context ASC
        ) AS place
    FROM query_table(items)
    WHERE NOT negative OR per_million_a < per_million_b
    QUALIFY place <= coalesce(top, place)
);

-- A row: a lexeme, a co-occurrence or a path, its counts in the subcorpora a and b, also per million tokens, and how
-- typical it is of one of them: g2 (Rayson & Garside 2000); log_ratio (Hardie 2014); p_value; q_value, the false
-- discovery rate among all items with min_count or more in both together; and how evenly it is spread over a:
-- documents_a, in how many documents it is (a corpus without documents is one), and dp_a, Gries' DP (2008), from 0 for
-- as even as can be to nearly 1. Items that are more frequent in a come first, by g2; negative: only those that are
-- less frequent. Left out are ε, items rarer than min_count, and function words, punctuation, numbers and symbols, also
-- at the ends of a co-occurrence or path, unless pos is any, or names parts of speech (NOUN,VERB). b: NULL for all that
-- is not in a. overlap: if a and b share sentences, refuse, or difference, which leaves these out of b. other: the name
-- of an attached lexicon, in place of b; a may then be NULL, for the whole lexicon. of: lexemes, cooccurrences or
-- paths; a pair that is counted from both ends has one row. dispersion: false saves time; documents_a and dp_a are then
-- NULL. documents: the column that names a document, document or one of metadata. relations and max_order: only along
-- such paths. comparable: false, and last, for items that the two lexicons annotate differently: one lacks a part of
-- speech or a relation of the item, or has most tokens of a word or form under another part of speech or lemma
-- (be/VERB, be/AUX; person/NOUN, people/NOUN).
-- Columns: lexeme VARCHAR, path VARCHAR, context VARCHAR, count_a BIGINT, count_b BIGINT, per_million_a DOUBLE,
-- per_million_b DOUBLE, g2 DOUBLE, log_ratio DOUBLE, p_value DOUBLE, q_value DOUBLE, documents_a BIGINT, dp_a DOUBLE,
-- comparable BOOLEAN
-- Example: SELECT * FROM aptdb_help WHERE name = 'keyness'
CREATE OR REPLACE MACRO keyness(a, b := NULL, @parameters_of_keyness@) AS TABLE (
    WITH _subcorpora AS NOT MATERIALIZED (
        FROM _store.compared_subcorpora(a, b, of, pos::VARCHAR, overlap, _store.compared_counts(a, b, counts))
    ),
    _lexicons AS NOT MATERIALIZED (
        FROM _store.compared_lexicons(
            a, of, pos::VARCHAR, other, _store.compared_counts(a, b, counts), @relations@, max_order
        )
    ),
    _compared AS MATERIALIZED (
        FROM query_table(CASE WHEN other IS NULL THEN '_subcorpora' ELSE '_lexicons' END)
        WHERE _store.admitted('@stamp@', _store.check_key_values(
                of, negative, min_count, overlap, dispersion, top, counts, max_order
            )
            AND _store.check_sides(a, b, other, overlap, _store.check_pos(pos::VARCHAR, other)
                AND _store.check_items(a, b, other, of, counts, documents, @relations@, max_order)))
    ),
    _along_paths AS NOT MATERIALIZED (FROM _store.item_along('_compared', @relations@, max_order, other)),
    _along AS NOT MATERIALIZED (FROM query_table(CASE WHEN of = 'lexemes' THEN '_compared' ELSE '_along_paths' END)),
    _keyness AS NOT MATERIALIZED (
        FROM _store.keyness_of(
            '_along', (SELECT tokens FROM _store.tokens_in(a)),
            (SELECT tokens FROM _store.beside(a, b, other)), min_count
        )
        WHERE q_value IS NOT NULL
    ),
    _with_texts AS NOT MATERIALIZED (
        SELECT lexeme.text AS lexeme, path.text AS path, context.text AS context, _keyness.*, true AS comparable
        FROM _keyness
        LEFT JOIN _store.lexeme ON lexeme.id = _keyness.lexeme_id
        LEFT JOIN _store.path ON path.id = _keyness.path_id
        LEFT JOIN _store.lexeme AS context ON context.id = _keyness.context_id
    ),
    _beside_other AS NOT MATERIALIZED (
        FROM _store.comparable_item('_keyness', a, b, other, _store.compared_counts(a, b, counts))
    ),
    _shown AS MATERIALIZED (
        FROM _store.placed_item(CASE WHEN other IS NULL THEN '_with_texts' ELSE '_beside_other' END, negative, top)
    ),
    _dispersed AS NOT MATERIALIZED (
        FROM _store.dispersion_of('_shown', of, pos::VARCHAR, a, _store.compared_counts(a, b, counts), documents)
    ),
    _without AS NOT MATERIALIZED (
        SELECT NULL::BIGINT AS place, NULL::BIGINT AS documents, NULL::DOUBLE AS dp WHERE false
    )
    SELECT _shown.lexeme, _shown.path, _shown.context, _shown.count_a, _shown.count_b, _shown.per_million_a,
        _shown.per_million_b, _shown.g2, _shown.log_ratio, _shown.p_value, _shown.q_value,
        CASE WHEN dispersion THEN coalesce(spread.documents, 0) END AS documents_a, spread.dp AS dp_a,
        _shown.comparable
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('keyness', row(a, b, @given_to_keyness@)) AS _constants
    CROSS JOIN _shown
    LEFT JOIN query_table(CASE WHEN dispersion THEN '_dispersed' ELSE '_without' END) AS spread
        ON spread.place = _shown.place
    ORDER BY _shown.place ASC
);
