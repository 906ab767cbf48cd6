"""The pages: their parameters, heads and pieces."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any

from aptdb.core.display import how_many
from aptdb.core.errors import QuestionError, warnings_heard
from aptdb.core.phrase import Phrase
from aptdb.explorer import page_plots, pair_pieces, phrase_pieces, sentence_pages, word_pieces
from aptdb.explorer.breakdown_pieces import asks_for_pattern
from aptdb.explorer.content import Asking, Cell, Kind, Link, Links, Page, Piece, Place, only_given
from aptdb.explorer.lookups import (
    as_phrase,
    choose_sparkline,
    count_hits,
    count_tokens_in,
    either,
    frequencies_of,
    has_senses,
    has_trees,
    list_kept_subcorpora,
    list_metadata_columns,
    look_up,
    look_up_lexeme,
    look_up_phrase,
    look_up_tag,
    per_million,
    read_phrase_in_address,
    refuse_unknown_value,
    time_of,
    usual_space,
)
from aptdb.explorer.page_settings import (
    FILE_ROWS,
    SETTINGS,
    How,
    SettingsForm,
    choices,
    read_page_settings,
    read_table_view,
    say_settings,
    with_usual_space,
)
from aptdb.explorer.table_tools import arranged
from aptdb.lexicon import Lexicon

EXAMPLES = 8  # of comparisons
TAGS = 3  # parts of speech that examples are of
PAIR = 2  # words of a phrase that can be compared with its parts
OTHERS = 12  # lexemes with the same lemma
SAME_LEMMA = "The same lemma"
OF_LEXEMES = {  # the pieces of their pages
    "sketch": "Sketch", "neighbours": "Neighbours", "evidence": "Good examples", "senses": "Senses",
    "drawing": "Drawing", "map": "Map", "places": "Where it occurs", "trend": "Over time",
}  # fmt: skip
CONTRIBUTION = "What each word contributes"


# Lexemes
def lexeme_head(asking: Asking) -> Page:
    """Return the head of a lexeme's page: its frequency, also over time or by genre, its lemma, and subcorpora."""
    lexicon, links, subcorpus = asking.lexicon, asking.links, asking.get("subcorpus")
    x = look_up_lexeme(lexicon, asking.given["x"])
    found = lexicon[x]
    names, columns = list_kept_subcorpora(lexicon), list_metadata_columns(lexicon)
    refuse_unknown_value("subcorpus", subcorpus, names)
    refuse_unknown_value("by", asking.get("by"), ["corpus", "document", *columns])
    frequency = frequencies_of(lexicon, [x], subcorpus).get(x, 0) if subcorpus else found.frequency
    size = count_tokens_in(lexicon, subcorpus)
    there = f" in {subcorpus}" if subcorpus else ""
    facts = [
        Cell(f"{how_many(frequency, 'token')}{there}", links.evidence(x, subcorpus=subcorpus) if frequency else ""),
        Cell(per_million(frequency, size)),
    ]
    same = look_up(lexicon, "explorer/same_lemma", lemma=found.lemma, most=OTHERS).column("lexeme")
    others = [Link(each, links.lexeme(each, subcorpus)) for each in same if each != x]
    groups = [(SAME_LEMMA, others)] if others else []
    by = choose_sparkline(lexicon, columns) if frequency else None
    form = {
        "by": by,
        "sparkline": links.page("lexeme/sparkline.svg", x=x, subcorpus=subcorpus) if by else "",
        "kept": {name: value for name, value in asking.given.items() if value and name != "subcorpus"},
    }
    beside = {"x": x, "subcorpus": subcorpus, "subcorpora": names}
    pieces = lexeme_places(lexicon, columns) if frequency else []
    return Page(x, "Lexeme", facts, groups, pieces, query=x, given={"x": x}, beside=beside, form=form,
                template="lexeme.html")  # fmt: skip


def lexeme_places(lexicon: Lexicon, columns: Sequence[str]) -> list[Place]:
    """Return the pieces of a lexeme's page. columns: of metadata."""
    is_there: dict[str, Any] = {"senses": has_senses(lexicon), "map": find_spec("numpy"), "trend": time_of(columns)}
    is_there["places"] = len(lexicon.corpora()) > 1 or columns
    return [Place(*each) for each in OF_LEXEMES.items() if is_there.get(each[0], True)]


# Phrases
def phrase_head(asking: Asking) -> Page:
    """Return the head of a phrase's page: how often it occurs, its reading, and others of the same words."""
    lexicon, links, subcorpus = asking.lexicon, asking.links, asking.get("subcorpus")
    names = list_kept_subcorpora(lexicon)
    refuse_unknown_value("subcorpus", subcorpus, names)
    given, merge = asking.given["x"], asking.get("merge")
    typed = asking.get("typed") or (None if given.endswith("]") else given)
    readings = lexicon.read(typed) if typed else []
    x = str(look_up_phrase(readings[0].phrase)) if given == typed else as_phrase(lexicon, given)
    address = partial(links.phrase, typed=typed)
    tabs = []
    for each in readings:
        text = str(each.phrase)
        tabs.append((Link(text, address(text, subcorpus, merge), text == x), f"{each.share:.0%}: {each.counts}"))
    words = [each["lexeme"] for each in Phrase.parse(x).words()]
    times = count_hits(lexicon, x, subcorpus) if has_trees(lexicon) else None
    tree = [Place("tree", "Tree")]
    places = [
        *([Place("evidence", "Sentences")] if times else tree),  # the first one does not take long
        Place("neighbours", "Neighbours of the phrase"),
        Place("words", "Neighbours of its words"),
        *(tree if times else []),
        *([Place("observed", "As it is used")] if times and len(words) == PAIR else []),
        Place("drawing", CONTRIBUTION),
    ]
    groups = [("Its words", [Link(each, links.lexeme(each, subcorpus)) for each in words])]
    form = {"tabs": tabs, "own": address(x)}
    facts = [] if times is None else list_occurrence_facts(asking, x, times)
    own, beside = {"x": x} | ({"typed": typed} if typed else {}), {"x": x, "subcorpus": subcorpus, "subcorpora": names}
    return Page(typed or x, "Phrase", facts, groups, places, query=typed or x, given=own, beside=beside, form=form,
                template="phrase.html")  # fmt: skip


def list_occurrence_facts(asking: Asking, x: str, times: int) -> list[Cell]:
    """Return how often a phrase occurs, with the address of its concordance."""
    subcorpus = asking.get("subcorpus")
    there = f" in {subcorpus}" if subcorpus else ""
    if not times:
        return [Cell(f"It does not occur{there or ' in these texts'}")]
    often = "once" if times == 1 else how_many(times, "time")
    href = asking.links.page("concordance", q=x, subcorpus=subcorpus)
    return [
        Cell(f"It occurs {often}{there}", href),
        Cell(per_million(times, count_tokens_in(asking.lexicon, subcorpus))),
    ]


# Pairs
def pair_head(asking: Asking) -> Page:
    """Return the head of a comparison: of two words or phrases, or of two subcorpora."""
    lexicon, a, b = asking.lexicon, asking.get("a"), asking.get("b")
    names = list_kept_subcorpora(lexicon)
    for name in ("subcorpus", "subcorpus_b"):
        refuse_unknown_value("subcorpus", asking.get(name), names)
    form: dict[str, Any] = {name: asking.get(name) or "" for name in ("a", "b", "phrase", "subcorpus", "subcorpus_b")}
    form |= {"subcorpora": names, "swapped": swap_sides(asking)}
    if (phrase := asking.get("phrase")) and (a or b or asking.get("subcorpus") is None):
        raise QuestionError(f"{phrase} is compared between subcorpora; name one in subcorpus, and leave out a and b")
    if a is None and b is None:
        return subcorpora_head(asking, form)
    if patterns := [each for each in (a, b) if each and asks_for_pattern(lexicon, each)]:
        searched = partial(asking.links.page, "concordance", subcorpus=asking.get("subcorpus"))
        links = [Link(each, searched(q=each)) for each in patterns]
        return replace(pair_pieces.PATTERN_PAGE, groups=[("Concordance", links)], form=form)
    if has_one_word(asking):
        return make_page_of_one(asking, form)
    first, second = pair_pieces.read_pair(asking)
    second_subcorpus = asking.get("subcorpus_b") or asking.get("subcorpus")
    title = f"{with_subcorpus(first, asking.get('subcorpus'))} and {with_subcorpus(second, second_subcorpus)}"
    of_each = {(first, asking.get("subcorpus")): None, (second, second_subcorpus): None}
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
    given = {"a": first, "b": second}
    return Page(title, "Compare", facts, pieces=places, given=given, form=form, template="compare.html")


def swap_sides(asking: Asking) -> str:
    """Return the address of a comparison with its sides exchanged; '' where there are no two."""
    turned = {"a": "b", "b": "a", "subcorpus": "subcorpus_b", "subcorpus_b": "subcorpus"}
    a, b = (asking.get("a"), asking.get("b")), (asking.get("subcorpus"), asking.get("subcorpus_b"))
    if None in (b if a == (None, None) else a):
        return ""
    if b[1] is None:  # it is that of A, for both
        turned = {"a": "b", "b": "a"}
    return asking.links.page("compare", **{turned.get(name, name): value for name, value in asking.given.items()})


def subcorpora_head(asking: Asking, form: dict[str, Any]) -> Page:
    """Return the head of a comparison of two subcorpora; where none is named, comparisons to begin with."""
    subcorpus, beside = asking.get("subcorpus"), asking.get("subcorpus_b")
    if subcorpus is None and beside is not None:
        raise QuestionError("give the first of the two subcorpora in the parameter subcorpus")
    if subcorpus is None:
        groups = [("For example", list_first_comparisons(asking, form["subcorpora"]))]
        return Page("Compare", "Compare", groups=groups, form=form, template="compare.html")
    title = f"{asking.get('phrase') or ''} in {subcorpus} and {beside or 'all the rest'}".removeprefix(" in ")
    pieces = [Place("subcorpora", "What is typical")]
    return Page(title, "Compare", pieces=pieces, form=form, template="compare.html")


def list_first_comparisons(asking: Asking, subcorpora: Sequence[str]) -> list[Link]:
    """Return comparisons to begin with: of the two most frequent lexemes of some tags, and of two subcorpora."""
    tags = look_up(asking.lexicon, "explorer/common_tags", most=TAGS).column("pos")
    frequent = [asking.lexicon.lexemes(pos=tag, top=2).column("lexeme") for tag in tags]
    found = [Link(f"{a} and {b}", asking.links.compare(a, b)) for a, *rest in frequent for b in rest]
    if len(subcorpora) > 1:
        first, second, *_ = subcorpora
        address = asking.links.page("compare", subcorpus=first, subcorpus_b=second)
        found.append(Link(f"what is typical of {first} compared with {second}", address))
    return found


def has_one_word(asking: Asking) -> bool:
    """Return whether a comparison names one word alone, and no other subcorpus in which to compare it with itself."""
    one, other = asking.get("a"), asking.get("b")
    there = asking.get("subcorpus_b")
    return (one is None or other is None) and (there is None or there == asking.get("subcorpus"))


def make_page_of_one(asking: Asking, form: dict[str, Any]) -> Page:
    """Return the page for a word without another: its neighbours, to be compared with it."""
    x, subcorpus = either(asking.lexicon, asking.get("a") or asking.get("b") or ""), asking.get("subcorpus")
    found = [Link(each, asking.links.compare(x, each, subcorpus)) for each in like(asking, x)]
    notes = ["Name the word or phrase to compare with in B."]
    groups = [(f"Compare {x} with", found)] if found else []
    form = {**form, "a": x, "b": ""}
    return Page(f"{x} and …", "Compare", (), groups, notes=notes, form=form, template="compare.html")


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


# The word list
def list_head(asking: Asking) -> Page:
    """Return the head of the word list."""
    refuse_unknown_value("subcorpus", asking.get("subcorpus"), list_kept_subcorpora(asking.lexicon))
    return Page("Word list", "Words", pieces=[Place("list", "Lexemes")])


def hand_on_settings(page: str, asking: Asking) -> Asking:
    """Return the request with the settings of its address, which its links hand on. Raise QuestionError."""
    settings = read_page_settings(asking.lexicon, page, asking.given)
    usual = usual_space(asking.lexicon, page, asking.get("x"))
    return replace(asking, links=Links(settings), how=How(with_usual_space(settings, usual), own=settings, usual=usual))


def make_head(page: str, asking: Asking) -> Page:
    """Return the head of a page, with the settings that it offers."""
    made = KINDS[page].head(asking)
    head = replace(made, given={**asking.given, **made.given})
    if page not in SETTINGS:
        return head
    if page == "compare" and asking.get("a") is None and asking.get("b") is None:  # of subcorpora, or of nothing yet
        return head
    offered = choices(asking.lexicon, page, asking.given, asking.how.usual)
    has_subcorpus = page not in ("compare", "lexeme")  # these have fields of their own for it
    own = {each.name for each in offered} | ({"subcorpus"} if has_subcorpus else set())
    kept = {name: value for name, value in head.given.items() if value and name not in own}
    names, subcorpus = list_kept_subcorpora(asking.lexicon) if has_subcorpus else [], asking.get("subcorpus") or ""
    said, reset = say_settings(asking.how.own, subcorpus if has_subcorpus else None), Links().page(page, **kept)
    return replace(head, settings=SettingsForm(asking.links.page(page), offered, names, subcorpus, kept, said, reset))


def make_piece(page: str, name: str, asking: Asking, *, in_file: bool = False) -> Piece:
    """Return a piece of a page, with its tables as the address says; in a file with all rows, if it names no number."""
    view = read_table_view(name, asking.given)
    if view.pos:
        view = replace(view, pos=look_up_tag(asking.lexicon, view.pos))
    if in_file and (view.top is None or view.page > 1):
        view = replace(view, top=FILE_ROWS, page=1)
    whole = view if view.top is None else replace(view, top=min(view.top * view.page, FILE_ROWS))
    made = KINDS[page].pieces[name](replace(asking, how=replace(asking.how, view=whole)))
    drawn = [Link("as SVG", Links().page(f"{page}/{name}.svg", **asking.given))] if made.picture else []
    return arranged(replace(made, name=name, links=[*made.links, *drawn]), page, Links(), asking.given, view)


KINDS: Mapping[str, Kind] = {
    "words": Kind(("subcorpus",), (), list_head, {"list": word_pieces.word_list}),
    "lexeme": Kind(
        ("x", "subcorpus", "by", "groups", *SETTINGS["lexeme"]),
        ("x",),
        lexeme_head,
        {
            "sketch": word_pieces.make_sketch_piece,
            "drawing": word_pieces.make_drawing_piece,
            "neighbours": word_pieces.make_near_piece,
            "evidence": word_pieces.make_evidence_piece,
            "senses": word_pieces.make_senses_piece,
            "places": page_plots.make_places_piece,
            "map": page_plots.nearest_map,
            "trend": page_plots.make_trend_piece,
        },
    ),
    "phrase": Kind(
        ("x", "subcorpus", "typed", *SETTINGS["phrase"]),
        ("x",),
        phrase_head,
        {
            "evidence": phrase_pieces.make_phrase_evidence_piece,
            "neighbours": phrase_pieces.make_phrase_neighbours_piece,
            "words": phrase_pieces.show_words,
            "tree": phrase_pieces.make_phrase_tree_piece,
            "observed": phrase_pieces.make_observed_piece,
            "drawing": lambda asking: word_pieces.make_drawing_piece(asking, read_phrase_in_address, CONTRIBUTION),
        },
    ),
    "compare": Kind(
        ("a", "b", "subcorpus", "subcorpus_b", "phrase", *SETTINGS["compare"]),
        (),
        pair_head,
        {
            "similarity": pair_pieces.make_similarity_piece,
            "sketches": pair_pieces.sketches,
            "contexts": pair_pieces.make_contexts_piece,
            "subcorpora": pair_pieces.key_lexemes,
        },
    ),
    "trend": Kind(
        ("q", "by", "subcorpus", "against"), (), page_plots.make_trend_head, {"trend": page_plots.make_times_piece}
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
