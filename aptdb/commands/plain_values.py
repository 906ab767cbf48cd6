"""Plain values of arguments and options, converted without what Typer needs for all others.

From 0.29 on Typer converts by Pydantic, and imports it for each command, also where a text stays a text: 110 ms of
the 430 that a short question takes. So a value that can be meant in one way alone is converted here; all others, and
errors, are Typer's.
"""

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_origin

NUMBERS = {
    int: re.compile(r"-?[0-9]{1,15}", re.ASCII),
    float: re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", re.ASCII),
}


class NotPlainError(Exception):
    """A value that Typer converts, or refuses."""


class Plainly:
    """The conversion of one parameter, in the place of Typer's."""

    def __init__(self, by_typer: Callable[[], Any]) -> None:
        self.by_typer = by_typer

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a value of the parameter's type. Raise Typer's BadParameter for any other."""
        with suppress(NotPlainError):
            return of_parameter(value, param)
        return self.by_typer().coerce(value, param=param, ctx=ctx)


def convert_plainly(parameters: Iterable[Any]) -> None:
    """Let each parameter of a command convert plain values here, where Typer has its parameters convert by Pydantic."""
    for parameter in parameters:
        if hasattr(parameter, "get_runtime_param"):
            parameter.get_runtime_param = partial(Plainly, parameter.get_runtime_param)


def of_parameter(value: Any, parameter: Any) -> Any:
    """Return the value of a parameter, or its values. Raise NotPlainError for what Typer converts."""
    kind, declared = parameter.type_descriptor.annotation, parameter.type_descriptor.parameter_info
    several = parameter.multiple or parameter.nargs == -1
    if value is None:
        return () if several else None
    if declared.parser is not None:
        raise NotPlainError
    if not several:
        return of_type(value, kind, declared)
    if get_origin(kind) is not list or not isinstance(value, list | tuple):
        raise NotPlainError
    return [of_type(each, get_args(kind)[0], declared) for each in value]


def of_type(value: Any, kind: Any, declared: Any) -> Any:
    """Return a value of a type, within what is declared of it. Raise NotPlainError for what Typer converts."""
    if isinstance(value, str) and not is_plain_text(value):
        raise NotPlainError
    if kind is str and isinstance(value, str):
        return value
    if kind in NUMBERS and isinstance(value, str | int | float):
        return read_plain_number(value, kind, declared)
    if kind is Path and isinstance(value, str | Path):
        return convert_path_plainly(value, declared)
    if isinstance(kind, type) and issubclass(kind, Enum):
        with suppress(ValueError):
            return kind(value)
    raise NotPlainError


def is_plain_text(value: str) -> bool:
    """Return whether a text can be written as UTF-8, and has no NUL."""
    try:
        return b"\0" not in value.encode()
    except UnicodeEncodeError:
        return False


def read_plain_number(value: str | float, kind: type, declared: Any) -> float:
    """Return a number within its bounds. Raise NotPlainError for any other, and for what is written unusually."""
    if isinstance(value, str):
        if not NUMBERS[kind].fullmatch(value):
            raise NotPlainError
    elif type(value) not in (kind, int):
        raise NotPlainError
    made: float = kind(value)
    if (declared.min is not None and made < declared.min) or (declared.max is not None and made > declared.max):
        raise NotPlainError
    return made


def convert_path_plainly(value: str | Path, declared: Any) -> Path:
    """Return a path, of which nothing is required but that it can be read if it is there."""
    other = declared.path_type or declared.resolve_path or declared.allow_dash
    if other or declared.exists or declared.writable or not (declared.file_okay and declared.dir_okay):
        raise NotPlainError
    made = Path(value)
    if os.path.exists(made) and not os.access(made, os.R_OK):
        raise NotPlainError
    return made
