"""The pieces of comparisons: of two words or phrases, and of two subcorpora."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.explorer.breakdown_pieces import read_asked
from aptdb.explorer.content import (
    Asked,
    Asking,
    Cell,
    Links,
    Page,
    Piece,
    Table,
    count_cell,
    figure,
    format_thousands,
    only_given,
    shares,
)
from aptdb.explorer.lookups import either, look_up
from aptdb.explorer.word_pieces import kept
from aptdb.lexicon import Lexicon
from aptdb.pictures.comparisons import measure_ratio
from aptdb.questions.calls import call

FEATURES = 20
REST = "all others"
OF_EACH = 4  # collocates of each kind, for each relation
KINDS = 3  # of contexts: of A, of B, of both
PER_PATH = 3
PATHS = 40
AT_ONCE = 6  # tables; the others are folded away
KEY_ITEMS = 50
KEY_NOTE = "Left out: function words, numbers, and words that occur fewer than 5 times in both together."
PATTERN_NOTE = (
    "Compare takes words and phrases; a pattern is counted by its concordance, and compared between subcorpora where "
    "these are named without A and B."
)
PATTERN_PAGE = Page("Compare", "Compare", notes=[PATTERN_NOTE], template="compare.html")
SIDES = {"a": "A", "b": "B", "both": "both"}
SKETCH_COLUMNS = (("count A", True), ("score A", True), ("collocate", False), ("score B", True), ("count B", True))
COLUMNS = (("weight of A", True), ("context", False), ("weight of B", True), ("leans to", False))


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
    behind = links.evidence(x, row["path"], row["context"], subcorpus=subcorpus, counts="packed") if is_lexeme else ""
    return figure(row[name], 2, behind if row[name] else "")


def draw_side_bars(
    asking: Asking, blocks: Mapping[Any, Sequence[dict[str, Any]]], of: str
) -> dict[Any, list[tuple[dict[str, Any], list[Cell]]]]:
    """Return the rows of each block, each with a bar of A, its context and a bar of B: from zero, and in one scale.

    First is what is most of A's, last what is most of B's. of: what bars are long by, score or weight.
    """
    a, b, subcorpora = f"{of}_a", f"{of}_b", read_subcorpora_of_pair(asking)
    values = [row[each] or 0.0 for rows in blocks.values() for row in rows for each in (a, b)]
    most = max(values, default=0.0) or 1.0

    def bar(value: float | None, side: str) -> Cell:
        return replace(figure(value, 2, share=max(value or 0.0, 0.0) / most), side=side)

    def difference(row: dict[str, Any]) -> tuple[float, str]:
        return round((row[b] or 0.0) - (row[a] or 0.0), 9), row["context"]

    return {
        block: [
            (row, [bar(row[a], "a"), link_context(asking.links, row["context"], subcorpora), bar(row[b], "b")])
            for row in sorted(rows, key=difference)
        ]
        for block, rows in blocks.items()
    }


def sketches(asking: Asking) -> Piece:
    """Return the word sketches of two lexemes as bars to the left and to the right, all in one scale."""
    how, ((a, b), subcorpora) = asking.how, (read_pair(asking), read_subcorpora_of_pair(asking))
    most, shown = how.view.depth(OF_EACH), how.view.top or OF_EACH
    given = only_given(top=most, min_count=how.view.least, **subcorpora) | how.of("sketch_diff")
    question = Asked("sketch_diff", (a, None if a == b else b), given)
    blocks: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in question.answer(asking.lexicon):
        blocks.setdefault((row["relation"], row["path"]), []).append(row)
    of_a, counts = subcorpora["subcorpus"], how.settings.get("counts")
    behind = partial(asking.links.evidence, counts=counts)
    sides = (("count_a", a, of_a), ("count_b", b, subcorpora["subcorpus_b"] or of_a))
    tables = []
    for (relation, path), rows in draw_side_bars(asking, blocks, "score").items():
        cells = []
        for row, bars in rows:
            left, right = (count_cell(row[n], behind(x, path, row["context"], subcorpus=of)) for n, x, of in sides)
            cells.append([left, *bars, right])
        key = {"relation": relation, "path": path}
        tables.append(Table(SKETCH_COLUMNS, cells, relation, key=key, path=path, most=KINDS * shown))
    return Piece("blocks", "Collocates side by side", (tables[:AT_ONCE], tables[AT_ONCE:]), [question], rows=shown)


def make_contexts_piece(asking: Asking) -> Piece:
    """Return the contexts that lean to one of two, or belong to both, as bars to the left and to the right."""
    how, pair, subcorpora = asking.how, read_pair(asking), read_subcorpora_of_pair(asking)
    most, shown = how.view.depth(PER_PATH), how.view.top or PER_PATH
    question = Asked("diff", pair, only_given(per_path=most, **subcorpora) | how.of("diff"))
    of_path: dict[str, list[dict[str, Any]]] = {}
    for row in question.answer(asking.lexicon):
        of_path.setdefault(row["path"], []).append(row)
    shortest = sorted(of_path, key=lambda path: (path.count("<") + path.count(">"), -len(of_path[path]), path))[:PATHS]
    tables = []
    for path, rows in draw_side_bars(asking, {path: of_path[path] for path in shortest}, "weight").items():
        cells = [[*bars, Cell(SIDES[row["leans"]], is_faint=True)] for row, bars in rows]
        tables.append(Table(COLUMNS, cells, path or "ε", key={"path": path}, path=path, most=KINDS * shown))
    left = len(of_path) - len(tables)
    notes = [f"{left:,} longer paths are not shown here."] if left else []
    content = (tables[:AT_ONCE], tables[AT_ONCE:])
    return Piece("blocks", "Contexts side by side", content, [question], notes, rows=shown)


def key_lexemes(asking: Asking) -> Piece:
    """Return the content words that are more frequent in either of two subcorpora, or in one and in all the rest.

    Or a word, phrase or pattern of the address alone. Of another subcorpus that shares sentences with the first,
    without these. Raises QuestionError if no subcorpus is named.
    """
    how, subcorpus, subcorpus_b = asking.how, asking.get("subcorpus"), asking.get("subcorpus_b")
    phrase = asking.get("phrase")
    if subcorpus is None:
        raise QuestionError("name a subcorpus")
    given = {"top": how.view.depth(KEY_ITEMS), **({"overlap": "difference"} if subcorpus_b else {})}
    other = (subcorpus_b, subcorpus) if subcorpus_b else (subcorpus, None)
    questions = [
        Asked("keyness", (subcorpus, subcorpus_b), given),
        Asked("keyness", other, given if subcorpus_b else {**given, "negative": True}),
    ]
    if phrase:
        questions = [ask_key_phrase(asking.lexicon, phrase, (subcorpus, subcorpus_b))] * 2
    first, second = ([*each.answer(asking.lexicon)] for each in questions)
    answers = [[row for row in first if row["per_million_a"] > row["per_million_b"]]]
    is_turned = phrase or not subcorpus_b  # the rows of the other side are those that are less frequent in the first
    answers.append([row for row in second if (row["per_million_a"] < row["per_million_b"]) is bool(is_turned)])
    ratios = [measure_ratio(row) for each in answers for row in each]
    most = max((abs(end or 0) for each in ratios for end in (each.low, each.value, each.high)), default=1.0)
    there = subcorpus_b or "all the rest"
    shown = how.view.top or KEY_ITEMS
    tables = [
        make_key_table(asking, rows, names, (side, most or 1.0), shown)
        for rows, names, side in zip(answers, ((subcorpus, there), (there, subcorpus)), "ab", strict=True)
    ]
    none = f"{phrase} is not" if phrase else "No content word is"
    notes = [
        *([] if phrase else [KEY_NOTE]),
        *([f"Sentences of both count as those of {subcorpus} alone."] if share_sentences(asking) else []),
        *(f"{none} m{each.caption[1:]}." for each in tables if not each.rows),
    ]
    what = f"How typical {phrase} is" if phrase else "Content words that are typical"
    heading = f"{what} of {subcorpus} compared with {there}"
    tables = [each for each in tables if each.rows or not phrase]
    return Piece("tables", heading, tables, questions[:1] if phrase else questions, notes, rows=shown)


def ask_key_phrase(lexicon: Lexicon, phrase: str, subcorpora: tuple[str, str | None]) -> Asked:
    """Return the question for how typical a word, phrase or pattern is of a subcorpus. Raise QuestionError."""
    given = {"overlap": "difference"} if subcorpora[1] else {}
    asked = [read_asked(lexicon, phrase, None, None)[1], *subcorpora]
    return Asked("phrase_keyness", ((phrase,), *subcorpora), given, f"FROM {call('phrase_keyness', asked, given)}")


def share_sentences(asking: Asking) -> bool:
    """Return whether the two subcorpora of a comparison have sentences in common."""
    both = {"a": asking.get("subcorpus"), "b": asking.get("subcorpus_b")}
    return bool(look_up(asking.lexicon, "explorer/shared_sentences", **both)[0]["shared"])


KEY_COLUMNS = (
    "lexeme", "count", "other count", "per million", "other per million", "log ratio", "at least", "at most", "G²",
    "documents", "DP",
)  # fmt: skip


def make_key_table(
    asking: Asking, rows: Sequence[dict[str, Any]], names: tuple[str, str], scale: tuple[str, float], shown: int
) -> Table:
    """Return what is more frequent in the first of two. scale: its side, and the greatest ratio of all."""
    links, (side, most) = asking.links, scale
    cells = []
    for row in rows:
        turned = (row["log_ratio"] or 0.0) < 0 or row["per_million_a"] < row["per_million_b"]  # of all the rest
        here, other = ("b", "a") if turned else ("a", "b")
        sign = -1.0 if turned else 1.0
        measured = None if row["log_ratio"] is None else measure_ratio(row)
        ends = sorted(sign * each for each in (measured.low, measured.high) if each is not None) if measured else []
        value = abs(measured.value) if measured else None
        own = {asking.get("subcorpus"), asking.get("subcorpus_b")}
        name, to = (row["lexeme"], links.lexeme) if "lexeme" in row else (row["phrase"], links.evidence)
        of = [links.evidence(name, subcorpus=each) if each in own else "" for each in names]
        ratio = replace(figure(value, 2, share=(value or 0.0) / most), side=side)
        span = (max(ends[0], 0.0) / most, ends[1] / most) if ends else None
        cells.append(
            (
                Cell(name, to(name, subcorpus=names[0] if of[0] else None), is_lexeme="lexeme" in row),
                count_cell(row[f"count_{here}"], of[0]),
                count_cell(row[f"count_{other}"], of[1]),
                figure(row[f"per_million_{here}"], 1),
                figure(row[f"per_million_{other}"], 1),
                replace(ratio, span=span),
                *(figure(each, 2) for each in ends or (None, None)),
                figure(row["g2"], 1),
                Cell("") if turned else Cell(format_thousands(row["documents_a"]), value=row["documents_a"]),
                figure(None if turned else row["dp_a"], 2),
            )
        )
    named = "phrase" if rows and "phrase" in rows[0] else "lexeme"
    columns = ((named, False), *((name, True) for name in KEY_COLUMNS[1:]))
    if {row[KEY_COLUMNS.index("documents")].value for row in cells} <= {None, 1}:
        columns, cells = columns[:-2], [row[:-2] for row in cells]
    return Table(columns, cells, f"More frequent in {names[0]} than in {names[1]}", key={"in": names[0]}, most=shown)
