"""Stored trees that are not those that a corpus recorded are refused by all that read them, and by nothing else."""

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from aptdb import Lexicon, LexiconError
from aptdb.store import open_files
from support.cases import read_table
from support.clients import change_file
from support.corpora import DOGS
from support.lexicons import Once, assert_same, make_lexicon
from support.runs import thorough

DAMAGES = read_table("counting/damaged_trees")
OTHER = DOGS.replace("bark", "run").encode()
JOBS: dict[str, Callable[[Lexicon, Path], object]] = {
    "merge": lambda lexicon, own: Lexicon.open(own, create=True).merge(lexicon.file),
    "rebuild": lambda lexicon, own: lexicon.rebuild(own),
    "subcorpus": lambda lexicon, _: lexicon.subcorpus("mine", "year = 1890"),
    "subcorpora": lambda lexicon, _: lexicon.subcorpora_by("year"),
    "remove": lambda lexicon, _: lexicon.remove("dogs"),
    "replace": lambda lexicon, _: lexicon.add(io.BytesIO(OTHER), name="dogs", replace=True, tags={"year": "1890"}),
}


@pytest.fixture(scope="module")
def sound(once: Once, tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = tmp_path_factory.mktemp("corpus") / "dogs"
    corpus.write_text(DOGS * 2, encoding="utf-8")

    def make(file: Path) -> None:
        make_lexicon(file, corpus, tags={"year": "1890"})

    return once("sound-trees.duckdb", make)


@pytest.mark.thorough
@pytest.mark.parametrize("all_jobs", [False, *thorough([True])])
def test_damaged_trees_are_refused(sound: Path, tmp_path: Path, all_jobs: bool) -> None:
    """By one line that names the corpus; neither lexicon has changed."""
    own = tmp_path / "own.duckdb"
    for number, (damage, problem) in enumerate(DAMAGES.values()):
        file = Path(shutil.copy(sound, tmp_path / "damaged.duckdb"))
        change_file(file, damage)
        open_files.record_verified(file)  # its macros and tables are those of before
        for job in JOBS if all_jobs else [[*JOBS][number % len(JOBS)]]:
            with Lexicon.open(file) as lexicon, pytest.raises(LexiconError) as refusal:
                JOBS[job](lexicon, own)
            assert f"{file}: the stored trees of corpus dogs are damaged: " in str(refusal.value), (job, damage)
            assert problem in str(refusal.value), (job, damage)
            assert not own.exists()
            with Lexicon.open(file) as lexicon:
                assert lexicon.stored.subcorpora().rows == []


@pytest.mark.thorough
def test_sound_trees_are_taken(sound: Path, tmp_path: Path) -> None:
    for number, work in enumerate(JOBS.values()):
        file = Path(shutil.copy(sound, tmp_path / "sound.duckdb"))
        open_files.record_verified(file)
        with Lexicon.open(file) as lexicon:
            work(lexicon, tmp_path / f"{number}.duckdb")


@pytest.mark.thorough
def test_a_word_under_two_ids_is_one(sound: Path, tmp_path: Path) -> None:
    """A new lexicon has it once, and each of its tokens once."""
    file, own = Path(shutil.copy(sound, tmp_path / "twice.duckdb")), tmp_path / "own.duckdb"
    with duckdb.connect(str(file)) as client:
        client.execute("INSERT INTO _store.word SELECT 99, * EXCLUDE (id) FROM _store.word WHERE id = 1")
        client.execute("UPDATE _store.token SET word_id = 99 WHERE word_id = 1 AND sentence_id = 2")
    open_files.record_verified(file)
    with Lexicon.open(file) as lexicon:
        lexicon.rebuild(own)
    assert_same(own, sound)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("job", ["remove", "replace"])
def test_a_damaged_corpus_is_not_taken_out(sound: Path, tmp_path: Path, job: str) -> None:
    """Its trees would not give back what it added: counts would stay for good, without a word."""
    file = Path(shutil.copy(sound, tmp_path / "damaged.duckdb"))
    with Lexicon.open(file) as lexicon:
        lexicon.add(io.BytesIO(DOGS.encode() * 2), name="more", again=True, tags={"year": "1891"})
        before = lexicon.sql("FROM cooccurrences ORDER BY ALL").rows
    change_file(file, "DELETE FROM _store.token WHERE sentence_id = 1 AND position = 3")
    open_files.record_verified(file)
    with Lexicon.open(file) as lexicon:
        with pytest.raises(LexiconError, match="the stored trees of corpus dogs are damaged: it has 2 sentences and"):
            JOBS[job](lexicon, tmp_path)
        assert lexicon.sql("FROM cooccurrences ORDER BY ALL").rows == before
        lexicon.remove("more")  # which is sound
