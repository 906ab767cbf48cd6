"""The pages: their parameters, heads and pieces."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from aptdb.core.errors import QuestionError, warnings_heard
from aptdb.core.phrase import Phrase
from aptdb.explorer import page_plots, pair_pieces, sentence_pages, word_pieces
from aptdb.explorer.content import Asking, Beside, Cell, Head, Kind, Link, Links, Page, Piece, Place, only_given, tokens
from aptdb.explorer.lookups import (
    TIMES,
    as_phrase,
    count_tokens_in,
    count_tokens_of,
    either,
    has_trees,
    list_kept_subcorpora,
    list_metadata_columns,
    look_up_lexeme,
    look_up_phrase,
    look_up_tag,
    per_million,
    refuse_unknown_value,
    time_of,
    usual_space,
)
from aptdb.explorer.page_settings import (
    BESIDE_SPACE,
    FILE_ROWS,
    NO_SPACE,
    SETTINGS,
    How,
    SettingsForm,
    choices,
    read_page_settings,
    read_table_view,
    say_settings,
    with_usual_space,
)
from aptdb.explorer.table_tools import arranged, key_of_column
from aptdb.lexicon import Lexicon
from aptdb.store.statements import statement

EXAMPLES = 8  # of comparisons
TAGS = 3  # parts of speech that examples are of
PAIR = 2  # words of a phrase that can be compared with its parts
OTHERS = 12  # lexemes with the same lemma
SAME_LEMMA = "The same lemma"


# Lexemes
def lexeme_head(asking: Asking) -> Head:
    """Return the head of a lexeme's page: its frequency, others with its lemma, and subcorpora."""
    lexicon, links, subcorpus = asking.lexicon, asking.links, asking.get("subcorpus")
    x = look_up_lexeme(lexicon, asking.given["x"])
    found = lexicon[x]
    names = list_kept_subcorpora(lexicon)
    refuse_unknown_value("subcorpus", subcorpus, names)
    refuse_unknown_value("by", asking.get("by"), ["corpus", "document", *list_metadata_columns(lexicon)])
    frequency, size = count_tokens_of(lexicon, x, subcorpus), count_tokens_in(lexicon, subcorpus)
    there = f" in {subcorpus}" if subcorpus else ""
    facts = [
        Cell(f"{tokens(frequency)}{there}", links.evidence(x, subcorpus=subcorpus) if frequency else ""),
        Cell(per_million(frequency, size)),
    ]
    same = lexicon.sql(statement("explorer/same_lemma"), {"lemma": found.lemma, "most": OTHERS}).column("lexeme")
    others = [Link(each, links.lexeme(each, subcorpus)) for each in same if each != x]
    hits = Link("as a concordance", links.page("concordance", q=x, subcorpus=subcorpus))
    groups = [*([(SAME_LEMMA, others)] if others else []), *([("All sentences", [hits])] if frequency else [])]
    page = Page(x, "Lexeme", facts, groups, query=x, beside=Beside(x, subcorpus, names))
    return Head(page, lexeme_places(lexicon) if frequency else [], {**asking.given, "x": x})


def lexeme_places(lexicon: Lexicon) -> list[Place]:
    """Return the pieces of a lexeme's page."""
    found = [
        Place("sketch", "Sketch"),
        Place("neighbours", "Neighbours"),
        Place("evidence", "Evidence"),
        *([Place("senses", "Senses")] if lexicon.spaces().rows and has_trees(lexicon) else []),
        Place("drawing", "Drawing"),
        *([Place("map", "Map")] if page_plots.can_map() else []),
    ]
    columns = list_metadata_columns(lexicon)
    if len(lexicon.corpora()) > 1 or columns:
        found.append(Place("places", "Where it occurs"))
    if time_of(columns):
        found.append(Place("trend", "Over time"))
    return found


def senses_of(asking: Asking) -> Piece:
    """Return the senses of a lexeme, from as many groups of occurrences as the address says."""
    x, text = look_up_lexeme(asking.lexicon, asking.given["x"]), asking.get("groups")
    if text is not None and not (text.isdecimal() and text.isascii()):
        raise QuestionError(f"groups is {text}; expected 1 to 20")
    groups = None if text is None else int(text)
    own = asking.get("space")  # the usual space of neighbours does not hide what is stored
    how = How({} if own in (None, NO_SPACE) else {"space": own}, asking.how.view)
    return word_pieces.make_senses_piece(asking.lexicon, asking.links, x, asking.get("subcorpus"), groups, how)


def places_of(asking: Asking) -> Piece:
    """Return the frequencies of a lexeme by corpus, or by a kind of metadata."""
    columns = list_metadata_columns(asking.lexicon)
    by = asking.get("by") or ("corpus" if len(asking.lexicon.corpora()) > 1 or not columns else columns[0])
    x, subcorpus = look_up_lexeme(asking.lexicon, asking.given["x"]), asking.get("subcorpus")
    found = word_pieces.places(asking.lexicon, asking.links, x, subcorpus, by)
    view = {name: value for name, value in asking.given.items() if name.startswith("places.")}
    if view.get("places.sort", "").removeprefix("-") == key_of_column(by):  # another table has no such column
        del view["places.sort"]
    others = [
        Link(f"by {each}", href, each == by)
        for each in ("corpus", *columns)
        if (href := asking.links.page("lexeme/places", x=x, subcorpus=subcorpus, by=each, **view))
    ]
    return Piece(found.shape, found.heading, found.content, found.asked, found.notes, others)


def on_lexeme(make: Callable[..., Piece]) -> Callable[[Asking], Piece]:
    """Return the function for a piece of a lexeme's page."""

    def made(asking: Asking) -> Piece:
        x = look_up_lexeme(asking.lexicon, asking.given["x"])
        return make(asking.lexicon, asking.links, x, asking.get("subcorpus"), how=asking.how)

    return made


def find_page_neighbours(asking: Asking) -> Piece:
    """Return the neighbours of a lexeme, precomputed if possible."""
    x, subcorpus = look_up_lexeme(asking.lexicon, asking.given["x"]), asking.get("subcorpus")
    known = asking.near(x) if subcorpus is None else None
    return word_pieces.make_near_piece(asking.lexicon, asking.links, x, subcorpus, asking.weights, known, asking.how)


def trend_of(asking: Asking) -> Piece:
    """Return the frequency of a lexeme over time."""
    by = time_of(list_metadata_columns(asking.lexicon))
    if by is None:
        raise QuestionError(f"no document says its time; a column called {', '.join(TIMES)} would")
    x = look_up_lexeme(asking.lexicon, asking.given["x"])
    return page_plots.make_trend_piece(asking.lexicon, asking.links, x, asking.get("subcorpus"), by)


def map_of(asking: Asking) -> Piece:
    """Return a map of a lexeme and its neighbours, precomputed if possible."""
    x, subcorpus = look_up_lexeme(asking.lexicon, asking.given["x"]), asking.get("subcorpus")
    known = asking.near(x) if subcorpus is None else None
    return page_plots.nearest_map(asking.lexicon, asking.links, x, subcorpus, asking.weights, known, asking.how)


# Phrases
def phrase_head(asking: Asking) -> Head:
    """Return the head of a phrase's page: its reading, alternatives, and merge rules."""
    lexicon, links, subcorpus = asking.lexicon, asking.links, asking.get("subcorpus")
    names = list_kept_subcorpora(lexicon)
    refuse_unknown_value("subcorpus", subcorpus, names)
    given, merge = asking.given["x"], asking.get("merge")
    typed = asking.get("typed") or (None if given.endswith("]") else given)
    readings = lexicon.read(typed) if typed else []
    x = str(look_up_phrase(readings[0].phrase)) if given == typed else as_phrase(lexicon, given)
    address = partial(links.phrase, typed=typed)
    facts = [Cell(each["lexeme"], links.lexeme(each["lexeme"], subcorpus)) for each in Phrase.parse(x).words()]
    others = [
        Link(
            f"{each.phrase} ({each.share:.0%}; {each.counts})",
            address(str(each.phrase), subcorpus, merge),
            str(each.phrase) == x,
        )
        for each in readings
    ]
    groups = [(f"“{typed}” is read as", others)] if others else []
    places = [
        Place("tree", "Tree"),
        Place("drawing", "What each word contributes"),
        Place("neighbours", "Neighbours of the phrase"),
        Place("words", "Neighbours of its words"),
        *([Place("observed", "Where it occurs")] if len(facts) == PAIR and has_trees(lexicon) else []),
    ]
    page = Page(x, "Phrase", facts, groups, query=typed or x, beside=Beside(x, subcorpus, names))
    return Head(page, places, {**asking.given, "x": x, **({"typed": typed} if typed else {})})


def on_phrase(make: Callable[..., Piece], *, merged: bool = False, weighed: bool = False) -> Callable[[Asking], Piece]:
    """Return the function for a piece of a phrase's page."""

    def made(asking: Asking) -> Piece:
        more = [asking.get("subcorpus"), *([asking.weights] if weighed else []), asking.how] if merged else []
        return make(asking.lexicon, asking.links, as_phrase(asking.lexicon, asking.given["x"]), *more)

    return made


def find_neighbours_of_words(asking: Asking) -> Piece:
    """Return the neighbours of a phrase's words; those of each word alone are precomputed if possible."""
    x, subcorpus = as_phrase(asking.lexicon, asking.given["x"]), asking.get("subcorpus")
    return word_pieces.show_words(asking.lexicon, asking.links, x, subcorpus, asking.weights, asking.how, asking.near)


# Pairs
def pair_head(asking: Asking) -> Head:
    """Return the head of a comparison: of two words or phrases, or of two subcorpora."""
    lexicon, a, b = asking.lexicon, asking.get("a"), asking.get("b")
    names = list_kept_subcorpora(lexicon)
    for name in ("subcorpus", "subcorpus_b"):
        refuse_unknown_value("subcorpus", asking.get(name), names)
    form = {
        "a": a or "",
        "b": b or "",
        "subcorpus": asking.get("subcorpus"),
        "subcorpus_b": asking.get("subcorpus_b"),
        "subcorpora": names,
    }
    if a is None and b is None:
        return subcorpora_head(asking, form)
    if is_alone(asking):
        return make_page_of_one(asking, form)
    first, second = both(asking)
    second_subcorpus = asking.get("subcorpus_b") or asking.get("subcorpus")
    title = f"{with_subcorpus(first, asking.get('subcorpus'))} and {with_subcorpus(second, second_subcorpus)}"
    of_each = {
        (first, asking.get("subcorpus")): None,
        (second, second_subcorpus): None,
    }
    address = asking.links.page
    facts = [
        Cell(with_subcorpus(x, subcorpus), address("phrase" if x.endswith("]") else "lexeme", x=x, subcorpus=subcorpus))
        for x, subcorpus in of_each
    ]
    are_lexemes = not first.endswith("]") and not second.endswith("]")
    places = [
        Place("similarity", "How similar they are, and why"),
        *([Place("sketches", "Collocates side by side")] if are_lexemes else []),
        Place("contexts", "Contexts side by side"),
    ]
    page = Page(title, "Compare", facts, form=form, template="compare.html")
    return Head(page, places, {**asking.given, "a": first, "b": second})


def subcorpora_head(asking: Asking, form: dict[str, Any]) -> Head:
    """Return the head of a comparison of two subcorpora; where none is named, comparisons to begin with."""
    subcorpus, beside = asking.get("subcorpus"), asking.get("subcorpus_b")
    if subcorpus is None and beside is not None:
        raise QuestionError("give the first of the two subcorpora in the parameter subcorpus")
    if subcorpus is None:
        groups = [("For example", pairs(asking, form["subcorpora"]))]
        return Head(Page("Compare", "Compare", (), groups, form=form, template="compare.html"), [], asking.given)
    page = Page(f"{subcorpus} and {beside or 'all the rest'}", "Compare", form=form, template="compare.html")
    return Head(page, [Place("subcorpora", "What is typical")], asking.given)


def pairs(asking: Asking, subcorpora: Sequence[str]) -> list[Link]:
    """Return comparisons to begin with: of the two most frequent lexemes of some parts of speech, and of subcorpora."""
    tags = asking.lexicon.sql(statement("explorer/common_tags"), {"most": TAGS}).column("pos")
    frequent = [asking.lexicon.lexemes(pos=tag, top=2).column("lexeme") for tag in tags]
    found = [Link(f"{a} and {b}", asking.links.compare(a, b)) for a, *rest in frequent for b in rest]
    if len(subcorpora) > 1:
        first, second, *_ = subcorpora
        address = asking.links.page("compare", subcorpus=first, subcorpus_b=second)
        found.append(Link(f"what is typical of {first}, beside {second}", address))
    return found


def is_alone(asking: Asking) -> bool:
    """Return whether a comparison lacks one of the two, and is not that of a word in two subcorpora."""
    one, other = asking.get("a"), asking.get("b")
    there = asking.get("subcorpus_b")
    return (one is None or other is None) and (there is None or there == asking.get("subcorpus"))


def make_page_of_one(asking: Asking, form: dict[str, Any]) -> Head:
    """Return the page for a word without another: its neighbours, to be compared with it."""
    x, subcorpus = either(asking.lexicon, asking.get("a") or asking.get("b") or ""), asking.get("subcorpus")
    found = [Link(each, asking.links.compare(x, each, subcorpus)) for each in like(asking, x)]
    notes = ["Name what it is compared with, in B."]
    groups = [(f"Compare {x} with", found)] if found else []
    form = {**form, "a": x, "b": ""}
    page = Page(f"{x} and …", "Compare", (), groups, notes=notes, form=form, template="compare.html")
    return Head(page, [], asking.given)


def like(asking: Asking, x: str) -> list[str]:
    """Return lexemes to compare with another: its neighbours, else the most frequent of its part of speech."""
    subcorpus = asking.get("subcorpus")
    given = only_given(top=EXAMPLES, subcorpus=subcorpus)
    with warnings_heard():
        near = asking.near(x) if subcorpus is None else None
        near = near or asking.lexicon.neighbours(x, **given, **word_pieces.kept(asking.weights, subcorpus))
    if not near.rows:
        root = Phrase.parse(x).lexeme if x.endswith("]") else x
        near = asking.lexicon.lexemes(pos=root.rpartition("/")[2], **given)
    return [each for each in near.column("lexeme") if each != x][:EXAMPLES]


def with_subcorpus(x: str, subcorpus: str | None) -> str:
    """Return a word, with its subcorpus."""
    return x if subcorpus is None else f"{x} in {subcorpus}"


def both(asking: Asking) -> tuple[str, str]:
    """Return the two that are compared; a single one is compared with itself in another subcorpus."""
    a, b = asking.get("a"), asking.get("b")
    one = a or b or ""
    first, second = (either(asking.lexicon, each) for each in (one, b or one))
    if first == second and asking.get("subcorpus_b") in (None, asking.get("subcorpus")):
        raise QuestionError(f"{first} is compared with itself; name another, or another subcorpus")
    return first, second


def of_pair(make: Callable[..., Piece], *, weighed: bool = False) -> Callable[[Asking], Piece]:
    """Return the function for a piece of a comparison."""

    def made(asking: Asking) -> Piece:
        subcorpora = {name: asking.get(name) for name in ("subcorpus", "subcorpus_b")}
        more = [asking.weights] if weighed else []
        return make(asking.lexicon, asking.links, *both(asking), subcorpora, *more, how=asking.how)

    return made


def of_subcorpora(asking: Asking) -> Piece:
    """Return what is typical of a subcorpus."""
    subcorpus = asking.get("subcorpus")
    if subcorpus is None:
        raise QuestionError("name a subcorpus")
    return pair_pieces.key_lexemes(asking.lexicon, asking.links, subcorpus, asking.get("subcorpus_b"), asking.how)


# The word list
def list_head(asking: Asking) -> Head:
    """Return the head of the word list."""
    refuse_unknown_value("subcorpus", asking.get("subcorpus"), list_kept_subcorpora(asking.lexicon))
    page = Page("Word list", "Words")
    return Head(page, [Place("list", "Lexemes")], asking.given)


def list_of(asking: Asking) -> Piece:
    """Return the lexemes of the lexicon, or of a subcorpus."""
    return word_pieces.word_list(asking.lexicon, asking.links, asking.get("subcorpus"), asking.how)


def hand_on_settings(page: str, asking: Asking) -> Asking:
    """Return the request with the settings of its address, which its links hand on. Raise QuestionError."""
    settings = read_page_settings(asking.lexicon, page, asking.given)
    usual = usual_space(asking.lexicon, page, asking.get("x")) if settings.keys().isdisjoint(BESIDE_SPACE) else None
    return replace(asking, links=Links(settings), how=How(with_usual_space(settings, usual)))


def make_head(page: str, asking: Asking) -> Head:
    """Return the head of a page, with the settings that it offers."""
    head = KINDS[page].head(asking)
    if page not in SETTINGS or is_about_subcorpora(page, asking):
        return head
    usual = usual_space(asking.lexicon, page, asking.get("x"))
    offered = choices(asking.lexicon, page, asking.given, usual)
    own = {each.name for each in offered} | ({"subcorpus"} if page != "compare" else set())
    kept = {name: value for name, value in head.given.items() if value and name not in own}
    form = SettingsForm(
        asking.links.page(page),
        offered,
        list_kept_subcorpora(asking.lexicon) if page != "compare" else [],
        asking.get("subcorpus") or "",
        kept,
        say_settings(
            read_page_settings(asking.lexicon, page, asking.given),
            asking.get("subcorpus") if page != "compare" else None,
        ),
        Links().page(page, **kept),
    )
    return replace(head, page=replace(head.page, settings=form))


def is_about_subcorpora(page: str, asking: Asking) -> bool:
    """Return whether a comparison is one of subcorpora, or of nothing yet: neither takes settings."""
    return page == "compare" and asking.get("a") is None and asking.get("b") is None


def make_piece(page: str, name: str, asking: Asking, *, in_file: bool = False) -> Piece:
    """Return a piece of a page, with its tables as the address says; in a file with all rows, if it names no number."""
    view = read_table_view(name, asking.given)
    if view.pos:
        view = replace(view, pos=look_up_tag(asking.lexicon, view.pos))
    if in_file and view.top is None:
        view = replace(view, top=FILE_ROWS)
    made = KINDS[page].pieces[name](replace(asking, how=replace(asking.how, view=view)))
    return arranged(replace(made, name=name), page, Links(), asking.given, view)


KINDS: Mapping[str, Kind] = {
    "words": Kind(("subcorpus",), (), list_head, {"list": list_of}),
    "lexeme": Kind(
        ("x", "subcorpus", "by", "groups", *SETTINGS["lexeme"]),
        ("x",),
        lexeme_head,
        {
            "sketch": on_lexeme(word_pieces.make_sketch_piece),
            "drawing": on_lexeme(word_pieces.drawing),
            "neighbours": find_page_neighbours,
            "evidence": on_lexeme(word_pieces.make_evidence_piece),
            "senses": senses_of,
            "places": places_of,
            "map": map_of,
            "trend": trend_of,
        },
    ),
    "phrase": Kind(
        ("x", "subcorpus", "typed", *SETTINGS["phrase"]),
        ("x",),
        phrase_head,
        {
            "tree": on_phrase(word_pieces.make_phrase_tree_piece),
            "drawing": on_phrase(word_pieces.composed_drawing, merged=True),
            "neighbours": on_phrase(word_pieces.phrase_neighbours, merged=True, weighed=True),
            "words": find_neighbours_of_words,
            "observed": on_phrase(word_pieces.make_observed_piece, merged=True),
        },
    ),
    "compare": Kind(
        ("a", "b", "subcorpus", "subcorpus_b", *SETTINGS["compare"]),
        (),
        pair_head,
        {
            "similarity": of_pair(pair_pieces.make_similarity_piece, weighed=True),
            "sketches": of_pair(pair_pieces.sketches),
            "contexts": of_pair(pair_pieces.make_contexts_piece),
            "subcorpora": of_subcorpora,
        },
    ),
    "sentence": Kind(
        sentence_pages.TAKES,
        ("number",),
        sentence_pages.sentence_head,
        {
            "place": sentence_pages.make_place_piece,
            "tree": sentence_pages.make_tree_piece,
            "words": sentence_pages.make_words_piece,
            "known": sentence_pages.describe_sentence,
        },
        at_once=4,
    ),
}
