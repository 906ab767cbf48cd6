"""The meanings of what pages show, from the table of the glossary."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

HEADING = "## What tables and pages show"
ROW = re.compile(r"\| (?P<names>[^|]+) \| (?P<meaning>[^|]+) \|")


@cache
def meanings() -> Mapping[str, str]:
    """Return the meaning of each column, sign and value that the glossary explains."""
    text = (files("aptdb") / "docs" / "glossary.md").read_text(encoding="utf-8").partition(HEADING)[2]
    rows = [row for line in text.partition("\n## ")[0].splitlines() if (row := ROW.fullmatch(line))]
    return {
        name.strip().strip("`"): row["meaning"].strip().replace("`", "")
        for row in rows
        for name in row["names"].split(",")
    }


def meaning(name: str) -> str:
    """Return what a column, sign or value means; '' for a name that explains itself."""
    return meanings().get(name, "")
