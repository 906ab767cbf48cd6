"""The explorer in a real browser: a linguist's tour by keyboard, its looks at each width, and who reads by ear."""

import re
import time
from collections.abc import Iterator
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
from support.served import Served, served
from twins.trees import conllu

pytestmark = [
    pytest.mark.thorough("every case"),
    pytest.mark.skipif(browser.CHROMIUM is None, reason="Chromium is not installed"),
]
WIDTHS = (360, 1000, 1600)
PAGES = (
    "/", "/lexeme?x=dog/NOUN", "/phrase?x=big dog", "/compare?a=dog/NOUN&b=cat/NOUN",
    "/compare?subcorpus=1990&subcorpus_b=2000", "/evidence?lexeme=dog/NOUN", "/sql?q=FROM lexemes LIMIT 5",
    "/sql?q=SELEC", "/search?q=c", "/lexeme?x=dgo/NOUN", "/concordance", "/concordance?q=dog&show=year",
    "/concordance?q=dog&view=1 around", "/concordance?q=dog&by=left1:form", "/sentence?number=1",
)  # fmt: skip
SERIOUS = ("serious", "critical")
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


@pytest.fixture(scope="module")
def server(zoo: Path) -> Iterator[Served]:
    """The server of that lexicon."""
    with served(zoo) as running:
        yield running


def at(server: Served, path: str) -> str:
    """The address of a page."""
    return f"http://127.0.0.1:{server.port}{path}"


def tab_to(page: Any, wanted: str) -> None:
    """Press Tab until what has this text, name or label has the focus."""
    asked = (
        "e => [e.textContent, e.getAttribute('aria-label'), e.name, e.closest('label')?.textContent]"
        ".map(t => (t || '').trim())"
    )
    for _ in range(400):
        page.keyboard.press("Tab")
        if wanted in page.evaluate(f"({asked})(document.activeElement)"):
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


def test_a_tour_by_keyboard(server: Served) -> None:  # noqa: PLR0915 (a tour is long)
    """Search, sketch, evidence, phrase, compare, SQL, CSV: without a mouse."""
    with browser.page() as page:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.goto(at(server, "/"))
        assert page.evaluate("document.activeElement.id") == "search"
        page.keyboard.type("do")
        page.wait_for_selector(".options:not([hidden]) li", timeout=ENOUGH)
        page.keyboard.press("ArrowDown")
        chosen = page.get_attribute("#search", "aria-activedescendant")
        assert page.text_content(f"#{chosen} bdi") == "dog/NOUN"
        page.keyboard.press("Enter")
        arrived(page, r"/lexeme\?x=dog%2FNOUN")
        assert page.text_content("h1") == "dog/NOUN"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "To the content"
        browser.all_pieces(page)
        assert page.query_selector("svg.aptdb-drawing")

        tab_to(page, "chases/VERB")  # a collocate; its count comes next
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        arrived(page, r"/evidence\?lexeme=dog%2FNOUN&path=%3Cnsubj&context=chases%2FVERB")
        assert "in all" in page.text_content("main")

        tab_to(page, "q")
        page.keyboard.type("big dog")
        page.keyboard.press("Enter")
        arrived(page, r"/phrase\?x=big\+dog")
        browser.all_pieces(page)
        assert page.text_content("h1") == "dog/NOUN[amod big/ADJ]"

        tab_to(page, "Compare")
        page.keyboard.press("Enter")
        arrived(page, r"/compare$")
        tab_to(page, "a")
        page.keyboard.type("dog/NOUN")
        page.keyboard.press("Escape")
        tab_to(page, "b")
        page.keyboard.type("cat/NOUN")
        page.keyboard.press("Escape")
        page.keyboard.press("Enter")
        arrived(page, r"/compare\?a=dog%2FNOUN&b=cat%2FNOUN")
        assert "The similarity is" in page.text_content("main")

        tab_to(page, "How to ask this")
        page.keyboard.press("Enter")
        assert page.is_visible("text=aptdb explain")
        tab_to(page, "Ask it here")
        page.keyboard.press("Enter")
        arrived(page, r"/sql\?q=FROM\+explain")

        page.goto(at(server, "/sql"))
        page.focus("#query")
        page.keyboard.press("Control+A")
        page.keyboard.type("SELECT * FROM lexem")
        page.wait_for_selector(".query .options:not([hidden]) li", timeout=ENOUGH)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.input_value("#query") == "SELECT * FROM lexemes"
        page.keyboard.press("Control+Enter")
        arrived(page, r"/sql\?q=SELECT")
        tab_to(page, "as CSV")
        with page.expect_download() as coming:
            page.keyboard.press("Enter")
        assert coming.value.suggested_filename == "answer.csv"
        assert Path(coming.value.path()).read_text().startswith("lexeme,lemma,pos,frequency")
        assert errors == []


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
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
                if each["impact"] in SERIOUS
            ]
            assert wrong == [], path
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
    assert ask("site", zoo, "-o", tmp_path / "pages").exit_code == 0
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
        time.sleep(0.3)
        assert (
            page.evaluate("document.querySelector('#search').validationMessage")
            == "No page of this site is about that."
        )
        assert errors == []
