"""Values computed from the commands, cached until a module of theirs changes: importing all commands is slower."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aptdb.store import user_cache
from aptdb.store.version import __version__

PACKAGE = Path(__file__).parents[2]
ROOMS = ("commands", "commands/completion", "core", "questions", "evaluation", ".")  # whose modules declare commands


def cached(what: str, kind: type, make: Callable[[], Any]) -> Any:
    """Return a cached value of a type that JSON can hold; call `make` and cache its result if there is none."""
    name = f"{what}-{__version__}-{user_cache.INSTALLATION}-{changed()}"
    found = user_cache.read(name)
    if not isinstance(found, kind):
        found = make()
        user_cache.write(name, found)
    return found


def changed() -> int:
    """Return when one of these modules was last changed, in nanoseconds."""
    return max((file.stat().st_mtime_ns for room in ROOMS for file in (PACKAGE / room).glob("*.py")), default=0)
