"""Each parameter is declared once: what SQL, Python, the commands and the documents say of it is the declaration.

`python tests/core/test_parameters.py` renews the reference in the documents.
"""

import inspect
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from aptdb import Lexicon
from aptdb.core.parameters import Group, Parameter, declared, describe_values, help_of, list_allowed_values
from aptdb.core.question_parameters import QUESTIONS, in_sql
from aptdb.core.schemes import SCHEMES, OfWeighting
from aptdb.core.settings import Given, Settings
from aptdb.store.database import Database
from aptdb.store.statements import StatementError, read_text, statement, statements_of

REFERENCE = Path(__file__).parents[2] / "aptdb" / "docs" / "parameters.md"
HEAD = """# Parameters

Every parameter of a question, by its name in SQL and in Python. As an option of a command it has `-` for `_`
(`--min-count`). What they mean is in [meaning.md](meaning.md). The page is made of the declarations in
`aptdb/core/`.
"""


def macro_parameters(database: Database, name: str) -> list[str]:
    """The parameters of a macro of a lexicon, those without a default first."""
    rows = database.rows(
        "SELECT parameters FROM duckdb_functions() WHERE schema_name = 'main' AND NOT internal "
        "AND function_name = $name",
        {"name": name},
    )
    return [str(each) for each in rows[0][0]]


@pytest.mark.parametrize("question", [name for name in QUESTIONS if name != "export"])
def test_macros_take_what_is_declared(memory: Database, question: str) -> None:
    taken = macro_parameters(memory, question)
    own = [name for name in taken if name not in in_sql(question)]
    assert taken == [*own, *in_sql(question)]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_schemes_take_what_is_declared(memory: Database, scheme: str) -> None:
    assert macro_parameters(memory, scheme) == [*declared(OfWeighting)]
    assert memory.rows(f"SELECT count(*) FROM duckdb_views() WHERE view_name = '{scheme}'") == [(1,)]


@pytest.mark.parametrize("question", [name for name in QUESTIONS if name not in ("untyped", "breakdown")])
def test_methods_show_every_parameter_by_its_default(question: str) -> None:
    shown = inspect.signature(getattr(Lexicon, question)).parameters
    for name, parameter in declared(QUESTIONS[question]).items():
        assert shown[name].default == parameter.default, name
    assert not any(each.kind is each.VAR_KEYWORD for each in shown.values())


def test_no_method_hides_its_parameters() -> None:
    parts: tuple[Any, ...] = (Lexicon, Lexicon.stored, Lexicon.eval, Lexicon.plot)
    for name, method in [each for part in parts for each in inspect.getmembers(part, inspect.isfunction)]:
        kinds = {each.kind for each in inspect.signature(method).parameters.values()}
        assert inspect.Parameter.VAR_KEYWORD not in kinds or name == "open", name


def test_settings_are_those_that_may_be_given() -> None:
    assert set(declared(Given)) == set(Settings.__dataclass_fields__)
    assert all(each.group is Group.SETTINGS for each in declared(Given).values())


def test_values_stand_in_help() -> None:
    for dictionary in QUESTIONS.values():
        for name in declared(dictionary):
            assert all(value in help_of(dictionary, name) for value in list_allowed_values(dictionary, name)), name


def test_a_placeholder_is_declared_and_used_and_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aptdb.store.statements.resource", lambda _: tmp_path)
    statements_of.cache_clear()
    undeclared = "-- name: undeclared\n-- A row.\nSELECT 1,\n    @what@;\n\n"
    unused = "-- name: unused\n-- A row.\n-- @what@: a thing.\nSELECT 1;\n\n"
    right = "-- name: right\n-- A row.\n-- @what@: a thing.\nSELECT @what@;\n"
    (tmp_path / "phase").mkdir()
    (tmp_path / "phase" / "queries.sql").write_text(f"-- A phase.\n\n{undeclared}{unused}{right}")
    with pytest.raises(StatementError, match=r"sql/phase/queries\.sql:6: @what@ is not declared"):
        read_text("phase/undeclared")
    with pytest.raises(StatementError, match=r"sql/phase/queries\.sql:10: @what@ is declared and not used"):
        read_text("phase/unused")
    with pytest.raises(StatementError, match="sql/phase/right: what: given and declared differ"):
        statement("phase/right")
    with pytest.raises(StatementError, match="given and declared differ"):
        statement("phase/right", what=1, other=2)
    assert statement("phase/right", what="it's") == "-- A row.\nSELECT 'it''s'"
    with pytest.raises(StatementError, match=r"sql/phase/queries\.sql: no statement righ; did you mean right\?"):
        statement("phase/righ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("-- name: a\nSELECT 1;\n-- name: a\n", "3: a second statement a"),
        ("-- name: a\nSELECT 1;\n-- name:b\nSELECT 2;\n", "3: invalid name"),
        ("SELECT 1;\n", "1: SQL before the first"),
    ],
)
def test_a_file_of_statements_is_well_formed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, problem: str
) -> None:
    monkeypatch.setattr("aptdb.store.statements.resource", lambda _: tmp_path)
    statements_of.cache_clear()
    (tmp_path / "phase.sql").write_text(text)
    with pytest.raises(StatementError, match=re.escape(f"sql/phase.sql:{problem}")):
        statements_of("phase.sql")


def reference() -> str:
    """The page on parameters."""
    every: dict[str, tuple[type, Parameter, list[str]]] = {}
    for question, dictionary in QUESTIONS.items():
        for name, parameter in declared(dictionary).items():
            every.setdefault(f"{name} {parameter.help}", (dictionary, parameter, []))[2].append(question)
    parts = [HEAD]
    for group in Group:
        rows = [(key.split()[0], *each) for key, each in every.items() if each[1].group is group]
        if rows:
            parts += [
                f"\n## {group.value}\n",
                "| parameter | values | default | what it does | questions |",
                "| - | - | - | - | - |",
            ]
            parts += [row(name, dictionary, parameter, questions) for name, dictionary, parameter, questions in rows]
    return "\n".join(parts) + "\n"


def row(name: str, dictionary: type, parameter: Parameter, questions: list[str]) -> str:
    """A row of the table."""
    values = ", ".join(f"`{value}`" for value in list_allowed_values(dictionary, name))
    values = values or describe_values(dictionary, name)
    default: Any = parameter.unset if parameter.default is None else parameter.default
    text = parameter.help.format(values=", ".join(list_allowed_values(dictionary, name))).split(" [default")[0]
    shown = "" if default is None else f"`{str(default).lower() if isinstance(default, bool) else default}`"
    return f"| `{name}` | {values} | {shown} | {text} | {', '.join(questions)} |"


def test_the_reference_is_the_declarations() -> None:
    assert REFERENCE.read_text(encoding="utf-8") == reference()


def test_a_type_checker_sees_each_parameter() -> None:
    """The dictionary that a method unpacks has each parameter's type."""
    assert get_args(QUESTIONS["neighbours"].__annotations__["top"])[0] is int


if __name__ == "__main__":
    REFERENCE.write_text(reference(), encoding="utf-8")
