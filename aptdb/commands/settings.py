"""Turns options into the settings of a lexicon, and reads the small files that some of them name."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from aptdb.errors import SettingsError


def given_settings(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Settings from the given options: lists from text with commas, and the contents of files."""
    return {name: FROM_OPTION[name](value) if name in FROM_OPTION else value for name, value in parameters.items()}


def names_between_commas(text: str) -> list[str]:
    """The names between commas; none if the text is empty."""
    return [name.strip() for name in text.split(",")] if text else []


def values_by_name(written: Sequence[str], option: str) -> dict[str, str]:
    """Values by names, from NAME=VALUE. Raises an error that names the option."""
    found: dict[str, str] = {}
    for each in written:
        name, sign, value = (part.strip() for part in each.partition("="))
        if not (name and sign and value):
            raise typer.BadParameter(f"{each!r} is no NAME=VALUE, e.g. period=1890s", param_hint=option)
        if found.setdefault(name, value) != value:
            raise typer.BadParameter(f"{name} is {found[name]} and {value}; give one", param_hint=option)
    return found


def listed(file: str) -> list[str]:
    """The words of a file, one on each line."""
    return [word for _, word in lines_of(file)]


def mapped(file: str) -> dict[str, str]:
    """New names by old names, from a file. Raises SettingsError for a line that does not have two names."""
    found: dict[str, str] = {}
    for number, line in lines_of(file):
        names = [name.strip() for name in line.split("\t")]
        if len(names) != 2 or not all(names):  # noqa: PLR2004
            raise SettingsError(f"{file}:{number}: {line!r}; a line has a name, a tab and the name to use instead")
        if found.setdefault(names[0], names[1]) != names[1]:
            raise SettingsError(f"{file}:{number}: {names[0]} becomes {found[names[0]]} before, and {names[1]} here")
    return found


def lines_of(file: str) -> list[tuple[int, str]]:
    """The lines of a text file, with their numbers, except empty lines and comments. Raises SettingsError."""
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
