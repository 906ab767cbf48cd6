"""Plain values of parameters: what is converted here is what Typer makes of it; errors are Typer's."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer.core
from hypothesis import given
from hypothesis import strategies as st
from typer.main import get_command

from aptdb.commands.app import NotPlainError, Plainly, of_parameter
from support.app import app

TEXTS = (
    "", "0", "-0", "1", "-1", "+1", "007", "1_0", " 1", "1 ", "1.0", "1.", ".5", "0.5", "-2.25", "1e3", "inf", "nan",
    "٣", "99999999999999999999", "70000", "true", "no", "csv", "CSV", "parquet", "spark", "-", ".", "/no/file",
    "/dev/null", "green/ADJ", "caf\u00e9", "\ud800", "a\0b", "\x1b[1m",
)  # fmt: skip


def of_commands(command: Any) -> Iterator[Any]:
    """Yield a group and all commands in it."""
    yield command
    for each in getattr(command, "commands", {}).values():
        yield from of_commands(each)


def kinds() -> dict[tuple[Any, ...], Any]:
    """Return a parameter of each kind that a command has, by what decides how it is converted."""
    found = {}
    for command in of_commands(get_command(app)):
        for each in command.params:
            of = each.type_descriptor
            info = of.parameter_info
            bounds = (info.min, info.max, info.exists, info.file_okay, info.dir_okay, info.path_type, info.allow_dash)
            found[str(of.annotation), each.multiple, each.nargs, info.parser, *bounds] = each
    return found


if not hasattr(typer.core.TyperOption, "get_runtime_param"):
    pytest.skip("this release of Typer converts without Pydantic", allow_module_level=True)
KINDS = kinds()


def typers_of(parameter: Any) -> Any:
    """Return Typer's own conversion of a parameter."""
    return type(parameter).get_runtime_param(parameter)


def outcome(convert: Any, parameter: Any, value: Any) -> tuple[str, Any]:
    """Return the type and text of what a conversion makes of a value, or of its error."""
    try:
        made = convert.coerce(value, param=parameter, ctx=None)
    except Exception as error:
        return type(error).__name__, str(error)
    return type(made).__name__, repr(made)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_same_as_typer(kind: tuple[Any, ...]) -> None:
    """Each text, each default, and none: the value, its type and the words of an error are Typer's."""
    parameter = KINDS[kind]
    typers, ours = typers_of(parameter), Plainly(partial(typers_of, parameter))
    several = parameter.multiple or parameter.nargs == -1
    values: list[Any] = [None, parameter.default]
    values += [[], [*TEXTS[:3]], ["a", "b"], ("a",)] if several else TEXTS
    for value in values:
        assert outcome(ours, parameter, value) == outcome(typers, parameter, value), value


@given(text=st.text() | st.from_regex(r"[-+]?[0-9_.]{0,20}(e[0-9]+)?", fullmatch=True))
def test_any_text(text: str) -> None:
    for parameter in KINDS.values():
        value = [text] if parameter.multiple or parameter.nargs == -1 else text
        try:
            made = of_parameter(value, parameter)
        except NotPlainError:
            continue
        by_typer = typers_of(parameter).coerce(value, param=parameter, ctx=None)
        assert (made, type(made)) == (by_typer, type(by_typer))


def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typer says that a path cannot be read, before anything else is done."""
    monkeypatch.setattr("os.access", lambda *_: False)
    parameter = next(each for kind, each in KINDS.items() if "Path" in kind[0] and each.nargs == 1)
    file = tmp_path / "file"
    file.touch()
    for written in (str(tmp_path), str(file), f"{file}/", f"{file}/."):
        kind, text = outcome(Plainly(partial(typers_of, parameter)), parameter, written)
        assert (kind, "is not readable" in text) == ("BadParameter", True)
