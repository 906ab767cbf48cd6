"""Breakdowns and collexemes: what matches are, counted by Python from the matches, and by scipy."""

import io
import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import chi2_contingency, contingency, false_discovery_control

from aptdb import Lexicon
from aptdb.core.errors import QuestionError
from support.commands import ask
from support.corpora import unpacked
from support.lexicons import new_lexicon
from support.parsed_gifts import TEXT

COLUMNS = ("count", "share", "tokens", "per_million")


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of a corpus of both sentences and one of the second, twice."""
    second = TEXT.split("\n\n")[1] + "\n\n"
    with new_lexicon(tmp_path_factory.mktemp("two") / "two.duckdb", TEXT.encode(), name="both") as lexicon:
        lexicon.add(io.BytesIO((second * 2).encode()), name="second")
        lexicon.subcorpus("first", "corpus = 'both'")
        yield lexicon


def value_of_token(token: dict[str, Any] | None, attribute: str) -> str:
    """What a token is by an attribute, as a breakdown shows it."""
    if token is None:
        return "_"
    value = token[attribute] if attribute in token else dict(
        each.split("=") for each in (token["feats"] or "").split("|") if "=" in each
    ).get(attribute)  # fmt: skip
    return (str(value).lower() if attribute == "form" else str(value)) if value else "_"


def words_by_place(lexicon: Lexicon) -> dict[tuple[int, int], dict[str, Any]]:
    """The tokens of a lexicon by sentence and position."""
    rows = lexicon.sql("SELECT *, relation AS deprel FROM tokens")
    return {(row["sentence_number"], row["position"]): row for row in rows}


def told(lexicon: Lexicon, pattern: str, by: str) -> list[tuple[str, ...]]:
    """What each match of a pattern is."""
    words = words_by_place(lexicon)
    items = []
    for row in lexicon.matches(pattern):
        here = {each["name"]: words[row["sentence_number"], each["position"]] for each in row["tokens"]}
        every = sorted(each["position"] for each in row["tokens"])
        parts = []
        for part in by.replace(" ", "").split(","):
            name, _, attribute = part.partition(".")
            if name == "match":
                every_value = [value_of_token(words[row["sentence_number"], at], attribute or "form") for at in every]
                parts.append(" ".join(every_value))
            else:
                parts.append(str(row[name]) if name in row else value_of_token(here.get(name), attribute))
        items.append(tuple(parts))
    return items


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("pattern", "by"), [
    ("pattern { A -> B }", "A.lemma, B.upos"), ("VERB[* *]", "2.deprel"), ("VERB[* *]", "2.Case,1.form"),
    ('a:[upos="AUX"]? b:[upos="VERB"]', "a.lexeme, b.xpos"), ("VERB[* *]", "match.upos, corpus, match"),
    ('[upos="AUX"]? [upos="VERB"]', "match.deprel,match"), ("[]{2}", "match.lemma"), ("[]{1,2} b:[]", "b.upos,corpus"),
])  # fmt: skip
def test_matches_are_broken_down_by_what_they_are(texts: Lexicon, pattern: str, by: str) -> None:
    every = Counter(told(texts, pattern, by))
    parts = [each.strip() for each in by.split(",")]
    found = texts.counts_by(pattern, by=by)
    assert found.columns == (*parts, *COLUMNS)
    assert {row[: len(parts)]: row[len(parts)] for row in found.rows} == every
    assert found.column("share") == [each / every.total() for each in found.column("count")]
    assert found.column("count") == sorted(found.column("count"), reverse=True)
    sizes = dict(texts.sql("SELECT corpus, tokens FROM corpora").rows)
    for row in found:
        assert row["tokens"] == sizes.get(row.get("corpus"), sum(sizes.values()))
        assert row["per_million"] == 1e6 * row["count"] / row["tokens"]
    if "corpus" in by:
        return
    inside = Counter(told_in_first(texts, pattern, by))
    assert {row[: len(parts)]: row[len(parts)] for row in texts.counts_by(pattern, by=by, subcorpus="first").rows} == (
        inside
    )
    compared = texts.pattern_keyness(pattern, by, "first", min_count=1)
    assert {row["item"]: (row["count_a"], row["count_b"]) for row in compared} == {
        " ".join(each): (inside[each], every[each] - inside[each]) for each in every
    }


def told_in_first(lexicon: Lexicon, pattern: str, by: str) -> list[tuple[str, ...]]:
    """What each match of a pattern in the subcorpus is."""
    rows = zip(lexicon.matches(pattern).column("corpus"), told(lexicon, pattern, by), strict=True)
    return [item for corpus, item in rows if corpus == "both"]


@pytest.mark.thorough
def test_words_are_broken_down_too(texts: Lexicon) -> None:
    assert texts.counts_by("*/VERB", by="1.Tense, corpus, 1.deprel", min_count=2).rows == [
        ("Past", "both", "root", 2, 0.5, 9, 1e6 * 2 / 9), ("Past", "second", "root", 2, 0.5, 8, 1e6 * 2 / 8),
    ]  # fmt: skip
    assert texts.counts_by("give/VERB", ">obj", by="2.feats.Number,match").rows[0][:3] == ("Plur", "gave apples", 1)
    assert texts.counts_by("give/VERB", min_count=2, top=1).rows == texts.counts_by("give/VERB").rows[:1]
    assert texts.counts_by('[upos="NOUN"]', by="corpus").columns[:2] == ("value", "count")
    sql = texts.sql("SELECT item, parts, count FROM breakdown(cql('[upos=\"AUX\"] []'), 'match, corpus')")
    assert sql.rows[0] == ("were given second", ["were given", "second"], 2)


@pytest.mark.thorough
def test_dispersion_is_that_of_the_twin(texts: Lexicon) -> None:
    words = words_by_place(texts)
    order = sorted(words)
    sizes = Counter(words[place]["document"] for place in order)
    found = texts.counts_by("[]", by="match.lemma", dispersion=True)
    assert len(found.rows) == len({row["lemma"] for row in words.values()})
    for row in found:
        at = [number for number, place in enumerate(order) if words[place]["lemma"] == row["match.lemma"]]
        fair = len(order) / len(at)
        distances = [here - before for before, here in zip([at[-1] - len(order), *at], at, strict=False)]
        assert row["arf"] == pytest.approx(sum(min(each, fair) for each in distances) / fair, rel=1e-12)
        inside = Counter(words[order[number]]["document"] for number in at)
        assert row["documents"] == len(inside)
        shares = [abs(inside[name] / len(at) - size / len(order)) for name, size in sizes.items()]
        assert row["dp"] == pytest.approx(sum(shares) / 2, abs=1e-12)


@pytest.mark.thorough
def test_a_group_that_is_all_is_what_its_phrase_is(texts: Lexicon) -> None:
    (row,) = texts.pattern_keyness("VERB{Tense}", "1.lemma", "first", min_count=1)
    (whole,) = texts.phrase_keyness(["VERB{Tense}"], "first")
    assert {name: row[name] for name in row if name not in ("item", "c_value")} == {
        name: whole[name] for name in whole if name in row
    }


@pytest.mark.thorough
def test_breakdowns_that_are_none_are_refused(texts: Lexicon) -> None:
    wrong = {"C.lemma": "no node C in the pattern; available: 1", "1.feats.Foo": "no token has Foo in FEATS"}
    wrong |= {"1.": "no column 1.", "1.misc.Gloss": "tokens are grouped by an attribute"}
    wrong |= {
        "1.lemma, genre": "no column genre; the columns are corpus",
        "corpus,document,1.form, author": "third, author",
    }
    wrong |= {
        "1.lemma, centry(corpus)": "a column has no function centry",
        "century(document),1.lemma": "is a date or a year",
    }
    wrong |= {"1.lemma(": "a bracket is not closed"}
    wrong |= {"1.lemma,1.lemma": "1.lemma twice", ",": "no column ,"}
    for by, why in wrong.items():
        with pytest.raises(QuestionError, match=why):
            texts.counts_by("VERB{Tense}", by=by)
    more: list[tuple[str, dict[str, Any], str]] = [
        ('[upos="VERB"]', {"by": "1.lemma"}, "no node 1 in the pattern; available: none with a label"),
        ("give/VERB", {"by": "2.lemma"}, "no token 2; available: 1"),
        ("give/VERB[obj apple/NOUN]", {"by": "match"}, "a phrase of lexemes cannot be grouped"),
        ("VERB", {"by": "match, corpus", "dispersion": True}, "over all texts, so it cannot be grouped by corpus"),
        ("VERB", {"by": "match", "documents": "genre"}, "has an effect only with"),
        ("[]*", {"by": "match"}, "any number of any tokens"),
    ]
    for pattern, given, why in more:
        with pytest.raises(QuestionError, match=why):
            texts.counts_by(pattern, **given)
    for a, why in {"a": "no subcorpus a", "first": "min_count is 0; expected 1 or more"}.items():
        with pytest.raises(QuestionError, match=why):
            texts.pattern_keyness("VERB", "1.lemma", a, min_count=0 if a == "first" else 1)
    with pytest.raises(QuestionError, match="corpus is not a value of a token"):
        texts.pattern_keyness("VERB[* *]", "1.lemma, corpus", "first")
    shown = ask("keyness", texts.file, "first", "--phrase", "VERB[* *]", "--group", "2.upos", "--min-count", "1",
                "--format", "table")  # fmt: skip
    assert "NOUN" in shown.stdout
    assert ask("counts-by", texts.file, "VERB[* *]", "--by", "2.upos").stdout.splitlines()[1].startswith("NOUN\t4")


def association(count: int, other: int, inside: int, outside: int) -> dict[str, float]:
    """What scipy says of a word in a slot: of `inside` tokens in it, `count`; of `outside` other ones, `other`."""
    table = [[count, other], [inside - count, outside - other]]
    g2, p_value, _, expected = chi2_contingency(table, correction=False, lambda_="log-likelihood")
    odds = contingency.odds_ratio(table if min(map(min, table)) else [[2 * each + 1 for each in row] for row in table],
                                  kind="sample").statistic  # fmt: skip
    return {"expected": expected[0][0], "g2": g2, "p_value": p_value, "log_odds": math.log(odds),
            "delta_p_construction": count / (count + other) - (inside - count) / (inside + outside - count - other),
            "delta_p_word": count / inside - other / outside}  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("against", [None, 'x:[upos="VERB|AUX"] 1:[]'])
def test_collexemes_are_those_of_scipy(texts: Lexicon, against: str | None) -> None:
    words = words_by_place(texts)

    def tokens(pattern: str) -> Counter[str]:
        places = {(row["sentence_number"], each["position"]) for row in texts.matches(pattern) for each in row["tokens"]
                  if each["name"] == "1"}  # fmt: skip
        return Counter(str(words[place]["lemma"]) for place in places)

    pattern = "pattern { 1 [upos=NOUN|PRON|AUX]; V -> 1 } without { 1 [lemma=be] }"
    inside = tokens(pattern)
    others = tokens(against) if against else tokens("pattern { 1 [upos=NOUN|PRON|AUX] }") - inside
    found = texts.collexemes(pattern, "1.lemma", against)
    assert {row["item"]: (row["count"], row["other_count"]) for row in found} == {
        each: (inside[each], others[each]) for each in (inside | others if against else inside)
    }
    for row in found:
        expected = association(row["count"], row["other_count"], inside.total(), others.total())
        assert {name: row[name] for name in expected} == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert sorted(found.column("q_value")) == pytest.approx(sorted(false_discovery_control(found.column("p_value"))))
    alone = texts.collexemes("give/VERB[* *]")
    assert alone.rows[0][-6:] == (0, None, 1, 1, None, alone.rows[0][-1])
    least = texts.collexemes(pattern, "1.lemma", against, min_count=2, top=1)
    assert least.rows[0][:-5] == next(row for row in found.rows if row[1] + (row[2] if against else 0) > 1)[:-5]


@pytest.mark.thorough
def test_slots_that_are_none_are_refused(texts: Lexicon) -> None:
    for slot, why in {"7.lemma": "no node 7", "1.lemma,2.form": "a slot is one token", "match": "a slot is one token",
                      "corpus": "is not a value of a token", "1.Foo": "no attribute Foo"}.items():  # fmt: skip
        with pytest.raises(QuestionError, match=why):
            texts.collexemes("VERB[* *]", slot)
    with pytest.raises(QuestionError, match="no node 2 in the pattern; available: 1"):
        texts.collexemes("VERB[* *]", "2.lemma", "VERB{Tense}")
    with pytest.raises(QuestionError, match="available: none with a label"):
        texts.collexemes('[upos="AUX"] []')
    for asked in ("'VERB[* *]'", "NULL", "cql('[upos=\"VERB\"]')"):
        with pytest.raises(QuestionError, match="a construction is a pattern"):
            texts.sql(f"FROM collexemes({asked}, '1.lemma')")
    shown = ask("collexemes", texts.file, "VERB[* *]", "2.lemma", "--top", "1").stdout.splitlines()
    assert shown[0].startswith("item\tcount\tother_count\texpected\tg2")


@pytest.mark.thorough
def test_bigrams_of_a_treebank_are_those_of_its_file(tmp_path: Path) -> None:
    """Counted from the file by a few lines of Python that know nothing of lexicons."""
    text = unpacked("en_ewt").decode()
    pairs: Counter[str] = Counter()
    for sentence in text.split("\n\n"):
        forms = [line.split("\t")[1].lower() for line in sentence.splitlines() if line.split("\t")[0].isdigit()]
        pairs.update(map(" ".join, pairwise(forms)))
    with new_lexicon(tmp_path / "ewt.duckdb", text.encode(), name="ewt") as lexicon:
        found = lexicon.counts_by("[]{2}", by="match")
    assert dict(row[:2] for row in found.rows) == pairs
