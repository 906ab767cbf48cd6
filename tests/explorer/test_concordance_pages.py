"""Concordances by pages, and pages of sentences: what they show is what a concordance made line by line has."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from aptdb import Lexicon
from aptdb.core.errors import warnings_heard
from aptdb.explorer import concordance_pages, sentence_pages
from aptdb.explorer.breakdown_pieces import breakdown
from aptdb.explorer.concordance_pages import page_of_hits
from aptdb.explorer.content import Asking, Links, Mark, Page, Piece
from aptdb.explorer.home import found_at
from aptdb.explorer.rendering import Renderer
from aptdb.explorer.word_pieces import cut_after, cut_before, name_sentence_source
from aptdb.questions.concordances import Hits, kinds_of_tokens
from support import browser
from support.animals import ANIMALS
from support.corpora import TREES, documents_of
from support.lexicons import lexicon_of
from support.runs import examples, thorough
from support.served import Elements, Served
from twins import concordances
from twins.trees import conllu

TEXT = (
    f"# newdoc id = b\n# meta::year = 1990\n{conllu([*TREES, *ANIMALS])}"
    f"# newdoc id = a\n# meta::year = 200\n{conllu(ANIMALS * 2)}"
    f"# newdoc id = c\n# meta::genre = letters\n{conllu(ANIMALS[::-1])}"
)
QUERIES = ("dog/NOUN", "cat/NOUN", "form:dog", "form:BIG", "the/DET", "./PUNCT")
SORTS = ("place", "before", "after", "keyword", "document", "year", "genre")
KINDS = (*kinds_of_tokens(), "document", "year", "genre")


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three documents, two with years."""
    return lexicon_of(tmp_path_factory.mktemp("zoo") / "zoo.duckdb", {"zoo": TEXT.encode()})


def compare(lexicon: Lexicon, sentences: list[concordances.Sentence], asked: dict[str, Any]) -> None:
    """A page of a concordance, and a breakdown of all of it, are those of the twin."""
    only = asked["only"]
    hits = Hits(asked["query"], only=only)
    expected = concordances.hits(sentences, asked["query"], only)
    page = page_of_hits(lexicon, hits, asked["sort"], asked["skipped"], asked["rows"])
    assert {row["hits"] for row in page} == {len(expected)}
    wanted = concordances.in_order(sentences, expected, asked["sort"])[asked["skipped"] :][: asked["rows"]]
    first = lexicon.sql("SELECT min(sentence) FROM sentences").rows[0][0]
    shown = [(row["number"] - first, row["first_word"] - 1) for row in page if row["rank"] is not None]
    assert shown == wanted
    found = breakdown(lexicon, hits, asked["by"], 1000)
    assert {row["value"]: row["count"] for row in found} == concordances.counted(sentences, expected, asked["by"])


searches = st.fixed_dictionaries(
    {
        "query": st.sampled_from(QUERIES),
        "sort": st.sampled_from(SORTS),
        "by": st.sampled_from(KINDS),
        "only": st.none()
        | st.tuples(st.sampled_from(KINDS), st.sampled_from(["big", "dog", "NOUN", "a", "1990", "letters", "ADJ"])),
        "skipped": st.integers(0, 12),
        "rows": st.integers(1, 12),
    }
)


@pytest.mark.thorough
@given(searches)
@examples(200, 4)
def test_a_page_and_a_breakdown(opened: Lexicon, asked: dict[str, Any]) -> None:
    compare(opened, concordances.read(TEXT), asked)


@pytest.mark.thorough
def test_pages_of_fiction(tmp_path: Path) -> None:
    """The same on a real corpus."""
    text = documents_of("fiction")
    sentences = concordances.read(text.decode())
    with Lexicon.open(lexicon_of(tmp_path / "fiction.duckdb", {"gum": text})) as lexicon:
        for query in ("say/VERB", "form:her", "time/NOUN"):
            for sort, by in (("before", "right2:lemma"), ("after", "keyword:form"), ("author", "document")):
                asked = {"query": query, "sort": sort, "by": by, "only": None, "skipped": 7, "rows": 40}
                compare(lexicon, sentences, asked)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("query", [*thorough(["d*", "/d.g/"]), '[upos="ADJ"] [lemma="dog"]', "dog/NOUN[amod big/ADJ]"])
def test_hits_are_those_of_evidence(opened: Lexicon, query: str) -> None:
    """Of each kind of query, also drawn and sorted."""
    several: list[dict[str, Any]] = [{}, {"sample": 3, "seed": 4, "sort": "before"}, {"best": True}]
    several.append({"sample": 3, "seed": 4, "best": True})
    for given_values in several:
        expected = opened.evidence(query, **given_values)
        hits = Hits(query, sample=given_values.get("sample"), seed=given_values.get("seed", 1))
        found = page_of_hits(
            opened, hits, "best" if "best" in given_values else given_values.get("sort", "place"), 0, 100
        )
        assert found[0]["found"] == len(opened.evidence(query))
        texts = [tuple(concordance_pages.three_parts(row)) for row in found]
        assert texts == [(row["before"], row["keyword"], row["after"]) for row in expected]


FORMER = (
    "lexeme=dog", "lexeme=dog/NOUN&path=%3Eamod&sort=before", "lexeme=big+dog&best=1", "lexeme=dog/NOUN&best=1&top=3",
    "path=%3Eamod&context=big&top=2000", "lexeme=dog/NOUN&path=%3Eamod&context=big/ADJ&best=1&counts=packed",
)  # fmt: skip


@pytest.mark.parametrize("asked", [*thorough(FORMER[:-1]), FORMER[-1]])
def test_addresses_of_evidence_mean_what_they_meant(server: Served, opened: Lexicon, asked: str) -> None:
    """They lead to a concordance with the lines that evidence has, in its order."""
    answer, given = server.get(f"/evidence?{asked}"), given_in(f"?{asked}")
    assert answer.status == 308
    more: dict[str, Any] = {
        "counts": given.get("counts"),
        "sort": given.get("sort", "place"),
        "top": int(given.get("top", 50)),
    }
    with warnings_heard():
        lines = content_of(page_at(opened, **given_in(answer.headers["location"])))["lines"]
        words = (given.get(name) for name in ("lexeme", "path", "context"))
        expected = opened.evidence(*words, **more, best="best" in given)
    assert [(each.before, each.keyword, each.after, each.reference) for each in lines] == [
        (cut_before(row["before"]), row["keyword"], cut_after(row["after"]), name_sentence_source(row))
        for row in expected
    ]
    assert lines


def page_at(lexicon: Lexicon, **asked: str) -> Page:
    """A page of a concordance."""
    return concordance_pages.make_concordance_page(Asking(lexicon, Links(), asked))


def content_of(page: Page) -> Any:
    """What its only piece shows."""
    (piece,) = page.pieces
    assert isinstance(piece, Piece)
    return piece.content


def given_in(href: str) -> dict[str, str]:
    """The parameters of an address."""
    return {name: value for name, (value,) in parse_qs(urlsplit(href).query).items()}


@pytest.mark.parametrize("by", ["left1:form", *thorough(["year"])])
def test_each_number_of_a_breakdown_leads_to_its_hits(opened: Lexicon, by: str) -> None:
    rows = [row for row in content_of(page_at(opened, q="dog/NOUN", by=by)).rows if row[1].href]
    assert len(rows) > 1
    for row in rows:
        assert page_at(opened, **given_in(row[1].href)).facts[0].text.split()[0] == row[1].text


def test_a_breakdown_tells_how_long_each_document_is(opened: Lexicon) -> None:
    rows = content_of(page_at(opened, q="dog/NOUN", by="document")).rows
    tokens = dict(opened.sql("SELECT document, sum(tokens) FROM sentences GROUP BY ALL").rows)
    assert {row[0].text: row[3].text for row in rows} == {name: str(number) for name, number in tokens.items()}


@pytest.mark.thorough
def test_documents_say_how_even_hits_are(opened: Lexicon) -> None:
    """As the dispersion of a breakdown has it."""
    (row,) = opened.counts_by('[lemma="dog"]', by="match.lemma", dispersion=True)
    (piece,) = page_at(opened, q='[lemma="dog"]', by="document").pieces
    assert isinstance(piece, Piece)
    assert (
        piece.notes[0] == f"In {row['documents']} of 3 documents; Gries' DP {row['dp']:.3f} (0 is as even as can be)."
    )


@pytest.mark.thorough
def test_collexemes_beside_another_construction(opened: Lexicon) -> None:
    """They are those of collexemes with another, as is the SQL; links to other counts leave the other out."""
    asked = ("VERB[nsubj NOUN]", "1.lemma", "VERB[obj NOUN]")
    page = page_at(opened, q=asked[0], by=f"collexemes:{asked[1]}", against=asked[2])
    (piece,) = page.pieces
    assert isinstance(piece, Piece)
    found = opened.collexemes(*asked)
    assert [[cell.text for cell in row[:3]] for row in piece.content.rows] == [
        [row["item"], str(row["count"]), str(row["other_count"])] for row in found
    ]
    assert opened.sql(piece.asked[0].in_sql()).rows == found.rows
    assert [each.href for each in page.form["groups"][0][1] if "against" in each.href] == [
        each.href for each in page.form["groups"][0][1] if "collexemes" in each.href
    ]


def test_all_pages_have_each_hit_once(opened: Lexicon) -> None:
    """From the first page on, by the links to the next; a page behind the last is refused by name."""
    seen, asked = [], {"q": "dog", "rows": "5"}
    while asked:
        page = page_at(opened, **asked)
        seen += [line.href for line in content_of(page)["lines"]]
        asked = given_in(page.form["pages"][2].href)
    assert page.title == "dog/NOUN"
    assert len(seen) == len({*seen}) == len(opened.evidence("dog/NOUN"))


def test_sentences_around_stay_in_their_document(opened: Lexicon) -> None:
    page = page_at(opened, q="form:A", view="1 around", show="document,year")
    first = content_of(page)["lines"][0]
    assert (first.earlier, first.later) == ([], ["small dog"])
    assert first.metadata == ["b", "1990"]
    assert Mark("A", "keyword") in first.words


@pytest.mark.parametrize(
    ("typed", "title", "note"),
    [
        ("dog", "dog/NOUN", ""),
        ("DOG/NOUN", "dog/NOUN", ""),
        ("big dog", "dog/NOUN[amod big/ADJ]", ""),
        (
            "of dogs .",
            '[form="(?i)of"] [form="(?i)dogs"] [form="(?i)\\."]',
            "of dogs . cannot be read as a phrase; these are",
        ),
    ],
)
def test_what_is_typed(opened: Lexicon, typed: str, title: str, note: str) -> None:
    page = page_at(opened, q=typed)
    assert page.title == title
    assert "".join(page.notes).startswith(note)
    assert bool(page.notes) == bool(note)


def test_as_a_file(server: Served, opened: Lexicon) -> None:
    """All hits, with all metadata; or all values of a breakdown."""
    answer = server.get("/concordance.csv", q="dog/NOUN", sort="after", rows="2")
    rows = [*csv.reader(io.StringIO(answer.text))]
    assert rows[0] == ["corpus", "document", "sentence", "genre", "year", "before", "keyword", "after",
                       "lexeme", "position", "context", "context_position", "sentence_number"]  # fmt: skip
    assert len(rows) == 1 + len(concordances.hits(concordances.read(TEXT), "dog/NOUN"))
    assert 'filename="concordance.csv"' in answer.headers["content-disposition"]
    values = [*csv.reader(io.StringIO(server.get("/concordance.csv", q="dog/NOUN", by="year").text))]
    assert values[0] == ["year", "count", "share", "tokens", "per_million"]
    assert [row[0] for row in values[1:]] == ["200", "1990", ""]
    lines = json.loads(server.get("/concordance.json", q="dog/NOUN", sort="after", rows="2").text)
    assert [each["keyword"] for each in lines] == [row[6] for row in rows[1:]]
    named = ("lexeme", "position", "context", "context_position", "sentence_number")
    lines = json.loads(server.get("/concordance.json", q="VERB[nsubj NOUN]").text)
    expected = [{name: row[name] for name in named} for row in opened.evidence("VERB[nsubj NOUN]")]
    assert [{name: each[name] for name in named} for each in lines] == expected


def test_a_sentence(server: Served, opened: Lexicon) -> None:
    """A hit leads to its sentence: its tree has an arc for each word but the root, and the hit is marked."""
    (line, *_) = content_of(page_at(opened, q="dog/NOUN", path="<obj"))["lines"]
    asked = given_in(line.href)
    assert (asked["first"], asked["context"]) == ("4", "2")
    asking = Asking(opened, Links(), asked)
    tree = sentence_pages.make_tree_piece(asking)
    words = opened.sql("FROM tokens WHERE sentence = $number", {"number": int(asked["number"])})
    assert tree.content.svg.count('class="line down"') == 2 * (len(words) - 1)
    assert (tree.content.svg.count('class="word1"'), tree.content.svg.count('class="word2"')) == (1, 1)
    marked = [mark for _, text in sentence_pages.make_place_piece(asking).content for mark in text if mark.kind]
    assert marked == [Mark("eat", "context"), Mark("dog", "keyword")]
    page = server.get(line.href)
    assert page.status == 200
    assert not Elements(page.text).active
    for each in line.opens.split():
        assert server.get(each).status == 200
    assert server.said == []


@pytest.mark.thorough
@pytest.mark.skipif(browser.CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("width", [360, 1000, 1600])
def test_in_a_browser(server: Served, width: int) -> None:
    """A hit is opened below its line, over the whole width, and closed; no page is wider than the window."""
    pytest.importorskip("playwright")
    with browser.page(width) as page:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.goto(f"http://127.0.0.1:{server.port}/concordance?q=dog&show=year")
        page.focus("a[data-opens]")
        page.keyboard.press("Enter")
        page.wait_for_selector(".opened svg.aptdb-drawing")
        opened_row, table = (page.query_selector(each).bounding_box() for each in (".opened td", ".hits"))
        assert opened_row["width"] >= 0.95 * min(table["width"], width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("Enter")
        assert page.query_selector(".opened") is None
        page.goto(f"http://127.0.0.1:{server.port}/sentence?number=1")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert errors == []


@pytest.mark.parametrize(
    ("typed", "there"),
    [
        ("form:dogs", "/concordance?q=form%3Adogs"),
        ("/d.g/", "/concordance?q=%2Fd.g%2F"),
        ('[lemma="dog"]', "/concordance?q=%5Blemma%3D%22dog%22%5D"),
    ],
)
def test_searches_lead_where_they_are_answered(opened: Lexicon, typed: str, there: str) -> None:
    assert found_at(opened, Links(), typed) == there


def test_hits_without_a_value(opened: Lexicon) -> None:
    """The value (none) of a breakdown leads to the hits that it counts."""
    counted = content_of(page_at(opened, q="dog/NOUN", by="left3:form"))
    (link, hits) = next((row[0].href, row[1].text) for row in counted.rows if row[0].text == "(none)")
    asked = dict(parse_qsl(urlsplit(link).query))
    assert asked == {"q": "dog/NOUN", "at": "left3:form"}
    assert page_at(opened, **asked).facts[0].text.split()[0] == hits


def test_notes_of_several_lines() -> None:
    note = Piece("nothing", "Nothing", None, notes=["one\n<two>"])
    assert '<p class="note">one\n&lt;two&gt;</p>' in Renderer(Links(), "zoo", "zoo.duckdb").piece(note)


@pytest.mark.thorough
def test_slots_of_a_pattern_are_counted(server: Served) -> None:
    """As `counts_by` and `collexemes` count them; all rows are in the file, and a value leads to its hits."""
    page = server.get("/concordance", q="VERB[nsubj NOUN]", by="2.lemma")
    assert ">Lemma of slot 2</h2>" in page.text
    rows = server.get("/concordance.tsv", q="VERB[nsubj NOUN]", by="2.lemma").text.splitlines()
    with_dog = next(each for each in rows[1:] if each.startswith("dog\t")).split("\t")
    narrower = server.get("/concordance", q="VERB[nsubj dog/NOUN]").text
    assert f">{with_dog[1]} hits</" in narrower
    assert urlencode({"q": "VERB[nsubj dog/NOUN]"}) in page.text
    attracted = server.get("/concordance", q="VERB[nsubj NOUN]", by="collexemes:2.lemma")
    assert (attracted.status, ">log odds<" in attracted.text) == (200, True)
    assert server.get("/concordance", q="VERB[nsubj NOUN]", by="2.lemma", sample="1").status == 400
    chosen = server.get("/concordance", q="VERB[nsubj NOUN]", at="year", value="1990").text
    assert ("lemma of slot" in chosen, 'href="/subcorpora?year=1990"' in chosen) == (False, True)


def test_hits_over_documents(server: Served) -> None:
    """With Gries' DP, where each token is in a document; by pages."""
    page = server.get("/concordance", q="dog/NOUN", by="document", rows="20").text
    assert "In 3 of 3 documents; Gries" in page
    assert "1 to 3 of 3 values; files have all." in page
