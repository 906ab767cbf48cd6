"""Random trees, paths and settings of counting, small enough that words and labels repeat."""

from typing import Any

from hypothesis import strategies as st

from twins.counting import Rules
from twins.trees import Token

LEMMAS = ("ant", "Bee", "cat", "_", "a/b")
TAGS = ("N", "V", "PUNCT")
RELATIONS = ("r", "s", "t", "r:x", "s:y")
XPOS = ("x", "Y")
# These differ in case, normal form and stem.
WORDS = ("Cats", "cats", "running", "_", "a/b", "\u00c9t\u00e9s", "E\u0301te\u0301s", "e\u0301", "\u00e9")
TEMPLATES = (
    "{lemma}/{upos}",
    "{lemma}/{xpos}",
    "{form}/{upos}",
    "{stem}/{upos}",
    "{lemma}",
    "{form}",
    "{stem}",
    "{form}-{xpos}",
    "{form}={stem}/{xpos}/{upos}",
)
STEMMERS = ("english", "porter", "german")


@st.composite
def sentences(draw: st.DrawFn, longest: int = 9) -> list[Token]:
    """A sentence with a tree of any shape: deep, flat, non-projective, with many equal labels, sometimes two roots."""
    size = draw(st.integers(1, longest))
    order = draw(st.permutations(range(1, size + 1)))
    shape = draw(st.sampled_from(("any", "deep", "flat", "two roots")))
    heads = {order[0]: 0}
    for place in range(1, size):
        nearest = {"deep": place - 1, "flat": 0}.get(shape)
        head = order[draw(st.integers(0, place - 1)) if nearest is None else nearest]
        heads[order[place]] = 0 if shape == "two roots" and place == 1 else head
    labels = RELATIONS if draw(st.booleans()) else RELATIONS[:1]
    return [
        Token(
            form=draw(st.sampled_from(LEMMAS)).title(),
            lemma=draw(st.sampled_from(LEMMAS)),
            upos=draw(st.sampled_from(TAGS)),
            xpos=draw(st.sampled_from(("x", "Y"))),
            head=heads[position],
            relation=draw(st.sampled_from(labels)),
        )
        for position in range(1, size + 1)
    ]


def corpora(longest: int = 9, most: int = 5) -> st.SearchStrategy[list[list[Token]]]:
    """A few sentences."""
    return st.lists(sentences(longest), min_size=1, max_size=most)


def step_lists(most: int = 6) -> st.SearchStrategy[list[str]]:
    """Steps in any order, with few relations, so that many cancel."""
    return st.lists(
        st.tuples(st.sampled_from("<>"), st.sampled_from(("a", "b", "nsubj:pass", "é"))).map("".join), max_size=most
    )


def sequences(most: int = 6) -> st.SearchStrategy[str]:
    """Any sequence of steps, as text."""
    return step_lists(most).map("".join)


def paths(most: int = 3) -> st.SearchStrategy[str]:
    """Ups before downs; not always reduced."""
    names = st.lists(st.sampled_from("ab"), max_size=most)
    return st.tuples(names, names).map(
        lambda both: "".join(f"<{name}" for name in both[0]) + "".join(f">{name}" for name in both[1])
    )


# Settings of counting, and words that they change
def subsets(values: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """None of the values, or some, each once."""
    return st.just([]) | st.lists(st.sampled_from(values), unique=True)


def maps(keys: tuple[str, ...], values: tuple[str, ...]) -> st.SearchStrategy[dict[str, str]]:
    """None of the keys, or some, each with a value: merging, swapping, chaining, or new."""
    return st.just({}) | st.dictionaries(st.sampled_from(keys), st.sampled_from(values))


@st.composite
def stop_entries(draw: st.DrawFn, tags: tuple[str, ...]) -> str:
    """A bare word or one with a tag, sometimes of two words joined, in any case."""
    words = draw(st.lists(st.sampled_from(LEMMAS + WORDS), min_size=1, max_size=draw(st.sampled_from((1, 1, 1, 2)))))
    word = "_".join(words)
    cased: str = draw(st.sampled_from((word, word, word.lower(), word.lower(), word.upper(), word.title())))
    return f"{cased}/{draw(st.sampled_from(tags))}" if draw(st.booleans()) else cased


@st.composite
def normalisations(draw: st.DrawFn) -> dict[str, Any]:
    """A valid dictionary of settings: labels and tags are those that are there after the maps, and no label is both
    in join and in exclude_relations. What is at its default is written or left out.
    """
    found: dict[str, Any] = {
        "nfc": draw(st.booleans()),
        "lowercase": draw(st.booleans()),
        "pos_map": draw(maps(TAGS + XPOS, (*TAGS, *XPOS, "M"))),
        "relations": draw(st.sampled_from(("full", "universal"))),
        "lexeme": draw(st.sampled_from(TEMPLATES)),
        "min_token_length": draw(st.sampled_from((0, 0, 0, 2, 4, 6))),
        "order": draw(st.integers(0, 4)),
    }
    universal = found["relations"] == "universal"
    written = sorted({relation.split(":")[0] if universal else relation for relation in RELATIONS})
    found["relation_map"] = draw(maps(tuple(written), (*RELATIONS, "q", "q:z")))
    labels = sorted({found["relation_map"].get(relation, relation) for relation in written})
    use = {name: draw(st.sampled_from(("keep", "keep", "join", "exclude_relations"))) for name in labels}
    for setting in ("join", "exclude_relations"):
        found[setting] = [name for name in labels if use[name] == setting] if draw(st.booleans()) else []
    tags = tuple(sorted({found["pos_map"].get(tag, tag) for tag in TAGS}))
    tags_and_xpos = tuple(sorted({*tags, *(found["pos_map"].get(tag, tag) for tag in XPOS)}))
    found["exclude_upos"] = draw(subsets(tags))
    found["stop_list"] = draw(st.just([]) | st.lists(stop_entries(tags_and_xpos), unique=True, min_size=1, max_size=8))
    if "{stem}" in found["lexeme"]:
        found["stemmer"] = draw(st.sampled_from(STEMMERS))
    default = Rules()._asdict()
    written_out = draw(st.booleans())
    return {name: value for name, value in found.items() if written_out or value not in (default[name], [])}


@st.composite
def spelt_sentences(draw: st.DrawFn, longest: int = 9) -> list[Token]:
    """A sentence with words whose case, normal form and stem differ."""
    words = st.sampled_from(WORDS)
    return [token._replace(form=draw(words), lemma=draw(words)) for token in draw(sentences(longest))]


def spelt_corpora(longest: int = 9, most: int = 5) -> st.SearchStrategy[list[list[Token]]]:
    """A few sentences of either kind."""
    return st.lists(sentences(longest) | spelt_sentences(longest), min_size=1, max_size=most)
