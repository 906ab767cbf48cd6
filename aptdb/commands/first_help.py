"""`aptdb --help` from the cache, because all commands are imported to format it."""

import sys
from contextlib import suppress
from shutil import get_terminal_size

from aptdb.commands.completion.command_cache import cached


def is_help_shown() -> bool:
    """Show the help. Return whether that worked; where nothing can be written, the app reports why."""
    text = cached(f"help-{get_terminal_size().columns}", str, help_text)
    with suppress(OSError, UnicodeError, AttributeError):
        sys.stdout.write(text)
        sys.stdout.flush()
        return True
    return False


def help_text() -> str:
    """Return the help that the app shows."""
    from typer.main import get_command

    from aptdb.commands import app_for

    with get_command(app_for()).make_context("aptdb", [], resilient_parsing=True) as context:
        return f"{context.get_help()}\n"
