"""Tables for papers: what Markdown and LaTeX show of an answer is what stands in it."""

import csv
import re
from io import StringIO
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from aptdb.commands.output import write_csv
from aptdb.core.result import Result
from support.runs import examples

TEXTS = st.text(
    st.sampled_from("ab1 \\`*_{}[]<>|~^&$@#%\"'-,!εה犬\u202e") | st.characters(exclude_categories=["Cs", "Cc", "Z"])
)
NUMBERS = st.floats(-1e9, 1e9) | st.none()
ROWS = st.lists(st.tuples(TEXTS | st.none(), NUMBERS, st.integers(-(10**12), 10**12)), max_size=5)
# What LaTeX shows of each command, by which the twin reads a table.
SHOWN = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", r"\textquotedbl{}": '"', r"\textasciigrave{}": "`", "{[}": "[",
    "{]}": "]", "{*}": "*", "{}": "", "$-$": "-", r"$\varepsilon$": "ε", **{f"\\{each}": each for each in "{}&%$#_"},
}  # fmt: skip
READ = re.compile("|".join(map(re.escape, SHOWN)))


def answer(rows: list[tuple[Any, ...]]) -> Result:
    """An answer with a text, a number and a count in each row."""
    return Result(("per_text|x", "value", "count"), ("VARCHAR", "DOUBLE", "BIGINT"), rows)


def read_markdown(text: str) -> list[list[str]]:
    """The cells of a table, as a reader of Markdown has them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            assert all(each.type in ("text", "text_special") for each in token.children or ())
            rows[-1].append("".join(each.content for each in token.children or ()))
    assert tokens[0].type == "table_open"
    assert tokens[-1].type == "table_close"
    return rows


def read_latex(text: str) -> list[list[str]]:
    """The cells of a table, as LaTeX shows them."""
    body = re.search(r"\\toprule\n(.*)\n\\bottomrule\n\\end\{tabular\}\n\Z", text, re.DOTALL)
    assert body
    lines = [line for line in body[1].splitlines() if line != r"\midrule"]
    cells = [re.split(r"(?<!\\)&", line.removesuffix(r"\\")) for line in lines]
    for line in lines:
        assert not re.search(r"(?<!\\)[#%_~^]|--|''|,,|(?<!\{)[\[*]", line)
        assert not re.search(r"(?<!\\)\$(?!-\$)(?<!\$-\$)", line)
    return [[READ.sub(lambda found: SHOWN[found[0]], cell).strip() for cell in row] for row in cells]


def expected(found: Result) -> list[list[str]]:
    """The cells of an answer as CSV has them, with numbers rounded to four digits."""
    out = StringIO()
    write_csv(found, out)
    out.seek(0)
    head, *rows = csv.reader(out)
    return [head, *([text.strip(), number and f"{float(number):.4f}", count] for text, number, count in rows)]


@given(ROWS)
@examples(300)
def test_papers_have_what_csv_has(rows: list[tuple[Any, ...]]) -> None:
    """Odd text is whole, and numbers are those of CSV, rounded."""
    found = answer(rows)
    assert read_markdown(found.to_markdown()) == expected(found)
    assert read_latex(found.to_latex()) == expected(found)


def test_what_papers_need() -> None:
    found = Result(
        ("path", "context", "score", "p_value"),
        ("VARCHAR", "VARCHAR", "DOUBLE", "DOUBLE"),
        [("", "a|b\nc", -0.5, 1e-9), ("<amod", "per_cent % \x1b", 2.0, 0.04)],
    )
    assert found.to_markdown() == (
        "| path   | context          |   score | p_value |\n"
        "| ------ | ---------------- | ------: | ------: |\n"
        "| ε      | a\\|b<br>c        | -0.5000 | \\< 1e-6 |\n"
        "| \\<amod | per_cent % \\\\x1b |  2.0000 |  0.0400 |\n"
    )
    assert found.to_latex() == (
        "% needs \\usepackage{booktabs}\n"
        "\\begin{tabular}{llrr}\n\\toprule\npath & context & score & p\\_value \\\\\n\\midrule\n"
        "$\\varepsilon$ & a\\textbar{}b c & $-$0.5000 & \\textless{} 1e-6 \\\\\n"
        "\\textless{}amod & per\\_cent \\% \\textbackslash{}x1b & 2.0000 & 0.0400 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
    )
    head, *_ = Result(("a",), ("VARCHAR",), [('"犬"',)]).to_latex().splitlines()
    assert head == (
        "% needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}; letters such as 犬 need XeLaTeX or LuaLaTeX, "
        "and a font that has them"
    )
    plain = Result(("a",), ("VARCHAR",), [("Café – ‘x’",)]).to_latex()
    assert plain.startswith("% needs \\usepackage{booktabs}\n")
