"""MISC and DEPS are stored as files have them, or left out, and kept where trees are counted again or go elsewhere."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from aptdb import Lexicon
from support.clients import change_file
from support.corpora import unpacked
from support.lexicons import make_lexicon, new_lexicon

Annotated = Sequence[tuple[str | None, str | None]]

TEXT = """\
1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t2:nsubj\tGloss=canes|SpaceAfter=No
2\tbark\tbark\tVERB\t_\t_\t0\troot\t0:root|2.1:conj\t_
2.1\tbite\tbite\tVERB\t_\t_\t_\t_\t2:conj\tGloss=mordent

1-2\tCatsmew\t_\t_\t_\t_\t_\t_\t_\tGloss=feles
1\tCats\tcat\tNOUN\t_\t_\t2\tnsubj\t_\tSpaceAfter=No|Typo|A=b|SpaceAfter=No
2\tmew\tmew\tVERB\t_\t_\t0\troot\t\t

"""
STORED: Annotated = [("Gloss=canes", "2:nsubj"), (None, "0:root|2.1:conj"), ("Typo|A=b", None), (None, None)]


def read_annotations(lexicon: Lexicon) -> Annotated:
    """MISC and DEPS of the tokens of a lexicon."""
    return lexicon.sql("SELECT misc, deps FROM tokens ORDER BY sentence, position").rows


def annotations_in(lines: Iterator[str]) -> Iterator[tuple[str | None, str | None]]:
    """The twin: the last two columns of each word of a file."""
    for line in lines:
        fields = line.rstrip("\n").split("\t")
        if fields[0].isdigit():
            misc = "|".join(each for each in fields[9].split("|") if each not in ("SpaceAfter=No", "_"))
            yield misc or None, fields[8] if fields[8] != "_" else None


@pytest.mark.thorough
def test_they_are_stored_as_files_have_them(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "pets.duckdb", TEXT.encode(), name="pets") as lexicon:
        assert read_annotations(lexicon) == STORED
        assert lexicon.sql("SELECT space_after FROM tokens ORDER BY sentence, position").column("space_after") == [
            *(False, True),
            *(False, True),
        ]
        assert lexicon.sql("SELECT has_misc FROM corpora").rows == [(True,)]
        assert not lexicon.verify().differences


@pytest.mark.thorough
def test_they_can_be_left_out(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "pets.duckdb", TEXT.encode(), name="bare", without_misc=True) as lexicon:
        assert read_annotations(lexicon) == [(None, None)] * 4
        (tmp_path / "pets.conllu").write_text(TEXT + TEXT, encoding="utf-8")
        (tmp_path / "more.conllu").write_text(TEXT, encoding="utf-8")
        lexicon.sync([tmp_path / "pets.conllu", tmp_path / "more.conllu"], without_misc=True)
        assert lexicon.sql("SELECT DISTINCT has_misc FROM corpora").rows == [(False,)]
        assert lexicon.sql("SELECT text FROM _store.annotation").rows == [("",)]
        lexicon.add(tmp_path / "more.conllu", name="whole", again=True)
        assert (
            lexicon.sql("SELECT misc, deps FROM tokens WHERE corpus = 'whole' ORDER BY sentence, position").rows
            == STORED
        )


@pytest.mark.thorough
def test_they_go_where_trees_go(tmp_path: Path) -> None:
    """Into lexicons that merge or count again, also in part; a corpus that is removed takes them along."""
    first, other = tmp_path / "first.duckdb", tmp_path / "other.duckdb"
    make_lexicon(first, TEXT.encode(), name="pets")
    with new_lexicon(other, TEXT.replace("canes", "dogs").encode(), name="others") as lexicon:
        lexicon.merge(first)
        assert read_annotations(lexicon) == [("Gloss=dogs", "2:nsubj"), *STORED[1:], *STORED]
        lexicon.rebuild(tmp_path / "again.duckdb", order=1)
        lexicon.rebuild(tmp_path / "part.duckdb", where="corpus = 'pets'")
        lexicon.remove("others")
        assert read_annotations(lexicon) == STORED
        assert ("Gloss=dogs",) not in lexicon.sql("SELECT text FROM _store.annotation").rows
        assert not lexicon.verify().differences
    with Lexicon.open(tmp_path / "again.duckdb") as lexicon:
        assert read_annotations(lexicon) == [("Gloss=dogs", "2:nsubj"), *STORED[1:], *STORED]
        assert lexicon.sql("SELECT has_misc FROM corpora").rows == [(True,), (True,)]
    with Lexicon.open(tmp_path / "part.duckdb") as lexicon:
        assert read_annotations(lexicon) == STORED


@pytest.mark.thorough
def test_a_token_of_an_unknown_annotation_is_found(tmp_path: Path) -> None:
    file = make_lexicon(tmp_path / "pets.duckdb", TEXT.encode(), name="pets")
    change_file(file, "UPDATE _store.token SET misc_id = 99 WHERE position = 2")
    with Lexicon.open(file) as lexicon:
        assert lexicon.verify().differences


def test_columns_of_conll_x_are_of_another_tree(tmp_path: Path) -> None:
    text = "1\tDogs\tdog\tNN\tNN\t_\t2\tSBJ\t2\tSBJ\n2\tbark\tbark\tVB\tVB\t_\t0\tROOT\t0\tROOT\n\n"
    with new_lexicon(tmp_path / "pets.duckdb", text.encode(), name="x") as lexicon:
        assert read_annotations(lexicon) == [(None, None)] * 2


WORDS: list[dict[str, Any]] = [
    {"sentence": "a", "id": 1, "form": "Dogs", "lemma": "dog", "upos": "NOUN", "head": 2, "deprel": "nsubj"},
    {"sentence": "a", "id": 2, "form": "bark", "lemma": "bark", "upos": "VERB", "head": 0, "deprel": "root"},
]
WORDS[0] |= {"space_after": False, "misc": "Gloss=canes", "deps": "2:nsubj"}
WORDS[1] |= {"space_after": True, "misc": None, "deps": "0:root|2.1:conj"}


def test_sentences_of_words_have_them(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "words.duckdb", [WORDS], name="words") as lexicon:
        assert read_annotations(lexicon) == STORED[:2]


@pytest.mark.extra
def test_tables_have_them(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    with new_lexicon(tmp_path / "table.duckdb", pa.Table.from_pylist(WORDS), name="table") as lexicon:
        assert read_annotations(lexicon) == STORED[:2]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["en_gum", "ja_gsd_dev"])
def test_they_are_those_of_a_real_corpus(tmp_path: Path, name: str) -> None:
    text = b"\n\n".join(unpacked(name).split(b"\n\n")[:1500]) + b"\n\n"
    with new_lexicon(tmp_path / "real.duckdb", text, name="real") as lexicon:
        assert read_annotations(lexicon) == [*annotations_in(iter(text.decode().splitlines()))]
