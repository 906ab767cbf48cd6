-- How an APT is smoothed, from its text: none, static, window or offset, and of how many neighbours or how wide a
-- window.
CREATE OR REPLACE MACRO _store.smooth_method(smooth) AS
    split_part(smooth, ':', 1);
CREATE OR REPLACE MACRO _store.smooth_size(smooth) AS
    try_cast(split_part(smooth, ':', 2) AS DOUBLE);

-- Whether the parameters of composition are ones there are; otherwise an error that names the first that is not.
CREATE OR REPLACE MACRO _store.check_composition(weights, @composition_inside@, @own_options@) AS
    CASE
        @composition_checks@
        WHEN NOT coalesce(regexp_full_match(smooth, @smooth_pattern@), false) THEN error(
            'smooth is ' || coalesce('''' || smooth || '''', 'NULL')
            || '; expected none, static:N or offset:N with N neighbours, '
            || 'or window:W with those at most a share W farther '
            || 'away than the nearest, as static:30, offset:30, window:0.1'
        )
        WHEN alpha IS NOT NULL AND smooth = 'none' THEN error(
            'alpha has no effect without smooth: it is how often an APT itself counts beside its neighbours'
        )
        WHEN NOT coalesce(alpha BETWEEN 0 AND 1e100, true) THEN error(
            'alpha is ' || alpha || '; expected 0 or more, at most 1e100'
        )
        WHEN pipeline = 'compose-first' AND _store.scheme(weights) IS DISTINCT FROM 'ppmi' THEN error(
            'weights is ' || weights || ', but compose-first makes ppmi of composed probabilities; leave out weights, '
            || 'or choose compose-second'
        )
        WHEN pipeline = 'compose-first' AND unit THEN error(
            'unit is true, but compose-first merges probabilities, not weights; choose compose-second'
        )
        WHEN pipeline = 'compose-first' AND @held_scope@ = 'all' THEN error(
            'scope is ''all''; compose-first takes only path'
        )
        ELSE true
    END;

-- True where questions about lexemes can be asked with these parameters; otherwise an error that names what is wrong.
CREATE OR REPLACE MACRO _store.check_asked_of_lexemes(questions, weights, @composition_inside@, @own_options@) AS (
    SELECT bool_and(CASE
        WHEN NOT _store.check_options(weights, @own_options@) THEN false
        WHEN NOT _store.check_least_count(given_min_count, @held_subcorpus@, @held_counts@) THEN false
        WHEN NOT _store.check_composition(weights, @composition_inside@, @own_options@) THEN false
        ELSE _store.check_gathered(gathered.asked, gathered.with_phrases)
    END)
    FROM _store.gathered_questions(questions) AS gathered
);

-- True where questions about lexemes or phrases can be asked with these parameters; otherwise an error that names what
-- is wrong. (To plan what is asked of the relations of phrases takes a third of the time of a question about a lexeme.)
CREATE OR REPLACE MACRO _store.check_asked(questions, weights, @composition_inside@, @own_options@) AS
    CASE
        WHEN NOT _store.check_asked_of_lexemes(questions, weights, @composition_inside@, @own_options@) THEN false
        ELSE _store.check_relations(questions, weights, aligned, missing, @held_subcorpus@)
    END;
