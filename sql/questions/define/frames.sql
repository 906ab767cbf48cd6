-- True where the frames of a lexeme can be told; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_frames(lexeme, leave_out, top, subcorpus) AS
    CASE
        @frames_checks@
        WHEN NOT _store.check_subcorpus(subcorpus) THEN false
        WHEN lexeme IS NULL THEN error('the lexeme is NULL; expected as dog/NOUN')
        WHEN leave_out IS NULL OR len(list_filter(leave_out, lambda each: each IS NULL)) > 0 THEN error(
            'leave_out is NULL, or has a NULL; expected a list of relations, [] for none'
        )
        ELSE true
    END;

-- A row: a relation that is to be left out and that the lexicon never counts. Punctuation may be left out where there
-- is none.
CREATE OR REPLACE MACRO _store.unknown_relation(names) AS TABLE (
    SELECT asked.name
    FROM (SELECT unnest(names) AS name) AS asked
    ANTI JOIN _store.relation AS known ON known.label = asked.name
    WHERE asked.name <> 'punct'
);

-- A row: a frame of a lexeme: the relations of all dependents of an occurrence, in alphabetical order, '' if it has
-- none; the number of such occurrences, their share of all, and the first sentence, with the [lexeme] marked.
-- leave_out: relations to ignore, by default punctuation.
-- Example: FROM frames('shoot/NOUN', top := 5)
CREATE OR REPLACE MACRO frames(lexeme, leave_out := ['punct'], @parameters_of_frames@) AS TABLE (
    WITH _asked AS MATERIALIZED (
        FROM _store.evidence_asked(lexeme, NULL, subcorpus)
        WHERE (SELECT _store.guard('@stamp@'))
            AND (SELECT _store.check_frames(lexeme, leave_out, top, subcorpus))
            AND (SELECT coalesce(bool_and(error(_store.no_relation(name, NULL))::BOOLEAN), true)
                FROM _store.unknown_relation(leave_out))
    ),
    _given AS MATERIALIZED (
        SELECT w_id AS lexeme_id FROM _asked
    ),
    _node AS MATERIALIZED (
        FROM _store.node_of('_given', subcorpus)
    ),
    _token AS MATERIALIZED (
        FROM _store.token_of('_node')
    ),
    _dependent AS (
        SELECT sentence_id, above AS position, string_agg(label, ' ' ORDER BY label ASC) AS frame
        FROM _token
        WHERE position = node AND above IS NOT NULL AND NOT list_contains(leave_out, label)
        GROUP BY sentence_id, above
    ),
    _counted AS (
        SELECT coalesce(_dependent.frame, '') AS frame, count(*) AS count, count(*) / sum(count(*)) OVER () AS share,
            min([_node.sentence_id, _node.position]) AS first
        FROM _node
        LEFT JOIN _dependent
            ON _dependent.sentence_id = _node.sentence_id AND _dependent.position = _node.position
        GROUP BY coalesce(_dependent.frame, '')
    ),
    _shown AS MATERIALIZED (
        SELECT frame, count, share, first[1] AS sentence_id, first[2] AS position,
            row_number() OVER (ORDER BY count DESC, frame ASC) AS place
        FROM _counted
    ),
    _example AS MATERIALIZED (
        SELECT _token.* FROM _token SEMI JOIN _shown USING (sentence_id)
    )
    SELECT _shown.frame, _shown.count, _shown.share, trim(array_to_string(list_transform(written.words, lambda each:
            CASE WHEN each['node'] = _shown.position THEN '[' || each['form'] || ']' ELSE each['form'] END
            || each['gap']), '')) AS example
    FROM _shown
    JOIN _store.words_of('_example') AS written ON written.sentence_id = _shown.sentence_id
    WHERE _shown.place <= coalesce(top, _shown.place)
    ORDER BY _shown.place ASC
);
