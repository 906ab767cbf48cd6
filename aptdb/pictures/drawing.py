"""Drawings: SVG, text, and files."""

import math
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from aptdb.core.errors import QuestionError
from aptdb.store.file_writing import overwrite_file

ENDINGS = (".svg", ".html", ".png", ".pdf")
DENSITY = 144.0  # pixels of an inch of a PNG
PAGE = (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
    "<title>{title}</title>\n<style>body{{margin:0;background:light-dark(#fff,#16191d);color-scheme:light dark}}"
    "svg{{display:block;margin:auto;max-width:none}}</style>\n{svg}</html>\n"
)


@dataclass(frozen=True)
class Drawing:
    """A picture; a notebook shows it.

    title: its title. nodes: the number of nodes or items. as_text: a function that returns lines of a given width;
    str() does not limit the width. made: a function that returns it as svg, png or pdf. note: which weights it shows,
    and what is left out.
    """

    title: str
    nodes: int
    as_text: Callable[[float], str]
    made: Callable[[str], bytes]
    note: str = ""

    @property
    def svg(self) -> str:
        """Return the picture as SVG."""
        return self.made("svg").decode()

    def save(self, file: str | Path) -> None:
        """Write the picture to a file, by its ending: .svg, .html, .png or .pdf. Raise QuestionError."""
        if not isinstance(file, str | Path):
            raise QuestionError(f"{file!r:.60} is not the name of a file")
        place = Path(file)
        overwrite_file(place, self.content(find_picture_ending(place)))

    def content(self, ending: str) -> bytes:
        """Return the content of a file with this ending."""
        if ending == ".html":
            from html import escape

            return PAGE.format(title=escape(self.title), svg=self.svg).encode()
        return self.made(ending.removeprefix("."))

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.as_text(math.inf)

    def __repr__(self) -> str:
        return f"<Drawing of {self.title}>"


def as_made(svg: str) -> Callable[[str], bytes]:
    """Return a function that converts an SVG picture to another format."""
    return lambda kind: svg.encode() if kind == "svg" else printed(svg, kind)


def find_picture_ending(file: Path) -> str:
    """Return the ending of a file. Raise QuestionError for an unknown one."""
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise QuestionError(
            f"{file} is not a name of a picture; it ends with {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        )
    return ending


def printed(svg: str, kind: str) -> bytes:
    """Return the picture as png or pdf. Raise QuestionError if the converter is not installed."""
    try:
        import typst
    except ImportError as error:
        raise QuestionError(
            f".{kind} needs typst; install it with: pip install 'aptdb[draw]', or write .svg or .html"
        ) from error
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.typ"
        page.write_text('#set page(width: auto, height: auto, margin: 0pt)\n#image("page.svg")\n', encoding="utf-8")
        page.with_suffix(".svg").write_text(svg, encoding="utf-8")
        return typst.compile(page, format="png" if kind == "png" else "pdf", ppi=DENSITY)
