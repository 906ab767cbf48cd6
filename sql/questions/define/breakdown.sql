-- What is found, by what it is: how often each combination of values occurs, of its tokens and of the texts that have
-- it.

-- The parts of 'V.lemma, bin(age, 12)', and whether one is of tokens, and not of texts (as
-- aptdb/questions/breakdowns.py splits them for names of columns).
CREATE OR REPLACE MACRO _store.split_grouping(items) AS
    list_transform(regexp_extract_all(items, '(?:[^,(]|\([^)]*\))+'), lambda each: trim(each));
CREATE OR REPLACE MACRO _store.is_of_tokens(part) AS
    regexp_full_match(part, 'match|[^.()]+\.[^()]+');

-- The first or second of the parts that are of texts; NULL where there are fewer.
CREATE OR REPLACE MACRO _store.kind_of_texts(items, place) AS
    list_filter(_store.split_grouping(items), lambda each: NOT _store.is_of_tokens(each))[place];

-- A row: a part by its number: whether it is of tokens, and its place among the parts that are, or are not; the name of
-- the token, and the attribute. Of match, which is all tokens, the form.
CREATE OR REPLACE MACRO _store.part_of_item(items) AS TABLE (
    SELECT number, said, of_tokens, row_number() OVER (PARTITION BY of_tokens ORDER BY number ASC) AS place,
        split_part(said, '.', 1) AS name,
        coalesce(nullif(said[len(split_part(said, '.', 1)) + 2:], ''), 'form') AS attribute
    FROM (
        SELECT unnest(parts) AS said, generate_subscripts(parts, 1) AS number
        FROM (SELECT _store.split_grouping(items) AS parts)
    )
    CROSS JOIN LATERAL (SELECT _store.is_of_tokens(said) AS of_tokens)
);

-- A row: a name of the tokens of what is asked for, and their slot: 1, a word, and 2, its context; or those of the
-- nodes of a pattern.
CREATE OR REPLACE MACRO _store.name_of_token(lexeme, way, context) AS TABLE (
    WITH _words AS NOT MATERIALIZED (
        SELECT 1 AS slot, '1' AS name, 1 AS number
        UNION ALL
        SELECT 2, '2', 2 WHERE way IS NOT NULL OR context IS NOT NULL
    ),
    _pattern AS NOT MATERIALIZED (FROM _store.named_node(_store.pattern_asked(lexeme))),
    _sequence AS NOT MATERIALIZED (SELECT NULL::BIGINT AS slot, NULL::VARCHAR AS name, NULL::BIGINT AS number LIMIT 0),
    _phrase AS NOT MATERIALIZED (FROM _sequence)
    FROM query_table('_' || _store.sort_asked(lexeme))
);

-- True where what is named can be grouped so; otherwise an error that names the first part that is wrong. names: the
-- relation of names of tokens.
CREATE OR REPLACE MACRO _store.check_parts(items, names, sort) AS (
    WITH _wrong AS (
        SELECT min_by(CASE
                WHEN own.name IS NULL AND part.name <> 'match' THEN CASE WHEN sort = 'pattern' THEN 'no node '
                    || part.name || ' in the pattern' ELSE 'no token ' || part.name END || '; available: ' || coalesce((
                    SELECT array_to_string(list(other.name ORDER BY other.number ASC), ', ')
                    FROM query_table(names) AS other
                ), CASE WHEN sort = 'pattern' THEN 'none with a label, as 1:[upos="NOUN"]; and ' ELSE '' END || 'match')
                ELSE 'tokens are grouped by an attribute, as ' || part.name || '.lemma; attributes: form, lemma, upos, '
                    || 'xpos, deprel, lexeme and keys of FEATS, as ' || part.name || '.feats.Number'
            END, part.number) AS said
        FROM _store.part_of_item(items) AS part
        LEFT JOIN query_table(names) AS own ON own.name = part.name
        WHERE part.of_tokens AND ((own.name IS NULL AND part.name <> 'match')
            OR NOT regexp_full_match(part.attribute, 'form|lemma|upos|xpos|deprel|lexeme|feats(\..+)?'))
    )
    SELECT CASE
        WHEN coalesce(len(_store.split_grouping(items)), 0) = 0
            THEN error('by is ' || coalesce(nullif(items, ''), 'NULL') || '; expected as V.lemma, or match, genre')
        WHEN sort = 'phrase' AND len(list_filter(
            _store.split_grouping(items), lambda each: _store.is_of_tokens(each)
        )) > 0
        THEN error(
            'a phrase of lexemes cannot be grouped by its tokens; write it as a pattern, as '
            || 'NOUN[amod ADJ]'
        )
        WHEN regexp_replace(array_to_string(_store.split_grouping(items), ''), '[ ,]', '', 'g')
            <> regexp_replace(items, '[ ,]', '', 'g')
        THEN error(items || ': a bracket is not closed')
        WHEN (SELECT count(*) FROM query_table(names) AS own WHERE own.name = 'match') > 0
            THEN error('a node has the name match, which means all tokens of a match; give it another name')
        WHEN said IS NOT NULL THEN error(said)
        WHEN unknown_key IS NOT NULL THEN error(unknown_key)
        WHEN _store.kind_of_texts(items, 3) IS NOT NULL
        THEN error('by takes at most two kinds of texts; this is a third, '
            || _store.kind_of_texts(items, 3))
        ELSE true
    END
    FROM _wrong, (
        SELECT min(_store.wrong_test(attribute, '')) AS unknown_key
        FROM _store.part_of_item(items)
        WHERE of_tokens AND attribute LIKE 'feats.%'
    )
);

-- The same, where nothing else is taken than values of tokens.
CREATE OR REPLACE MACRO _store.check_token_parts(items, names, sort) AS
    CASE
        WHEN _store.kind_of_texts(items, 1) IS NOT NULL THEN error(
            _store.kind_of_texts(items, 1) || ' is not a value of a token, as V.lemma and match are'
        )
        ELSE _store.check_parts(items, names, sort)
    END;

-- A row: a hit of words as a match: the word in slot 1, and its context in slot 2.
CREATE OR REPLACE MACRO _store.match_of_words(asked, lexeme, way, context, subcorpus, counts) AS TABLE (
    WITH _hit AS NOT MATERIALIZED (
        SELECT row_number() OVER () AS match, sentence_id, position, context_position
        FROM _store.hit(asked, lexeme, way, context, subcorpus, counts)
    )
    SELECT _hit.match, _hit.sentence_id, NULL::INTEGER AS position, NULL::INTEGER AS last_position, [
            {'position': one.position, 'word_id': one.word_id, 'relation_id': one.relation_id},
            CASE WHEN other.position IS NOT NULL THEN {
                'position': other.position, 'word_id': other.word_id, 'relation_id': other.relation_id
            } END
        ] AS found
    FROM _hit
    JOIN _store.stored_node AS one ON one.sentence_id = _hit.sentence_id AND one.position = _hit.position
    LEFT JOIN _store.stored_node AS other
        ON other.sentence_id = _hit.sentence_id AND other.position = _hit.context_position
);

-- A row: a match of what is asked for, as _store.numbered_match has those of patterns: of words, as above, of a
-- pattern, or a stretch that cql matches.
CREATE OR REPLACE MACRO _store.match_asked(asked, lexeme, way, context, subcorpus, counts) AS TABLE (
    WITH _words AS NOT MATERIALIZED (
        FROM _store.match_of_words(asked, _store.text_asked(lexeme), way, context, subcorpus, counts)
    ),
    _pattern AS NOT MATERIALIZED (
        FROM _store.numbered_match(_store.pattern_asked(lexeme), subcorpus)
        WHERE (SELECT count(*) FROM query_table(asked)) > 0
    ),
    _sequence AS NOT MATERIALIZED (
        SELECT row_number() OVER () AS match, sentence_id, position, last_position,
            NULL::STRUCT("position" INTEGER, word_id INTEGER, relation_id INTEGER)[] AS found
        FROM _store.stretch_of_query(_store.query_asked(lexeme), subcorpus)
        WHERE (SELECT count(*) FROM query_table(asked)) > 0
    ),
    _phrase AS NOT MATERIALIZED (
        SELECT row_number() OVER () AS match, sentence_id, position, NULL::INTEGER AS last_position,
            NULL::STRUCT("position" INTEGER, word_id INTEGER, relation_id INTEGER)[] AS found
        FROM _store.phrase_hit(_store.phrase_asked(lexeme), subcorpus)
        WHERE (SELECT count(*) FROM query_table(asked)) > 0
    )
    FROM query_table('_' || _store.sort_asked(lexeme))
);

-- A token as one number: in front its place among all tokens of a match, from 0, or, from 2¹⁵ on, the part of an
-- item; its relation if items have relations (16 bits); and its word (31 bits).
CREATE OR REPLACE MACRO _store.token_number(place, token, has_relation) AS
    (place::BIGINT << 47) + (CASE
        WHEN NOT has_relation THEN 0
        WHEN token['relation_id'] >= 1 << 16 THEN error('the lexicon has over 65,535 relations; none can be grouped by')
        ELSE token['relation_id']
    END::BIGINT << 31) + token['word_id'];
CREATE OR REPLACE MACRO _store.place_of_part(part) AS (1 << 15) + part;

-- Whether matches of what is asked for are stretches of tokens.
CREATE OR REPLACE MACRO _store.are_stretches(lexeme) AS
    _store.is_sequence(lexeme) OR coalesce(_store.has_sequence(_store.pattern_asked(lexeme)), false);

-- Whether some part is a relation, and whether some is of all tokens of a match.
CREATE OR REPLACE MACRO _store.groups_by_relation(items) AS regexp_matches(items, '\.deprel\s*(,|$)');
CREATE OR REPLACE MACRO _store.groups_by_match(items) AS regexp_matches(items, '(^|,)\s*match\s*(\.|,|$)');

-- A row: a match of those named with the numbers of all of its tokens in their order, if some part is of all: of a
-- stretch those from its first to its last, else those of its nodes.
CREATE OR REPLACE MACRO _store.match_with_numbers(matches, items, are_stretches) AS TABLE (
    WITH _stretch AS NOT MATERIALIZED (
        SELECT met.match, met.sentence_id, met.position, any_value(met.found) AS found, list_sort(list(
                _store.token_number(
                    least(token.position - met.position, 32767), token, _store.groups_by_relation(items)
                )
            )) AS numbers
        FROM query_table(matches) AS met
        JOIN _store.token
            ON token.sentence_id = met.sentence_id AND token.position BETWEEN met.position AND met.last_position
        GROUP BY met.match, met.sentence_id, met.position
    ),
    _nodes AS NOT MATERIALIZED (
        SELECT match, sentence_id, position, found, list_transform(
                range(len(sorted)),
                lambda place: _store.token_number(place, sorted[place + 1], _store.groups_by_relation(items))
            ) AS numbers
        FROM (
            SELECT *, list_sort(list_filter(found, lambda each: each IS NOT NULL)) AS sorted FROM query_table(matches)
        )
    ),
    _none AS NOT MATERIALIZED (
        SELECT match, sentence_id, position, found, []::BIGINT[] AS numbers FROM query_table(matches)
    )
    FROM query_table(CASE WHEN NOT _store.groups_by_match(items) THEN '_none' WHEN are_stretches THEN '_stretch'
        ELSE '_nodes' END)
);

-- A row: a match of those named, its sentence and first position, and the numbers of the tokens of its parts: of all
-- tokens once, for all parts that are of all, and of each part that has a name; a token that is not there has none.
CREATE OR REPLACE MACRO _store.match_with_ids(matches, parts, names, items, are_stretches) AS TABLE (
    WITH _whole AS NOT MATERIALIZED (FROM _store.match_with_numbers(matches, items, are_stretches)),
    _listed AS MATERIALIZED (
        SELECT coalesce(list({'number': part.number, 'slot': own.slot} ORDER BY part.number ASC), []) AS parts
        FROM query_table(parts) AS part
        JOIN query_table(names) AS own ON own.name = part.name
        WHERE part.of_tokens
    )
    SELECT _whole.match, _whole.sentence_id, coalesce(
            _whole.position, list_min(list_transform(_whole.found, lambda each: each['position']))
        ) AS position,
        CASE
            WHEN len(_listed.parts) = 0 THEN _whole.numbers
            ELSE list_concat(_whole.numbers, list_filter(list_transform(
                _listed.parts, lambda part: _store.token_number(
                    _store.place_of_part(part['number']), _whole.found[part['slot']], _store.groups_by_relation(items)
                )
            ), lambda each: each IS NOT NULL))
        END AS ids
    FROM _whole, _listed
);

-- A row: ids of those named, and the values that they stand for, one for each part that is of tokens; _ where a value
-- or the token is not there.
CREATE OR REPLACE MACRO _store.values_of_ids(keys, parts) AS TABLE (
    WITH _numbered AS MATERIALIZED (
        SELECT ids, row_number() OVER () AS number FROM (SELECT DISTINCT ids FROM query_table(keys))
    ),
    _piece AS NOT MATERIALIZED (
        SELECT number, unnest(ids) AS id, generate_subscripts(ids, 1) AS place FROM _numbered
    ),
    _value AS NOT MATERIALIZED (
        SELECT _piece.number, part.place AS part, _piece.place, CASE part.attribute
                WHEN 'lexeme' THEN lexeme.text WHEN 'deprel' THEN relation.text
                ELSE _store.value_of_word(word, part.attribute)
            END AS value, part.name = 'match' AS of_all
        FROM _piece
        JOIN query_table(parts) AS part
            ON part.of_tokens AND CASE WHEN part.name = 'match' THEN _piece.id >> 47 < 1 << 15
                ELSE _piece.id >> 47 = _store.place_of_part(part.number) END
        LEFT JOIN _store.word ON word.id = (_piece.id & ((1::BIGINT << 31) - 1))::INTEGER
        LEFT JOIN _store.lexeme ON lexeme.id = word.lexeme_id AND part.attribute = 'lexeme'
        LEFT JOIN _store.relation
            ON relation.id = ((_piece.id >> 31) & ((1::BIGINT << 16) - 1))::INTEGER AND part.attribute = 'deprel'
    ),
    _said AS NOT MATERIALIZED (
        -- (A blank within a word of many is one that does not break.)
        SELECT number, part, string_agg(coalesce(
                nullif(CASE WHEN of_all THEN replace(value, ' ', chr(160)) ELSE value END, ''), '_'
            ), ' ' ORDER BY place ASC) AS value
        FROM _value
        GROUP BY number, part
    )
    SELECT any_value(_numbered.ids) AS ids, list(coalesce(_said.value, '_') ORDER BY part.place ASC) AS said
    FROM _numbered
    CROSS JOIN query_table(parts) AS part
    LEFT JOIN _said ON _said.number = _numbered.number AND _said.part = part.place
    WHERE part.of_tokens
    GROUP BY _numbered.number
);

-- A row: something by sentence, as the relation named has it, with what that sentence has of the kinds of texts in
-- items, at most two (value_1, value_2).
CREATE OR REPLACE MACRO _store.in_texts(found, items, subcorpus) AS TABLE (
    -- (What is not asked for is bound, too, so that a second kind has to be some relation.)
    WITH _nowhere AS NOT MATERIALIZED (SELECT 0 AS sentence_id, NULL::VARCHAR AS value LIMIT 0),
    _first AS NOT MATERIALIZED (FROM _store.sentence_value(_store.kind_of_texts(items, 1), subcorpus)),
    _second AS NOT MATERIALIZED (FROM _store.sentence_value(_store.kind_of_texts(items, 2), subcorpus)),
    _none AS NOT MATERIALIZED (SELECT *, NULL::VARCHAR AS value_1, NULL::VARCHAR AS value_2 FROM query_table(found)),
    _one AS NOT MATERIALIZED (
        SELECT own.*, _first.value AS value_1, NULL::VARCHAR AS value_2
        FROM query_table(found) AS own
        JOIN _first ON _first.sentence_id = own.sentence_id
    ),
    _two AS NOT MATERIALIZED (
        SELECT own.*, _first.value AS value_1, _second.value AS value_2
        FROM query_table(found) AS own
        JOIN _first ON _first.sentence_id = own.sentence_id
        JOIN query_table(CASE WHEN _store.kind_of_texts(items, 2) IS NULL THEN '_nowhere' ELSE '_second' END) AS _second
            ON _second.sentence_id = own.sentence_id
    )
    FROM query_table(CASE WHEN _store.kind_of_texts(items, 1) IS NULL THEN '_none'
        WHEN _store.kind_of_texts(items, 2) IS NULL THEN '_one' ELSE '_two' END)
);

-- A row: an item of those named (place, sentence_id, position, once for each hit) and its average reduced frequency
-- (Savický and Hlaváčová 2002): with v = N / f tokens to each of its f hits, the sum of min(d, v) / v over the
-- distances d from each hit to the next, the last one's being to the first, as if the corpora were a ring.
CREATE OR REPLACE MACRO _store.reduced_frequency(hits, subcorpus) AS TABLE (
    WITH _size AS NOT MATERIALIZED (
        SELECT token.sentence_id, count(*) AS tokens
        FROM _store.token
        SEMI JOIN _store.sentence_value('corpus', subcorpus) AS own ON own.sentence_id = token.sentence_id
        GROUP BY token.sentence_id
    ),
    _before AS MATERIALIZED (
        SELECT sentence_id, sum(tokens) OVER (ORDER BY sentence_id ASC) - tokens AS tokens_before,
            sum(tokens) OVER () AS all_tokens
        FROM _size
    ),
    _hit AS (
        SELECT hit.place, own.tokens_before + hit.position AS nth, own.all_tokens,
            count(*) OVER (PARTITION BY hit.place) AS count
        FROM query_table(hits) AS hit
        JOIN _before AS own ON own.sentence_id = hit.sentence_id
    ),
    _distance AS (
        SELECT place, all_tokens / count AS fair, nth - coalesce(
                lag(nth) OVER (PARTITION BY place ORDER BY nth ASC),
                max(nth) OVER (PARTITION BY place) - all_tokens
            ) AS distance
        FROM _hit
    )
    SELECT place, fsum(least(distance, fair) / fair) AS arf FROM _distance GROUP BY place
);

-- A row: the values of the kinds of texts in items, and the number of tokens of the texts that have them.
CREATE OR REPLACE MACRO _store.tokens_in_texts(items, subcorpus) AS TABLE (
    WITH _token AS NOT MATERIALIZED (SELECT sentence_id FROM _store.token),
    _of_kinds AS NOT MATERIALIZED (
        SELECT value_1, value_2, count(*) AS tokens
        FROM _store.in_texts('_token', items, subcorpus)
        GROUP BY value_1, value_2
    ),
    _of_all AS NOT MATERIALIZED (
        SELECT NULL::VARCHAR AS value_1, NULL::VARCHAR AS value_2,
            CASE WHEN subcorpus IS NULL THEN (SELECT sum(tokens) FROM _store.corpus WHERE kind = 'trees')::BIGINT
                ELSE tokens END AS tokens
        FROM _store.tokens_in(subcorpus)
    )
    FROM query_table(CASE WHEN _store.kind_of_texts(items, 1) IS NULL THEN '_of_all' ELSE '_of_kinds' END)
);

-- A row: an item of those named (place, said) with its dispersion; matches and values are those of its tokens.
CREATE OR REPLACE MACRO _store.spread_of_items(items, matches, values_of, subcorpus, documents) AS TABLE (
    WITH _hit AS MATERIALIZED (
        SELECT item.place, met.sentence_id, met.position
        FROM query_table(matches) AS met
        JOIN query_table(values_of) AS value_of ON value_of.ids = met.ids
        JOIN query_table(items) AS item ON item.said = value_of.said
    )
    SELECT spread.place, spread.documents, spread.dp, reduced.arf
    FROM _store.dispersion_of_hits('_hit', subcorpus, documents) AS spread
    JOIN _store.reduced_frequency('_hit', subcorpus) AS reduced ON reduced.place = spread.place
);

-- True where functions of the kinds of texts in items give values of some texts; sizes: their tokens, as above.
CREATE OR REPLACE MACRO _store.check_kinds(sizes, items) AS (
    WITH _first AS NOT MATERIALIZED (SELECT value_1 AS value FROM query_table(sizes)),
    _second AS NOT MATERIALIZED (SELECT value_2 AS value FROM query_table(sizes))
    SELECT _store.check_values('_first', _store.kind_of_texts(items, 1))
        AND _store.check_values('_second', _store.kind_of_texts(items, 2))
);

-- True where a breakdown can be made; otherwise an error that names the value.
CREATE OR REPLACE MACRO _store.check_breakdown(
    items, names, lexeme, way, context, counts, dispersion, documents
) AS
    CASE
        @dispersion_check@
        WHEN NOT _store.check_parts(items, names, _store.sort_asked(lexeme)) THEN false
        WHEN NOT _store.check_alone(lexeme, way, context, counts) THEN false
        WHEN dispersion AND _store.kind_of_texts(items, 1) IS NOT NULL
        THEN error(
            'dispersion is over all texts, so it cannot be grouped by ' || _store.kind_of_texts(items, 1)
            || '; leave out either'
        )
        WHEN _store.kind_of_texts(items, 1) IS NOT NULL AND NOT _store.check_grouping(_store.kind_of_texts(items, 1))
            THEN false
        WHEN _store.kind_of_texts(items, 2) IS NOT NULL AND NOT _store.check_grouping(_store.kind_of_texts(items, 2))
            THEN false
        WHEN lexeme IS NULL AND way IS NULL AND context IS NULL THEN error('breakdown needs a lexeme; ''*'' is any')
        WHEN lexeme IS NULL AND (way IS NULL OR context IS NULL)
            THEN error('breakdown needs a lexeme (''*'' for any), or both a path and a context')
        WHEN dispersion THEN _store.check_grouping(documents)
        WHEN documents IS DISTINCT FROM 'document'
            THEN error('documents has an effect only with dispersion')
        ELSE true
    END;

-- A row: a combination of values, how often it occurs, its share of all, the number of tokens in its texts, and its
-- frequency per million of them; the most frequent first. by: values of tokens, as V.lemma, and of texts, as genre,
-- with commas between them. Tokens are called as in the pattern, or 1 (the lexeme), 2 (its context) or match (all of
-- them); a value of a token is its form (in small letters), lemma, upos, xpos, deprel, lexeme or a key of FEATS, and
-- match by itself means its forms. Values of texts are at most two, as in counts_by. parts has the values one by one,
-- item has them in one text, with _ where a token has none. lexeme, path and context are as in counts_by, except that a
-- phrase of lexemes is not allowed. dispersion := true adds the number of documents, Gries' DP and the average reduced
-- frequency.
-- Columns: item VARCHAR, parts VARCHAR[], count BIGINT, share DOUBLE, tokens BIGINT, per_million DOUBLE, documents
-- BIGINT, dp DOUBLE, arf DOUBLE
-- Example: FROM breakdown('shoot/NOUN', 'match, 1.deprel', top := 3)
CREATE OR REPLACE MACRO breakdown(
    lexeme, "by" VARCHAR, path VARCHAR := NULL, context VARCHAR := NULL, @parameters_of_breakdown@
) AS TABLE (
    WITH _name AS NOT MATERIALIZED (FROM _store.name_of_token(lexeme, path, context)),
    _asked AS MATERIALIZED (
        FROM _store.asked(_store.text_asked(lexeme), context, subcorpus)
        WHERE _store.admitted('@stamp@', _store.check_breakdown(
            "by", '_name', lexeme, path, context, counts, dispersion, documents
        ) AND _store.check_subcorpus(subcorpus) AND _store.check_counting(min_count, top, counts)
            AND coalesce(_store.counted_path(path, subcorpus), '') IS NOT NULL)
    ),
    _part AS MATERIALIZED (FROM _store.part_of_item("by")),
    _found AS NOT MATERIALIZED (
        FROM _store.match_asked('_asked', lexeme, path, context, subcorpus, _store.shown_counts(counts, subcorpus))
    ),
    _once AS NOT MATERIALIZED (
        FROM _store.match_with_ids('_found', '_part', '_name', "by", _store.are_stretches(lexeme))
    ),
    _match AS MATERIALIZED (FROM _once), -- (Millions are kept only where they are needed again.)
    _placed AS NOT MATERIALIZED (
        FROM _store.in_texts(CASE WHEN dispersion THEN '_match' ELSE '_once' END, "by", subcorpus)
    ),
    _alike AS MATERIALIZED (SELECT ids, value_1, value_2, count(*) AS count FROM _placed GROUP BY ALL),
    _value AS MATERIALIZED (FROM _store.values_of_ids('_alike', '_part')),
    _grouped AS NOT MATERIALIZED (
        SELECT _value.said, _alike.value_1, _alike.value_2, sum(_alike.count)::BIGINT AS count
        FROM _alike
        LEFT JOIN _value ON _value.ids = _alike.ids
        GROUP BY _value.said, _alike.value_1, _alike.value_2
    ),
    _size AS MATERIALIZED (FROM _store.tokens_in_texts("by", subcorpus)),
    _shown AS MATERIALIZED (
        SELECT row_number() OVER (ORDER BY own.count DESC, own.parts ASC) AS place, own.*, _size.tokens
        FROM (
            SELECT _grouped.*, count / sum(count) OVER () AS share, list_transform(
                    listed.parts, lambda part: CASE WHEN part['of_tokens'] THEN said[part['place']]
                        WHEN part['place'] = 1 THEN value_1 ELSE value_2 END
                ) AS parts
            FROM _grouped, (
                SELECT list({'of_tokens': of_tokens, 'place': place} ORDER BY number ASC) AS parts FROM _part
            ) AS listed
        ) AS own
        JOIN _size ON _size.value_1 IS NOT DISTINCT FROM own.value_1 AND _size.value_2 IS NOT DISTINCT FROM own.value_2
        WHERE own.count >= coalesce(min_count, 0)
        QUALIFY place <= coalesce(top, place)
    ),
    _none AS NOT MATERIALIZED (
        SELECT place, NULL::BIGINT AS documents, NULL::DOUBLE AS dp, NULL::DOUBLE AS arf FROM _shown
    ),
    _spread AS NOT MATERIALIZED (FROM _store.spread_of_items('_shown', '_match', '_value', subcorpus, documents))
    SELECT array_to_string(list_transform(_shown.parts, lambda each: coalesce(each, '_')), ' ') AS item,
        _shown.parts, _shown.count, _shown.share, _shown.tokens,
        1e6 * _shown.count / _shown.tokens AS per_million, spread.documents, spread.dp, spread.arf
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('breakdown', row(lexeme, "by", path, context, @given_to_breakdown@)) AS _constants
    CROSS JOIN _shown
    JOIN query_table(CASE WHEN dispersion THEN '_spread' ELSE '_none' END) AS spread ON spread.place = _shown.place
    WHERE (SELECT count(*) FROM _asked) > 0 AND (SELECT _store.check_kinds('_size', "by"))
    ORDER BY _shown.place ASC
);
