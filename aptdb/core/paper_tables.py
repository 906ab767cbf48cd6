"""Write answers as tables for papers: in Markdown and in LaTeX. Numbers are rounded as in a table; text is whole."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from aptdb.core.display import is_numeric, pad_table_line, round_number
from aptdb.core.one_line import escape_character

LINE_BREAK = re.compile("\r\n|[\n\v\f\r\x85\u2028\u2029]")
CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
# What Markdown obeys: of GitHub (tables, tags, entities, formulas) and of Pandoc (raised and lowered text, citations).
IN_MARKDOWN = re.compile(r"[\\`*\[\]<>|~^&$@]|(?<![^\W_])_|_(?![^\W_])")
IN_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "ε": r"$\varepsilon$",
}  # fmt: skip
# What pdfLaTeX makes one sign of: -- a dash, '' a quotation mark.
LIGATURE = re.compile(r"([-',])(?=\1)")
# Letters that pdfLaTeX's usual fonts lack.
BEYOND_LATIN = re.compile("[^\x00-\u017f\u2013\u2014\u2018-\u201e\u2026\u20ac]")


def whole_cell(column: str, value: Any) -> str:
    """Return a value as text for a paper: numbers are rounded, NULL is '', the empty path is ε."""
    if value is None:
        return ""
    if column == "path" and value == "":
        return "ε"
    return round_number(column, value) if isinstance(value, float) else str(value)


def escape_markdown(text: str) -> str:
    """Return a text that Markdown shows as it is, in a cell of a table; line breaks are <br>."""
    lines = LINE_BREAK.split(CONTROL.sub(escape_character, text.replace("\t", " ")))
    return "<br>".join(IN_MARKDOWN.sub(r"\\\g<0>", line) for line in lines)


def escape_latex(text: str) -> str:
    """Return a text that LaTeX shows as it is; line breaks are spaces, and letters stay as they are in UTF-8."""
    line = CONTROL.sub(escape_character, LINE_BREAK.sub(" ", text).replace("\t", " "))
    return LIGATURE.sub(r"\1{}", "".join(IN_LATEX.get(letter, letter) for letter in line))


def escaped_cells(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], escape: Callable[[str], str]
) -> list[list[str]]:
    """Return the names of columns, and the rows, as text for a paper."""
    values = ([whole_cell(*each) for each in zip(columns, row, strict=True)] for row in rows)
    return [[escape(text) for text in line] for line in (columns, *values)]


def markdown_table(columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return all rows as a pipe table, with numbers on the right."""
    from rich.cells import cell_len

    right = [is_numeric(kind) for kind in types]
    head, *cells = escaped_cells(columns, rows, escape_markdown)
    widths = [max(3, *map(cell_len, column)) for column in zip(head, *cells, strict=True)]
    rule = ["-" * (width - 1) + (":" if is_right else "-") for width, is_right in zip(widths, right, strict=True)]
    lines: Iterable[Sequence[str]] = (head, rule, *cells)
    return "".join(f"| {pad_table_line(line, right, widths, ' | ')} |\n" for line in lines)


def latex_table(columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return all rows as a tabular with the rules of booktabs, and numbers on the right."""
    right = [is_numeric(kind) for kind in types]
    head, *cells = escaped_cells(columns, rows, escape_latex)
    cells = [
        [f"$-${text[1:]}" if is_right and text[:1] == "-" else text for text, is_right in zip(row, right, strict=True)]
        for row in cells
    ]
    beyond = BEYOND_LATIN.search("".join(map("".join, (head, *cells))))
    needs = r"% needs \usepackage{booktabs}"
    needs += r" and \usepackage[T1]{fontenc}" if any("quotedbl" in text for row in cells for text in row) else ""
    needs += f"; letters such as {beyond[0]} need XeLaTeX or LuaLaTeX, and a font that has them" if beyond else ""
    begin = rf"\begin{{tabular}}{{{''.join('r' if each else 'l' for each in right)}}}"
    top, *below = [rf"{' & '.join(line)} \\" for line in (head, *cells)]
    return "\n".join([needs, begin, r"\toprule", top, r"\midrule", *below, r"\bottomrule", r"\end{tabular}", ""])
