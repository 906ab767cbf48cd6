"""The page of a sentence: its text among its neighbours, its dependency tree, its words, and what is known of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from aptdb.core.errors import QuestionError, warnings_heard
from aptdb.explorer.content import Asked, Asking, Cell, Link, Links, Mark, Page, Picture, Piece, Place, Table
from aptdb.explorer.lookups import look_up, look_up_lexeme
from aptdb.explorer.page_settings import read_number_in_address
from aptdb.pictures.arcs import Token, sentence_tree
from aptdb.questions import concordances
from aptdb.store.methods import of_session

TAKES = ("number", "first", "last", "context", "around")
AROUND, MOST_AROUND = 2, 50  # sentences before and after
MOST_NUMBER = 2**31 - 1
MOST_WORDS = 300  # of a tree that is drawn
KEYWORD, CONTEXT = 1, 2  # the colours of marked words
WORDS_OF = "FROM tokens WHERE sentence = {} ORDER BY position"
OF_TOKEN = ("position", "form", "lemma", "upos", "xpos", "feats", "head", "relation")
around = of_session(concordances.sentences_around)
about_sentence, metadata_of = of_session(concordances.about_sentence), of_session(concordances.metadata_of)
words_of_sentence = of_session(concordances.words_of_sentence)


def text_between(words: Sequence[Mapping[str, Any]], first: int, last: int | None = None) -> str:
    """Return the text of some words, from a position to another, as of a slice."""
    return "".join(f"{each['form']}{each['gap']}" for each in words[first:last]).strip()


def marked_words(words: Sequence[Mapping[str, Any]], keyword: Collection[int], context: Collection[int]) -> list[Mark]:
    """Return the text of a sentence in stretches. keyword, context: the places of their words, from 1."""
    found: list[Mark] = []
    for each in words:
        kind = "keyword" if each["place"] in keyword else "context" if each["place"] in context else ""
        found.append(Mark(each["form"], kind))
        if each["gap"]:
            found.append(Mark(each["gap"]))
    return found


def marks(asking: Asking) -> tuple[set[int], set[int]]:
    """Return the positions of the keyword and of its context in an address. Raise QuestionError."""
    first, last = asking.get("first"), asking.get("last")
    begin = read_number_in_address("first", first, MOST_NUMBER) if first else 1
    end = read_number_in_address("last", last, MOST_NUMBER) if last else (begin if first else 0)
    if end - begin > MOST_NUMBER // 1000:
        raise QuestionError(f"last is {end:,}; a keyword is not so long")
    places = filter(None, (asking.get("context") or "").split(","))
    return {*range(begin, end + 1)}, {read_number_in_address("context", each, MOST_NUMBER) for each in places}


def sentence_number(asking: Asking) -> int:
    """Return the number of the sentence. Raise QuestionError."""
    given = asking.given["number"]
    return 0 if given == "0" else read_number_in_address("number", given, MOST_NUMBER)


def sentence_head(asking: Asking) -> Page:
    """Return the head of a sentence's page: its name, document and corpus, and the sentences beside it."""
    own, links = sentence_number(asking), asking.links
    about = about_sentence(asking.lexicon, own)
    marks(asking)
    facts = [Cell(each) for each in dict.fromkeys((about["document"], about["corpus"])) if each]
    near = around(asking.lexicon, [own], 1)[own]
    beside = [
        Link("the sentence before" if each < own else "the sentence after", links.page("sentence", number=each))
        for each, _ in near
        if each != own
    ]
    named = {"place": "In its text", "tree": "Dependency tree", "words": "Words", "known": "Metadata"}
    places = [Place(*each) for each in named.items()]
    beside.append(Link("a pattern made of it", links.page("construction", number=own)))
    groups = [("Go to", beside)]
    return Page(about["sentence"], "Sentence", facts, groups, places)


def ask_in_sql(query: str) -> list[Asked]:
    """Return the question that a query in SQL is."""
    return [Asked("sql", (query,), {}, query)]


def make_place_piece(asking: Asking) -> Piece:
    """Return a sentence in its text: some sentences before and after it, its words marked."""
    own, links = sentence_number(asking), asking.links
    many = read_number_in_address("around", asking.get("around") or str(AROUND), MOST_AROUND)
    near = around(asking.lexicon, [own], many)[own]
    keyword, context = marks(asking)
    words = [
        {"form": each["form"], "gap": " " if each["space_after"] else "", "place": each["position"]}
        for each in words_of_sentence(asking.lexicon, own)
    ]
    text = marked_words(words, keyword, context)
    paragraphs = [
        (Link(written, links.page("sentence", number=each)), text if each == own else ()) for each, written in near
    ]
    more = min(max(10, 2 * many), MOST_AROUND)
    given = {each: asking.get(each) for each in TAKES} | {"around": str(more)}
    wider = [Link(f"{more} before and after", links.page("sentence", **given))] if many < MOST_AROUND else []
    return Piece("passage", "In its text", paragraphs, (), (), wider)


def make_tree_piece(asking: Asking) -> Piece:
    """Return the dependency tree of a sentence, with the words that were asked for marked."""
    own = sentence_number(asking)
    tokens = [*words_of_sentence(asking.lexicon, own)]
    if len(tokens) > MOST_WORDS:
        notes = [f"A tree of {len(tokens):,} words is not drawn."]
        return Piece("nothing", "Dependency tree", None, ask_in_sql(WORDS_OF.format(own)), notes)
    keyword, context = marks(asking)
    places = {each["position"]: at for at, each in enumerate(tokens)}
    marked = {places[each]: CONTEXT for each in context if each in places}
    marked |= {places[each]: KEYWORD for each in keyword if each in places}
    drawn = sentence_tree(
        [Token(each["form"], each["upos"], places.get(each["head"]), each["relation"]) for each in tokens],
        f"sentence {own}",
        marked,
    )
    return Piece("picture", "Dependency tree", Picture(drawn.svg, str(drawn)), ask_in_sql(WORDS_OF.format(own)))


def make_words_piece(asking: Asking) -> Piece:
    """Return the words of a sentence as a table."""
    links: Links = asking.links
    own = sentence_number(asking)
    rows = [
        [
            *(Cell("" if each[name] is None else str(each[name])) for name in OF_TOKEN),
            Cell(each["lexeme"] or "", links.lexeme(each["lexeme"]) if each["lexeme"] else "", is_lexeme=True),
        ]
        for each in words_of_sentence(asking.lexicon, own)
    ]
    columns = [*((each, each in ("position", "head")) for each in OF_TOKEN), ("lexeme", False)]
    return Piece("table", "Words", Table(columns, rows), ask_in_sql(WORDS_OF.format(own)))


def describe_sentence(asking: Asking) -> Piece:
    """Return what is known of a sentence: its corpus, its document, and metadata."""
    own = sentence_number(asking)
    found = {**about_sentence(asking.lexicon, own), **metadata_of(asking.lexicon, [own]).get(own, {})}
    rows = [(Cell(name), Cell(str(value))) for name, value in found.items() if value is not None]
    table = Table((("property", False), ("value", False)), rows)
    return Piece("table", "Metadata", table, ask_in_sql(f"FROM sentences WHERE sentence = {own}"))


def make_builder_page(asking: Asking) -> Page:
    """Return the page on which words and arcs of a sentence are chosen for a pattern. Raise QuestionError."""
    lexicon, typed = asking.lexicon, (asking.get("q") or "").strip()
    with warnings_heard():  # the field shows how the word is read
        lexeme = look_up_lexeme(lexicon, typed) if typed else None
    seed = read_number_in_address("seed", asking.get("seed") or "1", MOST_NUMBER)
    if asking.get("number"):
        own = sentence_number(asking)
    else:
        found = look_up(lexicon, "explorer/short_sentence", lexeme=lexeme, seed=seed).rows
        if not found:
            raise QuestionError(f"no sentence{f' with {lexeme}' if lexeme else ''} to make a pattern of")
        own = int(found[0][0])
    name = about_sentence(lexicon, own)["sentence"]
    tree = make_tree_piece(replace(asking, given={"number": str(own)}))
    piece = replace(tree, heading=f"Sentence {name}", asked=())
    another = asking.links.page("construction", q=lexeme, seed=seed + 1)
    form = {"q": lexeme or "", "words": list_words_to_choose([*words_of_sentence(lexicon, own)]), "another": another}
    return Page("Find a construction", "Pattern", pieces=[piece], form=form, template="builder.html")


def list_words_to_choose(tokens: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what a pattern can ask of each token: the place of its head and its relation, columns and features."""
    places = {each["position"]: at for at, each in enumerate(tokens)}
    found = []
    for each in tokens:
        columns = {name: each[name] for name in ("upos", "lemma", "form", "xpos") if each[name] not in (None, "", "_")}
        features = (part.partition("=") for part in (each["feats"] or "").split("|"))
        columns |= {key: value for key, _, value in features if value and key.isidentifier()}
        found.append({"head": places.get(each["head"]), "relation": each["relation"], "keys": [*columns.items()]})
    return found
