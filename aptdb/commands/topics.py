"""The pages of the documentation by topic."""

from pathlib import Path

PACKAGE = Path(__file__).parent.parent
FOLDER = PACKAGE / "docs"
CHANGES = PACKAGE.parent / "CHANGELOG.md"  # in a checkout; in the wheel it is a page like the others
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


def list_topic_pages() -> dict[str, Path]:
    """Return the pages by topic, those to read first at the beginning."""
    pages = {page.stem: page for page in sorted(FOLDER.glob("*.md"))}
    found = {name: pages[name] for name in FIRST} | pages
    return found if "changelog" in found else {**found, "changelog": CHANGES}


def read_title(page: Path) -> str:
    """Return the first line of a page."""
    with page.open(encoding="utf-8") as lines:
        return next(lines).lstrip("# ").rstrip()
