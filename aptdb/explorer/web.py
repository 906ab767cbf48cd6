"""The web application: which addresses take which parameters, and how each is answered."""

import asyncio
import hashlib
import math
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from aptdb.core.errors import AptError, NoSuchLexemeError, QuestionError, warnings_heard
from aptdb.explorer import concordance_pages, home, sentence_pages, sql_box, subcorpus_pages
from aptdb.explorer.access import KEPT, Guard, TokenGate
from aptdb.explorer.breakdown_pieces import TAKES
from aptdb.explorer.content import Asking, Link, Links, Page, Piece, Place
from aptdb.explorer.kept_answers import WEIGHTS
from aptdb.explorer.lexicon_pool import Readers, Turn
from aptdb.explorer.lookups import list_empty_pages
from aptdb.explorer.page_plots import make_sparkline
from aptdb.explorer.page_settings import of_views
from aptdb.explorer.pages import KINDS, hand_on_settings, make_head, make_piece
from aptdb.explorer.rendering import STATIC, Renderer, digest_static_file, static_text
from aptdb.explorer.sql_box import SqlLimits, example_queries, limits_of_file, offered, sql_page, waiting_page
from aptdb.explorer.sql_queue import STOPPED, Job, Jobs
from aptdb.explorer.table_tools import FILES, flatten_tables, tables_of_piece, write_rows

FOR_GOOD = "private, max-age=31536000, immutable"  # of a file whose address has its digest
SMALLEST = 500  # bytes of an answer that is compressed
LONGEST = 4000  # letters of a value in an address, but of SQL
PATIENCE = 2.0  # seconds until a query has a page that waits
THREADS = 200  # most of which wait for their turn


# Addresses, and files as answers
def check_address(request: Request, page: str) -> None:
    """Raise QuestionError for an address of a page with unknown, missing or too long parameters."""
    kind = KINDS[page]
    read_address(request, kind.takes, kind.needs, also=of_views([*kind.pieces]))


def read_address(
    request: Request,
    takes: Sequence[str],
    needs: Sequence[str] = (),
    longest: int = LONGEST,
    also: Collection[str] = (),
) -> dict[str, str]:
    """Return the parameters of an address. Raise QuestionError for unknown, missing or too long ones.

    also: parameters that are taken, and not named in the message.
    """
    given = request.query_params.multi_items()
    named = dict(given)
    for name, value in given:
        if name not in takes and name not in also:
            there = f"; this page takes {', '.join(takes)}" if takes else ""
            raise QuestionError(f"no parameter {name!r:.60}{there}")
        if len(value) > longest:
            raise QuestionError(f"{name} has {len(value):,} letters; it may have {longest:,}")
    if len(named) < len(given):
        raise QuestionError("a parameter occurs twice in this address")
    for name in needs:
        if not named.get(name):
            example = "1" if name == "number" else "dog/NOUN"
            raise QuestionError(f"this page needs {name}, e.g. ?{name}={example}")
    return named


def asked_for(request: Request) -> str:
    """Return the text for the search box beside a refusal."""
    given = request.query_params
    return str(given.get("x") or given.get("q") or given.get("lexeme") or given.get("a") or "")[:200]


def visitor_of(request: Request) -> str:
    """Return a name of whoever asks."""
    return str(request.scope.get("visitor", ""))


async def left(request: Request) -> None:
    """Wait until whoever asked has gone away."""
    while not await request.is_disconnected():
        await asyncio.sleep(0.2)


def as_download(request: Request, names: Sequence[str], rows: Sequence[Sequence[Any]], name: str = "") -> Response:
    """Return named rows as a file of the format in the address, and of its name unless another is given."""
    own, _, format = request.url.path.rpartition("/")[2].rpartition(".")
    headers = attached(f"{name or own}.{format}")
    return Response(write_rows(names, rows, format), media_type=FILES[format], headers=headers)


def attached(name: str) -> dict[str, str]:
    """Return the header of an answer that is kept as a file of this name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


class Explorer:
    """The pages of one lexicon."""

    def __init__(self, readers: Readers, limits: SqlLimits, file: str, *, may_keep: bool = False) -> None:
        """Make the pages. file: the lexicon as pages and messages name it. may_keep: whether subcorpora can be kept."""
        self._readers, self._limits, self._file, self._may_keep = readers, limits, file, may_keep
        self._one_writer = CapacityLimiter(1)
        self._links, self._name = Links(), readers.file.name
        self.render = Renderer(self._links, self._name, file)
        self._started = secrets.token_hex(8)  # answers of another version of the program are not these
        self._jobs = Jobs(readers.holding, limits.memory)
        self._threads = CapacityLimiter(THREADS)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/", self._shows((), lambda asking: home.home(asking.lexicon, self._links, self._name))),
            *(Route(f"/{kind}", self.page) for kind in KINDS),
            Route("/evidence", self.evidence),
            Route("/concordance", self._shows(TAKES, concordance_pages.make_concordance_page)),
            *(Route(f"/concordance.{each}", self.concordance_file) for each in FILES),
            Route("/construction", self._shows(("q", "number", "seed"), sentence_pages.make_builder_page)),
            Route("/subcorpora", self.subcorpora, methods=["GET", "POST"]),
            Route("/search", self.search),
            Route("/clipboard", self._shows((), lambda _: Page("Clipboard", "Clipboard", template="clipboard.html"))),
            Route("/complete", self.complete),
            Route("/sql", self.sql),
            *(Route(f"/sql.{each}", self.sql_file) for each in FILES),
            Route("/static/{name}", self.static),
            Route("/piece/{kind}/{piece}", self.bare_piece),
            Route("/lexeme/sparkline.svg", self.sparkline),
            Route("/{kind}/{piece}.{format}", self.piece_file),
            Route("/{kind}/{piece}", self.page),
        ]

    @asynccontextmanager
    async def living(self, _: Starlette) -> AsyncIterator[None]:
        """Have what SQL needs at the beginning of the block, and end all queries at its end."""
        self._jobs.starter.warm()
        try:
            yield
        finally:
            await self._jobs.close()

    # Pages
    def _shows(self, takes: Sequence[str], make: Callable[[Asking], Page]) -> Callable[[Request], Awaitable[Response]]:
        """Return what answers an address that takes some parameters with a page."""

        async def answer(request: Request) -> Response:
            read_address(request, takes)
            return await self._page(request, make)

        return answer

    async def page(self, request: Request) -> Response:
        """Return a page with its first pieces; or, where the address names a piece, with this alone."""
        name, piece = self._piece_of(request) if request.path_params else (request.url.path.removeprefix("/"), "")
        check_address(request, name)

        def made(asking: Asking) -> Page:
            asking = hand_on_settings(name, asking)
            head = make_head(name, asking)
            read, at_once = replace(asking, given=head.given), KINDS[name].at_once
            if piece:
                whole = Link("the whole page", self._links.page(name, **head.given))
                groups = [*head.groups, ("Beside this", [whole])]
                return replace(head, groups=groups, pieces=[self._piece(name, piece, read)])
            pieces = [self._piece(name, each.name, read) for each in head.pieces[:at_once]]
            later = [
                replace(each, href=self._links.page(f"{name}/{each.name}", **head.given))
                for each in head.pieces[at_once:]
                if isinstance(each, Place)
            ]
            return replace(head, pieces=[*pieces, *later])

        return await self._page(request, made)

    async def bare_piece(self, request: Request) -> Response:
        """Return a piece without the page around it."""
        name, piece = self._piece_of(request)

        def made(asking: Asking) -> str:
            return self.render.piece(self._piece(name, piece, hand_on_settings(name, asking)))

        return await self._answer(request, made, bare=True)

    def _piece(self, page: str, name: str, asking: Asking, *, in_file: bool = False) -> Piece:
        """Return a piece of a page, with the warnings of its questions as notes."""
        with warnings_heard() as heard:
            found = make_piece(page, name, asking, in_file=in_file)
        return replace(found, notes=[*found.notes, *(self._about_lexicon(each) for each in heard)])

    def _piece_of(self, request: Request) -> tuple[str, str]:
        """Return the kind of page and the piece of an address. Raise HTTPException if there is none."""
        name, piece = request.path_params["kind"], request.path_params["piece"]
        if name not in KINDS or piece not in KINDS[name].pieces:
            raise HTTPException(404, f"no page {request.url.path}")
        check_address(request, name)
        return name, piece

    async def piece_file(self, request: Request) -> Response:
        """Return the tables of a piece, or its picture, as a file."""
        name, piece = self._piece_of(request)
        format = request.path_params["format"]
        if format not in (*FILES, "svg"):
            raise HTTPException(404, f"no format {format:.60}; expected {', '.join(FILES)}")

        def made(asking: Asking) -> Response:
            found = self._piece(name, piece, hand_on_settings(name, asking), in_file=format in FILES)
            if format == "svg" and not found.picture:
                raise QuestionError(f"{found.heading} has no picture")
            if format == "svg":
                return Response(found.picture, media_type="image/svg+xml", headers=attached(f"{piece}.svg"))
            return as_download(request, *flatten_tables(tables_of_piece(found)))

        return await self._answer(request, made)

    async def sparkline(self, request: Request) -> Response:
        """Return a sparkline, for the head of a word's page."""
        check_address(request, "lexeme")
        drawn = partial(Response, media_type="image/svg+xml")
        return await self._answer(request, lambda asking: drawn(make_sparkline(asking)), bare=True)

    async def evidence(self, request: Request) -> Response:
        """Return the way from an address of earlier versions to its concordance."""
        given = read_address(request, ("lexeme", "path", "context", "subcorpus", "sort", "best", "top", "counts"))
        q, rows, best = (given.pop(name, None) for name in ("lexeme", "top", "best"))
        if best and given.get("sort", "place") != "place":
            raise QuestionError(f"good examples have an order of their own; leave out best or sort={given['sort']:.60}")
        kept = given | ({"sort": "best"} if best else {})
        return RedirectResponse(self._links.page("concordance", q=q, rows=rows, **kept), 308)

    async def concordance_file(self, request: Request) -> Response:
        """Return a concordance, or how often values are in it, as a file."""
        read_address(request, TAKES)
        return as_download(request, *await self._asked(request, concordance_pages.concordance_as_file))

    async def subcorpora(self, request: Request) -> Response:
        """Return the page on which documents are chosen by their metadata. Raise QuestionError.

        Where a form was sent, keep first what the address chooses as a subcorpus of the lexicon itself, or delete one.
        """
        given, note = request.query_params.multi_items(), ""
        if request.method == "POST":
            if not self._may_keep:
                raise QuestionError("subcorpora are kept and deleted where the server has --allow-subcorpora")
            change, form = subcorpus_pages.keep_or_delete, subcorpus_pages.read_form(await request.body())
            note = await to_thread.run_sync(change, self._readers.file, *form, given, limiter=self._one_writer)
        make = partial(subcorpus_pages.make_subcorpora_page, given=given, may_keep=self._may_keep, note=note)
        return await self._page(request, make)

    async def search(self, request: Request) -> Response:
        """Return where a text leads, or what is like it."""
        text = read_address(request, ("q",), ()).get("q", "").strip()
        if not text:
            return RedirectResponse("/", 303)

        def found(asking: Asking) -> str | Page:
            there = home.found_at(asking.lexicon, self._links, text)
            return there or home.find_similar_spellings(asking, text)

        return await self._page(request, found)

    async def complete(self, request: Request) -> Response:
        """Return how a text may go on, as JSON."""
        asked = read_address(request, ("q", "kind"))
        if asked.get("kind", "sql") != "sql":
            raise QuestionError(f"no kind {asked['kind']:.60}; expected sql")
        found = await self._asked(
            request, lambda asking: home.completed(asking.lexicon, asked.get("kind", ""), asked.get("q", ""))
        )
        return JSONResponse(found)

    # SQL
    async def sql(self, request: Request) -> Response:
        """Return the SQL box, and what it answers; a query that takes longer has a page until it is answered."""
        given = read_address(request, ("q", "job", "cancel"), longest=sql_box.LONGEST + 1)
        query, answer, error = given.get("q", "").strip(), None, ""
        job = self._jobs.found(given.get("job", ""), visitor_of(request), query)
        if query and given.get("cancel"):
            if job is not None:
                self._jobs.end(job)
            error = STOPPED
        elif query:
            try:
                asked = job or self._jobs.begin(visitor_of(request), query, self._limits)
                if (answer := await self._jobs.looked_at(asked, left(request), PATIENCE)) is None:
                    return self._waiting(asked)
            except QuestionError as refused:
                error = self._about_lexicon(str(refused))
        shown = await self._asked(request, lambda asking: (offered(asking.lexicon), example_queries(asking.lexicon)))
        page = sql_page(query, answer, error, self._links, *shown)
        return HTMLResponse(self.render.page(page), 400 if error else 200)

    async def sql_file(self, request: Request) -> Response:
        """Return the answer to a query as a file."""
        query = read_address(request, ("q",), ("q",), longest=sql_box.LONGEST + 1)["q"].strip()
        job = self._jobs.begin(visitor_of(request), query, limits_of_file(self._limits))
        answer = sql_box.refuse_cut_answer(await self._jobs.looked_at(job, left(request), math.inf))
        return as_download(request, answer.columns, answer.rows, "answer")

    def _waiting(self, job: Job) -> Response:
        """Return the page of a query that is not answered yet; it looks again by itself."""
        before, seconds = self._jobs.place_of(job), asyncio.get_running_loop().time() - job.begun
        page = waiting_page(job.query, before, seconds, self._limits, self._links, job.name)
        return HTMLResponse(self.render.page(page), headers={"Cache-Control": "no-store"})

    # How all is answered
    async def static(self, request: Request) -> Response:
        """Return the style and the script."""
        name = request.path_params["name"]
        if name not in STATIC:
            raise HTTPException(404, f"no file {name}")
        read_address(request, ("v",))
        known = request.query_params.get("v") == digest_static_file(name)
        headers = {"Cache-Control": FOR_GOOD if known else KEPT}
        return Response(static_text(name), media_type=STATIC[name], headers=headers)

    async def _asked(self, request: Request, ask: Callable[[Asking], Any], *, is_piece: bool = False) -> Any:
        """Return what a question gives, asked in a thread; it is stopped if whoever asked goes away."""
        turn = Turn()

        def work() -> Any:
            with self._readers.reading(turn, is_piece=is_piece) as (lexicon, copy):
                given = dict(request.query_params)
                return ask(Asking(lexicon, self._links, given, copy.weights, copy.near.of))

        asked = asyncio.create_task(to_thread.run_sync(work, limiter=self._threads))
        gone = asyncio.create_task(left(request))
        await asyncio.wait({asked, gone}, return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        if not asked.done():
            turn.is_stopped = True
        return await asked

    async def _page(self, request: Request, make: Callable[[Asking], Page | str]) -> Response:
        """Return a page, or where it is."""

        def rendered(asking: Asking) -> Any:
            try:
                with warnings_heard() as heard:
                    made = make(asking)
            except AptError as error:
                return self.refused(request, error, near=home.near_ones(asking, str(error)))
            if isinstance(made, str):
                return RedirectResponse(made, 303)
            behind = [self._readers.behind] if self._readers.behind else []
            notes = [*made.notes, *behind, *(self._about_lexicon(each) for each in heard)]
            self.render.leave_out(list_empty_pages(asking.lexicon))
            return self.render.page(replace(made, notes=notes))

        return await self._answer(request, rendered)

    async def _answer(self, request: Request, make: Callable[[Asking], Any], *, bare: bool = False) -> Response:
        """Return what is made, or why it is not; nothing is made for a browser that has it already."""
        tag = self._tag()
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        try:
            made = await self._asked(request, make, is_piece=bare)
        except AptError as error:
            return self.refused(request, error, bare=bare)
        if isinstance(made, Response):
            return made
        answer = HTMLResponse(made)
        if self._tag() == tag:  # else it may be of the copy before
            answer.headers["ETag"] = tag
        return answer

    def refused(self, request: Request, error: Exception, **how: Any) -> Response:
        """Return why something is not shown: what is wrong with a request, or a fault of ours.

        how: as `Renderer.refusal` takes it.
        """
        text, status = f"a fault of aptdb: {type(error).__name__}", 500
        if isinstance(error, HTTPException):
            text, status = error.detail, error.status_code
        elif isinstance(error, AptError):
            text, status = self._about_lexicon(str(error)), 404 if isinstance(error, NoSuchLexemeError) else 400
        return HTMLResponse(self.render.refusal(text, asked_for(request), **how), status)

    def _tag(self) -> str:
        """Return a tag that changes with the copy that is asked, and with what pages say of it."""
        now = f"{self._started}\n{self._readers.copy_of_file}\n{self._readers.behind}"
        return f'W/"{hashlib.sha256(now.encode(errors="surrogateescape")).hexdigest()[:20]}"'

    def _about_lexicon(self, text: str) -> str:
        """Return a message about the copy as one about the lexicon."""
        for name in (str(self._readers.copy_of_file), str(self._readers.file)):
            text = text.replace(name, self._file)
        named = f"weights := {WEIGHTS}"  # which the copy has alone
        return text.replace(f" ({named})", "").replace(f"{named}, ", "").replace(f", {named}", "")


def application(
    readers: Readers,
    port: int,
    limits: SqlLimits,
    report: Callable[[str], None],
    *,
    token: str | None = None,
    any_host: bool = False,
    may_keep: bool = False,
) -> ASGIApp:
    """Return the application for one lexicon, at one port of this machine.

    report: called with errors of ours. token: what whoever asks must have; None: nothing. any_host: whether the server
    answers by any name, as one that other machines reach. may_keep: whether subcorpora can be kept in the lexicon.
    """
    file = readers.file.name if any_host else str(readers.file)
    explorer = Explorer(readers, limits, file, may_keep=may_keep)
    refused: Mapping[Any, Callable[[Request, Exception], Response]] = dict.fromkeys(
        (Exception, HTTPException, AptError), explorer.refused
    )
    pages = Starlette(routes=explorer.routes(), exception_handlers=refused, lifespan=explorer.living)
    gate = TokenGate(GZipMiddleware(pages, minimum_size=SMALLEST), port, token)
    return Guard(gate, port, report, explorer.render.open_it, any_host=any_host, can_write=may_keep)
