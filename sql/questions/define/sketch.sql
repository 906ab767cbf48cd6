-- Word sketches: what a lexeme meets along each path, the most typical first.

-- True where a sketch can show so much; otherwise an error that names the value.
CREATE OR REPLACE MACRO _store.check_showing(
    max_order, top, top_relations, min_count, score, everything, examples, counts
) AS
    CASE
        @sketch_checks@
        ELSE true
    END;

-- True where a sketch can be made; otherwise an error that says what is wrong. x: the text of the lexeme.
CREATE OR REPLACE MACRO _store.check_sketch(x, relations, max_order, min_count, subcorpus, counts) AS
    CASE
        WHEN NOT (_store.check_subcorpus(subcorpus) AND _store.check_counts(counts, subcorpus)) THEN false
        WHEN x IS NULL THEN error(_store.name_a_lexeme())
        WHEN ends_with(x, ']') THEN error('sketch takes one lexeme, as dog/NOUN, not the phrase ' || x)
        WHEN len(relations) = 0
            THEN error('relations is empty; expected a list, as [''amod'', ''<obj''], or NULL for all')
        WHEN max_order > _store.longest_path() THEN error(
            'max_order is ' || max_order || '; the lexicon counts to ' || _store.longest_path()
        )
        ELSE _store.check_least_count(min_count, subcorpus, counts)
    END;

-- The text of a lexeme, or an error where a value is of a type that is none.
CREATE OR REPLACE MACRO _store.sketched(x) AS
    CASE
        WHEN _store.is_list(x) THEN error('sketch takes one lexeme, as dog/NOUN, not a phrase')
        ELSE _store.as_lexeme(x)
    END;

-- The relations that a name stands for: that of a label, or those of a path; NULL where the path is none.
CREATE OR REPLACE MACRO _store.relations_named(name) AS
    CASE
        WHEN name IN ('', 'ε') THEN []::VARCHAR[]
        WHEN NOT regexp_matches(name, '^[<>]') THEN [name]
        WHEN path_is_valid(name) THEN list_transform(_store.path_steps(name), lambda step: step[2:])
    END;

-- True where all relations and paths that are named are counted; otherwise an error that says what there is.
CREATE OR REPLACE MACRO _store.check_named(relations, max_order, subcorpus) AS (
    SELECT coalesce(bool_and(CASE
            WHEN each.name IS NULL THEN error('relations has a NULL; expected a list, as [''amod'', ''<obj'']')
            WHEN each.named IS NULL THEN error(
                'no path ' || each.name || '; a path is reduced, ups before downs, as <amod<obj>nsubj'
            )
            WHEN each.unknown IS NOT NULL THEN error(_store.no_relation(each.unknown, subcorpus))
            WHEN regexp_matches(each.name, '^[<>]') AND len(each.named) > max_order THEN error(
                'the path ' || each.name || ' has order ' || len(each.named) || '; max_order is ' || max_order
            )
            ELSE true
        END), true)
    FROM (
        SELECT given.name, given.named, list_filter(
                given.named, lambda relation: NOT list_contains(counted.relations, relation)
            )[1] AS unknown
        FROM (
            SELECT name, _store.relations_named(name) AS named
            FROM (SELECT unnest(relations)::VARCHAR AS name)
        ) AS given
        CROSS JOIN (SELECT list(DISTINCT step[2:]) AS relations FROM _store.counted_step(subcorpus)) AS counted
    ) AS each
);

-- Whether a path is one of those named, or has a step of a relation that is.
CREATE OR REPLACE MACRO _store.is_of_relations(path, relations) AS
    list_has_any(relations, list_append(list_transform(_store.path_steps(path), lambda step: step[2:]), path));

-- A row: a path to look along: of at most so many steps and, where relations are named, one that is named itself, or
-- has a step of one that is. ε is one where it is named, or everything is asked for.
CREATE OR REPLACE MACRO _store.path_to_look(relations, max_order, everything, subcorpus) AS TABLE (
    SELECT id AS path_id, text
    FROM _store.path_in(subcorpus)
    WHERE path_order <= max_order AND CASE
        WHEN text = '' AND relations IS NOT NULL THEN list_has_any(relations, ['', 'ε'])
        WHEN text = '' THEN everything
        WHEN relations IS NULL THEN true
        ELSE _store.is_of_relations(text, relations)
    END
);

-- A row: a co-occurrence of a sense in the relation named (column sense_id), counted where its occurrences are, as
-- _store.met has those of lexemes; none where the relation has lexemes without a sense. counts: direct or packed.
-- (Each sense is an entry: without these it is no part of a plan, which would take half as long again.)
CREATE OR REPLACE MACRO _store.met_by_sense(asked, subcorpus, counts) AS TABLE (
    WITH _in_subcorpus AS NOT MATERIALIZED (
        SELECT sentence_id FROM _store.subcorpus_sentence WHERE subcorpus_id = _store.subcorpus_id(subcorpus)
    ),
    _own AS NOT MATERIALIZED (
        SELECT stored.sense_id AS question, stored.sentence_id, stored.position AS node
        FROM _store.sense_occurrence AS stored
        SEMI JOIN query_table(asked) AS own ON own.sense_id = stored.sense_id
        WHERE subcorpus IS NULL OR stored.sentence_id IN (FROM _in_subcorpus)
    ),
    _count AS MATERIALIZED (
        SELECT pair.question AS sense_id, path.id AS path_id, pair.context_id, count(*) AS count
        FROM _store.pair_around('_own') AS pair
        JOIN _store.path ON path.text = pair.path
        WHERE pair.is_direct OR coalesce(counts, 'packed') = 'packed'
        GROUP BY pair.question, path.id, pair.context_id
    ),
    _times AS MATERIALIZED (SELECT question AS sense_id, count(*) AS frequency FROM _own GROUP BY question),
    _met AS NOT MATERIALIZED (
        SELECT sense.lexeme_id, _times.frequency, sum(_count.count) OVER (PARTITION BY _count.sense_id)::BIGINT
            AS cooccurrences, _count.path_id, _count.context_id, _count.count, NULL::VARCHAR AS lexeme,
            NULL::VARCHAR AS context
        FROM _count
        JOIN _times ON _times.sense_id = _count.sense_id
        JOIN _store.sense ON sense.id = _count.sense_id
    ),
    _none AS NOT MATERIALIZED (SELECT * FROM _store.met(subcorpus, 'packed') LIMIT 0)
    FROM query_table(CASE WHEN _store.entries() > 0 THEN '_met' ELSE '_none' END)
);

-- A row: a collocate of a lexeme in the relation named (column w_id), or of its sense (sense_id), along one of the
-- paths of another: how often it is met, and its score, whatever it is. Of ppmi, those without one have 0. told: how
-- much it tells of the lexeme, its count times its pmi; the sum of a path is never below 0, as long as no word is left
-- out.
CREATE OR REPLACE MACRO _store.collocate(asked, paths, everything, score, @own_options@) AS TABLE (
    WITH _whole AS MATERIALIZED (SELECT w_id FROM query_table(asked) WHERE sense_id IS NULL),
    _by_sense AS MATERIALIZED (FROM _store.met_by_sense(asked, given_subcorpus, given_counts)),
    _met AS NOT MATERIALIZED (
        SELECT met.*
        FROM _store.met(given_subcorpus, given_counts) AS met
        JOIN _whole ON _whole.w_id = met.lexeme_id
        SEMI JOIN query_table(paths) AS along ON along.path_id = met.path_id
        UNION ALL
        SELECT _by_sense.*
        FROM _by_sense
        SEMI JOIN query_table(paths) AS along ON along.path_id = _by_sense.path_id
    ),
    -- (By itself, or all nodes would be joined.)
    _own_node AS MATERIALIZED (
        SELECT node.lexeme_id, node.path_id, node.count
        FROM _store.node_in(given_subcorpus, given_counts) AS node
        SEMI JOIN _whole ON _whole.w_id = node.lexeme_id
        UNION ALL
        SELECT lexeme_id, path_id, sum(count)::BIGINT FROM _by_sense GROUP BY lexeme_id, path_id
    ),
    _tally AS NOT MATERIALIZED (FROM _store.tally('_met', '_own_node', false, score, score, @own_options@)),
    _weighed AS NOT MATERIALIZED (
        FROM _store.weighed('_tally', CASE WHEN score = 'ppmi' THEN 'pmi' ELSE score END, score, @own_options@)
    )
    SELECT weighed.lexeme_id, weighed.path_id, weighed.path, weighed.context_id, context.text AS context,
        context.frequency, weighed.n AS count,
        CASE WHEN score = 'ppmi' THEN greatest(weighed.weight, 0) ELSE weighed.weight END AS score,
        weighed.n * ln(weighed.n * weighed.n_path / (weighed.n_node::DOUBLE * weighed.n_feature)) AS told
    FROM _weighed AS weighed
    JOIN _store.lexeme_in(given_subcorpus) AS context ON context.id = weighed.context_id
    WHERE everything OR context.pos IS NULL OR context.pos NOT IN (SELECT function_pos.pos FROM _store.function_pos)
);

-- The least count of a collocate that is shown unless another is asked for. It follows the number of tokens of the
-- whole lexicon, so that it is the same for all its subcorpora. (Of what is met once in half of a corpus of a million
-- tokens, a tenth is met in the other half; of what is met twice, a half.)
CREATE OR REPLACE MACRO _store.least_count(min_count) AS
    coalesce(min_count, (
        SELECT CASE
            WHEN all_tokens.tokens >= 100000000 THEN 5
            WHEN all_tokens.tokens >= 30000000 THEN 4
            WHEN all_tokens.tokens >= 5000000 THEN 3
            WHEN all_tokens.tokens >= 500000 THEN 2
            ELSE 1
        END
        FROM _store.tokens_in(NULL) AS all_tokens
    ));

-- The score of collocates that a sketch can be made of, whatever it is asked for; what is none is an error elsewhere.
CREATE OR REPLACE MACRO _store.score_of(score) AS
    CASE WHEN _store.is_scheme(score) THEN score ELSE 'raw_count' END;

-- A row: a collocate of the relation named that is met so often, with its place along the path of its lexeme, and the
-- place of that path among the others: by how much those collocates tell of the lexeme, all together.
CREATE OR REPLACE MACRO _store.placed_collocate(collocates, min_count) AS TABLE (
    WITH _placed AS (
        SELECT *, row_number() OVER (
                PARTITION BY lexeme_id, path_id ORDER BY round(score, 12) DESC, frequency DESC, context ASC
            ) AS place
        FROM query_table(collocates)
        WHERE count >= min_count
    ),
    _path AS (
        SELECT lexeme_id, path_id, row_number() OVER (
                PARTITION BY lexeme_id ORDER BY round(fsum(told), 6) DESC, path ASC
            ) AS path_place
        FROM query_table(collocates)
        WHERE count >= min_count
        GROUP BY lexeme_id, path_id, path
    )
    SELECT _placed.*, _path.path_place
    FROM _placed
    JOIN _path ON _path.lexeme_id = _placed.lexeme_id AND _path.path_id = _placed.path_id
);

-- A row: a collocate that the sketch of a lexeme in the relation named (columns w_id, sense_id) shows, with its place,
-- as above. paths names those to look along.
CREATE OR REPLACE MACRO _store.shown_collocate(
    asked, paths, top, top_relations, min_count, score, everything, @own_options@
) AS TABLE (
    WITH _collocate AS MATERIALIZED (
        FROM _store.collocate(asked, paths, everything, _store.score_of(score), @own_options@) AS met
        WHERE score <> 'ppmi' OR met.score > 0
    )
    SELECT placed.*
    FROM _store.placed_collocate('_collocate', _store.least_count(min_count)) AS placed
    WHERE placed.place <= coalesce(top, placed.place)
        AND placed.path_place <= coalesce(top_relations, placed.path_place)
);

-- The same of all corpora, as a sketch is by default.
CREATE OR REPLACE MACRO _store.usual_collocate(asked, paths, top, score) AS TABLE (
    FROM _store.shown_collocate(asked, paths, top, NULL, NULL, score, false, @usual_sketch_options@)
);

-- True where what stands near a word can be shown; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_span(span, relations, max_order, top_relations, examples, counts) AS
    CASE
        @span_check@
        WHEN span IS NULL THEN true
        WHEN relations IS NOT NULL OR max_order <> 1 OR top_relations IS NOT NULL OR examples OR counts IS NOT NULL
        THEN error('span takes all words near by, whatever their path, so no ' || CASE
                WHEN relations IS NOT NULL THEN 'relations' WHEN max_order <> 1 THEN 'max_order'
                WHEN top_relations IS NOT NULL THEN 'top_relations' WHEN examples THEN 'examples' ELSE 'counts'
            END)
        ELSE true
    END;

-- True where all that is asked of has sentences; otherwise an error. (It is planned only where sentences are read.)
CREATE OR REPLACE MACRO _store.check_sentences(subcorpus) AS (
    SELECT CASE
        WHEN subcorpus IS NULL AND count(*) FILTER (kind = 'counts') > 0 THEN error(
            'words near by are counted in sentences, and ' || min(name) FILTER (kind = 'counts')
            || ' was added as counts, without sentences; ask of a subcorpus, which has none of it'
        )
        ELSE true
    END
    FROM _store.corpus
);

-- A row: a token within so many tokens of one of a lexeme, or of its sense, in the relation named (w_id, sense_id), as
-- a collocate along ~, counted as _store.collocate has those along paths. Of f and f', the tokens of both, and N of all
-- tokens, log_dice compares n with f + f', as is usual of such collocates; other scores with E = 2·span·f·f' / N. As
-- windows overlap, n may be above f', and so log_likelihood is Evert's simple one, 2·(n·ln(n / E) − (n − E)).
CREATE OR REPLACE MACRO _store.near_collocate(asked, span, everything, score, @own_options@) AS TABLE (
    WITH _own AS MATERIALIZED (FROM _store.node_asked(asked, given_subcorpus)),
    _size AS MATERIALIZED (SELECT count(*) AS frequency FROM _own),
    _searched AS MATERIALIZED (SELECT DISTINCT sentence_id FROM _own),
    _node AS MATERIALIZED (
        SELECT node.sentence_id, node.position, word.lexeme_id
        FROM _store.stored_node AS node
        JOIN _searched ON _searched.sentence_id = node.sentence_id
        JOIN _store.word ON word.id = node.word_id
        WHERE word.lexeme_id IS NOT NULL
    ),
    _met AS (
        SELECT _node.lexeme_id AS context_id, count(*) AS n
        FROM _own
        JOIN _node ON _node.sentence_id = _own.sentence_id
            AND _node.position BETWEEN _own.position - span AND _own.position + span
            AND _node.position <> _own.position
        GROUP BY _node.lexeme_id
    ),
    _tally AS (
        SELECT own.w_id AS lexeme_id, 0 AS path_id, '~' AS path, _met.context_id, context.text AS context,
            context.frequency, context.pos, _met.n, sum(_met.n) OVER () AS n_lexeme,
            _size.frequency * CASE WHEN score = 'log_dice' THEN 1 ELSE 2 * span END AS n_node,
            context.frequency AS n_feature, whole.tokens::DOUBLE AS n_path, n_node AS n_compared, n_path AS total,
            2 * span * _size.frequency * (context.frequency / whole.tokens) AS expected
        FROM _met
        CROSS JOIN _size
        CROSS JOIN query_table(asked) AS own
        CROSS JOIN _store.tokens_in(given_subcorpus) AS whole
        JOIN _store.lexeme_in(given_subcorpus) AS context ON context.id = _met.context_id
        WHERE everything OR context.pos IS NULL OR context.pos NOT IN (SELECT own.pos FROM _store.function_pos AS own)
    )
    SELECT lexeme_id, path_id, path, context_id, context, frequency, n AS count, CASE score
            WHEN 'ppmi' THEN greatest(weight, 0)
            WHEN 'log_likelihood' THEN 2 * sign(n - expected) * _store.divergence(n::DOUBLE, expected, n - expected)
            ELSE weight
        END AS score, n * ln(n / expected) AS told
    FROM _store.weighed(
        '_tally', CASE score WHEN 'ppmi' THEN 'pmi' WHEN 'log_likelihood' THEN 'raw_count' ELSE score END, score,
        @own_options@
    )
);

-- A row: what stands near a word as a sketch shows it, as _store.shown_collocate does what is met along paths.
CREATE OR REPLACE MACRO _store.shown_near(asked, span, top, min_count, score, everything, @own_options@) AS TABLE (
    WITH _collocate AS MATERIALIZED (
        FROM _store.near_collocate(asked, span, everything, _store.score_of(score), @own_options@) AS met
        WHERE (score <> 'ppmi' OR met.score > 0) AND (SELECT _store.check_sentences(given_subcorpus))
    )
    SELECT placed.*
    FROM _store.placed_collocate('_collocate', _store.least_count(min_count)) AS placed
    WHERE placed.place <= coalesce(top, placed.place)
);

-- A row: a pair of nodes that is counted for a collocate of the relation named (path, context_id), by sentence and
-- positions, from one of the nodes named (sentence_id, position). Nodes of one tree whose relations from the root down
-- begin alike are one packed node (the paper's section 2): x and y make a pair along a path if what is left of both
-- strings, when the path's ups are struck off the one and its downs off the other, is the same.
CREATE OR REPLACE MACRO _store.collocate_pair(rooted, nodes, collocates, counts) AS TABLE (
    -- A row: a path, the labels of its ups from above down, and of its downs.
    WITH _way AS MATERIALIZED (
        SELECT path, path_inverse(regexp_extract(path, '^(<[^<>]+)*')) AS above_x,
            regexp_extract(path, '(>[^<>]+)*$') AS above_y
        FROM (SELECT DISTINCT path FROM query_table(collocates))
    ),
    _x AS MATERIALIZED (
        SELECT own.sentence_id, own.node, own.root, own.chain, own.lexeme_id, _way.path, _way.above_y,
            left(own.labels, length(own.labels) - length(_way.above_x)) AS met
        FROM query_table(rooted) AS own
        SEMI JOIN query_table(nodes) AS asked ON asked.sentence_id = own.sentence_id AND asked.position = own.node
        JOIN _way ON suffix(own.labels, _way.above_x)
    ),
    _y AS MATERIALIZED (
        SELECT own.sentence_id, own.node, own.root, own.labels, own.chain, own.lexeme_id, wanted.path
        FROM query_table(rooted) AS own
        JOIN query_table(collocates) AS wanted ON wanted.context_id = own.lexeme_id
    )
    SELECT _x.sentence_id, _x.node AS position, _y.node AS context_position, _x.lexeme_id, _x.path,
        _y.lexeme_id AS context_id
    FROM _x
    JOIN _y
        ON _y.sentence_id = _x.sentence_id AND _y.root = _x.root AND _y.path = _x.path
        AND _y.labels = _x.met || _x.above_y
    WHERE counts = 'packed' OR _store.is_direct(_x.path, _x.chain, _y.chain)
);

-- A row: a collocate of the relation named (path, context_id) and the best example of it: of at most fifty sentences of
-- each, drawn by chance, but always the same, with the lexeme [so] and the collocate {so}. asked: the lexeme (w_id),
-- or its sense (sense_id).
CREATE OR REPLACE MACRO _store.collocate_example(asked, collocates, subcorpus, counts) AS TABLE (
    WITH _own AS MATERIALIZED (FROM _store.node_asked(asked, subcorpus)),
    _context AS MATERIALIZED (SELECT DISTINCT context_id AS lexeme_id FROM query_table(collocates)),
    -- A row: a sentence that has both the lexeme and one of its collocates.
    _searched AS MATERIALIZED (
        SELECT DISTINCT _own.sentence_id
        FROM _own
        SEMI JOIN _store.node_of('_context', subcorpus) AS other ON other.sentence_id = _own.sentence_id
    ),
    _tree AS MATERIALIZED (FROM _store.token_of('_searched')),
    _rooted AS MATERIALIZED (FROM _store.rooted_node('_tree')),
    _pair AS MATERIALIZED (
        SELECT *, NULL::INTEGER AS last_position
        FROM _store.collocate_pair('_rooted', '_own', collocates, counts)
        QUALIFY row_number() OVER (
            PARTITION BY path, context_id
            ORDER BY hash(sentence_id, position, context_position) ASC, sentence_id ASC, position ASC,
                context_position ASC
        ) <= 50
    ),
    _token AS MATERIALIZED (
        SELECT _tree.* FROM _tree SEMI JOIN _pair ON _pair.sentence_id = _tree.sentence_id
    ),
    _best AS (
        FROM _store.line_of('_pair', '_token', '', subcorpus)
        QUALIFY row_number() OVER (
            PARTITION BY path, context_id
            ORDER BY round(score, 12) DESC, _store.shuffled(words, position) ASC, sentence_id ASC, position ASC,
                context_position ASC
        ) = 1
    )
    SELECT path, context_id, trim(array_to_string(list_transform(words, lambda each: CASE
                WHEN each['node'] = position THEN '[' || each['form'] || ']'
                WHEN each['node'] = context_position THEN '{' || each['form'] || '}'
                ELSE each['form']
            END || each['gap']), '')) AS example
    FROM _best
);

-- A row: a collocate of a lexeme along a path, the path in words, the count, and the score: a word sketch (Kilgarriff
-- et al. 2004). The strongest paths come first, and along each the best collocates. By default paths have one step, and
-- ε and function words (DET, PUNCT and others) are left out; everything := true shows them. relations: only these, each
-- a label, e.g. amod, or a path, e.g. <obj or ε. examples: also the best sentence of each collocate. x may be a stored
-- sense, mouse/NOUN#1: counts are then those of its occurrences, totals those of the whole lexicon. span: in place of
-- paths, words within so many tokens on either side, along ~. Counts and scores are direct if they are known, as in
-- log_dice(counts := 'direct'); the view log_dice has packed counts.
-- Columns: path VARCHAR, relation VARCHAR, context VARCHAR, count BIGINT, score DOUBLE
-- Example: FROM sketch('shoot/NOUN', top := 3, top_relations := 4)
CREATE OR REPLACE MACRO sketch(x := NULL, @parameters_of_sketch@) AS TABLE (
    WITH _asked AS MATERIALIZED (
        FROM _store.lexeme_asked(_store.sketched(x), subcorpus)
        WHERE _store.admitted('@stamp@', _store.check_showing(
                max_order, top, top_relations, min_count, score, everything, examples, counts
            )
            AND _store.check_sketch(_store.sketched(x), @relations@, max_order, min_count, subcorpus, counts)
            AND _store.check_named(@relations@, max_order, subcorpus)
            AND _store.check_span(span, @relations@, max_order, top_relations, examples, counts))
    ),
    _along AS MATERIALIZED (FROM _store.path_to_look(@relations@, max_order, everything, subcorpus)),
    _of_paths AS NOT MATERIALIZED (
        FROM _store.shown_collocate(
            '_asked', '_along', top, top_relations, min_count, score, everything, @sketch_options@
        )
    ),
    _near AS NOT MATERIALIZED (
        FROM _store.shown_near('_asked', span, top, min_count, score, everything, @sketch_options@)
    ),
    _shown AS MATERIALIZED (
        SELECT shown.*
        FROM (SELECT @in_use@) AS _in_use
        CROSS JOIN _store.constants('sketch', row(x, @given_to_sketch@)) AS _constants
        CROSS JOIN query_table(CASE WHEN span IS NULL THEN '_of_paths' ELSE '_near' END) AS shown
    ),
    _along_path AS NOT MATERIALIZED (FROM _shown WHERE path <> '~'),
    _said AS MATERIALIZED (
        FROM _store.paths_in_words('_along_path', (SELECT known.lemma FROM _store.lexeme AS known SEMI JOIN _asked
            ON _asked.w_id = known.id))
    ),
    _plain AS NOT MATERIALIZED (
        SELECT _shown.path, coalesce(_said.relation, 'within ' || span) AS relation, _shown.context, _shown.count,
            _shown.score
        FROM _shown
        LEFT JOIN _said ON _said.path = _shown.path
        ORDER BY _shown.path_place ASC, _shown.place ASC
    ),
    _with_example AS NOT MATERIALIZED (
        SELECT _shown.path, coalesce(_said.relation, 'within ' || span) AS relation, _shown.context, _shown.count,
            _shown.score, found.example
        FROM _shown
        LEFT JOIN _said ON _said.path = _shown.path
        LEFT JOIN _store.collocate_example(
            '_asked', '_shown', subcorpus, _store.shown_counts(counts, subcorpus)
        ) AS found
            ON found.path = _shown.path AND found.context_id = _shown.context_id
        ORDER BY _shown.path_place ASC, _shown.place ASC
    )
    FROM query_table(CASE WHEN examples THEN '_with_example' ELSE '_plain' END)
);
