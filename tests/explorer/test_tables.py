"""Tables of pages: sorted, filtered, longer, as files, by links alone; and the settings of a page."""

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from aptdb import Lexicon, QuestionError
from aptdb.explorer.content import Cell, Links, Piece, Table, count_cell, figure, shares
from aptdb.explorer.lookups import look_up_tag
from aptdb.explorer.page_settings import SETTINGS, choices, read_table_view
from aptdb.explorer.rendering import meaning, meanings
from aptdb.explorer.table_tools import arranged, as_file
from support.runs import examples
from support.served import Elements, Served
from twins.shown_tables import Row, shown

DOG = "dog/NOUN"
KB = 1024


def test_parts_of_speech_are_offered_the_most_frequent_first(zoo: Path) -> None:
    with Lexicon.open(zoo) as lexicon:
        counted = lexicon.sql("SELECT pos FROM lexemes GROUP BY pos ORDER BY sum(frequency) DESC, pos").column("pos")
        assert look_up_tag(lexicon, "noun") == counted[0] == "NOUN"
        with pytest.raises(QuestionError, match=f"no part of speech XX; available: {', '.join(counted)}$"):
            look_up_tag(lexicon, "XX")


lexemes = st.builds("{}/{}".format, st.text("abAB", min_size=1, max_size=3), st.sampled_from(["NOUN", "VERB"]))
rows = st.lists(st.tuples(lexemes, st.integers(0, 5), st.floats(-2, 2)), max_size=12)


@given(
    rows,
    st.sampled_from(["", "lexeme", "-lexeme", "count", "-count", "score", "-score"]),
    st.sampled_from(["", "a", "B", "b/n"]),
    st.sampled_from(["", "NOUN", "ADJ"]),
    st.integers(1, 3),
    st.integers(1, 8),
)
@examples(100)
def test_rows_are_those_of_the_twin(rows: list[Row], sort: str, has: str, pos: str, least: int, top: int) -> None:
    """As they are shown, and as they stand in a file."""
    cells = [(Cell(x, is_lexeme=True), count_cell(count, "/"), figure(score)) for x, count, score in rows]
    table = Table((("lexeme", False), ("count", True), ("score", True)), cells)
    address = {"x": DOG, "n.sort": sort, "n.has": has, "n.pos": pos, "n.least": str(least), "n.top": str(top)}
    piece = arranged(Piece("table", "N", table, name="n"), "lexeme", Links(), address, read_table_view("n", address))
    expected = [list(row) for row in shown(rows, sort, has, pos, least, top)]
    assert [[row[0].text, row[1].value, row[2].value] for row in piece.content.rows] == expected
    assert [[*each.values()] for each in json.loads(as_file(piece, "json"))] == expected


@pytest.mark.parametrize("values", [[3.0, 1.0, 2.0], [5.0], [0.0, 0.0], [None, 2.0, -4.0], []])
def test_bars_begin_at_zero(values: list[float | None]) -> None:
    lengths = [each for each in shares(values) if each is not None]
    assert all(0 < each <= 1 for each in lengths)
    assert not lengths or max(lengths) == 1
    assert shares([1.0, 2.0]) == [0.5, 1]
    assert shares([1.0, -2.0, None], 4) == [0.25, 0.5, None]


def rows_of(server: Served, address: str) -> list[list[str]]:
    """The rows of a file of a page."""
    return [*csv.reader(io.StringIO(server.get(address).text))]


@pytest.mark.thorough
def test_every_link_of_a_table_is_a_page(server: Served) -> None:
    """By links alone: columns that sort, more rows, one relation, three kinds of file; each keeps the others' state."""
    page = server.get("/lexeme/sketch?x=dog/NOUN&neighbours.top=5&sketch.sort=-count&weights=lmi")
    links = {each for each in Elements(page.text).links if each.startswith("/lexeme/sketch")}
    kinds = {tuple(name for name in parse_qs(urlsplit(each).query) if name.startswith("sketch.")) for each in links}
    assert kinds >= {("sketch.sort",), ("sketch.sort", "sketch.only", "sketch.top")}
    assert {urlsplit(each).path for each in links} == {
        "/lexeme/sketch",
        *(f"/lexeme/sketch.{f}" for f in ("csv", "tsv", "json")),
    }
    for each in links:
        named = parse_qs(urlsplit(each).query)
        assert (named["neighbours.top"], named["weights"]) == (["5"], ["lmi"])
        assert server.get(each).status == 200, each
    assert 'aria-sort="descending"' in page.text


def test_a_relation_alone_has_more_rows(server: Served, zoo: Path) -> None:
    with Lexicon.open(zoo) as lexicon:
        path = lexicon.sketch(DOG)[0]["path"]
        expected = [
            [row["relation"], path, row["context"], str(row["count"])]
            for row in lexicon.sketch(DOG, relations=[path], top=50)
        ]
    found = rows_of(server, f"/lexeme/sketch.csv?x=dog/NOUN&sketch.only={path.replace('>', '%3E')}&sketch.top=50")
    assert found[0] == ["relation", "path", "collocate", "count", "score"]
    assert [row[:4] for row in found[1:]] == expected


def test_settings_reach_every_answer(server: Served, zoo: Path) -> None:
    """What an address sets is what is asked, and links hand it on."""
    given = "weights=ppmi&shift=2&counts=direct&measure=lin"
    with Lexicon.open(zoo) as lexicon:
        expected = lexicon.neighbours("cat/NOUN", top=20, weights="ppmi", shift=2, counts="direct", measure="lin")
    found = rows_of(server, f"/lexeme/neighbours.csv?x=cat/NOUN&{given}")
    assert [[row[0], float(row[1])] for row in found[1:]] == [list(row) for row in expected.rows]
    page = server.get(f"/lexeme?x=dog/NOUN&{given}&score=lmi").text
    assert "Set here: weights by ppmi, shifted by ln 2, similarity by lin, direct counts, sketches by lmi." in page
    links = [each for each in Elements(page).links if each.startswith("/lexeme?") and "cat" in each]
    assert links
    assert all("weights=ppmi" in each and "shift=2" in each for each in links)
    assert "all as by default" in server.get("/lexeme?x=dog/NOUN").text


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("", {"top": 50}),
        ("&list.pos=VERB&list.top=3", {"pos": "VERB", "top": 3}),
        ("&list.least=2&subcorpus=2000", {"min_frequency": 2, "top": 50, "subcorpus": "2000"}),
        ("&list.has=c*", {"pattern": "c*", "top": 50}),
        ("&list.has=at", {"pattern": "*at*", "top": 50}),
    ],
)
def test_the_word_list(server: Served, zoo: Path, given: str, asked: dict[str, Any]) -> None:
    with Lexicon.open(zoo) as lexicon:
        pattern = asked.pop("pattern", "*")
        expected = [[row["lexeme"], str(row["frequency"])] for row in lexicon.lexemes(pattern, **asked)]
    assert expected
    assert rows_of(server, f"/words/list.csv?{given.removeprefix('&')}")[1:] == expected
    page = server.get(f"/words?{given.removeprefix('&')}")
    assert (page.status, "in the subcorpus 2000" in page.text) == (200, "subcorpus" in asked)


def test_nothing_passes_a_filter(server: Served) -> None:
    answer = server.get("/lexeme/neighbours?x=dog/NOUN&neighbours.has=zzz")
    assert (answer.status, "No row passes this filter." in answer.text) == (200, True)
    assert "/lexeme/neighbours?x=dog%2FNOUN" in Elements(answer.text).links


def test_the_glossary_explains_what_pages_show(server: Served, zoo: Path) -> None:
    """Each column that pages have, each setting, and each of their values has a meaning, or is one of these."""
    with Lexicon.open(zoo) as lexicon:
        settings = [each for page in SETTINGS for each in choices(lexicon, page, {})]
    names = {each.name for each in settings} | {
        value for each in settings if each.name != "counts" for value in each.values
    }
    assert {each for each in names if not meaning(each)} == set()
    assert len(meanings()) > 40
    page = server.get("/lexeme?x=dog/NOUN").text
    assert f'title="{meaning("score")}"' in page


@pytest.mark.thorough
def test_a_page_of_a_word_is_small(server: Served) -> None:
    """Over the wire, with all its pieces, style and script: 120 KB at most, also for the word with the most."""
    page = server.raw("/lexeme?x=dog/NOUN", {"Accept-Encoding": "gzip"})
    found = Elements(gzip.decompress(page).decode())
    sizes = [
        len(server.raw(each, {"Accept-Encoding": "gzip"}))
        for each in [*found.pieces, "/static/style.css", "/static/script.js"]
    ]
    assert len(page) + sum(sizes) <= 60 * KB  # of a small lexicon: half


def test_one_part_of_speech_stands_once() -> None:
    def table(*texts: str) -> Table:
        rows: list[Any] = [(Cell(each, is_lexeme=True), count_cell(1, "")) for each in texts]
        return Table((("lexeme", False), ("count", True)), rows)

    assert table("a/NOUN", "b/NOUN").tags() == ["NOUN", ""]
    assert table("a/NOUN", "b/VERB").tags() == ["", ""]
    assert table("a/NOUN").tags() == ["", ""]
    assert table("a", "b").tags() == ["", ""]


def test_files_have_all_rows_and_tags_any_letters(server: Served) -> None:
    """Unless the address names a number of rows; a part of speech that there is none of is refused."""
    whole = server.get("/words/list.tsv").text.splitlines()
    assert server.get("/words/list.tsv?list.top=2").text.splitlines() == whole[:3]
    page = server.get("/words?list.top=2").text
    assert "All rows, up to 100,000 a table" in page
    assert 'href="/words/list.tsv"' in page
    assert 'data-copy="/words/list.tsv?list.top=2"' in page
    small, capital = (server.get(f"/words/list.tsv?list.pos={each}").text for each in ("noun", "NOUN"))
    assert small == capital
    assert small.count("/NOUN") > 0
    refused = server.get("/piece/words/list?list.pos=nuon")
    assert (refused.status, "no part of speech nuon; available: NOUN, " in refused.text) == (400, True)


def test_tables_are_paged_through(server: Served) -> None:
    """Each page has the rows after those of the one before; the first leads to the next, which leads back."""
    whole = [each.split("\t")[0] for each in server.get("/words/list.tsv").text.splitlines()[1:]]
    first, second = (server.get(f"/words/list?list.top=5&list.page={n}").text for n in (1, 2))
    assert "Next 5</a>" in first
    assert "5 before</a>" not in first
    assert "5 before</a>" in second
    table = second[second.index("<tbody") : second.index("</tbody")]
    assert [each for each in whole[:12] if f">{each.rpartition('/')[0]}<" in table] == whole[5:10]
    assert server.get("/words/list?list.page=x").status == 400
