-- What a linguist calls the relations of trees: those of Universal Dependencies, and of Stanford Dependencies.

-- A row: a relation of Universal Dependencies, and in words what is met along it from a word, for which % stands: up,
-- at its head, and down, at its dependents.
CREATE OR REPLACE VIEW _store.universal_words AS
FROM (VALUES
    ('acl', 'nouns that a clause of % modifies', 'clauses that modify %'),
    ('acl:relcl', 'nouns that a relative clause of % modifies', 'relative clauses of %'),
    ('advcl', 'predicates with an adverbial clause of %', 'adverbial clauses of %'),
    ('advcl:relcl', 'clauses that a relative clause of % modifies', 'relative clauses of the clause of %'),
    ('advmod', 'words that % modifies as adverb', 'adverbs that modify %'),
    ('amod', 'nouns modified by %', 'adjectives that modify %'),
    ('appos', 'nouns with % in apposition', 'appositions of %'),
    ('aux', 'predicates with % as auxiliary', 'auxiliaries of %'),
    ('aux:pass', 'predicates with % as passive auxiliary', 'passive auxiliaries of %'),
    ('case', 'nouns with % as adposition', 'adpositions of %'),
    ('cc', 'words that % joins to others', 'conjunctions before %'),
    ('cc:preconj', 'words with % before the conjunction', 'preconjunctions of %'),
    ('ccomp', 'predicates with a clause of % as complement', 'clauses that % takes as complement'),
    ('clf', 'words with % as classifier', 'classifiers of %'),
    ('compound', 'compounds with % first', 'compounds with % last'),
    ('compound:prt', 'verbs with % as particle', 'particles of %'),
    ('conj', 'what % is joined to', 'what is joined to %'),
    ('cop', 'predicates with % as copula', 'copulas of %'),
    ('csubj', 'predicates with a clause of % as subject', 'clauses that are subject of %'),
    ('csubj:pass', 'predicates with a clause of % as passive subject', 'clauses that are passive subject of %'),
    ('det', 'nouns with % as determiner', 'determiners of %'),
    ('det:predet', 'nouns with % before the determiner', 'predeterminers of %'),
    ('discourse', 'words with % as discourse element', 'discourse elements of %'),
    ('dislocated', 'words with % dislocated', 'dislocated elements of %'),
    ('expl', 'predicates with % as expletive', 'expletives of %'),
    ('fixed', 'fixed expressions that go on with %', 'words after % in a fixed expression'),
    ('flat', 'first words of names with %', 'words after % in a name'),
    ('goeswith', 'first parts of words with %', 'parts of the word %'),
    ('iobj', 'verbs with % as indirect object', 'indirect objects of %'),
    ('list', 'first items of lists with %', 'items of lists that % begins'),
    ('mark', 'clauses that % introduces', 'words that introduce clauses of %'),
    ('nmod', 'nouns that % modifies', 'nouns that modify %'),
    ('nmod:poss', 'nouns with % as possessor or genitive', 'possessors and genitives of %'),
    ('nsubj', 'predicates with % as subject', 'subjects of %'),
    ('nsubj:outer', 'predicates with % as outer subject', 'outer subjects of %'),
    ('nsubj:pass', 'verbs with % as passive subject', 'passive subjects of %'),
    ('nummod', 'nouns counted by %', 'numbers of %'),
    ('obj', 'verbs with % as object', 'objects of %'),
    ('obl', 'predicates with % as oblique', 'obliques of %'),
    ('obl:agent', 'verbs with % as agent', 'agents of %'),
    ('orphan', 'words beside % where their verb is left out', 'words of % where its verb is left out'),
    ('parataxis', 'clauses beside which % stands', 'clauses beside %'),
    ('punct', 'words with % as punctuation', 'punctuation of %'),
    ('reparandum', 'corrections of %', 'what % corrects'),
    ('vocative', 'predicates with % as vocative', 'vocatives of %'),
    ('xcomp', 'verbs with % as open complement', 'open complements of %')
) AS known (relation, up, down);

-- A row: the same of a relation of Stanford Dependencies that has another name there.
CREATE OR REPLACE VIEW _store.stanford_words AS
FROM (VALUES
    ('abbrev', 'words with % as abbreviation', 'abbreviations of %'),
    ('acomp', 'verbs with % as adjectival complement', 'adjectival complements of %'),
    ('agent', 'verbs with % as agent', 'agents of %'),
    ('attr', 'verbs with % as attribute', 'attributes of %'),
    ('auxpass', 'predicates with % as passive auxiliary', 'passive auxiliaries of %'),
    ('complm', 'clauses that % introduces', 'words that introduce clauses of %'),
    ('csubjpass', 'predicates with a clause of % as passive subject', 'clauses that are passive subject of %'),
    ('dobj', 'verbs with % as object', 'objects of %'),
    ('infmod', 'nouns that an infinitive of % modifies', 'infinitives that modify %'),
    ('mwe', 'fixed expressions with %', 'words of fixed expressions with %'),
    ('neg', 'words that % negates', 'negations of %'),
    ('nn', 'compounds with % first', 'compounds with % last'),
    ('npadvmod', 'words that the noun % modifies as adverb', 'nouns that modify % as adverbs'),
    ('nsubjpass', 'verbs with % as passive subject', 'passive subjects of %'),
    ('num', 'nouns counted by %', 'numbers of %'),
    ('number', 'numbers with %', 'parts of the number %'),
    ('partmod', 'nouns that a participle of % modifies', 'participles that modify %'),
    ('pcomp', 'prepositions with a clause of %', 'clauses after %'),
    ('pobj', 'prepositions before %', 'nouns after %'),
    ('poss', 'what % has', 'possessors of %'),
    ('possessive', 'possessors with %', 'possessive endings of %'),
    ('preconj', 'words with % before the conjunction', 'preconjunctions of %'),
    ('predet', 'nouns with % before the determiner', 'predeterminers of %'),
    ('prep', 'words with the preposition %', 'prepositions after %'),
    ('prt', 'verbs with % as particle', 'particles of %'),
    ('purpcl', 'predicates with a purpose clause of %', 'purpose clauses of %'),
    ('quantmod', 'numbers that % modifies', 'words that modify the number %'),
    ('rcmod', 'nouns that a relative clause of % modifies', 'relative clauses of %'),
    ('tmod', 'predicates with % as time', 'times of %'),
    ('vmod', 'nouns that the verb % modifies', 'verbs that modify %'),
    ('xsubj', 'predicates that % controls as subject', 'controlling subjects of %')
) AS known (relation, up, down);

-- A row: a relation of either, with its words.
CREATE OR REPLACE VIEW _store.relation_words AS
FROM _store.universal_words
UNION ALL
FROM _store.stanford_words;

-- A row: a part of speech of words that are there for grammar, or of punctuation: in Universal Dependencies, and in the
-- Penn Treebank.
CREATE OR REPLACE VIEW _store.function_pos AS
SELECT unnest([
    'ADP', 'AUX', 'CCONJ', 'DET', 'PART', 'PRON', 'PUNCT', 'SCONJ',
    'CC', 'DT', 'EX', 'IN', 'MD', 'PDT', 'POS', 'PRP', 'PRP$', 'RP', 'TO', 'WDT', 'WP', 'WP$', 'WRB',
    '.', ',', ':', '``', '''''', '-LRB-', '-RRB-', 'HYPH', 'NFP'
]) AS pos;

-- A row: a relation of words that are there for grammar, of adverbs and punctuation, and of other clauses that are only
-- put beside a word: none of them belongs to the frame of a word. In Universal Dependencies, where it stands for its
-- subtypes too (aux for aux:pass), and in Stanford Dependencies.
CREATE OR REPLACE VIEW _store.function_relation AS
SELECT unnest([
    'advmod', 'aux', 'case', 'cc', 'clf', 'conj', 'cop', 'det', 'discourse', 'mark', 'parataxis', 'punct', 'auxpass',
    'complm', 'neg', 'possessive', 'preconj', 'predet'
]) AS relation;

-- A row: a part of speech of numbers and symbols, which are words for their own sake but say little of a text: in
-- Universal Dependencies, and in the Penn Treebank.
CREATE OR REPLACE VIEW _store.number_pos AS
SELECT unnest(['NUM', 'SYM', 'CD', 'LS', '$', '#', 'ADD']) AS pos;

-- Whether a lexeme is a content word, by its part of speech: it is not there for grammar, no punctuation, number or
-- symbol. Without a part of speech it is one if its text has a letter.
CREATE OR REPLACE MACRO _store.is_content(tag, text) AS
    CASE
        WHEN coalesce(tag, '_') = '_' THEN regexp_matches(text, '\p{L}')
        ELSE tag NOT IN (SELECT function_pos.pos FROM _store.function_pos)
            AND tag NOT IN (SELECT number_pos.pos FROM _store.number_pos)
    END;

-- A row: a path of the relation named (column path), and in words what a word meets along it: what is said before the
-- word, and after it. Words are put into words, step by step: along <obj>nsubj there are subjects of verbs with it as
-- object. NULL for a path of which a relation has no words.
CREATE OR REPLACE MACRO _store.words_around(paths) AS TABLE (
    WITH _path AS (SELECT DISTINCT path FROM query_table(paths)),
    _walked AS (
        SELECT path, unnest(_store.path_steps(path)) AS step,
            unnest(range(len(_store.path_steps(path)))) AS position
        FROM _path
    ),
    _step AS (SELECT DISTINCT step FROM _walked),
    -- A row: a step, and its words, with % in the place of the word; those of nmod, with the relation beside them, for
    -- nmod:in, of which there are none. NULL where there are none at all.
    _in_words AS (
        SELECT _step.step, coalesce(
            CASE WHEN starts_with(_step.step, '<') THEN known.up ELSE known.down END,
            CASE WHEN starts_with(_step.step, '<') THEN wider.up ELSE wider.down END || ' (' || _step.step[2:] || ')'
        ) AS words
        FROM _step
        LEFT JOIN _store.relation_words AS known ON known.relation = _step.step[2:]
        LEFT JOIN _store.relation_words AS wider
            ON wider.relation = split_part(_step.step[2:], ':', 1) AND NOT contains(_step.step, '%')
    ),
    _said AS (
        SELECT _walked.path, bool_and(step.words IS NOT NULL) AS is_known,
            string_agg(split_part(step.words, '%', 1), '' ORDER BY _walked.position DESC) AS before,
            string_agg(split_part(step.words, '%', 2), '' ORDER BY _walked.position ASC) AS after
        FROM _walked
        JOIN _in_words AS step ON step.step = _walked.step
        GROUP BY _walked.path
    )
    SELECT _path.path,
        CASE WHEN _path.path = '' THEN '' WHEN _said.is_known THEN _said.before END AS before,
        CASE WHEN _path.path = '' THEN ' itself, and words in its place' ELSE _said.after END AS after
    FROM _path
    LEFT JOIN _said ON _said.path = _path.path
);

-- A row: a path of the relation named (column path), and in words what this word meets along it. A path of which a
-- relation has no words stands as it is.
CREATE OR REPLACE MACRO _store.paths_in_words(paths, word) AS TABLE (
    SELECT path, coalesce(before || word || after, path) AS relation FROM _store.words_around(paths)
);
