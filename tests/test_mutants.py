"""The changes that tests/mutants.py draws: what is code is changed, each place in its way, and nothing else."""

import ast
from pathlib import Path

import pytest

from support.changes import changes_in

SQL = Path("sql", "questions", "define", "some.sql")
PYTHON = Path("aptdb", "core", "some.py")
MACRO = """-- A row: the 3 longest, of x.b = 1.
CREATE OR REPLACE MACRO _store.longest(top) AS TABLE (
    SELECT x.a, x.b, CASE WHEN x.a > 0.5 THEN error('a (of ' || 2 || ') = 1') END FROM _store.some AS x
    LEFT JOIN _store.other USING (id)
    ORDER BY max(x.a) ASC
);
"""
FUNCTION = '''"""A module."""
LEAST: int | None = None

def share(one: int | str) -> float:
    """Return 1 < 2."""
    if not one or one >= 7:
        raise ValueError(one + 1)
    return one / len(f"{one + 2}é")  # 3 < 4
'''


@pytest.mark.parametrize(
    ("file", "text", "changes"),
    [
        (SQL, MACRO, ["x.a -> x.b", "x.b -> x.a", "x.a -> x.b", "> -> >=", "0.5 -> 1.5", "LEFT JOIN -> JOIN",
                      "max( -> min(", "x.a -> x.b", "ASC -> DESC"]),
        (PYTHON, FUNCTION, [
            "not one or one >= 7 -> (not one and one >= 7)", "not one -> (one)", "one >= 7 -> (one > 7)", "7 -> 8",
            'return one / len(f"{one + 2}é") -> return None',
            'one / len(f"{one + 2}é") -> (one * len(f\'{one + 2}é\'))',
        ]),
    ],
)  # fmt: skip
def test_code_is_changed_and_nothing_else(file: Path, text: str, changes: list[str]) -> None:
    found = [*changes_in(file, text)]
    assert [f"{change.before} -> {change.after}" for change in found] == changes
    for change in found:
        changed = change.made_in(text)
        assert changed != text
        assert text.splitlines()[change.line - 1] not in changed.splitlines()
        if file is PYTHON:
            ast.parse(changed)


def test_a_change_is_named_after_its_definition() -> None:
    assert {change.definition for change in changes_in(SQL, MACRO)} == {"questions/define/some::longest"}
    statements = "-- name: one\n-- A row: one.\nSELECT 1;\n\n-- name: two\n-- A row: two.\nSELECT 2;\n"
    named = [change.definition for change in changes_in(Path("sql", "store", "queries.sql"), statements)]
    assert named == ["store::store/one", "store::store/two"]
