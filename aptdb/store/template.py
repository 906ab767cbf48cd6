"""An empty lexicon of this version, kept in the user's cache, from which new ones are copied.

To make tables, macros and views takes most of the time that a small addition needs; to copy them a tenth of it.
"""

import os
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path

import duckdb

from aptdb.core.errors import AptError
from aptdb.core.settings import Settings
from aptdb.store import schema, user_cache
from aptdb.store.database import Database
from aptdb.store.definitions import definitions_digest
from aptdb.store.file_writing import with_log
from aptdb.store.version import __version__


def template() -> Path | None:
    """Return the file of an empty lexicon, which is made if necessary; None if it cannot be kept."""
    name = f"empty-{__version__}-{definitions_digest()[:16]}-{duckdb.__version__}"
    found = user_cache.file_of(f"{name}.duckdb")
    if found and user_cache.read(name) == digest_of(found):
        return found
    return make(name)


def make(name: str) -> Path | None:
    """Make the empty lexicon under a name in the cache, and keep its digest beside it."""
    folder = user_cache.folder()
    if folder is None:
        return None
    file, unfinished = folder / f"{name}.duckdb", folder / f"{name}.duckdb.{os.getpid()}"
    try:
        with suppress(OSError, AptError):
            unfinished.unlink(missing_ok=True)
            with closing(Database(unfinished, read_only=False)) as database:
                with database.transaction():
                    schema.create(database, Settings())
                    schema.install(database)
                database.run("CHECKPOINT")
            unfinished.chmod(0o600)
            digest = digest_of(unfinished)
            unfinished.replace(file)
            user_cache.write(name, digest)
    finally:
        for each in with_log(unfinished):
            each.unlink(missing_ok=True)
    return user_cache.file_of(file.name)


def digest_of(file: Path) -> str:
    """Return the hash of a file."""
    return sha256(file.read_bytes()).hexdigest()
