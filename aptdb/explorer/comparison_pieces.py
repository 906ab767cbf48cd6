"""The pieces of a page that compares two words, two phrases, or two subcorpora."""

from typing import Any

from aptdb.explorer.content import Asked, Cell, Piece, Table, number, only_given, shares
from aptdb.explorer.links import Links
from aptdb.lexicon import Lexicon
from aptdb.questions.calls import call

FEATURES = 20
OF_EACH = 4  # collocates of each kind, for each relation
PER_PATH = 3
PATHS = 40
AT_ONCE = 6  # tables; the others are folded away
KEY_ITEMS = 50
SIDES = {"a": "A", "b": "B", "both": "both"}


def similarity(
    lexicon: Lexicon, links: Links, a: str, b: str, subcorpora: dict[str, str | None], weights: str | None
) -> Piece:
    """Return how alike two are, and by which contexts."""
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
    said = [f"The similarity is {number(whole)}, the sum of what each shared context adds."]
    return Piece("table", "How similar they are, and why", Table(columns, rows), [question], said)


def context_of(links: Links, context: str | None, subcorpora: dict[str, str | None]) -> Cell:
    """Return a context, which leads to its page; nothing where all others are summed up."""
    return Cell(context or "", links.lexeme(context, subcorpora.get("subcorpus")) if context else "", is_lexeme=True)


def weight_of(links: Links, x: str, row: dict[str, Any], name: str, subcorpus: str | None) -> Cell:
    """Return a weight, with the sentences behind it where x is a lexeme."""
    is_lexeme = row["context"] is not None and not x.endswith("]")
    return Cell(number(row[name], 2), links.evidence(x, row["path"], row["context"], subcorpus) if is_lexeme else "")


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
                Cell(
                    number(row["count_a"]), links.evidence(a, row["path"], row["context"], subcorpora.get("subcorpus"))
                ),
                Cell(number(row["count_b"]), links.evidence(b, row["path"], row["context"], of_b)),
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
    """Return which contexts lean to one of two, or belong to both."""
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
    """Return the lexemes that are typical of a subcorpus, beside another subcorpus or all the rest."""
    both = call("keyness", [subcorpus, subcorpus_b], {})
    in_sql = f"FROM {both} ORDER BY g2 DESC, lexeme, path, context LIMIT {KEY_ITEMS}"
    question = Asked("keyness", (subcorpus, subcorpus_b), {"top": KEY_ITEMS}, in_sql)
    found = question.answer(lexicon)
    rows = [
        (
            Cell(row["lexeme"], links.lexeme(row["lexeme"], subcorpus), is_lexeme=True),
            Cell(number(row["count_a"]), links.evidence(row["lexeme"], subcorpus=subcorpus)),
            Cell(number(row["count_b"]), links.evidence(row["lexeme"], subcorpus=subcorpus_b) if subcorpus_b else ""),
            Cell(number(row["log_ratio"], 2)),
            Cell(number(row["g2"], 1)),
        )
        for row in found
    ]
    there = subcorpus_b or "all the rest"
    columns = (("lexeme", False), (f"in {subcorpus}", True), (f"in {there}", True), ("log ratio", True), ("G²", True))
    return Piece("table", f"What is typical of {subcorpus}, beside {there}", Table(columns, rows), [question])
