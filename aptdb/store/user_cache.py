"""Cache of values and files that are slow to compute, in the user's cache folder.

The folder and its files are private to the user. A folder or file that belongs to somebody else, or that others can
read or write, is not used; nor is a damaged file: each begins with the digest of what follows. Without a usable folder
nothing is cached, and nothing fails.
"""

import json
import os
import stat
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

FOLDER = "APTDB_CACHE"  # the environment variable that names another folder
LONGEST = 16 << 20  # bytes that are read of a file; ours are much shorter
MOST = 100  # files that are kept; the oldest are deleted first
INSTALLATION = sha256(__file__.encode()).hexdigest()[:8]  # several installations of aptdb share the folder


def read_cached(name: str) -> Any:
    """Return the value that `write` stored under a name; None if it is missing, damaged or not trusted."""
    with suppress(OSError, ValueError, RecursionError):
        if file := file_of(f"{name}.json"):
            with file.open("rb") as opened:
                digest, _, text = opened.read(LONGEST).partition(b"\n")
            return json.loads(text) if digest == digest_cached_text(text) else None
    return None


def write_cached(name: str, value: Any) -> None:
    """Store a value that JSON can hold; do nothing if that fails."""
    from tempfile import mkstemp

    place = make_cache_folder()
    if place is None:
        return
    with suppress(OSError):
        text = json.dumps(value).encode()
        handle, unfinished = mkstemp(prefix=f"{name}.", dir=place)  # which only this user can read
        try:
            with open(handle, "wb") as opened:
                opened.write(digest_cached_text(text) + b"\n" + text)
            Path(unfinished).replace(place / f"{name}.json")
        finally:
            Path(unfinished).unlink(missing_ok=True)
        for old in sorted(place.iterdir(), key=lambda each: each.stat().st_mtime_ns)[:-MOST]:
            old.unlink(missing_ok=True)


def digest_cached_text(text: bytes) -> bytes:
    """Return the digest of the text of a cached value."""
    return sha256(text).hexdigest().encode()


def file_of(name: str) -> Path | None:
    """Return the path of a cached file; None if it is missing, not a regular file, or not private to this user."""
    place = make_cache_folder()
    if place is None:
        return None
    with suppress(OSError):
        status = (place / name).lstat()
        if stat.S_ISREG(status.st_mode) and is_private_status(status):
            return place / name
    return None


def make_cache_folder() -> Path | None:
    """Return the cache folder, and create it if it is missing; None if there is none that is private to this user."""
    return private_folder(os.environ.get(FOLDER))


@cache
def private_folder(wanted: str | None) -> Path | None:
    """Return a folder that is private to this user, by default the one for caches; None if there is none."""
    with suppress(OSError, RuntimeError):
        place = Path(wanted or default_folder())
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = place.lstat()
        if stat.S_ISDIR(status.st_mode) and is_private_status(status) and os.access(place, os.W_OK):
            return place
    return None


def default_folder() -> str:
    """Return the folder for caches of this system; raise RuntimeError if the user has no home."""
    from platformdirs import user_cache_dir

    found = user_cache_dir("aptdb", appauthor=False)
    if found.startswith("~"):  # older releases of platformdirs leave it so
        raise RuntimeError("this user has no home")
    return found


def is_private_status(status: os.stat_result) -> bool:
    """Return whether a file or folder belongs to this user, and others can neither read nor write it."""
    if os.name == "nt":  # where a user's folders are private by default, and modes say nothing
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & 0o077
