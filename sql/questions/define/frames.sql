-- True where the frames of a lexeme can be told; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_frames(lexeme, leave_out, top, subcorpus) AS
    CASE
        @frames_checks@
        WHEN NOT _store.check_subcorpus(subcorpus) THEN false
        WHEN lexeme IS NULL THEN error(_store.name_a_lexeme())
        WHEN _store.sort_asked(lexeme) = 'words' AND typeof(lexeme) <> 'VARCHAR'
        THEN error('lexeme is ' || lexeme::VARCHAR || '; expected text')
        WHEN len(list_filter(leave_out, lambda each: each IS NULL)) > 0 THEN error(
            'leave_out has a NULL; expected a list of relations, [] for none'
        )
        ELSE true
    END;

-- The case in the features of a word: Dat of Case=Dat; NULL if there is none.
CREATE OR REPLACE MACRO _store.case_of(feats) AS
    nullif(regexp_extract(feats, '(?:^|[|])Case=([^|]+)', 1), '');

-- A row: a dependent of a node of the tokens named (head), and its relation; in brackets its adposition with its case,
-- if it has one, or along obl and nmod without adposition its case: obl[with], obl[á+Acc], obl[Dat]. In Stanford
-- Dependencies the adposition is the dependent itself: prep[with]. leave_out: relations to ignore; NULL for those that
-- do not belong to a frame.
CREATE OR REPLACE MACRO _store.argument(tokens, leave_out) AS TABLE (
    WITH _dependent AS NOT MATERIALIZED (
        SELECT *, split_part(label, ':', 1) AS relation
        FROM query_table(tokens)
        WHERE position = node AND above IS NOT NULL
    ),
    _case AS NOT MATERIALIZED (SELECT * FROM _dependent WHERE relation = 'case'),
    _word AS NOT MATERIALIZED (
        SELECT sentence_id, above, position, lower(word) AS word FROM _case
        UNION ALL
        SELECT _case.sentence_id, _case.above, more.position, lower(more.word)
        FROM _case
        JOIN _dependent AS more ON more.sentence_id = _case.sentence_id AND more.above = _case.position
        WHERE more.relation = 'fixed'
    ),
    -- A row: a node, and its adpositions: the lemmas of its dependents along case, with what these are fixed to, in the
    -- order of the sentence (because_of).
    _adposition AS NOT MATERIALIZED (
        SELECT sentence_id, above AS position, string_agg(word, '_' ORDER BY position ASC) AS adposition
        FROM _word
        GROUP BY sentence_id, above
    ),
    -- One row: whether nouns have cases here. (Where pronouns alone have them, as in English, they tell nothing.)
    _noun AS MATERIALIZED (
        SELECT count(*) > 0 AS has_case
        FROM query_table(tokens)
        WHERE upos = 'NOUN' AND _store.case_of(feats) IS NOT NULL
    )
    SELECT own.sentence_id, own.above AS head, own.label || coalesce('[' || CASE
            WHEN own.relation = 'prep' THEN lower(own.word)
            WHEN marked.adposition IS NOT NULL
            THEN marked.adposition
                || CASE WHEN _noun.has_case THEN coalesce('+' || _store.case_of(own.feats), '') ELSE '' END
            WHEN own.label IN ('obl', 'nmod') THEN _store.case_of(own.feats)
        END || ']', '') AS label
    FROM _dependent AS own
    CROSS JOIN _noun
    LEFT JOIN _adposition AS marked
        ON marked.sentence_id = own.sentence_id AND marked.position = own.position
    WHERE CASE
        WHEN leave_out IS NULL
        THEN own.relation NOT IN (SELECT known.relation FROM _store.function_relation AS known)
        ELSE NOT list_contains(leave_out, own.label)
    END
);

-- A row: a frame of a lexeme, of a stored sense, mouse/NOUN#1, of a phrase's head, or of the first node of a pattern:
-- the relations of the dependents of an occurrence, in alphabetical order, each with its adposition or case in
-- brackets, as obl[with]; '(no arguments)' if it has none. Also the number of such occurrences, their share of all, and
-- the first sentence, with the [lexeme] marked. leave_out: relations to ignore, [] for none; NULL for function words,
-- adverbs, punctuation, conjuncts and parataxis: advmod, aux, case, cc, clf, conj, cop, det, discourse, mark,
-- parataxis, punct, and their subtypes.
-- Columns: frame VARCHAR, count BIGINT, share DOUBLE, example VARCHAR
-- Example: FROM frames('shoot/NOUN', top := 5)
CREATE OR REPLACE MACRO frames(lexeme := NULL, leave_out := NULL, @parameters_of_frames@) AS TABLE (
    -- A row: a relation that is to be left out and that the lexicon never counts. Punctuation may be left out where
    -- there is none.
    WITH _unknown AS NOT MATERIALIZED (
        SELECT asked.name
        FROM (SELECT unnest(@leave_out@) AS name) AS asked
        ANTI JOIN _store.relation AS known ON known.label = asked.name
        WHERE asked.name <> 'punct'
    ),
    _checked AS MATERIALIZED (
        SELECT 1 AS times
        WHERE _store.admitted('@stamp@', _store.check_frames(lexeme, @leave_out@, top, subcorpus))
            AND (SELECT coalesce(bool_and(error(_store.no_relation(name, NULL))::BOOLEAN), true) FROM _unknown)
    ),
    _asked AS MATERIALIZED (
        FROM _store.lexeme_asked(_store.text_asked(lexeme), subcorpus) WHERE (SELECT times FROM _checked) = 1
    ),
    _of_words AS NOT MATERIALIZED (SELECT sentence_id, position FROM _store.node_asked('_asked', subcorpus)),
    _of_others AS NOT MATERIALIZED (
        SELECT DISTINCT sentence_id, position
        FROM _store.hit_asked('_checked', lexeme, NULL, NULL, subcorpus, 'direct')
    ),
    _node AS MATERIALIZED (
        FROM query_table(CASE WHEN _store.sort_asked(lexeme) = 'words' THEN '_of_words' ELSE '_of_others' END)
    ),
    _token AS MATERIALIZED (FROM _store.token_of('_node')),
    _dependent AS (
        SELECT own.sentence_id, own.head AS position, string_agg(own.label, ' ' ORDER BY own.label ASC) AS frame
        FROM _store.argument('_token', @leave_out@) AS own
        GROUP BY own.sentence_id, own.head
    ),
    _counted AS (
        SELECT coalesce(_dependent.frame, '(no arguments)') AS frame, count(*) AS count,
            count(*) / sum(count(*)) OVER () AS share,
            min([_node.sentence_id, _node.position]) AS first
        FROM _node
        LEFT JOIN _dependent
            ON _dependent.sentence_id = _node.sentence_id AND _dependent.position = _node.position
        GROUP BY coalesce(_dependent.frame, '(no arguments)')
    ),
    _shown AS MATERIALIZED (
        SELECT frame, count, share, first[1] AS sentence_id, first[2] AS position,
            row_number() OVER (ORDER BY count DESC, frame ASC) AS place
        FROM _counted
    ),
    _example AS MATERIALIZED (SELECT _token.* FROM _token SEMI JOIN _shown USING (sentence_id))
    SELECT _shown.frame, _shown.count, _shown.share, trim(array_to_string(list_transform(written.words, lambda each:
            CASE WHEN each['node'] = _shown.position THEN '[' || each['form'] || ']' ELSE each['form'] END
            || each['gap']), '')) AS example
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('frames', row(leave_out, @given_to_frames@)) AS _constants
    CROSS JOIN _shown
    JOIN _store.words_of('_example') AS written ON written.sentence_id = _shown.sentence_id
    WHERE _shown.place <= coalesce(top, _shown.place)
    ORDER BY _shown.place ASC
);
