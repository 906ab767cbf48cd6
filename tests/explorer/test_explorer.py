"""The explorer: what its pages show beside the answers of the lexicon, and how the same is asked elsewhere."""

import gzip
import html
import io
import json
import re
import shlex
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import duckdb
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from aptdb import IncompleteDataWarning, Lexicon, QuestionError
from aptdb.core.display import how_many
from aptdb.core.result import Result
from aptdb.explorer import home, page_plots, pair_pieces, phrase_pieces, word_pieces
from aptdb.explorer.concordance_pages import make_concordance_page
from aptdb.explorer.content import Asked, Asking, Links, Page, Piece, Table
from aptdb.explorer.page_settings import How
from aptdb.explorer.pages import KINDS
from aptdb.explorer.rendering import Renderer, is_from_the_right
from aptdb.pictures.page_charts import ON_MAP
from aptdb.questions.frequencies import SHARES
from support.animals import ANIMALS
from support.commands import ask
from support.lexicons import copied
from support.processes import PROGRAM, beside
from support.runs import thorough
from support.served import Elements, Served, served
from twins.trees import conllu

PHRASE = "dog/NOUN[amod big/ADJ]"
LINKS = Links()
OF_EACH = 6  # pages of a kind that are looked at


# Pages


@pytest.mark.thorough
def test_every_page_that_a_page_leads_to(server: Served) -> None:
    """From the first page on, each link is followed: no page is missing, and none fails."""
    waiting, seen, kinds = ["/"], set[str](), dict[str, int]()
    while waiting:
        address = waiting.pop(0)
        kind = urlsplit(address).path
        if address in seen or kinds.get(kind, 0) >= OF_EACH:
            continue
        seen.add(address)
        kinds[kind] = kinds.get(kind, 0) + 1
        answer = server.get(address)
        assert answer.status == 200, (address, answer.text[-600:])
        if answer.headers["content-type"].startswith("text/html"):
            found = Elements(answer.text)
            assert not found.active, (address, found.active)
            waiting += [each for each in [*found.links, *found.pieces] if each.startswith("/")]
    expected = {"/", "/lexeme", "/compare", "/sql", "/sql.csv", "/sql.json", "/lexeme/places", "/phrase"}
    expected |= {"/concordance", "/concordance.csv", "/concordance.tsv", "/sentence"}
    assert expected - {"/phrase"} <= {*kinds}
    elsewhere = {"sketch", "senses"}  # the first is in the page, the second needs a space
    assert {f"/piece/lexeme/{each}" for each in KINDS["lexeme"].pieces.keys() - elsewhere} <= {*kinds}
    assert server.said == []


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_pieces_stand_alone_and_in_their_pages(server: Served, kind: str) -> None:
    given = {
        "lexeme": {"x": "dog/NOUN"},
        "phrase": {"x": PHRASE, "merge": "min", "typed": "big dog"},
        "compare": {"a": "dog/NOUN", "b": "cat/NOUN"},
        "words": {"list.pos": "NOUN"},
        "trend": {"q": "dog/NOUN\ncat/NOUN", "by": "year"},
        "sentence": {"number": "1", "first": "2", "context": "1,3"},
    }[kind]
    for piece in KINDS[kind].pieces.keys() - {"senses"}:  # which need a space
        own = {"subcorpus": "1990", "subcorpus_b": "2000"} if piece == "subcorpora" else given
        whole, bare = server.get(f"/{kind}/{piece}", None, **own), server.get(f"/piece/{kind}/{piece}", None, **own)
        assert (whole.status, bare.status) == (200, 200), (whole.text, bare.text)
        assert bare.text.strip() in whole.text
        assert "<html" not in bare.text


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("typed", "leads_to"),
    [
        ("dog/NOUN", "/lexeme?x=dog%2FNOUN"),
        ("big dog", "/phrase?x=big+dog"),
        (PHRASE, "/phrase?x=dog%2FNOUN%5Bamod+big%2FADJ%5D"),
        ("cat", "/lexeme?x=cat%2FNOUN"),
        ("Dog", "/lexeme?x=Dog"),
        ("DOG/NOUN", "/lexeme?x=dog%2FNOUN"),
        ("  ", "/"),
    ],
)
def test_a_search_leads_to_a_page(server: Served, typed: str, leads_to: str) -> None:
    answer = server.get("/search", q=typed)
    assert (answer.status, answer.headers["location"]) == (303, leads_to)
    assert server.get(leads_to).status == 200


def test_a_search_with_a_choice(server: Served) -> None:
    begins = server.get("/search", q="c")
    assert begins.status == 200
    assert {"/lexeme?x=cat%2FNOUN", "/lexeme?x=chases%2FVERB"} <= {*Elements(begins.text).links}
    assert "no lexeme c" in begins.text
    nothing = server.get("/search", q="xyzzy")
    assert "no lexeme xyzzy, and none that begins so" in nothing.text
    assert "/lexeme?x=cat%2FNOUN" in Elements(server.get("/search", q="?a*").text).links


@pytest.mark.parametrize(
    ("typed", "first"), [("do", "dog/NOUN"), ("dog/NOUN[am", "dog/NOUN[amod "), ("dog/NOUN[amod b", PHRASE)]
)
def test_completion(server: Served, typed: str, first: str) -> None:
    import json

    found = json.loads(server.get("/complete", q=typed).text)
    assert found[0]["value"] == first


@pytest.mark.thorough
def test_entries_are_not_completed(zoo: Path, tmp_path: Path) -> None:
    """They have no page."""
    file = copied(zoo, tmp_path / "zoo.duckdb")
    with Lexicon.open(file) as lexicon:
        lexicon.save("dog_big", PHRASE)
    with Lexicon.open(file) as lexicon:
        found = [each["value"] for each in home.completed(lexicon, "", "dog")]
    assert found == ["dog/NOUN", "dogs/NOUN"]


def test_a_phrase_says_how_it_is_read(server: Served) -> None:
    text = server.get("/phrase", x="big dog").text
    assert "“big dog” is read as" in text
    assert PHRASE in text
    assert server.get("/phrase", x="dog/NOUN[amodd big/ADJ]").status == 200  # a note, as everywhere


def test_other_readings_stay_beside_a_phrase_in_brackets(server: Served) -> None:
    """A reading that is chosen still has the other readings, and so has another merge rule."""
    chosen = server.get("/phrase", x=PHRASE, typed="big dog", merge="min")
    assert "“big dog” is read as" in chosen.text
    links = [each for each in Elements(chosen.text).links if each.startswith("/phrase?")]
    assert links
    assert all("typed=big+dog" in each for each in links)
    assert "typed=big+dog" in Elements(server.get("/phrase", x="big dog").text).pieces[0]


@pytest.mark.parametrize("given", [{"a": "dog/NOUN", "b": ""}, {"b": "dog/NOUN"}, {"a": "dog", "subcorpus": "2000"}])
def test_a_comparison_without_the_other(server: Served, given: dict[str, str]) -> None:
    """It asks for B, and has neighbours to choose from."""
    answer = server.get("/compare", None, **given)
    assert (answer.status, "Name the word or phrase to compare with in B." in answer.text) == (200, True)
    assert [each for each in Elements(answer.text).links if each.startswith("/compare?a=dog%2FNOUN&b=")]


def test_refusals_lead_on(server: Served) -> None:
    """An unknown word has links to near ones, an unknown page to the first; an empty comparison has examples."""
    unknown = server.get("/lexeme", x="dgo/NOUN")
    assert (unknown.status, "/lexeme?x=dog%2FNOUN" in Elements(unknown.text).links) == (404, True)
    assert server.get("/nope").text.count('href="/"') >= 2
    examples = [each for each in Elements(server.get("/compare").text).links if each.startswith("/compare?")]
    assert [parse_qs(urlsplit(each).query).keys() for each in examples[:1]] == [{"a", "b"}]
    assert "/compare?subcorpus=1990&subcorpus_b=2000" in examples
    for each in examples:
        assert server.get(each).status == 200


def test_the_search_has_the_focus_where_one_begins(server: Served) -> None:
    """On the first page, among results and after a refusal; not where a page is read."""
    for address in ("/", "/search?q=c", "/lexeme?x=dgo/NOUN"):
        assert "autofocus" in server.get(address).text
    assert "autofocus" not in server.get("/lexeme?x=dog/NOUN").text


def test_a_subcorpus_without_the_word(server: Served, opened: Lexicon) -> None:
    known = {row["lexeme"] for row in opened.lexemes("*", subcorpus="2000")}
    lexeme = next(row["lexeme"] for row in opened.lexemes("*") if row["lexeme"] not in known)
    answer = server.get("/lexeme", x=lexeme, subcorpus="2000")
    assert (answer.status, "0 tokens in 2000" in answer.text) == (200, True)
    assert not Elements(answer.text).pieces
    assert not [each for each in Elements(answer.text).links if each.startswith("/concordance?")]


def test_counts_of_0_lead_nowhere(opened: Lexicon) -> None:
    first, more = pair_pieces.sketches(Asking(opened, LINKS, {"a": "dog/NOUN", "b": "cat/NOUN"})).content
    counts = [cell for table in (*first, *more) for row in table.rows for cell in (row[0], row[4])]
    assert {bool(each.href) for each in counts if each.text == "0"} == {False}
    assert {bool(each.href) for each in counts if each.text != "0"} == {True}


def test_going_back_asks_for_nothing_anew(server: Served) -> None:
    """A page and a piece have the tag of the copy; a style sheet whose address has its digest is kept for good."""
    for address in ("/lexeme?x=dog/NOUN", "/piece/lexeme/neighbours?x=dog/NOUN"):
        first = server.get(address)
        assert "no-store" not in first.headers["cache-control"]
        again = server.get(address, {"If-None-Match": first.headers["etag"]})
        assert (again.status, again.text) == (304, "")
    assert "etag" not in server.get("/lexeme?x=dgo/NOUN").headers
    page = server.get("/").text
    for name in ("style.css", "script.js"):
        address = page.partition(f'"/static/{name}?')[2].partition('"')[0]
        assert "immutable" in server.get(f"/static/{name}?{address}").headers["cache-control"]
        assert "immutable" not in server.get(f"/static/{name}?v=0").headers["cache-control"]


def test_answers_are_compressed(server: Served) -> None:
    packed, plain = (server.raw("/lexeme?x=dog/NOUN", each) for each in ({"Accept-Encoding": "gzip"}, {}))
    assert gzip.decompress(packed) == plain
    assert len(packed) < len(plain) / 3


def test_an_address_of_80_000_letters_gets_a_page(server: Served) -> None:
    for _ in range(5):
        answer = server.get("/search", q="x" * 80_000)
        assert (answer.status, "it may have 4,000" in answer.text) == (400, True)


def test_a_fault_of_ours_is_told_on_one_line(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "home", lambda *_: 1 / 0)
    answer = server.get("/")
    assert (answer.status, "a fault of aptdb" in answer.text) == (500, True)
    while not server.said:
        time.sleep(0.01)
    (said,) = server.said
    server.said.clear()
    assert said.startswith("/: ZeroDivisionError: division by zero (test_explorer.py, line ")


# What a page shows is what the lexicon answers


def pieces_of_all(lexicon: Lexicon) -> list[Piece]:
    """A piece of each kind."""
    given: dict[str, list[dict[str, str]]] = {
        "lexeme": [{"x": "dog/NOUN"}, {"x": "dog/NOUN", "subcorpus": "2000"}],
        "phrase": [{"x": PHRASE}, {"x": PHRASE, "merge": "min", "subcorpus": "2000"}],
        "compare": [{"a": "dog/NOUN", "b": "cat/NOUN"}, {"a": "dog/NOUN", "subcorpus": "1990", "subcorpus_b": "2000"}],
        "sentence": [{"number": "1"}],
    }
    found = [
        make(Asking(lexicon, LINKS, each))
        for kind, several in given.items()
        for each in several
        for name, make in KINDS[kind].pieces.items()
        if name not in ("subcorpora", "senses")  # the latter need a space
    ]
    found.append(
        KINDS["compare"].pieces["subcorpora"](Asking(lexicon, LINKS, {"subcorpus": "1990", "subcorpus_b": "2000"}))
    )
    found.append(KINDS["compare"].pieces["subcorpora"](Asking(lexicon, LINKS, {"subcorpus": "1990"})))
    queries = [{"q": "dog", "sort": "before", "sample": "3"}, {"q": "d*"}, {"q": '[upos="ADJ"] [lemma="dog"]'}]
    queries += [{"path": ">amod", "context": "big/ADJ", "sort": "before"}, {"q": "dog/NOUN", "sort": "best"}]
    for query in queries:
        found += pieces(make_concordance_page(Asking(lexicon, LINKS, query)))
    for text in ("dog", "do"):
        found += pieces(home.find_similar_spellings(Asking(lexicon, LINKS, {}), text))
    for query in ({}, {"has": "do"}):
        found += [make(Asking(lexicon, LINKS, query)) for make in KINDS["words"].pieces.values()]
    return [*found, *pieces(home.home(lexicon, LINKS, "zoo"))]


def pieces(page: Page) -> list[Piece]:
    """The pieces of a page that are made."""
    return [each for each in page.pieces if isinstance(each, Piece)]


def test_what_is_typical_is_more_frequent(opened: Lexicon) -> None:
    """Each table says of which subcorpus: no row is more frequent in the other, though its answer has such rows."""
    piece = KINDS["compare"].pieces["subcorpora"](Asking(opened, LINKS, {"subcorpus": "1990", "subcorpus_b": "2000"}))
    for table, (own, other) in zip(piece.content, (("1990", "2000"), ("2000", "1990")), strict=True):
        answer = opened.keyness(own, other, overlap="difference", top=50)
        assert table.caption == f"More frequent in {own} than in {other}"
        positive = [row["lexeme"] for row in answer if row["per_million_a"] > row["per_million_b"]]
        assert [row[0].text for row in table.rows] == positive
        assert len(positive) < len(answer)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:no lexeme:aptdb.NoMatchWarning")  # of a word that only others begin with
def test_how_to_ask_this(opened: Lexicon, zoo: Path, tmp_path: Path) -> None:
    """Each command, SELECT and call that a page shows runs, and all three tell the same."""
    questions = {each.call(): each for piece in pieces_of_all(opened) for each in piece.asked}
    methods = {each.method for each in questions.values()}
    assert methods >= {"sketch", "plot.apt", "neighbours", "evidence", "contextualise", "explain", "keyness", "trend"}
    same = copied(zoo, tmp_path / "same.duckdb")  # this process has the other open in another way
    with closing(duckdb.connect(str(same), read_only=True)) as client:
        for each in questions.values():
            program, *words = shlex.split(each.in_shell(str(zoo)))
            assert program == "aptdb"
            in_shell = ask(*words)
            assert in_shell.exit_code == 0, (words, in_shell.output)
            rows = client.execute(each.in_sql()).fetchall() if each.has_sql else []
            names = [column[0] for column in client.description or ()]
            in_python = as_pasted(each, zoo)
            if each.method == "plot.apt":
                assert rows
                assert str(in_python) in in_shell.output
            elif each.method == "corpora":  # which tells times and files besides
                assert [(row["name"], row["sentences"], row["tokens"]) for row in in_python] == rows
            elif each.method not in ("info", "stored.subcorpora", "compositionality"):
                assert {*names} - {*in_python.columns} <= {*SHARES}, each  # left out where there is no alternative
                both = [name for name in names if name in in_python.columns]
                expected = [tuple(dict(zip(names, row, strict=True))[name] for name in both) for row in rows]
                assert [tuple(row[name] for name in both) for row in in_python] == expected, each
                assert len(in_shell.stdout.splitlines()) == 1 + len(rows), each


def as_pasted(asked: Asked, zoo: Path) -> Any:
    """What the Python of a page gives where nothing is open yet."""
    *before, last = asked.in_python(str(zoo)).splitlines()
    names: dict[str, Any] = {}
    exec("\n".join(before), names)
    with closing(names["lexicon"]):
        return eval(last, names)


def test_python_can_be_pasted(zoo: Path) -> None:
    asked = Asked("similarity", ("dog/NOUN", "cat/NOUN"))
    with Lexicon.open(zoo) as lexicon:
        assert as_pasted(asked, zoo) == lexicon.similarity("dog/NOUN", "cat/NOUN")


def texts(table: Table) -> list[list[str]]:
    """The texts of a table."""
    return [[each.text for each in row] for row in table.rows]


def test_a_sketch(opened: Lexicon) -> None:
    first, more = word_pieces.make_sketch_piece(Asking(opened, LINKS, {"x": "dog/NOUN"})).content
    shown = [(row[0], row[1]) for table in (*first, *more) for row in texts(table)]
    assert shown == [(row["context"], f"{row['count']:,}") for row in opened.sketch("dog/NOUN")]
    cell = first[0].rows[0][1]
    given = {name: value for name, (value,) in parse_qs(urlsplit(cell.href).query).items()}
    assert len(opened.evidence(given["q"], given["path"], given["context"])) == int(cell.text)


def test_chance_does_not_order_a_sketch(opened: Lexicon) -> None:
    """Where most rows of a relation would be met once, the least count is 2, if enough is left; bars have one scale."""
    rows = [(">amod", "amod", f"a{each}", count, 9.0 - each) for each, count in enumerate([3, 1, 1, 1, 1, 1, 1])]
    columns = ("path", "relation", "context", "count", "score")
    found = Result(columns, ("VARCHAR",) * 5, rows)
    assert word_pieces.has_block_of_ones(found)
    assert not word_pieces.has_block_of_ones(found[:5])
    other = Result(columns, found.types, [*rows, ("<obj", "verbs", "b", 2, 4.5)])
    question = Asked("sketch", ("dog/NOUN",), {})
    (first, second), _ = word_pieces.sketched(Asking(opened, LINKS, {}), question, other, []).content
    assert (first.rows[0][2].share, second.rows[0][2].share) == (1, 0.5)


def test_good_examples(server: Served, opened: Lexicon) -> None:
    """They are those of evidence, with the keyword marked, a source to cite, and the page of the sentence."""
    lines = word_pieces.make_evidence_piece(Asking(opened, LINKS, {"x": "dog/NOUN"})).content
    found = opened.evidence("dog/NOUN", best=True, sample=word_pieces.DRAWN, top=word_pieces.LINES)
    assert ["".join(text for text, _ in each.words) for each in lines] == [
        re.sub(r"[][{}]", "", row["text"]) for row in found
    ]
    assert {each.reference.rpartition(", ")[2] for each in lines} == {row["corpus"] for row in found}
    assert [each.words for each in lines if "keyword" not in [kind for _, kind in each.words]] == []
    assert server.get(lines[0].href).status == 200
    marked = [("a [b] ", ""), ("c", "context"), (" ", ""), ("d", "keyword")]
    assert word_pieces.mark_sentence("a [b] {c} [d]", "a [b] c d") == marked


def test_a_sparkline(server: Served, opened: Lexicon) -> None:
    """It has a bar for each year with the word, the greatest as high as the picture."""
    drawn = server.get("/lexeme/sparkline.svg?x=dog/NOUN")
    assert (drawn.status, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert drawn.text.count("v-") == len([row for row in opened.counts_by("dog/NOUN", by="year") if row["count"]])
    assert "v-24.0" in drawn.text


@pytest.mark.parametrize("address", ["/lexeme/trend.svg?x=dog/NOUN", *thorough(["/lexeme/drawing.svg?x=dog/NOUN"])])
def test_pictures_are_files(server: Served, address: str) -> None:
    """Each stands below its picture, and has its colours; the pictures of pages have no style of their own."""
    drawn = server.get(address)
    assert (drawn.status, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert ET.fromstring(drawn.text).find("{*}style") is not None
    page = server.get(f"/piece{address.replace('.svg', '')}").text
    assert address.replace("dog/", "dog%2F") in page
    assert "<svg" in page
    assert "<style" not in page


def test_the_clipboard_is_filled_by_the_browser(server: Served) -> None:
    assert server.get("/clipboard").status == 200


@pytest.mark.thorough
def test_numbers_lead_to_as_many_sentences(server: Served, opened: Lexicon) -> None:
    """Behind each count of a sketch, of each subcorpus, are so many sentences."""
    for given in ({"x": "dog/NOUN"}, {"x": "dog/NOUN", "subcorpus": "2000"}):
        first, more = word_pieces.make_sketch_piece(Asking(opened, LINKS, given)).content
        for table in (*first, *more):
            for _, count, _ in table.rows:
                assert f">{how_many(count.value, 'hit')}</" in server.get(count.href).text


@pytest.mark.thorough
def test_numbers_of_kinds_of_text_lead_to_as_many_sentences(server: Served, opened: Lexicon) -> None:
    """By metadata, by corpus, and within a subcorpus."""
    table = page_plots.make_places_piece(Asking(opened, LINKS, {"x": "dog/NOUN", "by": "year"})).content
    assert [row[0].text for row in table.rows] == ["1990", "2000"]
    for by, subcorpus in (("year", ""), ("corpus", ""), ("year", "1990")):
        asking = Asking(opened, LINKS, {"x": "dog/NOUN", "by": by, "subcorpus": subcorpus})
        for _, count, *_ in page_plots.make_places_piece(asking).content.rows:
            if count.href:
                assert how_many(int(count.text), "hit") in server.get(count.href).text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            ("century(year)", -277.65, 0.6, 0.002, 0.833),
            "No clear change (growth +0.2 % per century, p = 0.83, quasi-Poisson). Where each period weighs alike: "
            "-277.65 per million per century (Theil–Sen; Mann–Kendall p = 0.60).",
        ),
        (("year", None, None, -0.125, 0.0001), "It falls (-12 % per year, p < 0.001, quasi-Poisson)."),
        (("age", None, None, 12.0, 0.03), "It rises (+1,200 % per unit of age, p = 0.030, quasi-Poisson)."),
        (("dateCreated", 0.5, 0.3, None, None),
         "Where each period weighs alike: +0.50 per million per year (Theil–Sen; Mann–Kendall p = 0.30)."),
    ],
)  # fmt: skip
def test_a_trend_in_words(given: tuple[Any, ...], said: str) -> None:
    by, *numbers = given
    row = dict(zip(("slope", "p_value", "growth", "growth_p"), numbers, strict=True))
    assert page_plots.describe_trend(row, page_plots.name_unit_of_time(by)) == said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a" * 60, "a" * 60),
        ("a" * 61, f"{'a' * 60}…"),
        ("犬" * 30, "犬" * 30),
        (f"a{'犬' * 30}", f"a{'犬' * 29}…"),
        ("", ""),
    ],
)
def test_what_stands_beside_a_keyword(text: str, shown: str) -> None:
    assert word_pieces.cut_after(text) == shown
    assert word_pieces.cut_before(text[::-1]) == shown[::-1]


def test_neighbours_are_those_of_the_lexicon(opened: Lexicon) -> None:
    table = word_pieces.make_near_piece(Asking(opened, LINKS, {"x": "dog/NOUN"})).content
    found = opened.neighbours("dog/NOUN", top=20, frequencies=True)
    assert texts(table) == [[a, f"{b:,.4f}", f"{c:,}"] for a, b, c in found.rows]


@pytest.mark.thorough
@pytest.mark.parametrize("merge", [None, "min"])
def test_neighbours_of_words_are_those_in_context(opened: Lexicon, merge: str | None) -> None:
    asking = Asking(opened, LINKS, {"x": PHRASE}, how=How({"merge": merge} if merge else {}))
    tables = phrase_pieces.show_words(asking).content
    given: dict[str, Any] = {"top": 10} | ({"merge": merge} if merge else {})
    aligned, unaligned = (opened.contextualise(PHRASE, aligned=each, **given) for each in (True, False))
    for anchor, table in enumerate(tables, 1):
        for place, columns in ((0, ("alone", aligned)), (2, ("in_context", aligned)), (4, ("in_context", unaligned))):
            name, answer = columns
            expected = [row[name] for row in answer if row["anchor"] == anchor and row[name] is not None]
            assert [row[place] for row in texts(table) if row[place]] == expected


def test_a_comparison(opened: Lexicon) -> None:
    piece = pair_pieces.make_similarity_piece(Asking(opened, LINKS, {"a": "dog/NOUN", "b": "cat/NOUN"}))
    whole = opened.similarity("dog/NOUN", "cat/NOUN")
    assert piece.notes == [f"The similarity is {whole:,.4f}, the sum of what each shared context adds."]


@pytest.mark.thorough
def test_all_readers_get_the_same(zoo: Path) -> None:
    """Kept weights and neighbours that were found beforehand change no page."""
    pytest.importorskip("sparse_dot_topn")
    addresses = (
        "/piece/lexeme/neighbours?x=dog/NOUN",
        f"/piece/phrase/words?x={'big+dog'}",
        "/compare?a=dog/NOUN&b=cat/NOUN",
    )
    with served(zoo) as slow, served(zoo, quick=True) as quick:
        until = time.monotonic() + 60
        while not (quick.readers.copy_of_file.with_name("neighbours.parquet")).exists():
            assert time.monotonic() < until, quick.said
            time.sleep(0.1)
        for address in addresses:
            assert slow.get(address).text == quick.get(address).text
        assert quick.said == []


# SQL


@pytest.mark.thorough
def test_values_of_all_types(server: Served) -> None:
    """What they are made of is there before the query, because nothing can be imported while it runs."""
    values = ["0.10::DECIMAL(3, 2)", "uuid()", "now()", "current_date", "TIME '10:00'", "TIMETZ '10:00:00+01'"]
    values += ["INTERVAL 1 DAY", "'a'::BLOB", "[1.5]", "{'a': 1}", "MAP {'a': 1}", "1::HUGEINT", "'\"x\"'::JSON"]
    values += ["TIMESTAMP_NS '2000-01-01'", "'101'::BIT", "1::VARIANT", "TIMESTAMPTZ '2000-01-01 00:00:00 Europe/Rome'"]
    for each in values:
        found = server.get("/sql.json", q=f"SELECT {each} AS value")
        assert found.status == 200, (each, found.text[-600:])
        assert json.loads(found.text)[0]["value"] is not None


@pytest.mark.thorough
def test_spaces_in_sql(zoo: Path, tmp_path: Path) -> None:
    """The statements that they need are read before the query, because nothing can be read while it runs."""
    file = copied(zoo, tmp_path / "own.duckdb")
    with Lexicon.open(file) as lexicon:
        with pytest.warns(IncompleteDataWarning, match="with .* tokens a space"):
            lexicon.reduce("words", shift=1, min_frequency=1, min_feature_count=1)
        expected = lexicon.neighbours("dog/NOUN", space="words", top=1).rows[0][0]
    with served(file) as server:
        found = server.get("/sql.json", q="FROM neighbours('dog/NOUN', space := 'words', top := 1)")
        assert json.loads(found.text)[0]["lexeme"] == expected
        unknown = server.get("/sql.json", q="FROM neighbours('dog/NOUN', space := 'nope')")
        assert "no space nope; available: words" in unknown.text


@pytest.mark.thorough
def test_sql(server: Served) -> None:
    answer = server.get("/sql", q="SELECT lexeme, NULL AS nothing FROM lexemes WHERE lexeme = 'dog/NOUN'")
    assert answer.status == 200
    assert "/lexeme?x=dog%2FNOUN" in Elements(answer.text).links
    csv = server.get("/sql.csv", q="SELECT 'a,\"b' AS x, 2 AS y, NULL AS z")
    assert (csv.headers["content-type"], csv.text) == (
        "text/csv; charset=utf-8; header=present", 'x,y,z\r\n"a,""b",2,\r\n',
    )  # fmt: skip
    assert "attachment" in csv.headers["content-disposition"]
    found = server.get("/sql.json", q="SELECT 1 AS x, 0.5::DOUBLE AS x, NULL AS z, 'nan'::DOUBLE AS n, 0.10 AS d")
    assert json.loads(found.text) == [{"x": 1, "x (2)": 0.5, "z": None, "n": "nan", "d": "0.10"}]
    assert server.get("/sql.tsv", q="SELECT 1 AS x, 'a' AS y").text == "x\ty\r\n1\ta\r\n"


@pytest.mark.thorough
def test_a_map(server: Served, zoo: Path) -> None:
    """It has the places of `plot_map`, and says each similarity where the pointer is."""
    with Lexicon.open(zoo) as lexicon:
        near = lexicon.neighbours("cat/NOUN", top=ON_MAP)
        names = ["cat/NOUN", *near.column("lexeme")]
        places = [line.split("  ") for line in str(lexicon.plot.map(names)).splitlines()[:-1]]
    answer = server.get("/lexeme/map.json", x="cat/NOUN")
    found = json.loads(answer.text)
    assert [[row["lexeme"], f"{row['across']:.3f}", f"{row['up']:.3f}"] for row in found] == places
    page = server.get("/lexeme/map", x="cat/NOUN").text
    for row in near:
        assert f"{row['lexeme']}: similarity to cat/NOUN {row['similarity']:.4f}" in page
    refused = server.get("/lexeme/map", x="cat/NOUN", measure="weeds_recall").text
    assert "a map needs another measure" in refused


def test_where_text_is_written_from_the_right() -> None:
    """By what most lines begin with: digits and marks say nothing."""
    assert is_from_the_right(["בית", '"שלום', "1990", "dog"])
    assert not is_from_the_right(["dog", "שלום", "1 cat"])
    assert not is_from_the_right([])


@pytest.mark.thorough
def test_examples_of_the_sql_page(server: Served) -> None:
    found = [each for each in Elements(server.get("/sql").text).links if each.startswith("/sql?")]
    assert len(found) > 30
    for each in found[:4]:
        answer = server.get(each)
        assert answer.status == 200, answer.text


# The command


@pytest.mark.filterwarnings("ignore:.* which each corpus before has:aptdb.IncompleteDataWarning")
@pytest.mark.thorough
def test_serve_and_add(zoo: Path, tmp_path: Path) -> None:
    """The program serves a lexicon that grows meanwhile; it ends in order, and leaves nothing."""
    file = tmp_path / "zoo.duckdb"
    file.write_bytes(zoo.read_bytes())
    with subprocess.Popen([*PROGRAM, "serve", str(file), "--port", "0"], stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            said = running.stderr.readline()
            assert "is at http://127.0.0.1:" in said
            assert "for whoever has this address, on this machine; Ctrl-C stops it" in said
            port = int(said.split("127.0.0.1:")[1].split("/")[0])
            here = Served(port, None)  # type: ignore[arg-type]
            assert here.get("/").status == 401
            here.headers["Authorization"] = f"Bearer {said.split('token=')[1].split()[0]}"
            assert here.get("/lexeme", x="dog/NOUN").status == 200
            with Lexicon.open(file) as lexicon:
                lexicon.add(io.BytesIO(conllu(ANIMALS).encode()), name="third")
            until = time.monotonic() + 60
            while "third" not in here.get("/").text:
                assert time.monotonic() < until
                time.sleep(0.2)
        finally:
            running.terminate()
            rest = running.communicate(timeout=60)[1]
    assert (running.returncode, rest) == (0, "")
    assert not [each for each in tmp_path.iterdir() if each != file]
    assert beside(file) == set()


def test_a_port_that_is_taken(zoo: Path, server: Served) -> None:
    answer = ask("serve", zoo, "--port", str(server.port))
    assert (answer.exit_code, answer.stderr.count("\n")) == (1, 1)
    assert f"port {server.port} cannot be used: Address already in use; choose another with --port" in answer.stderr


@pytest.mark.parametrize("is_site", [False, True])
def test_without_the_libraries(zoo: Path, is_site: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    more = ["--site", str(tmp_path / "pages")] if is_site else []
    answer = ask("serve", zoo, *more)
    assert (answer.exit_code, answer.stderr) == (
        1, "aptdb: pages need jinja2; install it with: pip install 'aptdb[web]'\n",
    )  # fmt: skip


@pytest.mark.thorough
def test_without_the_libraries_in_a_process_of_its_own(zoo: Path, tmp_path: Path) -> None:
    """Nothing that needs them is imported before the message."""
    code = "import sys; sys.modules['jinja2'] = None; from aptdb.__main__ import run; run()"
    for command in (["serve", str(zoo)], ["serve", str(zoo), "--site", str(tmp_path / "pages")]):
        ended = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stderr) == (
            1, "aptdb: pages need jinja2; install it with: pip install 'aptdb[web]'\n",
        )  # fmt: skip


def test_an_option_is_spelt_as_the_command_has_it() -> None:
    assert Asked("neighbours", ("x/NOUN",), {"aligned": False}).in_shell("a b.duckdb") == (
        "aptdb neighbours 'a b.duckdb' x/NOUN --set aligned=false"
    )
    assert Asked("sketch", ("-/PUNCT",), {"top": 3}).in_shell("l") == "aptdb sketch --top 3 -- l -/PUNCT"
    assert (
        Asked("evidence", (None, "", "x/NOUN"), {"best": True}).in_shell("l")
        == "aptdb evidence l '*' 'ε' x/NOUN --best"
    )


@pytest.mark.thorough
@pytest.mark.filterwarnings(
    "ignore:with .* tokens a space:aptdb.IncompleteDataWarning",
    "ignore:.* (too few for|have no sense):aptdb.IncompleteDataWarning",
)
def test_senses_where_there_is_a_space(zoo: Path, tmp_path: Path) -> None:
    file = copied(zoo, tmp_path / "own.duckdb")
    page = KINDS["lexeme"]
    with Lexicon.open(file) as lexicon:
        assert "senses" not in [each.name for each in page.head(Asking(lexicon, LINKS, {"x": "dog/NOUN"})).pieces]
        with pytest.raises(QuestionError, match="none is stored; make one by: aptdb reduce"):
            word_pieces.make_senses_piece(Asking(lexicon, LINKS, {"x": "dog/NOUN"}))
        lexicon.reduce("words", shift=1, min_frequency=1, min_feature_count=1)
        assert "senses" in [each.name for each in page.head(Asking(lexicon, LINKS, {"x": "dog/NOUN"})).pieces]
        found = KINDS["lexeme"].pieces["senses"](Asking(lexicon, LINKS, {"x": "dog/NOUN", "groups": "4"}))
        with pytest.raises(QuestionError, match="groups is many; expected 1 to 20"):
            KINDS["lexeme"].pieces["senses"](Asking(lexicon, LINKS, {"x": "dog/NOUN", "groups": "many"}))
        senses = lexicon.senses("dog/NOUN", top=word_pieces.OF_SENSE)
        assert not any(table.href for _, table in found.content)
        lexicon.save_senses("dog/NOUN")
        kept = KINDS["lexeme"].pieces["senses"](Asking(lexicon, LINKS, {"x": "dog/NOUN"}))
        first = kept.content[0][1]
        page_of_senses = Renderer(LINKS, "zoo", "zoo.duckdb").piece(kept)
        assert f'<h3><a href="{first.href}"' in page_of_senses
        assert first.href == "/concordance?q=dog%2FNOUN%231"
        assert home.found_at(lexicon, LINKS, "dog/NOUN#1") == first.href
        usual = Asking(lexicon, LINKS, {"x": "dog/NOUN"}, how=How({"space": "words"}))
        assert page.pieces["senses"](usual).content[0][1].href == first.href  # the usual space does not hide them
        hits = make_concordance_page(Asking(lexicon, LINKS, {"q": "dog/NOUN#1"})).facts
        assert [cell.text for cell in hits][::2] == [how_many(senses.rows[0][1], "hit"), "dog/NOUN"]
        with pytest.raises(QuestionError, match="no lexeme dog/NOUN#20; did you mean dog/NOUN#1"):
            make_concordance_page(Asking(lexicon, LINKS, {"q": "dog/NOUN#20"}))
    assert [(each.number, table.caption) for each, table in found.content] == [
        (number, f"{share:.0%}, {how_many(times, 'occurrence')}") for number, times, share, *_ in senses.rows
    ]
    near = [row[2].text for row in found.content[0][1].rows]
    assert ", ".join(near).rstrip(", ") == senses.rows[0][4]


def test_a_pattern_is_not_compared(server: Served) -> None:
    """Its concordance is offered in place of a comparison."""
    page = server.get("/compare", a="dog/NOUN", b="VERB[nsubj NOUN]")
    assert (page.status, "Compare takes words and phrases" in page.text) == (200, True)
    assert "/concordance?q=VERB%5Bnsubj+NOUN%5D" in page.text


@pytest.mark.thorough
def test_a_phrase_where_it_occurs(opened: Lexicon) -> None:
    found = phrase_pieces.make_observed_piece(Asking(opened, LINKS, {"x": PHRASE}))
    row = opened.compositionality([PHRASE])[0]
    assert (found.notes, row["occurrences"]) == ([phrase_pieces.OUTSIDE], len(opened.evidence(PHRASE)))
    similarities = [None if row[name] is None else f"{row[name]:.4f}" for name in ("composed", "head", "dependent")]
    assert [text or None for _, text in texts(found.content)] == similarities


@pytest.mark.thorough
def test_several_words_over_time(server: Served) -> None:
    """One line for each, with the interval of each value in the table; too many are refused."""
    page = server.get("/trend", q="dog/NOUN\ncat/NOUN\nVERB[nsubj NOUN]").text
    assert page.count("<polyline") == page.count("<polygon") == 3
    rows = [each.split("\t") for each in server.get("/trend/trend.tsv", q="dog/NOUN\ncat/NOUN").text.splitlines()]
    assert rows[0] == ["year", "of", "count", "tokens", "per million", "at least", "at most"]
    assert all(float(row[5]) <= float(row[4]) <= float(row[6]) for row in rows[1:])
    assert server.get("/trend", q="\n".join("abcdefg")).status == 400


@pytest.mark.parametrize("phrase", ["VERB[nsubj NOUN]", *thorough(["dog/NOUN", "big/ADJ", "cat/NOUN[amod big/ADJ]"])])
@pytest.mark.parametrize("other", [*thorough([None]), "2000"])
def test_how_typical_a_pattern_is(opened: Lexicon, phrase: str, other: str | None) -> None:
    """Its numbers are those of keyness, with the sides exchanged where it is more frequent in the other."""
    given = {"subcorpus": "1990", "phrase": phrase} | ({"subcorpus_b": other} if other else {})
    piece = pair_pieces.key_lexemes(Asking(opened, LINKS, given))
    more: dict[str, Any] = {"overlap": "difference"} if other else {}
    (row,) = opened.phrase_keyness([phrase], "1990", other, **more)
    sides = "ba" if row["per_million_a"] < row["per_million_b"] else "ab"
    shown = [cells[:5] for table in piece.content for cells in table.rows]
    expected = [row[f"{name}_{side}"] for name in ("count", "per_million") for side in sides]
    assert [[cell.value for cell in cells[1:]] for cells in shown] == [expected] * (row["g2"] > 0)
    (question,) = piece.asked
    assert question.in_shell("l") == shlex.join(
        ["aptdb", "keyness", "l", "1990", *filter(None, [other]), "--phrase", phrase]
        + (["--overlap", "difference"] if other else [])
    )
    assert opened.sql(question.in_sql())[0]["g2"] == row["g2"]


@pytest.mark.parametrize(
    ("x", "against"), [("dog/NOUN", "cat/NOUN"), *thorough([("VERB[nsubj NOUN]", "VERB[obj NOUN]")])]
)
def test_shares_over_time(opened: Lexicon, x: str, against: str) -> None:
    """They are those of trend with an alternative, as are the command and the SQL that the page shows."""
    piece = page_plots.make_times_piece(Asking(opened, LINKS, {"q": x, "against": against}))
    found = opened.trend(x, against=against)
    names = ("count", "other_count", "share", "share_low", "share_high")
    assert [[cell.value for cell in row[1:]] for row in piece.content[1].rows] == [
        [row[name] for name in names] for row in found if row["share"] is not None
    ]
    (question,) = piece.asked
    assert opened.sql(question.in_sql()).column("share") == found.column("share")
    assert question.in_shell("l").endswith(f"--against {shlex.quote(against)}")


def test_a_comparison_is_swapped(server: Served) -> None:
    page = server.get("/compare?a=dog/NOUN&b=cat/NOUN&subcorpus=1990&subcorpus_b=2000").text
    href = html.unescape(page.partition('">Swap A and B')[0].rpartition('href="')[2])
    assert parse_qs(href.partition("?")[2]) == {
        "a": ["cat/NOUN"], "b": ["dog/NOUN"], "subcorpus": ["2000"], "subcorpus_b": ["1990"],
    }  # fmt: skip
