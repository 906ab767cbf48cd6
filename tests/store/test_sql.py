"""`aptdb sql`: what only reads is answered, what else is refused and says why; other DuckDB files beside a lexicon."""

import io
import multiprocessing
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aptdb import InUseError, Lexicon, LexiconError, QuestionError
from aptdb.corpus import demo_corpus
from aptdb.questions.read_only import tokens_of_query
from aptdb.store.duckdb_messages import in_our_words
from support.commands import ask
from support.lexicons import make_lexicon, new_lexicon
from support.runs import examples
from twins.trees import Token, conllu

READS = Path(__file__).with_name("reads.sql").read_text(encoding="utf-8").splitlines()  # one query a line


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two lexicons, one with weightings, and a file of ratings."""
    folder = tmp_path_factory.mktemp("made")
    with new_lexicon(
        folder / "dogs.duckdb", stream(("dog", "brown"), ("dog", "small"), ("cat", "small")), name="dogs"
    ) as dogs:
        dogs.weigh("mine", scheme="raw_count", keep=True)
        dogs.add(stream(("dog", "old")), name="more")  # which makes mine stale
    with new_lexicon(
        folder / "cats.duckdb", stream(("cat", "quiet"), ("cat", "small"), ("fox", "red")), name="cats"
    ) as cats:
        cats.weigh("mine", scheme="raw_count", keep=True)
        cats.weigh("shifted", scheme="pmi", shift=2)
        cats.save("red_fox", "fox/NOUN[amod red/ADJ]")
    with duckdb.connect(str(folder / "norms.duckdb")) as norms:
        norms.execute("CREATE TABLE norms AS SELECT 'dog' AS lemma, 4.5 AS rating UNION ALL SELECT 'cat', 3.5")
        norms.execute("CREATE VIEW high AS FROM norms WHERE rating > 4")
    return folder


@pytest.fixture
def files(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own with these files, and in it."""
    for file in made.iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stream(*pairs: tuple[str, str]) -> io.BytesIO:
    """A corpus of nouns, each with an adjective."""
    trees = [[Token(adj, adj, "ADJ", "_", 2, "amod"), Token(noun, noun, "NOUN", "_", 0, "root")] for noun, adj in pairs]
    return io.BytesIO(conllu(trees).encode())


# What only reads


@pytest.fixture
def dogs(made: Path) -> Iterator[Lexicon]:
    """A lexicon that only reads."""
    with Lexicon.open(made / "dogs.duckdb") as lexicon:
        yield lexicon


@pytest.mark.sampled(11)
@pytest.mark.parametrize("query", READS)
def test_what_only_reads_is_answered_as_duckdb_answers_it(made: Path, query: str) -> None:
    with Lexicon.open(made / "dogs.duckdb") as dogs:
        found = dogs.sql(query)
    if "analyze" in query.lower():  # shows how long it took
        assert found.columns == ("explain_key", "explain_value")
        return
    with duckdb.connect(str(made / "dogs.duckdb"), read_only=True) as client:
        shown = client.execute(query)
        assert found.columns == tuple(column[0] for column in shown.description)
        assert Counter(map(in_short, found.rows)) == Counter(map(in_short, shown.fetchall()))
        assert found.rows


def in_short(row: tuple[Any, ...]) -> str:
    """A row as text, its numbers without their last digits, which depend on the order in which rows are added up."""
    return re.sub(r"(\d\.\d{12})\d+", r"\1", str(row))


@pytest.mark.thorough
@pytest.mark.parametrize("written", ["COPY (PIVOT lexemes ON pos) TO 'written'", "DROP VIEW lexemes"])
def test_nothing_is_written_where_all_may_be_read(files: Path, written: str) -> None:
    """What is refused otherwise is in refusals.csv."""
    before = {file.name: file.read_bytes() for file in files.iterdir()}
    with Lexicon.open(files / "dogs.duckdb", confined=False) as lexicon:
        with pytest.raises(QuestionError, match="aptdb sql runs one SELECT and nothing else"):
            lexicon.sql(written)
        assert len(lexicon.sql("FROM lexemes")) > 3
    assert {file.name: file.read_bytes() for file in files.iterdir()} == before


def test_the_secrets_of_duckdb_are_out_of_reach(dogs: Lexicon) -> None:
    with pytest.raises(QuestionError, match="stored_secrets cannot be read: a query reads only its lexicon"):
        dogs.sql("FROM duckdb_secrets()")


def test_messages_that_are_not_duckdbs_own_stay() -> None:
    for text in ("Parser Error: syntax error", "a message of ours", "Binder Error: something else", ""):
        assert in_our_words(text, "FROM apt('x', shift := 1") == text


PIVOTED = (
    "FROM (PIVOT (FROM lexemes WHERE frequency >= $least) ON pos USING sum(frequency) GROUP BY lemma) WHERE lemma = $l"
)


def test_a_pivot_takes_values(dogs: Lexicon) -> None:
    """DuckDB takes none there."""
    found = dogs.sql(PIVOTED, {"least": 1, "l": "small"})
    assert [dict(row) for row in found] == [{"lemma": "small", "ADJ": 2, "NOUN": None}]
    assert dogs.sql(PIVOTED, {"least": 2, "l": "it's"}).rows == []
    assert dogs.sql(f"EXPLAIN {PIVOTED}", {"least": 1, "l": "$least"}).columns == ("explain_key", "explain_value")


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9)
VALUES = st.one_of(st.integers(-(2**40), 2**40), st.booleans(), TEXTS)
QUOTED = ("'é $other' || ", "$$ $other $$ || ", "$a$ $other $a$ || ", "E'\\'$other' || ")
BEFORE = ("", "-- $other\n", "/* $other */ ", *QUOTED)


@pytest.mark.thorough
@settings(examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=VALUES, before=st.sampled_from(BEFORE))
def test_values_in_a_pivot_are_what_a_parameter_is(dogs: Lexicon, value: Any, before: str) -> None:
    """What stands in quotation marks and comments is no parameter. The twin has a list, and so takes parameters."""
    twin = f"PIVOT (SELECT {before}$value AS \"$other\", 'a' AS kind) ON kind IN ('a') USING count(*)"
    expected = dogs.sql(twin, {"value": value})
    assert dogs.sql(twin.replace("IN ('a') ", ""), {"value": value}).rows == expected.rows


@given(
    st.lists(st.sampled_from(["$n", "'it''s'", "$$ $n $$", "-- é\n", '"a b"', "é", "+", "1.5", "/* x */", " ", "\n"]))
)
def test_pieces_are_all_of_a_query_but_comments_and_spaces(parts: list[str]) -> None:
    query = " ".join(parts)
    whole = query.encode()
    for piece in tokens_of_query(query):
        assert whole[piece.at : piece.at + len(piece.text.encode())].decode() == piece.text
    left = "".join(part for part in parts if not part.startswith(("--", "/*")))
    assert "".join("".join(piece.text for piece in tokens_of_query(query)).split()) == "".join(left.split())


# Other files beside a lexicon


@pytest.mark.thorough
def test_another_file_is_joined(files: Path) -> None:
    query = "SELECT lexeme, rating FROM lexemes JOIN {}.norms USING (lemma) WHERE frequency > $least ORDER BY ALL"
    plain = ask("sql", "dogs.duckdb", query.format("norms"), "-p", "least=0", "--attach", "norms.duckdb")
    named = ask(
        "sql", "dogs.duckdb", query.format("n"), "-p", "least=0", "--attach=n=norms.duckdb", "--attach=cats.duckdb"
    )
    assert plain.output == named.output == "lexeme\trating\ncat/NOUN\t3.5\ndog/NOUN\t4.5\n"
    both = "SELECT count(*) FROM cats.cooccurrences, norms.high"
    with Lexicon.open("dogs.duckdb", attach=["cats.duckdb", Path("norms.duckdb")]) as lexicon:
        ((pairs,),) = lexicon.sql(both).rows
        assert lexicon.sql("SELECT name FROM (SHOW TABLES FROM norms) ORDER BY 1").column("name") == ["high", "norms"]
        assert len(lexicon.sql("PIVOT norms.norms ON lemma USING sum(rating)")) == 1
    with Lexicon.open("cats.duckdb") as cats:
        assert pairs == len(cats.sql("FROM cooccurrences")) > 0


@pytest.mark.thorough
def test_every_view_of_an_attached_lexicon_answers_as_its_own(files: Path) -> None:
    with Lexicon.open("cats.duckdb") as cats:
        shown = "SELECT view_name FROM duckdb_views() WHERE NOT internal AND schema_name = 'main'"
        views = cats.sql(shown).column("view_name")
        own = {view: Counter(map(str, cats.sql(f"FROM {view}").rows)) for view in views}
    assert {"ppmi", "shifted", "mine", "tokens", "entry_weights", "cooccurrences"} <= set(views)
    with Lexicon.open("dogs.duckdb", attach="cats.duckdb") as lexicon:
        for view in views:
            assert Counter(map(str, lexicon.sql(f"FROM cats.{view}").rows)) == own[view]
        ours = lexicon.neighbours("dog/NOUN", min_frequency=1).rows
        assert lexicon.sql("FROM cats.raw_count WHERE lexeme = 'fox/NOUN' AND path = '>amod'").rows
    with Lexicon.open("dogs.duckdb") as lexicon:
        assert lexicon.neighbours("dog/NOUN", min_frequency=1).rows == ours


@pytest.mark.thorough
def test_weights_of_another_lexicon_are_weights(files: Path) -> None:
    with Lexicon.open("dogs.duckdb", attach={"other": "cats.duckdb"}) as lexicon:
        found = lexicon.apt("cat/NOUN", weights="other.raw_count").rows
        assert {context for path, context, _ in found if path == ">amod"} == {"quiet/ADJ", "small/ADJ"}
        lexicon.export("out.tsv", weights="other.raw_count")
        lexicon.thesaurus("near.tsv", weights="other.raw_count")
        lexicon.add(stream(("dog", "red")), name="again")  # the files are attached again after it
        assert len(lexicon.sql("FROM other.lexemes WHERE lemma = 'fox'")) == 1
    assert "quiet/ADJ" in Path("out.tsv").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("error")
def test_only_weights_of_its_own_are_stale(files: Path) -> None:
    with Lexicon.open("dogs.duckdb", attach="cats.duckdb") as lexicon:
        assert lexicon.sql("FROM cats.mine").rows
        assert lexicon.sql("FROM cats.main.mine").rows
        with pytest.warns(match="stored weights of mine are older"):
            lexicon.sql("FROM mine")
        with pytest.warns(match="stored weights of mine are older"):
            lexicon.sql("PIVOT mine ON path")


@pytest.mark.parametrize(
    ("attached", "said"),
    [
        (["cut.duckdb"], "cut.duckdb"),
        (["x=linked.duckdb"], "linked.duckdb is the lexicon itself"),
        (
            ["x=cats.duckdb", "X=norms.duckdb"],
            "cats.duckdb and norms.duckdb have the same name, X; give it another",
        ),
    ],
)
def test_what_cannot_be_attached(files: Path, attached: list[str], said: str) -> None:
    Path("cut.duckdb").write_bytes(Path("cats.duckdb").read_bytes()[:20_000])
    Path("linked.duckdb").symlink_to("dogs.duckdb")
    answer = ask("sql", "dogs.duckdb", "SELECT 1", *(f"--attach={each}" for each in attached))
    assert (answer.exit_code, answer.stderr.count("\n"), said in answer.stderr) == (1, 1, True)
    assert ask("sql", "dogs.duckdb", "SELECT 1").exit_code == 0


@pytest.mark.thorough
def test_files_with_odd_names_are_attached(files: Path) -> None:
    for name, called in (
        ("1 a=b.duckdb", "_1_a_b"),
        ("md:x.duckdb", "md_x"),
        ("it's.db", "it_s"),
        ("élan*.duckdb", "élan_"),
    ):
        shutil.copy("norms.duckdb", name)
        answer = ask("sql", "dogs.duckdb", f"SELECT count(*) AS n FROM {called}.norms", "--attach", name)
        assert answer.output == "n\n2\n"


@pytest.mark.thorough
def test_in_one_process_a_lexicon_is_open_in_one_way(files: Path) -> None:
    with Lexicon.open("dogs.duckdb", attach="cats.duckdb") as lexicon:
        with Lexicon.open("dogs.duckdb", attach="cats.duckdb") as again:
            assert again.sql("FROM cats.lexemes").rows == lexicon.sql("FROM cats.lexemes").rows
        with pytest.raises(
            LexiconError, match=r"already open in this process without norms\.duckdb; close it there first"
        ):
            Lexicon.open("dogs.duckdb", attach="norms.duckdb")
        with pytest.raises(LexiconError, match="already open in this process in another mode"):
            Lexicon.open("dogs.duckdb")
        assert len(lexicon.sql("FROM cats.lexemes"))


@pytest.mark.thorough
@pytest.mark.parametrize("options", [{}, {"temp": "spilled"}])
def test_what_a_stranger_attaches_is_harmless(files: Path, options: dict[str, Any]) -> None:
    """Views that read files do not; macros that hide ours are not ours; nothing is written."""
    Path("spilled").mkdir()
    Path("secret").write_text("secret", encoding="utf-8")
    with duckdb.connect("norms.duckdb") as client:
        client.execute("CREATE VIEW evil AS SELECT content FROM read_text('secret')")
        client.execute("CREATE SCHEMA _store; CREATE TABLE _store.settings AS SELECT 'theirs' AS stamp")
        client.execute("CREATE MACRO neighbours(x) AS TABLE SELECT 'theirs'; CREATE MACRO lower(x) AS 'theirs'")
        client.execute("CREATE MACRO read() AS TABLE FROM read_text('secret')")
        client.execute("CREATE VIEW lexemes AS SELECT 'theirs' AS lexeme")
    before = Path("norms.duckdb").read_bytes()
    with Lexicon.open("dogs.duckdb") as lexicon:
        expected = (
            lexicon.neighbours("dog/NOUN", min_frequency=1).rows,
            lexicon.sql("SELECT lower('A'), * FROM lexemes").rows,
        )
    with Lexicon.open("dogs.duckdb", attach="norms.duckdb", **options) as lexicon:
        for query in (
            "FROM norms.evil",
            "FROM norms.read()",
            "FROM 'secret'",
            "FROM read_text('secret')",
            "FROM glob('*')",
        ):
            with pytest.raises(QuestionError):
                lexicon.sql(query)
        found = (
            lexicon.neighbours("dog/NOUN", min_frequency=1).rows,
            lexicon.sql("SELECT lower('A'), * FROM lexemes").rows,
        )
        assert found == expected
        closed = lexicon.sql("SELECT current_setting('enable_external_access'), current_setting('lock_configuration')")
        assert closed.rows == [(False, True)]
        shown = lexicon.sql("SELECT readonly FROM duckdb_databases() WHERE NOT internal AND path IS NOT NULL")
        assert shown.column("readonly") == [True, True]
    assert Path("norms.duckdb").read_bytes() == before


def hold(file: str, read_only: bool, told: Any, done: Any) -> None:
    """Have a file open until told to stop."""
    with duckdb.connect(file, read_only=read_only):
        told.set()
        done.wait(60)


@pytest.mark.thorough
@pytest.mark.parametrize("read_only", [True, False])
def test_while_another_process_has_the_files(files: Path, read_only: bool) -> None:
    context = multiprocessing.get_context("spawn")
    done = context.Event()
    held = [("cats.duckdb", read_only), *([("dogs.duckdb", True)] if read_only else [])]
    tolds = [context.Event() for _ in held]
    others = [context.Process(target=hold, args=(*each, told, done)) for each, told in zip(held, tolds, strict=True)]
    for other in others:
        other.start()
    try:
        assert all(told.wait(60) for told in tolds)
        if read_only:
            with Lexicon.open("dogs.duckdb", attach="cats.duckdb") as lexicon:
                assert lexicon.sql("FROM cats.lexemes").rows
        else:
            with pytest.raises(InUseError, match=r"cats\.duckdb is being written by process \d+"):
                Lexicon.open("dogs.duckdb", attach="cats.duckdb")
    finally:
        done.set()
        for other in others:
            other.join(60)


@pytest.mark.thorough
def test_the_example_of_the_help_runs(files: Path) -> None:
    make_lexicon("english.duckdb", "".join(demo_corpus.corpus()).encode(), name="demo")
    shutil.copy("cats.duckdb", "other.duckdb")
    query = "FROM lexemes ANTI JOIN other.lexemes USING (lexeme)"
    assert query in " ".join(ask("sql", "--help").output.split())
    answer = ask("sql", "english.duckdb", query, "--attach", "other.duckdb")
    assert len(answer.output.splitlines()) > 500
