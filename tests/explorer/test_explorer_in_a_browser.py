"""The explorer in a real browser: a linguist's tour by keyboard, its looks at each width, and who reads by ear."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright")

from support import browser
from support.animals import ANIMALS
from support.commands import ask
from support.corpora import TREES
from support.lexicons import lexicon_of
from support.runs import thorough
from support.served import Served
from twins.trees import conllu

pytestmark = [pytest.mark.thorough, pytest.mark.skipif(browser.CHROMIUM is None, reason="Chromium is not installed")]
PAGES = (
    "/", "/lexeme?x=dog/NOUN", "/phrase?x=big dog", "/compare?a=dog/NOUN&b=cat/NOUN",
    "/compare?subcorpus=1990&subcorpus_b=2000", "/concordance?q=dog/NOUN", "/sql?q=FROM lexemes LIMIT 5",
    "/sql?q=SELEC", "/search?q=c", "/lexeme?x=dgo/NOUN", "/concordance", "/concordance?q=dog&show=year",
    "/concordance?q=dog&view=1 around", "/concordance?q=dog&by=left1:form", "/sentence?number=1",
    "/construction?q=dog", "/clipboard",
)  # fmt: skip
SERIOUS = ("serious", "critical")
ALSO = ("landmark-unique", "region", "target-size")  # rules of less weight
ENOUGH = 5000  # milliseconds


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentences of two years, with long words, words from right to left, and subcorpora."""
    from aptdb import Lexicon

    odd = conllu(ANIMALS).replace("odd", "x" * 90).replace("small", "כלב").replace("xyz", "a_very_long_relation:indeed")
    text = (
        f"# newdoc id = a\n# meta::year = 1990\n{odd}# newdoc id = b\n# meta::year = 2000\n{conllu([*TREES, *ANIMALS])}"
    )
    file = lexicon_of(tmp_path_factory.mktemp("zoo") / "zoo.duckdb", {"zoo": text.encode()})
    with Lexicon.open(file) as lexicon:
        lexicon.subcorpora_by("year")
    return file


def at(server: Served, path: str) -> str:
    """The address of a page."""
    return f"http://127.0.0.1:{server.port}{path}"


def tab_to(page: Any, wanted: str, *, begins: bool = False) -> None:
    """Press Tab until what has this text, name or label has the focus; within a block press arrows.

    begins: whether it is a link, button or heading whose text begins so.
    """
    texts = "e.textContent, e.getAttribute('aria-label'), e.name, e.closest('label')?.textContent"
    asked = f"(e => [{texts}].some(t => (t || '').trim() === {wanted!r}))(document.activeElement)"
    if begins:
        asked = "(e => e.matches('a, button, summary') && e.textContent.trim().startsWith"
        asked += f"({wanted!r}))(document.activeElement)"
    block = "(e => e.closest(BLOCKS) ? e.outerHTML + e.getBoundingClientRect().y : '')(document.activeElement)"
    for _ in range(400):
        page.keyboard.press("Tab")
        before = ""
        while not (found := page.evaluate(asked)) and (now := page.evaluate(block)) != before:
            page.keyboard.press("ArrowRight")
            before = now
        if found:
            return
    raise AssertionError(f"no Tab leads to {wanted}")


def arrived(page: Any, pattern: str) -> None:
    """Wait for a page whose address is like a pattern."""
    page.wait_for_url(re.compile(pattern), timeout=ENOUGH)


def until(page: Any, expression: str) -> None:
    """Wait until an expression is true; the page itself may not evaluate one."""
    for _ in range(ENOUGH // 50):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(expression)


@dataclass(frozen=True)
class Hand:
    """Somebody who uses the mouse alone, or the keyboard alone."""

    page: Any
    has_mouse: bool

    def follow(self, text: str, there: str) -> None:
        """Follow the first link with this text; it leads to an address like a pattern."""
        if self.has_mouse:
            self.page.locator("a:visible").filter(has_text=re.compile(rf"^\s*{re.escape(text)}\s*$")).first.click()
        else:
            tab_to(self.page, text)
            self.page.keyboard.press("Enter")
        arrived(self.page, there)

    def press(self, text: str, within: str = "body") -> None:
        """Press the button, or open what has this heading."""
        if self.has_mouse:
            own = self.page.locator(within).locator("button:visible, summary:visible")
            own.filter(has_text=re.compile(rf"^\s*{re.escape(text)}")).first.click()
            return
        self.page.evaluate("place => { const e = document.querySelector(place); e.tabIndex = -1; e.focus(); }", within)
        tab_to(self.page, text, begins=True)
        self.page.keyboard.press("Enter")

    def write(self, name: str, text: str) -> None:
        """Write a text into a field, in place of what is there."""
        if self.has_mouse:
            self.page.click(f"[name='{name}']:visible")
        else:
            tab_to(self.page, name)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def choose(self, name: str, label: str) -> None:
        """Choose from a list."""
        if self.has_mouse:
            self.page.select_option(f"select[name='{name}']:visible", label=label)
        else:
            tab_to(self.page, name)
            self.page.keyboard.type(label)

    def saved(self, text: str, within: str = "body") -> str:
        """Return the file that a link or button saves."""
        with self.page.expect_download() as coming:
            if self.has_mouse:
                own = self.page.locator(within).locator("a:visible, button:visible")
                own.filter(has_text=re.compile(rf"^{re.escape(text)}$")).first.click()
            else:
                self.press(text, within)
        return Path(coming.value.path()).read_text()


@pytest.mark.parametrize(
    ("by", "width", "scheme"),
    [
        ("keyboard", 360, "dark"),
        *thorough(
            [
                *(("mouse", width, scheme) for width in (360, 1000, 1600) for scheme in ("light", "dark")),
                ("keyboard", 1600, "light"),
            ]
        ),
    ],
)
def test_a_tour(server: Served, by: str, width: int, scheme: str) -> None:
    """Thirty steps of a linguist, by mouse alone or by keyboard alone."""
    with browser.page(width, 900, scheme) as page:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        hand = Hand(page, has_mouse=by == "mouse")
        page.goto(at(server, "/"))
        for part in (tour_of_a_word, tour_of_its_sentences, tour_of_a_phrase, tour_of_sql, tour_of_the_rest):
            part(hand)
        assert errors == []


def tour_of_a_word(hand: Hand) -> None:
    """Search (1), completion (2), a word (3), its pieces (4), a table (5, 6), a file (7), its sentences (8)."""
    page = hand.page
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("ca")
    page.wait_for_selector(".options:not([hidden]) li", timeout=ENOUGH)
    if hand.has_mouse:
        page.click(".options li >> text=cat")
    else:
        page.keyboard.press("ArrowDown")
        assert page.text_content(f"#{page.get_attribute('#search', 'aria-activedescendant')} bdi") == "cat/NOUN"
        page.keyboard.press("Enter")
    arrived(page, r"/lexeme\?x=cat%2FNOUN")
    assert page.text_content("h1") == "cat/NOUN"
    browser.all_pieces(page)
    assert page.query_selector("svg.aptdb-drawing")
    if hand.has_mouse:
        page.click("#neighbours th a:has-text('tokens')")
    else:
        hand.press("Filter", "#neighbours")
        page.keyboard.press("Enter")  # it is closed again
        page.keyboard.press("Shift+Tab")  # the table is one stop
        page.keyboard.press("Home")
        while not page.evaluate("document.activeElement.closest('#neighbours th').textContent.startsWith('tokens')"):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    page.wait_for_selector("#neighbours th[aria-sort=descending]", timeout=ENOUGH)
    hand.press("Filter", "#neighbours")
    hand.write("neighbours.top", "1")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('#neighbours tbody tr').length === 1")
    assert "neighbours.sort=-tokens&neighbours.top=1" in page.url
    assert hand.saved("JSON", "#neighbours").count('"similarity"') == 1
    count = page.text_content("ul.facts a")
    hand.follow(count, r"/concordance\?q=cat%2FNOUN$")


def tour_of_its_sentences(hand: Hand) -> None:
    """Its order (10), a tree (11), a sentence (12), counts (13, 14), a file (15)."""
    page = hand.page
    hand.choose("sort", "after")
    hand.press("Show", "form.search-hits")
    arrived(page, r"/concordance\?q=cat.*sort=after")
    first = page.locator(".hits .place a").first
    if hand.has_mouse:
        first.click()
    else:
        tab_to(page, (first.text_content() or "").strip())
        page.keyboard.press("Enter")
    page.wait_for_selector(".hits .opened svg", timeout=ENOUGH)
    assert page.query_selector(".hits .opened mark.keyword")
    hand.follow("The page of this sentence", r"/sentence\?number=")
    assert page.query_selector("#tree svg")
    page.go_back()
    arrived(page, r"/concordance\?q=cat.*sort=after")
    hand.choose("by", "year")
    hand.press("Show", "form.search-hits")
    arrived(page, r"/concordance\?.*by=year")
    hand.follow("1990", r"/concordance\?.*at=year&value=1990")
    assert "hits" in page.text_content("main")
    assert hand.saved("as CSV").startswith("corpus,document,sentence,year,before,keyword,after")


def tour_of_a_phrase(hand: Hand) -> None:
    """A phrase (16, 17), settings (18), none (19), a comparison (20, 21), how to ask (22), in SQL (23)."""
    page = hand.page
    page.evaluate("document.activeElement.blur()")
    if hand.has_mouse:
        page.click("#search")
    else:
        page.keyboard.press("/")
    page.keyboard.type("big dog")
    page.keyboard.press("Enter")
    arrived(page, r"/phrase\?x=big\+dog")
    browser.all_pieces(page)
    assert page.text_content("h1") == "big dog"
    assert re.match(r"It occurs (once|\d+ times)", page.text_content(".occurs") or "")
    assert page.text_content(".tabs a[aria-current] bdi") == "dog/NOUN[amod big/ADJ]"
    page.evaluate("scrollTo(0, 0)")
    hand.press("Settings", ".controls")
    hand.choose("merge", "min")
    hand.press("Apply", ".controls")
    arrived(page, r"/phrase\?.*merge=min")
    assert "Set here: merged by min." in page.text_content("main")
    hand.follow("Reset", r"/phrase\?(?!.*merge)")
    hand.press("Compare with", ".controls")
    hand.write("b", "cat/NOUN")
    page.keyboard.press("Escape")
    hand.press("Compare", "form.beside")
    arrived(page, r"/compare\?a=dog.*b=cat%2FNOUN")
    assert "The similarity is" in page.text_content("main")
    hand.press("How to ask this", "#similarity")
    assert page.is_visible("text=aptdb explain")
    hand.follow("Ask it here", r"/sql\?q=FROM\+explain")


def tour_of_sql(hand: Hand) -> None:
    """An answer is sorted (24) and saved (25), a name completed (26), a query asked (27), saved as CSV (28)."""
    page = hand.page
    page.goto(page.url.partition("/sql")[0] + "/sql?q=SELECT+lexeme,+frequency+FROM+lexemes+LIMIT+5")
    hand.press("frequency", "thead")
    page.wait_for_selector("th[aria-sort=descending]", timeout=ENOUGH)
    shown = [int(each) for each in page.locator("tbody tr td.number").all_inner_texts()[:5]]
    assert shown == sorted(shown, reverse=True)
    lines = hand.saved("TSV", ".pieces").splitlines()
    assert lines[0] == "lexeme\tfrequency"
    assert [int(each.split("\t")[1]) for each in lines[1:]] == shown
    if hand.has_mouse:
        page.click("#query")
    else:
        tab_to(page, "q")
        while page.evaluate("document.activeElement.id") != "query":  # the first q is the search
            tab_to(page, "q")
    page.keyboard.press("Control+A")
    page.keyboard.type("SELECT * FROM lexem")
    page.wait_for_selector(".query .options:not([hidden]) li", timeout=ENOUGH)
    if hand.has_mouse:
        page.click(".query .options li >> nth=0")
    else:
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    assert page.input_value("#query") == "SELECT * FROM lexemes"
    if hand.has_mouse:
        page.click("form.query button")
    else:
        page.keyboard.press("Control+Enter")
    arrived(page, r"/sql\?q=SELECT\+(\*|%2A)")
    assert hand.saved("as CSV").startswith("lexeme,lemma,pos,frequency")


def tour_of_the_rest(hand: Hand) -> None:
    """The word list (29), a map (30) and a trend (31) with their values, a bookmark (32), keys (33)."""
    page = hand.page
    hand.follow("Words", r"/words$")
    hand.press("Filter", "#list")
    hand.write("list.has", "ca*")
    page.keyboard.press("Enter")
    words = "[...document.querySelectorAll('#list tbody .lexeme-cell')]"
    until(page, f"{words}.every(each => each.textContent.startsWith('ca'))")
    hand.follow(page.text_content("#list a[href*='cat%2FNOUN'] bdi"), r"/lexeme\?x=cat%2FNOUN")
    browser.all_pieces(page)
    told = page.locator("#map a.at:not(.own) title").first.text_content()
    assert re.fullmatch(r"\S+: similarity to cat/NOUN -?\d\.\d{4}, [\d,]+ tokens?", told or "")
    value = page.locator("#trend .at .value").first
    assert value.evaluate("each => getComputedStyle(each).visibility") == "hidden"
    page.locator("#trend .at .band").first.hover(force=True)
    assert value.evaluate("each => getComputedStyle(each).visibility") == "visible"
    assert "per million" in (value.text_content() or "")
    page.evaluate("scrollTo(0, 0)")
    hand.press("☆")
    page.keyboard.press("?")
    assert page.is_visible("dialog.keys >> text=go to the search")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    hand.follow("zoo.duckdb", r":\d+/$")
    assert page.text_content(".seen nav[aria-label='Bookmarks'] a") == "cat/NOUN"


def test_tables_by_keyboard_and_mouse(server: Served) -> None:
    """A table is sorted, filtered and copied in its place; the address keeps it, and going back keeps the place."""
    with browser.page(1000, 500) as page:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(at(server, "/lexeme?x=cat/NOUN"))
        browser.all_pieces(page)
        page.click("#neighbours th a:has-text('tokens')")
        page.wait_for_selector("#neighbours th[aria-sort=descending]", timeout=ENOUGH)
        assert page.url.endswith("/lexeme?x=cat%2FNOUN&neighbours.sort=-tokens")
        assert page.evaluate("document.activeElement.textContent").startswith("tokens")
        page.keyboard.press("Enter")
        page.wait_for_selector("#neighbours th[aria-sort=ascending]", timeout=ENOUGH)
        page.click("#neighbours .tools summary")
        page.fill("#neighbours [name='neighbours.top']", "1")
        page.keyboard.press("Enter")
        until(page, "document.querySelectorAll('#neighbours tbody tr').length === 1")
        assert "neighbours.sort=tokens&neighbours.top=1" in page.url
        page.reload()
        browser.all_pieces(page)
        assert len(page.query_selector_all("#neighbours tbody tr")) == 1
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.click("#neighbours .copy")
        page.wait_for_selector("#neighbours .copy:has-text('Copied')", timeout=ENOUGH)
        assert page.evaluate("navigator.clipboard.readText()").startswith("lexeme\tsimilarity\ttokens")

        page.evaluate("document.querySelector('#drawing').scrollIntoView()")
        before = page.evaluate("window.scrollY")
        page.evaluate("document.querySelector('#neighbours tbody a').click()")
        arrived(page, r"/lexeme\?x=(?!cat)")
        page.go_back()
        until(page, f"Math.abs(window.scrollY - {before}) < 200")

        page.click("button.bookmark")
        page.goto(at(server, "/"))
        assert page.text_content(".seen nav[aria-label='Bookmarks'] a") == "cat/NOUN"
        assert page.get_attribute(".seen nav[aria-label='Seen last'] a", "href") == "/lexeme?x=cat%2FNOUN"
        page.click("text=Forget what was seen")
        assert not page.query_selector(".seen nav[aria-label='Seen last']")

        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("?")
        assert page.is_visible("dialog.keys >> text=go to the search")
        page.keyboard.press("Escape")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "search"
        assert errors == []


@pytest.mark.parametrize("by", ["keyboard", "mouse"])
def test_a_pattern_is_built(server: Served, by: str) -> None:
    """An arc is chosen, one of its words told apart by its lemma, and the pattern's hits are those of the link."""
    with browser.page() as page:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(at(server, "/construction?q=small"))
        arc = page.locator("g.arc[aria-label^='amod of ']").first
        if by == "mouse":
            arc.locator("text").click()
        else:
            arc.focus()
            page.keyboard.press("Enter")
        plain = "pattern { ADJ [upos=ADJ]; NOUN [upos=NOUN]; NOUN -[amod]-> ADJ }"
        assert page.input_value("#pattern") == plain
        assert page.get_attribute("g.token[aria-label='small']", "aria-pressed") == "true"
        many = page.locator(".builder [role=status] a")
        many.wait_for(timeout=ENOUGH)
        assert re.fullmatch(r"[\d,]+ hits?", many.text_content() or "")
        page.locator("fieldset label", has_text="lemma small").click()
        page.get_by_label("in this order").check()
        assert page.input_value("#pattern") == plain.replace("ADJ]", 'ADJ, lemma="small"]', 1).replace(
            " }", "; ADJ << NOUN }"
        )
        until(page, "decodeURIComponent(document.querySelector('.builder [role=status] a')?.href).includes('<<')")
        found = many.text_content()
        many.click()
        arrived(page, r"/concordance\?q=pattern")
        assert page.text_content(".facts li") == found
        page.go_back()
        assert errors == []


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(360, "light"), (1600, "dark"), *thorough([(360, "dark"), (1000, "light"), (1000, "dark"), (1600, "light")])],
)
def test_every_page_at_every_width(server: Served, tmp_path: Path, width: int, scheme: str) -> None:
    """Nothing is wider than the window, no script fails, and whoever listens to a page is told what it shows."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with browser.page(width, 800, scheme) as page:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        for path in PAGES:
            page.goto(at(server, path))
            browser.all_pieces(page)
            page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            found = axe.run(page).response["violations"]
            wrong = [
                (each["id"], [node["html"][:200] for node in each["nodes"][:3]], each["nodes"][0]["any"][:1])
                for each in found
                if each["impact"] in SERIOUS or each["id"] in ALSO
            ]
            assert wrong == [], path
        assert errors == []


def test_the_clipboard(server: Served) -> None:
    """Sentences are copied with their source, kept, saved and removed; the page needs nothing of the server."""
    with browser.page(1600) as page:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(at(server, "/lexeme?x=dog/NOUN"))
        browser.all_pieces(page)
        assert (
            page.evaluate("[...document.querySelectorAll('a, button, summary')].filter(e => e.tabIndex === 0).length")
            < 100
        )
        page.click("#evidence button:has-text('Copy')")
        until(page, "document.querySelector('#evidence .line-tools button').textContent === 'Copied'")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert re.fullmatch(r"\S.* \([^()]+, zoo\)", copied)
        page.click("#evidence button:has-text('Keep')")
        page.click("text=Clipboard (1)")
        arrived(page, r"/clipboard$")
        hand = Hand(page, has_mouse=True)
        head, line = hand.saved("CSV").splitlines()
        assert (head, line.split(",")[0]) == ("word,before,keyword,after,source", "dog/NOUN")
        assert re.fullmatch(r"## dog/NOUN\n\n- .*\*\*\w+\*\*.* \(.+, zoo\)\n", hand.saved("Markdown"))
        page.click("button:has-text('Remove')")
        assert page.locator("header .clipboard").count() == 0
        page.goto(at(server, "/concordance?q=dog/NOUN"))
        keeps = page.locator(".hits button:has-text('Keep')")
        keeps.nth(0).click()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.goto(at(server, "/clipboard"))
        assert page.locator(".kept tbody tr td:first-child").all_inner_texts() == ["dog/NOUN", "dog/NOUN"]
        page.on("dialog", lambda dialog: dialog.accept())
        page.click("text=Remove all")
        assert not page.is_visible("#kept-lines")
        page.goto(at(server, "/construction?q=dog"))
        page.fill("#pattern", "dog")
        page.focus(".picture .token")
        page.keyboard.press("Enter")
        page.click("text=Bring it back")
        assert page.input_value("#pattern") == "dog"
        assert errors == []


def test_without_a_script(server: Served) -> None:
    """All that a page shows can be reached where no script runs."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=browser.CHROMIUM, args=[*browser.FLAGS])
        page = opened.new_context(java_script_enabled=False).new_page()
        page.goto(at(server, "/lexeme?x=dog/NOUN"))
        page.click("text=Show: Neighbours")
        assert "/lexeme/neighbours?x=dog" in page.url
        assert page.query_selector("table")
        opened.close()


def test_a_site_in_a_browser(zoo: Path, tmp_path: Path) -> None:
    """A site of files is searched by keyboard, without a server."""
    assert ask("serve", zoo, "--site", tmp_path / "pages").exit_code == 0
    with browser.page() as page:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((tmp_path / "pages" / "index.html").as_uri())
        page.focus("#search")
        page.keyboard.type("do")
        page.wait_for_selector(".options:not([hidden]) li", timeout=ENOUGH)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        arrived(page, r"/words/dog-noun\.html$")
        assert page.text_content("h1") == "dog/NOUN"
        page.fill("#search", "cat")
        page.keyboard.press("Enter")
        arrived(page, r"/words/cat-noun\.html$")
        page.fill("#search", "xyzzy")
        page.keyboard.press("Enter")
        assert page.text_content("header .none", timeout=ENOUGH) == "No page of this site is about “xyzzy”."
        assert errors == []


def test_a_running_query_leaves_the_focus(server: Served) -> None:
    """What is typed meanwhile stays, and the answer comes to the same page."""
    with browser.page() as page:
        endless = "SELECT count(*) FROM range(10000000000) AS a, range(1000) AS b"
        page.goto(at(server, f"/sql?q={endless}"))
        assert page.locator("[data-again]").count() == 1
        page.click("#search")
        page.keyboard.type("do")
        page.wait_for_selector("main .refusal")
        assert page.evaluate("[document.activeElement.id, document.activeElement.value]") == ["search", "do"]
