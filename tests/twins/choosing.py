"""The twin of choosing: how a word goes with others in the same sentence, by plain counts of sentences."""

from collections.abc import Collection, Sequence
from math import log


def score(sentences: Sequence[Collection[str]], word: str, around: Collection[str]) -> float:
    """Return the sum of the word's ppmi with the words around it."""

    def having(*words: str) -> int:
        return sum(all(each in sentence for each in words) for sentence in sentences)

    total = 0.0
    for other in {*around} - {word}:
        if both := having(word, other):
            total += max(0.0, log(both * len(sentences) / (having(word) * having(other))))
    return total
