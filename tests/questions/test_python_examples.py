"""Each public name in Python has an example, in `help()` and on the site, which can be run."""

import ast
import inspect
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import aptdb
from aptdb import AptWarning, Lexicon
from aptdb.corpus import demo_corpus
from support.lexicons import make_lexicon

# What needs files or programs that are not ours; the others are run one after another.
CALLERS = {"open", "migrate", "close", "interrupt", "file", "settings"}  # these are the caller's
NEEDS = CALLERS | {"as_parsed", "evaluate", "missing_words", "choose", "rate_substitutes", "table_5", "table_6"}
PARTS: tuple[Any, ...] = (Lexicon.stored, Lexicon.eval, Lexicon.plot)
PARTS_OF: dict[str, Any] = dict(zip(("lexicon.stored", "lexicon.eval", "lexicon.plot"), PARTS, strict=True))
MOST_METHODS = 60  # of a lexicon itself; those of its parts come on top
EXAMPLE = re.compile(r"^>>> (.*(?:\n\.\.\. .*)*)", re.MULTILINE)


def documented() -> Iterator[tuple[str, Any]]:
    """The classes and functions of the package that are no errors, and the methods of a lexicon."""
    for name in aptdb.__all__:
        each = getattr(aptdb, name)
        if callable(each) and not (isinstance(each, type) and issubclass(each, Exception)):
            yield name, each
    for part in (Lexicon, *PARTS):
        yield from ((name, each) for name, each in inspect.getmembers(part, callable) if not name.startswith("_"))


def calls(code: str) -> Iterator[tuple[Any, ast.Call]]:
    """The functions and methods that an example calls, each with its call."""
    owners = {"lexicon": Lexicon, "Lexicon": Lexicon, "aptdb": aptdb, "Phrase": aptdb.Phrase}
    for node in [each for each in ast.walk(ast.parse(code)) if isinstance(each, ast.Call)]:
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            yield getattr(owners[node.func.value.id], node.func.attr), node
        elif isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) in PARTS_OF:
            yield getattr(PARTS_OF[ast.unparse(node.func.value)], node.func.attr), node


def test_every_name_has_an_example_that_can_be_called() -> None:
    names = dict(documented())
    without = [name for name, each in names.items() if not EXAMPLE.search(inspect.getdoc(each) or "")]
    assert without == []
    for name, each in names.items():
        for code in EXAMPLE.findall(inspect.getdoc(each) or ""):
            for called, call in calls(code.replace("\n... ", "\n")):
                taken = inspect.signature(called)
                itself = [None] if "self" in taken.parameters else []
                taken.bind(*itself, *call.args, **{str(each.arg): None for each in call.keywords})
            assert name in code or name in aptdb.__all__


def test_a_lexicon_has_few_methods_of_its_own() -> None:
    own = {name for name in vars(Lexicon) if not name.startswith("_")} - {"stored", "eval", "plot"} - CALLERS
    assert len(own) <= MOST_METHODS, own


@pytest.mark.thorough
def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    sentences = "".join(demo_corpus.corpus()).split("\n\n")
    half = len(sentences) // 2
    for name, part in (("first", sentences[:half]), ("second", sentences[half:-1]), ("more", sentences[:5])):
        Path(f"{name}.conllu").write_text("\n\n".join([*part, ""]), encoding="utf-8")
    make_lexicon("german.duckdb", "more.conllu")
    with Lexicon.open("english.duckdb", create=True) as lexicon, warnings.catch_warnings():
        warnings.simplefilter("ignore", AptWarning)
        lexicon.add("first.conllu", tags={"genre": "fiction", "year": "1990"})
        lexicon.add("second.conllu", tags={"genre": "news", "year": "2000"})
        for part in (Lexicon, *PARTS):
            for name in [name for name in vars(part) if not name.startswith("_") and name not in NEEDS]:
                for code in EXAMPLE.findall(inspect.getdoc(getattr(part, name)) or ""):
                    eval(code, {"lexicon": lexicon})
    assert {each.name for each in tmp_path.glob("*.svg")} >= {"shoot.svg", "map.svg", "trend.svg"}
