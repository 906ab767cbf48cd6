"""The command line: `aptdb COMMAND LEXICON …`. What a command does is in the module of its family."""

# Importing them registers their commands.
from aptdb.commands import accounting, adding, asking, composing, demonstrating, exchanging, weighing
from aptdb.commands.app import app


def run() -> None:
    """What `aptdb`, `python -m aptdb` and `python cli.py` run."""
    app(prog_name="aptdb")


__all__ = ["accounting", "adding", "app", "asking", "composing", "demonstrating", "exchanging", "run", "weighing"]
