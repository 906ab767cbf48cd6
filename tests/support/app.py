"""The Typer app with all commands, as tests run it."""

from aptdb.commands import app_for

app = app_for()
