"""What each parameter of a public function means: the rows of the view `aptdb_parameters`.

Declared parameters say it by their declarations in `aptdb/core/`; what the others mean stands here, and nowhere else.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from aptdb.core.parameters import declared, describe_values, is_optional
from aptdb.core.question_parameters import QUESTIONS
from aptdb.core.schemes import SCHEMES, OfSubcorpus, OfWeighting
from aptdb.store.statements import SqlText, literal

ERROR = "an error"  # what NULL is where it stands for nothing
NOTATION = "notation"  # in place of a function: how something is written in all of them
REQUIRED = "must be given"
LEXEME = "'dog/NOUN'"
PHRASE = "[{'lexeme': 'dog/NOUN', 'delta': ''}, {'lexeme': 'small/ADJ', 'delta': '<amod'}]"
LEXEME_OR_PHRASE = f"a lexeme, as {LEXEME}, or a phrase (notation)"
SEARCHED = f"a lexeme, as {LEXEME}, '*' for any, a stored sense, a pattern of words, a phrase, pattern('…') or cql('…')"
OF_TABLE = "text, the name of a table, view or CTE with the columns phrase, lexeme and delta, or lexeme alone"
SUBCORPUS = "text, a name in subcorpora"
TREES = "pattern('…')"
OPTION = re.compile(r"\(aptdb [^)]*\)|--([a-z][a-z-]*)")  # of a question, in the help of a declaration


@dataclass(frozen=True)
class Explained:
    """A parameter: its name, what it does, what it takes, what holds where it is left out, and where it is NULL."""

    parameter: str
    meaning: str
    accepts: str
    default_value: str | None
    if_null: str | None

    def as_sql(self, functions: Iterable[str]) -> str:
        """Return a row of the view for all of its functions, as a literal of SQL."""
        return literal({"functions": [*functions], **asdict(self)})


# Parameters without a declaration, by function; or for all functions that have them, under ''. Each has what it does,
# what it takes, and what NULL does; the default is that of the macro.
OWN: dict[str, dict[str, tuple[str, str, str]]] = {
    "": {
        "p": ("The path.", "a path, as '<amod<obj'", "NULL"),
        "delta": ("The path along which the anchor moves.", "a path, as '<amod'", "NULL"),
        "x": ("What is asked about.", LEXEME_OR_PHRASE, ERROR),
        "phrase": ("The phrase that is asked about.", "a phrase (notation)", ERROR),
        "phrases": ("The table of phrases, a row for each word.", OF_TABLE, ERROR),
        "questions": ("The table of lexemes or phrases, a row for each word.", OF_TABLE, ERROR),
        "a": ("The first of the two that are compared.", LEXEME_OR_PHRASE, ERROR),
        "b": ("The second of the two that are compared.", LEXEME_OR_PHRASE, ERROR),
        "lexeme": ("What is looked for.", SEARCHED, ERROR),
        "path": ("The path from the lexeme to the context.", "a path, as '>amod', or '' for ε", "any path"),
        "context": (
            "What is at the end of the path.",
            f"a lexeme, as {LEXEME}, a stored sense, or a pattern of words",
            "any context",
        ),
        "pattern": ("The construction that is looked for.", TREES, ERROR),
        "by": (
            "What to group by: values of tokens, as V.lemma, 1.form or match, and of texts, as genre; with commas.",
            "text, as 'match, 1.deprel'",
            ERROR,
        ),
    },
    "similarity": {
        "a": ("The first of the two that are compared.", LEXEME_OR_PHRASE, "NULL"),
        "b": ("The second of the two that are compared.", LEXEME_OR_PHRASE, "NULL"),
    },
    "similarity_each": {
        "pairs": (
            "Pairs of questions to compare.",
            "text, the name of a table of pairs, with the columns a and b",
            "each with all that follow it",
        )
    },
    "most_similar": {
        "positive": ("Lexemes that the answers are similar to.", f"a list, as [{LEXEME}]", ERROR),
        "negative": ("Lexemes that the answers are dissimilar to.", f"a list, as [{LEXEME}]", "none"),
    },
    "doesnt_match": {"lexemes": ("The lexemes, three or more.", f"a list, as [{LEXEME}, …]", ERROR)},
    "lexemes": {
        "pattern": ("Show only lexemes that match it, or whose lemma does.", "text, as 'sho*' or 'dog/NOUN'", "all")
    },
    "observed": {"phrase": ("The phrase, or the pattern of trees.", f"a phrase (notation), or {TREES}", ERROR)},
    "plausible": {
        "phrase": ("A phrase with one gap, a word whose lemma is _, as '_/NOUN'.", "a phrase (notation)", ERROR)
    },
    "sketch": {"x": ("The lexeme, or a stored sense of one.", f"text, as {LEXEME} or 'dog/NOUN#1'", ERROR)},
    "sketch_diff": {
        "a": ("The first lexeme.", f"text, as {LEXEME}", ERROR),
        "b": ("The second lexeme.", f"text, as {LEXEME}", "a, in subcorpus_b"),
    },
    "sense_features": {
        "lexeme": ("The lexeme whose senses are shown.", f"text, as {LEXEME}", ERROR),
        "top": ("Show the N most distinctive features of each sense.", "a whole number", ERROR),
    },
    "frames": {
        "lexeme": (
            "What has the frames; of a phrase its head, of a pattern its first node.",
            f"a lexeme, as {LEXEME}, a stored sense, a phrase (notation), or {TREES}",
            ERROR,
        ),
        "leave_out": (
            "Relations to ignore.",
            "a list, as ['punct', 'advmod']; [] for none",
            "function words, adverbs, punctuation, conjuncts and parataxis",
        ),
    },
    "evidence": {"lexeme": ("What is looked for.", SEARCHED, "any lexeme, where path and context are given")},
    "counts_by": {
        "lexeme": ("What is counted.", SEARCHED, "all words; or any lexeme, where path and context are given")
    },
    "trend": {
        "lexeme": ("What is counted.", SEARCHED, "all words; or any lexeme, where path and context are given"),
        "against": ("The alternative, with the same path and context.", SEARCHED, "nothing"),
    },
    "breakdown": {"lexeme": ("What is counted.", SEARCHED, "any lexeme, where path and context are given")},
    "collexemes": {
        "slot": ("The slot: a token of the construction and its attribute.", "text, as 'V.lemma'", ERROR),
        "against": ("Another construction, with a slot of the same name, to compare it with.", TREES, "none"),
    },
    "keyness": {
        "a": ("The subcorpus.", SUBCORPUS, "the whole lexicon, where other is given; else an error"),
        "b": ("The subcorpus that a is compared with.", SUBCORPUS, "all that is not in a"),
    },
    "phrase_keyness": {
        "phrase": ("What is counted.", SEARCHED, ERROR),
        "a": ("The subcorpus.", SUBCORPUS, ERROR),
        "b": ("The subcorpus that a is compared with.", SUBCORPUS, "all that is not in a"),
    },
    "pattern_keyness": {
        "a": ("The subcorpus.", SUBCORPUS, ERROR),
        "b": ("The subcorpus that a is compared with.", SUBCORPUS, "all that is not in a"),
        "by": ("The values of the tokens of a match to compare.", "text, as 'V.lemma' or 'match.lemma'", ERROR),
    },
    "pattern": {"json": ("The pattern of trees.", "text, JSON with nodes and edges (notation)", ERROR)},
    "cql": {"query": ("The query for sequences of tokens.", "text (notation)", ERROR)},
}

# How things are written in all functions and relations: the name, what it means, and how it is written.
WRITTEN = (
    ("lexeme", "A lemma and its part of speech; FROM lexemes lists them.", LEXEME),
    (
        "path",
        "The way from a lexeme to a context, step by step: > goes down to a dependent, < up to a head. '>amod' leads "
        "from a noun to its adjective, '<obj' from an object to its verb, '<amod<obj' from an adjective to the verb "
        "whose object its noun is. A path is reduced: steps up come before steps down.",
        "'>amod', '<obj', '<amod<obj', '<amod>nsubj'",
    ),
    (
        "ε",
        "The empty path. It leads from a lexeme to the word itself, so the context is the lexeme.",
        "'' or 'ε'; relations have ''",
    ),
    (
        "both directions",
        "Each pair is stored from both ends: dog/NOUN >amod small/ADJ and small/ADJ <amod dog/NOUN are one pair, "
        "twice. To count a pair once, choose paths of one direction.",
        "WHERE path LIKE '>%'",
    ),
    (
        "phrase",
        "A list of words, each with the path from it to the root of the phrase (delta, '' for the root). In a table, a "
        "row for each word, with the columns phrase (its name), lexeme and delta.",
        PHRASE,
    ),
    ("pattern of words", "All lexemes whose text or lemma matches: * is any letters, ? is one.", "'*ness', 'whisp?r'"),
    ("regular expression", "All lexemes whose text or lemma it matches as a whole.", "'/(un)?happy/'"),
    ("form", "All tokens with this form, capitals or not; with * and ? also many.", "'form:whispered'"),
    ("stored sense", "A sense of a lexeme by its number; FROM senses lists them.", "'mouse/NOUN#1'"),
    (
        "pattern('…')",
        "A pattern of trees, as JSON: nodes with tests, and edges between them. aptdb evidence FILE 'VERB[obj PRON]' "
        "--show-sql writes it.",
        'pattern(\'{"nodes": [{"name": "V", "tests": [[{"attribute": "upos", "value": "VERB"}]]}, '
        '{"name": "O", "tests": [[{"attribute": "upos", "value": "PRON"}]]}], '
        '"edges": [{"head": "V", "dependent": "O", "relation": "obj"}]}\')',
    ),
    (
        "cql('…')",
        "A sequence of tokens, in the corpus query language: a test of a token in brackets, [] for any token.",
        'cql(\'[upos="ADJ"]{1,2} [upos="NOUN"]\')',
    ),
)


def list_parameter_rows(functions: Iterable[tuple[str, str]]) -> SqlText:
    """Return the rows of the view, as SQL. functions: names with their parameters, as macros declare them.

    Raises LookupError for a parameter that nothing explains.
    """
    rows = {Explained(name, meaning, accepts, None, None): [NOTATION] for name, meaning, accepts in WRITTEN}
    for function, parameters in functions:
        for explained in explain_parameters(function, parameters):
            taking = rows.setdefault(explained, [])
            taking.extend([function] if function not in taking else [])
    ordered = sorted(rows, key=lambda each: each.default_value not in (None, REQUIRED))  # what a call begins with
    return SqlText(",\n    ".join(each.as_sql(rows[each]) for each in ordered))


def explain_parameters(function: str, parameters: str) -> Iterator[Explained]:
    """Yield the parameters of a function in order. parameters: as its macro declares them."""
    dictionary = OfWeighting if function in SCHEMES else QUESTIONS.get(function)
    own = {**OWN[""], **OWN.get(function, {})}
    for each in filter(None, parameters.split(", ")):
        written, _, default = each.partition(" := ")
        name = written.split(" ")[0].strip('"')
        if dictionary and name in declared(dictionary):
            yield explain_declared(dictionary, name)
        elif name not in own:
            yield explain_declared(OfSubcorpus, name)
        else:
            meaning, accepts, if_null = own[name]
            needs_value = not default or (default == "NULL" and if_null == ERROR)
            holds = if_null if default == "NULL" else default
            yield Explained(name, meaning, accepts, REQUIRED if needs_value else holds, if_null)


def explain_declared(dictionary: type, name: str) -> Explained:
    """Return what the declaration of a parameter says of it, with the names that its options have in SQL."""
    parameter = declared(dictionary)[name]
    text, _, default = parameter.help.partition(" [default: ")
    text = OPTION.sub(lambda option: option[1].replace("-", "_") if option[1] else option[0], text)
    accepts = describe_values(dictionary, name)
    meaning = text.format(values=accepts)
    if parameter.default is not None:
        if_null = "all" if is_optional(dictionary, name) else ERROR
        return Explained(name, meaning, accepts, literal(parameter.default), if_null)
    holds = default.removesuffix("]") or ("none" if parameter.unset is None else literal(parameter.unset))
    return Explained(name, meaning, accepts, holds, holds)
