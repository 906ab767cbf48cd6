"""What takes long to find out, remembered between processes beside the compiled modules of Python.

Whoever can write there can change the modules too. Where nobody can, or Python is told to write nothing, nothing is
remembered.
"""

import json
import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any


def remembered(name: str) -> Any:
    """What was remembered under a name; None if nothing."""
    with suppress(OSError, ValueError):
        return json.loads(place_of(name).read_text(encoding="utf-8"))
    return None


def remember(name: str, value: Any) -> None:
    """Remember something that JSON can hold, if that is possible."""
    if sys.dont_write_bytecode:
        return
    place = place_of(name)
    unfinished = place.with_name(f"{place.name}.{os.getpid()}")
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(json.dumps(value), encoding="utf-8")
        unfinished.replace(place)


def place_of(name: str) -> Path:
    """The file of a name."""
    return Path(cache_from_source(__file__)).parent / f"{name}.json"
