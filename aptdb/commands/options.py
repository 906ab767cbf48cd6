"""The arguments and options that commands share, and how they become the parameters of a question."""

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aptdb.commands.output import Format
from aptdb.errors import PhraseError, QuestionError
from aptdb.phrase import Phrase

if TYPE_CHECKING:
    from aptdb.lexicon import Lexicon

LexiconFile = Annotated[Path, typer.Argument(metavar="LEXICON", readable=False, help="The lexicon: one DuckDB file.")]
Question = Annotated[
    str,
    typer.Argument(
        metavar="X",
        help="A lexeme, as dog/NOUN, a phrase, as 'clothes/NOUN[amod dry/ADJ]', or @FILE, one sentence in CoNLL-U.",
    ),
]
PhraseText = Annotated[
    str,
    typer.Argument(
        metavar="PHRASE",
        help="A tree of lexemes, head first, as 'clothes/NOUN[amod dry/ADJ]', or @FILE, one sentence in CoNLL-U.",
    ),
]
First = Annotated[str, typer.Argument(metavar="A", help="A lexeme or phrase, or @FILE, one sentence in CoNLL-U.")]
Second = Annotated[str, typer.Argument(metavar="B", help="Another.")]
PartOfSpeech = Annotated[
    str, typer.Option("--pos", metavar="TAG", help="Of the neighbours: same, any, or a tag, as NOUN.")
]
LeastTokens = Annotated[
    int | None,
    typer.Option(
        "--min-frequency",
        metavar="N",
        help="The fewest tokens of a neighbour. [default: one per 25,000 of the lexicon, 1 to 50]",
    ),
]
PerPath = Annotated[
    int | None, typer.Option("--per-path", metavar="N", help="Only the N heaviest features of each path.")
]
AsFormat = Annotated[
    Format | None,
    typer.Option("--format", help="How to write the answer: a table on a terminal and tsv into a pipe by default."),
]
BEGUN = re.compile(r"[^\s\[]+\[[^\s\[]+\s")  # a phrase begun, as dog/NOUN[amod small
SCHEMES = "raw_count, probability, pmi, ppmi, lmi, log_dice, log_likelihood"

# The parameters of a question as options. Where one is not given SQL has the default, which its help repeats.
COMPOSITION: dict[str, Any] = {
    "merge": Annotated[
        str | None,
        typer.Option(metavar="RULE", help="How nodes merge: sum, min, max, mult or intersective_add. [default: sum]"),
    ],
    "pipeline": Annotated[
        str | None,
        typer.Option(
            metavar="WHICH",
            help="compose-second composes the weights, compose-first probabilities. [default: compose-second]",
        ),
    ],
    "aligned": Annotated[
        bool | None,
        typer.Option("--aligned/--unaligned", help="Whether words are offset before they merge. [default: aligned]"),
    ],
    "strategy": Annotated[
        str | None,
        typer.Option(
            metavar="HOW",
            help="Merge all words in one-step, or left-to-right, which comes to the same on any tree. "
            "[default: one-step]",
        ),
    ],
    "missing": Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="A word without an APT is an error, or skip leaves it out, skip_unknown only if the lexicon lacks it, "
            "or empty merges nothing in its place. [default: error]",
        ),
    ],
    "context": Annotated[
        str | None,
        typer.Option(
            metavar="NODES",
            help="Only the nodes of the phrase's own tree (internal), only others (external), or all. [default: all]",
        ),
    ],
    "smooth": Annotated[
        str | None,
        typer.Option(
            metavar="HOW",
            help="Add the APTs of nearest neighbours before composing: static:N, offset:N (of a modifier's where it is "
            "moved to), or window:W, all that are at most a share W farther away than the nearest. What is ranked is "
            "left as it is. [default: none]",
        ),
    ],
    "alpha": Annotated[
        float | None,
        typer.Option(
            metavar="N", help="How often an APT itself counts beside its neighbours. [default: as often as N, or found]"
        ),
    ],
}
ANCHOR: dict[str, Any] = {
    "anchor": Annotated[
        int | None,
        typer.Option(metavar="I", help="See a phrase from its I-th word as written; 0: the root's. [default: 0]"),
    ],
}
ANCHOR_B: dict[str, Any] = {
    "anchor_b": Annotated[
        int | None, typer.Option(metavar="I", help="The same for B, where it is another. [default: that of A]")
    ],
}
AMONG: dict[str, Any] = {
    "among": Annotated[
        str | None,
        typer.Option(metavar="WHICH", help="Rank lexemes, entries (aptdb compose --save), or all. [default: lexemes]"),
    ],
}
WEIGHTS: dict[str, Any] = {
    "weights": Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"{SCHEMES}, a weighting of yours (aptdb weigh), or a view of your own. [default: ppmi]",
        ),
    ],
}
SCHEMING: dict[str, Any] = {
    "cds": Annotated[
        float | None, typer.Option(metavar="ALPHA", help="Context distribution smoothing, in (0, 1]. [default: 1]")
    ],
    "cds_total": Annotated[
        str | None, typer.Option(metavar="HOW", help="power_of_sum or sum_of_powers. [default: power_of_sum]")
    ],
    "scope": Annotated[
        str | None,
        typer.Option(metavar="WHICH", help="Features compared within their path, or all: path or all. [default: path]"),
    ],
    "shift": Annotated[
        float | None, typer.Option(metavar="K", help="Take ln K from pmi, K being 1 or more. [default: 1]")
    ],
    "min_count": Annotated[int | None, typer.Option(metavar="N", help="Leave out co-occurrences counted less often.")],
    "min_feature_count": Annotated[
        int | None, typer.Option(metavar="N", help="Leave out features counted less often in all.")
    ],
    "max_order": Annotated[int | None, typer.Option(metavar="N", help="Leave out longer paths.")],
    "top_features": Annotated[
        int | None, typer.Option(metavar="N", help="Leave to each lexeme its N heaviest features.")
    ],
}
PHI: dict[str, Any] = {
    "phi": Annotated[
        str | None,
        typer.Option(
            metavar="WHICH",
            help="Path weighting: constant, harmonic or probability. [default: the weighting's own, or constant]",
        ),
    ],
}
LEAST: dict[str, Any] = {
    "min_frequency": Annotated[int | None, typer.Option(metavar="N", help="Leave out lexemes of fewer tokens.")]
}
MEASURE: dict[str, Any] = {
    "measure": Annotated[
        str | None,
        typer.Option(
            metavar="WHICH",
            help="cosine, lin, jaccard, dice, weeds_precision, weeds_recall, cl, inv_cl or jensen_shannon. "
            "[default: cosine]",
        ),
    ],
}
DEFINING: dict[str, Any] = {**SCHEMING, **LEAST, **PHI}
ASKING: dict[str, Any] = {**WEIGHTS, **SCHEMING, **COMPOSITION, **ANCHOR}
WEIGHING: dict[str, Any] = {**ASKING, **LEAST}
DIFFERING: dict[str, Any] = {**WEIGHING, **ANCHOR_B}
COMPARING: dict[str, Any] = {**MEASURE, **WEIGHING, **ANCHOR_B, **PHI}
RANKING: dict[str, Any] = {**AMONG, **MEASURE, **ASKING, **PHI}
RANKING_EACH: dict[str, Any] = {**AMONG, **MEASURE, **WEIGHTS, **SCHEMING, **COMPOSITION, **PHI}
RANKING_LEXEMES: dict[str, Any] = {**MEASURE, **WEIGHTS, **SCHEMING, **PHI}


def with_parameters(options: Mapping[str, Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options, and hand it those that were given as one dictionary, `parameters`."""

    def widen(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**arguments: Any) -> None:
            parameters = {name: arguments.pop(name) for name in options}
            command(**arguments, parameters={name: value for name, value in parameters.items() if value is not None})

        signature = inspect.signature(command)
        own = [parameter for name, parameter in signature.parameters.items() if name != "parameters"]
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
            for name, annotation in options.items()
        ]
        run.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *added]}
        return run

    return widen


def question(lexicon: "Lexicon", text: str) -> Phrase | str:
    """A lexeme or phrase as it is written on the command line, or as the CoNLL-U file @FILE has it.

    Text that is no phrase, and does not end as one, is a lexeme as it stands, so that "/PUNCT needs no more quotes.
    """
    if text.startswith("@") and Path(text[1:]).is_file():
        phrases = lexicon.phrases(text[1:])
        if len(phrases) > 1:
            raise PhraseError(f"{text[1:]} has {len(phrases)} sentences; a question is about one")
        return phrases[0]
    if text.startswith("@") and text.endswith((".conllu", ".gz")):
        raise QuestionError(f"no file {text[1:]}; @FILE is a file in CoNLL-U")
    try:
        phrase = Phrase.parse(text)
    except PhraseError:
        if text.endswith("]") or BEGUN.match(text):
            raise
        return text
    return phrase if phrase.dependents else phrase.lexeme


def questions(lexicon: "Lexicon", texts: list[str], file: str | None) -> dict[str, Phrase | str]:
    """Several questions by what they are called: as written, one a line of a file, or the sentences of @FILE."""
    asked: dict[str, Phrase | str] = {}
    for text in [*texts, *(lines_of(file) if file else [])]:
        if text.startswith("@") and Path(text[1:]).is_file():
            for phrase in lexicon.phrases(text[1:]):
                asked[name_apart(asked, phrase)] = phrase
        else:
            asked[text] = question(lexicon, text)
    return asked


def name_apart(asked: Mapping[str, Phrase | str], phrase: Phrase) -> str:
    """What a sentence is called: as it is written, with a number where another has its tree in another order."""
    name, number = str(phrase), 1
    while asked.get(name, phrase) != phrase:
        number += 1
        name = f"{phrase} ({number})"
    return name


def several(lexicon: "Lexicon", texts: list[str], file: str | None) -> dict[str, Phrase | str]:
    """Phrases as `questions` reads them, of which there is at least one."""
    if not texts and file is None:
        raise typer.BadParameter(
            "name a phrase, as 'dog/NOUN[amod small/ADJ]', or a --file of them", param_hint="PHRASE"
        )
    return questions(lexicon, texts, file)


def lines_of(file: str) -> list[str]:
    """The lines of a file, or of standard input for -, that are not empty. Raises QuestionError where it has none."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise QuestionError(f"{file} cannot be read: {reason}") from error
    found = [line.strip() for line in text.splitlines() if line.strip()]
    if not found:
        raise QuestionError(f"{file}: no question in it; it has a lexeme or phrase a line, as dog/NOUN")
    return found
