"""How a lexicon is made: its settings as options, and the small files that some of them name."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from aptdb.errors import SettingsError

# The settings of a lexicon as options. Where one is not given, a new lexicon has the default and an old one its own.
SETTINGS: dict[str, Any] = {
    "order": Annotated[
        int | None, typer.Option(metavar="N", help="The most steps of a path, 0 to 6. [default for a new one: 2]")
    ],
    "lexeme": Annotated[
        str | None,
        typer.Option(
            metavar="TEMPLATE",
            help="Of {lemma}, {form}, {stem}, {upos}, {xpos}. [default for a new one: {lemma}/{upos}]",
        ),
    ],
    "lowercase": Annotated[
        bool | None,
        typer.Option("--lowercase/--no-lowercase", help="Lower-case form and lemma. [default for a new one: yes]"),
    ],
    "nfc": Annotated[
        bool | None,
        typer.Option("--nfc/--no-nfc", help="Put form and lemma in Unicode's NFC. [default for a new one: no]"),
    ],
    "stemmer": Annotated[
        str | None,
        typer.Option(metavar="LANGUAGE", help="Of {stem}, as english or german. [default for a new one: english]"),
    ],
    "exclude_upos": Annotated[
        str | None,
        typer.Option(metavar="TAG,...", help="Tags that are neither lexeme nor context, as PUNCT,SYM. [default: none]"),
    ],
    "min_token_length": Annotated[
        int | None,
        typer.Option(metavar="N", help="Words of fewer characters are neither lexeme nor context. [default: 0]"),
    ],
    "stop_list": Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Words, or lexemes, that are neither lexeme nor context, one a line."),
    ],
    "pos_map": Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Other names for tags: a line for each, the tag, a tab and the other. --exclude-upos means these.",
        ),
    ],
    "relations": Annotated[
        str | None,
        typer.Option(metavar="WHICH", help="full, or universal: without :subtype. [default for a new one: full]"),
    ],
    "relation_map": Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Other names for relations, in the same way. --exclude-relations and --join mean these.",
        ),
    ],
    "exclude_relations": Annotated[
        str | None,
        typer.Option(metavar="REL,...", help="Relations that are cut, as punct,cc. [default: none]"),
    ],
    "join": Annotated[
        str | None,
        typer.Option(
            metavar="REL,...",
            help="Relations by which words are one lexeme, as fixed,flat,compound: new_york/PROPN. [default: none]",
        ),
    ],
}


def given_settings(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Settings from what was given as options: lists from between commas, and what stands in files."""
    return {name: FROM_OPTION[name](value) if name in FROM_OPTION else value for name, value in parameters.items()}


def names_between_commas(text: str) -> list[str]:
    """Names between commas; none for no text."""
    return [name.strip() for name in text.split(",")] if text else []


def listed(file: str) -> list[str]:
    """The words of a file, one a line."""
    return [word for _, word in lines_of(file)]


def mapped(file: str) -> dict[str, str]:
    """The names of a file by those that they stand for. Raises SettingsError for a line that is not of two."""
    found: dict[str, str] = {}
    for number, line in lines_of(file):
        names = [name.strip() for name in line.split("\t")]
        if len(names) != 2 or not all(names):  # noqa: PLR2004
            raise SettingsError(f"{file}:{number}: {line!r}; a line has a name, a tab and the name to use instead")
        if found.setdefault(names[0], names[1]) != names[1]:
            raise SettingsError(f"{file}:{number}: {names[0]} is {found[names[0]]} already, and here {names[1]}")
    return found


def lines_of(file: str) -> list[tuple[int, str]]:
    """The lines of a text file that hold something and are no comment, with their numbers. Raises SettingsError."""
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SettingsError(f"{file} cannot be read: {reason}") from error
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in lines if line and not line.startswith("# ")]


FROM_OPTION: dict[str, Callable[[str], Any]] = {
    "exclude_upos": names_between_commas,
    "exclude_relations": names_between_commas,
    "join": names_between_commas,
    "stop_list": listed,
    "pos_map": mapped,
    "relation_map": mapped,
}
