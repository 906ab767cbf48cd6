"""The command line: `aptdb COMMAND LEXICON …`. Each command is in the module of its family."""

TYPE_CHECKING = False  # typing's takes a while to import
if TYPE_CHECKING:
    import typer

    from aptdb.commands.completion.shape import Shape

# The families in the order in which help shows their commands. To import all takes longer than most questions.
FAMILIES = {
    "phrases": ("apt", "fill", "compositionality"),
    "ask": ("neighbours", "similarity", "explain", "sql"),
    "start": ("add", "sync"),
    "first_steps": ("demo", "docs"),
    "evaluations": ("eval",),
    "experiment": ("eval",),
    "exchange": ("export", "parse", "count"),
    "explore": ("serve",),
    "shell": ("shell",),
    "maintain": ("info", "remove", "rebuild", "verify", "backup", "compact", "migrate"),
    "compare_corpora": ("subcorpus", "counts-by", "trend", "keyness"),
    "pictures": ("draw", "map"),
    "sentences": ("evidence", "frames", "senses"),
    "show_matches": ("collexemes",),
    "sketches": ("lexemes", "sketch", "articles"),
    "weights": ("weigh", "reduce"),
    "stored_commands": ("stored", "refresh", "forget"),
}


def app_for(command: str | None = None) -> "typer.Typer":
    """Return the Typer app with a command and its family, which registers itself when it is imported.

    Without a command, return the app with all commands.
    """
    from importlib import import_module

    from aptdb.commands.app import app

    of_command = [family for family, commands in FAMILIES.items() if command in commands]
    for family in of_command or FAMILIES:
        import_module(f"aptdb.commands.{family}")
    return app


def app_of(command: str | None) -> "typer.Typer":
    """Return the Typer app with a command alone, for one run of the program: Typer makes all that are registered.

    Without a command, and with one that is unknown or a group, the app has all that `app_for` gives it.
    """
    app = app_for(command)
    if command is not None:
        alone = [each for each in app.registered_commands if each.name == command]
        app.registered_commands = alone or app.registered_commands
    return app


def commands_shape() -> "Shape":
    """Return the shape of the command line. Importing it takes longer than answering a completing shell."""
    from typer.main import get_command

    from aptdb.commands.completion.describe_commands import shape_of

    return shape_of(get_command(app_for()), "")
