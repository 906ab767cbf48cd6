"""The command line: `aptdb COMMAND LEXICON …`. What a command does is in the module of its family."""

from aptdb.commands import adding, asking, composing, demonstrating, weighing  # importing them registers their commands
from aptdb.commands.app import app


def run() -> None:
    """What `aptdb`, `python -m aptdb` and `python cli.py` run."""
    app(prog_name="aptdb")


__all__ = ["adding", "app", "asking", "composing", "demonstrating", "run", "weighing"]
