"""Documents chosen by their metadata in the browser, and subcorpora that are kept from there."""

from pathlib import Path
from urllib.parse import urlencode

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from aptdb import Lexicon
from aptdb.core.errors import QuestionError
from aptdb.explorer.content import Asking, Links
from aptdb.explorer.serve import Door, serve
from aptdb.explorer.sql_box import SqlLimits
from aptdb.explorer.subcorpus_pages import MISSING, find_chosen, make_subcorpora_page, write_chosen
from aptdb.store.limits import limits
from support.animals import ANIMALS
from support.lexicons import copied, lexicon_of
from support.runs import thorough
from support.served import Served, served
from twins.trees import conllu

GENRES = ("news", "news", "news", "novel", "it's", "", "novel")  # of documents


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven documents, each with a title of its own, and six with a genre."""
    said = [
        f"# newdoc id = d{n}\n# meta::title = t{n}\n"
        + (f"# meta::genre = {genre}\n" if genre else "")
        + conllu(ANIMALS)
        for n, genre in enumerate(GENRES)
    ]
    return lexicon_of(tmp_path_factory.mktemp("zoo") / "zoo.duckdb", {"zoo": "".join(said).encode()})


def test_facets(opened: Lexicon) -> None:
    """A kind that each document has for itself is hidden; values are counted in what the other kinds choose."""
    page = make_subcorpora_page(Asking(opened, Links(), {}), [("genre", "news")], may_keep=False)
    ((kind, values, _),) = page.form["facets"]
    assert kind == "genre"
    assert [(link.text, number) for link, number in values] == [
        ("news", "3 documents"), ("novel", "2 documents"), ("it's", "1 document"), ("(none)", "1 document"),
    ]  # fmt: skip
    assert [link.is_here for link, _ in values] == [True, False, False, False]
    assert (values[0][0].href, values[1][0].href) == ("/subcorpora", "/subcorpora?genre=news&genre=novel")
    assert page.facts[0].text == "3 documents"


def test_many_numbers_are_chosen_by_their_ends(tmp_path: Path) -> None:
    """Each document has a year of its own; one has none."""
    years = [f"# newdoc id = d{n}\n# meta::year = {n}\n{conllu(ANIMALS)}" for n in (985, *range(1990, 2021))]
    none = f"# newdoc id = d0\n{conllu(ANIMALS)}"
    file = lexicon_of(tmp_path / "own.duckdb", {"years": "".join([*years, none]).encode()})
    with Lexicon.open(file) as lexicon:
        given = [("year.from", "1000"), ("year.to", "1991")]
        page = make_subcorpora_page(Asking(lexicon, Links(), {}), given, may_keep=False)
    assert page.form["facets"] == [("year", [], ("985", "2020"))]
    assert (page.form["where"], page.facts[0].text) == ('"year" >= 1000 AND "year" <= 1991', "2 documents")
    for chosen in ({"year.to": ["1991"], "genre": ["a"]}, {"day.from": ["2020-05-01"], "day.to": ["2021-05"]}):
        assert find_chosen(write_chosen(chosen) or "") == chosen


def test_chosen_values_are_a_condition(opened: Lexicon) -> None:
    assert write_chosen({"genre": ["it's", MISSING]}) == "(\"genre\" IN ('it''s') OR \"genre\" IS NULL)"
    for chosen in ({"genre": ["it's", MISSING], "corpus": ["zoo"]}, {"genre": ["a", "b"]}, {}):
        assert find_chosen(write_chosen(chosen) or "") == chosen
    assert find_chosen("genre = 'news'") == {}
    page = make_subcorpora_page(Asking(opened, Links(), {}), [("genre", "it's"), ("genre", MISSING)], may_keep=False)
    assert page.facts[0].text == "2 documents"


def test_a_concordance_of_what_is_chosen(server: Served) -> None:
    """What is chosen stands in the address, and holds for its lines, its counts and its files."""
    where = write_chosen({"genre": ["news", "novel"]})
    asked = urlencode({"q": "dog/NOUN", "where": where})
    whole, some = (
        server.get(f"/concordance.tsv?{each}").text.splitlines() for each in (urlencode({"q": "dog/NOUN"}), asked)
    )
    assert (len(whole) - 1) * 5 == (len(some) - 1) * 7
    counted = server.get(f"/concordance.tsv?{asked}&by=genre").text.splitlines()
    assert {each.split("\t")[0] for each in counted[1:]} == {"news", "novel"}
    refused = server.get(f"/concordance?{urlencode({'q': 'dog/NOUN', 'where': 'colour = 1'})}")
    assert (refused.status, "colour" in refused.text) == (400, True)


def test_a_server_that_only_reads(server: Served) -> None:
    page = server.get("/subcorpora?genre=news")
    assert (page.status, "--allow-subcorpora" in page.text, '<form class="fields" method' in page.text) == (
        200,
        True,
        False,
    )
    assert server.get("/subcorpora?genre=news", method="POST").status == 405
    assert server.get("/subcorpora?gnre=news").status == 400


@pytest.mark.thorough
def test_a_subcorpus_is_kept(zoo: Path, tmp_path: Path) -> None:
    """By whoever sends the form from here; not by another site."""
    file = copied(zoo, tmp_path / "own.duckdb")
    with served(file, may_keep=True) as running:
        there = "/subcorpora?genre=news&genre=novel"
        own = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
        other = running.post(there, "name=told", own | {"Sec-Fetch-Site": "cross-site"})
        assert other.status == 403
        assert running.post(there, "", own).status == 400
        kept = running.post(there, "name=told", own)
        assert (kept.status, "told is kept" in kept.text) == (200, True)
        assert running.post("/subcorpora?genre=it%27s", "name=told", own).status == 400
        with Lexicon.open(file) as lexicon:
            assert [row["subcorpus"] for row in lexicon.stored.subcorpora()] == ["told"]
        for body, said in (("delete=tld", "no subcorpus tld; expected told"), ("forget=told", "no field forget")):
            refused = running.post("/subcorpora", body, own)
            assert (refused.status, said in refused.text) == (400, True)
        assert running.post("/subcorpora", "delete=told", own | {"Sec-Fetch-Site": "cross-site"}).status == 403
        gone = running.post("/subcorpora", "delete=told", own)
        assert (gone.status, "told is deleted" in gone.text) == (200, True)
    with Lexicon.open(file) as lexicon:
        assert lexicon.stored.subcorpora().rows == []


@pytest.mark.parametrize("may_keep", [*thorough([False]), True])
def test_kept_subcorpora_are_listed(zoo: Path, tmp_path: Path, may_keep: bool) -> None:
    """With their sizes; there is a button to delete one where the server may write."""
    file = copied(zoo, tmp_path / "own.duckdb")
    with Lexicon.open(file) as lexicon:
        lexicon.subcorpus("told", "genre = 'novel'")
        (row,) = lexicon.stored.subcorpora()
    with served(file, may_keep=may_keep) as running:
        text = running.get("/subcorpora").text
    assert "".join(f'<td class="number">{row[each]:,}</td>' for each in ("sentences", "tokens")) in text
    assert ("<button>Delete told for good</button>" in text) is may_keep


def test_writing_needs_a_token(zoo: Path) -> None:
    with pytest.raises(QuestionError, match="leave out --no-token"):
        serve(zoo, Door(0, has_token=False, may_keep=True), limits(), SqlLimits(), quick=False, report=print)
