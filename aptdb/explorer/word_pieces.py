"""The pieces of pages about words, phrases and comparisons: sketch, drawing, neighbours, evidence, trend."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any
from unicodedata import east_asian_width

from aptdb.core.phrase import Phrase
from aptdb.core.result import Result
from aptdb.explorer.content import (
    Asked,
    Cell,
    Line,
    Link,
    Links,
    Picture,
    Piece,
    Table,
    count_cell,
    number,
    only_given,
    shares,
)
from aptdb.explorer.rendering import embedded, line_chart
from aptdb.explorer.snapshot import TOP
from aptdb.lexicon import Lexicon
from aptdb.store.statements import identifier, literal, statement

FIRST = 9  # relations that are shown at once; the others are folded away
LINES = 20  # of evidence
BESIDE = 60  # columns on each side of a keyword


def sketch(lexicon: Lexicon, links: Links, x: str, subcorpus: str | None) -> Piece:
    """Return the word sketch of a lexeme, a table for each relation."""
    question = Asked("sketch", (x,), only_given(subcorpus=subcorpus))
    found: Result = question.answer(lexicon)
    tables: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in found:
        tables.setdefault((row["path"], row["relation"]), []).append(row)
    content = [block(links, x, subcorpus, path, relation, rows) for (path, relation), rows in tables.items()]
    notes = [*left_out(lexicon, x, subcorpus), *([] if content else [f"no collocate of {x} is left"])]
    return Piece("blocks", "Sketch", (content[:FIRST], content[FIRST:]), [question], notes)


def block(links: Links, x: str, subcorpus: str | None, path: str, relation: str, rows: list[dict[str, Any]]) -> Table:
    """Return the collocates along a path."""
    lengths = shares([row["score"] for row in rows])
    cells = [
        (
            Cell(row["context"], links.lexeme(row["context"], subcorpus), is_lexeme=True),
            count_cell(row["count"], links.evidence(x, path, row["context"], subcorpus)),
            Cell(number(row["score"], 2), share=share),
        )
        for row, share in zip(rows, lengths, strict=True)
    ]
    return Table((("collocate", False), ("count", True), ("score", True)), cells, f"{relation} ({path or 'ε'})")


def left_out(lexicon: Lexicon, x: str, subcorpus: str | None) -> list[str]:
    """Return what a sketch leaves out, in words."""
    found = lexicon.left_out(x, **only_given(subcorpus=subcorpus))[0]
    notes = []
    if found["for_grammar"]:
        notes.append(f"{found['for_grammar']:,} that are there for grammar (DET, PUNCT, …)")
    if found["rare"]:
        notes.append(f"{found['rare']:,} that are met fewer than {found['least_count']} times")
    return [f"Collocates that are left out: {', and '.join(notes)}."] if notes else []


def drawing(lexicon: Lexicon, links: Links, x: str, subcorpus: str | None) -> Piece:
    """Return the drawing of a lexeme's APT."""
    question = Asked("draw", (x,), only_given(subcorpus=subcorpus))
    found = question.answer(lexicon)
    return Piece("picture", "Drawing", Picture(embedded(found.svg), found.as_text(100)), [question])


def neighbours(
    lexicon: Lexicon, links: Links, x: str, subcorpus: str | None, weights: str | None, known: Result | None
) -> Piece:
    """Return the lexemes most similar to a lexeme. known: precomputed neighbours."""
    question = Asked("neighbours", (x,), only_given(top=TOP, subcorpus=subcorpus))
    found = question.answer(lexicon, **kept(weights, subcorpus)) if known is None else known
    frequencies = frequencies_of(lexicon, found.column("lexeme"), subcorpus)
    rows = [(*row, frequencies.get(row[0])) for row in found.rows]
    found = Result((*found.columns, "frequency"), (*found.types, "BIGINT"), rows)
    return Piece("table", "Neighbours", neighbour_table(links, x, subcorpus, found), [question])


def frequencies_of(lexicon: Lexicon, lexemes: list[str], subcorpus: str | None) -> dict[str, int]:
    """Return the number of tokens of some lexemes, in the whole or in a subcorpus."""
    if not lexemes:
        return {}
    return dict(lexicon.sql(statement("explorer/frequencies"), {"lexemes": lexemes, "subcorpus": subcorpus}).rows)


def kept(weights: str | None, subcorpus: str | None) -> dict[str, Any]:
    """Return kept weights, if they answer the same question."""
    return {} if weights is None or subcorpus is not None else {"weights": weights}


def neighbour_table(links: Links, x: str, subcorpus: str | None, found: Result, caption: str = "") -> Table:
    """Return neighbours, with links from similarities to comparisons, and from frequencies to evidence."""
    lengths = shares(found.column("similarity"))
    rows = [
        (
            Cell(row["lexeme"], links.lexeme(row["lexeme"], subcorpus), is_lexeme=True),
            Cell(number(row["similarity"]), links.compare(x, row["lexeme"], subcorpus), share),
            *(
                [count_cell(row["frequency"], links.evidence(row["lexeme"], subcorpus=subcorpus))]
                if "frequency" in row
                else []
            ),
        )
        for row, share in zip(found, lengths, strict=True)
    ]
    columns = [("lexeme", False), ("similarity", True), ("tokens", True)]
    return Table(columns[: len(found.columns)], rows, caption)


def evidence(lexicon: Lexicon, links: Links, x: str, subcorpus: str | None) -> Piece:
    """Return a sample of sentences with a lexeme."""
    question = Asked("evidence", (x, None, None), only_given(sample=LINES, subcorpus=subcorpus))
    found = question.answer(lexicon)
    more = [Link("all", href)] if found.rows and (href := links.evidence(x, subcorpus=subcorpus)) else []
    notes = [] if found.rows else [f"no sentence with {x}"]
    return Piece("concordance", "Evidence", lines_of(found), [question], notes, more)


def lines_of(found: Result, links: Links | None = None, subcorpus: str | None = None) -> list[Line]:
    """Return rows of evidence as concordance lines. links: of contexts, if they are shown."""
    return [
        Line(
            row["sentence"] or "the whole",
            cut_before(row["before"]),
            row["keyword"],
            cut_after(row["after"]),
            row["text"],
            Cell(row["context"], links.lexeme(row["context"], subcorpus), is_lexeme=True)
            if links and row["context"]
            else None,
        )
        for row in found
    ]


def cut_before(text: str) -> str:
    """Return the end of the text before a keyword."""
    return cut_after(text[::-1])[::-1]


def cut_after(text: str) -> str:
    """Return the beginning of the text after a keyword. A Chinese or Japanese character counts as two."""
    room = BESIDE
    for place, letter in enumerate(text):
        room -= 2 if east_asian_width(letter) in "WF" else 1
        if room < 0:
            return f"{text[:place]}…"
    return text


def places(lexicon: Lexicon, links: Links, x: str, subcorpus: str | None, by: str) -> Piece:
    """Return the frequencies of a lexeme by corpus or kind of text."""
    question = Asked("counts_by", (x,), only_given(by=by, subcorpus=subcorpus))
    found = question.answer(lexicon)
    lengths = shares(found.column("per_million"))
    # The sentences of a value can be shown where a subcorpus has just these.
    subcorpora = {row["condition"]: row["subcorpus"] for row in lexicon.subcorpora()} if subcorpus is None else {}
    rows = [
        (
            Cell("(none)" if row["value"] is None else str(row["value"])),
            count_cell(row["count"], evidence_of(links, x, subcorpora, by, row["value"])),
            Cell(number(row["tokens"])),
            Cell(number(row["per_million"], 1), share=share),
        )
        for row, share in zip(found, lengths, strict=True)
    ]
    columns = ((by, False), ("count", True), ("tokens of it", True), ("per million", True))
    return Piece("table", f"Where it occurs, by {by}", Table(columns, rows), [question])


def evidence_of(links: Links, x: str, subcorpora: dict[str, str], by: str, value: object) -> str:
    """Return the address of the sentences of a kind of text, where a subcorpus has exactly these; else nothing."""
    # As `subcorpora_by` writes conditions, of text and of numbers.
    conditions = (f"{identifier(by)} = {literal(str(value))}", f"{identifier(by)} = {value}")
    return next((links.evidence(x, subcorpus=subcorpora[each]) for each in conditions if each in subcorpora), "")


def trend(lexicon: Lexicon, links: Links, x: str, subcorpus: str | None, by: str) -> Piece:
    """Return the frequency of a lexeme over time."""
    question = Asked("trend", (x,), only_given(by=by, subcorpus=subcorpus))
    found = question.answer(lexicon)
    if not found.rows:
        return Piece("nothing", "Over time", None, [question], [f"{x} is in no document whose {by} is a time"])
    rows = [(Cell(str(row["value"])), Cell(number(row["count"])), Cell(number(row["per_million"], 1))) for row in found]
    columns = ((by, False), ("count", True), ("per million", True))
    values = found.column("per_million")
    first = found[0]
    notes = [rise(first["slope"], first["tau"], first["p_value"])] if first["slope"] is not None else []
    picture = Picture(line_chart([str(each) for each in found.column("value")], values, "per million tokens"), "")
    return Piece("trend", "Over time", (picture, Table(columns, rows)), [question], notes)


def rise(slope: float, tau: float | None, p_value: float | None) -> str:
    """Return the change of a frequency, in words."""
    tested = "" if tau is None or p_value is None else f" (τ = {number(tau, 2)}, p = {number(p_value, 3)})"
    if not slope:
        return f"It neither rises nor falls{tested}."
    return f"It {'rises' if slope > 0 else 'falls'} by {number(abs(slope), 2)} per million in a unit of time{tested}."


NEIGHBOURS = 15
OF_WORDS = 10  # neighbours of each word
COLUMNS = (
    ("alone", False), ("similarity", True), ("in the phrase", False), ("similarity", True),
    ("unaligned", False), ("similarity", True),
)  # fmt: skip


def tree(lexicon: Lexicon, links: Links, x: str) -> Piece:
    """Return the dependency tree of a phrase."""
    found = lexicon.draw_trees([x])
    words = literal(Phrase.parse(x).words())
    question = Asked(
        "draw", (x,), {"tree": True}, f"SELECT unnest({words}, recursive := true)", f"lexicon.draw_trees([{x!r}])"
    )
    return Piece("picture", "Tree", Picture(embedded(found.svg), str(found)), [question])


def composed_drawing(lexicon: Lexicon, links: Links, x: str, subcorpus: str | None, merge: str | None) -> Piece:
    """Return the drawing of a composed APT, in the colours of its words."""
    question = Asked("draw", (x,), only_given(merge=merge, subcorpus=subcorpus))
    found = question.answer(lexicon)
    return Piece("picture", "What each word contributes", Picture(embedded(found.svg), found.as_text(100)), [question])


def phrase_neighbours(
    lexicon: Lexicon, links: Links, x: str, subcorpus: str | None, merge: str | None, weights: str | None
) -> Piece:
    """Return the neighbours of the phrase: with its words aligned, and unaligned."""
    questions, tables = [], []
    for aligned, caption in ((None, "aligned"), (False, "unaligned")):
        question = Asked(
            "neighbours", (x,), only_given(top=NEIGHBOURS, merge=merge, aligned=aligned, subcorpus=subcorpus)
        )
        found = question.answer(lexicon, **kept(weights, subcorpus))
        questions.append(question)
        tables.append(neighbour_table(links, x, subcorpus, found, caption))
    return Piece("tables", "Neighbours of the phrase", tables, questions)


def words(
    lexicon: Lexicon, links: Links, x: str, subcorpus: str | None, merge: str | None, weights: str | None
) -> Piece:
    """Return the neighbours of each word alone, in the phrase, and in the unaligned phrase.

    They are those of `contextualise`, asked one by one, which is faster with kept weights.
    """
    given = only_given(top=OF_WORDS, merge=merge, subcorpus=subcorpus)
    more = kept(weights, subcorpus)
    tables = []
    for anchor, word in enumerate(Phrase.parse(x).words(), 1):
        alone = lexicon.neighbours(word["lexeme"], **only_given(top=OF_WORDS, subcorpus=subcorpus), **more)
        seen = [lexicon.neighbours(x, anchor=anchor, aligned=each, **given, **more) for each in (True, False)]
        rows = [
            [cell for row in beside for cell in two(links, subcorpus, row)]
            for beside in zip_longest(alone.rows, *(each.rows for each in seen), fillvalue=("", None))
        ]
        tables.append(Table(COLUMNS, rows, word["lexeme"]))
    questions = [Asked("contextualise", (x,), given), Asked("contextualise", (x,), {**given, "aligned": False})]
    return Piece("tables", "Neighbours of its words", tables, questions)


def two(links: Links, subcorpus: str | None, row: Sequence[Any]) -> tuple[Cell, Cell]:
    """Return a neighbour and its similarity."""
    lexeme, similarity, *_ = row
    return Cell(lexeme, links.lexeme(lexeme, subcorpus) if lexeme else "", is_lexeme=True), Cell(number(similarity))


FEATURES = 20
OF_EACH = 4  # collocates of each kind, for each relation
PER_PATH = 3
PATHS = 40
AT_ONCE = 6  # tables; the others are folded away
KEY_ITEMS = 50
KEY_NOTE = "Words for grammar, numbers, and words that both count fewer than 5 times together are left out."
SIDES = {"a": "A", "b": "B", "both": "both"}


def similarity(
    lexicon: Lexicon, links: Links, a: str, b: str, subcorpora: dict[str, str | None], weights: str | None
) -> Piece:
    """Return the similarity of two, and the contexts behind it."""
    question = Asked("explain", (a, b), only_given(top=FEATURES, **subcorpora))
    more = {} if weights is None or any(subcorpora.values()) else {"weights": weights}
    found = question.answer(lexicon, **more)
    whole = sum(found.column("contribution"), 0.0)
    lengths = shares([row["contribution"] if row["context"] else None for row in found])
    rows = [
        (
            Cell("all others" if row["context"] is None else row["path"] or "ε"),
            context_of(links, row["context"], subcorpora),
            weight_of(links, a, row, "weight_a", subcorpora.get("subcorpus")),
            weight_of(links, b, row, "weight_b", subcorpora.get("subcorpus_b") or subcorpora.get("subcorpus")),
            Cell(number(row["contribution"]), share=share),
        )
        for row, share in zip(found, lengths, strict=True)
    ]
    columns = (("path", False), ("context", False), ("weight of A", True), ("weight of B", True), ("adds", True))
    notes = [f"The similarity is {number(whole)}, the sum of what each shared context adds."]
    return Piece("table", "How similar they are, and why", Table(columns, rows), [question], notes)


def context_of(links: Links, context: str | None, subcorpora: dict[str, str | None]) -> Cell:
    """Return a context with a link to its page; '' for the row that sums up the rest."""
    return Cell(context or "", links.lexeme(context, subcorpora.get("subcorpus")) if context else "", is_lexeme=True)


def weight_of(links: Links, x: str, row: dict[str, Any], name: str, subcorpus: str | None) -> Cell:
    """Return a weight, with a link to its sentences where x is a lexeme."""
    is_lexeme = row["context"] is not None and not x.endswith("]")
    behind = links.evidence(x, row["path"], row["context"], subcorpus, counts="packed") if is_lexeme else ""
    return Cell(number(row[name], 2), behind if row[name] else "")


def sketches(lexicon: Lexicon, links: Links, a: str, b: str, subcorpora: dict[str, str | None]) -> Piece:
    """Return the word sketches of two lexemes side by side."""
    second = None if a == b else b
    question = Asked("sketch_diff", (a, second), only_given(top=OF_EACH, **subcorpora))
    found = question.answer(lexicon)
    blocks: dict[tuple[str, str], list[tuple[Cell, ...]]] = {}
    of_b = subcorpora.get("subcorpus_b") or subcorpora.get("subcorpus")
    for row in found:
        blocks.setdefault((row["relation"], row["path"]), []).append(
            (
                context_of(links, row["context"], subcorpora),
                Cell(SIDES[row["meets"]]),
                count_cell(row["count_a"], links.evidence(a, row["path"], row["context"], subcorpora.get("subcorpus"))),
                count_cell(row["count_b"], links.evidence(b, row["path"], row["context"], of_b)),
                Cell(number(row["score_a"], 2)),
                Cell(number(row["score_b"], 2)),
            )
        )
    columns = (
        ("collocate", False), ("of", False), ("count A", True), ("count B", True), ("score A", True), ("score B", True),
    )  # fmt: skip
    tables = [Table(columns, rows, f"{relation} ({path or 'ε'})") for (relation, path), rows in blocks.items()]
    return Piece("blocks", "Collocates side by side", (tables[:AT_ONCE], tables[AT_ONCE:]), [question])


def contexts(lexicon: Lexicon, links: Links, a: str, b: str, subcorpora: dict[str, str | None]) -> Piece:
    """Return the contexts that lean to one of two, or belong to both."""
    question = Asked("diff", (a, b), only_given(per_path=PER_PATH, **subcorpora))
    found = question.answer(lexicon)
    of_path: dict[str, list[tuple[Cell, ...]]] = {}
    for row in found:
        of_path.setdefault(row["path"], []).append(
            (
                context_of(links, row["context"], subcorpora),
                Cell(SIDES[row["leans"]]),
                Cell(number(row["weight_a"], 2)),
                Cell(number(row["weight_b"], 2)),
            )
        )
    columns = (("context", False), ("leans to", False), ("weight of A", True), ("weight of B", True))
    shortest = sorted(of_path, key=lambda path: (path.count("<") + path.count(">"), -len(of_path[path]), path))
    tables = [Table(columns, of_path[path], path or "ε") for path in shortest[:PATHS]]
    left = len(of_path) - len(tables)
    notes = [f"{left:,} longer paths are not shown here."] if left else []
    return Piece("blocks", "Contexts side by side", (tables[:AT_ONCE], tables[AT_ONCE:]), [question], notes)


def key_lexemes(lexicon: Lexicon, links: Links, subcorpus: str, subcorpus_b: str | None) -> Piece:
    """Return the content words that are more frequent in a subcorpus than in another, or in all the rest.

    Of another that shares sentences with it, without these.
    """
    given = {"top": KEY_ITEMS, **({"overlap": "difference"} if subcorpus_b else {})}
    question = Asked("keyness", (subcorpus, subcorpus_b), given)
    found = [row for row in question.answer(lexicon) if row["per_million_a"] > row["per_million_b"]]
    rows = [
        (
            Cell(row["lexeme"], links.lexeme(row["lexeme"], subcorpus), is_lexeme=True),
            count_cell(row["count_a"], links.evidence(row["lexeme"], subcorpus=subcorpus)),
            count_cell(row["count_b"], links.evidence(row["lexeme"], subcorpus=subcorpus_b) if subcorpus_b else ""),
            Cell(number(row["log_ratio"], 2)),
            Cell(number(row["g2"], 1)),
            Cell(number(row["documents_a"])),
        )
        for row in found
    ]
    there = subcorpus_b or "all the rest"
    columns = (
        ("lexeme", False), (f"in {subcorpus}", True), (f"in {there}", True), ("log ratio", True), ("G²", True),
        (f"documents of {subcorpus}", True),
    )  # fmt: skip
    notes = (
        [KEY_NOTE, *([f"Sentences of both count as those of {subcorpus} alone."] if subcorpus_b else [])]
        if rows
        else [f"No content word is more frequent in {subcorpus}, beside {there}."]
    )
    heading = f"Content words that are typical of {subcorpus}, beside {there}"
    return Piece("table", heading, Table(columns, rows), [question], notes)
