"""Documents, and what is said of them and of sentences: beside a plain reader of the same lines."""

import gzip
import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import CorpusError, IncompleteDataWarning, Lexicon, NoMatchWarning
from aptdb.corpus import sources
from support.cases import read_cases, read_table
from support.corpora import corpus_file
from support.lexicons import Once, assert_same, copied, make_lexicon, new_lexicon
from support.runs import examples
from twins import documents

# A second corpus lacks what the first has, or has its comments kept: what is tested elsewhere.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.* which each corpus before has:aptdb.IncompleteDataWarning",
    "ignore:kept the comments:aptdb.InterpretationWarning",
)

WORDS = "1\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n"
NAMES = ("a", "b", "news 1", "Ünï/'\"")
VALUES = (
    "fiction", "1890", "3.5", "-2", "1999-12-31", "007", "x = y", "", "1999-02-30", "two words", "-0", "0000-01-01",
    "1234567890123456.5", "12345678901234567", "0",
)  # fmt: skip


def text_of(sentences: Sequence[Sequence[str]]) -> str:
    """Sentences as CoNLL-U, each with its comments above it, or between its words from `amid` on.

    One with the comment `bad` is no tree, one with `none` has no words.
    """
    parts = []
    for comments in sentences:
        words = (WORDS.replace("\t2\tnsubj", "\t9\tnsubj") if "bad" in comments else WORDS).split("\n", 1)
        words = ["", ""] if "none" in comments else [f"{words[0]}\n", words[1]]
        lines = [f"# {each}\n" for each in comments if each not in ("bad", "none")]
        above = lines.index("# amid\n") if "# amid\n" in lines else len(lines)
        parts.append("".join((*lines[:above], words[0], *lines[above + 1 :], words[1], "\n")))
    return "".join(parts)


comments = st.lists(
    st.one_of(
        st.sampled_from(["newdoc", *(f"newdoc id = {name}" for name in NAMES)]),
        st.builds("meta::{} = {}".format, st.sampled_from(("genre", "year", "Ort\"s'")), st.sampled_from(VALUES)),
        st.builds("speaker = {}".format, st.sampled_from(("Ann", "Bo", ""))),
        st.sampled_from(
            ("text = dogs bark", "bad", "none", "amid", "newpar", "newpar id = p", "meta:: = x", "meta::genre")
        ),
        st.builds("doc_title = {}".format, st.sampled_from(("First", "Second", ""))),
    ),
    max_size=6,
)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:.* no sentence is in the document:aptdb.IncompleteDataWarning")
@examples(25)
@given(st.lists(comments, min_size=1, max_size=8), st.sampled_from((64, 300, 1 << 20)))
def test_documents_are_those_of_a_plain_reader(sentences: list[list[str]], chunk: int) -> None:
    """In chunks of any size, with sentences left out anywhere, and comments in any order."""
    text = text_of([*sentences, []])
    plain = documents.read(text, "c")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "CHUNK_BYTES", chunk)
        with TemporaryDirectory() as folder, Lexicon.open(Path(folder, "l.duckdb"), create=True) as lexicon:
            lexicon.add(io.BytesIO(text.encode()), name="c", skip_invalid=True, sentence_meta=["speaker", "newpar id"])
            columns = lexicon.sql("DESCRIBE sentences").column("column_name")
            kinds = [f'"{each}"' if each in columns else "NULL" for each in ("speaker", "newpar id")]
            found = lexicon.sql(f"SELECT document, {', '.join(kinds)} FROM sentences ORDER BY sentence").rows
            shown = [*lexicon.sql("FROM documents")]
    assert [row[0] for row in found] == plain.of_sentences
    assert [row[1:] for row in found] == [
        tuple("; ".join(each.get(kind, ())) or None for kind in ("speaker", "newpar id")) for each in plain.sentences
    ]
    assert {row["document"] for row in shown} == {*plain.of_sentences}
    said = {name: {kind: "; ".join(values) for kind, values in of.items()} for name, of in plain.documents.items()}
    for row in shown:
        own = {kind: value for kind, value in row.items() if kind not in ("corpus", "document") and value is not None}
        assert {kind: as_written(value) for kind, value in own.items()} == {
            kind: as_written(typed(value, kind, said)) for kind, value in said[row["document"]].items()
        }


ONE, OTHER = ("# newdoc id = A", "# meta::year = 1900"), ("# newdoc id = B", "# meta::year = 2000", "# doc_title = So")
A, B = ("A", 1900, None), ("B", 2000, "So")
BLOCKS: dict[str, tuple[str, list[tuple[Any, ...]]]] = read_table("counting/blocks_of_comments")


@pytest.mark.sampled(29)
@pytest.mark.parametrize("size", [16, 64, 1 << 20])
@pytest.mark.parametrize("name", BLOCKS)
def test_a_comment_belongs_to_the_sentence_that_it_stands_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int
) -> None:
    """In chunks of any size; seen by a client that has never heard of the package."""
    monkeypatch.setattr(sources, "CHUNK_BYTES", size)
    pattern, expected = BLOCKS[name]
    first, second = (f"{line}\n" for line in WORDS.splitlines())
    comments = {f"a{n}": f"{each}\n" for n, each in enumerate(ONE, 1)} | {
        f"b{n}": f"{e}\n" for n, e in enumerate(OTHER, 1)
    }
    text = pattern.format(w=WORDS, w1=first, w2=second, **comments)
    empty = {"empty": "A", "two_above_one": "A", "begun_at_the_end": "B"}.get(name)
    with (
        warnings_of(IncompleteDataWarning, [f"c: no sentence is in the document {empty}"] if empty else []),
        Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon,
    ):
        lexicon.add(io.BytesIO(text.replace("\n", "\r\n" if name == "crlf" else "\n").encode()), name="c")
    with duckdb.connect(str(tmp_path / "l.duckdb"), read_only=True) as client:
        kinds = [each[0] for each in client.execute("DESCRIBE documents").fetchall()]
        values = ", ".join(each if each in kinds else "NULL" for each in ("year", "doc_title"))
        rows = client.execute(
            f"SELECT document, {values} FROM sentences JOIN documents USING (corpus, document) ORDER BY sentence"
        ).fetchall()
    assert rows == expected


@contextmanager
def warnings_of(category: type[Warning], expected: list[str]) -> Iterator[None]:
    """Compare the warnings of a category within the block."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        yield
    assert [str(each.message) for each in heard if each.category is category] == expected


@pytest.mark.thorough
def test_a_title_may_be_kept_of_sentences_and_found_by_a_pattern(tmp_path: Path) -> None:
    said = [["doc_title = b 1890", "newdoc id = one"], []]
    cases: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
        "of_sentences": ({"sentence_meta": ["doc_title"]}, ("corpus", "document")),
        "found": ({"meta_from": [r"doc_title:(?P<year>\d+)$"]}, ("corpus", "document", "doc_title", "year")),
    }
    for name, (how, columns) in cases.items():
        with new_lexicon(tmp_path / f"{name}.duckdb", corpus("", said), name="c", **how) as lexicon:
            assert lexicon.sql("FROM documents").columns == columns
            found = "doc_title" in lexicon.sql("FROM sentences").columns
            assert found == (name == "of_sentences")


def typed(value: str, kind: str, said: dict[str, dict[str, str]]) -> Any:
    """A value in the type that all values of its kind have."""
    every = [of[kind] for of in said.values() if kind in of]
    for convert in (whole, number, date.fromisoformat):
        try:
            for each in every:
                convert(each)
            return convert(value)
        except ValueError:
            continue
    return value


def whole(text: str) -> int:
    """A whole number as it is written."""
    if str(int(text)) != text:
        raise ValueError(text)
    return int(text)


def number(text: str) -> float:
    """A number without an exponent, of so few digits that all are kept."""
    if text == "-0" or (text.startswith("0") and text[1:2].isdigit()) or sum(map(str.isdigit, text)) > 15:
        raise ValueError(text)
    return float(text)


def as_written(value: Any) -> str:
    """A value with its type."""
    return f"{type(value).__name__} {value}"


def gum_comments() -> tuple[list[str], dict[str, dict[str, str]], dict[str, str]]:
    """GUM's documents in order, what is said of each, and the speaker of each sentence by its sent_id."""
    documents: list[str] = []
    said: dict[str, dict[str, str]] = {}
    speakers: dict[str, str] = {}
    sent_id = ""
    with gzip.open(corpus_file("en_gum"), "rt", encoding="utf-8") as lines:
        for line in lines:
            name, _, value = (part.strip() for part in line[1:].partition("=")) if line.startswith("#") else ("",) * 3
            if name == "newdoc id":
                documents.append(value)
                said[value] = {}
            elif name.startswith("meta::") and value:
                said[documents[-1]][name[6:]] = value
            elif name == "sent_id":
                sent_id = value
            elif name == "speaker" and value:
                speakers[sent_id] = value
    return documents, said, speakers


@pytest.mark.thorough
def test_the_documents_of_gum(tmp_path: Path) -> None:
    documents, said, speakers = gum_comments()
    with new_lexicon(tmp_path / "l.duckdb", corpus_file("en_gum"), name="gum", sentence_meta=["speaker"]) as lexicon:
        shown = {row["document"]: row for row in lexicon.sql("FROM documents")}
        types = dict(lexicon.sql("SELECT column_name, column_type FROM (DESCRIBE documents)").rows)
        of_sentences = lexicon.sql("SELECT sent_id, speaker FROM sentences WHERE speaker IS NOT NULL").rows
        genres = lexicon.sql(
            "SELECT genre, count(*) FROM tokens JOIN documents USING (corpus, document) GROUP BY genre"
        ).rows
        assert lexicon.verify().rows == []
    assert [*shown] == documents
    assert (types["genre"], types["speakerCount"], types["dateCollected"]) == ("VARCHAR", "BIGINT", "DATE")
    for name, kinds in said.items():
        row = shown[name]
        assert {kind: str(row[kind]) for kind in kinds} == kinds
        assert all(row[kind] is None for kind in row if kind not in {"corpus", "document", *kinds})
    assert dict(map(tuple, of_sentences)) == speakers
    assert {genre for genre, _ in genres} == {kinds["genre"] for kinds in said.values()}
    assert sum(tokens for _, tokens in genres) > 200_000


TWO = [["newdoc id = one", "meta::year = 1890"], [], ["newdoc id = two", "meta::year = 1900", "speaker = Ann"]]


def corpus(text: str = "", sentences: Sequence[Sequence[str]] = TWO) -> io.BytesIO:
    """Sentences as a file; text makes it another one."""
    return io.BytesIO((f"# text = {text}\n" + text_of(sentences)).encode())


@pytest.fixture
def two(once: Once, tmp_path: Path) -> Path:
    """A lexicon of a corpus of two documents."""

    def make(file: Path) -> None:
        make_lexicon(file, corpus(), name="two", sentence_meta=["speaker"])

    return copied(once("two-documents.duckdb", make), tmp_path / "two.duckdb")


def documents_of(file: Path) -> list[dict[str, Any]]:
    """The rows of `documents`, in order, seen by a client that has never heard of the package."""
    with duckdb.connect(str(file), read_only=True) as client:
        found = client.execute("FROM documents ORDER BY corpus, document")
        names = [each[0] for each in found.description or []]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet"])
def test_tables_and_tags(two: Path, tmp_path: Path, kind: str) -> None:
    """A cell that is empty says nothing; types are those of all values."""
    table = tmp_path / f"more.{kind}"
    rows = (
        "SELECT * FROM (VALUES ('one', 'a, b', 3, DATE '1999-01-31'), ('two', NULL, 4, NULL)) "
        "AS t (Document, author, size, day)"
    )
    how = {"csv": "HEADER", "tsv": "HEADER, DELIMITER '\t'", "parquet": "FORMAT parquet"}[kind]
    duckdb.sql(f"COPY ({rows}) TO '{table}' ({how})")
    with Lexicon.open(two) as lexicon:
        tags = {"period": "1890s", "weight": 2.5}
        lexicon.add(corpus("more"), name="more", meta=table, tags=tags, sentence_meta=["speaker"])
    assert documents_of(two)[:2] == [
        {
            "corpus": "more",
            "document": name,
            "year": year,
            "author": author,
            "day": day,
            "period": "1890s",
            "size": size,
            "weight": 2.5,
        }
        for name, year, author, day, size in (("one", 1890, "a, b", date(1999, 1, 31), 3), ("two", 1900, None, None, 4))
    ]


@pytest.mark.thorough
def test_documents_that_a_table_lacks_or_has_alone_are_told(two: Path, tmp_path: Path) -> None:
    table = tmp_path / "more.csv"
    table.write_text("document,genre\ntwo,news\nthree,news\n", encoding="utf-8")
    with Lexicon.open(two) as lexicon, pytest.warns(IncompleteDataWarning, match="has no document|lacks one") as told:
        lexicon.add(corpus("more"), name="more", meta=table)
    found = [str(each.message) for each in told if each.category is IncompleteDataWarning]
    assert found == ["more has no document three", f"{table} lacks one"]


@pytest.mark.thorough
def test_comments_that_no_sentence_has_are_told(two: Path) -> None:
    with Lexicon.open(two) as lexicon, pytest.warns(NoMatchWarning, match="--sentence-meta: ") as told:
        lexicon.add(corpus("more"), name="more", sentence_meta=["speaker", "speeker"])
    assert [str(each.message) for each in told] == ["--sentence-meta: no sentence of more has a comment # speeker = …"]


@pytest.mark.thorough
@pytest.mark.parametrize(*read_cases("counting/types_of_metadata"))
def test_types_stay(tmp_path: Path, first: str, then: str, fits: bool | str) -> None:
    """Text takes everything; other types take what fits them."""
    one, other = ([["newdoc id = a", f"meta::year = {year}"]] for year in (first, then))
    with new_lexicon(tmp_path / "l.duckdb", corpus("1", one), name="first") as lexicon:
        if fits is True:
            lexicon.add(corpus("2", other), name="then")
            return
        with pytest.raises(CorpusError, match=str(fits)):
            lexicon.add(corpus("2", other), name="then")
        assert lexicon.corpora().column("name") == ["first"]


@pytest.mark.thorough
def test_what_is_said_goes_with_its_corpus(two: Path) -> None:
    before = documents_of(two)
    with Lexicon.open(two) as lexicon:
        lexicon.add(corpus("more"), name="more", tags={"genre": "news"}, sentence_meta=["speaker"])
        assert "genre" in documents_of(two)[0]
        lexicon.remove("more")
        assert documents_of(two) == before
        lexicon.remove("two")
        assert lexicon.sql("DESCRIBE documents").column("column_name") == ["corpus", "document"]
        assert lexicon.sql("DESCRIBE sentences").column("column_name")[-1] == "sentence_number"
        assert lexicon.verify().rows == []


@pytest.mark.thorough
def test_merge_and_rebuild_keep_it(two: Path, tmp_path: Path) -> None:
    other, both, again = (tmp_path / f"{name}.duckdb" for name in ("other", "both", "again"))
    more = [["newdoc id = one", "meta::genre = news", "speaker = Bo"]]
    make_lexicon(other, corpus("more", more), name="more", sentence_meta=["speaker"])
    both.write_bytes(two.read_bytes())
    with Lexicon.open(both) as lexicon:
        lexicon.merge(other)
        lexicon.rebuild(again)
        lexicon.compact()
    assert_same(both, again)
    with Lexicon.open(two) as lexicon:
        lexicon.add(corpus("more", more), name="more", sentence_meta=["speaker"])
    assert_same(both, two, but=("corpus",))


@pytest.mark.thorough
def test_a_kind_of_another_type_is_not_merged(two: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.duckdb"
    make_lexicon(other, corpus("more", [["newdoc id = a", "meta::year = early"]]), name="more")
    with Lexicon.open(two) as lexicon, pytest.raises(CorpusError, match=r"year is a whole number in this lexicon, and"):
        lexicon.merge(other)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ['a"b', "a'b; DROP TABLE x", "SELECT", "größe", "x" * 300, "@columns@", "a\\E|b"])
def test_names_are_nothing_but_names(tmp_path: Path, name: str) -> None:
    said = [["newdoc id = a", f"meta::{name} = 1", f"{name} = here"]]
    with new_lexicon(tmp_path / "l.duckdb", corpus("odd", said), name="odd", sentence_meta=[name]) as lexicon:
        assert lexicon.sql("FROM documents").columns == ("corpus", "document", name)
        assert [row[-1] for row in lexicon.sql("FROM sentences").rows] == ["here"]
    with Lexicon.open(tmp_path / "l.duckdb") as lexicon:
        assert [row[2] for row in lexicon.sql("FROM documents").rows] == [1]
        assert lexicon.verify().rows == []


def test_too_many_kinds_are_refused(tmp_path: Path) -> None:
    """Each is a column, and DuckDB plans thousands of them for a minute."""
    comments = "".join(f"# meta::k{n} = {n}\n" for n in range(501))
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        message = "c: 501 kinds of metadata of documents, as k0, k1, k10; a lexicon keeps 500 at most"
        with pytest.raises(CorpusError, match=message):
            lexicon.add(io.BytesIO(f"# newdoc id = a\n{comments}{text_of([['sent_id = 1']])}".encode()), name="c")


def test_a_filter_reaches_the_scan(two: Path) -> None:
    with duckdb.connect(str(two), read_only=True) as client:
        client.execute("SET explain_output = 'optimized_only'")
        plan = str(client.execute("EXPLAIN FROM documents WHERE year = 1890").fetchall()[0][1])
    assert "Filters: year" in plan


# FEATS
@pytest.mark.thorough
def test_features_may_be_part_of_a_lexeme(tmp_path: Path) -> None:
    with Lexicon.open(tmp_path / "l.duckdb", create=True, lexeme="{lemma}.{feats:Number}/{upos}") as lexicon:
        lexicon.add(corpus("feats"), name="feats")
        assert sorted(lexicon.sql("FROM lexemes").column("lexeme")) == ["bark._/VERB", "dog.Plur/NOUN"]
        assert lexicon.verify().rows == []
        lexicon.rebuild(tmp_path / "plain.duckdb", lexeme="{lemma}/{upos}")
    with Lexicon.open(tmp_path / "plain.duckdb") as lexicon:
        assert sorted(lexicon.sql("FROM lexemes").column("lexeme")) == ["bark/VERB", "dog/NOUN"]


@pytest.mark.thorough
def test_sentences_of_python_have_features_too(tmp_path: Path) -> None:
    """As text, as a mapping to texts, and as a mapping to sets."""
    features: list[Any] = ["Case=Nom|Number=Sing", {"Case": "Nom", "Number": "Sing"}, {"Case": {"Nom", "Acc"}}, None]
    word = {"form": "dog", "lemma": "dog", "upos": "NOUN", "head": 0, "deprel": "root"}
    with new_lexicon(tmp_path / "l.duckdb", [[{**word, "feats": each}] for each in features], name="made") as lexicon:
        found = lexicon.sql("SELECT feats FROM tokens ORDER BY sentence").column("feats")
    assert found == ["Case=Nom|Number=Sing", "Case=Nom|Number=Sing", "Case=Acc,Nom", "_"]


@pytest.mark.thorough
def test_a_table_may_have_features(tmp_path: Path) -> None:
    table = tmp_path / "t.parquet"
    columns = "'s' AS sentence, 1 AS id, 'dog' AS form, 'dog' AS lemma, 'NOUN' AS upos, 0 AS head, 'root' AS deprel"
    duckdb.sql(f"COPY (SELECT {columns}, 'Number=Sing' AS feats) TO '{table}' (FORMAT parquet)")
    with new_lexicon(tmp_path / "l.duckdb", table) as lexicon:
        assert lexicon.sql("SELECT feats FROM tokens").column("feats") == ["Number=Sing"]


@pytest.mark.thorough
def test_cells_are_as_they_stand(two: Path, tmp_path: Path) -> None:
    """Quotation marks quote in .csv, and are text in .tsv; nothing else is."""
    for name, text, cells in (
        ("a.csv", 'document,g\none,\'x\'\ntwo,"y, ""z"""\n', ["'x'", 'y, "z"']),
        ("b.tsv", "document\tg\none\t'x'\ntwo\t\"y\n", ["'x'", '"y']),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with Lexicon.open(two) as lexicon:
            lexicon.add(corpus(name), name=name, meta=tmp_path / name)
            found = lexicon.sql("SELECT g FROM documents WHERE corpus = $name ORDER BY document", {"name": name})
            assert found.column("g") == cells


@pytest.mark.thorough
def test_a_table_for_several_files_has_one_type(tmp_path: Path) -> None:
    """Whatever the order in which the files are added."""
    table = tmp_path / "all.csv"
    table.write_text("document,g\na,1\nb,x\n", encoding="utf-8")
    for order in ("ab", "ba"):
        with Lexicon.open(tmp_path / f"{order}.duckdb", create=True) as lexicon:
            for name in order:
                with pytest.warns(IncompleteDataWarning, match="has no document"):
                    lexicon.add(corpus(name, [[f"newdoc id = {name}"]]), name=name, meta=table)
            assert lexicon.sql("SELECT g FROM documents ORDER BY document").column("g") == ["1", "x"]


def test_sent_ids_are_read_as_other_comments_are(tmp_path: Path) -> None:
    text = "#\tsent_id = s 1\n#\tspeaker = Ann\n" + WORDS + "\n"
    with new_lexicon(tmp_path / "l.duckdb", text.encode(), name="c", sentence_meta=["speaker"]) as lexicon:
        assert lexicon.sql("SELECT sent_id, speaker FROM sentences").rows == [("s 1", "Ann")]


@pytest.mark.thorough
def test_numbers_as_text_are_not_merged(tmp_path: Path) -> None:
    """They would no longer be what was written."""
    for name, year in (("one", "c. 5"), ("other", "1.50")):
        make_lexicon(tmp_path / f"{name}.duckdb", corpus(name, [["newdoc id = a", f"meta::year = {year}"]]), name=name)
    with Lexicon.open(tmp_path / "one.duckdb") as lexicon, pytest.raises(CorpusError, match="year is text in this"):
        lexicon.merge(tmp_path / "other.duckdb")
