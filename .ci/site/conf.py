"""What Sphinx reads; build_site.py puts the sources together."""

from pathlib import Path
from typing import Any

from pygments.lexers.sql import SqlLexer
from pygments.token import Punctuation
from sphinx.application import Sphinx

from aptdb import __version__

project = "aptdb"
author = "The aptdb authors"
release = __version__
html_title = f"aptdb {release}"
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "scorer.js")
html_copy_source = False
html_show_copyright = False
extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # the words of the glossary stand a step lower, so that a terminal shows them small


class DuckDBLexer(SqlLexer):  # type: ignore[misc]
    """Reads SQL with DuckDB's braces of structs."""

    tokens = {**SqlLexer.tokens, "root": [(r"[{}]", Punctuation), *SqlLexer.tokens["root"]]}  # noqa: RUF012


MENDED = (
    ("body", "<pre>", '<pre tabindex="0">'),  # so that keys scroll code that is wider than the page
    ("furo_navigation_tree", 'role="heading">', 'role="heading" aria-level="2">'),
)


def mend(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Say in a page what readers without eyes or mouse need, and the theme leaves out."""
    for part, written, better in MENDED:
        if part in context:
            context[part] = context[part].replace(written, better)


def setup(app: Sphinx) -> None:
    """Read code that is marked as SQL as DuckDB's, and mend pages after the theme."""
    app.add_lexer("sql", DuckDBLexer)
    app.connect("html-page-context", mend, priority=900)
