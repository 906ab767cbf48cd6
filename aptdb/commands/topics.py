"""The pages of the documentation by topic."""

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "docs"
FIRST = (
    "start",
    "tour",
    "howto",
    "treebank",
    "glossary",
    "limits",
    "pictures",
    "explorer",
    "analyses",
    "elsewhere",
    "scale",
    "parameters",
    "concepts",
    "meaning",
)


def pages() -> dict[str, Path]:
    """Return the pages by topic, those to read first at the beginning."""
    return {page.stem: page for page in sorted(FOLDER.glob("*.md"), key=place)}


def place(page: Path) -> tuple[int, str]:
    """Return the sort key of a page: those to read first, then the others by name."""
    return (FIRST.index(page.stem) if page.stem in FIRST else len(FIRST), page.stem)


def title(page: Path) -> str:
    """Return the first line of a page."""
    with page.open(encoding="utf-8") as lines:
        return next(lines).lstrip("# ").rstrip()
