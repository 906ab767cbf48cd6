"""`aptdb --help`, as it was made before: all commands are imported to make it."""

import sys
from contextlib import suppress
from shutil import get_terminal_size

from aptdb.commands.completion.command_cache import made_of_commands


def is_help_shown() -> bool:
    """Show it. Says whether that worked: where nothing can be written, the app says why."""
    text = made_of_commands(f"help-{get_terminal_size().columns}", str, help_text)
    with suppress(OSError, UnicodeError, AttributeError):
        sys.stdout.write(text)
        sys.stdout.flush()
        return True
    return False


def help_text() -> str:
    """Return what the app shows."""
    from typer.main import get_command

    from aptdb.commands import app_for

    with get_command(app_for()).make_context("aptdb", [], resilient_parsing=True) as context:
        return f"{context.get_help()}\n"
