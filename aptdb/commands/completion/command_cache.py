"""What is made of the commands, remembered until a module of them changes: to import all of them takes longer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aptdb.store import user_cache
from aptdb.store.version import __version__

PACKAGE = Path(__file__).parents[2]
ROOMS = ("commands", "commands/completion", "core", "questions", "evaluation", ".")  # whose modules say what there is


def made_of_commands(what: str, kind: type, make: Callable[[], Any]) -> Any:
    """Something of a kind that JSON can hold, as it was made before, or made now."""
    name = f"{what}-{__version__}-{user_cache.INSTALLATION}-{changed()}"
    found = user_cache.read(name)
    if not isinstance(found, kind):
        found = make()
        user_cache.write(name, found)
    return found


def changed() -> int:
    """When one of these modules was changed last."""
    return max((file.stat().st_mtime_ns for room in ROOMS for file in (PACKAGE / room).glob("*.py")), default=0)
