"""Completion in the command shell: what a shell of the system completes, for the lexicon of this one."""

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from aptdb.commands.completion.answer import Word, shorten_meaning, split_command_line, written_on
from aptdb.commands.completion.shape import Shape
from aptdb.commands.completion.values import complete_last_word
from aptdb.store.lazy_imports import duckdb

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer as AnyCompleter


class Completing(Protocol):
    """A shell that can be completed. shape: of its commands. unfinished: lines of SQL without end."""

    shape: Shape
    unfinished: str

    def words_with_lexicon(self, words: list[str]) -> list[str]:
        """Return the words of a command with the lexicon in them."""


class OfShell(Completer):
    """Completes commands, options, lexemes and paths, as the completion of Bash does."""

    def __init__(self, shell: Completing) -> None:
        self._shell = shell

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what the word at the cursor may be; nothing where the lexicon cannot be read."""
        if self._shell.unfinished:
            return
        words = split_command_line(document.text_before_cursor)
        *before, last = [each.text for each in words]
        with suppress(OSError, duckdb.Error):
            found = complete_last_word(self._shell.shape, [*self._shell.words_with_lexicon(before), last])
            if found.files:
                within = Document(last)
                only_folders = found.files == "folders"
                yield from PathCompleter(only_directories=only_folders).get_completions(within, complete_event)
                return
            space = "" if found.is_open else " "
            for value, means in found.values:
                yield of_value(words[-1], value, means, space)


def of_value(word: Word, value: str, means: str, space: str) -> Completion:
    """Return a value as a completion: it replaces the word, or what follows its open quotation mark."""
    text = written_on(word, value, "")
    typed = len(word.raw) - (word.opened + 1 if word.quote else 0)
    return Completion(text if word.quote else text + space, -typed, display=value, display_meta=shorten_meaning(means))


def make_completer(shell: Completing) -> "AnyCompleter":
    """Return the completer of a shell."""
    return OfShell(shell)
