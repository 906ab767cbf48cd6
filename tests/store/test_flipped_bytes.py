"""A lexicon with one wrong byte, anywhere: the right answer, or a refusal in one line; never another answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.commands import ask
from support.corpora import DOGS
from support.flipped import Flip, Flipped, check_flips, regions_of, with_wrong_byte
from support.lexicons import lexicon_of
from support.runs import draw_number, read_seed
from support.warm import warm


@pytest.fixture(scope="module")
def flipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flipped]:
    """A small lexicon with everything that a lexicon can have, and a server of processes that may crash."""
    with warm() as server:
        yield Flipped(tmp_path_factory.mktemp("flipped"), server)


@pytest.mark.thorough
def test_a_wrong_byte(flipped: Flipped) -> None:
    """One of each region, others for each commit."""
    seed = draw_number(read_seed(), "flipped") % 1_000_000
    found = check_flips(flipped, flipped.flips(seed=seed, size=len(flipped.regions)))
    assert {*found} == {*flipped.regions}
    assert {"headers", "catalog", "cooccurrence", "lexeme", "path", "token", "settings", "kept_weight"} <= {*found}
    for region in ("headers", "catalog", "settings"):
        assert {*found[region]} == {"refused"}


@pytest.mark.parametrize(
    ("region", "command"),
    [("headers", ["info"]), ("lexeme", ["neighbours", "dog/NOUN"]), ("token", ["remove", "dogs"])],
)
def test_the_refusal_names_the_lexicon(tmp_path: Path, region: str, command: list[str]) -> None:
    """When it is opened, when it is asked, and when it is changed."""
    file = lexicon_of(tmp_path / "l.duckdb", {"dogs": DOGS.encode()})
    (begin, _), *_ = regions_of(file)[region]
    file.write_bytes(with_wrong_byte(file.read_bytes(), Flip(region, begin + 100, 1)))
    answer = ask(command[0], file, *command[1:])
    assert answer.exit_code == 1
    assert answer.stderr.startswith(f"aptdb: {file} is damaged or cut off; use a backup copy: Corrupt database file")
    assert answer.stderr.count("\n") == 1


@pytest.mark.thorough
def test_verify_reads_all(tmp_path: Path) -> None:
    """Also a table that nothing is compared with; a byte of it may be wrong for long before somebody asks."""
    file = lexicon_of(tmp_path / "l.duckdb", {"dogs": DOGS.encode()})
    assert ask("apt", file, "dog/NOUN", "--save", "big_dog").exit_code == 0
    content, regions = file.read_bytes(), regions_of(file)
    assert "entry_weight" in regions
    for region, ((begin, _), *_) in regions.items():
        file.write_bytes(with_wrong_byte(content, Flip(region, begin + 99, 1)))
        answer = ask("verify", file)
        assert (answer.exit_code, " is damaged" in answer.stderr) == (1, True), (region, answer.output)
