"""Render pages as HTML by templates, which escape all texts, with inline pictures and what columns mean."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import bidirectional

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from aptdb.explorer.content import Link, Links, Page, Piece
from aptdb.pictures.page_charts import write_chart_style
from aptdb.pictures.svg_tree import drop_controls, write_style_sheet

OWN_STYLE = re.compile(r"<style>.*?</style>\n?", re.DOTALL)
GLOSSARY_HEADING = "## What tables and pages show"
GLOSSARY_ROW = re.compile(r"\| (?P<names>[^|]+) \| (?P<meaning>[^|]+) \|")


def embedded(svg: str) -> Markup:
    """Return a drawing, whose texts are escaped, without its own style sheet: pages take styles from files alone."""
    return Markup(OWN_STYLE.sub("", svg, count=1))


class Renderer:
    """Writes pages about a lexicon. name: the name shown. file: the name in commands."""

    def __init__(self, links: Links, name: str, file: str) -> None:
        self._templates = load_templates()
        self._links = links
        self._shared: dict[str, Any] = {
            "links": links,
            "lexicon": name,
            "file": file,
            "static": self._static,
            "meaning": meaning,
            "left_out": (),
        }

    def leave_out(self, pages: Sequence[str]) -> None:
        """Have no links to some pages in the header."""
        self._shared["left_out"] = pages

    def _static(self, name: str) -> str:
        """Return the address of a style sheet or script; on a server it has the digest of the contents."""
        address = self._links.static(name)
        return f"{address}?v={digest_static_file(name)}" if self._links.can_ask else address

    def open_it(self, address: str) -> str:
        """Return the page for a link of another site."""
        return self.page(Page("Open this page", template="open_it.html"), address=address)

    def page(self, page: Page, **more: Any) -> str:
        """Return a whole page."""
        return self._templates.get_template(page.template).render(page=page, **more, **self._shared)

    def piece(self, piece: Piece) -> str:
        """Return a piece of a page alone."""
        return self._templates.get_template("piece.html").render(piece=piece, **self._shared)

    def refusal(self, text: str, query: str, *, bare: bool = False, near: Sequence[Link] = ()) -> str:
        """Return a refusal, as a page or, if bare, without one around it. near: pages that may be meant."""
        template = self._templates.get_template("refused.html" if bare else "refusal.html")
        page = Page("This cannot be shown", "Refusal", query=query)
        return template.render(page=page, text=text, near=near, **self._shared)


@cache
def load_templates() -> Environment:
    """Return the templates; they escape all values. To compile them takes longer than to write a page."""
    made = Environment(
        loader=PackageLoader("aptdb.explorer"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=render_value,
    )
    made.filters |= {
        "lexeme": lexeme,
        "lines": break_lines,
        "picture": embedded,
        "is_from_the_right": is_from_the_right,
    }
    return made


def render_value(value: Any) -> Any:
    """Return a value on one line, without characters that pages cannot have; our own HTML is not changed."""
    return drop_controls(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def lexeme(text: str) -> Markup:
    """Return a lexeme with a pale part of speech; its writing direction does not affect its neighbours."""
    lemma, slash, pos = drop_controls(text).rpartition("/")
    if not lemma:
        return Markup("<bdi>{}</bdi>").format(drop_controls(text))
    return Markup('<bdi>{}<span class="pos">{}{}</span></bdi>').format(lemma, slash, pos)


def break_lines(text: str) -> Markup:
    """Return lines of text."""
    return Markup("\n").join(map(drop_controls, text.splitlines()))


@cache
def meanings() -> Mapping[str, str]:
    """Return the meaning of each column, sign and value that the glossary explains."""
    text = (files("aptdb") / "docs" / "glossary.md").read_text(encoding="utf-8").partition(GLOSSARY_HEADING)[2]
    rows = [row for line in text.partition("\n## ")[0].splitlines() if (row := GLOSSARY_ROW.fullmatch(line))]
    return {
        name.strip().strip("`"): row["meaning"].strip().replace("`", "")
        for row in rows
        for name in row["names"].split(",")
    }


def meaning(name: str) -> str:
    """Return what a column, sign or value means; '' for a name that explains itself."""
    return meanings().get(name, "")


def is_from_the_right(texts: Iterable[str]) -> bool:
    """Return whether most of some texts are written from right to left, by their first letters."""
    ways = [next((way for way in map(bidirectional, text) if way in ("L", "R", "AL")), "") for text in texts]
    return sum(way in ("R", "AL") for way in ways) > sum(way == "L" for way in ways)


TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}  # by the endings of files
STATIC = {each.name: TYPES[each.name.rpartition(".")[2]] for each in (files("aptdb.explorer") / "static").iterdir()}


@cache
def static_text(name: str) -> str:
    """Return a style sheet, script or icon. The style sheet of pages has that of drawings, too."""
    text = (files("aptdb.explorer") / "static" / name).read_text(encoding="utf-8")
    return f"{text}\n{write_style_sheet()}\n{write_chart_style()}" if name == "style.css" else text


@cache
def digest_static_file(name: str) -> str:
    """Return a short digest of a style sheet, script or icon."""
    return hashlib.sha256(static_text(name).encode()).hexdigest()[:12]
