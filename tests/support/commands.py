"""Commands, run in this process."""

from pathlib import Path

from typer.testing import CliRunner, Result

from support.app import app


def ask(*arguments: str | Path, source: str | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=source)
