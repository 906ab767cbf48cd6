-- Matches of a pattern by the values of their tokens: how often each is, and what is typical of one subcorpus.

-- A row: a part of an item, as O.lemma of 'V.lemma, O.lemma': its number, the name of the token, and the attribute.
CREATE OR REPLACE MACRO _store.part_of_item(items) AS TABLE (
    SELECT number, split_part(said, '.', 1) AS name, said[len(split_part(said, '.', 1)) + 2:] AS attribute
    FROM (
        SELECT trim(unnest(string_split(items, ','))) AS said,
            generate_subscripts(string_split(items, ','), 1) AS number
    )
);

-- True where matches of a pattern can be grouped so; otherwise an error that names the first part that is wrong.
CREATE OR REPLACE MACRO _store.check_grouped(asked, items, top) AS (
    WITH _block AS MATERIALIZED (FROM _store.pattern_block(asked)),
    _node AS MATERIALIZED (FROM _store.pattern_node('_block')),
    _wrong AS (
        SELECT min_by(CASE
                WHEN node.name IS NULL THEN 'no node ' || part.name || ' in the pattern; there is ' || coalesce((
                    SELECT array_to_string(list(own.name ORDER BY own.number ASC), ', ')
                    FROM _node AS own
                    WHERE own.block = 0 AND NOT starts_with(own.name, '_')
                ), 'none with a label, as 1:[upos="NOUN"]')
                ELSE 'matches are grouped by an attribute of a token, as ' || part.name || '.lemma; there is form, '
                    || 'lemma, upos, xpos, deprel, lexeme and keys of FEATS, as ' || part.name || '.feats.Number'
            END, part.number) AS said
        FROM _store.part_of_item(items) AS part
        LEFT JOIN _node AS node ON node.name = part.name AND node.block = 0 AND NOT starts_with(node.name, '_')
        WHERE node.name IS NULL
            OR NOT regexp_full_match(part.attribute, 'form|lemma|upos|xpos|deprel|lexeme|feats(\..+)?')
    )
    SELECT CASE
        @frames_checks@
        WHEN items IS NULL THEN error('by is NULL; expected as V.lemma, or V.lemma, O.lemma')
        WHEN said IS NOT NULL THEN error(said)
        WHEN untold IS NOT NULL THEN error(untold)
        ELSE true
    END
    FROM _wrong, (
        SELECT min(_store.wrong_test(attribute, '')) AS untold
        FROM _store.part_of_item(items)
        WHERE attribute LIKE 'feats.%'
    )
);

-- A row: a match of a pattern, its sentence, and its item: the values of its tokens that are asked for, with _ for
-- those that are not there.
CREATE OR REPLACE MACRO _store.item_of_match(asked, items, subcorpus) AS TABLE (
    WITH _part AS MATERIALIZED (FROM _store.part_of_item(items)),
    _token AS MATERIALIZED (FROM _store.token_of_match(asked, subcorpus)),
    _match AS (SELECT DISTINCT match, sentence_id FROM _token),
    _value AS (
        SELECT _match.match, _match.sentence_id, _part.number, CASE _part.attribute
                WHEN 'lexeme' THEN lexeme.text WHEN 'deprel' THEN relation.text
                ELSE _store.value_of_word(word, _part.attribute)
            END AS value
        FROM _match
        CROSS JOIN _part
        LEFT JOIN _token ON _token.match = _match.match AND _token.name = _part.name
        LEFT JOIN _store.word ON word.id = _token.word_id
        LEFT JOIN _store.lexeme ON lexeme.id = word.lexeme_id
        LEFT JOIN _store.token AS own
            ON _part.attribute = 'deprel' AND own.sentence_id = _token.sentence_id AND own.position = _token.position
        LEFT JOIN _store.relation ON relation.id = own.relation_id
    )
    SELECT match, sentence_id, string_agg(coalesce(nullif(value, ''), '_'), ' ' ORDER BY number ASC) AS item
    FROM _value
    GROUP BY match, sentence_id
);

-- A row: what the tokens of matches of a pattern are, by the attributes named in by, as 'V.lemma, O.lemma': how many
-- matches, and their share of all, the most frequent first. Nodes are called as the pattern calls them; attributes are
-- form (in small letters), lemma, upos, xpos, deprel, lexeme and keys of FEATS, as O.feats.Number.
-- Columns: item VARCHAR, count BIGINT, share DOUBLE
-- Example: FROM grouped_matches(pattern('{"nodes": [{"name": "N"}]}'), 'N.upos')
CREATE OR REPLACE MACRO grouped_matches(pattern, "by" VARCHAR, @parameters_of_grouped_matches@) AS TABLE (
    WITH _counted AS MATERIALIZED (
        SELECT item, count(*) AS count, count(*) / sum(count(*)) OVER () AS share
        FROM _store.item_of_match(_store.pattern_asked(pattern), "by", subcorpus)
        GROUP BY item
    )
    SELECT _counted.item, _counted.count, _counted.share
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('grouped_matches', row(pattern, "by", @given_to_grouped_matches@)) AS _constants
    CROSS JOIN _counted
    WHERE _store.admitted('@stamp@', _store.check_matches(pattern, top, subcorpus)
        AND _store.check_grouped(_store.pattern_asked(pattern), "by", top))
    QUALIFY row_number() OVER (ORDER BY _counted.count DESC, _counted.item ASC) <= coalesce(top, 9223372036854775807)
    ORDER BY _counted.count DESC, _counted.item ASC
);

-- A row: what the tokens of matches of a pattern are (as in grouped_matches), how often in the subcorpora a and b, or
-- in a and in all the rest, and how typical it is of one of them, in the columns that keyness has: what is more
-- frequent in a comes first, the surest of it first. min_count, overlap and top are as in keyness.
-- Columns: item VARCHAR, count_a BIGINT, count_b BIGINT, per_million_a DOUBLE, per_million_b DOUBLE, g2 DOUBLE,
-- log_ratio DOUBLE, p_value DOUBLE, q_value DOUBLE
-- Example: SELECT * FROM aptdb_help WHERE name = 'pattern_keyness'
CREATE OR REPLACE MACRO pattern_keyness(pattern, "by" VARCHAR, a, b := NULL, @parameters_of_pattern_keyness@) AS TABLE (
    WITH _found AS MATERIALIZED (FROM _store.item_of_match(_store.pattern_asked(pattern), "by", NULL)),
    _hit AS MATERIALIZED (FROM _store.side_hit('_found', a, b)),
    _compared AS MATERIALIZED (
        SELECT item, count(*) FILTER (in_a) AS count_a, count(*) FILTER (NOT in_a) AS count_b
        FROM _hit
        GROUP BY item
        HAVING count(*) >= min_count
    )
    SELECT found.item, found.count_a, found.count_b, found.per_million_a, found.per_million_b, found.g2,
        found.log_ratio, found.p_value, found.q_value
    FROM (SELECT @in_use@) AS _in_use
    CROSS JOIN _store.constants('pattern_keyness', row(pattern, "by", a, b, @given_to_pattern_keyness@)) AS _constants
    CROSS JOIN _store.keyness_of(
        '_compared', (SELECT tokens FROM _store.tokens_in(a)), (SELECT tokens FROM _store.beside(a, b, NULL)), 0
    ) AS found
    WHERE _store.admitted('@stamp@', _store.check_matches(pattern, top, NULL)
        AND _store.check_key_values('lexemes', false, min_count, overlap, false, top, 'direct', NULL)
        AND _store.check_phrase_keyness('', a, b, overlap, false, 'document', NULL)
        AND _store.check_grouped(_store.pattern_asked(pattern), "by", top))
    QUALIFY row_number() OVER (
        ORDER BY sign(found.per_million_a - found.per_million_b) DESC, found.g2 DESC, found.item ASC
    ) <= coalesce(top, 9223372036854775807)
    ORDER BY sign(found.per_million_a - found.per_million_b) DESC, found.g2 DESC, found.item ASC
);
