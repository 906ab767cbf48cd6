"""The likeliest trees over words by trying all (meaning.md 7.6)."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product

Choice = tuple[int, int]
Scores = Callable[[Choice, Choice, Sequence[Choice] | None], list[tuple[float, str]]]
Reading = tuple[float, tuple[Choice, ...], tuple[int, ...], tuple[str, ...]]  # score, choices, heads, relations


def trees(size: int) -> Iterator[tuple[int, ...]]:
    """The head of each word, from 1, 0 for the root, in every tree without crossing arcs."""
    for heads in product(range(size + 1), repeat=size):
        if heads.count(0) == 1 and leads_up(heads) and not crosses(heads):
            yield heads


def leads_up(heads: tuple[int, ...]) -> bool:
    """Whether each word leads up to the root."""
    for word in range(1, len(heads) + 1):
        at, steps = word, 0
        while at and steps <= len(heads):
            at, steps = heads[at - 1], steps + 1
        if at:
            return False
    return True


def crosses(heads: tuple[int, ...]) -> bool:
    """Whether some word between the ends of an arc is not below its head."""
    for word, head in enumerate(heads, 1):
        for other in range(min(word, head) + 1, max(word, head)) if head else ():
            at = other
            while at not in (0, head):
                at = heads[at - 1]
            if at != head:
                return True
    return False


def all_readings(weights: Sequence[Sequence[float]], roots: Sequence[Sequence[float]], arcs: Scores) -> list[Reading]:
    """Every reading with its score, the best first."""
    found: list[Reading] = []
    for numbers in product(*(range(len(word)) for word in weights)):
        choices = tuple(enumerate(numbers))
        for heads in trees(len(weights)):
            root = choices[heads.index(0)]
            score = roots[root[0]][root[1]] + sum(weights[place][number] for place, number in choices)
            options = []
            for dependent, head in zip(choices, heads, strict=True):
                if head:
                    first, last = sorted((dependent[0], head - 1))
                    between = choices[first + 1 : last] if last - first <= 2 else None
                    options.append(arcs(choices[head - 1], dependent, between))
            for chosen in product(*options):
                found.append(
                    (score + sum(each[0] for each in chosen), choices, heads, tuple(each[1] for each in chosen))
                )
    return sorted(found, key=lambda reading: -reading[0])


def splits(sentences: Sequence[Sequence[str]], typed: str, most: int = 4) -> Counter[tuple[str, ...]]:
    """How often adjacent forms with spaces between them are a word with an apostrophe, as a whole or in parts."""
    word = typed.lower().replace("’", "'")
    runs = (
        tuple(form.lower().replace("’", "'") for form in sentence[begin : begin + size])
        for sentence in sentences
        for begin in range(len(sentence))
        for size in range(1, min(most, len(sentence) - begin) + 1)
    )
    return Counter(run for run in runs if "".join(run) == word and (len(run) == 1 or "'" in word))
