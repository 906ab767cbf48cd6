"""Random trees, paths and phrases, small enough that words and labels repeat."""

from hypothesis import strategies as st
from twin import Token

LEMMAS = ("ant", "Bee", "cat", "_", "a/b")
TAGS = ("N", "V", "PUNCT")
RELATIONS = ("r", "s", "t", "r:x", "s:y")


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
