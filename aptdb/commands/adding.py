"""The commands about a lexicon as a whole: add, info, migrate."""

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from aptdb.commands.app import app, print_note
from aptdb.commands.making import SETTINGS, given_settings
from aptdb.commands.options import AsFormat, LexiconFile, with_parameters
from aptdb.commands.output import patience, show
from aptdb.commands.progress import following
from aptdb.errors import AptError
from aptdb.result import Result


@app.command()
@with_parameters(SETTINGS)
def add(
    lexicon: LexiconFile,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="CoNLL-U, also as .gz; - is standard input.")],
    name: Annotated[str | None, typer.Option(help="What the corpus is called. [default: the file's name]")] = None,
    again: Annotated[bool, typer.Option("--again", help="Count content that is in already once more.")] = False,
    form: AsFormat = None,
    *,
    parameters: dict[str, Any],
) -> None:
    """Add parsed corpora to a lexicon.

    A lexicon that is not there yet is made. Each file goes in whole or not at all. The settings (order to
    join) are fixed when a lexicon is made.

    \b
    Example:
      aptdb add english.duckdb en_ewt.conllu en_gum.conllu.gz --order 2
    """
    from aptdb.lexicon import Lexicon

    if name is not None and len(files) > 1:
        raise typer.BadParameter("a name is for one corpus; add the files one by one", param_hint="--name")
    done: list[tuple[str, int, int]] = []
    with Lexicon.open(lexicon, create=True, **given_settings(parameters)) as opened:
        try:
            for file in files:
                with following(file) as progress:
                    addition = opened.add(file, name=name, again=again, progress=progress)
                done.append((addition.corpus, addition.sentences, addition.tokens))
        except (AptError, KeyboardInterrupt):
            if done:
                print_note(f"{', '.join(row[0] for row in done)} went in; then:")
            raise
    show(Result(("corpus", "sentences", "tokens"), ("VARCHAR", "BIGINT", "BIGINT"), done), form)


@app.command()
def info(lexicon: LexiconFile, form: AsFormat = None) -> None:
    """Show a lexicon's settings, corpora and sizes.

    \b
    Example:
      aptdb info english.duckdb
    """
    from aptdb.lexicon import Lexicon

    with Lexicon.open(lexicon) as opened, patience("looking"):
        sizes, corpora = opened.info(), opened.corpora()
    went_in = [
        (
            "corpus",
            f"{row['name']}: {row['sentences']:,} sentences, {row['tokens']:,} tokens, {row['added_at']:%Y-%m-%d}",
        )
        for row in corpora
    ]
    show(Result(sizes.columns, sizes.types, [*sizes.rows, *went_in]), form)


@app.command()
def migrate(lexicon: Annotated[Path, typer.Argument(metavar="LEXICON", help="A lexicon of an older version.")]) -> None:
    """Bring an older lexicon up to this version.

    It is changed whole or not at all.

    \b
    Example:
      aptdb migrate english.duckdb
    """
    from aptdb import schema, tables
    from aptdb.database import Database
    from aptdb.errors import LexiconError

    if not lexicon.is_file():
        raise LexiconError(f"no lexicon {lexicon}; make one with: aptdb add {lexicon} FILE.conllu")
    with closing(Database(lexicon, read_only=False)) as database, patience("migrating"):
        found = schema.migrate(database)
    came = "was up to date" if found == tables.REVISION else f"came from schema {found}"
    print_note(f"{lexicon} is at schema {tables.REVISION}; it {came}")
