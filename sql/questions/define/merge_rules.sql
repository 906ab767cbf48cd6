-- The merged weight of one feature, from what its weights come to over the words that have it: how many they are (of
-- how many words), their sum, least, greatest and product, and the product of each with 1 added. In the words that
-- lack the feature its weight is 0. smooth_mult is (a + 1)(b + 1) − 1, so that 0 leaves the other weight as it is.
-- (Example: where one of two words has the feature, with weight 3, min and mult give 0, max and sum 3.)
CREATE OR REPLACE MACRO _store.merged(
    merge, have, words, total, least_weight, greatest_weight, multiplied, multiplied_with_one
) AS
    CASE merge
        WHEN 'min' THEN CASE WHEN have < words THEN least(least_weight, 0) ELSE least_weight END
        WHEN 'max' THEN CASE WHEN have < words THEN greatest(greatest_weight, 0) ELSE greatest_weight END
        WHEN 'mult' THEN CASE WHEN have < words THEN 0 ELSE multiplied END
        WHEN 'intersective_add' THEN CASE WHEN have < words OR least_weight <= 0 THEN 0 ELSE total END
        WHEN 'smooth_mult' THEN CASE WHEN have = 1 THEN total ELSE multiplied_with_one - 1 END
        ELSE total
    END;

-- The same for what has been merged so far and the next word, 0 where one of them lacks the feature.
CREATE OR REPLACE MACRO _store.merged_pair(merge, so_far, next_weight) AS
    CASE merge
        WHEN 'min' THEN least(so_far, next_weight)
        WHEN 'max' THEN greatest(so_far, next_weight)
        WHEN 'mult' THEN so_far * next_weight
        WHEN 'intersective_add' THEN CASE WHEN so_far > 0 AND next_weight > 0 THEN so_far + next_weight ELSE 0 END
        WHEN 'smooth_mult' THEN so_far + next_weight + so_far * next_weight
        ELSE so_far + next_weight
    END;

-- A row: a feature of a question, merged over the words that have it, all at once. features names those of the words
-- (question, position, number, context_id, context_text, weight), words those that take part (question, position).
CREATE OR REPLACE MACRO _store.merged_at_once(features, words, merge) AS TABLE (
    -- A row: a feature, and what its weights come to over the words that have it.
    WITH _gathered AS NOT MATERIALIZED (
        SELECT question, number, context_id, context_text, count(*) AS have, sum(weight) AS total,
            min(weight) AS least_weight, max(weight) AS greatest_weight, product(weight) AS multiplied,
            product(weight + 1) AS multiplied_with_one
        FROM query_table(features)
        GROUP BY question, number, context_id, context_text
    ),
    _size AS MATERIALIZED (SELECT question, count(*) AS taking_part FROM query_table(words) GROUP BY question)
    SELECT _gathered.question, _gathered.number, _gathered.context_id, _gathered.context_text, _store.merged(
        merge, _gathered.have, _size.taking_part, _gathered.total, _gathered.least_weight, _gathered.greatest_weight,
        _gathered.multiplied, _gathered.multiplied_with_one
    ) AS weight
    FROM _gathered
    JOIN _size ON _size.question = _gathered.question
);

-- A row: the same, merged word by word in their order.
CREATE OR REPLACE MACRO _store.merged_in_order(features, words, merge) AS TABLE (
    -- A row: a feature, and its weight in each word, in their order.
    WITH _row AS NOT MATERIALIZED (
        SELECT feature.question, feature.number, feature.context_id, feature.context_text,
            list(coalesce(of_word.weight, 0) ORDER BY word.position ASC) AS weight
        FROM (SELECT DISTINCT question, number, context_id, context_text FROM query_table(features)) AS feature
        JOIN query_table(words) AS word ON word.question = feature.question
        LEFT JOIN query_table(features) AS of_word
            ON of_word.question = feature.question AND of_word.number = feature.number
            AND of_word.context_id IS NOT DISTINCT FROM feature.context_id
            AND of_word.context_text IS NOT DISTINCT FROM feature.context_text
            AND of_word.position = word.position
        GROUP BY feature.question, feature.number, feature.context_id, feature.context_text
    )
    SELECT question, number, context_id, context_text, CASE
        WHEN merge = 'intersective_add' AND len(weight) = 1 THEN greatest(weight[1], 0)
        ELSE list_reduce(weight, lambda so_far, following: _store.merged_pair(merge, so_far, following))
    END AS weight
    FROM _row
);

-- A row: the same by either strategy. Before, the weights of a word are divided by the length of all of them where unit
-- is true, and multiplied by 2h for the root's word and by 2(1 − h) for every other, h being head_weight. A phrase of
-- one word is left as it is.
CREATE OR REPLACE MACRO _store.merged_feature(features, words, questions, strategy, merge, head_weight, unit) AS TABLE (
    WITH _length AS MATERIALIZED (
        SELECT question, position, sqrt(fsum(weight * weight)) AS length
        FROM query_table(features)
        GROUP BY question, position
    ),
    _divided AS NOT MATERIALIZED (
        SELECT feature.* REPLACE (
            CASE WHEN len(asked.words) = 1 THEN feature.weight ELSE feature.weight / _length.length END AS weight
        )
        FROM query_table(features) AS feature
        JOIN _length ON _length.question = feature.question AND _length.position = feature.position
        JOIN query_table(questions) AS asked ON asked.question = feature.question
        WHERE _length.length > 0
    ),
    _of_unit_length AS NOT MATERIALIZED (FROM query_table(CASE WHEN unit THEN '_divided' ELSE features END)),
    _multiplied AS NOT MATERIALIZED (
        SELECT feature.* REPLACE (
            feature.weight * CASE
                WHEN len(asked.words) = 1 THEN 1
                WHEN asked.words[feature.position].delta IN ('', 'ε') THEN 2 * head_weight
                ELSE 2 * (1 - head_weight)
            END AS weight
        )
        FROM _of_unit_length AS feature
        JOIN query_table(questions) AS asked ON asked.question = feature.question
    ),
    _head_weighted AS NOT MATERIALIZED (
        FROM query_table(CASE WHEN head_weight = 0.5 THEN '_of_unit_length' ELSE '_multiplied' END)
    ),
    _at_once AS NOT MATERIALIZED (FROM _store.merged_at_once('_head_weighted', words, merge)),
    _in_order AS NOT MATERIALIZED (FROM _store.merged_in_order('_head_weighted', words, merge))
    FROM query_table(CASE strategy WHEN 'one-step' THEN '_at_once' ELSE '_in_order' END)
);
