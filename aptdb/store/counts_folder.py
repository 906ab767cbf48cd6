"""Folders of counts: the manifest, and whether all files that it lists are there.

The manifest is written last: a folder without one is incomplete. This module does not read the tables.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import file_digest, sha256
from pathlib import Path, PurePosixPath
from typing import Any

from aptdb.core.errors import CorpusError, SettingsError
from aptdb.core.settings import READ_AS, Settings
from aptdb.store.file_writing import why_not_read

FORMAT = 2
WITHOUT_DIRECT = 1  # the format of before, whose tables have no direct counts
MANIFEST = "manifest.json"
UNFINISHED = "_unfinished"  # what counting works in
# The tables of a folder, each with its columns and their types.
TABLES: Mapping[str, Mapping[str, str]] = {
    "cooccurrences": {
        "lexeme_id": "INTEGER",
        "path_id": "INTEGER",
        "context_id": "INTEGER",
        "count": "BIGINT",
        "direct": "BIGINT",
        "lexeme": "VARCHAR",
        "path": "VARCHAR",
        "context": "VARCHAR",
    },
    "lexemes": {
        "lexeme_id": "INTEGER",
        "lexeme": "VARCHAR",
        "frequency": "BIGINT",
        "cooccurrences": "BIGINT",
        "direct": "BIGINT",
    },
    "paths": {
        "path_id": "INTEGER",
        "path": "VARCHAR",
        "inverse_id": "INTEGER",
        "path_order": "INTEGER",
        "count": "BIGINT",
        "direct": "BIGINT",
    },
    "nodes": {"lexeme_id": "INTEGER", "path_id": "INTEGER", "count": "BIGINT", "direct": "BIGINT"},
}
MEND = "copy the folder again, or count again"
DIGEST = re.compile(r"[0-9a-f]{64}")
ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f\\:*?\[]")  # what names a file nowhere, or several, or one of another system
LARGEST = 2**63 - 1
LARGEST_MANIFEST = 100 * 10**6  # bytes


@dataclass(frozen=True)
class CountsFile:
    """A file of a folder: its path in the folder, and the ids of its first and last lexeme (None where it has none)."""

    path: str
    bytes: int
    sha256: str
    rows: int
    first: int | None = None
    last: int | None = None

    @property
    def table(self) -> str:
        """Return the table that the file belongs to."""
        return self.path.partition("/")[0]


@dataclass(frozen=True)
class CountedSource:
    """A counted file: its name, without folders of the machine that counted, and its length in bytes as stored.

    sha256: the hash of the hashes of each 32 MB of its unpacked text, so that compression makes no difference.
    """

    place: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The manifest of a folder of counts.

    aptdb: the version that counted. sentences, tokens: of the sources. skipped: sentences that were left out, by kind
    of fault. cooccurrences, lexemes, paths, nodes: rows of the tables. count: the sum of all counts. sha256: a hash of
    the content. digest: the sha256 of the manifest itself, as it was read or written.
    """

    aptdb: str
    settings: Settings
    sentences: int
    tokens: int
    skipped: Mapping[str, int]
    cooccurrences: int
    count: int
    lexemes: int
    paths: int
    nodes: int
    sha256: str
    files: tuple[CountsFile, ...]
    sources: tuple[CountedSource, ...]
    format: int = FORMAT
    digest: str = field(default="", compare=False)

    @property
    def has_direct(self) -> bool:
        """Return whether the tables have direct counts."""
        return self.format > WITHOUT_DIRECT

    def of(self, table: str) -> list[CountsFile]:
        """Return the files of a table that have rows, in the order of their lexemes."""
        found = [each for each in self.files if each.table == table and each.rows]
        return sorted(found, key=lambda each: (each.first or 0, each.path))

    def as_json(self) -> str:
        """Return the text of manifest.json."""
        content = asdict(self)
        content.pop("digest")
        return json.dumps({"format": content.pop("format"), **content}, indent=1, ensure_ascii=False) + "\n"


def is_counts_folder(path: str | Path) -> bool:
    """Return whether this is a folder of counts, complete or not."""
    folder = Path(path)
    if not os.path.isdir(path):  # false of a name that no file can have, where Path.is_dir raises an error
        return False
    return (folder / MANIFEST).is_file() or any((folder / each).is_dir() for each in ("cooccurrences", UNFINISHED))


def refuse_elsewhere(place: object) -> None:
    """Raise CorpusError for a place that is not on this machine, e.g. s3://bucket."""
    if isinstance(place, str) and ELSEWHERE.match(place) and not Path(place).exists():
        raise CorpusError(f"{place} is not on this machine; copy it here first, and name the copy")


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a folder of counts.

    Raises CorpusError, which names the folder, if there is no manifest, or an invalid one.
    """
    place = folder / MANIFEST
    if why := why_not_read(place, LARGEST_MANIFEST):
        raise CorpusError(f"{place} cannot be read: {why}")
    try:
        content = place.read_bytes()
    except FileNotFoundError as error:
        raise CorpusError(f"{folder} is not whole: it has no {MANIFEST}, which is written last; {MEND}") from error
    except OSError as error:
        raise CorpusError(f"{place} cannot be read: {error.strerror or error}") from error
    try:
        given = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{place} is not JSON; {MEND}") from error
    try:
        found = as_manifest(given)
        refuse_links_out(folder, found.files)
    except (SettingsError, ValueError) as error:
        raise CorpusError(f"{place}: {error}") from error
    return replace(found, digest=sha256(content).hexdigest())


def as_manifest(given: object) -> Manifest:
    """Return a manifest from its JSON. Raise ValueError or SettingsError for an invalid one."""
    kind = given.get("format") if isinstance(given, dict) else None
    if isinstance(kind, int) and kind > FORMAT:
        raise ValueError(f"it has format {kind}, and this aptdb knows {FORMAT}; update aptdb: pip install -U aptdb")
    if kind is not None and (kind not in (WITHOUT_DIRECT, FORMAT) or isinstance(kind, bool)):
        raise ValueError(f"format is {kind!r}; expected {WITHOUT_DIRECT} or {FORMAT}; {MEND}")
    taken = members(given, Manifest, "it")
    found = Manifest(
        **{
            **taken,
            "settings": as_settings(taken["settings"]),
            "skipped": {
                name: read_whole_number(number, f"skipped {name}") for name, number in taken["skipped"].items()
            },
            "files": tuple(CountsFile(**members(each, CountsFile, "a file")) for each in taken["files"]),
            "sources": tuple(CountedSource(**members(each, CountedSource, "a source")) for each in taken["sources"]),
        }
    )
    refuse_files(found)
    return found


def members(given: object, kind: type, what: str) -> dict[str, Any]:
    """Return the members of a JSON object for a dataclass. Raise ValueError for missing or unknown ones."""
    if not isinstance(given, dict):
        raise ValueError(f"{what} is {given!r:.40}, not an object; {MEND}")
    names = [each.name for each in fields(kind) if each.name != "digest"]
    for name in names:
        if name not in given:
            raise ValueError(f"{what} has no {name}; {MEND}")
    for name in given:
        if name not in names:
            raise ValueError(f"{what} has {name!r:.40}, which format {FORMAT} does not have; {MEND}")
    return {name: member(name, given[name]) for name in names}


def member(name: str, value: Any) -> Any:
    """Return the value of a member; its name gives its type. Raise ValueError for another type."""
    if name == "sha256" and not (isinstance(value, str) and DIGEST.fullmatch(value)):
        raise ValueError(f"sha256 is {value!r:.80}; it has 64 hexadecimal digits; {MEND}")
    if name in ("files", "sources", "settings", "skipped"):
        wanted = list if name in ("files", "sources") else dict
        if not isinstance(value, wanted):
            raise ValueError(f"{name} is {value!r:.40}; expected {'a list' if wanted is list else 'an object'}; {MEND}")
        return value
    if name in ("aptdb", "path", "place", "sha256"):
        if not isinstance(value, str) or not value:
            raise ValueError(f"{name} is {value!r:.40}; expected text; {MEND}")
        return value
    return value if value is None and name in ("first", "last") else read_whole_number(value, name)


def read_whole_number(value: object, name: str) -> int:
    """Return a whole number, 0 or more. Raise ValueError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST:
        raise ValueError(f"{name} is {value!r:.40}; expected a whole number, 0 or more; {MEND}")
    return value


def as_settings(given: Mapping[str, Any]) -> Settings:
    """Return the settings of a manifest. Raises ValueError or SettingsError."""
    taken: dict[str, Any] = {each.name: given.get(each.name) for each in fields(Settings)}
    for name in [*taken, *given]:
        if name not in given or name not in taken:
            problem = "are not there" if name in taken else "are not of this version"
            raise ValueError(f"settings: {name!r:.40} {problem}; {MEND}")
    for name in ("lexeme", "relations", "stemmer"):
        if not isinstance(taken[name], str):
            raise ValueError(f"settings: {name} is {taken[name]!r:.40}; expected text; {MEND}")
    for name in READ_AS:
        if not isinstance(taken[name], dict if name.endswith("_map") else list):
            raise ValueError(f"settings: {name} is {taken[name]!r:.40}; {MEND}")
    return Settings(**taken)


def refuse_files(manifest: Manifest) -> None:
    """Raise ValueError for files outside of the tables, and for row counts that differ from the manifest's."""
    names = [each.path for each in manifest.files]
    for name in names:
        if not is_inside(name):
            raise ValueError(f"{name!r:.200} is not a file of a table in the folder; {MEND}")
    if len({*names}) < len(names):
        raise ValueError(f"it lists a file twice; {MEND}")
    for table in TABLES:
        rows = sum(each.rows for each in manifest.of(table))
        if rows != getattr(manifest, table):
            raise ValueError(f"the files of {table} have {rows:,} rows, not {getattr(manifest, table):,}; {MEND}")
        if not rows:
            raise ValueError(f"no {table} in it; nothing was counted")
    before = 0
    for each in manifest.of("cooccurrences"):
        if each.first is None or each.last is None or not before < each.first <= each.last:
            lexemes = f"lexemes from {each.first} to {each.last}"
            raise ValueError(f"{each.path} has {lexemes}, which overlap those of other files; {MEND}")
        before = each.last


def is_inside(name: str) -> bool:
    """Return whether a path is that of a Parquet file in a table's folder."""
    parts = PurePosixPath(name).parts
    if parts[:1] == parts or parts[0] not in TABLES or "/".join(parts) != name or ".." in parts:
        return False
    return name.endswith(".parquet") and not NOT_IN_NAMES.search(name)


def refuse_links_out(folder: Path, files: Iterable[CountsFile]) -> None:
    """Raise ValueError if a link leads out of the folder."""
    root = os.path.realpath(folder)
    for each in files:
        if os.path.realpath(folder / each.path) != os.path.join(root, *PurePosixPath(each.path).parts):
            raise ValueError(f"{each.path} is a link, or in one; a folder of counts has its files in it; {MEND}")


def check_sizes(folder: Path, manifest: Manifest) -> None:
    """Raise CorpusError for the first file that is missing or has another size."""
    for each in manifest.files:
        try:
            size = (folder / each.path).stat().st_size
        except OSError as error:
            raise not_whole(folder, f"{each.path} cannot be found ({error.strerror})") from error
        if size != each.bytes:
            raise not_whole(folder, f"{each.path} has {size:,} bytes, not {each.bytes:,}")


def check_whole(folder: Path, manifest: Manifest) -> None:
    """Raise CorpusError for the first file that is missing, changed, or not in the manifest."""
    check_sizes(folder, manifest)
    for each in manifest.files:
        if why := why_not_read(folder / each.path, LARGEST):
            raise CorpusError(f"{folder / each.path} cannot be read: {why}")
        try:
            with (folder / each.path).open("rb") as opened:
                digest = file_digest(opened, "sha256").hexdigest()
        except OSError as error:
            raise CorpusError(f"{folder / each.path} cannot be read: {error.strerror or error}") from error
        if digest != each.sha256:
            raise not_whole(folder, f"{each.path} has changed since it was written")
    listed = {each.path for each in manifest.files}
    for table in TABLES:
        for file in sorted((folder / table).rglob("*.parquet")):
            if (name := file.relative_to(folder).as_posix()) not in listed:
                raise not_whole(folder, f"{name} is not listed in {MANIFEST}")


def not_whole(folder: Path, problem: str) -> CorpusError:
    """Return the error for a folder that is incomplete or changed."""
    return CorpusError(f"{folder} is not whole: {problem}; {MEND}")
