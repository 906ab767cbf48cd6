-- A relation of a path that the lexicon never counts along; NULL where there is none.
CREATE OR REPLACE MACRO _store.uncounted_relation(way, subcorpus) AS (
    SELECT min(step.text[2:])
    FROM (SELECT unnest(_store.path_steps(way)) AS text) AS step
    ANTI JOIN _store.counted_step(subcorpus) AS counted ON counted.step = step.text
);

-- A path as it is asked about, ε as '', or an error where the lexicon cannot have counted it; NULL for any.
CREATE OR REPLACE MACRO _store.counted_path(way, subcorpus) AS
    CASE
        WHEN way IS NULL THEN NULL
        WHEN way IN ('', 'ε') THEN ''
        WHEN NOT path_is_valid(way) THEN error(
            'no path ' || way || '; a path is reduced, ups before downs, as <amod>nsubj'
        )
        WHEN path_order(way) > _store.longest_path() THEN error(
            'the path ' || way || ' has order ' || path_order(way) || '; the lexicon counts to '
            || _store.longest_path()
        )
        WHEN _store.uncounted_relation(way, subcorpus) IS NOT NULL THEN error(
            _store.no_relation(_store.uncounted_relation(way, subcorpus), subcorpus)
        )
        ELSE way
    END;

-- True where hits can be drawn and sorted so; otherwise an error that names the value.
CREATE OR REPLACE MACRO _store.check_drawing(top, sample, seed, sort, best, counts) AS
    CASE
        @evidence_checks@
        WHEN seed <> 1 AND sample IS NULL AND NOT best
            THEN error('seed draws a sample; give sample, too, how many')
        ELSE true
    END;

-- True where weights of good examples are right, and these asked for; otherwise an error.
CREATE OR REPLACE MACRO _store.check_examples(best, weights) AS
    CASE
        WHEN weights IS NOT NULL AND NOT best THEN error('example_weights has an effect only with best')
        ELSE _store.check_example_weights(weights)
    END;

-- True where what is asked of words alone, a path, a context and the sort of counts, is asked of words; otherwise an
-- error.
CREATE OR REPLACE MACRO _store.check_alone(lexeme, way, context, counts) AS
    CASE
        WHEN _store.sort_asked(lexeme) = 'words' THEN true
        WHEN way IS NOT NULL OR context IS NOT NULL
            THEN error('a ' || _store.sort_asked(lexeme) || ' takes no path and no context; leave them out')
        WHEN counts IS NOT NULL AND _store.sort_asked(lexeme) <> 'phrase' THEN error(
            'counts has an effect only with a path; a ' || _store.sort_asked(lexeme) || ' is counted by its matches'
        )
        ELSE true
    END;

-- True where evidence can be shown for what is asked; otherwise an error that says what is wrong.
CREATE OR REPLACE MACRO _store.check_evidence(lexeme, way, context, subcorpus, counts) AS
    CASE
        WHEN NOT _store.check_subcorpus(subcorpus) THEN false
        WHEN NOT _store.check_alone(lexeme, way, context, counts) THEN false
        WHEN lexeme IS NULL AND (context IS NULL OR way IS NULL)
            THEN error('evidence needs a lexeme, as ''dog/NOUN'' (''*'' for any), or both a path and a context')
        ELSE true
    END;

-- One row: the id of a lexeme that is asked for, and of its sense where it is one of a sense; an error where there is
-- no such lexeme, which names those that may have been meant.
CREATE OR REPLACE MACRO _store.lexeme_asked(lexeme, subcorpus) AS TABLE (
    WITH _found AS MATERIALIZED (
        SELECT known.id AS w_id, NULL::INTEGER AS sense_id
        FROM _store.lexeme_in(subcorpus) AS known
        WHERE known.text = lexeme
        UNION ALL
        SELECT sense.lexeme_id, sense.id
        FROM _store.sense_named() AS sense
        WHERE sense.name = lexeme AND NOT _store.is_lexeme(lexeme)
    ),
    -- A row: a lexeme that the lexicon lacks; what may have been meant is looked for only then.
    _unknown AS MATERIALIZED (SELECT lexeme AS name WHERE (SELECT count(*) FROM _found) = 0),
    _meant AS (FROM _store.near_lexemes('_unknown', subcorpus))
    SELECT w_id, sense_id FROM _found
    UNION ALL
    SELECT stopped.at_once, stopped.at_once
    FROM (
        SELECT error(
            CASE
                WHEN NOT _store.check_subcorpus(subcorpus) THEN NULL
                WHEN regexp_matches(_unknown.name, '[]}]$') THEN error(_store.no_notation(_unknown.name))
                ELSE 'no lexeme ' || _unknown.name
            END
            || coalesce(' in the subcorpus ' || subcorpus, '')
            || CASE
                WHEN _store.is_entry(_unknown.name) THEN _store.only_entry()
                WHEN _store.is_lexeme(_store.lexeme_of_sense(_unknown.name)) THEN _store.other_senses(_unknown.name)
                ELSE _store.meant(_meant.names)
            END
        )::INTEGER AS at_once
        FROM _unknown, _meant
        UNION ALL
        FROM _store.stale_asked('_found')
    ) AS stopped
);

-- A row: an occurrence of what is asked, or a pair of nodes that is counted, of direct counts or of packed ones; asked
-- names what the lexeme and the context ask for (as _store.asked has it).
CREATE OR REPLACE MACRO _store.hit(asked, lexeme, way, context, subcorpus, counts) AS TABLE (
    WITH _wanted AS MATERIALIZED (
        SELECT own.of_context, word.id AS word_id, word.lexeme_id
        FROM _store.word
        JOIN query_table(asked) AS own ON own.lexeme_id = word.lexeme_id
        WHERE coalesce(own.word_id = word.id, true)
    ),
    _given AS MATERIALIZED (SELECT DISTINCT word_id, lexeme_id FROM _wanted),
    _node AS MATERIALIZED (FROM _store.node_of_words('_given', subcorpus)),
    _occurrence AS NOT MATERIALIZED (
        SELECT sentence_id, position, NULL::INTEGER AS context_position, lexeme_id, NULL::VARCHAR AS path,
            NULL::INTEGER AS context_id, NULL::BOOLEAN AS is_direct, NULL::INTEGER AS last_position
        FROM _store.node_of_side('_node', asked, false)
    ),
    -- A row: a sentence that has all that is given. (Which branch of a CASE is read must not depend on the lexeme,
    -- which may be a column.)
    _searched AS MATERIALIZED (
        SELECT _node.sentence_id
        FROM _node
        JOIN _wanted ON _wanted.word_id = _node.word_id
        GROUP BY _node.sentence_id
        HAVING count(DISTINCT _wanted.of_context) = (SELECT count(DISTINCT _wanted.of_context) FROM _wanted)
    ),
    _tree AS MATERIALIZED (FROM _store.token_of('_searched')),
    _rooted AS MATERIALIZED (
        SELECT node.*, node.node AS position,
            lexeme IS NULL OR node.word_id IN (SELECT word_id FROM _wanted WHERE NOT of_context) AS is_lexeme,
            context IS NULL OR node.word_id IN (SELECT word_id FROM _wanted WHERE of_context) AS is_context
        FROM _store.rooted_node('_tree') AS node
    ),
    _x AS NOT MATERIALIZED (SELECT * FROM _store.node_of_side('_rooted', asked, false) WHERE is_lexeme),
    _y AS NOT MATERIALIZED (SELECT * FROM _store.node_of_side('_rooted', asked, true) WHERE is_context),
    _pair AS NOT MATERIALIZED (
        SELECT *, NULL::INTEGER AS last_position
        FROM _store.counted_pair('_x', '_y', CASE WHEN way = 'ε' THEN '' ELSE way END)
        WHERE counts = 'packed' OR is_direct
    )
    FROM query_table(CASE WHEN way IS NULL AND context IS NULL THEN '_occurrence' ELSE '_pair' END)
);

-- A row: the same; or an occurrence of a phrase or sequence, or a match of a pattern, where the lexeme is one. (What is
-- asked is read first.)
CREATE OR REPLACE MACRO _store.hit_asked(asked, lexeme, way, context, subcorpus, counts) AS TABLE (
    WITH _of_words AS NOT MATERIALIZED (FROM _store.hit(asked, lexeme, way, context, subcorpus, counts)),
    _of_phrase AS NOT MATERIALIZED (
        FROM _store.phrase_hit(_store.phrase_asked(lexeme), subcorpus)
        WHERE (SELECT count(*) FROM query_table(asked)) > 0
    ),
    _of_sequence AS NOT MATERIALIZED (
        FROM _store.sequence_hit(_store.query_asked(lexeme), subcorpus)
        WHERE (SELECT count(*) FROM query_table(asked)) > 0
    ),
    _of_pattern AS NOT MATERIALIZED (
        FROM _store.pattern_hit(_store.pattern_asked(lexeme), subcorpus)
        WHERE (SELECT count(*) FROM query_table(asked)) > 0
    )
    FROM query_table('_of_' || _store.sort_asked(lexeme))
);

-- A row: a hit of those named that is looked at: as many as are wanted, drawn by the seed; of good examples so many
-- that it takes no time; and where the order is that of the corpora, the first.
CREATE OR REPLACE MACRO _store.drawn_hit(hits, top, sample, seed, sort, best) AS TABLE (
    WITH _sampled AS NOT MATERIALIZED (
        FROM query_table(hits)
        QUALIFY row_number() OVER (
            ORDER BY hash(seed, sentence_id, position, context_position) ASC, sentence_id ASC, position ASC,
                context_position ASC
        ) <= coalesce(sample, 10000)
    ),
    _drawn AS NOT MATERIALIZED (
        FROM query_table(CASE WHEN sample IS NULL AND NOT best THEN hits ELSE '_sampled' END)
    ),
    _first AS NOT MATERIALIZED (
        FROM _drawn
        QUALIFY row_number() OVER (ORDER BY sentence_id ASC, position ASC, context_position ASC) <= top
    )
    FROM query_table(CASE WHEN top IS NULL OR best OR sort <> 'place' THEN '_drawn' ELSE '_first' END)
);

-- A row: a lexeme of the hits named, and one of the thirty contexts that are most typical of it along paths of one step
-- (log_dice), as a sketch shows them; none where hits are of more than twenty lexemes.
CREATE OR REPLACE MACRO _store.typical_context(hits, subcorpus) AS TABLE (
    WITH _lexeme AS MATERIALIZED (
        SELECT DISTINCT lexeme_id AS w_id, NULL::INTEGER AS sense_id
        FROM query_table(hits)
        WHERE lexeme_id IS NOT NULL
            AND (SELECT count(DISTINCT own.lexeme_id) FROM query_table(hits) AS own) <= 20
    ),
    _along AS MATERIALIZED (FROM _store.path_to_look(NULL, 1, false, subcorpus)),
    _collocate AS MATERIALIZED (
        FROM _store.collocate('_lexeme', '_along', false, 'log_dice', @sketch_options_of_hits@
        )
    )
    SELECT lexeme_id, context_id
    FROM _store.placed_collocate('_collocate', greatest(_store.least_count(NULL), 2))
    GROUP BY lexeme_id, context_id
    QUALIFY row_number() OVER (PARTITION BY lexeme_id ORDER BY max(score) DESC, context_id ASC) <= 30
);

-- A row: a hit whose sentence has a context that is typical of its lexeme.
CREATE OR REPLACE MACRO _store.hit_with_collocate(hits, tokens, subcorpus) AS TABLE (
    WITH _typical AS MATERIALIZED (FROM _store.typical_context(hits, subcorpus))
    SELECT DISTINCT hit.sentence_id, hit.position
    FROM query_table(hits) AS hit
    JOIN query_table(tokens) AS token ON token.sentence_id = hit.sentence_id AND token.node <> hit.position
    JOIN _typical ON _typical.lexeme_id = hit.lexeme_id AND _typical.context_id = token.lexeme_id
);

-- Some words as they are compared: letters and digits alone, in small letters.
CREATE OR REPLACE MACRO _store.plain_words(words) AS
    regexp_replace(lower(_store.text_of(words)), '[^\p{L}\p{M}\p{N}]+', ' ', 'g');

-- A number that puts lines of the same score in an order that is no corpus's, and the same in a lexicon of some of its
-- sentences alone.
CREATE OR REPLACE MACRO _store.shuffled(words, place) AS hash(_store.text_of(words), place);

-- A row: a line of those named that is a good example, with what a collocate adds (one that is asked for, or a typical
-- one); of those with the same sentence, or with the same three words on both sides, the best. The nth of a document
-- has a tenth less for each before it.
CREATE OR REPLACE MACRO _store.example_line(hits, tokens, weights, subcorpus) AS TABLE (
    WITH _line AS NOT MATERIALIZED (
        SELECT line.* REPLACE (
            line.score + CASE
                WHEN line.context_position IS NOT NULL OR own.position IS NOT NULL
                THEN _store.example_weight(weights, 'collocate') / nullif(_store.sum_of_weights(weights), 0)
                ELSE 0
            END AS score
        )
        FROM _store.line_of(hits, tokens, weights, subcorpus) AS line
        LEFT JOIN _store.hit_with_collocate(hits, tokens, subcorpus) AS own
            ON own.sentence_id = line.sentence_id AND own.position = line.position
    ),
    _different AS NOT MATERIALIZED (
        FROM _line
        QUALIFY row_number() OVER (
            PARTITION BY _store.plain_words(words)
            ORDER BY round(score, 12) DESC, _store.shuffled(words, position) ASC, sentence_id ASC, position ASC,
                context_position ASC
        ) = 1
    ),
    _best AS NOT MATERIALIZED (
        FROM _different
        QUALIFY row_number() OVER (
            PARTITION BY _store.plain_words(words[greatest(first_word - 3, 1):last_word + 3])
            ORDER BY round(score, 12) DESC, _store.shuffled(words, position) ASC, sentence_id ASC, position ASC,
                context_position ASC
        ) = 1
    )
    SELECT _best.* REPLACE (_best.score + 0.1 - 0.1 * row_number() OVER (
            PARTITION BY sentence.corpus_id, sentence.document_id
            ORDER BY round(_best.score, 12) DESC, _store.shuffled(_best.words, _best.position) ASC,
                _best.sentence_id ASC, _best.position ASC, _best.context_position ASC
        ) AS score)
    FROM _best
    JOIN _store.sentence ON sentence.id = _best.sentence_id
);

-- A row: a line of a concordance in its place (from 1), of the hits named; good examples first where their weights are
-- given.
CREATE OR REPLACE MACRO _store.placed_line(hits, sort, weights, subcorpus) AS TABLE (
    WITH _wanted AS MATERIALIZED (SELECT DISTINCT sentence_id FROM query_table(hits)),
    _token AS MATERIALIZED (FROM _store.token_of('_wanted')),
    _any AS NOT MATERIALIZED (FROM _store.line_of(hits, '_token', NULL, subcorpus)),
    _best AS NOT MATERIALIZED (FROM _store.example_line(hits, '_token', weights, subcorpus))
    SELECT *, row_number() OVER (
        ORDER BY round(score, 12) DESC, coalesce(CASE sort
            WHEN 'before' THEN lower(words[first_word - 1]['form'])
            WHEN 'after' THEN lower(words[last_word + 1]['form'])
        END, '') ASC, CASE WHEN weights IS NULL THEN 0 ELSE _store.shuffled(words, position) END ASC,
            sentence_id ASC, position ASC, context_position ASC
    ) AS place
    FROM query_table(CASE WHEN weights IS NULL THEN '_any' ELSE '_best' END)
);

-- A row: a sentence in which a lexeme and a context occur along a path, with the [lexeme] and the {context} marked.
-- Each counted pair of nodes has a row, so there are as many rows as the count. pair: direct, if the path between the
-- two is in the tree itself; merged, if it is only in the packed tree (shown by counts := 'packed'). path, context or
-- both may be NULL, for any; so may the lexeme if path and context are given. For a lexeme alone, a row is an
-- occurrence. lexeme and context may be patterns: *ness, whisp?r, /(un)?happy/, of lexemes or lemmas; form:whispered,
-- of forms; or a stored sense, mouse/NOUN#1. Alone, cql('[upos="ADJ"]{2} [lemma="shoot"]') in place of the lexeme finds
-- sequences; the lexeme of a row is that of its first token. A phrase, as apt takes it, finds its head with the other
-- words directly below it. position, context_position: the positions of the two words, from 1. before, keyword, after:
-- the concordance line. sentence: its sent_id, or its number in the corpus; sentence_number: its number in tokens and
-- sentences.
-- Columns: corpus VARCHAR, document VARCHAR, sentence VARCHAR, lexeme VARCHAR, path VARCHAR, context VARCHAR,
-- position INTEGER, context_position INTEGER, before VARCHAR, keyword VARCHAR, after VARCHAR, text VARCHAR, pair
-- VARCHAR, sentence_number INTEGER
-- Example: FROM evidence('shoot/NOUN', '>amod', 'green/ADJ')
CREATE OR REPLACE MACRO evidence(
    lexeme := NULL, path VARCHAR := NULL, context VARCHAR := NULL, @parameters_of_evidence@
) AS TABLE (
    WITH _asked AS MATERIALIZED (
        FROM _store.asked(_store.text_asked(lexeme), context, subcorpus)
        WHERE _store.admitted('@stamp@', _store.check_drawing(top, sample, seed, sort, best, counts)
            AND _store.check_examples(best, example_weights)
            AND _store.check_evidence(lexeme, path, context, subcorpus, counts)
            AND coalesce(_store.counted_path(path, subcorpus), '') IS NOT NULL)
    ),
    _hit AS MATERIALIZED (
        FROM _store.hit_asked('_asked', lexeme, path, context, subcorpus, _store.shown_counts(counts, subcorpus))
    ),
    _drawn AS MATERIALIZED (FROM _store.drawn_hit('_hit', top, sample, seed, sort, best)),
    _line AS (
        FROM _store.placed_line('_drawn', sort, CASE WHEN best THEN coalesce(example_weights, '') END, subcorpus)
    )
    SELECT corpus.name AS corpus, document.name AS document,
        coalesce(sentence.sent_id, '#' || 1 + sentence.id - (
            SELECT min(own.id) FROM _store.sentence AS own WHERE own.corpus_id = corpus.id
        )) AS sentence,
        own.text AS lexeme, _line.path, other.text AS context, _line.position, _line.context_position,
        trim(_store.text_of(_line.words[:_line.first_word - 1])) AS before,
        trim(_store.text_of(_line.words[_line.first_word:_line.last_word])) AS keyword,
        trim(_store.text_of(_line.words[_line.last_word + 1:])) AS after,
        trim(array_to_string(list_transform(_line.words, lambda each: CASE
                WHEN _line.last_position IS NOT NULL
                THEN CASE WHEN each['place'] = _line.position THEN '[' ELSE '' END || each['form']
                    || CASE WHEN each['place'] = _line.last_position THEN ']' ELSE '' END
                WHEN each['node'] = _line.position THEN '[' || each['form'] || ']'
                WHEN each['node'] = _line.context_position THEN '{' || each['form'] || '}'
                ELSE each['form']
            END || each['gap']), '')) AS text,
        CASE WHEN _line.is_direct THEN 'direct' WHEN NOT _line.is_direct THEN 'merged' END AS pair,
        sentence.id AS sentence_number
    FROM (
        SELECT 1
        FROM (SELECT @in_use@) AS _in_use
        CROSS JOIN _store.constants('evidence', row(path, context, @given_to_evidence@)) AS _constants
        WHERE (SELECT _store.check_subcorpus(subcorpus))
    ) AS _checked
    CROSS JOIN _line
    JOIN _store.sentence ON sentence.id = _line.sentence_id
    JOIN _store.corpus ON corpus.id = sentence.corpus_id
    LEFT JOIN _store.document ON document.id = sentence.document_id
    LEFT JOIN _store.lexeme AS own ON own.id = _line.lexeme_id
    LEFT JOIN _store.lexeme AS other ON other.id = _line.context_id
    WHERE _line.place <= coalesce(top, _line.place)
    ORDER BY _line.place ASC
);
