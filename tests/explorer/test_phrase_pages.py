"""The explorer: the page of a phrase, what the search box understands, the builder of patterns, and the first page."""

import re
from urllib.parse import quote

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from aptdb import Lexicon
from aptdb.explorer import phrase_pieces
from aptdb.explorer.content import Asking, Links
from support.served import Elements, Served

PHRASE = "dog/NOUN[amod big/ADJ]"
LINKS = Links()


@pytest.mark.parametrize("x", ["big dog", PHRASE])
def test_how_often_a_phrase_occurs_comes_first(server: Served, opened: Lexicon, x: str) -> None:
    """The heading is what was typed; then the number of hits, which is that of evidence, and sentences."""
    text, times = server.get("/phrase", x=x).text, len(opened.evidence(PHRASE))
    assert f"<bdi>{x}</bdi></h1>" in text
    assert f"/concordance?q={quote(PHRASE, safe='')}".replace("%20", "+") in Elements(text).links
    assert re.search(rf"It occurs {times} times</bdi></a>, .* per million", text)
    pieces = re.findall(r'<section id="(\w+)"', text)
    assert pieces == ["evidence", "neighbours", "words", "tree", "observed", "drawing"]


def test_a_phrase_that_does_not_occur(server: Served) -> None:
    text = server.get("/phrase", x="big cat").text
    assert "It does not occur in these texts" in text
    assert re.findall(r'<section id="(\w+)"', text) == ["neighbours", "words", "tree", "drawing"]


def test_what_alignment_changes_is_marked(opened: Lexicon) -> None:
    aligned, unaligned = phrase_pieces.make_phrase_neighbours_piece(Asking(opened, LINKS, {"x": PHRASE})).content
    names = [[row[0].text for row in each.rows] for each in (aligned, unaligned)]
    assert names == [opened.neighbours(PHRASE, top=15, aligned=each).column("lexeme") for each in (True, False)]
    assert phrase_pieces.mark_changes("abcd", "badx", "new") == ["↑1", "↓1", "new", "↓1"]
    assert phrase_pieces.mark_changes("badx", "abcd", "gone") == ["", "", "", "gone"]
    assert [row[0].mark for row in aligned.rows] == phrase_pieces.mark_changes(*names, "new")
