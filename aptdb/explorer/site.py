"""Write a site: the pages of the most frequent lexemes as files, for any web server, or for none."""

import json
import os
import re
import shutil
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from pathlib import Path

from aptdb.core.count_parameters import Sketching
from aptdb.core.display import how_many
from aptdb.core.errors import IncompleteDataWarning, warn, warnings_heard
from aptdb.core.parameters import declared
from aptdb.core.result import Result
from aptdb.core.settings import lower_letters
from aptdb.explorer import word_pieces
from aptdb.explorer.content import (
    ALL_WORDS,
    Asked,
    Asking,
    Cell,
    Link,
    Links,
    Page,
    Piece,
    SiteLinks,
    Table,
    count_cell,
    figure,
)
from aptdb.explorer.home import home
from aptdb.explorer.kept_answers import NAME, TOP, KnownNeighbours
from aptdb.explorer.lookups import count_tokens_in, frequencies_of, look_up, per_million
from aptdb.explorer.pages import SAME_LEMMA
from aptdb.explorer.rendering import Renderer, static_text
from aptdb.explorer.table_tools import apart, as_file
from aptdb.lexicon import Lexicon
from aptdb.pictures import draw
from aptdb.pictures.drawing import Drawing
from aptdb.store.file_writing import (
    as_private_as,
    failures_named,
    parent_of,
    put_in_place,
    refuse_taken_place,
    target_of,
)
from aptdb.store.methods import of_session
from aptdb.store.statements import statement
from aptdb.store.temporary_folders import sweep, unguessable

SENTENCES = 10  # of each lexeme
FRAMES, OF_FRAMES = 12, 200  # frames of each lexeme, and occurrences that are looked at for them
VERB = re.compile(r"/V[^/]*$")  # ends a lexeme that has frames
AT_ONCE = 200  # lexemes whose answers are computed together
NAMED = 3  # lexemes in a message
BRACKETS = "and whatever else ends with ] has no page: such text is read as a phrase"
LETTERS = 60  # of the name of a file
IN_FILES = ("Sketch", "Neighbours")  # pieces whose tables are files too
WORDS, STATIC = "words", ("style.css", "word.css", "script.js", "tables.js", "keys.js", "clipboard.js", "icon.svg")
NO_LETTERS = re.compile(r"[^a-z0-9]+")

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Plan:
    """The contents of a site: the name and size of its lexicon, and the files, lemmas and frequencies of lexemes."""

    name: str
    tokens: int
    files: Mapping[str, str]
    lemmas: Mapping[str, str]
    frequencies: Mapping[str, int]

    @cached_property
    def by_lemma(self) -> dict[str, list[str]]:
        """Return the lexemes that have pages, by lemma."""
        found: dict[str, list[str]] = {}
        for lexeme in self.files:
            found.setdefault(self.lemmas[lexeme], []).append(lexeme)
        return found

    def links(self, depth: int) -> SiteLinks:
        """Return the addresses from a page in a folder of some depth."""
        return SiteLinks(lambda lexeme: self.files.get(lexeme, ""), depth)


def write_site(lexicon: Lexicon, folder: Path, top: int, progress: Progress = lambda *_: None) -> tuple[int, int]:
    """Write the pages of the `top` most frequent lexemes into a new folder; return the numbers of pages and bytes.

    Words that serve grammar have no page. The folder is written completely or not at all, and is as private as the
    lexicon. Raises QuestionError.
    """
    refuse_taken_place(folder)
    sweep(parent_of(folder))
    unfinished = target_of(folder).with_name(unguessable(os.getpid()))
    try:
        with failures_named(folder), as_private_as(lexicon.file):
            unfinished.mkdir()
            plan = plan_pages(lexicon, top)
            write_pages(lexicon, plan, unfinished, progress)
            write_others(lexicon, plan, unfinished)
            put_in_place([unfinished], [folder])
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    written = [each for each in folder.rglob("*") if each.is_file()]
    return len(plan.files) + 2, sum(each.stat().st_size for each in written)


def plan_pages(lexicon: Lexicon, top: int) -> Plan:
    """Return the lexemes that have pages, and their files."""
    found = [*look_up(lexicon, "explorer/lexemes", most=top)]
    if phrases := [row["lexeme"] for row in found if row["lexeme"].endswith("]")]:
        warn(f"{', '.join(phrases[:NAMED])} {BRACKETS}", IncompleteDataWarning)
    lexemes = [row["lexeme"] for row in found if not row["lexeme"].endswith("]")]
    begun = (NO_LETTERS.sub("-", lower_letters(each)).strip("-")[:LETTERS] for each in lexemes)
    names = apart([each or "word" for each in begun], "{}-{}")
    named = {lexeme: f"{WORDS}/{name}.html" for lexeme, name in zip(lexemes, names, strict=True)}
    lemmas, frequencies = ({row["lexeme"]: row[each] for row in found} for each in ("lemma", "frequency"))
    return Plan(lexicon.file.name, count_tokens_in(lexicon, None), named, lemmas, frequencies)


def write_pages(lexicon: Lexicon, plan: Plan, folder: Path, progress: Progress) -> None:
    """Write the page of each lexeme. While the pages of some are written, the answers for the next are computed."""
    (folder / WORDS).mkdir()
    lexemes, done = [*plan.files], 0
    parts = [lexemes[begin : begin + AT_ONCE] for begin in range(0, len(lexemes), AT_ONCE)]
    lexicon.thesaurus(folder / NAME, top=TOP)
    with closing(KnownNeighbours(folder / NAME)) as near, ThreadPoolExecutor(1) as ahead:
        begun = [ahead.submit(answers, lexicon, near, each) for each in parts[:1]]
        for part, following in zip_longest(parts, parts[1:]):
            writer = Writer(lexicon, plan, folder, begun.pop().result())
            begun += [ahead.submit(answers, lexicon, near, following)] if following else []
            for lexeme in part:
                writer.write(lexeme)
                done += 1
                progress(done, len(lexemes))
    (folder / NAME).unlink()


@dataclass(frozen=True)
class Answers:
    """The answers that the pages of some lexemes show, by lexeme.

    notes: warnings heard. frequencies: those of neighbours.
    """

    sketches: Mapping[str, Result]
    left_out: Mapping[str, Sequence[str]]
    drawings: Mapping[str, Drawing]
    near: Mapping[str, Result]
    frequencies: Mapping[str, int]
    sentences: Mapping[str, Result]
    frames: Mapping[str, Result]
    with_senses: Sequence[str]
    notes: Sequence[str]


def answers(lexicon: Lexicon, near: KnownNeighbours, lexemes: Sequence[str]) -> Answers:
    """Return what the pages of some lexemes show, by one question for each piece: planning takes longest."""
    verbs = [each for each in lexemes if VERB.search(each)]
    of_verbs = {"lexemes": verbs, "sample": OF_FRAMES, "most": FRAMES}
    with warnings_heard() as heard:
        neighbours = near.of_each(lexemes)
        named = {each for found in neighbours.values() for each in found.column("lexeme")}
        return Answers(
            by_lexeme(sketch_each(lexicon, lexemes)),
            {row["lexeme"]: word_pieces.left_out_in_words(row) for row in left_out_of_each(lexicon, lexemes)},
            draw_each(lexicon, lexemes),
            neighbours,
            frequencies_of(lexicon, sorted(named), None),
            sample_sentences(lexicon, lexemes),
            by_lexeme(look_up(lexicon, "questions/sketch/frames_of_each", **of_verbs)),
            look_up(lexicon, "explorer/with_senses").column("lexeme"),
            [*heard],
        )


draw_each = of_session(draw.draw_each)


def sketch_each(lexicon: Lexicon, lexemes: Sequence[str]) -> Result:
    """Return the word sketches of several lexemes, as `sketch` shows them without parameters: its rows, with lexeme."""
    known = declared(Sketching)
    values = {name: known[name].default for name in ("max_order", "top", "score")}
    return lexicon.sql(statement("questions/sketch/sketch_each", **values), {"lexemes": [*lexemes]})


def left_out_of_each(lexicon: Lexicon, lexemes: Sequence[str]) -> Result:
    """Return what the sketch of each of several lexemes leaves out: rows of lexeme, for_grammar, rare, least_count."""
    most = declared(Sketching)["max_order"].default
    return lexicon.sql(statement("questions/sketch/left_out_of_each", max_order=most), {"lexemes": [*lexemes]})


def by_lexeme(found: Result) -> dict[str, Result]:
    """Return rows as one result for each lexeme, which is their first column."""
    rows: dict[str, list[tuple[object, ...]]] = {}
    for row in found.rows:
        rows.setdefault(row[0], []).append(row)
    return {lexeme: Result(found.columns, found.types, each) for lexeme, each in rows.items()}


def sample_sentences(lexicon: Lexicon, lexemes: Sequence[str]) -> dict[str, Result]:
    """Return some sentences of each lexeme, as `evidence` would show them."""
    return by_lexeme(look_up(lexicon, "explorer/sentences", lexemes=[*lexemes], sample=SENTENCES))


@dataclass(frozen=True)
class Writer:
    """Writes the pages of lexemes, from answers for all of them."""

    lexicon: Lexicon
    plan: Plan
    folder: Path
    answers: Answers

    def write(self, lexeme: str) -> None:
        """Write the page of a lexeme."""
        with warnings_heard() as heard:
            page = self.page(lexeme)
        notes = dict.fromkeys([*self.answers.notes, *heard])
        file = self.folder / self.plan.files[lexeme]
        pieces = [self.with_file(each, file) for each in page.pieces if isinstance(each, Piece)]
        text = render_site_page(self.plan, replace(page, notes=[*notes], pieces=pieces), 1)
        file.write_text(text, encoding="utf-8")

    def with_file(self, piece: Piece, page: Path) -> Piece:
        """Write the tables of a piece as CSV beside its page; return the piece with a link to them."""
        if piece.heading not in IN_FILES:
            return piece
        file = page.with_suffix(f".{piece.heading.lower()}.csv")
        file.write_text(as_file(piece, "csv"), encoding="utf-8", newline="")
        return replace(piece, links=[*piece.links, Link("as CSV", file.name)])

    def page(self, lexeme: str) -> Page:
        """Return the page of a lexeme."""
        asking = Asking(self.lexicon, links := self.plan.links(1), {"x": lexeme})
        frequency = self.plan.frequencies[lexeme]
        facts = [Cell(how_many(frequency, "token")), Cell(per_million(frequency, self.plan.tokens))]
        same = [each for each in self.plan.by_lemma[self.plan.lemmas[lexeme]] if each != lexeme]
        groups = [(SAME_LEMMA, [Link(each, links.lexeme(each)) for each in same])] if same else []
        pieces = [
            self.sketch(asking, lexeme),
            word_pieces.pictured(Asked("plot.apt", (lexeme,), {}), self.answers.drawings[lexeme]),
            self.neighbours(asking, lexeme),
            *self.frames(lexeme),
            *([word_pieces.make_senses_piece(asking)] if lexeme in self.answers.with_senses else []),
            self.evidence(lexeme, links),
        ]
        return Page(lexeme, "Lexeme", facts, groups, pieces, template="lexeme.html")

    def sketch(self, asking: Asking, lexeme: str) -> Piece:
        """Return the sketch of a lexeme."""
        found = self.answers.sketches.get(lexeme, Result((), (), []))
        return word_pieces.sketched(asking, Asked("sketch", (lexeme,)), found, self.answers.left_out.get(lexeme, ()))

    def neighbours(self, asking: Asking, lexeme: str) -> Piece:
        """Return the neighbours of a lexeme; those of a rare one are asked for."""
        if (known := self.answers.near.get(lexeme)) is None:
            return word_pieces.make_near_piece(asking)
        question = Asked("neighbours", (lexeme,), {"top": TOP})
        return word_pieces.make_ranked_piece(asking, question, known, self.answers.frequencies)

    def frames(self, lexeme: str) -> list[Piece]:
        """Return the frames of a verb."""
        found = [*self.answers.frames.get(lexeme, ())]
        if not found:
            return []
        rows = [
            [Cell(row["frame"]), count_cell(row["count"], ""), figure(row["share"], 3, share=row["share"])]
            for row in found
        ]
        looked_at = min(self.plan.frequencies[lexeme], OF_FRAMES)
        notes = [f"The most frequent, in {how_many(looked_at, 'occurrence')}."]
        table = Table((("frame", False), ("count", True), ("share", True)), rows)
        return [Piece("table", "Frames", table, [Asked("frames", (lexeme,), {"top": FRAMES})], notes)]

    def evidence(self, lexeme: str, links: Links) -> Piece:
        """Return some sentences of a lexeme."""
        question = Asked("evidence", (lexeme, None, None), {"sample": SENTENCES})
        found = self.answers.sentences.get(lexeme)
        if found is None:
            return Piece("nothing", "Evidence", None, [question], [f"no sentence with {lexeme}"])
        return Piece("concordance", "Evidence", word_pieces.evidence_as_lines(found, links), [question])


def render_site_page(plan: Plan, page: Page, depth: int) -> str:
    """Return a page as HTML."""
    return Renderer(plan.links(depth), plan.name, plan.name).page(page)


def by_letter(plan: Plan) -> list[tuple[str, list[Link]]]:
    """Return links to the pages of all lexemes, by their first letter; what begins with none comes first, under #."""
    links = plan.links(0)
    found: dict[str, list[Link]] = {}
    for lexeme in sorted(plan.files, key=lambda each: (lower_letters(plan.lemmas[each]), each)):
        first = unicodedata.normalize("NFKD", lexeme[:1])[:1].upper()
        found.setdefault(first if first.isalpha() else "#", []).append(Link(lexeme, links.lexeme(lexeme)))
    return sorted(found.items(), key=lambda each: (each[0] != "#", each[0]))


def write_others(lexicon: Lexicon, plan: Plan, folder: Path) -> None:
    """Write the first page, the style sheet, the script, and the words for the search."""
    first = home(lexicon, plan.links(0), plan.name)
    pages = Cell(f"{len(plan.files):,} of these have a page")
    text = render_site_page(plan, replace(first, facts=[*first.facts, pages]), 0)
    (folder / "index.html").write_text(text, encoding="utf-8")
    listed = Page("All words", "A–Z", [pages], pieces=[Piece("letters", "A–Z", by_letter(plan))])
    (folder / ALL_WORDS).write_text(render_site_page(plan, listed, 0), encoding="utf-8")
    static = folder / "static"
    static.mkdir()
    for name in STATIC:
        (static / name).write_text(static_text(name), encoding="utf-8", newline="")
    words = [[lexeme, plan.frequencies[lexeme], file] for lexeme, file in plan.files.items()]
    (static / "words.js").write_text(f"window.aptdbWords = {json.dumps(words)};\n", encoding="ascii")
