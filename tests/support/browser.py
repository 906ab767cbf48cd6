"""A real browser without a window: Debian's Chromium, or another that is there."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run",
)  # fmt: skip


@contextmanager
def page(width: int = 1000, height: int = 900, scheme: Any = "light") -> Iterator[Any]:
    """A page of a new browser, within the block."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        try:
            yield context.new_page()
        finally:
            browser.close()


def all_pieces(page: Any) -> None:
    """Wait until all pieces of the page are there."""
    for _ in range(200):
        waiting = page.query_selector_all("section[aria-busy]")
        if not waiting:
            return
        waiting[0].scroll_into_view_if_needed()
        page.wait_for_timeout(50)
    raise AssertionError("a piece does not come")
