"""Add many files: small ones share chunks and transactions, and each is a corpus of its own."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple

from aptdb.core.errors import AptError, CorpusError, LexiconError, QuestionError, SettingsError
from aptdb.corpus import sources
from aptdb.corpus.joined_files import RefusedFilesError, SmallFile, small_file
from aptdb.counting.add import add, add_joined, holds
from aptdb.counting.metadata import given_metadata
from aptdb.counting.staging import Addition
from aptdb.store.interrupts import ALL_WRITTEN
from aptdb.store.session import Session

OF_METADATA = ("meta", "tags", "sentence_meta", "meta_from")  # parameters of `add`


class Wanted(NamedTuple):
    """A file that is to be added, and the name of its corpus."""

    file: str
    name: str | None


@dataclass(frozen=True)
class Outcome:
    """What became of a file: an addition, an error, or neither if the lexicon had it before."""

    wanted: Wanted
    added: Addition | None = None
    error: AptError | None = None


class Read(NamedTuple):
    """A small file that was read, and its place among those that are to be added."""

    at: int
    wanted: Wanted
    file: SmallFile

    @property
    def name(self) -> str:
        """Return the name of its corpus."""
        return self.wanted.name or self.file.name


class Stopped(KeyboardInterrupt):
    """Ctrl-C while the first of some files were added. there: how many of them are in the lexicon."""

    def __init__(self, stopped: KeyboardInterrupt, there: int) -> None:
        super().__init__(*stopped.args)
        self.there = there


def add_files(
    session: Session, files: Sequence[Wanted], how: Mapping[str, Any], *, skip_held: bool
) -> Iterator[list[Outcome]]:
    """Add files in order; yield the outcomes of those added together, up to the first error. Raises Stopped.

    how: the parameters of `add`. skip_held: leave out files that the lexicon has already, under the same name.
    """
    left = files
    while left:
        outcomes = add_first(session, left, how, skip_held=skip_held)
        yield outcomes
        left = [] if outcomes[-1].error else left[len(outcomes) :]


def add_first(
    session: Session,
    files: Sequence[Wanted],
    how: Mapping[str, Any],
    *,
    skip_held: bool = False,
    keep_going: bool = False,
) -> list[Outcome]:
    """Add the first of some files, and those after it that fit into a chunk with it; return their outcomes in order.

    Those that are right go in together, in one transaction; without keep_going, those before the first that is not. A
    file that another process added meanwhile counts as one that the lexicon had before. Raises Stopped.
    """
    known = read_known_digests(session) if skip_held else {}
    small, found = read_small(files, known, keep_going=keep_going)
    try:
        if not small and not found:
            add_alone(session, 0, files[0], how, found, skip_held=skip_held)
        add_joined_files(session, small, how, found, keep_going=keep_going)
    except KeyboardInterrupt as stopped:
        raise Stopped(stopped, sum(not each.error for each in found.values())) from None
    if skip_held and (refused := [each for each in small if each.at in found and found[each.at].error]):
        known = read_known_digests(session)
        found |= {each.at: Outcome(each.wanted) for each in refused if known.get(each.name) == each.file.digest}
    outcomes = [found[at] for at, _ in takewhile(lambda each: each[0] in found, enumerate(files))]
    first = next((at for at, each in enumerate(outcomes) if each.error and not keep_going), len(outcomes))
    return outcomes[: first + 1]


def read_small(
    files: Sequence[Wanted], known: Mapping[str, str], *, keep_going: bool
) -> tuple[list[Read], dict[int, Outcome]]:
    """Return the first of some files, as far as they share a chunk, and outcomes by their places among them.

    A file is read no further than one chunk goes, and goes by itself if it is no text, or the only one. known: digests
    of corpora that are not added again, by their names. Outcomes are those of such, and of what cannot be read.
    """
    small: list[Read] = []
    found: dict[int, Outcome] = {}
    size = 0
    for at, wanted in enumerate(files if len(files) > 1 else ()):
        try:
            file = small_file(wanted.file)
        except CorpusError as error:
            found[at] = Outcome(wanted, error=error)
            if keep_going:
                continue
            break
        size += len(file.chunk.content) if file else 0
        if file is None or size > sources.CHUNK_BYTES or (small and file.dialect != small[0].file.dialect):
            break
        read = Read(at, wanted, file)
        if known.get(read.name) == file.digest:
            found[at] = Outcome(wanted)
        else:
            small.append(read)
    return small, found


def add_joined_files(
    session: Session, small: Sequence[Read], how: Mapping[str, Any], found: dict[int, Outcome], *, keep_going: bool
) -> None:
    """Add small files together; note their outcomes, by their places, as they go in."""
    while len(small) > 1:
        try:
            with noting_written(found, {each.at: each.wanted for each in small}):
                added = add_together(session, small, how)
            found |= {each.at: Outcome(each.wanted, own) for each, own in zip(small, added, strict=True)}
            return
        except RefusedFilesError as refused:
            first = min(refused.why)
            wrong = refused.why if keep_going else {first: refused.why[first]}
            found |= {small[at].at: Outcome(small[at].wanted, error=why) for at, why in wrong.items()}
            small = [each for at, each in enumerate(small) if (at not in wrong if keep_going else at < first)]
        except SettingsError as error:
            found |= {each.at: Outcome(each.wanted, error=error) for each in small}
            return
        except (CorpusError, QuestionError):  # of one of them: it is in one half
            half = len(small) // 2
            add_joined_files(session, small[:half], how, found, keep_going=keep_going)
            if not keep_going and any(each.at in found and found[each.at].error for each in small[:half]):
                return
            small = small[half:]
    for each in small:
        add_alone(session, each.at, each.wanted, how, found, skip_held=False)


@contextmanager
def noting_written(found: dict[int, Outcome], files: Mapping[int, Wanted]) -> Iterator[None]:
    """Note that files are in the lexicon where Ctrl-C within the block came after they were written."""
    try:
        yield
    except KeyboardInterrupt as stopped:
        if str(stopped) == ALL_WRITTEN:
            found |= {at: Outcome(wanted) for at, wanted in files.items()}
        raise


def add_together(session: Session, small: Sequence[Read], how: Mapping[str, Any]) -> list[Addition]:
    """Add small files in one transaction. Raises like `add_joined`."""
    given = given_metadata(*(how[name] for name in OF_METADATA))
    others = {name: value for name, value in how.items() if name not in OF_METADATA}
    return add_joined(session, [each.file for each in small], [each.name for each in small], given=given, **others)


def add_alone(
    session: Session, at: int, wanted: Wanted, how: Mapping[str, Any], found: dict[int, Outcome], *, skip_held: bool
) -> None:
    """Add one file by itself; note its outcome, by its place."""
    try:
        if skip_held and holds(session, *wanted):
            found[at] = Outcome(wanted)
            return
        with noting_written(found, {at: wanted}):
            found[at] = Outcome(wanted, add(session, wanted.file, name=wanted.name, **how))
    except (CorpusError, SettingsError, QuestionError) as error:
        found[at] = Outcome(wanted) if skip_held and holds(session, *wanted) else Outcome(wanted, error=error)


def read_known_digests(session: Session) -> dict[str, str]:
    """Return the digests of the corpora in a lexicon, by their names; none if it cannot be read."""
    try:
        return {} if session.is_empty() else dict(session.reading().rows("SELECT name, sha256 FROM _store.corpus"))
    except LexiconError:  # which says more of it when we write
        return {}
