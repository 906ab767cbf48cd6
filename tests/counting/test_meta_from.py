"""Metadata that patterns find in names and comments, beside Python's regular expressions; and what is remembered."""

import gzip
import io
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import AptWarning, CorpusError, IncompleteDataWarning, InterpretationWarning, Lexicon, NoMatchWarning
from support.commands import ask
from support.corpora import corpus_file
from support.lexicons import new_lexicon
from support.runs import examples
from twins.patterns import found

WORDS = "1\tdogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n"
REGEXES = (
    r"(?P<a>\d+)", r"^(?P<a>\w)(-)?(?P<b>\d*)", r"(x|y)(?P<b>[(\])?P<z>-]+)(?P<c>.)?", r"(?:(?P<a>[ab])|(?P<b>\(.))$",
    r"\(?(?P<a>[[:alpha:]]+)",
)  # fmt: skip


def conllu(sentences: Sequence[Sequence[str]]) -> bytes:
    """Sentences of two words, each with its comments."""
    return "".join("".join(f"# {each}\n" for each in comments) + f"{WORDS}\n" for comments in sentences).encode()


def python_of(regex: str) -> str:
    """A regular expression of RE2 in Python's syntax."""
    return regex.replace("[[:alpha:]]", "[A-Za-z]")


texts = st.text("ab1-2(x)]?P<z ", min_size=1, max_size=6).map(str.strip).filter(bool)


@pytest.mark.thorough
@examples(40, 3)
@given(
    st.lists(st.tuples(texts, st.lists(texts, max_size=2)), min_size=1, max_size=5), st.sampled_from(REGEXES), st.data()
)
def test_groups_are_those_of_python(sentences: list[tuple[str, list[str]]], regex: str, data: st.DataObject) -> None:
    """Of sent_ids, of comments of sentences, and of names of documents; a comment that is only read is not kept."""
    source = data.draw(st.sampled_from(("sent_id", "who", "document")))
    comments = [
        [f"newdoc id = d{n}{name}", f"sent_id = {name}", *(f"who = {each}" for each in who)]
        for n, (name, who) in enumerate(sentences)
    ]
    read = [
        {"sent_id": [name], "who": who, "document": [f"d{n}{name}"]}[source] for n, (name, who) in enumerate(sentences)
    ]
    values, missed = found(python_of(regex), read)
    with TemporaryDirectory() as folder, Lexicon.open(Path(folder, "l.duckdb"), create=True) as lexicon:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always", AptWarning)
            try:
                lexicon.add(io.BytesIO(conllu(comments)), name="c", meta_from=[f"{source}:{regex}"])
            except CorpusError as error:
                assert len(missed) == len(sentences), error
                return
        level = "documents" if source == "document" else "sentences"
        order = "document" if source == "document" else "sentence"
        shown = [*lexicon.sql(f"SELECT * FROM {level} ORDER BY {order}")]
    assert len(missed) < len(sentences)
    assert [f"{len(missed)} of {len(sentences)} {level}" in str(each.message) for each in heard] == [True] * bool(
        missed
    )
    assert "who" not in shown[0]
    for name, column in values.items():
        assert [row.get(name) if row.get(name) is None else str(row[name]) for row in shown] == column or any(
            value and re.fullmatch(r"-?0*\d+|-?\d+\.\d+", value) for value in column
        )


def test_years_of_icepahc_are_those_of_its_sent_ids(tmp_path: Path) -> None:
    """Real sent_ids, of the first thousands of sentences that are not invalid."""
    file = corpus_file("is_icepahc")
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        names = [
            line[12:].strip() for line, _ in zip(lines, range(60_000), strict=False) if line.startswith("# sent_id")
        ]
    text = conllu([[f"sent_id = {name}"] for name in names])
    regex = r"^(?P<year>\d{4})\.(?P<work>\w+)\.(?P<genre>\w+)"
    with new_lexicon(tmp_path / "l.duckdb", text, name="ice", meta_from=[f"sent_id:{regex}"]) as lexicon:
        rows = lexicon.sql("SELECT year::VARCHAR, work, genre FROM sentences ORDER BY sentence").rows
        assert len(lexicon.trend("dog/NOUN", by="year")) == len({row[0] for row in rows})
    values, missed = found(regex, [[name] for name in names])
    assert not missed
    assert rows == [*zip(values["year"], values["work"], values["genre"], strict=True)]


SAID = [["newdoc id = one", "meta::title = b 1890", "sent_id = a-1", "speaker = Ann"], ["sent_id = b"]]


def test_a_group_with_the_name_of_a_column_is_kept_under_another(tmp_path: Path) -> None:
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        with pytest.warns(
            InterpretationWarning, match="Text is a column of every lexicon, so the group is kept as meta_Text"
        ):
            lexicon.add(io.BytesIO(conllu(SAID)), name="1", meta_from=[r"sent_id:^(?P<Text>\w)(-(?P<part>\d))?"])
        assert lexicon.sql("SELECT meta_Text, part FROM sentences").rows == [("a", 1), ("b", None)]


def test_a_column_is_of_one_level_and_spelling(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "l.duckdb", conllu(SAID), name="1", tags={"year": 1}) as lexicon:
        for name in ("year", "Year"):
            with pytest.raises(
                CorpusError, match=f"{name} would be metadata of a sentence, and there is a column year"
            ):
                lexicon.add(io.BytesIO(conllu([*SAID, []])), name="2", meta_from=[f"sent_id:(?P<{name}>.)"])
        assert lexicon.corpora().column("name") == ["1"]


@pytest.mark.thorough
def test_files_titles_and_commands(tmp_path: Path) -> None:
    """A pattern may be given repeatedly; merge and rebuild copy what it found."""
    file, made = tmp_path / "news_1890.conllu", tmp_path / "l.duckdb"
    file.write_bytes(conllu(SAID))
    patterns = [r"file:_(?P<year>\d+)\.conllu$", r"meta::title:^(?P<kind>\w)", r"speaker:(?P<initial>.)"]
    added = ask("add", made, file, *(part for each in patterns for part in ("--meta-from", each)))
    assert added.exit_code == 0
    assert "1 of 2 sentences of news_1890.conllu do not match; the first, sent_id b, has none" in added.stderr
    with Lexicon.open(made) as lexicon:
        lexicon.rebuild(tmp_path / "again.duckdb", order=1)
    with Lexicon.open(tmp_path / "merged.duckdb", create=True, order=1) as lexicon:
        lexicon.merge(tmp_path / "again.duckdb")
        assert [*lexicon.sql("SELECT year, kind FROM documents").rows] == [(1890, "b")]
        assert lexicon.sql("SELECT initial FROM sentences ORDER BY sentence").column("initial") == ["A", None]
        assert lexicon.verify().rows == []


def heard_of(lexicon: Lexicon, name: str, comments: list[str], **how: Any) -> list[str]:
    """What an addition of one sentence warns of."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", AptWarning)
        lexicon.add(io.BytesIO(conllu([[*comments, f"sent_id = {name}"]])), name=name, **how)
    assert {each.category for each in heard} <= {IncompleteDataWarning, InterpretationWarning, NoMatchWarning}
    return [str(each.message) for each in heard]


@pytest.mark.thorough
def test_comments_are_kept_as_before(tmp_path: Path) -> None:
    """A later addition keeps the same comments unless it names others, and says what it lacks of all others."""
    kept = "kept the comments speaker of sentences, as earlier additions did; --sentence-meta '' keeps none"
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        assert heard_of(lexicon, "1", ["speaker = Ann"], sentence_meta=["speaker"], tags={"genre": "x"}) == []
        assert heard_of(lexicon, "2", ["speaker = Bo"], tags={"genre": "y"}) == [kept]
        (lacks,) = heard_of(lexicon, "3", ["speaker = Cy"], sentence_meta=[])
        assert lacks.startswith("3 lacks genre, speaker, which each corpus before has; --tag, --meta,")
        assert heard_of(lexicon, "4", []) == []
        assert lexicon.sql("SELECT speaker FROM sentences ORDER BY sentence").column("speaker") == [
            "Ann", "Bo", None, None,
        ]  # fmt: skip


@pytest.mark.thorough
def test_an_empty_option_keeps_no_comments(tmp_path: Path) -> None:
    made = tmp_path / "l.duckdb"
    for name, *options in (("1", "--sentence-meta", "speaker"), ("2", "--sentence-meta", ""), ("3",)):
        source = conllu([["speaker = Ann", f"sent_id = {name}"]]).decode()
        added = ask("add", made, "-", "--name", name, *options, source=source)
        assert added.exit_code == 0
        assert ("kept the comments speaker" in added.stderr) == (name == "3")
        assert ("lacks speaker" in added.stderr) == (name == "2")
