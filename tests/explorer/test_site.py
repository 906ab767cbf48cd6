"""The site of files: what is on its pages, where they lead, and that all are there or none."""

import csv
import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("jinja2")

from aptdb import Lexicon
from aptdb.explorer import site, word_pieces
from aptdb.explorer.kept_answers import TOP, KnownNeighbours
from aptdb.explorer.site import plan_pages, sample_sentences, write_site
from aptdb.store.file_writing import where_processes_are
from support.animals import ANIMALS
from support.commands import ask
from support.corpora import TREES
from support.lexicons import lexicon_of
from support.processes import PATIENCE
from support.served import Elements
from twins.trees import Token


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few sentences, with words whose files would have the same name, or none."""
    odd = [Token("dog", "dog", "NOUN", "_", 0, "root")]
    odd += [
        Token(each, each, "NOUN", "_", 1, "conj") for each in ("dog!", "DOG-", "日本", "<b>", "CON", "../x", "a" * 300)
    ]
    folder = tmp_path_factory.mktemp("zoo")
    return lexicon_of(folder / "zoo.duckdb", {"trees": [*TREES, *ANIMALS, odd, odd]}, lowercase=False)


@pytest.mark.thorough
def test_a_site(zoo: Path, tmp_path: Path) -> None:
    """Each link leads to a file, each page has what the lexicon says, and nothing comes from elsewhere."""
    folder = tmp_path / "pages"
    answer = ask("serve", zoo, "--site", folder)
    assert answer.exit_code == 0, answer.output
    pages = sorted(folder.rglob("*.html"))
    size = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
    told = f"aptdb: {folder} has {len(pages)} pages, {size / 10**6:,.1f} MB; it begins with index.html\n"
    assert PATIENCE.sub("", answer.stderr) == told
    for page in pages:
        found = Elements(page.read_text(encoding="utf-8"))
        assert not found.active
        assert not found.pieces
        for each in found.links:
            if not each.startswith("#"):  # within the page
                assert (page.parent / each).resolve().is_file(), (page, each)
    reached, waiting = set[Path](), [folder / "index.html"]
    while waiting:
        page = waiting.pop().resolve()
        if page not in reached:
            reached.add(page)
            links = Elements(page.read_text(encoding="utf-8")).links
            waiting += [page.parent / each for each in links if not each.startswith("#")]
    words = json.loads((folder / "static" / "words.js").read_text().removeprefix("window.aptdbWords = ")[:-2])
    with Lexicon.open(zoo) as lexicon:
        frequent = [
            row["lexeme"] for row in lexicon.lexemes() if row["pos"] not in ("DET", "PUNCT", "ADP", "PRON", "AUX")
        ]
        assert {lexeme for lexeme, _, _ in words} == {*frequent}
        assert all(lexicon[lexeme].frequency == count for lexeme, count, _ in words)
        (dog,) = (file for lexeme, _, file in words if lexeme == "dog/NOUN")
        text = "".join(Elements((folder / dog).read_text(encoding="utf-8")).texts)
        for row in lexicon.sketch("dog/NOUN"):
            assert row["context"].rpartition("/")[0] in text
        for row in lexicon.neighbours("dog/NOUN", top=20):
            assert f"{row['similarity']:,.4f}" in text
    assert len({file.lower() for _, _, file in words}) == len(words)
    everything = Elements((folder / "all.html").read_text(encoding="utf-8"))
    assert {file for _, _, file in words} <= {*everything.links}
    assert everything.texts.index("D") < everything.texts.index("F")
    with Lexicon.open(zoo) as lexicon:
        rows, near = (
            [*csv.reader((folder / dog).with_suffix(f".{each}.csv").read_text(encoding="utf-8").splitlines())]
            for each in ("sketch", "neighbours")
        )
        assert [row[-3] for row in rows[1:]] == [row["context"] for row in lexicon.sketch("dog/NOUN")]
        assert [row[0] for row in near[1:]] == lexicon.neighbours("dog/NOUN", top=20).column("lexeme")
    assert str(zoo) not in "".join(each.read_text(encoding="utf-8") for each in pages)


@pytest.mark.thorough
def test_the_most_frequent_alone(zoo: Path, tmp_path: Path) -> None:
    with Lexicon.open(zoo) as lexicon:
        pages, _ = write_site(lexicon, tmp_path / "few", 3)
        assert pages == 5
        assert [*plan_pages(lexicon, 3).files] == [each for each in lexicon if not each.endswith(("/DET", "/PUNCT"))][
            :3
        ]


@pytest.mark.thorough
def test_answers_for_many_at_once(zoo: Path, tmp_path: Path) -> None:
    """They are those to one question for each."""
    with Lexicon.open(zoo) as lexicon, closing(KnownNeighbours(tmp_path / "near.parquet")) as near:
        lexicon.thesaurus(tmp_path / "near.parquet", top=TOP)
        verb = next(each for each in lexicon if each.endswith("/VERB"))
        lexemes = ["dog/NOUN", "cat/NOUN", "../x/NOUN", verb]
        many = site.answers(lexicon, near, lexemes)
        assert [*many.frames] == [verb]
        assert [row[1:] for row in many.frames[verb].rows] == [row[:3] for row in lexicon.frames(verb).rows]
        for each in lexemes:
            one = lexicon.plot.apt(each)
            assert many.sketches[each].rows == [(each, *row) for row in lexicon.sketch(each).rows]
            assert many.left_out[each] == word_pieces.describe_left_out(lexicon, each, None)
            assert (many.drawings[each].svg, many.drawings[each].note) == (one.svg, one.note)


@pytest.mark.thorough
def test_sentences_of_all_at_once(zoo: Path) -> None:
    """They are those that `evidence` draws."""
    with Lexicon.open(zoo) as lexicon:
        lexemes = [*plan_pages(lexicon, 99).files]
        found = sample_sentences(lexicon, lexemes)
        columns = ("sentence", "before", "keyword", "after", "text")
        for lexeme in lexemes:
            expected = lexicon.evidence(lexeme, sample=site.SENTENCES)
            assert [[row[each] for each in columns] for row in found[lexeme]] == [
                [row[each] for each in columns] for row in expected
            ]


@pytest.mark.thorough
def test_nothing_is_left_of_a_site_that_fails(zoo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(site, "write_others", fail)
    with Lexicon.open(zoo) as lexicon, pytest.raises(KeyboardInterrupt):
        write_site(lexicon, tmp_path / "pages", 5)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.thorough
def test_a_site_of_a_private_lexicon(zoo: Path, tmp_path: Path) -> None:
    """It is private too; and what a killed process left is deleted."""
    file, left = Path(shutil.copy(zoo, tmp_path / "l.duckdb")), f"aptdb-{where_processes_are()}-99999999-{'0' * 32}"
    (tmp_path / left / "words").mkdir(parents=True)
    file.chmod(0o600)
    with Lexicon.open(file) as lexicon:
        write_site(lexicon, tmp_path / "pages", 2)
    assert {each.name for each in tmp_path.iterdir()} == {"l.duckdb", "pages"}
    assert {each.stat().st_mode & 0o066 for each in (tmp_path / "pages").rglob("*")} == {0}


@pytest.mark.thorough
def test_words_without_parts_of_speech(tmp_path: Path) -> None:
    """Each lexeme is its own lemma; what reads as a phrase has no page, and that is told."""
    odd = [Token("dog", "dog", "NOUN", "_", 0, "root"), Token("[x]", "[x]", "NOUN", "_", 1, "conj")]
    file = lexicon_of(tmp_path / "bare.duckdb", {"trees": [*TREES, odd]}, lexeme="{lemma}")
    answer = ask("serve", file, "--site", tmp_path / "pages")
    assert answer.exit_code == 0, answer.output
    assert (
        "aptdb: [brown], [x] and whatever else ends with ] has no page: such text is read as a phrase\n"
        in answer.stderr
    )
    for page in (tmp_path / "pages" / "words").iterdir():
        assert "The same lemma" not in page.read_text(encoding="utf-8")
