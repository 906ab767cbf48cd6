"""Files that are kept between processes in the user's cache folder, because to make them again takes long.

The folder and its files are private to the user. A folder or file that belongs to somebody else, or that others may
write, is not used; nor is a file that is damaged. Without a usable folder nothing is kept, and nothing fails.
"""

import json
import os
import stat
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

FOLDER = "APTDB_CACHE"  # names another folder
LONGEST = 16 << 20  # bytes of a file that is read: ours are much shorter
MOST = 100  # files that are kept; the oldest are deleted first
INSTALLATION = sha256(__file__.encode()).hexdigest()[:8]  # tells apart what several installations of aptdb keep


def read(name: str) -> Any:
    """Return what `write` kept under a name; None if there is nothing that can be trusted and read."""
    with suppress(OSError, ValueError, RecursionError):
        if file := file_of(f"{name}.json"):
            with file.open("rb") as opened:
                return json.loads(opened.read(LONGEST))
    return None


def write(name: str, value: Any) -> None:
    """Keep a value that JSON can hold, if that is possible."""
    place = folder()
    if place is None:
        return
    with suppress(OSError):
        unfinished = place / f"{name}.json.{os.getpid()}"
        unfinished.unlink(missing_ok=True)
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
            json.dump(value, opened)
        unfinished.replace(place / f"{name}.json")
        for old in sorted(place.iterdir(), key=lambda each: each.stat().st_mtime_ns)[:-MOST]:
            old.unlink(missing_ok=True)


def file_of(name: str) -> Path | None:
    """Return a file of the cache; None if it does not exist, or is not a regular file of this user alone."""
    place = folder()
    if place is None:
        return None
    with suppress(OSError):
        status = (place / name).lstat()
        if stat.S_ISREG(status.st_mode) and is_private(status):
            return place / name
    return None


def folder() -> Path | None:
    """Return the cache folder, which is made if necessary; None if this user cannot have one to himself."""
    return private_folder(os.environ.get(FOLDER))


@cache
def private_folder(wanted: str | None) -> Path | None:
    """Return a folder for this user alone, by default in the user's cache folder; None if there is none."""
    with suppress(OSError, RuntimeError):
        place = Path(wanted or default_folder())
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = place.lstat()
        if stat.S_ISDIR(status.st_mode) and is_private(status) and os.access(place, os.W_OK):
            return place
    return None


def default_folder() -> str:
    """Return the folder that the user's system has for caches."""
    from platformdirs import user_cache_dir

    return user_cache_dir("aptdb", appauthor=False)


def is_private(status: os.stat_result) -> bool:
    """Return whether a file or folder belongs to this user, and others can neither read nor write it."""
    if os.name == "nt":  # where a user's folders are private by default, and modes say nothing
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & 0o077
