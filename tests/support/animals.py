"""Some sentences about dogs and cats."""

from twins.trees import Token


def sentence(*words: tuple[str, str, int, str]) -> list[Token]:
    """A sentence of words, each with its part of speech, head and relation."""
    return [Token(word, word, tag, "_", head, relation) for word, tag, head, relation in words]


ANIMALS = [
    sentence(
        ("the", "DET", 3, "det"),
        ("big", "ADJ", 3, "amod"),
        ("dog", "NOUN", 4, "nsubj"),
        ("chases", "VERB", 0, "root"),
        ("a", "DET", 6, "det"),
        ("cat", "NOUN", 4, "obj"),
        (".", "PUNCT", 4, "punct"),
    ),
    sentence(
        ("dogs", "NOUN", 2, "nsubj"), ("eat", "VERB", 0, "root"), ("big", "ADJ", 4, "amod"), ("dog", "NOUN", 2, "obj")
    ),
    sentence(
        ("small", "ADJ", 2, "amod"), ("cat", "NOUN", 0, "root"), ("of", "ADP", 4, "case"), ("dog", "NOUN", 2, "nmod:of")
    ),
    sentence(("odd", "ADJ", 2, "xyz"), ("dog", "NOUN", 0, "root"), ("cat", "NOUN", 2, "conj")),
]
