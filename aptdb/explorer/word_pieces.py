"""The pieces of pages about words: sketch, drawing, neighbours, evidence, senses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from math import floor, log10
from typing import Any
from unicodedata import east_asian_width

from aptdb.core.display import how_many
from aptdb.core.errors import QuestionError
from aptdb.core.phrase import Phrase
from aptdb.core.result import Result
from aptdb.explorer.content import (
    Asked,
    Asking,
    Cell,
    Line,
    Link,
    Links,
    Mark,
    Picture,
    Piece,
    Table,
    count_cell,
    figure,
    only_given,
    shares,
)
from aptdb.explorer.kept_answers import TOP
from aptdb.explorer.lookups import frequencies_of, look_up, read_lexeme_in_address
from aptdb.explorer.page_settings import FILE_ROWS, NO_SPACE, PLAIN, How, least_of, of_space
from aptdb.lexicon import Lexicon
from aptdb.pictures.drawing import Drawing
from aptdb.questions.senses import Sense

FIRST = 8  # relations that are shown at once; the others are folded away
COLLOCATES = 10  # of each relation
EVERY = 10_000  # collocates of a relation
WORDS = 50  # of the word list
LINES = 20  # of evidence
DRAWN = 300  # sentences among which good examples are looked for
OF_SENSE = 8  # features and neighbours
SAID = 2  # sentences of a sense
GROUPS = (2, 3, 4, 6, 8)  # of occurrences that senses are begun with
FOUND_SENSES = (
    "Groups of occurrences with similar contexts, found automatically: a sense may be split in two, or mixed with "
    "another. Shares are of all occurrences, also those in no group."
)
SMALL = 0.1  # scores of a relation that are all below it are shown with three significant digits
NONE = "(none)"  # in place of a value that is not there
BESIDE, BROAD = 60, 80  # columns on each side of a keyword, and where lines have the whole window


def make_sketch_piece(asking: Asking) -> Piece:
    """Return the word sketch of a lexeme, a table for each relation."""
    (x, subcorpus), view = read_lexeme_in_address(asking), asking.how.view
    given = only_given(
        subcorpus=subcorpus,
        top=view.top,
        relations=None if view.only is None else [view.only or "ε"],
        min_count=view.least,
    )
    if view.is_chosen:  # all collocates are looked through
        given["top"] = EVERY
    question = Asked("sketch", (x,), given | asking.how.of("sketch"))
    found: Result = question.answer(asking.lexicon)
    least = view.least
    if least is None and view.top != FILE_ROWS and has_block_of_ones(found):
        fewer = replace(question, parameters=question.parameters | {"min_count": 2})
        if len((met_twice := fewer.answer(asking.lexicon)).rows) >= COLLOCATES:
            question, found, least = fewer, met_twice, 2
    without = describe_left_out(asking.lexicon, x, subcorpus, asking.how, least)
    return sketched(asking, question, found, without)


def has_block_of_ones(found: Result) -> bool:
    """Return whether most rows of some relation that is shown at once are met once, so that chance orders them."""
    counts: dict[str, list[int]] = {}
    for row in found:
        counts.setdefault(row["path"], []).append(row["count"])
    return any(2 * each.count(1) > max(len(each), COLLOCATES) for each in [*counts.values()][:FIRST])


def sketched(asking: Asking, question: Asked, found: Result, without: Sequence[str]) -> Piece:
    """Return the word sketch of a lexeme from the answer. without: notes on what it leaves out."""
    links, (x,), subcorpus = asking.links, question.arguments, asking.get("subcorpus")
    most, counts = asking.how.view.top or COLLOCATES, asking.how.settings.get("counts")
    tables: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in found:
        tables.setdefault((row["path"], row["relation"]), []).append(row)
    columns = (("collocate", False), ("count", True), ("score", True))
    greatest = max((abs(row["score"]) for row in found), default=0.0)
    content = []
    for (path, relation), rows in tables.items():
        best = max(abs(row["score"]) for row in rows)
        digits = 2 if best >= SMALL or not best else 2 - floor(log10(best))
        cells = [
            (
                Cell(row["context"], links.lexeme(row["context"], subcorpus), is_lexeme=True),
                count_cell(row["count"], links.evidence(x, path, row["context"], subcorpus=subcorpus, counts=counts)),
                figure(row["score"], digits, share=share),
            )
            for row, share in zip(rows, shares([row["score"] for row in rows], greatest), strict=True)
        ]
        key = {"relation": relation, "path": path}
        content.append(Table(columns, cells, relation, key=key, path=path, most=most))
    notes = [*without, *([] if content else [f"no collocate of {x} is left"])]
    return Piece("blocks", "Sketch", (content[:FIRST], content[FIRST:]), [question], notes, rows=most)


def describe_left_out(
    lexicon: Lexicon, x: str, subcorpus: str | None, how: How = PLAIN, least: int | None = None
) -> list[str]:
    """Return what a sketch leaves out, in words. least: the least count of its collocates."""
    given = only_given(subcorpus=subcorpus, min_count=least)
    found = lexicon.left_out_of_sketch(x, **given, **how.of("left_out_of_sketch"))
    return left_out_in_words(found[0])


def left_out_in_words(found: Mapping[str, Any]) -> list[str]:
    """Return a note on what a sketch leaves out; none where it leaves out nothing."""
    notes = []
    if found["for_grammar"]:
        notes.append(f"{found['for_grammar']:,} function words (DET, PUNCT, …)")
    if found["rare"]:
        notes.append(f"{found['rare']:,} counted fewer than {found['least_count']} times")
    return [f"Left out: {', and '.join(notes)}."] if notes else []


def make_drawing_piece(asking: Asking, read: Callable[[Asking], Any] = read_lexeme_in_address, *heading: str) -> Piece:
    """Return the drawing of an APT: of a lexeme, or of a composed one in the colours of its words. read: which."""
    x, subcorpus = read(asking)
    question = Asked("plot.apt", (x,), only_given(subcorpus=subcorpus) | asking.how.of("plot.apt"))
    return pictured(question, question.answer(asking.lexicon), *heading)


def pictured(question: Asked, found: Drawing, heading: str = "Drawing") -> Piece:
    """Return a drawing as a piece."""
    return Piece("picture", heading, Picture(found.svg, found.as_text(100)), [question])


def make_near_piece(asking: Asking) -> Piece:
    """Return the lexemes most similar to a lexeme, precomputed if possible."""
    lexicon, how, view = asking.lexicon, asking.how, asking.how.view
    x, subcorpus = read_lexeme_in_address(asking)
    most = view.depth(TOP)
    least = least_of(lexicon, how)
    given = only_given(top=most, subcorpus=subcorpus, pos=view.pos or None, min_frequency=least)
    question = Asked("neighbours", (x,), given | how.of("neighbours"))
    found = asking.near(x) if question.parameters == {"top": TOP} else None
    if found is None:
        found = question.answer(lexicon, **kept(asking.weights, subcorpus, how))
    frequencies = frequencies_of(lexicon, found.column("lexeme"), subcorpus)
    notes = [f"Sorted and filtered are the {most} nearest."] if view.sort or view.has else []
    notes += of_space(how)
    return make_ranked_piece(asking, question, found, frequencies, notes)


def make_ranked_piece(
    asking: Asking, question: Asked, found: Result, frequencies: Mapping[str, int], notes: Sequence[str] = ()
) -> Piece:
    """Return neighbours and their frequencies as a piece."""
    most = asking.how.view.top or TOP
    rows = [(*row, frequencies.get(row[0])) for row in found.rows]
    counted = Result((*found.columns, "frequency"), (*found.types, "BIGINT"), rows)
    table = replace(neighbour_table(asking, question.arguments[0], counted), most=most)
    return Piece("table", "Neighbours", table, [question], notes, rows=most)


def word_list(asking: Asking) -> Piece:
    """Return the lexemes with the most tokens, of the lexicon or of a subcorpus."""
    view, subcorpus = asking.how.view, asking.get("subcorpus")
    shown = view.top or WORDS
    most = FILE_ROWS if view.sort else shown
    text = view.has if {*view.has} & {*"*?"} or not view.has else f"*{view.has}*"
    given = only_given(pos=view.pos or None, min_frequency=view.least, top=most, subcorpus=subcorpus)
    question = Asked("lexemes", (text,) if text else (), given)
    table = replace(make_lexeme_table(asking.links, question.answer(asking.lexicon), "", subcorpus), most=shown)
    notes = [f"Sorted are the {most:,} with the most tokens."] if len(table.rows) == most and view.sort else []
    return Piece("table", "Lexemes", table, [question], notes, rows=shown)


def make_lexeme_table(links: Links, found: Result, caption: str = "", subcorpus: str | None = None) -> Table:
    """Return lexemes and their numbers of tokens."""
    rows = [
        (
            Cell(row["lexeme"], links.lexeme(row["lexeme"], subcorpus), is_lexeme=True),
            count_cell(row["frequency"], links.evidence(row["lexeme"], subcorpus=subcorpus)),
        )
        for row in found
    ]
    return Table((("lexeme", False), ("tokens", True)), rows, caption)


def kept(weights: str | None, subcorpus: str | None, how: How = PLAIN) -> dict[str, Any]:
    """Return kept weights, if they answer the same question."""
    is_other = subcorpus is not None or not {*how.settings}.isdisjoint(("weights", "shift", "counts", "space"))
    return {} if weights is None or is_other else {"weights": weights}


def neighbour_table(asking: Asking, x: str, found: Result, caption: str = "") -> Table:
    """Return neighbours, with links from similarities to comparisons, and from frequencies to evidence."""
    links, subcorpus = asking.links, asking.get("subcorpus")
    own = {each["lexeme"] for each in Phrase.parse(x).words()} if x.endswith("]") else set[str]()
    lengths = shares([None if row["lexeme"] in own else row["similarity"] for row in found])
    rows = [
        (
            Cell(row["lexeme"], links.lexeme(row["lexeme"], subcorpus), is_lexeme=True),
            figure(row["similarity"], 4, links.compare(x, row["lexeme"], subcorpus), share),
            count_cell(row.get("frequency"), links.evidence(row["lexeme"], subcorpus=subcorpus)),
        )[: len(found.columns)]
        for row, share in zip(found, lengths, strict=True)
    ]
    columns = [("lexeme", False), ("similarity", True), ("tokens", True)]
    return Table(columns[: len(found.columns)], rows, caption)


def make_evidence_piece(asking: Asking) -> Piece:
    """Return sentences with a lexeme, good examples first."""
    x, subcorpus = read_lexeme_in_address(asking)
    given = {"best": True, "sample": DRAWN, "top": LINES}
    question = Asked("evidence", (x, None, None), given | only_given(subcorpus=subcorpus))
    found = question.answer(asking.lexicon)
    more = [Link("all sentences", href)] if (href := asking.links.evidence(x, subcorpus=subcorpus)) else []
    notes = [] if found.rows else [f"no sentence with {x}"]
    lines = evidence_as_lines(found, asking.links)
    return Piece("concordance", "Good examples", lines, [question], notes, more if found.rows else [])


def evidence_as_lines(found: Result, links: Links) -> list[Line]:
    """Return rows of evidence as concordance lines."""
    return [
        Line(
            row["sentence"] or "the whole",
            cut_before(row["before"], BROAD),
            row["keyword"],
            cut_after(row["after"], BROAD),
            mark_sentence(row["text"], f"{row['before']}{row['keyword']}{row['after']}"),
            links.page("sentence", number=row["sentence_number"]) if "sentence_number" in row else "",
            name_sentence_source(row),
        )
        for row in found
    ]


def name_sentence_source(row: Mapping[str, Any]) -> str:
    """Return the sentence, document and corpus of a row of evidence, for whoever cites it."""
    sentence, document, corpus = row["sentence"] or "the whole", row.get("document") or "", row.get("corpus") or ""
    named = [] if sentence.startswith(document) else [document]
    return ", ".join(dict.fromkeys(filter(None, [*named, sentence, corpus])))


def mark_sentence(text: str, bare: str) -> list[Mark]:
    """Return a sentence in stretches, of which the [keyword] and the {context} have a kind. bare: its letters alone."""
    letters, found = [each for each in bare if not each.isspace()], [("", "")]
    place = 0
    for each in text:
        if (place < len(letters) and each == letters[place]) or each.isspace():
            found[-1] = (found[-1][0] + each, found[-1][1])
            place += not each.isspace()
        else:
            found.append(("", {"[": "keyword", "{": "context"}.get(each, "")))
    return [Mark(*each) for each in found if each[0]]


def cut_before(text: str, room: int = BESIDE) -> str:
    """Return the end of the text before a keyword."""
    return cut_after(text[::-1], room)[::-1]


def cut_after(text: str, room: int = BESIDE) -> str:
    """Return the beginning of the text after a keyword. A Chinese or Japanese character counts as two."""
    for place, letter in enumerate(text):
        room -= 2 if east_asian_width(letter) in "WF" else 1
        if room < 0:
            return f"{text[:place]}…"
    return text


def make_senses_piece(asking: Asking) -> Piece:
    """Return the senses of a lexeme, a card for each: its share, what tells it from the others, what is similar to it.

    They are found from as many groups of occurrences as the address says; else those that are stored, if there are any.
    """
    lexicon, links, (x, subcorpus) = asking.lexicon, asking.links, read_lexeme_in_address(asking)
    text = asking.get("groups")
    space = asking.get("space")  # the usual space of neighbours does not hide what is stored
    if text is not None and not (text.isdecimal() and text.isascii()):
        raise QuestionError(f"groups is {text}; expected 1 to 20")
    groups, most = None if text is None else int(text), asking.how.view.top or OF_SENSE
    given = only_given(space=None if space == NO_SPACE else space, groups=groups, top=most, examples=SAID)
    known = lexicon.stored.spaces().column("space")
    if "space" not in given and known and not look_up(lexicon, "explorer/has_senses", lexeme=x).rows:
        given["space"] = known[0]
    question = Asked("senses", (x,), given, has_sql=False)
    found = question.answer(lexicon)
    notes = [FOUND_SENSES, *(["These are senses of the whole lexicon."] if subcorpus else [])]
    named = paths_in_words(lexicon, x, [path for each in found.described for path, _ in each.features])
    asked = [f"{x}#{each.number}" if found.are_stored else x for each in found.described]
    cards = [(each, sense_table(links, one, each, named)) for one, each in zip(asked, found.described, strict=True)]
    if not found.are_stored:
        notes.append(f"aptdb senses FILE {x} --save stores them; then each has a concordance, counts and a sketch.")
    others = [
        Link(f"from {each} groups", href, each == groups)
        for each in GROUPS
        if (href := links.page("lexeme/senses", x=x, subcorpus=subcorpus, groups=each))
    ]
    return Piece("cards", "Senses", cards, [question], notes, others, rows=most)


def paths_in_words(lexicon: Lexicon, x: str, paths: list[str]) -> dict[str, str]:
    """Return paths in words, as what a lexeme meets along them."""
    given = {"paths": paths, "lemma": x.rpartition("/")[0] or x}
    return dict(look_up(lexicon, "explorer/in_words", **given).rows)


def sense_table(links: Links, x: str, sense: Sense, named: Mapping[str, str]) -> Table:
    """Return a sense as a table: features that tell it from the others, and lexemes that are similar to it.

    x: the name of the sense if it is stored, to whose concordance the caption leads; else its lexeme.
    """
    rows = []
    for feature, lexeme in zip_longest(sense.features, sense.neighbours):
        path, context = feature or ("", "")
        met = Cell(context, links.evidence(x, path, context), is_lexeme=True) if feature else Cell("")
        similar = Cell(lexeme, links.lexeme(lexeme), is_lexeme=True) if lexeme else Cell("")
        rows.append((met, Cell(named.get(path, path), is_faint=True), similar))
    caption = f"{sense.share:.0%}, {how_many(sense.occurrences, 'occurrence')}"
    columns = (("telling collocate", False), ("among", False), ("similar to it", False))
    href = links.page("concordance", q=x) if x.endswith(f"#{sense.number}") else ""
    return Table(columns, rows, caption, key={"sense": str(sense.number)}, href=href, is_side_by_side=True)
