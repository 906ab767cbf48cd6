"""The command line: `aptdb COMMAND LEXICON …`. What a command does is in the module of its family."""

# Importing them registers their commands.
from aptdb.commands import ask, demo, evaluate, exchange, experiment, maintain, phrases, start, weights
from aptdb.commands.app import app

__all__ = ["app", "ask", "demo", "evaluate", "exchange", "experiment", "maintain", "phrases", "start", "weights"]
