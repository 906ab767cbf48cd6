"""Addresses: where a page about something is, for a server and for a site of files."""

from collections.abc import Callable
from urllib.parse import urlencode

Given = str | int | None


class Links:
    """The addresses of a server's pages. What a site has no page for has no address: an empty text."""

    can_ask = True  # whether there are pages for whatever somebody types

    def page(self, name: str, **given: Given) -> str:
        """Return a page by its name and what is given."""
        named = urlencode({key: value for key, value in given.items() if value is not None and value != ""})
        return f"/{name}?{named}" if named else f"/{name}"

    def home(self) -> str:
        """Return the first page."""
        return "/"

    def static(self, name: str) -> str:
        """Return a file of style or script."""
        return f"/static/{name}"

    def lexeme(self, x: str, subcorpus: str | None = None) -> str:
        """Return the page of a lexeme."""
        return self.page("lexeme", x=x, subcorpus=subcorpus)

    def phrase(self, x: str, subcorpus: str | None = None, merge: str | None = None) -> str:
        """Return the page of a phrase."""
        return self.page("phrase", x=x, subcorpus=subcorpus, merge=merge)

    def compare(self, a: str, b: str, subcorpus: str | None = None, subcorpus_b: str | None = None) -> str:
        """Return the page of two lexemes or phrases side by side."""
        return self.page("compare", a=a, b=b, subcorpus=subcorpus, subcorpus_b=subcorpus_b)

    def evidence(
        self, lexeme: str | None, path: str | None = None, context: str | None = None, subcorpus: str | None = None
    ) -> str:
        """Return the page of the sentences behind a number."""
        return self.page(
            "evidence", lexeme=lexeme, path="ε" if path == "" else path, context=context, subcorpus=subcorpus
        )

    def sql(self, query: str) -> str:
        """Return the page of a SELECT."""
        return self.page("sql", q=query)


class SiteLinks(Links):
    """The addresses of a site's pages, from a page that is so many folders deep.

    file_of: gives the file of a lexeme's page, or nothing if it has none.
    """

    can_ask = False

    def __init__(self, file_of: Callable[[str], str], depth: int = 0) -> None:
        self._file_of, self._up = file_of, "../" * depth

    def page(self, name: str, **given: Given) -> str:
        """None but the first page and those of lexemes are there."""
        return ""

    def home(self) -> str:
        """Return the first page."""
        return f"{self._up}index.html"

    def static(self, name: str) -> str:
        """Return a file of style or script."""
        return f"{self._up}static/{name}"

    def lexeme(self, x: str, subcorpus: str | None = None) -> str:
        """Return the page of a lexeme, where it has one."""
        file = self._file_of(x)
        return f"{self._up}{file}" if file else ""
