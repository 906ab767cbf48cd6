"""The commands that keep a lexicon in order: corpora, remove, rebuild, verify, compact, migrate."""

from pathlib import Path
from typing import Annotated, Any

import typer

from aptdb.commands.app import command, number_of, print_note
from aptdb.commands.options import AsFormat, LexiconFile, with_parameters
from aptdb.commands.output import Format, chosen, patience, show
from aptdb.commands.progress import counting_up
from aptdb.commands.settings import given_settings
from aptdb.settings import Given

# What verify names that counting the trees anew mends.
COUNTED = {"count", "marginal", "total of the path", "total of the lexeme", "symmetry"} | {
    "lexeme", "path", "node", "cooccurrence",
}  # fmt: skip


@command("Maintain")
def corpora(lexicon: LexiconFile, form: AsFormat = None) -> None:
    """List what went in, and when.

    Each corpus with its kind (trees, or counts that came without any), where it came from, its sentences and tokens,
    the sentences that were skipped, the time, the version that read it, and the sha256 of its unpacked bytes.

    \b
    Example:
      aptdb corpora english.duckdb
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened:
        answer = opened.corpora()
    if chosen(form) is Format.table:
        answer = answer.without("kind", "trees").without("skipped", 0)
        if answer.column("source") == answer.column("name"):
            answer = answer.but("source")
    show(answer, form)


@command("Maintain")
def remove(
    lexicon: LexiconFile,
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="Its name, as aptdb corpora lists it.")],
) -> None:
    """Take a corpus out again.

    Exactly what it added is subtracted, whatever else has been added since.

    \b
    Example:
      aptdb remove english.duckdb en_gum.conllu.gz
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience(f"taking {corpus} out"):
        opened.remove(corpus)
    print_note(f"{corpus} is out of {lexicon}")


@command("Maintain")
@with_parameters(Given)
def rebuild(
    lexicon: LexiconFile,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="NEW", help="Where the new lexicon goes.")],
    *,
    parameters: dict[str, Any],
) -> None:
    """Count the stored trees anew, by other settings.

    The files that they came from are not needed. Settings that are not given stay as they are. Weightings, entries and
    evaluations are not carried over.

    \b
    Example:
      aptdb rebuild english.duckdb --order 3 --exclude-upos PUNCT -o english3.duckdb
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, counting_up("tokens") as progress:
        opened.rebuild(output, progress=progress, **given_settings(parameters))
    print_note(f"{output} is made; see it with: aptdb info {output}")


@command("Maintain")
def verify(lexicon: LexiconFile, form: AsFormat = None) -> None:
    """Prove that a lexicon is sound.

    Everything is counted anew from the stored trees; marginals and totals must be the sums of the counts, counts the
    same from both ends, kept weights those of their definition. Each row that differs is listed, and the exit status
    is 1 then. The file is only read.

    \b
    Example:
      aptdb verify english.duckdb
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, counting_up("tokens") as progress:
        answer = opened.verify(progress=progress)
    if answer.rows or form is not None:
        show(answer, form)
    if not answer.rows:
        print_note(f"{lexicon} is sound: its counts, marginals, totals and kept weights are what its corpora come to")
        return
    wrong = number_of(len(answer.rows), "row")
    print_note(f"{lexicon}: {wrong} not as they must be; {mend_of(set(answer.column('what')), lexicon)}")
    raise typer.Exit(1)


def mend_of(wrong: set[str], lexicon: Path) -> str:
    """What to do about a lexicon in which such things are wrong."""
    kept = {what for what in wrong if what.startswith(("weight of ", "size under "))}
    if wrong == kept:
        names = sorted({what.split(" ", 2)[2] for what in kept})
        return "; ".join(f"weigh again with: aptdb weigh {lexicon} {name} --refresh" for name in names)
    if wrong - kept <= COUNTED:
        return f"the trees are whole: count them anew with: aptdb rebuild {lexicon} -o NEW"
    return "take it from a copy, or make it anew of its corpora's files"


@command("Maintain")
def compact(lexicon: LexiconFile) -> None:
    """Put the counts in order, and give back unused space.

    Additions do so by themselves now and then.

    \b
    Example:
      aptdb compact english.duckdb
    """
    from aptdb.lexicon import Lexicon

    before = lexicon.stat().st_size if lexicon.is_file() else 0
    with Lexicon.open(lexicon) as opened, patience("putting the counts in order"):
        opened.compact()
    print_note(f"{lexicon}: {before / 1e6:,.1f} MB before, {lexicon.stat().st_size / 1e6:,.1f} MB now")


@command("Maintain")
def migrate(
    lexicon: Annotated[Path, typer.Argument(metavar="LEXICON", readable=False, help="A lexicon of an older version.")],
) -> None:
    """Bring an older lexicon up to this version.

    It is changed whole or not at all.

    \b
    Example:
      aptdb migrate english.duckdb
    """
    from aptdb.lexicon import Lexicon
    from aptdb.store import tables

    with patience("migrating"):
        found = Lexicon.migrate(lexicon)
    came = "was up to date" if found == tables.REVISION else f"came from schema {found}"
    print_note(f"{lexicon} is at schema {tables.REVISION}; it {came}")
