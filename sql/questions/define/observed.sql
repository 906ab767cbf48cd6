-- Phrases as they occur: the APT of the nodes of the stored trees that a phrase is found at, counted as a lexeme's is.

-- A row: a node of those named (as _store.rooted_node has them), and one so many steps above it, at most the order of
-- the lexicon: height; top, that node itself; met, the labels from the root down to it; turn, the label of the step
-- down from it, NULL where there is none; ups and downs, the path from the node up to it, and back.
CREATE OR REPLACE MACRO _store.climbed_node(rooted) AS TABLE (
    WITH _stepped AS MATERIALIZED (
        SELECT sentence_id, node, root, lexeme_id, chain, list_slice(string_split(labels, '>'), 2, len(chain)) AS steps,
            unnest(range(least(len(chain), 1 + _store.longest_path()))) AS height
        FROM query_table(rooted)
    )
    SELECT sentence_id, node, root, lexeme_id, height, chain[len(chain) - height] AS top,
        array_to_string(list_slice(steps, 1, len(steps) - height), '>') AS met, walked[1] AS turn,
        coalesce('<' || nullif(array_to_string(list_reverse(walked), '<'), ''), '') AS ups,
        coalesce('>' || nullif(array_to_string(walked, '>'), ''), '') AS downs
    FROM (SELECT *, list_slice(steps, len(steps) - height + 1, len(steps)) AS walked FROM _stepped) AS stepped
);

-- A row: a pair of nodes that is counted for one of the nodes named (question, sentence_id, node): that node (position,
-- lexeme_id) and one at most so many steps away as the lexicon counts (context_position), by its lexeme and the path to
-- it, reduced as it is in packed trees; is_direct: whether it is that of the tree itself.
CREATE OR REPLACE MACRO _store.pair_around(nodes) AS TABLE (
    WITH _tree AS MATERIALIZED (FROM _store.token_of(nodes)),
    _placed AS MATERIALIZED (FROM _store.rooted_node('_tree')),
    _climbed AS MATERIALIZED (FROM _store.climbed_node('_placed')),
    _x AS MATERIALIZED (
        SELECT own.question, _climbed.*
        FROM query_table(nodes) AS own
        JOIN _climbed ON _climbed.sentence_id = own.sentence_id AND _climbed.node = own.node
    )
    SELECT _x.question, _x.sentence_id, _x.node AS position, _x.lexeme_id, _y.node AS context_position,
        _x.ups || _y.downs AS path, _y.lexeme_id AS context_id, _x.top = _y.top AS is_direct
    FROM _x
    JOIN _climbed AS _y
        ON _y.sentence_id = _x.sentence_id AND _y.root = _x.root AND _y.met = _x.met
    WHERE _x.height + _y.height <= _store.longest_path()
        AND coalesce(_x.turn <> _y.turn, true)
);

-- A row: a node that phrases are found at (found, as _store.phrase_nodes has them): of all their words, or of the first
-- alone.
CREATE OR REPLACE MACRO _store.node_of_phrase(found, of_first) AS TABLE (
    SELECT DISTINCT question, sentence_id, unnest(CASE WHEN of_first THEN nodes[:1] ELSE nodes END) AS node
    FROM query_table(found)
);

-- A row: a pair of nodes that is counted for one of the phrases found: a node of its first word (position), and one
-- near it. pairs: those around its nodes, as _store.pair_around has them. Nodes of the phrase's own other words are
-- left out.
CREATE OR REPLACE MACRO _store.pair_of_found(found, pairs) AS TABLE (
    WITH _anchor AS MATERIALIZED (
        SELECT DISTINCT question, sentence_id, nodes[1] AS node FROM query_table(found)
    ),
    _own AS MATERIALIZED (
        SELECT DISTINCT question, sentence_id, nodes[1] AS anchor, unnest(nodes[2:]) AS node FROM query_table(found)
    )
    SELECT pair.question, pair.sentence_id, pair.position, pair.path, pair.context_id, pair.is_direct
    FROM query_table(pairs) AS pair
    SEMI JOIN _anchor
        ON _anchor.question = pair.question AND _anchor.sentence_id = pair.sentence_id AND _anchor.node = pair.position
    ANTI JOIN _own
        ON _own.question = pair.question AND _own.sentence_id = pair.sentence_id
        AND _own.anchor = pair.position AND _own.node = pair.context_position
);

-- A row: the same of phrases that are looked for here (question, words).
CREATE OR REPLACE MACRO _store.observed_pair(phrases, missing, subcorpus) AS TABLE (
    WITH _found AS MATERIALIZED (FROM _store.phrase_nodes(phrases, missing, subcorpus)),
    _node AS MATERIALIZED (FROM _store.node_of_phrase('_found', true)),
    _around AS MATERIALIZED (FROM _store.pair_around('_node'))
    FROM _store.pair_of_found('_found', '_around')
);

-- A row: the same of the first node of a pattern; the others are its own.
CREATE OR REPLACE MACRO _store.pair_of_pattern(pattern, subcorpus) AS TABLE (
    WITH _token AS NOT MATERIALIZED (
        SELECT token.match, token.place, token.sentence_id, coalesce(joined.top, token.position) AS node
        FROM _store.token_of_match(pattern, subcorpus) AS token
        LEFT JOIN _store.joined ON joined.sentence_id = token.sentence_id AND joined.position = token.position
    ),
    _found AS MATERIALIZED (
        SELECT 1 AS question, sentence_id, list(node ORDER BY place ASC) AS nodes
        FROM _token
        GROUP BY match, sentence_id
    ),
    _node AS MATERIALIZED (FROM _store.node_of_phrase('_found', true)),
    _around AS MATERIALIZED (FROM _store.pair_around('_node'))
    FROM _store.pair_of_found('_found', '_around')
);

-- True where occurrences can be weighed so; otherwise an error that says why not.
CREATE OR REPLACE MACRO _store.check_observing(weights) AS
    CASE
        WHEN _store.scheme(weights) IS NULL THEN error(
            'weights is ' || weights || ', a relation of your own; observed phrases are weighed by '
            || array_to_string(_store.schemes(), ', ') || ', or a named weighting'
        )
        ELSE true
    END;

-- True where the lexicon counts along all relations of the phrases named; otherwise an error that names the first that
-- it does not: no phrase with it is ever found.
CREATE OR REPLACE MACRO _store.check_relations_found(questions, subcorpus) AS (
    -- (Heads are looked for first, so that it is always the same error.)
    SELECT CASE
        WHEN relation IS NULL OR (SELECT count(*) FROM _store.phrase_word(questions)) = 0 THEN true
        ELSE error(_store.no_relation(relation, subcorpus))
    END
    FROM (
        SELECT arg_min(relation, [question, position]) AS relation FROM _store.uncounted_step(questions, subcorpus)
    )
);

-- A row: how often one of the phrases named is found.
CREATE OR REPLACE MACRO _store.times_found(pairs) AS TABLE (
    SELECT question, count(DISTINCT [sentence_id, position]) AS times FROM query_table(pairs) GROUP BY question
);

-- A row: a feature of one of the phrases named (question, words), as it is observed, by ids, with its count and its
-- weight, which a scheme makes of the count as of that of a lexeme's. pairs: what _store.observed_pair has of them.
CREATE OR REPLACE MACRO _store.observed_weight(pairs, weights, @own_options@) AS TABLE (
    WITH _count AS MATERIALIZED (
        SELECT pair.question AS lexeme_id, path.id AS path_id, pair.context_id, count(*) AS count
        FROM query_table(pairs) AS pair
        JOIN _store.path ON path.text = pair.path
        WHERE pair.is_direct OR coalesce(@held_counts@, 'packed') = 'packed'
        GROUP BY pair.question, path.id, pair.context_id
    ),
    _own_node AS MATERIALIZED (
        SELECT lexeme_id, path_id, sum(count)::BIGINT AS count FROM _count GROUP BY lexeme_id, path_id
    ),
    _whole AS MATERIALIZED (SELECT lexeme_id, sum(count)::BIGINT AS count FROM _own_node GROUP BY lexeme_id),
    _met AS NOT MATERIALIZED (
        SELECT _count.lexeme_id, found.times AS frequency, _whole.count AS cooccurrences, _count.path_id,
            _count.context_id, _count.count, NULL::VARCHAR AS lexeme, NULL::VARCHAR AS context
        FROM _count
        JOIN _whole ON _whole.lexeme_id = _count.lexeme_id
        JOIN _store.times_found(pairs) AS found ON found.question = _count.lexeme_id
    )
    SELECT weighed.lexeme_id AS question, weighed.path_id, weighed.path, weighed.context_id, _count.count,
        weighed.weight
    FROM _store.weighed_of(
        '_met', '_own_node', false, weights, coalesce(_store.scheme(weights), 'raw_count'), @own_options@
    ) AS weighed
    JOIN _count
        ON _count.lexeme_id = weighed.lexeme_id AND _count.path_id = weighed.path_id
        AND _count.context_id = weighed.context_id
);

-- A row: a feature of an observed phrase: of all tokens in the stored trees that are its root's word, with its other
-- words directly below, each along its relation; or of the tokens of the first node of a pattern. count: how often a
-- context occurs along the path, without the other words of the phrase; weight: its weight by the scheme and the totals
-- of the lexicon.
-- Columns: path VARCHAR, context VARCHAR, count BIGINT, weight DOUBLE
-- Example: FROM observed([{'lexeme': 'shoot/NOUN', 'delta': ''}, {'lexeme': 'green/ADJ', 'delta': '<amod'}]) LIMIT 10
CREATE OR REPLACE MACRO observed(phrase := NULL, @parameters_of_observed@) AS TABLE (
    WITH _question AS MATERIALIZED (
        FROM _store.question(1, _store.about_phrase(_store.as_phrase(phrase), 0))
    ),
    _of_phrase AS NOT MATERIALIZED (
        FROM _store.observed_pair('_question', 'error', _store.subcorpus(weights, subcorpus))
        WHERE (
                SELECT _store.check_gathered(gathered.asked, gathered.with_phrases)
                FROM _store.gathered_questions('_question') AS gathered
            )
            AND _store.check_relations_found('_question', _store.subcorpus(weights, subcorpus))
    ),
    _of_pattern AS NOT MATERIALIZED (
        FROM _store.pair_of_pattern(_store.pattern_asked(phrase), _store.subcorpus(weights, subcorpus))
    ),
    _pair AS MATERIALIZED (
        FROM query_table(CASE WHEN _store.is_pattern(phrase) THEN '_of_pattern' ELSE '_of_phrase' END)
        WHERE _store.admitted('@stamp@', @neighbour_admitted@ AND _store.check_observing(weights)
            AND _store.check_options(weights, @neighbour_options@)
            AND _store.check_subcorpus(_store.subcorpus(weights, subcorpus)))
    )
    SELECT feature.path, context.text AS context, feature.count, feature.weight
    FROM (SELECT @in_use@, @given@) AS _in_use
    CROSS JOIN _store.constants('observed', row(phrase, @given_to_observed@)) AS _constants
    CROSS JOIN _store.observed_weight('_pair', weights, @neighbour_options@) AS feature
    JOIN _store.lexeme AS context ON context.id = feature.context_id
);

-- True where the phrases named can be compared with their words: each has two; otherwise an error that names one.
CREATE OR REPLACE MACRO _store.check_two_words(questions, own_occurrences) AS (
    SELECT CASE
        @own_occurrences_check@
        WHEN called IS NULL THEN true
        ELSE error(
            called || ' has ' || words || CASE WHEN words = 1 THEN ' word' ELSE ' words' END
            || '; compositionality is of a head and one dependent, e.g. car park'
        )
    END
    FROM (SELECT min(called) AS called, arg_min(len(words), called) AS words FROM query_table(questions)
        WHERE len(words) <> 2)
);

-- A row: a word of one of the phrases named, head or dependent (part, 2 or 3), and how often it occurs elsewhere than
-- in the phrase. pairs: those around the nodes of the phrase's words that are taken out.
CREATE OR REPLACE MACRO _store.word_elsewhere(parts, pairs, subcorpus) AS TABLE (
    WITH _taken AS MATERIALIZED (
        SELECT question, lexeme_id, count(DISTINCT [sentence_id, position]) AS times
        FROM query_table(pairs)
        GROUP BY question, lexeme_id
    )
    SELECT part.question // 4 AS question, part.question % 4 AS part, known.id AS lexeme_id,
        known.frequency - coalesce(_taken.times, 0) AS times
    FROM query_table(parts) AS part
    JOIN _store.lexeme_in(subcorpus) AS known ON known.text = part.name
    LEFT JOIN _taken ON _taken.question = part.question // 4 AND _taken.lexeme_id = known.id
);

-- A row: a co-occurrence of a word of one of the phrases named (_store.word_elsewhere), as _store.met has it, without
-- the pairs of the nodes that are taken out (meaning.md 5.9).
CREATE OR REPLACE MACRO _store.met_elsewhere(words, pairs, subcorpus, counts) AS TABLE (
    WITH _word AS MATERIALIZED (SELECT DISTINCT question, lexeme_id, times FROM query_table(words)),
    _taken AS MATERIALIZED (
        SELECT pair.question, pair.lexeme_id, path.id AS path_id, pair.context_id, count(*) AS count
        FROM query_table(pairs) AS pair
        JOIN _store.path ON path.text = pair.path
        WHERE pair.is_direct OR coalesce(counts, 'packed') = 'packed'
        GROUP BY pair.question, pair.lexeme_id, path.id, pair.context_id
    ),
    _left AS MATERIALIZED (
        SELECT _store.elsewhere_id(_word.question, _word.lexeme_id) AS lexeme_id, _word.times AS frequency,
            met.path_id, met.context_id, met.count - coalesce(_taken.count, 0) AS count
        FROM _word
        JOIN _store.cooccurrence_in(subcorpus, counts) AS met ON met.lexeme_id = _word.lexeme_id
        LEFT JOIN _taken
            ON _taken.question = _word.question AND _taken.lexeme_id = _word.lexeme_id
            AND _taken.path_id = met.path_id AND _taken.context_id = met.context_id
        WHERE met.count > coalesce(_taken.count, 0)
    )
    SELECT lexeme_id, frequency, sum(count) OVER (PARTITION BY lexeme_id)::BIGINT AS cooccurrences, path_id,
        context_id, count, NULL::VARCHAR AS lexeme, NULL::VARCHAR AS context
    FROM _left
);

-- A row: what one of the phrases named is compared with, itself composed, its head and its dependent, as a question of
-- its own; part tells which, from 1.
CREATE OR REPLACE MACRO _store.compared_part(phrases) AS TABLE (
    SELECT question * 4 + 1 AS question, name, words, anchor, seen_from, anchored, root
    FROM query_table(phrases)
    UNION ALL
    SELECT question * 4 + 2, unnest(_store.about_lexeme(root, 0))
    FROM query_table(phrases)
    UNION ALL
    SELECT question * 4 + 3, unnest(_store.about_lexeme(
        list_filter(words, lambda word: word['delta'] NOT IN ('', 'ε'))[1]['lexeme'], 0
    ))
    FROM query_table(phrases)
);

-- A row: one dimension of the vector of one of the phrases named as it is observed, as of question 4 times its own.
CREATE OR REPLACE MACRO _store.observed_vector(phrases, pairs, weights, @own_options@, phi, aligned, nodes) AS TABLE (
    WITH _feature AS MATERIALIZED (
        SELECT question, path, context_id, NULL::VARCHAR AS context_text, weight
        FROM _store.observed_weight(pairs, weights, @own_options@)
    ),
    _asked_for AS MATERIALIZED (FROM _store.features_at('_feature', phrases, aligned, nodes)),
    _anchored AS MATERIALIZED (
        SELECT asked.question, known.id AS lexeme_id
        FROM query_table(phrases) AS asked
        JOIN _store.lexeme_in(@held_subcorpus@) AS known ON known.text = asked.root
    )
    SELECT question * 4 AS question, feature_id, value
    FROM _store.apt_vectors('_asked_for', '_anchored', weights, phi, @held_subcorpus@, @held_counts@)
);

-- A row: one of the phrases named as it is observed, as of question 4 times its own, and its vector in a
-- space, without what stands near it.
CREATE OR REPLACE MACRO _store.observed_in_space(pairs, space, subcorpus) AS TABLE (
    WITH _part AS NOT MATERIALIZED (
        SELECT met.question * 4 AS own, generate_subscripts(feature.projection, 1) AS dimension,
            unnest(feature.projection)
            * ((met.weight - ln(_store.space_number(space, 'shift'))) * feature.scale) AS value
        FROM _store.observed_weight(pairs, 'ppmi', @space_options@) AS met
        JOIN _store.feature_of(space) AS feature
            ON feature.path_id = met.path_id AND feature.context_id = met.context_id
        WHERE met.weight > ln(_store.space_number(space, 'shift'))
    ),
    _summed AS MATERIALIZED (SELECT own, dimension, fsum(value) AS value FROM _part GROUP BY own, dimension)
    SELECT own AS question, vector::FLOAT[] AS vector FROM _store.of_length_one('_summed', space)
);

-- A row: a part of a phrase (_store.compared_part) that has a vector: where own occurrences are taken out, the composed
-- phrase has one if some occurrence of each word is left, or missing says what is to be done without it.
CREATE OR REPLACE MACRO _store.part_elsewhere(parts, words, own_occurrences, missing) AS TABLE (
    SELECT part.*
    FROM query_table(parts) AS part
    WHERE own_occurrences OR missing <> 'error' OR part.question % 4 <> 1 OR part.question // 4 NOT IN (
        SELECT bare.question FROM query_table(words) AS bare WHERE bare.times = 0
    )
);

-- A row: what compositionality gives of one of the phrases named, from where it is found (pairs, as
-- _store.observed_pair has them), its words (_store.word_elsewhere), and how its vector compares with those of its
-- parts (compared: a, b, similarity).
CREATE OR REPLACE MACRO _store.compositionality_of(questions, pairs, words, compared) AS TABLE (
    WITH _alike AS MATERIALIZED (
        SELECT a // 4 AS question, max(similarity) FILTER (b % 4 = 1) AS composed,
            max(similarity) FILTER (b % 4 = 2) AS head, max(similarity) FILTER (b % 4 = 3) AS dependent
        FROM query_table(compared)
        GROUP BY a
    ),
    _times AS MATERIALIZED (
        SELECT question, any_value(times) FILTER (part = 2) AS head, any_value(times) FILTER (part = 3) AS dependent
        FROM query_table(words)
        GROUP BY question
    )
    SELECT asked.question, asked.called AS phrase, coalesce(found.times, 0) AS occurrences,
        ln(found.times) AS log_frequency, _alike.composed, _alike.head, _alike.dependent,
        _times.head AS head_occurrences, _times.dependent AS dependent_occurrences
    FROM query_table(questions) AS asked
    JOIN _alike ON _alike.question = asked.question
    LEFT JOIN _store.times_found(pairs) AS found ON found.question = asked.question
    LEFT JOIN _times ON _times.question = asked.question
);

-- A row: a phrase of two words in a table, its frequency (as of observed), the logarithm of that, and how similar the
-- observed phrase is to the composed phrase, to its head alone, and to its dependent alone; NULL if it does not occur.
-- Head and dependent are counted outside the phrase (head_occurrences, dependent_occurrences); own_occurrences := true
-- counts all of their occurrences. The argument is the name of the table, whose columns are those of compose_each.
-- Columns: phrase VARCHAR, occurrences BIGINT, log_frequency DOUBLE, composed DOUBLE, head DOUBLE, dependent DOUBLE,
-- head_occurrences BIGINT, dependent_occurrences BIGINT
-- Example: WITH t AS (SELECT 'green shoot' AS phrase, unnest(['shoot/NOUN', 'green/ADJ']) AS lexeme, unnest(['',
--   '<amod']) AS delta) FROM compositionality('t')
CREATE OR REPLACE MACRO compositionality(phrases VARCHAR, @parameters_of_compositionality@) AS TABLE (
    WITH _question AS MATERIALIZED (FROM _store.asked_in(phrases, 0)),
    _found AS MATERIALIZED (
        FROM _store.phrase_nodes('_question', missing, _store.subcorpus(weights, subcorpus))
        WHERE _store.admitted('@stamp@', @admitted@ AND _store.check_observing(weights)
            AND _store.check_measure(_store.measure(measure, weights))
            AND _store.check_two_words('_question', own_occurrences)
            AND _store.check_space(space, @space_given_of_compositionality@))
    ),
    _node AS MATERIALIZED (FROM _store.node_of_phrase('_found', own_occurrences)),
    _around AS MATERIALIZED (FROM _store.pair_around('_node')),
    _pair AS MATERIALIZED (FROM _store.pair_of_found('_found', '_around')),
    _part AS MATERIALIZED (FROM _store.compared_part('_question')),
    _taken AS NOT MATERIALIZED (FROM _around WHERE NOT own_occurrences),
    _word AS MATERIALIZED (FROM _store.word_elsewhere('_part', '_taken', _store.subcorpus(weights, subcorpus))),
    _met_elsewhere AS MATERIALIZED (
        FROM _store.met_elsewhere(
            '_word', '_taken', _store.subcorpus(weights, subcorpus), _store.counts(weights, counts)
        )
    ),
    _compared_part AS MATERIALIZED (FROM _store.part_elsewhere('_part', '_word', own_occurrences, missing)),
    _vector AS MATERIALIZED (
        FROM _store.observed_vector(
            '_question', '_pair', weights, @options@, _store.phi(phi, weights), _store.aligned(aligned, weights),
            _store.context(context, weights)
        )
        UNION ALL
        FROM _store.question_vectors(
            '_compared_part', 'both', weights, @composing_elsewhere@, @options@, _store.phi(phi, weights)
        )
    ),
    _compared AS MATERIALIZED (SELECT question - question % 4 AS a, question AS b FROM _part),
    _reduced AS MATERIALIZED (
        FROM _store.observed_in_space('_pair', space, subcorpus)
        UNION ALL
        SELECT question, vector
        FROM _store.space_question_vectors('_compared_part', 'both', space, subcorpus, @composing_elsewhere@)
    ),
    _in_space AS NOT MATERIALIZED (FROM _store.compared_in_space('_compared', '_reduced')),
    _in_features AS NOT MATERIALIZED (
        FROM _store.compared_pairs('_compared', '_vector', _store.measure(measure, weights))
    )
    SELECT answer.* EXCLUDE (question)
    FROM (SELECT @in_use@, @all_given@) AS _in_use
    CROSS JOIN _store.constants('compositionality', row(phrases, @given_to_compositionality@)) AS _constants
    CROSS JOIN _store.compositionality_of(
        '_question', '_pair', '_word', CASE WHEN space IS NULL THEN '_in_features' ELSE '_in_space' END
    ) AS answer
    ORDER BY answer.question ASC
);
