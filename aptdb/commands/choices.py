"""Commands that test choices of words: choose, rate-substitutes."""

from typing import Annotated, Any

import typer

from aptdb.commands.app import command, print_note
from aptdb.commands.evaluations import SHOWN_WORDS, Seed
from aptdb.commands.options import FormatOption, LexiconFile, open_lexicon, options_of, with_parameters
from aptdb.commands.output import report_waiting, show
from aptdb.commands.progress import counting_up
from aptdb.core.display import how_many
from aptdb.core.question_parameters import ComparingEach

OF_ITEMS = {name: each for name, each in options_of(ComparingEach).items() if name not in ("anchor", "missing")}


@command("choose", "Evaluate")
@with_parameters(ComparingEach)
def print_choice(
    lexicon: LexiconFile,
    questions: Annotated[
        str, typer.Argument(metavar="QUESTIONS", help="A CSV or TSV file of questions; - is standard input.")
    ],
    sentences: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="The sentences of the questions with a gap, parsed, as CoNLL-U, in their order."
        ),
    ] = None,
    seed: Seed = 1,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Choose among candidates: what fills a gap, or is most like a phrase.

    The file has a header with the columns question, answer (a candidate, or the name of its column), and candidates
    with | between them, or a column for each. A question with a gap (_) is a sentence: chosen is what goes best with
    its content words in the stored sentences, by ppmi. Any other is a word or a phrase: chosen is what is most similar
    to it, best in a space (--space).

    \b
    Examples:
      aptdb choose english.duckdb sentences.csv
      aptdb choose english.duckdb phrases.csv --space words
    """
    with open_lexicon(lexicon) as opened, report_waiting("choosing"):
        answer = opened.choose(questions, sentences=sentences, seed=seed, **parameters)
    show(answer, format)
    interval = "" if answer.low is None or answer.high is None else f" [{answer.low:.3f}, {answer.high:.3f}]"
    print_note(
        f"{answer.accuracy:.3f}{interval} of {how_many(len(answer), 'question')} right; a guess is {answer.chance:.3f}"
    )
    if answer.unknown:
        print_note(f"without a score, since this lexicon lacks them: {', '.join(answer.unknown)}")
    if answer.left_out:
        more = f", … ({len(answer.left_out):,})" if len(answer.left_out) > SHOWN_WORDS else ""
        shown = ", ".join(answer.left_out[:SHOWN_WORDS])
        print_note(f"words of sentences that this lexicon lacks, and that are left out: {shown}{more}")


@command("rate-substitutes", "Evaluate")
@with_parameters(OF_ITEMS)
def print_rated_substitutes(
    lexicon: LexiconFile,
    gold: Annotated[
        str, typer.Argument(metavar="GOLD", help="A file of substitutes, as bright.a 1 :: intelligent 3;clever 2;")
    ],
    sentences: Annotated[
        str,
        typer.Argument(
            metavar="SENTENCES",
            help="Their sentences: CoNLL-U with the comments # instance = bright.a 1 and # target = 13; or, with "
            "--parser, XML or lines of bright.a, 1, place from 0, sentence, with tabs between them.",
        ),
    ],
    parser: Annotated[
        str | None, typer.Option(metavar="KIND:MODEL", help="A parser for sentences without trees, e.g. spacy:MODEL.")
    ] = None,
    seed: Seed = 1,
    format: FormatOption = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Compare substitutes with those that people gave.

    The files are those of lexical substitution (SemEval 2007). Each word is composed with the words near it in its
    sentence, and ranks all substitutes that people gave for it anywhere: GAP says how near that is to their order, 1 at
    most. P@1 is the share of items whose best substitute of all lexemes is one that people gave.

    \b
    Example:
      aptdb rate-substitutes english.duckdb gold.txt sentences.conllu --merge min
    """
    with open_lexicon(lexicon) as opened, counting_up("items") as progress:
        answer = opened.rate_substitutes(gold, sentences, parser=parser, seed=seed, progress=progress, **parameters)
    show(answer, format)
    print_note(
        f"{how_many(len(answer), 'item')}: GAP {with_limits(answer.gap)}, of the word alone "
        f"{with_limits(answer.gap_alone)}; P@1 {with_limits(answer.right)}"
    )
    if answer.missing:
        more = f", … ({len(answer.missing):,})" if len(answer.missing) > SHOWN_WORDS else ""
        shown = f"{', '.join(answer.missing[:SHOWN_WORDS])}{more}"
        print_note(f"left out, without a sentence, a counted word or a substitute of one word: {shown}")


def with_limits(value: tuple[float | None, float | None, float | None]) -> str:
    """Return a number with its interval."""
    number, low, high = value
    return f"{number or 0:.3f}" + ("" if low is None or high is None else f" [{low:.3f}, {high:.3f}]")
