"""Pages as HTML, by the templates. All texts are escaped, and shown on one line."""

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from aptdb.explorer.content import Page, Piece
from aptdb.explorer.links import Links
from aptdb.explorer.pictures import style_of_drawings
from aptdb.pictures.marks import characters


class Renderer:
    """Writes pages about a lexicon. name: what it is called. file: how commands name it."""

    def __init__(self, links: Links, name: str, file: str) -> None:
        self._templates = environment()
        self._shared: dict[str, Any] = {"links": links, "lexicon": name, "file": file}

    def page(self, page: Page) -> str:
        """A whole page."""
        return self._templates.get_template(page.template).render(page=page, **self._shared)

    def piece(self, piece: Piece) -> str:
        """A piece of a page alone."""
        return self._templates.get_template("piece.html").render(piece=piece, **self._shared)

    def refusal(self, text: str, query: str, *, bare: bool = False) -> str:
        """What is wrong with a question, as a page or as a piece of one."""
        template = self._templates.get_template("refused.html" if bare else "refusal.html")
        return template.render(page=Page("This cannot be shown", query=query), text=text, **self._shared)


def environment() -> Environment:
    """The templates, which escape whatever they are given."""
    made = Environment(
        loader=PackageLoader("aptdb.explorer"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=shown,
    )
    made.filters |= {"lexeme": lexeme, "lines": lines, "picture": picture}
    return made


def shown(value: Any) -> Any:
    """A value on one line, without what no page can have; HTML of ours stays as it is."""
    return characters(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def lexeme(text: str) -> Markup:
    """A lexeme whose part of speech stands back; its direction of writing does not reach what is beside it."""
    lemma, slash, pos = characters(text).rpartition("/")
    if not lemma:
        return Markup("<bdi>{}</bdi>").format(characters(text))
    return Markup('<bdi>{}<span class="pos">{}{}</span></bdi>').format(lemma, slash, pos)


def lines(text: str) -> Markup:
    """Lines of text, as they are."""
    return Markup("\n").join(map(characters, text.splitlines()))


def picture(svg: str) -> Markup:
    """A picture that we have drawn, whose texts are escaped already."""
    return Markup(svg)


@cache
def style() -> str:
    """The style sheet: that of pages, and that of drawings."""
    own = (files("aptdb.explorer") / "static" / "style.css").read_text(encoding="utf-8")
    return f"{own}\n{style_of_drawings()}\n"
