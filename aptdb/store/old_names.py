"""Old public names: each works, with a warning, in the minor version that calls it old; then it is an error.

Names whose new form is more than another name are errors at once. One declaration serves Python, the command line, and
the messages of SQL. SQL itself cannot warn: while an old relation, macro or column is to work, it has to stand in
`sql/` beside the new one.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from aptdb.core.errors import OldNameWarning, QuestionError, warn
from aptdb.store.version import __version__

Kind = Literal["python", "command line", "sql"]


@dataclass(frozen=True)
class Old:
    """A public name that was replaced.

    within: what has the name: a command, whose option it is; a class, a method, a relation or a macro; '' for a
    command, a relation, a macro, or a name of the package itself. new: what to write instead, a name of the same kind
    in the same place. since: the minor version that calls it old, e.g. 1.0: it works in all of 1.0, and is an error
    from 1.1 on. instead: all that is to be written, where that is more than a name in the same place; such an old name
    is an error from its `since` on, and `new` is the method, command or option that stands in `instead`.
    """

    kind: Kind
    within: str
    name: str
    new: str
    since: str
    instead: str = ""

    def is_gone(self) -> bool:
        """Return whether this version is later than the last one where the name works, or it works in none."""
        return bool(self.instead) or minor(__version__) > minor(self.since)

    def message(self) -> str:
        """Return what to write instead, and since or until when."""
        called = f"{self.name} of {self.within}" if self.within else self.name
        if self.instead:
            return f"{called} was removed in version {self.since}; write: {self.instead}"
        if self.is_gone():
            return f"{called} was renamed in version {self.since}; write: {self.new}"
        return f"{called} is an old name, an error after version {self.since}; write: {self.new}"


# Classes of warnings that the first candidate of 1.0 had, by the class that each is now.
WARNINGS = {
    "AptWarning": "BroughtBack MovedCounts Waiting",
    "IncompleteDataWarning": "AllLeftOut NotRecorded OtherMetadata OtherSettings RoughSenses SmallSpace SpeltTwice "
    "UnknownDocument WithoutLemmas WithoutPictures WithoutTrees",
    "InterpretationWarning": "ReadAs Renamed",
    "NoMatchWarning": "NoSuchText UnknownRelation UnusedSetting",
    "OldNameWarning": "OldName",
    "StaleDataWarning": "StaleEntry StaleSenses StaleSpace StaleWeighting",
}

# Commands that candidates of 1.0 had, and what is written instead.
COMMANDS = {
    "compose": "aptdb apt LEXICON PHRASE",
    "contextualise": "aptdb neighbours LEXICON PHRASE --in-context",
    "diff": "aptdb explain LEXICON A B --differences",
    "entails": "aptdb explain LEXICON A B --entailment",
    "observed": "aptdb apt LEXICON PHRASE --observed",
    "plausible": "aptdb fill LEXICON PHRASE",
    "read": "aptdb apt LEXICON WORDS --readings",
    "substitutes": "aptdb fill LEXICON PHRASE, with a word marked as in 'dogs [chase] cats', or with --anchor",
    "thesaurus": "aptdb neighbours LEXICON --all -o FILE",
    "evaluate": "aptdb eval ratings LEXICON DATASET",
    "choose": "aptdb eval choose LEXICON QUESTIONS",
    "rate-substitutes": "aptdb eval substitutes LEXICON GOLD SENTENCES",
    "experiment": "aptdb eval paper LEXICON TABLE",
    "evaluations": "aptdb stored LEXICON evaluations",
    "check": "aptdb verify FILE…",
    "open": "aptdb add LEXICON COUNTS --in-place",
    "definitions": "aptdb sql LEXICON --definitions --as NAME",
    "site": "aptdb serve LEXICON --site FOLDER",
    "mcp": "aptdb serve LEXICON --mcp",
    "weightings": "aptdb stored LEXICON weightings",
    "spaces": "aptdb stored LEXICON spaces",
    "entries": "aptdb stored LEXICON entries",
    "subcorpora": "aptdb stored LEXICON subcorpora",
    "corpora": "aptdb info LEXICON --corpora",
    "merge": "aptdb add LEXICON OTHER.duckdb",
    "matches": "aptdb evidence LEXICON PATTERN --tokens",
    "report": "aptdb info LEXICON --report FILE",
    "sketch-diff": "aptdb sketch LEXICON A --against B",
    "plot": "aptdb neighbours, sketch, trend or info with --plot FILE, or aptdb map",
    "plot groups": "aptdb neighbours LEXICON X --groups --plot FILE",
    "plot growth": "aptdb info LEXICON --plot FILE",
    "plot map": "aptdb map LEXICON X...",
    "plot neighbours": "aptdb neighbours LEXICON X --plot FILE",
    "plot sketch": "aptdb sketch LEXICON LEXEME --plot FILE",
    "plot trend": "aptdb trend LEXICON LEXEME --plot FILE",
}

# Methods of Lexicon, and what is written instead of lexicon.NAME.
MOVED_METHODS = {
    **{name: f"stored.{name}()" for name in ("weightings", "spaces", "entries", "subcorpora")},
    "refresh": 'stored.refresh(kind="weightings")',
    "refresh_entries": 'stored.refresh(kind="entries")',
    "refresh_spaces": 'stored.refresh(kind="spaces")',
    "refresh_subcorpora": 'stored.refresh(kind="subcorpora")',
    "refresh_senses": 'stored.refresh(kind="senses")',
    "forget": 'stored.forget(NAME, kind="weightings")',
    "forget_entry": 'stored.forget(NAME, kind="entries")',
    "forget_space": 'stored.forget(NAME, kind="spaces")',
    "forget_subcorpus": 'stored.forget(NAME, kind="subcorpora")',
    "forget_senses": 'stored.forget(LEXEME, kind="senses")',
    **{f"plot_{name}": f"plot.{name}" for name in ("neighbours", "sketch", "trend", "growth", "map", "groups")},
    "draw": "plot.apt",
    "draw_trees": "plot.trees",
    **{name: f"eval.{name}" for name in ("evaluate", "evaluations", "missing_words", "choose", "rate_substitutes")},
    **{name: f"eval.{name}" for name in ("tables_2_to_4", "table_5", "table_6", "report")},
    "holds": "is_added",
    "left_out": "left_out_of_sketch",
    "merged": "count_packed_only",
    "ways": "paths_between",
}

# Options of commands, and what is written instead.
OPTIONS = {
    (command, f"--{act}"): f"aptdb {act} LEXICON {'[NAME]' if act == 'refresh' else 'NAME'} --kind {kind}"
    for command, kind in (
        ("weigh", "weightings"), ("reduce", "spaces"), ("subcorpus", "subcorpora"), ("senses", "senses"),
    )
    for act in ("refresh", "forget")
}  # fmt: skip

# A major version may delete what is old before it.
OLD_NAMES: tuple[Old, ...] = (
    Old("python", "Lexicon.eval.evaluate", "form", "format", since="1.0"),
    Old("python", "Lexicon.export", "form", "format", since="1.0"),
    Old("python", "Lexicon.eval.missing_words", "form", "format", since="1.0"),
    Old("python", "missing", "there", "skip_unknown", since="1.0"),
    *(Old("python", "", name, new, "1.0", instead=new) for new, names in WARNINGS.items() for name in names.split()),
    *(
        Old("command line", "", name, instead.split()[1].strip(","), since="1.0", instead=instead)
        for name, instead in COMMANDS.items()
    ),
    *(
        Old("python", "Lexicon", name, written.partition("(")[0], since="1.0", instead=f"lexicon.{written}")
        for name, written in MOVED_METHODS.items()
    ),
    *(
        Old("command line", within, name, instead.split()[1], since="1.0", instead=instead)
        for (within, name), instead in OPTIONS.items()
    ),
)


def minor(version: str) -> tuple[int, ...]:
    """Return the major and the minor number of a version."""
    return tuple(int(number) for number in version.split(".")[:2])


def old(kind: Kind, within: str, name: str) -> Old | None:
    """Return the declaration of an old name; None if it is none."""
    names = (each for each in OLD_NAMES if (each.kind, each.within, each.name) == (kind, within, name))
    return next(names, None)


def newer(kind: Kind, within: str, name: str) -> str:
    """Return the new name of an old one, with a warning; other names unchanged. Raise QuestionError if it is gone."""
    if (found := old(kind, within, name)) is None:
        return name
    if found.is_gone():
        raise QuestionError(found.message())
    warn(found.message(), OldNameWarning)
    return found.new


def by_newer_names(within: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return keyword arguments of a method under their new names. Raise QuestionError if one is given by both names."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        new = newer("python", within, name)
        if new in found or (new != name and new in given):
            raise QuestionError(f"{new} is given twice: {name} is its old name; give {new} alone")
        found[new] = value
    return found


def attribute(of: str, within: str, name: str) -> str:
    """Return the new name of an attribute, with a warning. Raise AttributeError if it is gone, or was never there.

    Where `from aptdb import …` asks for a name that is gone, raise ImportError: Python hides an AttributeError there.
    of: what lacks the attribute, in Python's words. within: as in `Old`.
    """
    if old("python", within, name) is None:
        raise AttributeError(f"{of} has no attribute {name!r}")
    try:
        return newer("python", within, name)
    except QuestionError as error:
        is_imported = sys._getframe(2).f_code.co_name == "_handle_fromlist"  # of importlib
        raise (ImportError if is_imported else AttributeError)(str(error)) from None


def instead(within: str | None, name: str) -> str:
    """Return what to write for an old name of SQL that is gone; '' for other names. within: None where unknown."""
    of_sql = (each for each in OLD_NAMES if each.kind == "sql" and each.name.lower() == name.lower())
    return next((each.message() for each in of_sql if within in (None, each.within) and each.is_gone()), "")
