"""The Typer app with all commands, as tests run it."""

from functools import cache

import typer.main
import typer.testing

from aptdb.commands import app_for

app = app_for()
# For each call, CliRunner would make all commands of the app anew, which takes longer than most of them do.
vars(typer.testing)["_get_command"] = cache(typer.main.get_command)
