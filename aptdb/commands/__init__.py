"""The command line: `aptdb COMMAND LEXICON …`. What a command does is in the module of its family."""

# Importing them registers their commands, in this order.
from aptdb.commands import demo, start, ask, phrases, weights, evaluate, experiment, exchange, maintain  # isort: skip
from aptdb.commands.app import app

__all__ = ["app", "ask", "demo", "evaluate", "exchange", "experiment", "maintain", "phrases", "start", "weights"]
