"""Write a counts folder: its place, and the manifest of the files that tasks have written."""

import json
import os
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from aptdb.core.errors import CorpusError, InUseError, LexiconError
from aptdb.core.settings import Settings
from aptdb.distributed.input_splits import Piece, everywhere, file_system, is_remote, local_path
from aptdb.store.counts_folder import MANIFEST, UNFINISHED, CountedSource, CountsFile, Manifest, as_manifest
from aptdb.store.file_writing import flush, lock, parent_of, put_in_place, refuse_name_of_log
from aptdb.store.interrupts import interrupts_held
from aptdb.store.lexicon_file import link_in_circle
from aptdb.store.version import __version__

if TYPE_CHECKING:
    from pyarrow.fs import FileInfo

TRIES, BETWEEN_TRIES = 20, 0.1  # of deleting what tasks may still write; seconds
CLAIM = "claim-"  # begins the name of a file by which a run says that it makes a remote folder

NOT_IN_NAMES = re.compile(r"[*?\[\]{}\\]")  # which name several files, for DuckDB or for Spark


class Results:
    """The reports of tasks: texts in JSON, each with how often it was given."""

    def __init__(self, reports: Mapping[str, int]) -> None:
        self.skipped: Counter[str] = Counter()
        self.lacking: Counter[str] = Counter()  # words without a column, by its name
        self.sentences = self.tokens = 0
        self.names: Counter[tuple[str, str]] = Counter()  # what the text has: a kind and a name, and how many tokens
        self.pieces: list[dict[str, Any]] = []
        self.rejected: list[dict[str, Any]] = []
        for text, times in reports.items():
            self._take(json.loads(text), times)
        self.pieces.sort(key=lambda each: (each["file"], each["piece"]))

    def _take(self, one: dict[str, Any], times: int) -> None:
        """Take one report that was made a number of times."""
        if "hashes" in one:
            self.pieces += [one] * times
        elif "rejected" in one:
            self.rejected += [one] * times
        elif "names" in one:
            self.names.update({(kind, name): times * tokens for kind, name, tokens in one["names"]})
        else:
            self.lacking.update({column: times * words for column, words in one["lacking"].items()})
            self.sentences += times * one.get("sentences", 0)
            self.tokens += times * one.get("tokens", 0)
            self.skipped.update({kind: times * number for kind, number in one["skipped"].items()})

    @cached_property
    def hashes(self) -> dict[str, str]:
        """Return the hash of each file's unpacked content: that of the hashes of its pieces."""
        found: dict[str, list[str]] = {}
        for each in self.pieces:
            found.setdefault(each["file"], []).extend(each["hashes"])
        return {file: sha256("".join(each).encode()).hexdigest() for file, each in found.items()}

    def digest(self) -> str:
        """Return a digest of the content of all files, in any order."""
        return sha256("".join(sorted(self.hashes.values())).encode()).hexdigest()

    def lines_before(self) -> dict[tuple[str, int], int]:
        """Return the number of lines before each piece of a file."""
        found: dict[tuple[str, int], int] = {}
        for each in self.pieces:
            before = found.setdefault((each["file"], each["piece"]), 0)
            found[each["file"], each["piece"] + 1] = before + each["lines"]
        return found

    def refuse_uneven(self, pieces: Sequence[Piece]) -> None:
        """Raise LexiconError if a piece was not counted exactly once."""
        if [(each["file"], each["piece"]) for each in self.pieces] != sorted(each[:2] for each in pieces):
            raise LexiconError("the engine has not counted each piece exactly once; please report this")

    def refuse_useless(self, shown: dict[str, str], *, again: bool) -> None:
        """Raise CorpusError if a file is empty, or equals another. shown: files as the user named them."""
        read: Counter[str] = Counter()
        for each in self.pieces:
            read[each["file"]] += each["sentences"]
        seen: dict[str, str] = {}
        for file, named in shown.items():
            if not read[file]:
                raise CorpusError(f"{named}: no valid sentence; CoNLL-U has a line of 10 columns for each word")
            same = seen.setdefault(self.hashes[file], named)
            if same != named and not again:
                raise CorpusError(
                    f"{named} has the same content as {same}; leave one out, or count it twice with --again"
                )
        if not self.tokens:
            left_out = f"; {self.skipped.total():,} were skipped" if self.skipped else ""
            raise CorpusError(f"{', '.join([*shown.values()][:3])}: no valid sentence{left_out}")


class Folder:
    """A counts folder that is being made, on this machine or on a file system that many machines share."""

    def __init__(self, place: str) -> None:
        if not place or "\0" in place:
            raise LexiconError(f"{place!r} cannot be the name of a folder")
        if found := NOT_IN_NAMES.search(place):
            raise LexiconError(f"{place}: a folder of counts cannot have {found[0]} in its name; name another place")
        self.place = place.rstrip("/") or "/"
        self.name = self.place.rsplit("/", 1)[-1]
        where = self.place if is_remote(self.place) else os.path.realpath(local_path(self.place))
        self.everywhere = everywhere(where)
        try:
            self._system, self._path = file_system(where)
        except CorpusError as error:
            raise LexiconError(f"the folder cannot be made: {error}") from error

    def path(self) -> Path:
        """Return its path on this machine. Raise LexiconError if it is elsewhere."""
        if is_remote(self.place):
            raise LexiconError(f"{self.place} is not on this machine; --engine spark writes there")
        return Path(self._path)

    @contextmanager
    def made(self, *, take_over: bool = False) -> Iterator["Folder"]:
        """Yield the folder, empty; after an error in the block it is as it was, unless another run has finished it.

        take_over: begin anew where a run on a remote file system was killed. Raises LexiconError if the folder has
        contents, and InUseError if another run makes it.
        """
        if take_over and not is_remote(self.place):
            raise LexiconError(
                f"{self.place} is on this machine, where what a killed run left is deleted anyway; leave out take_over "
                "(--take-over)"
            )
        was_there = self._refuse_taken(take_over)
        try:
            self._system.create_dir(f"{self._path}/{UNFINISHED}", recursive=True)
            with self._claimed(take_over) if is_remote(self.place) else self._alone():
                yield self
        except InUseError:
            raise
        except BaseException:
            with interrupts_held(), suppress(OSError):
                if not self._is_finished():
                    self._clear(self._system.delete_dir_contents if was_there else self._system.delete_dir)
            raise

    def _clear(self, delete: Callable[[str], None]) -> None:
        """Delete the folder or its contents, again while tasks of a server still write there."""
        for _ in range(TRIES):
            try:
                delete(self._path)
            except OSError:
                time.sleep(BETWEEN_TRIES)
            else:
                return

    def _is_finished(self) -> bool:
        """Return whether the folder has a manifest."""
        from pyarrow import fs

        found: bool = self._system.get_file_info(f"{self._path}/{MANIFEST}").type != fs.FileType.NotFound
        return found

    def _refuse_taken(self, take_over: bool) -> bool:
        """Raise LexiconError if the place has contents that may not go. Return whether it is there, and empty."""
        from pyarrow import fs

        if not is_remote(self.place):
            refuse_name_of_log(local_path(self.place))
            if Path(self._path).is_symlink():
                raise link_in_circle(local_path(self.place))
            if not (parent := parent_of(local_path(self.place))).is_dir():
                raise LexiconError(f"no folder {parent}; make it first, or name another place")
        there = self._system.get_file_info(self._path)
        if there.type == fs.FileType.NotFound:
            return False
        if there.type != fs.FileType.Directory:
            raise LexiconError(f"{self.place} is not a folder; name another place")
        inside = {Path(each.path).name for each in self._system.get_file_info(fs.FileSelector(self._path))}
        if MANIFEST in inside or (inside and UNFINISHED not in inside):
            raise LexiconError(f"{self.place} exists already; delete it, or name another folder")
        claims = self._claims() if inside and is_remote(self.place) else []
        if (claims or (is_remote(self.place) and inside - {UNFINISHED})) and not take_over:
            self._refuse_claims(claims)
        return not inside

    def _claims(self) -> "list[FileInfo]":
        """Return the claims of runs that make a remote folder, the first first."""
        from pyarrow import fs

        inside = self._system.get_file_info(fs.FileSelector(f"{self._path}/{UNFINISHED}"))
        claims = [each for each in inside if each.base_name.startswith(CLAIM)]
        return sorted(claims, key=lambda each: (str(each.mtime), each.path))

    def _refuse_claims(self, claims: "Sequence[FileInfo]") -> None:
        """Raise InUseError: other runs make the folder, or made it and were killed."""
        since = f" since {claims[0].mtime:%Y-%m-%d %H:%M} UTC" if claims and claims[0].mtime else ""
        raise InUseError(
            f"{self.place} is unfinished{since}: another run makes it, or was killed; if none runs, --take-over (in "
            "Python take_over=True) deletes what is there and starts again"
        )

    @contextmanager
    def _claimed(self, take_over: bool) -> Iterator[None]:
        """Claim a remote folder for this run, and release it at the end. Raise InUseError if another run has.

        Each run writes a claim of its own, and then looks for others. Of two at once at least one sees the other, and
        who sees another gives up: so no two go on, though both may give up.
        """
        if take_over:
            self._system.delete_dir_contents(self._path)
            self._system.create_dir(f"{self._path}/{UNFINISHED}", recursive=True)
        own = f"{self._path}/{UNFINISHED}/{CLAIM}{uuid4()}"
        with self._system.open_output_stream(own) as out:
            out.write(str(os.getpid()).encode())
        if others := [each for each in self._claims() if each.path != own]:
            self._system.delete_file(own)
            self._refuse_claims(others)
        if self._is_finished():
            self._system.delete_dir(f"{self._path}/{UNFINISHED}")
            raise InUseError(f"{self.place} was finished by another run in the meantime; name another folder")
        yield

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock the folder for this process, and delete the remains of a killed one.

        Raises InUseError if another process makes it, or has finished it in the meantime.
        """
        with Path(self._path, UNFINISHED, "lock").open("w") as opened:
            try:
                lock(opened)
            except OSError as error:
                raise InUseError(f"{self.place} is being made by another process; name another folder") from error
            if self._is_finished():
                shutil.rmtree(Path(self._path, UNFINISHED))
                raise InUseError(f"{self.place} was finished by another process in the meantime; name another folder")
            for each in (*Path(self._path).iterdir(), *Path(self._path, UNFINISHED).iterdir()):
                if each.name not in (UNFINISHED, "lock"):
                    shutil.rmtree(each) if each.is_dir() else each.unlink()
            yield

    def finish(
        self,
        files: Sequence[CountsFile],
        count: int,
        settings: Settings,
        pieces: Sequence[Piece],
        shown: dict[str, str],
        results: Results,
    ) -> None:
        """Write the manifest, last of all: a folder without it is incomplete. Raise LexiconError.

        files: those of the tables. count: the sum of all counts. shown: files as the user named them.
        """
        self._keep_only(files)
        lengths: Counter[str] = Counter()
        for piece in pieces:
            lengths[piece.file] += piece.end - piece.begin
        names = {each: name if is_remote(name) else local_path(name).name for each, name in shown.items()}
        sources = [CountedSource(names[file], length, results.hashes[file]) for file, length in lengths.items()]
        text = manifest(files, count, sources, settings, results).as_json()
        try:
            as_manifest(json.loads(text))
        except ValueError as error:
            raise LexiconError(f"the engine did not write its results: {error}") from error
        self._put_manifest(text.encode())
        self._system.delete_dir(f"{self._path}/{UNFINISHED}")  # last, so that who is killed before can count again

    def _put_manifest(self, content: bytes) -> None:
        """Write the manifest, after all other files are on the disk."""
        if not is_remote(self.place):
            folder, part = Path(self._path), Path(self._path, f"{MANIFEST}.part")
            for each in (*(each for each in folder.rglob("*") if UNFINISHED not in each.parts), folder.parent):
                flush(each)
            part.write_bytes(content)
            put_in_place([part], [folder / MANIFEST])
            return
        with self._system.open_output_stream(f"{self._path}/{MANIFEST}.part") as out:
            out.write(content)
        self._system.move(f"{self._path}/{MANIFEST}.part", f"{self._path}/{MANIFEST}")

    def _keep_only(self, files: Sequence[CountsFile]) -> None:
        """Delete what tasks wrote that were done again. Raise LexiconError if a file is not there as it was written."""
        from pyarrow import fs

        found = self._system.get_file_info(fs.FileSelector(self._path, recursive=True))
        names = {each.path[len(self._path.rstrip("/")) + 1 :]: each.size for each in found if each.is_file}
        wanted = {each.path: each.bytes for each in files}
        for name in names.keys() - wanted.keys():
            if not name.startswith(f"{UNFINISHED}/"):
                self._system.delete_file(f"{self._path}/{name}")
        for name, size in wanted.items():
            if names.get(name) != size:
                raise LexiconError(f"{self.place}: {name} is not there as written; all machines must share the folder")


def manifest(
    files: Sequence[CountsFile], count: int, sources: Sequence[CountedSource], settings: Settings, results: Results
) -> Manifest:
    """Return the manifest of a folder."""
    rows: Counter[str] = Counter()
    for each in files:
        rows[each.table] += each.rows
    return Manifest(
        aptdb=__version__,
        settings=settings,
        sentences=results.sentences,
        tokens=results.tokens,
        skipped=dict(sorted(results.skipped.items())),
        cooccurrences=rows["cooccurrences"],
        count=count,
        lexemes=rows["lexemes"],
        paths=rows["paths"],
        nodes=rows["nodes"],
        sha256=results.digest(),
        files=tuple(files),
        sources=tuple(sources),
    )
