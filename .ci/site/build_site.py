"""Build the documentation as pages for a browser.

Run as python .ci/site/build_site.py [FOLDER]; the folder is build/site unless you name another.
The sources are the pages of aptdb/docs, the changelog, and pages of reference that are made here (reference.py).
Pictures are drawn by the commands of the pages that show them (drawings.py); the build ends where one cannot be drawn.
Every warning is an error: a link to a page or heading that is missing, a page that no list names, code that cannot be
read.
"""

import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import drawings
import reference
from sphinx.cmd.build import build_main

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DOCS = ROOT / "aptdb" / "docs"
# Words that people search for and the pages say otherwise.
SEARCHED: Mapping[str, str] = {
    "concepts": "theory, introduction, explanation, equations",
    "elsewhere": "LLM, ChatGPT, Claude, JDBC, ODBC, pandas, polars",
    "glossary": "terminology, definition",
    "howto": "nightly, cron, broken, refuses, newer, upgrade, update, periods, centuries, genres, diachronic",
    "limits": "caveats, bias, accuracy",
    "meaning": "diachronic, semantics, change, formula, definition",
    "promises": "API, stability, stable, deprecated, deprecation, interface, compatibility, semver, breaking",
    "scale": "performance, speed, fast, memory, RAM, benchmark, cluster",
    "start": "install, tutorial, quickstart, beginner",
}
MADE = {"commands": reference.commands, "sql": reference.sql, "python": reference.python}


def collect(sources: Path) -> None:
    """Put all sources into a folder."""
    shutil.copytree(DOCS, sources, ignore=shutil.ignore_patterns("pictures"))
    for page in sorted(sources.glob("*.md")):
        drawings.draw(page, sources / "pictures")
    drawings.draw(HERE / "index.md", sources / "pictures")
    shutil.copy(HERE / "index.md", sources / "index.md")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (sources / "changelog.md").write_text(changes.replace("](aptdb/docs/", "]("), encoding="utf-8")
    for name, words in SEARCHED.items():
        page = sources / f"{name}.md"
        head = f"---\nmyst:\n  html_meta:\n    keywords: {words}\n---\n\n"
        page.write_text(head + page.read_text(encoding="utf-8"), encoding="utf-8")
    (sources / "reference").mkdir()
    for name, make in MADE.items():
        (sources / "reference" / f"{name}.md").write_text(make(), encoding="utf-8")


def build(folder: Path) -> int:
    """Build the site in a folder, in place of what is there; return the exit status."""
    with tempfile.TemporaryDirectory() as place:
        sources, made = Path(place) / "sources", Path(place) / "site"
        collect(sources)
        options = ["--builder", "html", "--fail-on-warning", "--nitpicky", "--quiet", "--conf-dir", str(HERE)]
        status = int(build_main([*options, "--doctree-dir", str(Path(place) / "read"), str(sources), str(made)]))
        if status == 0:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(made, folder)
    return status


if __name__ == "__main__":
    wanted = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    if wanted.exists() and not (wanted / "searchindex.js").exists():
        sys.exit(f"{wanted} is there and is no site; name a new folder")
    ended = build(wanted)
    print(f"{wanted / 'index.html'}" if ended == 0 else "no site was made", file=sys.stderr)  # noqa: T201
    sys.exit(ended)
