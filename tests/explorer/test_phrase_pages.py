"""The explorer: the page of a phrase, what the search box understands, the builder of patterns, and the first page."""

import html
import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from aptdb import Lexicon
from aptdb.explorer import home, lookups, phrase_pieces, word_pieces
from aptdb.explorer.content import Asking, Links
from support.animals import ANIMALS
from support.lexicons import lexicon_of
from support.served import Elements, Served
from twins.trees import Token, conllu

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
    assert re.findall(r'<section id="(\w+)"', text) == ["tree", "neighbours", "words", "drawing"]


def test_what_alignment_changes_is_marked(opened: Lexicon) -> None:
    aligned, unaligned = phrase_pieces.make_phrase_neighbours_piece(Asking(opened, LINKS, {"x": PHRASE})).content
    names = [[row[0].text for row in each.rows] for each in (aligned, unaligned)]
    assert names == [opened.neighbours(PHRASE, top=15, aligned=each).column("lexeme") for each in (True, False)]
    assert phrase_pieces.mark_changes("abcd", "badx", "new") == ["↑1", "↓1", "new", "↓1"]
    assert phrase_pieces.mark_changes("badx", "abcd", "gone") == ["", "", "", "gone"]
    assert [row[0].mark for row in aligned.rows] == phrase_pieces.mark_changes(names[0], names[1], "new")


def test_the_builder_shows_a_sentence(server: Served, opened: Lexicon) -> None:
    """It is a short one, or one with a word, or a given one; of each token it knows what a pattern can ask."""
    page = server.get("/construction").text
    assert '<form class="builder" action="/concordance"' in page
    assert not Elements(page).active
    for address, lemma in (("/construction?q=cat", "cat"), ("/construction?number=1", "")):
        text = server.get(address).text
        words = json.loads(html.unescape(re.search(r'data-words="([^"]+)"', text)[1]))  # type: ignore[index]
        assert [*range(len(words))] == [int(each) for each in re.findall(r'<g class="token" data-at="(\d+)"', text)]
        lemmas = [dict(each["keys"])["lemma"] for each in words]
        assert not lemma or lemma in lemmas
        arcs = [str(at) for at, each in enumerate(words) if each["head"] is not None]
        assert sorted(re.findall(r'<g class="arc" data-at="(\d+)"', text)) == sorted(arcs)
    tokens = opened.sql("FROM tokens WHERE sentence_number = 1 ORDER BY position")
    assert [dict(each["keys"])["form"] for each in words] == tokens.column("form")
    assert server.get("/construction", q="xyzzy").status == 404


def test_words_that_follow_are_completed_from_the_counts(opened: Lexicon) -> None:
    """A phrase goes on with words that its words meet; of one word, forms are offered with their lexeme."""
    found = [each["value"] for each in home.completed(opened, "", "big d")]
    assert found[0] == "big dog"
    met = opened.sql("SELECT count(*) AS n FROM cooccurrences WHERE lexeme = 'dog/NOUN' AND context = 'big/ADJ'")
    assert met[0]["n"]
    assert [each["value"] for each in home.completed(opened, "", "Big D")] == ["Big dog"]
    assert home.completed(opened, "", "big xyz") == []


def test_near_spellings_of_phrases_are_links(server: Served) -> None:
    text = server.get("/phrase", x="bigg dog").text
    assert "/phrase?x=big+dog" in Elements(text).links


@pytest.mark.thorough
def test_the_first_page_says_what_can_be_done(server: Served, opened: Lexicon) -> None:
    """Each way has an example of this lexicon, which leads somewhere; what it cannot answer is not there."""
    page = server.get("/").text
    ways = re.findall(r"<li><h2>([^<]+)</h2>", page)
    assert ways == [
        "Describe a word", "Understand a phrase", "Compare parts of the corpus", "Find a construction",
        "Follow a word through time", "Ask in SQL",
    ]  # fmt: skip
    inside = page.partition('<ul class="ways">')[2].partition('<div class="seen"')[0]
    links = Elements(inside).links
    assert len(links) >= len(ways)
    assert [each for each in links if server.get(each).status != 200] == []


def test_ways_without_times_and_parts(tmp_path: Path) -> None:
    file = lexicon_of(tmp_path / "plain.duckdb", {"plain": conllu(ANIMALS).encode()})
    with Lexicon.open(file) as lexicon:
        names = [name for name, _, _ in home.home(lexicon, LINKS, "plain").form["ways"]]
    assert "Compare two words" in names
    assert not {"Compare parts of the corpus", "Follow a word through time"} & {*names}


def test_a_search_leads_to_what_is_by_far_the_most_frequent(tmp_path: Path) -> None:
    """Beside ten times as many tokens another lexeme is no choice; beside fewer, or another likely reading, it is."""
    tokens = [("hand", "NOUN")] * 20 + [("hand", "VERB")] * 2 + [("run", "VERB")] * 8 + [("run", "NOUN")] * 2
    sentences = [[Token(form, form, tag, "_", 0, "root")] for form, tag in tokens]
    with Lexicon.open(lexicon_of(tmp_path / "plain.duckdb", {"plain": sentences})) as lexicon:
        assert home.found_at(lexicon, LINKS, "hand") == LINKS.lexeme("hand/NOUN")
        assert home.found_at(lexicon, LINKS, "run") is None
        assert lookups.list_empty_pages(lexicon) == ["trend", "subcorpora"]
        assert not lookups.has_senses(lexicon)


def test_a_source_is_named_once() -> None:
    row = {"corpus": "novels", "document": "novels", "sentence": "#7"}
    assert word_pieces.name_sentence_source(row) == "novels, #7"
    assert word_pieces.name_sentence_source(row | {"document": "emma"}) == "emma, #7, novels"
    assert word_pieces.name_sentence_source(row | {"document": "emma", "sentence": "emma-3"}) == "emma-3, novels"
