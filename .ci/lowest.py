"""Print the lower bounds of pyproject.toml as constraints for pip: name>=1.2 becomes name==1.2.

What the tests themselves are run with (hypothesis, pytest) has no say in what users can install, and keeps its newest
release.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
OF_DEVELOPERS = ("test", "dev", "docs")
BOUND = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?>=([\w.]+)")


def lowest() -> Iterator[str]:
    """Yield the lowest release of each package that the program or one of its extras needs."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].items()
    needed = [*project["dependencies"], *(each for name, many in extras if name not in OF_DEVELOPERS for each in many)]
    bounds = {}
    for each in sorted(needed):
        found = bounds[each] = BOUND.match(each)
        if found is None:
            sys.exit(f"{PROJECT.name}: {each} has no lower bound; write one that was run, as in name>=1.2")
    yield from sorted({f"{found[1]}=={found[2]}" for found in bounds.values() if found})


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lowest())
