-- Questions: lexemes, phrases, settings, and notes beside the answers.

-- name: content
-- One row: what tells apart two lexicons, or one before and after it grew or other parts of it were kept, or two
-- weightings of one name ($weights), as far as answers go; and whether the weights are known here, and not a relation
-- of the user's own.
SELECT md5(concat_ws(
    ' ', settings.uid, settings.definitions,
    (
        SELECT string_agg(
            concat_ws(':', corpus.id, corpus.sha256, corpus.tokens, corpus.added_at), ' ' ORDER BY corpus.id
        )
        FROM _store.corpus
    ),
    (
        SELECT string_agg(concat_ws(':', subcorpus, condition), ' ' ORDER BY subcorpus)
        FROM subcorpora
    ),
    (
        SELECT weightings.scheme || weightings.parameters || weightings.phi
        FROM weightings
        WHERE weightings.name = lower($weights)
    )
)) AS content, _store.scheme($weights) IS NOT NULL AS known
FROM _store.settings;

-- name: relations
-- A row: a relation that the lexicon counts along.
SELECT DISTINCT step[2:] AS relation
FROM _store.counted_step(NULL);

-- name: without_trees
-- A row: a corpus that came as counts, and how often it counts co-occurrences of one of $lexemes with one of $contexts
-- along $path; NULL stands for any. Where the counts are in a folder, they are all of that corpus.
WITH given AS (
    SELECT corpus_id, lexeme_id, path_id, context_id, count FROM _store.given_count
    UNION ALL
    SELECT corpus.id, own.lexeme_id, own.path_id, own.context_id, own.count
    FROM _store.opened
    JOIN _store.corpus ON corpus.kind = 'counts'
    CROSS JOIN _store.cooccurrence AS own
)
SELECT corpus.name, sum(given.count)::BIGINT AS count
FROM given
JOIN _store.corpus ON corpus.id = given.corpus_id
JOIN _store.lexeme ON lexeme.id = given.lexeme_id
JOIN _store.path ON path.id = given.path_id
JOIN _store.lexeme AS context ON context.id = given.context_id
WHERE ($lexemes IS NULL OR list_contains($lexemes, lexeme.text)) AND ($path IS NULL OR path.text = $path)
    AND ($contexts IS NULL OR list_contains($contexts, context.text))
GROUP BY corpus.id, corpus.name
ORDER BY corpus.id;

-- name: lexemes_like
-- A row: a lexeme that $text asks for, as evidence reads it.
SELECT DISTINCT lexeme.text
FROM _store.found_asked($text, NULL, NULL) AS asked
JOIN _store.lexeme ON lexeme.id = asked.lexeme_id
ORDER BY lexeme.text ASC;

-- name: count
-- One row: how often the lexeme $lexeme meets the context $context along $path.
SELECT coalesce(sum(count), 0)::BIGINT
FROM cooccurrences
WHERE lexeme = $lexeme AND path = $path AND context = $context;

-- name: counted_path
-- One row: $path, ε as ''; an error where the lexicon cannot have counted along it.
SELECT _store.counted_path($path, NULL);

-- name: merged
-- One row: how many pairs of one of $lexemes and one of $contexts along $path are merged; NULL stands for any.
-- @subcorpus@: the subcorpus, or NULL.
WITH own AS (SELECT id FROM _store.lexeme WHERE $lexemes IS NULL OR list_contains($lexemes, text)),
other AS (SELECT id FROM _store.lexeme WHERE $contexts IS NULL OR list_contains($contexts, text)),
way AS (SELECT id FROM _store.path WHERE $path IS NULL OR text = $path)
SELECT coalesce(sum(met.merged), 0)::BIGINT
FROM _store.cooccurrence_in(@subcorpus@, 'packed') AS met
SEMI JOIN own ON own.id = met.lexeme_id
SEMI JOIN other ON other.id = met.context_id
SEMI JOIN way ON way.id = met.path_id;

-- name: merged_of_sense
-- One row: how many of the pairs that evidence shows are merged.
-- @evidence@: the call of evidence, of packed counts.
SELECT count(*) FROM @evidence@ WHERE pair = 'merged';

-- name: wrong_way
-- One row at most: what is said of a lexeme that occurs along the inverse of a path, and hardly ever along the path.
WITH asked AS (SELECT 1 AS question, [{'lexeme': $lexeme, 'delta': $path}] AS words, NULL::VARCHAR AS name)
SELECT _store.wrong_way(lexeme, delta, along, against) FROM _store.reversed_word('asked', $subcorpus);

-- name: senses_in
-- A row: one of $texts that is the name of a stored sense, and no lexeme.
SELECT name
FROM _store.sense_named()
WHERE name IN (SELECT unnest($texts)) AND NOT _store.is_lexeme(name);

-- name: ways
-- A row: a path along which two lexemes do meet, and how often, by direct counts where they are known; the most
-- frequent first.
SELECT path, coalesce(direct, count) AS count
FROM cooccurrences
WHERE lexeme = $lexeme AND context = $context AND coalesce(direct, count) > 0
ORDER BY count DESC, path
LIMIT 5;

-- name: subcorpora_of_values
-- A row: a value that sentences have, and subcorpora that have no sentences without it: one that is kept and has all
-- that have it, and one that is stale, whose condition begins with what the value is of.
-- @kind@: what the value is of: corpus, document, or what is said of documents or sentences.
WITH value_of AS MATERIALIZED (FROM _store.sentence_value(@kind@, NULL)),
of_whole AS (SELECT value, count(*) AS sentences FROM value_of GROUP BY value),
of_subcorpus AS (
    SELECT chosen.subcorpus_id, min(value_of.value) AS value, count(*) AS sentences
    FROM _store.subcorpus_sentence AS chosen
    JOIN value_of ON value_of.sentence_id = chosen.sentence_id
    GROUP BY chosen.subcorpus_id
    HAVING count(DISTINCT value_of.value) = 1 AND count(value_of.value) = count(*)
)
SELECT of_subcorpus.value, min(subcorpus.name) FILTER (
        subcorpus.state = 'kept' AND of_whole.sentences = of_subcorpus.sentences
    ) AS subcorpus, min(subcorpus.name) FILTER (
        subcorpus.state = 'stale' AND starts_with(
            regexp_replace(lower(subcorpus.asked['condition']), '["\s]', '', 'g'),
            regexp_replace(lower(@kind@), '["\s]', '', 'g')
        )
    ) AS stale
FROM of_subcorpus
JOIN of_whole ON of_whole.value = of_subcorpus.value
JOIN _store.derived AS subcorpus ON subcorpus.kind = 'subcorpus' AND subcorpus.id = of_subcorpus.subcorpus_id
GROUP BY of_subcorpus.value
ORDER BY stale;

-- name: values_left_out
-- One row: how many sentences have a value but, once it is read by a function or as a time, none; the first such value;
-- and the function, if there is one.
-- @kind@: what the value is of: corpus, document, or a column of metadata, or a function of one; or NULL
-- @subcorpus@: the subcorpus, or NULL
-- @are_times@: whether values are read as times
SELECT count(*), min(given), (SELECT function FROM _store.asked_grouping(@kind@))
FROM _store.sentence_value(@kind@, @subcorpus@)
WHERE given IS NOT NULL AND CASE WHEN @are_times@ THEN _store.period_number(value)::VARCHAR ELSE value END IS NULL;

-- name: named_answer
-- A row: a row of an answer about a phrase, with the phrase.
-- @phrase@: the text that asked for it.
-- @answer@: the call of its question.
SELECT @phrase@ AS phrase, answer.*
FROM @answer@ AS answer;

-- name: phrase_keyness
-- A row: a phrase, by the text that asked for it, and how typical it is of a subcorpus, beside the other phrases that
-- are asked; in the order of keyness.
-- @asked@: the answers about each, with its text, as a subquery.
WITH asked AS MATERIALIZED (SELECT answer.* FROM @asked@ AS answer),
pair AS (
    SELECT count_a, count_b, any_value(g2) AS g2, count(*) AS items, true AS is_tested
    FROM asked
    GROUP BY count_a, count_b
)
SELECT asked.* REPLACE (found.q_value AS q_value)
FROM asked
JOIN _store.discovered('pair') AS found USING (count_a, count_b)
ORDER BY sign(asked.per_million_a - asked.per_million_b) DESC, asked.g2 DESC, asked.phrase ASC;

-- name: settings_elsewhere
-- A row: a setting with which another lexicon counted otherwise than this one, and its values here and there.
-- @other@: the other lexicon's view of its settings.
SELECT here.setting, here.value, there.value AS elsewhere
FROM settings AS here
JOIN @other@ AS there ON there.setting = here.setting
WHERE here.setting NOT IN ('created_at', 'version', 'schema') AND here.value IS DISTINCT FROM there.value
ORDER BY here.setting ASC;

-- name: annotation_beside
-- A row: a part of speech, a relation or a word (kind, label) of which this lexicon and another have very different
-- shares, and these with what they are of (name): a part of speech of all tokens, a relation of all arcs, a word of the
-- tokens of its lemma, or a lemma of the tokens of a form ('people lemmatised person', of person/NOUN). is_comparable:
-- whether items of it are compared all the same. Those that are not come first, and of each the commonest.
-- @a@: the subcorpus of this lexicon, or NULL.
-- @other@: the name of the other.
-- @counts@: direct or packed.
SELECT kind, label, name, share_a, share_b, is_comparable
FROM (
    SELECT kind, name AS label, name, share_a, share_b, NOT is_lacking AS is_comparable,
        greatest(share_a, share_b) AS weight, kind <> 'pos' AS place
    FROM _store.label_beside(@a@, @other@, @counts@)
    WHERE is_lacking OR is_odd
    UNION ALL
    SELECT 'lexeme', lexeme, name, share_a, share_b, false, tokens, true
    FROM _store.lexeme_beside(@a@, NULL, @other@)
) AS odd
ORDER BY is_comparable ASC, place ASC, kind ASC, weight DESC, name ASC, label ASC;

-- name: number_of_rows
-- One row: how many rows an answer has.
-- @answer@: the call of a macro.
SELECT count(*) AS rows FROM @answer@ AS answer;

-- name: phrase_beside
-- One row: how typical a phrase is of this lexicon beside an attached one, which has it @count_there@ times.
-- @phrase@: what is looked for.
-- @a@: the subcorpus, or NULL for all.
-- @b@: NULL.
-- @other@: the name of the attached lexicon.
-- @overlap@: as phrase_keyness takes it.
-- @dispersion@: as phrase_keyness takes it.
-- @documents@: as phrase_keyness takes it.
-- @count_there@: a number.
FROM _store.key_phrase(@phrase@, @a@, @b@, @overlap@, @dispersion@, @documents@, @other@, @count_there@);

-- name: matches_beside
-- A row: what pattern_keyness gives of matches in this lexicon beside those in an attached one.
-- @pattern@: what is looked for.
-- @by@: the values of tokens.
-- @a@: the subcorpus, or NULL for all.
-- @b@: NULL.
-- @other@: the name of the attached lexicon.
-- @overlap@: as pattern_keyness takes it.
-- @min_count@: as pattern_keyness takes it.
-- @top@: as pattern_keyness takes it.
-- @there@: a relation, or a query in brackets, of what matches in the other lexicon are (item) and how often (count).
WITH there AS MATERIALIZED (FROM @there@),
named AS NOT MATERIALIZED (FROM _store.name_of_token(@pattern@, NULL, NULL))
FROM _store.key_match(
    @pattern@, @by@, @a@, @b@, {'min_count': @min_count@, 'top': @top@}, @other@, 'there'
)
WHERE (SELECT _store.check_key_match(
    @pattern@, @by@, 'named', @a@, @b@, {'overlap': @overlap@, 'min_count': @min_count@, 'top': @top@}, @other@
));

-- name: items_and_counts
-- A row: what matches are, and how often.
-- @answer@: a call of breakdown.
SELECT item, count FROM @answer@;

-- name: listed_items
-- A row: what matches are, and how often.
-- @items@: what they are.
-- @counts@: how often each is.
SELECT unnest(@items@::VARCHAR[]) AS item, unnest(@counts@::BIGINT[]) AS count;

-- name: corpora_of_trees
-- A row: a corpus that has sentences.
SELECT name FROM _store.corpus WHERE kind = 'trees';

-- name: has_senses
-- A row: a lexeme whose senses are stored.
SELECT name FROM _store.derived WHERE kind = 'senses' AND name = $lexeme;

-- name: known_tags
-- A row: a part of speech that some word has.
SELECT DISTINCT upos FROM _store.word;

-- name: nouns_without_lemma
-- A row: a noun whose lemma is not known.
SELECT form FROM _store.word WHERE lemma = '_' AND upos IN ('NOUN', 'PROPN') LIMIT 1;

-- name: adjectives_after_nouns
-- One row: the share of adjectives that come after their nouns; NULL where there are none.
SELECT avg(CASE WHEN token.position > token.head THEN 1 ELSE 0 END) AS share
FROM _store.token
JOIN _store.relation ON relation.id = token.relation_id
WHERE regexp_full_match(relation.text, 'amod(:.*)?');

-- name: lexeme
-- One row: a lexeme, its two parts, and the number of its tokens. No row where the lexicon lacks it.
SELECT text AS lexeme, lemma, pos, frequency
FROM _store.lexeme
WHERE text = $lexeme;

-- name: near_lexemes
-- One row: the lexemes that a name which the lexicon lacks may have meant, as text; NULL where there are none.
WITH unknown AS (SELECT $lexeme::VARCHAR AS name)
FROM _store.near_lexemes('unknown', NULL);

-- name: number_of_lexemes
-- One row: how many lexemes there are.
SELECT count(*) AS lexemes FROM _store.lexeme;

-- name: lexemes_by_frequency
-- A row: a lexeme of the lexicon, the most frequent first.
SELECT text AS lexeme
FROM _store.lexeme
ORDER BY frequency DESC, text ASC;

-- name: found_neighbours
-- A row: a neighbour that smoothing takes (_store.neighbours_to_share), from $found_neighbours, which is JSON.
SELECT unnest(
    from_json(
        $found_neighbours,
        '[{"lexeme_id": "INTEGER", "delta": "VARCHAR", "part_of_speech": "VARCHAR", "anchored": "VARCHAR", '
        || '"neighbour_id": "INTEGER"}]'
    ),
    max_depth := 2
);

-- name: pairs
-- A row: a pair of questions by what they are called, from $pairs, which is JSON.
SELECT unnest(from_json($pairs, '[{"a": "VARCHAR", "b": "VARCHAR"}]'), max_depth := 2);

-- name: asked
-- A row: a word of one of several questions, from $questions, which is JSON.
SELECT unnest(
    from_json($questions, '[{"phrase": "VARCHAR", "lexeme": "VARCHAR", "delta": "VARCHAR", "position": "BIGINT"}]'),
    max_depth := 2
);

-- name: frequent_enough
-- One row: the number of lexemes that are frequent enough to be a neighbour.
-- @subcorpus@: the subcorpus that they are of, or NULL.
SELECT count(*) FROM lexemes(subcorpus := @subcorpus@)
WHERE frequency >= coalesce($min_frequency, _store.default_min_frequency(@subcorpus@));

-- name: parts
-- A row: lexemes that may be neighbours, from a first place among those to a last, the most frequent first: so few, and
-- with so few co-occurrences together, that they are asked for at once.
-- @fewest@: the fewest tokens of one.
-- @subcorpus@: the subcorpus that they are of, or NULL.
-- @most_lexemes@: how many lexemes at most.
-- @most_rows@: how many co-occurrences, or so.
WITH met AS (
    SELECT candidate.place, count(*) AS rows_met
    FROM _store.cooccurrence_in(@subcorpus@) AS met
    JOIN _store.candidate_place(@fewest@, @subcorpus@) AS candidate ON candidate.lexeme_id = met.lexeme_id
    GROUP BY candidate.place
),
met_so_far AS (
    SELECT place, sum(rows_met) OVER (ORDER BY place) AS rows_so_far
    FROM met
)
SELECT min(place), max(place)
FROM met_so_far
GROUP BY rows_so_far // @most_rows@, place // @most_lexemes@
ORDER BY 1;

-- name: part
-- A row: a lexeme of one part of a thesaurus and one of its neighbours; the most frequent lexemes first.
-- @min_frequency@: the fewest tokens of a lexeme.
-- @subcorpus@: the subcorpus that they are of, or NULL.
-- @first@: the place of the first lexeme.
-- @size@: how many.
-- @neighbours@: the call that ranks.
WITH asked AS (
    SELECT lexeme
    FROM lexemes(subcorpus := @subcorpus@)
    WHERE frequency >= coalesce(@min_frequency@, _store.default_min_frequency(@subcorpus@))
    ORDER BY frequency DESC, lexeme
    LIMIT @size@ OFFSET @first@
)
SELECT question AS lexeme, lexeme AS neighbour, similarity
FROM @neighbours@;

-- name: unfit
-- One row: how many names of a thesaurus have what they cannot have in its file.
-- @parts@: the files of the parts.
-- @unfit@: a regular expression of it.
SELECT count(*)
FROM (
    SELECT lexeme FROM read_parquet(@parts@) WHERE regexp_matches(lexeme, @unfit@)
    UNION
    SELECT neighbour FROM read_parquet(@parts@) WHERE regexp_matches(neighbour, @unfit@)
);

-- name: joined
-- A row: a neighbour of a lexeme, in the order of the parts.
-- @parts@: the files of the parts.
-- @unfit@: a regular expression of what a name cannot have; it becomes _.
SELECT regexp_replace(lexeme, @unfit@, '_', 'g') AS lexeme, regexp_replace(neighbour, @unfit@, '_', 'g') AS neighbour,
    similarity
FROM read_parquet(@parts@);

-- name: known_weights
-- A row: a name that weights may have: a scheme, or a weighting that has a name.
SELECT unnest(_store.schemes()) AS name
UNION ALL
SELECT name FROM weightings;

-- name: is_current
-- A row, if the public relation corpora of the attached lexicon $other says which direct counts are known.
SELECT column_name
FROM duckdb_columns()
WHERE database_name = $other AND table_name = 'corpora' AND column_name = 'has_direct';

-- name: occurrences
-- One row: how often a phrase occurs.
-- @words@: its words, as a list.
-- @subcorpus@: the subcorpus in which it is looked for, NULL for the whole lexicon.
SELECT count(*) AS times
FROM _store.phrase_hit(@words@, @subcorpus@);

-- name: occurrences_of_pattern
-- One row: how many first nodes the matches of a pattern have.
-- @pattern@: the pattern, as pattern('…').
-- @subcorpus@: the subcorpus in which it is looked for, NULL for the whole lexicon.
SELECT count(DISTINCT [sentence_id, position]) AS times
FROM _store.pattern_hit(_store.pattern_asked(@pattern@), @subcorpus@);
