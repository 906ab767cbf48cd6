"""The command line: `aptdb COMMAND LEXICON …`. What a command does is in the module of its family."""

# Importing them registers their commands.
from aptdb.commands import (
    accounting,
    adding,
    asking,
    composing,
    demonstrating,
    evaluating,
    exchanging,
    experimenting,
    weighing,
)
from aptdb.commands.app import app

__all__ = [
    "accounting",
    "adding",
    "app",
    "asking",
    "composing",
    "demonstrating",
    "evaluating",
    "exchanging",
    "experimenting",
    "weighing",
]
