"""The command shell: questions and SQL about one lexicon, line after line."""

import os
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from aptdb.commands import app_for, commands_shape
from aptdb.commands.app import command
from aptdb.commands.completion.shape import Shape, cached_shape, read_command_words
from aptdb.commands.notes import print_note
from aptdb.commands.options import LexiconFile, open_lexicon
from aptdb.core.errors import AptError
from aptdb.store.interrupts import forget_signals, status
from aptdb.store.old_names import old

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completer
    from prompt_toolkit.history import History

HISTORY = "shell-history"  # in the user's cache folder
RUNNING = ("shell", "serve")  # they run until they are ended; serve --site does not
QUIT, HELP = ".quit", ".help"
NEAR = 0.6  # how alike names are, as difflib counts, before one is suggested for the other
HELP_TEXT = """\
Ask as on the command line, without aptdb and without the lexicon:

  neighbours dog/NOUN --top 5
  sketch dog/NOUN
  evidence dog/NOUN '<amod' hot/ADJ

Or in SQL, on one line or several, up to a semicolon:

  FROM lexemes ORDER BY frequency DESC LIMIT 5;

Tab completes commands, options and lexemes. Ctrl-C stops a question.

  .help            show this, and all commands
  .help COMMAND    show the help of a command
  .quit            leave, as Ctrl-D does

"""


@command("shell", "Explore")
def run_shell(lexicon: LexiconFile) -> None:
    """Run many commands on one lexicon, with completion and history.

    Write commands as on the command line, without `aptdb` and LEXICON. SQL may have several lines, and ends in a
    semicolon. Tab completes commands, options and lexemes; .help shows more, .quit leaves. Lines may also come from a
    pipe or file: all are run, and the exit status is 1 if one fails. Between two commands the lexicon is closed, so
    that corpora can be added. A terminal needs the extra shell.

    \b
    Examples:
      aptdb shell english.duckdb
      echo 'neighbours dog/NOUN --top 5' | aptdb shell english.duckdb
    """
    with open_lexicon(lexicon):  # whether it can be opened is better known now than at the first question
        pass
    opened = Shell(lexicon, cached_shape(commands_shape))
    if is_terminal():
        if find_spec("prompt_toolkit") is None:
            needed = "the shell needs prompt_toolkit on a terminal"
            raise AptError(f"{needed}; install it with: pip install 'aptdb[shell]', or send it lines through a pipe")
        opened.run(read_typed_lines(lexicon, opened))
        return
    opened.run(sys.stdin or ())
    if opened.failed:
        raise typer.Exit(1)


def is_terminal() -> bool:
    """Return whether somebody types."""
    return sys.stdin is not None and sys.stdin.isatty()


class Shell:
    """A shell on a lexicon. failed: how many of its questions have failed. unfinished: the lines of SQL without end."""

    def __init__(self, lexicon: Path, shape: Shape) -> None:
        self._lexicon = lexicon
        self.shape: Shape = {**shape, "commands": {n: s for n, s in shape["commands"].items() if n != "shell"}}
        self.failed = 0
        self.unfinished = ""

    def run(self, lines: Any) -> None:
        """Answer lines until they end, or one is .quit."""
        for line in lines:
            if self.unfinished:
                self._sql(f"{self.unfinished}\n{line.rstrip()}")
            elif line.strip() == QUIT:
                return
            elif line.strip():
                self._answer(line.strip())
        if self.unfinished:
            self._fail("the last statement has no semicolon at its end; it was not run")

    def words_with_lexicon(self, words: list[str]) -> list[str]:
        """Return the words of a command with this lexicon in them, if the command takes one."""
        found = read_command_words(self.shape, words)
        takes = found.shape["arguments"][:1] if found and found.named else []
        if found is None or not takes or takes[0]["kind"] != "lexicon" or (takes[0]["many"] and found.arguments):
            return words  # what takes a lexicon or files has files
        place = len(found.named)
        return [*words[:place], "--lexicon", str(self._lexicon), *words[place:]]

    def _answer(self, line: str) -> None:
        """Answer a line that begins something."""
        first = line.split(maxsplit=1)[0]
        if first == HELP:
            self._help(line.split()[1:])
        elif first in RUNNING and "--site" not in line:
            self._fail(f"{first} runs until you stop it; start it outside this shell: aptdb {first} …")
        elif (former := old("command line", "", first)) and former.is_gone():
            self._fail(former.message())
        elif first in self.shape["commands"]:
            self._command(line.removesuffix(";"))
        elif is_sql(line):
            self._sql(line)
        else:
            known = [*self.shape["commands"], HELP, QUIT]
            near = get_close_matches(first.rstrip(";").lower(), known, 1, NEAR)
            meant = f"did you mean {near[0]}?" if near else f"{HELP} shows them"
            self._fail(f"{first:.60} is not a command, and no SQL begins so; {meant}")

    def _command(self, line: str) -> None:
        """Run a command."""
        try:
            words = shlex.split(line)
        except ValueError:
            self._fail("a closing quotation mark is missing; nothing was run")
            return
        self._run(self.words_with_lexicon(words))

    def _sql(self, text: str) -> None:
        """Ask in SQL if the text is whole; else wait for more lines."""
        self.unfinished = "" if is_whole_statement(text) else text
        if not self.unfinished:
            self._run(["sql", "--lexicon", str(self._lexicon), "--", text])

    def _help(self, words: list[str]) -> None:
        """Show the help of the shell, or of a command."""
        if words and words[0] in self.shape["commands"]:
            self._run([*words, "--help"])
        elif words:
            self._fail(f"no command {words[0]:.60}; {HELP} shows them")
        else:
            names = {name: each["help"] for name, each in self.shape["commands"].items()}
            width = max(map(len, names))
            sys.stdout.write(HELP_TEXT + "".join(f"  {name:{width}}  {help}\n" for name, help in names.items()))

    def _run(self, words: list[str]) -> None:
        """Run a command line; count it if it fails. Ctrl-C stops it; SIGTERM ends the shell too."""
        try:
            app_for(words[0])(words, prog_name="aptdb")
        except SystemExit as ended:
            self.failed += bool(ended.code)
            if ended.code in TERMINATED:
                raise typer.Exit(ended.code) from None

    def _fail(self, problem: str) -> None:
        """Report a problem, and count it."""
        self.failed += 1
        print_note(problem)


TERMINATED = (143, 129)  # exit statuses after SIGTERM and SIGHUP


def is_sql(line: str) -> bool:
    """Return whether a line begins as SQL does, or ends as it does."""
    from aptdb.questions.read_only import BEGINS

    first = line.lstrip("(").split(maxsplit=1)[0].upper() if line.strip("( ") else ""
    return first in {*BEGINS, "EXPLAIN"} or first.startswith(("--", "/*")) or line.endswith(";")


def is_whole_statement(text: str) -> bool:
    """Return whether SQL ends in a semicolon that is neither in quotation marks nor in a comment."""
    from aptdb.questions.read_only import tokens_of_query

    pieces = tokens_of_query(text)
    return bool(pieces) and pieces[-1].text == ";"


def read_typed_lines(lexicon: Path, opened: Shell) -> Iterator[str]:
    """Yield the lines that are typed at a terminal, until Ctrl-D. Ctrl-C forgets a line."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.shortcuts import CompleteStyle

    session: PromptSession[str] = PromptSession(
        history=find_history(),
        completer=make_completer(opened),
        complete_while_typing=False,  # each looks into the lexicon
        complete_style=CompleteStyle.MULTI_COLUMN,
    )
    while True:
        prompt = f"{lexicon.stem}> "
        try:
            yield session.prompt("… ".rjust(len(prompt)) if opened.unfinished else prompt)
        except KeyboardInterrupt:
            if status() in TERMINATED:
                raise
            forget_signals()
            opened.unfinished = ""
        except EOFError:
            opened.unfinished = ""
            return


def make_completer(shell: Shell) -> "Completer":
    """Return the completer of a shell: of commands, options, lexemes and paths, as the completion of Bash does."""
    from prompt_toolkit.completion import Completer, Completion, PathCompleter
    from prompt_toolkit.document import Document

    from aptdb.commands.completion.answer import complete_last_word, shorten_meaning, split_command_line, written_on
    from aptdb.store.lazy_imports import duckdb

    class OfShell(Completer):
        def get_completions(self, document: Document, complete_event: "CompleteEvent") -> Iterable[Completion]:
            """Yield what the word at the cursor may be; nothing where the lexicon cannot be read."""
            if shell.unfinished:
                return
            *before, word = split_command_line(document.text_before_cursor)
            words = [*shell.words_with_lexicon([each.text for each in before]), word.text]
            with suppress(OSError, duckdb.Error):
                found = complete_last_word(shell.shape, words)
                if found.files:
                    paths = PathCompleter(only_directories=found.files == "folders")
                    yield from paths.get_completions(Document(word.text), complete_event)
                    return
                # A value replaces the word, or what follows its open quotation mark.
                typed = len(word.raw) - (word.opened + 1 if word.quote else 0)
                space = "" if found.is_open or word.quote else " "
                for value, means in found.values:
                    text = written_on(word, value, "") + space
                    yield Completion(text, -typed, display=value, display_meta=shorten_meaning(means))

    return OfShell()


def find_history() -> "History":
    """Return the history in the user's cache folder; one that is forgotten where there is no private folder."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    from aptdb.store.user_cache import file_of, make_cache_folder

    place = make_cache_folder()
    if place is not None:
        with suppress(OSError):
            os.close(os.open(place / HISTORY, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        if (file := file_of(HISTORY)) is not None:
            return FileHistory(file)
    return InMemoryHistory()
