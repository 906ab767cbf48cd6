"""Commands that test choices of words: choose."""

from typing import Annotated, Any

import typer

from aptdb.commands.app import command, print_note
from aptdb.commands.evaluations import SHOWN_WORDS, Seed
from aptdb.commands.options import FormatOption, LexiconFile, with_parameters
from aptdb.commands.output import patience, show
from aptdb.core.display import how_many
from aptdb.core.question_parameters import ComparingEach


@command("Evaluate")
@with_parameters(ComparingEach)
def choose(
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
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("choosing"):
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
