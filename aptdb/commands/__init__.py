"""The command line: `aptdb COMMAND LEXICON …`. What a command does is in the module of its family."""

# Importing them registers their commands, in this order.
from aptdb.commands import (
    ask,
    demo,
    docs,
    evaluate,
    exchange,
    experiment,
    maintain,
    parse,
    parts,
    phrases,
    sentences,
    sketches,
    start,
    weights,
)  # isort: skip
from aptdb.commands.app import app

__all__ = [
    "app",
    "ask",
    "demo",
    "docs",
    "evaluate",
    "exchange",
    "experiment",
    "maintain",
    "parse",
    "parts",
    "phrases",
    "sentences",
    "sketches",
    "start",
    "weights",
]
