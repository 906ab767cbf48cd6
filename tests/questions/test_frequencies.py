"""Frequencies by kinds of text, over time, and in two subcorpora, compared with SciPy and with counts of subcorpora."""

import io
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from scipy import stats

from aptdb import IncompleteDataWarning, Lexicon, QuestionError, StaleDataWarning
from aptdb.commands.compare_corpora import round_values, trend_number
from aptdb.commands.output import format_output_cell
from aptdb.core.result import Result
from aptdb.core.schemes import Counts
from support.commands import ask
from support.corpora import DOGS
from support.lexicons import lexicon_of
from twins import change
from twins.conditions import of_time
from twins.trees import Token, conllu

TRIPLES = (("man/NOUN", ">amod", "old/ADJ"), ("say/VERB", ">nsubj", "he/PRON"), ("the/DET", "<det", "man/NOUN"))


@pytest.fixture(scope="module")
def gum(genres: Path) -> Iterator[Lexicon]:
    """Some of GUM, with its genres as subcorpora."""
    with Lexicon.open(genres) as lexicon:
        yield lexicon


@pytest.mark.thorough
@pytest.mark.parametrize("counts", ["direct", "packed"])
@pytest.mark.parametrize(("lexeme", "path", "context"), TRIPLES)
def test_counts_by_are_those_of_the_subcorpora(
    gum: Lexicon, lexeme: str, path: str, context: str, counts: Counts
) -> None:
    """Of a co-occurrence, of a node, of a lexeme, of a feature, and of all words."""
    sizes = dict(gum.sql("SELECT subcorpus, tokens FROM subcorpora").rows)
    frequency = "SELECT coalesce(sum(frequency), 0)::BIGINT FROM lexemes(subcorpus := $subcorpus) WHERE lexeme = $word"
    column = {"direct": "direct", "packed": "count"}[counts]
    count = f"SELECT coalesce(sum({column}), 0)::BIGINT FROM cooccurrences(subcorpus := $subcorpus) WHERE {{}}"
    for asked, where in (
        ((lexeme, path, context), "lexeme = $lexeme AND path = $path AND context = $context"),
        ((lexeme, path, None), "lexeme = $lexeme AND path = $path"),
        ((None, path, context), "path = $path AND context = $context"),
    ):
        named = {name: each for name, each in zip(("lexeme", "path", "context"), asked, strict=True) if each}
        for row in gum.counts_by(*asked, by="genre", counts=counts):
            wanted = count.format(where).replace("$subcorpus", f"'{row['value']}'")
            assert row["count"] == gum.sql(wanted, named).rows[0][0]
            assert row["tokens"] == sizes[row["value"]]
            assert row["per_million"] == pytest.approx(1e6 * row["count"] / row["tokens"])
            for column, word in (("lexeme_count", asked[0]), ("context_count", asked[2])):
                found = frequency.replace("$subcorpus", f"'{row['value']}'")
                assert row[column] == (None if word is None else gum.sql(found, {"word": word}).rows[0][0])
    alone = gum.counts_by(lexeme, by="GENRE")
    assert [row["count"] for row in alone] == [row["lexeme_count"] for row in alone]
    words = {
        subcorpus: gum.sql(f"SELECT sum(frequency)::BIGINT FROM lexemes(subcorpus := '{subcorpus}')").rows[0][0]
        for subcorpus in sizes
    }
    assert dict(zip(alone.column("value"), gum.counts_by(by="genre").column("count"), strict=True)) == words


TIMES = (None, "1799-12-31", "1800-01-01", "1801-05-05", "1900-07-01", "1900-07-01", "1901-01-01", "2000-12-31")


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A document for each of some dates, which have the year as a number too."""
    parts = [
        f"# newdoc id = d{n}\n# meta::kind = x\n"
        + (f"# meta::day = {day}\n# meta::of_year = {day[:4]}\n" if day else "")
        + conllu([[Token("dog", "dog", "NOUN", "NN", 0, "root")]])
        for n, day in enumerate(TIMES)
    ]
    return lexicon_of(tmp_path_factory.mktemp("timed") / "l.duckdb", {"c": "".join(parts).encode()})


@pytest.mark.sampled(4)
@pytest.mark.parametrize("function", ["year", "month", "decade", "century"])
def test_functions_of_times(timed: Path, function: str) -> None:
    """By a function of a date, by the same of a year, and as subcorpora, each counts what the twin groups."""
    days = [None if day is None else date.fromisoformat(day) for day in TIMES]
    wanted = Counter(of_time(function, day) for day in days)
    with Lexicon.open(timed) as lexicon:
        if function == "century":
            warnings.filterwarnings("ignore", "by the calendar, century 20 is 1901 to 2000")
        found = lexicon.counts_by("dog/NOUN", by=f" {function.upper()}( Day ) ")
        assert {None if row[0] is None else int(row[0]): row[1] for row in found.rows} == wanted
        if function in ("decade", "century"):
            assert lexicon.counts_by("dog/NOUN", by=f"{function}(of_year)").rows == found.rows
        trend = lexicon.trend("dog/NOUN", by=f"{function}(day)")
        assert [int(period) for period in trend.column("period")] == sorted(each for each in wanted if each is not None)
        if function == "decade":  # all four are read by the same macro, and subcorpora take long to make
            with pytest.warns(IncompleteDataWarning, match=r"1 sentence has no decade\(day\), and is in none"):
                names = lexicon.subcorpora_by("decade(day)", "decade")
            assert names == [f"decade{period}" for period in trend.column("value")]
            assert "to_first" in lexicon.trend("dog/NOUN", by="decade(day)").columns
            assert lexicon.stored.forget("decade*", kind="subcorpora") == sorted(names)


def expected(a: Any, b: Any, in_a: int, in_b: int) -> Any:
    """G² of two cells, as SciPy has it, for arrays of counts."""
    share = (a + b) / (in_a + in_b)
    return stats.power_divergence([a, b], [in_a * share, in_b * share], axis=0, lambda_="log-likelihood").statistic


@pytest.mark.sampled(2)
@pytest.mark.parametrize("of", ["lexemes", "cooccurrences", "paths"])
@pytest.mark.parametrize(("b", "counted"), [("news", None), (None, None), ("news", "packed")])
def test_keyness_is_that_of_scipy(gum: Lexicon, of: Any, b: str | None, counted: Any) -> None:
    """Of every item that is counted, one of each pair from both ends, with the rates of Benjamini and Hochberg."""
    columns = {
        "lexemes": "SELECT lexeme, NULL, NULL, frequency FROM lexemes({})",
        "paths": "SELECT NULL, path, NULL, direct FROM paths({}) WHERE path <> '' AND path <= inverse",
        "cooccurrences": "SELECT lexeme, path, context, met.direct FROM cooccurrences({}) AS met "
        "JOIN paths USING (path) WHERE path <> '' AND path < inverse",
    }
    query = columns[of].replace("direct", "count") if counted else columns[of]

    def counts(subcorpus: str | None) -> dict[tuple[Any, ...], int]:
        return {
            tuple(row[:3]): row[3]
            for row in gum.sql(query.format("" if subcorpus is None else f"subcorpus := '{subcorpus}'")).rows
        }

    sizes: dict[Any, int] = dict(gum.sql("SELECT subcorpus, tokens FROM subcorpora").rows)
    in_a, own, other = sizes["fiction"], counts("fiction"), counts(b)
    in_b = sizes[b] if b else sum(sizes.values()) - in_a
    if b is None:
        other = {item: n - own.get(item, 0) for item, n in other.items()}
    found = gum.keyness("fiction", b, of=of, min_count=3, pos="any", counts=counted)
    sides = [(-np.sign(row["per_million_a"] - row["per_million_b"]), -row["g2"]) for row in found]
    assert sides == sorted(sides)
    seen = {tuple(row[:3]): row for row in found.rows}
    tested = {item: (own.get(item, 0), other.get(item, 0)) for item in {*own, *other}}
    tested = {item: each for item, each in tested.items() if sum(each) >= 3}
    assert tested.keys() <= seen.keys()
    assert {item: seen[item][3:5] for item in tested} == tested
    x, y = np.array([*tested.values()], dtype=float).T
    g2, log_ratio, p_value = np.array([seen[item][7:10] for item in tested], dtype=float).T
    assert g2 == pytest.approx(expected(x, y, in_a, in_b), rel=1e-9, abs=1e-9)
    with_half = np.log2((np.maximum(x, 0.5) / in_a) / (np.maximum(y, 0.5) / in_b))
    with_half[(np.minimum(x, y) == 0) & (with_half * (x * in_b - y * in_a) <= 0)] = np.nan  # ½ would turn it round
    assert log_ratio == pytest.approx(with_half, nan_ok=True)
    assert p_value == pytest.approx(stats.chi2.sf(g2, 1), rel=1e-9)
    rates = stats.false_discovery_control(np.clip(found.column("p_value"), 0, 1), method="bh")
    assert found.column("q_value") == pytest.approx(rates, rel=1e-9)
    if of == "cooccurrences":
        ends = {(row[0], row[1], row[2]) for row in found.rows}
        inverse = dict(gum.sql("SELECT path, inverse FROM paths").rows)
        both = {(c, inverse[p], w) for w, p, c in ends if (w, p) != (c, inverse[p])}
        assert not ends & both


@pytest.mark.thorough
def test_keyness_beside_another_lexicon(gum: Lexicon, tmp_path: Path) -> None:
    """It is that of the two subcorpora, where the lexicons are those subcorpora; and in the other direction."""
    with Lexicon.open(gum.file) as whole:
        whole.rebuild(tmp_path / "news.duckdb", where="genre = 'news'")
        whole.rebuild(tmp_path / "fiction.duckdb", where="genre = 'fiction'")
    for of in ("lexemes", "cooccurrences", "paths"):
        for pos in ("content", "any"):
            asked: dict[str, Any] = {"of": of, "min_count": 2, "pos": pos}
            wanted = gum.keyness("fiction", "news", **asked).rows
            with Lexicon.open(tmp_path / "fiction.duckdb", attach={"other": tmp_path / "news.duckdb"}) as alone:
                found = alone.keyness(other="other", **asked).rows
            assert found == [(*row[:5], *map(pytest.approx, row[5:])) for row in wanted]
    shown = ask(
        "keyness", tmp_path / "fiction.duckdb", "--other", tmp_path / "news.duckdb", "--top", "2", "--format", "tsv"
    )
    assert len(shown.stdout.splitlines()) == 3
    assert shown.stderr.count("left out") == shown.stderr.count("\n") == 1


@pytest.mark.thorough
def test_keyness_beside_a_lexicon_with_other_settings(tmp_path: Path) -> None:
    """Words that are spelt otherwise there are no finding, so the settings that differ are told."""
    for name, settings in (("lower", {}), ("upper", {"lowercase": False, "lexeme": "{form}/{upos}"})):
        lexicon_of(tmp_path / f"{name}.duckdb", {"dogs": DOGS.encode()}, **settings)
    said = (
        "other was counted with other settings (lexeme {lemma}/{upos} here, {form}/{upos} there; "
        "lowercase true here, false there); so differences may come from them"
    )
    with (
        Lexicon.open(tmp_path / "lower.duckdb", attach={"other": tmp_path / "upper.duckdb"}) as lower,
        pytest.warns(IncompleteDataWarning, match=f"^{re.escape(said)}$"),
    ):
        assert lower.keyness(other="other", min_count=1).rows
    beside = "keyness", tmp_path / "lower.duckdb", "--other", tmp_path / "upper.duckdb"
    shown = ask(*beside)
    assert (shown.exit_code, said in shown.stderr) == (0, True)
    with duckdb.connect(str(tmp_path / "upper.duckdb")) as client:
        client.execute("UPDATE _store.settings SET definitions = 'those from before direct counts'")
        client.execute("CREATE OR REPLACE VIEW corpora AS SELECT 'dogs' AS corpus")
    assert "upper.duckdb was made by an older version; update it: aptdb migrate" in ask(*beside).stderr


@pytest.mark.thorough
def test_a_trend_is_that_of_scipy(tmp_path: Path) -> None:
    """The slope and the test over years of random lengths; and how alike the word is where years are subcorpora."""
    rng = np.random.default_rng(5)
    dog, cat = Token("d", "dog", "N", "x", 2, "r"), Token("c", "cat", "N", "x", 0, "r")
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        texts = []
        for year in range(1900, 1908):
            size, dogs = int(rng.integers(5, 9)), int(rng.integers(0, 4))
            text = conllu([[dog, cat]] * dogs + [[cat._replace(lemma=f"w{n}")] for n in range(size)])
            texts.append(f"# newdoc id = {year}\n# meta::year = {year}\n{text}")
        lexicon.add(io.BytesIO("".join(texts).encode()), name="years")
        found = lexicon.trend("dog/N")
        assert found.column("period") == [*range(1900, 1908)]
        slope = stats.theilslopes(found.column("per_million"), found.column("period")).slope
        tau = stats.kendalltau(found.column("period"), found.column("per_million")).statistic
        assert len({(row["slope"], row["tau"], row["p_value"]) for row in found}) == 1
        assert (found.rows[0][5], found.rows[0][6]) == (pytest.approx(slope), pytest.approx(tau))
        lexicon.subcorpora_by("year", "y")
        kept = lexicon.trend("dog/N")
        assert kept.columns[-2:] == ("to_before", "to_first")
        present = [row["value"] for row in kept if row["count"]]
        for row in kept:
            before = str(int(row["value"]) - 1)
            asked: dict[str, Any] = {"subcorpus": f"y{row['value']}", "subcorpus_b": f"y{before}", "weights": "ppmi"}
            if row["value"] in present and before in present:
                assert row["to_before"] == lexicon.similarity("dog/N", "dog/N", **asked)
            elif row["value"] != "1900":
                assert row["to_before"] is None
        compared_with_periods_alone(lexicon, {row["value"]: row for row in kept})


def compared_with_periods_alone(lexicon: Lexicon, whole: dict[str, Any]) -> None:
    """Assert that nothing is compared with a period without a kept subcorpus, nor another one in its place."""
    lexicon.stored.forget("y1903", kind="subcorpora")
    with pytest.warns(IncompleteDataWarning, match="periods without a subcorpus are not compared: 1903; make them"):
        found = {row["value"]: row for row in lexicon.trend("dog/N")}
    for value, row in found.items():
        known = whole[value]
        assert row["to_first"] == (None if value == "1903" else known["to_first"])
        assert row["to_before"] == (None if value in ("1903", "1904") else known["to_before"])
    lexicon.stored.forget("y1900", kind="subcorpora")
    with pytest.warns(IncompleteDataWarning, match="are not compared: 1900, 1903; make them"):
        assert {row["to_first"] for row in lexicon.trend("dog/N")} == {None}
    lexicon.add(
        io.BytesIO(conllu([[Token("dog", "dog", "N", "_", 0, "root")]]).encode()), name="more", tags={"year": "1908"}
    )
    with pytest.warns(StaleDataWarning, match="are not compared: y1901, y1902, .* 3 more; .* --kind subcorpora$"):
        assert "to_first" not in lexicon.trend("dog/N").columns


def test_a_trend_of_a_path_and_of_shares(gum: Lexicon) -> None:
    """By command, Python and SQL: counts as of counts_by, and the share of one verb among two, with its growth."""
    by, asked = "year(dateCreated)", ("say/VERB", ">nsubj", None)
    with pytest.warns(IncompleteDataWarning, match=r"^fewer than 1,000 tokens in "):
        found = gum.trend(*asked, by=by)
    one, other = ({row["value"]: row for row in gum.counts_by(x, *asked[1:], by=by)} for x in ("say/VERB", "know/VERB"))
    assert "share" not in found.columns
    assert {row["value"]: row["count"] for row in found} == {value: one[value]["count"] for value in one if value}
    shares = gum.trend(*asked, against="know/VERB", by=by)
    for row in shares:
        count, beside = one[row["value"]]["count"], other[row["value"]]["count"]
        assert (row["count"], row["other_count"]) == (count, beside)
        assert row["share"] == (count / (count + beside) if count + beside else None)
        assert row["share"] is None or row["share_low"] <= row["share"] <= row["share_high"]
    called = f"'say/VERB', '>nsubj', against := 'know/VERB', by := '{by}'"
    assert set(gum.sql(f"SELECT value, share, growth_p FROM trend({called})").rows) == {
        (row["value"], row["share"], row["growth_p"]) for row in shares
    }
    known = [row for row in shares if row["share"] is not None]
    both = [row["count"] + row["other_count"] for row in known]
    expected = change.growth([row["period"] for row in known], [row["count"] for row in known], both)
    assert (shares.rows[0][8], shares.rows[0][9]) == pytest.approx(expected)
    said = ask("trend", gum.file, *asked[:2], "--against", "know/VERB", "--by", by, "--format", "csv")
    assert [line.split(",")[0] for line in said.stdout.splitlines()[1:]] == shares.column("value")
    assert "fewer than 1,000 tokens in" in said.stderr


def test_a_table_of_a_trend_keeps_the_digits_of_small_numbers() -> None:
    """No probability is 0.0000, and no slope of a share -0.0002; years have no point."""
    columns = ("value", "period", "slope", "p_value", "growth", "growth_p")
    answer = Result(columns, ("VARCHAR", *["DOUBLE"] * 5), [("1150", 1150.0, -0.00018648, 2.9e-5, 22.1505, 1e-9)])
    (row,) = round_values(answer, trend_number).rows
    assert row == ("1150", "1150", "-0.000186", 2.9e-5, 22.1505, 1e-9)
    assert [format_output_cell(name, row[columns.index(name)]) for name in ("p_value", "growth_p")] == [
        "2.9e-5", "< 1e-6"
    ]  # fmt: skip
    unrounded = Result(("period", "slope"), ("DOUBLE", "DOUBLE"), [(1946.70410, None)])
    assert round_values(unrounded, trend_number).rows == [("1946.7041", None)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("value", "said"),
    [
        (("1", "2", "x", "y", "z"), "only 2 of 5 values of part are times; to take the numbers .* write part::DOUBLE"),
        (("1", "2", "3", "x"), None),
        (("1890s", "1900s", "unknown"), None),
    ],
)
def test_periods_are_times(tmp_path: Path, value: tuple[str, ...], said: str | None) -> None:
    """Most values are; in names of documents, and among others, numbers are periods if they are cast."""
    dog = conllu([[Token("dog", "dog", "NOUN", "NN", 0, "root")]])
    text = "".join(f"# newdoc id = {n}\n# meta::part = {each}\n{dog}" for n, each in enumerate(value))
    with Lexicon.open(lexicon_of(tmp_path / "l.duckdb", {"c": text.encode()})) as lexicon:
        if said:
            with pytest.raises(QuestionError, match=said):
                lexicon.trend("dog/NOUN", by="part")
            lexicon_rows = lexicon.sql("FROM trend('dog/NOUN', by := 'part::DOUBLE')")
            assert lexicon_rows.column("value") == ["1", "2"]
        else:
            with pytest.warns(IncompleteDataWarning, match=f"1 sentence is left out: {value[-1]} is not a time"):
                assert len(lexicon.trend("dog/NOUN", by="part")) == len(value) - 1
        with pytest.raises(QuestionError, match="no column year; the columns are corpus, document, part"):
            lexicon.trend("dog/NOUN")
        with pytest.raises(QuestionError, match=r"document is a name, not a time; .*, write document::DOUBLE"):
            lexicon.trend("dog/NOUN", by="document")
        assert lexicon.trend("dog/NOUN", by="document::INTEGER").column("period") == [*range(len(value))]


@pytest.mark.thorough
def test_corpora_that_came_as_counts(tmp_path: Path) -> None:
    """They have no tokens to compare by: keyness of what they are in is refused, and counts tell what is left out."""
    dog, cat = Token("d", "dog", "N", "x", 2, "r"), Token("c", "cat", "N", "x", 0, "r")
    counts = tmp_path / "counts.tsv"
    counts.write_text("lexeme\tpath\tcontext\tcount\ndog/N\t\tdog/N\t7\ndog/N\t<r\tcat/N\t5\ncat/N\t>r\tdog/N\t5\n")
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        for kind in ("a", "b"):
            text = f"# {kind}\n{conllu([[dog, cat]])}"
            lexicon.add(io.BytesIO(text.encode()), name=kind, tags={'Ort"s/~': kind}, again=True)
        lexicon.subcorpus("a", "corpus = 'a'")
        assert lexicon.counts_by("dog/N", by='Ort"s/~').rows[0][:2] == ("a", 1)
        lexicon.subcorpus("every", "TRUE")
        with pytest.raises(QuestionError, match="all sentences are in every, so nothing is left"):
            lexicon.keyness("every", min_count=1)
        lexicon.add(counts)
        with pytest.warns(IncompleteDataWarning, match=r"counts\.tsv was added as counts"):
            lexicon.subcorpus("b", "corpus = 'b'")
        lexicon.stored.refresh(kind="subcorpora")
        assert lexicon.keyness("a", "b", min_count=1).rows
        with pytest.raises(QuestionError, match=r"counts\.tsv was added as counts, without tokens"):
            lexicon.keyness("a", min_count=1)
        with pytest.warns(IncompleteDataWarning, match=r"7 more are from counts\.tsv"):
            assert sum(lexicon.counts_by("dog/N").column("count")) == 2


def test_in_a_bare_client(gum: Lexicon) -> None:
    """Frequencies are SQL alone."""
    copy = gum.file.with_name("copy.duckdb")
    copy.write_bytes(gum.file.read_bytes())
    with duckdb.connect(str(copy), read_only=True) as client:
        assert len(client.sql("FROM counts_by('man/NOUN', by := 'genre')").fetchall()) == 4
        assert client.sql("FROM keyness('fiction', 'news', top := 1)").fetchall()
        assert client.sql("FROM trend('man/NOUN', by := 'dateCreated')").fetchall()
