"""Keeps the statements of an open database from other files than those that they are let to reach."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb

from aptdb.errors import LexiconError
from aptdb.store.files import with_log
from aptdb.store.literals import literal


def confine(
    run: Callable[[str], list[tuple[Any, ...]]], file: Path, files: Sequence[Path], folders: Sequence[Path]
) -> None:
    """Let statements reach these files and folders only. This cannot be undone while the file is open.

    run: runs a statement on the connection, and gives its rows. Raises LexiconError if another connection of this
    process to the file lets it reach others.
    """
    try:
        for setting, places in (("allowed_paths", files), ("allowed_directories", folders)):
            run(f"SET {setting} = {literal([str(each.absolute()) for each in places])}")
        run("SET enable_external_access = false")
    except duckdb.InvalidInputException:  # another connection of this process has done it
        asked = "SELECT current_setting('allowed_paths'), current_setting('enable_external_access')"
        allowed, is_open = run(asked)[0]
        own = {str(each.absolute()) for each in with_log(file)}
        if folders or is_open or {*allowed} - own != {str(each.absolute()) for each in files} - own:
            said = f"{file} is already open in this process with other files; close it there first"
            raise LexiconError(said) from None
