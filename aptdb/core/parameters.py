"""Declaration of parameters, and everything derived from it: types, allowed values, help, signatures."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from inspect import Signature
from numbers import Integral, Number
from pathlib import Path
from textwrap import fill
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Unpack, cast, get_args, get_origin, get_type_hints

from aptdb.core.errors import QuestionError, refuse_no_file_name

Function = TypeVar("Function", bound=Callable[..., Any])

WIDTH = 100  # letters in a line of documentation


class Group(StrEnum):
    """The groups of parameters, in the order in which help shows them."""

    ANSWER = "Answer"
    VECTORS = "Vectors"
    WEIGHTS = "Weights"
    PHRASES = "Phrases"
    SETTINGS = "How the lexicon counts"


@dataclass(frozen=True)
class Parameter:
    """The declaration of a parameter, besides its name and type.

    help: what it does, as its option says it; `{values}` in it is the list of its values.
    default: its default value; None where that means not given.
    unset: what holds where it is not given.
    least, above, most, below: bounds of numbers.
    metavar: how the option calls its value. flag: the option's own spelling, where it has two.
    inner: its name within macros, where its own is that of a column.
    in_sql: whether the question's macro takes it, or only Python and the command line.
    of_paths: whether it is about paths, so that weights without paths do not take it.
    rare: whether the command line takes it by --set, and has no option for it.
    """

    group: Group
    help: str
    default: Any = None
    unset: Any = None
    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None
    metavar: str = "N"
    flag: str | None = None
    inner: str | None = None
    in_sql: bool = True
    of_paths: bool = False
    rare: bool = False

    @property
    def expected(self) -> str:
        """Return its bounds in the words of an error: 0 or more, 1 to 20, above 0 and at most 1; '' without bounds."""
        bounds = {"least": self.least, "above": self.above, "at most": self.most, "below": self.below}
        shown = {word: f"{bound:g}".replace("e+0", "e") for word, bound in bounds.items() if bound is not None}
        if "least" in shown:
            return f"{shown['least']} to {shown['at most']}" if "at most" in shown else f"{shown['least']} or more"
        return " and ".join(f"{word} {bound}" for word, bound in shown.items())


def write_option(name: str, value: Any, parameter: Parameter | None = None) -> list[str]:
    """Return the words by which the command line gives a parameter a value. parameter: its declaration."""
    spelled = f"--{name.replace('_', '-')}"
    if parameter is not None and parameter.rare:
        return ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    if not isinstance(value, bool):
        return [spelled, str(value)]
    on, _, off = ((parameter and parameter.flag) or spelled).partition("/")
    return [on if value else off]


@cache
def declared(dictionary: type) -> dict[str, Parameter]:
    """Return the parameters of a dictionary by name, group by group."""
    found = {name: parameter for name, (_, parameter) in split_declarations(dictionary).items()}
    order = [*Group]
    return dict(sorted(found.items(), key=lambda item: order.index(item[1].group)))


@cache
def split_declarations(dictionary: type) -> dict[str, tuple[Any, Parameter]]:
    """Return the type of each parameter of a dictionary (without None), and its declaration."""
    annotated = get_type_hints(dictionary, include_extras=True).items()
    found = {name: get_args(kind)[:2] for name, kind in annotated if get_origin(kind) is Annotated}
    return {name: (without_none(kind), parameter) for name, (kind, parameter) in found.items()}


def without_none(kind: Any) -> Any:
    """Return an optional type without None."""
    others = [each for each in get_args(kind) if each is not type(None)]
    return others[0] if type(None) in get_args(kind) else kind


def find_plain_type(dictionary: type, name: str) -> type:
    """Return the plain type of a parameter's values: str, int, float, bool or list."""
    kind = split_declarations(dictionary)[name][0]
    if get_origin(kind) is Literal:
        return str
    return list if get_origin(kind) else kind


def list_allowed_values(dictionary: type, name: str) -> tuple[str, ...]:
    """Return the allowed values of a parameter if they are a list; else ()."""
    kind = split_declarations(dictionary)[name][0]
    return get_args(kind) if get_origin(kind) is Literal else ()


def is_optional(dictionary: type, name: str) -> bool:
    """Return whether None is a value of a parameter, besides being not given."""
    return NoneType in get_args(get_args(get_type_hints(dictionary, include_extras=True)[name])[0])


def describe_values(dictionary: type, name: str) -> str:
    """Return what a parameter takes in words: its values, or its type and bounds."""
    parameter, kind = declared(dictionary)[name], find_plain_type(dictionary, name)
    words = {int: "a whole number", float: "a number", str: "text", bool: "true, false", list: "a list"}[kind]
    bounds = f", {parameter.expected}" if parameter.expected else ""
    return ", ".join(list_allowed_values(dictionary, name)) or words + bounds


def read_as_declared(dictionary: type, name: str, text: str) -> Any:
    """Return the recorded value of a parameter of a dictionary; the text of others. Raise ValueError if it is none."""
    if name not in declared(dictionary):
        return text
    kind = find_plain_type(dictionary, name)
    return text.lower() == "true" if kind is bool else kind(text)


def help_of(dictionary: type, name: str) -> str:
    """Return the help of a parameter, with its values and its default."""
    parameter = declared(dictionary)[name]
    text = parameter.help.format(values=", ".join(list_allowed_values(dictionary, name)))
    known = parameter.unset if parameter.default is None else parameter.default
    if parameter.flag and known is not None:
        known = parameter.flag.split("/")[0 if known else 1].removeprefix("--")
    return text if known is None or "[default" in text else f"{text} [default: {known}]"


def spelled_out(function: Callable[..., Any], *, skip: int = 0) -> Signature:
    """Return the signature of a function with each parameter of its `**parameters` by itself, by its default.

    The dictionary that these are is given by `Unpack[...]` or, where each may be a list, `Annotated[Any, ...]`: a type
    checker cannot make a second dictionary, of lists, from a first, and each parameter is declared only once.
    skip: how many of its first parameters are left out.
    """
    signature = inspect.signature(function)
    own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD][skip:]
    several, dictionary = dictionary_of(function)
    if dictionary is None:
        return signature.replace(parameters=own)
    keyword, names = inspect.Parameter.KEYWORD_ONLY, {each.name for each in own}
    added = [
        inspect.Parameter(
            name,
            keyword,
            default=defaults(dictionary).get(name),
            annotation=kind | Sequence[kind] if several else kind,  # type: ignore[valid-type]
        )
        for name, kind in get_type_hints(dictionary).items()
        if name not in names
    ]
    order = [*declared(dictionary)]
    added.sort(key=lambda each: order.index(each.name) if order else 0)
    return signature.replace(parameters=[*own, *added])


KINDS: dict[Any, str] = {
    str: "text",
    Path: "the name of a file",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    NoneType: "None",
}


def refuse_no_files(taken: Signature, arguments: Iterable[object], parameters: Mapping[str, object]) -> None:
    """Raise LexiconError for an argument that should be a file and cannot be the name of one."""
    for name, kinds, value in of_simple_kinds(taken, arguments, parameters):
        if Path in kinds and not (value is None and NoneType in kinds):
            refuse_no_file_name(name, value)


def refuse_other_kinds(taken: Signature, arguments: Iterable[object], parameters: Mapping[str, object]) -> None:
    """Raise QuestionError for an argument that is not of the kind of its parameter, such as a number for text.

    Call it after a function has failed: most say better themselves what they expect.
    """
    for name, kinds, value in of_simple_kinds(taken, arguments, parameters):
        wider = {Integral for kind in kinds if kind is int} | {
            Number for kind in kinds if kind is float
        }  # as numpy has
        if not isinstance(value, tuple(kinds | wider)):
            expected = " or ".join(KINDS[kind] for kind in KINDS if kind in kinds)
            raise QuestionError(f"{name} is {value!r:.60}; expected {expected}")


def of_simple_kinds(
    taken: Signature, arguments: Iterable[object], parameters: Mapping[str, object]
) -> Iterator[tuple[str, set[Any], object]]:
    """Yield each argument whose parameter takes nothing but KINDS: its name, these kinds, and its value."""
    try:
        given = taken.bind(*arguments, **parameters).arguments
    except TypeError:  # something is missing, or too much; Python says what when the function is called
        return
    for name, value in given.items():
        parameter = taken.parameters[name]
        kind = parameter.annotation
        kinds = {*get_args(kind)} if isinstance(kind, UnionType) else {kind}
        if parameter.kind is not parameter.VAR_POSITIONAL and kinds <= KINDS.keys():
            yield name, kinds, value


def with_parameters_spelled_out(function: Function) -> Function:
    """Return a function whose signature and docstring list each parameter of its `**parameters`."""
    function.__doc__ = documented(function)
    function.__signature__ = spelled_out(function)  # type: ignore[attr-defined]
    return function


def documented(function: Callable[..., Any], example: str = "") -> str:
    """Return the docstring of a function with an example and each parameter of its `**parameters`, group by group."""
    docstring = inspect.cleandoc(function.__doc__ or "") + (f"\n\n>>> {example}" if example else "")
    dictionary = dictionary_of(function)[1]
    if dictionary is None:
        return docstring
    groups: dict[str, list[str]] = {}
    for name, parameter in declared(dictionary).items():
        text = f"{name}: {help_of(dictionary, name)}"
        line = fill(text, WIDTH, initial_indent="    ", subsequent_indent="        ", break_on_hyphens=False)
        groups.setdefault(parameter.group.value, []).append(line)
    return "\n\n".join([docstring, *("\n".join([f"{group}:", *lines]) for group, lines in groups.items())])


def dictionary_of(function: Callable[..., Any]) -> tuple[bool, type | None]:
    """Return the dictionary type of a function's `**parameters`, or None; and whether each may be a list."""
    annotations: dict[str, Any] = function.__annotations__
    for kind in annotations.values():
        if get_origin(kind) is Unpack:
            return False, cast(type, get_args(kind)[0])
        if get_origin(kind) is Annotated:
            return True, cast(type, get_args(kind)[1])
    return False, None


def defaults(dictionary: type) -> dict[str, Any]:
    """Return the defaults of a dictionary's parameters that have one."""
    return {name: each.default for name, each in declared(dictionary).items() if each.default is not None}
