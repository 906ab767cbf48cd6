"""The pieces of pages about words, phrases and comparisons: sketch, drawing, neighbours, evidence, trend."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
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
    Picture,
    Piece,
    Table,
    count_cell,
    figure,
    only_given,
    shares,
)
from aptdb.explorer.lookups import frequencies_of, read_lexeme_in_address, read_phrase_in_address
from aptdb.explorer.page_settings import FILE_ROWS, NO_SPACE, PLAIN, How, least_of, of_space, with_bare_words
from aptdb.explorer.rendering import embedded
from aptdb.explorer.snapshot import TOP
from aptdb.lexicon import Lexicon
from aptdb.pictures.drawing import Drawing
from aptdb.questions.senses import Sense
from aptdb.store.statements import literal, statement

BARE = ", without the words of the phrase that it has no feature of"
FIRST = 9  # relations that are shown at once; the others are folded away
COLLOCATES = 10  # of each relation
EVERY = 10_000  # collocates of a relation
WORDS = 50  # of the word list
LINES = 20  # of evidence
OF_SENSE = 8  # features and neighbours
SAID = 2  # sentences of a sense
GROUPS = (2, 3, 4, 6, 8)  # of occurrences that senses are begun with
FOUND_SENSES = (
    "Groups of occurrences with similar contexts, found automatically: a sense may be split in two, or mixed with "
    "another. Shares are of all occurrences, also those in no group."
)
NONE = "(none)"  # in place of a value that is not there
BESIDE = 60  # columns on each side of a keyword


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
    without = describe_left_out(asking.lexicon, x, subcorpus, asking.how)
    return sketched(asking.links, x, subcorpus, question, found, without, asking.how)


def sketched(
    links: Links,
    x: str,
    subcorpus: str | None,
    question: Asked,
    found: Result,
    without: Sequence[str],
    how: How = PLAIN,
) -> Piece:
    """Return the word sketch of a lexeme from the answer. without: notes on what it leaves out."""
    most = how.view.top or COLLOCATES
    tables: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in found:
        tables.setdefault((row["path"], row["relation"]), []).append(row)
    counts = how.settings.get("counts")
    columns = (("collocate", False), ("count", True), ("score", True))
    content = []
    for (path, relation), rows in tables.items():
        cells = [
            (
                Cell(row["context"], links.lexeme(row["context"], subcorpus), is_lexeme=True),
                count_cell(row["count"], links.evidence(x, path, row["context"], subcorpus, counts)),
                figure(row["score"], 2, share=share),
            )
            for row, share in zip(rows, shares([row["score"] for row in rows]), strict=True)
        ]
        key = {"relation": relation, "path": path}
        content.append(Table(columns, cells, relation, key=key, path=path, most=most))
    notes = [*without, *([] if content else [f"no collocate of {x} is left"])]
    return Piece("blocks", "Sketch", (content[:FIRST], content[FIRST:]), [question], notes, rows=most)


def describe_left_out(lexicon: Lexicon, x: str, subcorpus: str | None, how: How = PLAIN) -> list[str]:
    """Return what a sketch leaves out, in words."""
    given = only_given(subcorpus=subcorpus, min_count=how.view.least)
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


def make_drawing_piece(asking: Asking) -> Piece:
    """Return the drawing of a lexeme's APT."""
    x, subcorpus = read_lexeme_in_address(asking)
    question = Asked("plot.apt", (x,), only_given(subcorpus=subcorpus) | asking.how.of("plot.apt"))
    return pictured(question, question.answer(asking.lexicon))


def pictured(question: Asked, found: Drawing, heading: str = "Drawing") -> Piece:
    """Return a drawing as a piece."""
    return Piece("picture", heading, Picture(embedded(found.svg), found.as_text(100)), [question])


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
    return make_ranked_piece(asking.links, x, subcorpus, question, found, frequencies, notes, view.top or TOP)


def make_ranked_piece(
    links: Links,
    x: str,
    subcorpus: str | None,
    question: Asked,
    found: Result,
    frequencies: Mapping[str, int],
    notes: Sequence[str] = (),
    most: int = TOP,
) -> Piece:
    """Return neighbours and their frequencies as a piece. most: rows that are shown."""
    rows = [(*row, frequencies.get(row[0])) for row in found.rows]
    counted = Result((*found.columns, "frequency"), (*found.types, "BIGINT"), rows)
    table = replace(neighbour_table(links, x, subcorpus, counted), most=most)
    return Piece("table", "Neighbours", table, [question], notes, rows=most)


def word_list(asking: Asking) -> Piece:
    """Return the lexemes with the most tokens, of the lexicon or of a subcorpus."""
    links, view, subcorpus = asking.links, asking.how.view, asking.get("subcorpus")
    shown = view.top or WORDS
    most = FILE_ROWS if view.sort else shown
    text = view.has if {*view.has} & {*"*?"} or not view.has else f"*{view.has}*"
    given = only_given(pos=view.pos or None, min_frequency=view.least, top=most, subcorpus=subcorpus)
    question = Asked("lexemes", (text,) if text else (), given)
    rows = [
        (
            Cell(row["lexeme"], links.lexeme(row["lexeme"], subcorpus), is_lexeme=True),
            count_cell(row["frequency"], links.evidence(row["lexeme"], subcorpus=subcorpus)),
        )
        for row in question.answer(asking.lexicon)
    ]
    notes = [f"Sorted are the {most:,} with the most tokens."] if len(rows) == most and view.sort else []
    table = Table((("lexeme", False), ("tokens", True)), rows, most=shown)
    return Piece("table", "Lexemes", table, [question], notes, rows=shown)


def kept(weights: str | None, subcorpus: str | None, how: How = PLAIN) -> dict[str, Any]:
    """Return kept weights, if they answer the same question."""
    is_other = subcorpus is not None or not {*how.settings}.isdisjoint(("weights", "shift", "counts", "space"))
    return {} if weights is None or is_other else {"weights": weights}


def neighbour_table(links: Links, x: str, subcorpus: str | None, found: Result, caption: str = "") -> Table:
    """Return neighbours, with links from similarities to comparisons, and from frequencies to evidence."""
    own = {each["lexeme"] for each in Phrase.parse(x).words()} if x.endswith("]") else set[str]()
    lengths = shares([None if row["lexeme"] in own else row["similarity"] for row in found])
    rows = [
        (
            Cell(row["lexeme"], links.lexeme(row["lexeme"], subcorpus), is_lexeme=True),
            figure(row["similarity"], 4, links.compare(x, row["lexeme"], subcorpus), share),
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


def make_evidence_piece(asking: Asking) -> Piece:
    """Return a sample of sentences with a lexeme."""
    x, subcorpus = read_lexeme_in_address(asking)
    question = Asked("evidence", (x, None, None), only_given(sample=LINES, subcorpus=subcorpus))
    found = question.answer(asking.lexicon)
    more = [Link("all", href)] if found.rows and (href := asking.links.evidence(x, subcorpus=subcorpus)) else []
    notes = [] if found.rows else [f"no sentence with {x}"]
    return Piece("concordance", "Evidence", evidence_as_lines(found), [question], notes, more)


def evidence_as_lines(found: Result, links: Links | None = None, subcorpus: str | None = None) -> list[Line]:
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


def make_senses_piece(asking: Asking) -> Piece:
    """Return the senses of a lexeme, a table for each: what tells it from the others, and what is similar.

    They are found from as many groups of occurrences as the address says; else those that are stored, if there are any.
    """
    lexicon, links, (x, subcorpus) = asking.lexicon, asking.links, read_lexeme_in_address(asking)
    text, space = (
        asking.get("groups"),
        asking.get("space"),
    )  # the usual space of neighbours does not hide what is stored
    if text is not None and not (text.isdecimal() and text.isascii()):
        raise QuestionError(f"groups is {text}; expected 1 to 20")
    groups, most = None if text is None else int(text), asking.how.view.top or OF_SENSE
    given = only_given(space=None if space == NO_SPACE else space, groups=groups, top=most, examples=SAID)
    known = lexicon.stored.spaces().column("space")
    if "space" not in given and known and not lexicon.sql(statement("explorer/has_senses"), {"lexeme": x}).rows:
        given["space"] = known[0]
    question = Asked("senses", (x,), given, has_sql=False)
    found = question.answer(lexicon)
    notes = [FOUND_SENSES, *(["These are senses of the whole lexicon."] if subcorpus else [])]
    notes += [f"{each.number}: {said}" for each in found.described for said in each.examples]
    named = paths_in_words(lexicon, x, [path for each in found.described for path, _ in each.features])
    asked = [f"{x}#{each.number}" if found.are_stored else x for each in found.described]
    tables = [sense_table(links, one, each, named) for one, each in zip(asked, found.described, strict=True)]
    if not found.are_stored:
        notes.append(f"aptdb senses FILE {x} --save stores them; then each has a concordance, counts and a sketch.")
    others = [
        Link(f"from {each} groups", href, each == groups)
        for each in GROUPS
        if (href := links.page("lexeme/senses", x=x, subcorpus=subcorpus, groups=each))
    ]
    return Piece("tables", "Senses", tables, [question], notes, others, rows=most)


def paths_in_words(lexicon: Lexicon, x: str, paths: list[str]) -> dict[str, str]:
    """Return paths in words, as what a lexeme meets along them."""
    given = {"paths": paths, "lemma": x.rpartition("/")[0] or x}
    return dict(lexicon.sql(statement("explorer/in_words"), given).rows)


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
    caption = f"{sense.number}: {how_many(sense.occurrences, 'occurrence')}, {sense.share:.0%}"
    columns = (("telling collocate", False), ("among", False), ("similar to it", False))
    href = links.page("concordance", q=x) if x.endswith(f"#{sense.number}") else ""
    return Table(columns, rows, caption, key={"sense": str(sense.number)}, href=href, is_side_by_side=True)


OUTSIDE = (
    "Head and dependent are counted where they occur outside the phrase; a word that occurs nowhere else has no value."
)


def make_observed_piece(asking: Asking) -> Piece:
    """Return how a phrase is used where it occurs: beside its composition, its head and its dependent."""
    x, subcorpus = read_phrase_in_address(asking)
    given = only_given(subcorpus=subcorpus)
    named = "".join(f", {name}={value!r}" for name, value in given.items())
    python = f"lexicon.compositionality([{x!r}]{named})"
    question = Asked("compositionality", (x,), given, python=python, has_sql=False)
    row = asking.lexicon.compositionality([x], **given)[0]
    kinds = (("its composition", "composed"), ("its head alone", "head"), ("its dependent alone", "dependent"))
    rows = [(Cell(words), figure(row[name], 4)) for words, name in kinds]
    times = row["occurrences"]
    table = Table((("beside", False), ("similarity", True)), rows)
    notes = [f"It occurs {times:,} times." if times else "It does not occur in the trees."]
    notes += [OUTSIDE] if times else []
    return Piece("table", "Where it occurs", table if times else Table(table.columns, []), [question], notes)


NEIGHBOURS = 15
OF_WORDS = 10  # neighbours of each word
COLUMNS = (
    ("alone", False), ("similarity", True), ("in the phrase", False), ("similarity", True),
    ("unaligned", False), ("similarity", True),
)  # fmt: skip


def make_phrase_tree_piece(asking: Asking) -> Piece:
    """Return the dependency tree of a phrase."""
    x, _ = read_phrase_in_address(asking)
    found = asking.lexicon.plot.trees([x])
    words = literal(Phrase.parse(x).words())
    question = Asked(
        "plot.apt", (x,), {"tree": True}, f"SELECT unnest({words}, recursive := true)", f"lexicon.plot.trees([{x!r}])"
    )
    return Piece("picture", "Tree", Picture(embedded(found.svg), str(found)), [question])


def composed_drawing(asking: Asking) -> Piece:
    """Return the drawing of a composed APT, in the colours of its words."""
    x, subcorpus = read_phrase_in_address(asking)
    question = Asked("plot.apt", (x,), only_given(subcorpus=subcorpus) | asking.how.of("plot.apt"))
    return pictured(question, question.answer(asking.lexicon), "What each word contributes")


def phrase_neighbours(asking: Asking) -> Piece:
    """Return the neighbours of the phrase: with its words aligned, and unaligned."""
    lexicon, how, view = asking.lexicon, asking.how, asking.how.view
    x, subcorpus = read_phrase_in_address(asking)
    questions, tables = [], []
    least = least_of(lexicon, how)
    given = only_given(top=view.depth(NEIGHBOURS), subcorpus=subcorpus, pos=view.pos or None, min_frequency=least)
    given |= how.of("neighbours") | with_bare_words(how)
    for aligned, caption in ((None, "aligned"), (False, "unaligned")):
        question = Asked("neighbours", (x,), given | only_given(aligned=aligned))
        found = question.answer(lexicon, **kept(asking.weights, subcorpus, how))
        questions.append(question)
        table = neighbour_table(asking.links, x, subcorpus, found, caption)
        tables.append(replace(table, key={"words": caption}, most=view.top or NEIGHBOURS))
    notes = of_space(how, BARE)
    return Piece("tables", "Neighbours of the phrase", tables, questions, notes, rows=view.top or NEIGHBOURS)


def show_words(asking: Asking) -> Piece:
    """Return the neighbours of each word alone, in the phrase, and in the unaligned phrase.

    They are those of `contextualise`, asked one by one, which is faster with kept weights. Those of a word alone are
    precomputed if possible.
    """
    lexicon, links, how = asking.lexicon, asking.links, asking.how
    x, subcorpus = read_phrase_in_address(asking)
    given = only_given(top=OF_WORDS, subcorpus=subcorpus) | how.of("contextualise") | with_bare_words(how)
    more = kept(asking.weights, subcorpus, how)
    alone_given = {name: value for name, value in given.items() if name != "merge"}
    tables = []
    for anchor, word in enumerate(Phrase.parse(x).words(), 1):
        known = asking.near(word["lexeme"]) if alone_given == {"top": OF_WORDS} else None
        alone = lexicon.neighbours(word["lexeme"], **alone_given | more) if known is None else known[:OF_WORDS]
        seen = [lexicon.neighbours(x, anchor=anchor, aligned=each, **given | more) for each in (True, False)]
        rows = [
            [cell for row in beside for cell in two(links, subcorpus, row)]
            for beside in zip_longest(alone.rows, *(each.rows for each in seen), fillvalue=("", None))
        ]
        tables.append(Table(COLUMNS, rows, word["lexeme"], is_side_by_side=True))
    questions = [Asked("contextualise", (x,), given), Asked("contextualise", (x,), {**given, "aligned": False})]
    return Piece("tables", "Neighbours of its words", tables, questions, of_space(how, BARE))


def two(links: Links, subcorpus: str | None, row: Sequence[Any]) -> tuple[Cell, Cell]:
    """Return a neighbour and its similarity."""
    lexeme, similarity, *_ = row
    return Cell(lexeme, links.lexeme(lexeme, subcorpus) if lexeme else "", is_lexeme=True), figure(similarity)
