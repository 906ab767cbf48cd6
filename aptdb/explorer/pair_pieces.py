"""The pieces of comparisons: of two words or phrases, and of two subcorpora."""

from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.explorer.content import (
    Asked,
    Asking,
    Cell,
    Links,
    Piece,
    Table,
    count_cell,
    figure,
    format_thousands,
    only_given,
    shares,
)
from aptdb.explorer.lookups import either
from aptdb.explorer.word_pieces import kept

FEATURES = 20
REST = "all others"
OF_EACH = 4  # collocates of each kind, for each relation
KINDS = 3  # of contexts: of A, of B, of both
PER_PATH = 3
PATHS = 40
AT_ONCE = 6  # tables; the others are folded away
KEY_ITEMS = 50
KEY_NOTE = "Left out: function words, numbers, and words that occur fewer than 5 times in both together."
SIDES = {"a": "A", "b": "B", "both": "both"}


def read_pair(asking: Asking) -> tuple[str, str]:
    """Return the two that are compared; a single one is compared with itself in another subcorpus."""
    a, b = asking.get("a"), asking.get("b")
    one = a or b or ""
    first, second = (either(asking.lexicon, each) for each in (one, b or one))
    if first == second and asking.get("subcorpus_b") in (None, asking.get("subcorpus")):
        raise QuestionError(f"{first} is compared with itself; name another, or another subcorpus")
    return first, second


def read_subcorpora_of_pair(asking: Asking) -> dict[str, str | None]:
    """Return the subcorpora of the two that are compared, as questions take them."""
    return {name: asking.get(name) for name in ("subcorpus", "subcorpus_b")}


def make_similarity_piece(asking: Asking) -> Piece:
    """Return the similarity of two, and the contexts behind it."""
    links, how = asking.links, asking.how
    (a, b), subcorpora = read_pair(asking), read_subcorpora_of_pair(asking)
    most = how.view.depth(FEATURES)
    question = Asked("explain", (a, b), only_given(top=most, **subcorpora) | how.of("explain"))
    found = question.answer(asking.lexicon, **kept(asking.weights, next(filter(None, subcorpora.values()), None), how))
    whole = sum(found.column("contribution"), 0.0)
    lengths = shares([row["contribution"] if row["context"] else None for row in found])
    rows = [
        (
            Cell(REST if row["context"] is None else row["path"] or "ε"),
            link_context(links, row["context"], subcorpora),
            link_weight(links, a, row, "weight_a", subcorpora.get("subcorpus")),
            link_weight(links, b, row, "weight_b", subcorpora.get("subcorpus_b") or subcorpora.get("subcorpus")),
            figure(row["contribution"], share=share),
        )
        for row, share in zip(found, lengths, strict=True)
    ]
    columns = (("path", False), ("context", False), ("weight of A", True), ("weight of B", True), ("adds", True))
    notes = [f"The similarity is {format_thousands(whole)}, the sum of what each shared context adds."]
    foot = [row for row in rows if row[0].text == REST]
    shown = how.view.top or FEATURES
    table = Table(columns, [row for row in rows if row[0].text != REST], foot=foot, most=shown)
    return Piece("table", "How similar they are, and why", table, [question], notes, rows=shown)


def link_context(links: Links, context: str | None, subcorpora: dict[str, str | None]) -> Cell:
    """Return a context with a link to its page; '' for the row that sums up the rest."""
    return Cell(context or "", links.lexeme(context, subcorpora.get("subcorpus")) if context else "", is_lexeme=True)


def link_weight(links: Links, x: str, row: dict[str, Any], name: str, subcorpus: str | None) -> Cell:
    """Return a weight, with a link to its sentences where x is a lexeme."""
    is_lexeme = row["context"] is not None and not x.endswith("]")
    behind = links.evidence(x, row["path"], row["context"], subcorpus, counts="packed") if is_lexeme else ""
    return figure(row[name], 2, behind if row[name] else "")


def sketches(asking: Asking) -> Piece:
    """Return the word sketches of two lexemes side by side."""
    links, how = asking.links, asking.how
    (a, b), subcorpora = read_pair(asking), read_subcorpora_of_pair(asking)
    second = None if a == b else b
    most, shown = how.view.depth(OF_EACH), how.view.top or OF_EACH
    given = only_given(top=most, min_count=how.view.least, **subcorpora) | how.of("sketch_diff")
    question = Asked("sketch_diff", (a, second), given)
    counts = how.settings.get("counts")
    found = question.answer(asking.lexicon)
    blocks: dict[tuple[str, str], list[tuple[Cell, ...]]] = {}
    of_a = subcorpora.get("subcorpus")
    of_b = subcorpora.get("subcorpus_b") or subcorpora.get("subcorpus")
    for row in found:
        blocks.setdefault((row["relation"], row["path"]), []).append(
            (
                link_context(links, row["context"], subcorpora),
                Cell(SIDES[row["meets"]]),
                count_cell(row["count_a"], links.evidence(a, row["path"], row["context"], of_a, counts)),
                count_cell(row["count_b"], links.evidence(b, row["path"], row["context"], of_b, counts)),
                figure(row["score_a"], 2),
                figure(row["score_b"], 2),
            )
        )
    columns = (
        ("collocate", False), ("of", False), ("count A", True), ("count B", True), ("score A", True), ("score B", True),
    )  # fmt: skip
    tables = [
        Table(columns, rows, relation, key={"relation": relation, "path": path}, path=path, most=KINDS * shown)
        for (relation, path), rows in blocks.items()
    ]
    content = (tables[:AT_ONCE], tables[AT_ONCE:])
    return Piece("blocks", "Collocates side by side", content, [question], rows=shown)


def make_contexts_piece(asking: Asking) -> Piece:
    """Return the contexts that lean to one of two, or belong to both."""
    links, how = asking.links, asking.how
    (a, b), subcorpora = read_pair(asking), read_subcorpora_of_pair(asking)
    most, shown = how.view.depth(PER_PATH), how.view.top or PER_PATH
    question = Asked("diff", (a, b), only_given(per_path=most, **subcorpora) | how.of("diff"))
    found = question.answer(asking.lexicon)
    of_path: dict[str, list[tuple[Cell, ...]]] = {}
    for row in found:
        of_path.setdefault(row["path"], []).append(
            (
                link_context(links, row["context"], subcorpora),
                Cell(SIDES[row["leans"]]),
                figure(row["weight_a"], 2),
                figure(row["weight_b"], 2),
            )
        )
    columns = (("context", False), ("leans to", False), ("weight of A", True), ("weight of B", True))
    shortest = sorted(of_path, key=lambda path: (path.count("<") + path.count(">"), -len(of_path[path]), path))
    tables = [
        Table(columns, of_path[path], path or "ε", key={"path": path}, path=path, most=KINDS * shown)
        for path in shortest[:PATHS]
    ]
    left = len(of_path) - len(tables)
    notes = [f"{left:,} longer paths are not shown here."] if left else []
    content = (tables[:AT_ONCE], tables[AT_ONCE:])
    return Piece("blocks", "Contexts side by side", content, [question], notes, rows=shown)


def key_lexemes(asking: Asking) -> Piece:
    """Return the content words that are more frequent in a subcorpus than in another, or in all the rest.

    Of another that shares sentences with it, without these. Raises QuestionError if no subcorpus is named.
    """
    links, how, subcorpus, subcorpus_b = asking.links, asking.how, asking.get("subcorpus"), asking.get("subcorpus_b")
    if subcorpus is None:
        raise QuestionError("name a subcorpus")
    given = {"top": how.view.depth(KEY_ITEMS), **({"overlap": "difference"} if subcorpus_b else {})}
    question = Asked("keyness", (subcorpus, subcorpus_b), given)
    found = [row for row in question.answer(asking.lexicon) if row["per_million_a"] > row["per_million_b"]]
    rows = [
        (
            Cell(row["lexeme"], links.lexeme(row["lexeme"], subcorpus), is_lexeme=True),
            count_cell(row["count_a"], links.evidence(row["lexeme"], subcorpus=subcorpus)),
            count_cell(row["count_b"], links.evidence(row["lexeme"], subcorpus=subcorpus_b) if subcorpus_b else ""),
            figure(row["log_ratio"], 2),
            figure(row["g2"], 1),
            Cell(format_thousands(row["documents_a"]), value=row["documents_a"]),
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
        else [f"No content word is more frequent in {subcorpus} than in {there}."]
    )
    heading = f"Content words that are typical of {subcorpus} compared with {there}"
    shown = how.view.top or KEY_ITEMS
    return Piece("table", heading, Table(columns, rows, most=shown), [question], notes, rows=shown)
