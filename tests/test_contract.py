"""What users hold on to: relations and macros in SQL, commands, and names in Python; kept in contract.txt.

A change of it shows as a change of that file. Run as a program, this file renews it. What a release promised is the
file as it was at a commit, with which all later ones are compared.
"""

import difflib
import inspect
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_type_hints, is_typeddict

import duckdb
import pytest
from typer.main import get_command

import aptdb
from aptdb.commands.app import keys_of
from aptdb.commands.completion.shape import OF_PROGRAM
from aptdb.core.composition import Composition
from aptdb.core.parameters import declared
from aptdb.core.schemes import OfWeighting
from aptdb.core.vector_parameters import PathWeighting
from aptdb.store.methods import Part
from aptdb.store.old_names import OLD_NAMES, Kind, Old
from support.app import app
from support.lexicons import make_lexicon, new_lexicon

CONTRACT = Path(__file__).parent / "contract.txt"
RELEASED = {"1.0.0rc1": "f069dcf"}  # of each version, a commit that has its contract
CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"
UNRELEASED = "0.1.0"  # the versions up to this one went to nobody
KINDS: dict[str, Kind] = {
    "Relations in SQL": "sql", "Macros in SQL": "sql", "Commands": "command line", "Names in Python": "python"
}  # fmt: skip
WORDS = [("Dogs", "dog", "NOUN", 2, "nsubj"), ("bark", "bark", "VERB", 0, "root")]
SENTENCE = [dict(zip(("form", "lemma", "upos", "head", "deprel"), word, strict=True)) for word in WORDS]
QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
SPECIAL = ("__enter__", "__exit__", "__iter__", "__len__", "__str__")
NOT_MADE_BY_CALLING = ("Lexicon", "Lexeme")  # one is opened, the other looked up in it


def contract(folder: Path) -> str:
    """The whole of it as text, a line for each thing that a user may name."""
    file = folder / "contract.duckdb"
    with new_lexicon(file, [SENTENCE], name="barking") as lexicon:
        held = sorted(name for name in vars(lexicon) if not name.startswith("_"))
    with duckdb.connect(str(file), read_only=True) as client:
        sections = {
            "Relations in SQL": relations(client),
            "Macros in SQL": macros(client, folder),
            "Commands": commands(get_command(app), "aptdb"),
            "Names in Python": names(held),
        }
        return "\n".join(
            line for heading, lines in sections.items() for line in (heading, "=" * len(heading), "", *lines)
        )


def relations(client: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Each public table or view with its columns."""
    found = client.execute(
        "SELECT table_name, list(column_name || ' ' || data_type ORDER BY column_index) FROM duckdb_columns() "
        "WHERE schema_name = 'main' AND NOT internal AND database_name = current_database() GROUP BY ALL ORDER BY ALL"
    )
    for name, columns in found.fetchall():
        yield from (name, *(f"    {column}" for column in columns), "")


def macros(client: duckdb.DuckDBPyConnection, folder: Path) -> Iterator[str]:
    """Each public macro: what each of its overloads is given, a line for each, then what can be given by name."""
    for name, kind, overloads in exported(client, folder):
        yield f"{name} ({kind})"
        before: list[str] = []
        for parameters in overloads:
            told = [f"{each} {rest}".strip() for each, rest in parameters]
            by_name = [each for each in told if " := " in each]
            if before and by_name != before:
                yield from (f"        {each}" for each in before)
            yield f"    {', '.join(each for each in told if each not in by_name) or '()'}"
            before = by_name
        yield from (f"        {each}" for each in before)
        yield ""


Overloads = list[list[tuple[str, str]]]


def exported(client: duckdb.DuckDBPyConnection, folder: Path) -> list[tuple[str, str, Overloads]]:
    """The macros of the schema main: name, kind, and of each overload the parameters, each with its type or default.

    duckdb_functions() does not tell the defaults; what DuckDB exports does.
    """
    client.execute(f"EXPORT DATABASE '{folder / 'exported'}'")
    found = []
    for statement in (folder / "exported" / "schema.sql").read_text(encoding="utf-8").splitlines():
        head = re.match(r'CREATE MACRO (?:main\.)?("\w+"|\w+) ?(?=\()', statement)
        if head:
            overloads, rest = [], statement[head.end() :]
            while rest.startswith("("):
                parameters, rest = in_brackets(rest)
                overloads.append([parameter(each) for each in between_commas(parameters)])
                kind = "a table" if rest.startswith(" AS TABLE ") else "a value"
                _, rest = in_brackets(rest.removeprefix(" AS").removeprefix(" TABLE").lstrip())
                rest = rest.removeprefix(",").lstrip()
            found.append((head[1].strip('"'), kind, overloads))
    return sorted(found)


def in_brackets(text: str) -> tuple[str, str]:
    """What stands in the brackets that a text begins with, and what comes after them."""
    depth = 0
    bare = QUOTED.sub(lambda quoted: "q" * len(quoted[0]), text)
    for place, sign in enumerate(bare):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return text[1:place], text[place + 1 :]
    raise AssertionError(f"no end of {text[:80]}")


def between_commas(text: str) -> list[str]:
    """The pieces between commas that stand in no brackets."""
    bare = QUOTED.sub(lambda quoted: "q" * len(quoted[0]), text)
    depth, begun, pieces = 0, 0, []
    for place, sign in enumerate(bare):
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            pieces.append(text[begun:place])
            begun = place + 1
    return [piece.strip() for piece in [*pieces, text[begun:]] if piece.strip()]


def parameter(text: str) -> tuple[str, str]:
    """A parameter's name, and its type or default."""
    name, _, rest = text.partition(" ")
    return name.strip('"'), rest


def commands(group: Any, called: str) -> Iterator[str]:
    """Each command with its arguments, in order, and its options."""
    if called == "aptdb":
        yield from (called, *sorted(f"    {option(each)}" for each in group.params), "")
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            yield from commands(command, f"{called} {name}")
            continue
        lines = [(not each.opts[0].startswith("-"), option(each)) for each in command.params]
        lines += [(False, f"--set {key}={each.metavar}") for key, each in keys_of(command).items()]
        yield f"{called} {name}"
        yield from (f"    {line}" for is_argument, line in lines if is_argument)
        yield from sorted(f"    {line}" for is_argument, line in lines if not is_argument)
        yield ""


def option(parameter: Any) -> str:
    """An argument or option: its names, what stands for its value, its type, bounds and default."""
    flag = getattr(parameter, "is_flag", False)
    names = "/".join([*parameter.opts, *parameter.secondary_opts])
    told = [names, *([] if flag or not parameter.metavar else [parameter.metavar]), type_of(parameter)]
    bounds = [f"{name} {value}" for name in ("min", "max") if (value := getattr(parameter, name, None)) is not None]
    default = None if callable(parameter.default) else parameter.default
    shown = default.value if isinstance(default, Enum) else default
    return "  ".join([*told, *bounds, *(["required"] if parameter.required else [f"default {shown}"])])


def type_of(parameter: Any) -> str:
    """The type of what an argument or option takes."""
    kind = parameter.type_descriptor.annotation
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(str(each.value) for each in kind)
    return kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)


def names(held: list[str]) -> Iterator[str]:
    """Each public name; of a class its bases, how it is made, what it holds and can do."""
    for name in sorted(aptdb.__all__):
        value = getattr(aptdb, name)
        if not isinstance(value, type):
            yield from (name, "")
            continue
        bases = [base.__name__ for base in value.__mro__[1:-1] if base.__name__ in aptdb.__all__]
        yield f"{name}({', '.join(bases)})" if bases else name
        if not issubclass(value, Exception):
            yield from (f"    {line}" for line in of_class(value, held if name in NOT_MADE_BY_CALLING else []))
        yield ""


def of_class(kind: type, held: list[str]) -> Iterator[str]:
    """What a class holds and can do, with the parameters of each method."""
    yield from held
    if kind.__name__ not in NOT_MADE_BY_CALLING:
        yield from signature(kind.__name__, kind)
    for name, member in inspect.getmembers(kind):
        if isinstance(member, type) and issubclass(member, Part):
            yield name
            for own, called in inspect.getmembers(member, inspect.isfunction):
                yield from signature(f"{name}.{own}", called) if not own.startswith("_") else ()
        elif name in SPECIAL and member is not getattr(object, name, None):
            yield name
        elif isinstance(member, property):
            yield f"{name} (property)"
        elif callable(member) and not name.startswith("_"):
            yield from signature(name, member)


def signature(name: str, called: Callable[..., Any]) -> Iterator[str]:
    """A function's parameters, a line for each; those after the * by their names, for their order tells nothing."""
    yield f"{name}()"
    by_name: list[str] = []
    for each in inspect.signature(called).parameters.values():
        if each.kind is each.KEYWORD_ONLY:
            by_name.append(f"{each.name}{default_of(each)}")
        elif each.kind is each.VAR_KEYWORD:
            by_name += [f"{key} = …" for key in unpacked_keys(called, each.name)] or [f"**{each.name}"]
        elif each.name not in ("self", "cls"):
            yield f"    {'*' if each.kind is each.VAR_POSITIONAL else ''}{each.name}{default_of(each)}"
    if by_name:
        yield from ("    *", *(f"    {each}" for each in sorted(by_name)))


def unpacked_keys(called: Callable[..., Any], name: str) -> list[str]:
    """The keys of the TypedDict whose items a function takes by name; none where it takes any."""
    function = inspect.unwrap(getattr(called, "__func__", called))
    inside = get_args(get_type_hints(function, include_extras=True).get(name))
    return [key for each in inside if is_typeddict(each) for key in get_type_hints(each)]


def default_of(each: inspect.Parameter) -> str:
    """A parameter's default; … where that is no plain value."""
    if each.default is each.empty:
        return ""
    plain = each.default is None or isinstance(each.default, bool | int | float | str | tuple)
    return f" = {each.default!r}" if plain else " = …"


Name = tuple[Kind, str, str]  # as in Old: the kind, what has the name, the name


def names_in(text: str) -> set[Name]:
    """Each public name in a contract; of an option each spelling, of a class its methods and their parameters."""
    found: set[Name] = set()
    section = ""
    for block in text.split("\n\n"):
        head, *lines = block.strip("\n").splitlines() or [""]
        if head in KINDS:
            section = head
        elif head:
            named = re.split(r" ?\(", head)[0].removeprefix("aptdb ")
            found.update(names_in_block(KINDS[section], section, named, lines))
    return found


def names_in_block(kind: Kind, section: str, head: str, lines: list[str]) -> Iterator[Name]:
    """The names in a block: a relation, a macro, a command, or a class, whose methods stand before their parameters."""
    yield kind, "", head
    within = head
    for line in lines:
        names = line.split(",") if section == "Macros in SQL" and ":=" not in line else [line]
        for word in [name.split()[0] for name in names if name.strip() not in ("*", "()")]:
            if word.endswith("()"):
                within = head if word == f"{head}()" else f"{head}.{word[:-2]}"
                yield kind, head, word[:-2]
            else:
                yield from ((kind, within, each) for each in word.split("/"))


# Options that are keys of --set since 1.0; each says so (aptdb/commands/app.py).
OPTIONS_THAT_ARE_KEYS = {
    each if each.startswith("--") else f"--{each}"
    for name, parameter in (declared(Composition) | declared(PathWeighting) | declared(OfWeighting)).items()
    if parameter.rare
    for each in (parameter.flag or name.replace("_", "-")).split("/")
}


def broken(released: str, now: str, old: Iterable[Old] = OLD_NAMES) -> list[Name]:
    """The names in a released contract that are neither public now nor declared old, with a new name that is there."""
    there = names_in(now)
    there |= {(kind, within, name.split()[0]) for kind, within, name in there if " " in name}  # groups of commands
    instead = {
        (each.kind, each.within, each.name)
        for each in old
        if there & {(each.kind, each.within, each.new), (each.kind, "" if each.instead else each.within, each.new)}
    }
    gone = names_in(released) - there - instead
    moved = {(each.kind, f"{each.within}.{each.name}".strip(".")) for each in old}  # their own names went with them
    gone -= {each for each in gone if each[0] == "command line" and each[2] in (*OF_PROGRAM, *OPTIONS_THAT_ARE_KEYS)}
    gone -= {
        each for each in gone if each[0] == "command line" and each[1] and each[2][0] != "-"
    }  # nobody writes these
    in_groups = {each for each in gone if " " in (each[1] or each[2])}
    gone -= {each for each in in_groups if (each[0], (each[1] or each[2]).split()[0]) in moved}
    return sorted(name for name in gone if moved.isdisjoint({name[:2], (name[0], name[1].partition(".")[0])}))


def versions() -> list[str]:
    """The versions in the changelog that went to somebody, the newest first."""
    found = re.findall(r"^## \[(\d\S*)\]", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    return found[: found.index(UNRELEASED)]


def test_each_release_has_its_contract() -> None:
    assert {*versions()} <= {*RELEASED}, "name the commit of a release in RELEASED"


@pytest.mark.parametrize("released", RELEASED.values(), ids=RELEASED)
def test_what_was_released_is_there_or_declared_old(released: str) -> None:
    asked = ["git", "-C", str(CONTRACT.parent), "show", f"{released}:./{CONTRACT.name}"]
    if shutil.which("git") is None or (found := subprocess.run(asked, check=False, capture_output=True)).returncode:
        pytest.skip("the commits of aptdb are not here")
    gone = broken(found.stdout.decode(), CONTRACT.read_text(encoding="utf-8"))
    assert not gone, "names of a release are gone; keep them, or declare them in aptdb/store/old_names.py"


def test_a_name_that_is_gone_is_found_and_one_that_is_declared_is_not() -> None:
    text = CONTRACT.read_text(encoding="utf-8")
    changes = [
        ("    top BIGINT := 10", "    best := 10", ("sql", "neighbours", "top"), "best"),
        ("    kind VARCHAR", "    sort VARCHAR", ("sql", "corpora", "kind"), "sort"),
        ("    --order  N", "    --far  N", ("command line", "add", "--order"), "--far"),
        ("        progress = …", "        follow = …", ("python", "Lexicon.add", "progress"), "follow"),
        ("\n    migrate()\n", "\n    renew()\n", ("python", "Lexicon", "migrate"), "renew"),
        ("\naptdb backup\n", "\naptdb save\n", ("command line", "", "backup"), "save"),
        ("\nNoRoomError(", "\nFullError(", ("python", "", "NoRoomError"), "FullError"),
    ]
    assert not broken(text, text)
    for before, after, name, new in changes:
        assert before in text, before
        changed = text.replace(before, after)
        assert name in broken(text, changed), name
        declared = Old(*name, new, since="1.0")
        assert name not in broken(text, changed, [declared])
        assert name in broken(text, changed, [Old(*name, "no_such", since="1.0")]), name


@pytest.mark.thorough
def test_the_contract_is_what_it_was(tmp_path: Path) -> None:
    now, before = contract(tmp_path), CONTRACT.read_text(encoding="utf-8")
    changed = difflib.unified_diff(before.splitlines(), now.splitlines(), "contract.txt", "now", lineterm="", n=2)
    told = "\n".join(changed)
    assert not told, f"where this is meant, renew the file with: python tests/test_contract.py\n{told}"


def test_the_parameters_of_macros_are_read_right(tmp_path: Path) -> None:
    file = tmp_path / "few.duckdb"
    make_lexicon(file, [SENTENCE], name="barking")
    with duckdb.connect(str(file), read_only=True) as client:
        told = client.execute(
            "SELECT function_name, parameters, parameter_types FROM duckdb_functions() "
            "WHERE schema_name = 'main' AND NOT internal AND database_name = current_database()"
        ).fetchall()
        found = exported(client, tmp_path)
    read = [
        (name, [each for each, _ in parameters], [rest.partition(":=")[0].strip() or None for _, rest in parameters])
        for name, _, overloads in found
        for parameters in overloads
    ]
    assert sorted(map(str, read)) == sorted(map(str, told))
    assert len(read) >= len(found)


@pytest.mark.parametrize("text", ["a, b := 'x, (y', c [1, (2)]", ""])
def test_commas_within_brackets_and_quotes_separate_nothing(text: str) -> None:
    assert ", ".join(between_commas(text)) == text
    assert in_brackets(f"({text}) and more") == (text, " and more")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        CONTRACT.write_text(contract(Path(place)), encoding="utf-8")
