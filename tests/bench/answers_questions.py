"""The questions of answers.py: those that go through all parameters, and those that are written out by hand."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from aptdb.core.parameters import declared, write_option
from aptdb.core.question_parameters import Model
from support.cases import read_cases

Values = Mapping[str, tuple[Any, ...]]


@dataclass(frozen=True)
class Question:
    """What is asked of a lexicon: command lines (L is the lexicon), SQL, or Python.

    source: what comes on standard input. of_copy: asked of a copy that may be changed. wording: what is but words in
    the answer, and may read otherwise.
    """

    lexicon: str
    kind: str
    asked: str
    source: str | None = None
    of_copy: bool = False
    wording: tuple[str, ...] = field(default=())

    def text(self) -> str:
        """What tells it from other questions."""
        asked_of = f"{'a copy of ' if self.of_copy else ''}{self.lexicon}" if self.lexicon else "nothing"
        return f"{self.kind}, of {asked_of}: {self.asked}" + (f" < {self.source[:80]!r}" if self.source else "")

    def but(self, answer: str) -> str:
        """The answer without what may read otherwise."""
        for each in self.wording:
            answer = re.sub(each, "…", answer, flags=re.MULTILINE)
        return answer


@dataclass(frozen=True)
class Words:
    """What a lexicon is asked about."""

    word: str
    other: str
    phrase: str
    rival: str
    gap: str
    candidates: str
    more: tuple[str, ...] = ()  # values of weights that only this lexicon has
    shown: str = ""  # what keeps long answers short


WORDS = {
    "demo": Words(
        "leaf/NOUN", "shoot/NOUN", "shoot/NOUN[amod green/ADJ]", "group/NOUN[compound test/NOUN, amod ethnic/ADJ]",
        "shoot/NOUN[amod _/ADJ]", "green/ADJ,six-week/ADJ,old/ADJ",
    ),
    "english": Words(
        "tea/NOUN", "coffee/NOUN", "service/NOUN[amod good/ADJ]",
        "fold/VERB[nsubj he/PRON, obj clothes/NOUN[amod dry/ADJ]]",
        "hotel/NOUN[amod _/ADJ]", "clean/ADJ,financial/ADJ,cheap/ADJ", ("ppmi_10", "tight", "often"), "--per-path 3",
    ),
    "gum": Words(
        "study/NN", "life/NN", "time/NN[amod first/JJ]", "take/VB[obj lunch/NN, nsubj people/NNS]",
        "languages/NNS[amod _/JJ]", "other/JJ,many/JJ,different/JJ", (), "--per-path 3",
    ),
    "small": Words(
        "dog/NOUN", "cat/NOUN", "clothes/NOUN[amod dry/ADJ]",
        "drink/VERB[nsubj woman/NOUN, obj wine/NOUN[amod red/ADJ]]",
        "dog/NOUN[amod _/ADJ]", "small/ADJ,old/ADJ,red/ADJ",
    ),
    "forms": Words(
        "leaf/NOUN", "shoot/NOUN", "shoot/NOUN[amod green/ADJ]", "pruned/VERB[nsubj botanist/NOUN, obj leaves/NOUN]",
        "shoot/NOUN[amod _/ADJ]", "green/ADJ,six-week/ADJ,old/ADJ", (), "--per-path 3",
    ),
}  # fmt: skip

SCHEMES = ("raw_count", "probability", "pmi", "ppmi", "lmi", "log_dice", "log_likelihood")
SCHEMING: Values = {
    "cds": (0.75, 0.5, 1),
    "cds_total": ("sum_of_powers", "power_of_sum"),
    "scope": ("all", "path"),
    "shift": (5, 1, 2.5),
    "min_count": (2, 3),
    "min_feature_count": (5, 20, 1),
    "max_order": (1, 0),
    "top_features": (20, 1, 100),
}
WEIGHTING: Values = {"weights": SCHEMES, **SCHEMING}
COMPOSITION: Values = {
    "merge": ("min", "max", "mult", "intersective_add", "sum"),
    "pipeline": ("compose-first", "compose-second"),
    "aligned": (False, True),
    "strategy": ("left-to-right", "one-step"),
    "missing": ("skip", "empty", "skip_unknown", "error"),
    "context": ("internal", "external", "all"),
    "smooth": ("static:3", "window:0.2", "offset:3", "none"),
    "alpha": (2, 0.5),
}
ANCHOR: Values = {"anchor": (2, 1, 0)}
ANCHOR_B: Values = {"anchor_b": (2, 1)}
LEAST: Values = {"min_frequency": (20, 1)}
AMONG: Values = {"among": ("all", "entries", "lexemes")}
PHI: Values = {"phi": ("harmonic", "probability", "constant")}
MEASURE: Values = {
    "measure": (
        "lin", "jaccard", "dice", "weeds_precision", "weeds_recall", "cl", "inv_cl", "apinc", "bal_apinc",
        "jensen_shannon", "cosine",
    )
}  # fmt: skip
NEAREST: Values = {"top": (3, 0, 1), "pos": ("any", "VERB"), "min_frequency": (1, 30)}
ASKING: Values = {**WEIGHTING, **COMPOSITION}
COMPARING: Values = {**MEASURE, **ASKING, **LEAST, **ANCHOR, **ANCHOR_B, **PHI}
RANKING: Values = {**NEAREST, **AMONG, **MEASURE, **ASKING, **PHI}

# By command: its arguments, what is always said, and what it takes.
TAKES: dict[str, tuple[str, str, Values]] = {
    "apt": ("{phrase}", "{shown}", {"per_path": (1, 2), **ASKING, **LEAST, **ANCHOR}),
    "neighbours": ("{phrase}", "", {**RANKING, **ANCHOR}),
    "similarity": ("{phrase} {rival}", "", COMPARING),
    "explain": ("{phrase} {rival}", "--top 7", COMPARING),
    "explain --differences": (
        "{phrase} {rival}",
        "--per-path 2",
        {"lean": (1.5, 10), **ASKING, **LEAST, **ANCHOR, **ANCHOR_B},
    ),
    "neighbours --in-context": ("{phrase}", "--top 4", {**{k: v for k, v in RANKING.items() if k != "top"}}),
    "fill": ("{gap}", "", RANKING),
    "neighbours --all": ("", "-o out.tsv --top 3 --min-frequency 60", {**MEASURE, **WEIGHTING, **PHI}),
    "export": ("", "-o out.tsv", {**WEIGHTING, **LEAST}),
    "weigh": ("named", "", {"scheme": SCHEMES, **SCHEMING, **LEAST, **PHI}),
}
OF_ONE = {
    "neighbours --all": ["demo"],
    "export": ["demo"],
    "weigh": ["small"],
}  # what takes long, or changes the lexicon
# How many values of each parameter: those that are the same to several commands are gone through with one of them.
FEW = {
    "explain": 2,
    "explain --differences": 2,
    "neighbours --in-context": 2,
    "fill": 2,
    "neighbours --all": 1,
    "export": 1,
    "weigh": 1,
}

# What must be said with a parameter so that it is taken, or changes anything.
WITH: dict[str, str] = {"cds_total": "--set cds=0.75", "alpha": "--smooth static:3"}
EVALUATED: Values = {
    "method": ("per-participant", "mean", "all"),
    "missing": ("zero", "skip_item", "there"),
    "seed": (7,),
    **{k: v for k, v in COMPOSITION.items() if k != "missing"},
    **WEIGHTING, **LEAST, **MEASURE, **PHI,
}  # fmt: skip


def every_question(made: set[str]) -> list[Question]:
    """All questions that can be asked of the lexicons, and with the files, that were made."""
    words = {"demo": WORDS["demo"], "small": WORDS["small"], "other": WORDS["gum" if "gum" in made else "forms"]}
    if "english" in made:
        words["english"] = WORDS["english"]
    return [
        *(each for command in TAKES for each in by_parameter(command, words)),
        *by_evaluation(),
        *by_scheme(words),
        *by_macro(words),
        *(each for each in by_hand() if each.lexicon in made),
    ]


def by_parameter(command: str, words: Mapping[str, Words]) -> Iterator[Question]:
    """A command with each of its parameters and their values, asked of one lexicon after another."""
    arguments, always, takes = TAKES[command]
    names = OF_ONE.get(command, [*words])
    for number, (name, values) in enumerate([("", ("",)), *takes.items()]):
        for turn, value in enumerate(values[: FEW.get(command, len(values))]):
            lexicon = names[(number + turn) % len(names)]
            line = command_line(command, arguments, always, words[lexicon], name, value)
            yield Question(lexicon, "command", line, of_copy=command == "weigh")
    for lexicon in names:
        for weights in words[lexicon].more if "weights" in takes else ():
            line = command_line(command, arguments, always, words[lexicon], "weights", weights)
            yield Question(lexicon, "command", line)


def command_line(command: str, arguments: str, always: str, words: Words, name: str, value: Any) -> str:
    """A command with one parameter."""
    told = {key: f"'{text}'" for key, text in vars(words).items() if isinstance(text, str) and key != "shown"}
    if name == "missing":  # in a phrase of which a word is missing
        told["phrase"] = told["phrase"].replace("]'", ", amod unheard/ADJ]'")
        told["gap"] = told["gap"].replace("]'", ", amod unheard/ADJ]'")
        told["rival"] = told["rival"].replace("]'", ", obl unheard/NOUN]'")
    said = WITH.get(name, "")
    text = f"{command} L {arguments} {always} {said} {option(name, value)}".format(**told | {"shown": words.shown})
    line = " ".join(text.split())
    if command == "weigh":
        return f"{line}\nweightings L"
    return line


def option(name: str, value: Any) -> str:
    """A parameter as an option."""
    own = None if name == "missing" else declared(Model).get(name)  # which evaluate takes in its own way
    return " ".join(write_option(name, value, own)) if name else ""


def by_evaluation() -> Iterator[Question]:
    """An evaluation with each of its parameters."""
    # Why ρ is undefined, in the last column, is said in words.
    for name, values in EVALUATED.items():
        for value in values if name in ("method", "missing") else values[:1]:
            said = WITH.get(name, "")
            line = f"eval ratings L demo.ml2010 --no-record --format csv {said} {option(name, value)}"
            yield Question("demo", "command", " ".join(line.split()), wording=(r"(?<=,)(?:\"[^\"\n]*\"|[^,\"\n]*)$",))
    for name, values in {**WEIGHTING, **LEAST, **MEASURE}.items():
        if name not in ("scope", "max_order"):
            line = f"eval ratings L demo.pairs --no-record --untyped {WITH.get(name, '')} {option(name, values[0])}"
            yield Question("demo", "command", " ".join(line.split()))


def literal(value: Any) -> str:
    """A value as SQL has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else "'" + value.replace("'", "''") + "'"


def by_scheme(words: Mapping[str, Words]) -> Iterator[Question]:
    """Each scheme as a table, and as a function with each parameter that it takes, or refuses."""
    told = "count(*), sum(weight)::DECIMAL(24, 6), min(weight), max(weight)"
    for scheme in SCHEMES:
        for lexicon, asked in words.items():
            where = f"FROM {scheme} WHERE lexeme = '{asked.word}' AND path IN ('', '<obj', '>amod') ORDER BY ALL"
            yield Question(lexicon, "sql", where)
        for name, values in {**SCHEMING, **LEAST}.items():
            given = {"cds_total": "cds := 0.75, "}.get(name, "") + f"{name} := {literal(values[0])}"
            yield Question("demo", "sql", f"SELECT {told} FROM {scheme}({given})")
    for weights, (name, values) in product(("ppmi", "lmi"), {**SCHEMING, **LEAST}.items()):
        if name not in ("scope", "max_order"):
            given = f"weights := '{weights}', {name} := {literal(values[0])}"
            yield Question("demo", "sql", f"SELECT {told} FROM untyped({given})")


def by_macro(words: Mapping[str, Words]) -> Iterator[Question]:
    """Each macro that answers a question, with each parameter that it takes."""
    both = "[{'lexeme': 'shoot/NOUN', 'delta': ''}, {'lexeme': 'green/ADJ', 'delta': '<amod'}]"
    three = (
        "[{'lexeme': 'prune/VERB', 'delta': ''}, {'lexeme': 'leaf/NOUN', 'delta': '<obj'}, "
        "{'lexeme': 'young/ADJ', 'delta': '<amod<obj'}]"
    )
    gap = both.replace("green", "_")
    anchored: Values = {**ASKING, **LEAST, **ANCHOR}
    macros: dict[str, tuple[str, Values]] = {
        "apt": (both, anchored),
        "compose": (three, anchored),
        "neighbours": (both, {**RANKING, **ANCHOR}),
        "similarity": (f"{both}, {three}", COMPARING),
        "explain": (f"{both}, {three}, top := 5", COMPARING),
        "diff": (f"{both}, {three}, per_path := 1", {"lean": (3,), **anchored, **ANCHOR_B}),
        "contextualise": (both, {k: v for k, v in RANKING.items() if k != "top"}),
        "plausible": (gap, RANKING),
        "compose_each": ("'asked'", anchored),
        "neighbours_each": ("'asked'", {**RANKING, **ANCHOR}),
        "similarity_each": ("'asked'", {**MEASURE, **anchored, **PHI}),
    }
    asked = (
        "WITH asked AS (FROM (VALUES ('a', 'shoot/NOUN', ''), ('a', 'green/ADJ', '<amod'), ('b', 'leaf/NOUN', ''), "
        "('b', 'young/ADJ', '<amod')) AS word(phrase, lexeme, delta)) "
    )
    for number, (macro, (arguments, takes)) in enumerate(macros.items()):
        for name, values in [*takes.items()][number % 2 :: 2]:  # the others are asked by commands
            value = values[-1] if name == "weights" else values[0]
            with_it = {"cds_total": ", cds := 0.75", "alpha": ", smooth := 'static:3'"}.get(name, "")
            call = f"{macro}({arguments}{with_it}, {name} := {literal(value)})"
            rows = {"similarity": "SELECT "}.get(macro, "FROM ") + call
            yield Question("demo", "sql", (asked if "asked" in arguments else "") + rows + HEAVIEST.get(macro, ""))
    for lexicon, said in words.items():
        yield Question(lexicon, "sql", f"FROM apt('{said.word}') ORDER BY ALL")
        yield Question(lexicon, "sql", f"FROM neighbours('{said.word}')")
        yield Question(lexicon, "sql", f"SELECT similarity('{said.word}', '{said.other}')")
        yield Question(lexicon, "sql", f"FROM explain('{said.word}', '{said.other}', top := 4)")
        yield Question(lexicon, "sql", f"FROM diff('{said.word}', '{said.other}', per_path := 1)")


HEAVIEST = {
    "apt": " ORDER BY round(weight, 9) DESC, path, context LIMIT 40",
    "compose": " ORDER BY round(weight, 9) DESC, path, context LIMIT 40",
    "compose_each": " ORDER BY phrase, round(weight, 9) DESC, path, context LIMIT 40",
}


WORDING: dict[str, tuple[str, ...]] = {
    "": (),
    "faults": (r"(?<=:\d: ).*$", r"(?<=:\d\d: ).*$"),  # what is wrong is said in words
    "prose": (r"^\S.*[.:]$", r"^  ?aptdb .*$", r"^Treebanks .*$", r"^The demo.*$"),
}


def by_hand() -> Iterator[Question]:
    """The questions that are written out, in cases/questions_by_hand.csv.

    In a command line L is the lexicon. A question of several lines is of a copy, where each line finds what those
    before it have changed; its files are looked at when all are done.
    """
    for kind, lexicon, asked, source, of_copy, wording in read_cases("bench/questions_by_hand")[1]:
        yield Question(lexicon, kind, asked, source or None, bool(of_copy), WORDING[wording])
