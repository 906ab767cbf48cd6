"""What is kept between processes: private to the user, never trusted from others, never in the way."""

import os
import pwd
import stat
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest

from aptdb.store import user_cache
from aptdb.store.schema import template
from support.commands import ask


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(user_cache.FOLDER, str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_is_kept_is_private(folder: Path) -> None:
    user_cache.write_cached("name", {"a": [1]})
    assert user_cache.read_cached("name") == {"a": [1]}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "name.json").stat().st_mode) == 0o600
    assert [each.name for each in folder.iterdir()] == ["name.json"]


@pytest.mark.parametrize("mode", [0o777, 0o755, 0o750])
def test_a_folder_that_others_may_use_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    tmp_path.chmod(mode)
    monkeypatch.setenv(user_cache.FOLDER, str(tmp_path))
    (tmp_path / "name.json").write_text("1")
    user_cache.write_cached("other", 1)
    assert user_cache.read_cached("name") is None
    assert user_cache.make_cache_folder() is None
    assert template() is None
    assert not (tmp_path / "other.json").exists()


def test_a_file_of_others_is_not_trusted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user_cache.write_cached("name", 1)
    (folder / "name.json").chmod(0o644)
    assert user_cache.read_cached("name") is None
    (folder / "name.json").chmod(0o600)
    assert user_cache.read_cached("name") == 1
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert user_cache.read_cached("name") is None
    assert user_cache.file_of("name.json") is None


def test_neither_a_link_nor_a_folder_is_read(folder: Path, tmp_path: Path) -> None:
    user_cache.write_cached("name", 1)
    (folder / "link.json").symlink_to(folder / "name.json")
    (folder / "folder.json").mkdir(mode=0o700)
    assert user_cache.read_cached("link") is user_cache.read_cached("folder") is None


DAMAGES = ["", "{", "[" * 100_000, "\xff", "1", f"{sha256(b'1').hexdigest()}\n2"]


@pytest.mark.parametrize("damage", DAMAGES, ids=["empty", "cut", "deep", "no text", "no digest", "other digest"])
def test_damage_means_that_nothing_is_kept(folder: Path, damage: str) -> None:
    user_cache.write_cached("name", 1)
    (folder / "name.json").write_bytes(damage.encode("latin-1"))
    assert user_cache.read_cached("name") is None
    user_cache.write_cached("name", 2)
    assert user_cache.read_cached("name") == 2


def test_only_the_newest_stay(folder: Path) -> None:
    for number in range(user_cache.MOST + 5):
        user_cache.write_cached(str(number), number)
    assert len([*folder.iterdir()]) == user_cache.MOST
    assert user_cache.read_cached(str(user_cache.MOST)) == user_cache.MOST


def test_concurrent_writers_leave_one_whole_value(folder: Path) -> None:
    values = ["a" * 100_000, "b" * 100_000]
    user_cache.write_cached("name", values[0])

    def write_and_read(number: int) -> bool:
        user_cache.write_cached("name", values[number % 2])
        return user_cache.read_cached("name") in values

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(write_and_read, range(100)))
    assert [each.name for each in folder.iterdir()] == ["name.json"]


def test_the_default_folder_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    place = user_cache.private_folder.__wrapped__(None)
    assert place == Path(user_cache.default_folder())
    assert tmp_path in place.parents
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: int) -> None:
        raise KeyError

    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert user_cache.private_folder.__wrapped__(None) is None


def test_a_read_only_folder_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").mkdir(mode=0o500)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root could write there
    assert user_cache.private_folder.__wrapped__(str(tmp_path / "cache")) is None


@pytest.mark.thorough
def test_no_cache_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(user_cache.FOLDER, "/proc/nowhere/aptdb")
    file = tmp_path / "l.duckdb"
    (tmp_path / "c.conllu").write_text("1\tdog\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    assert ask("add", file, tmp_path / "c.conllu").exit_code == 0
    assert "dog/NOUN" in ask("lexemes", file).stdout
