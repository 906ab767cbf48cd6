"""The plain twin of phrases as they are observed (meaning.md 5.9): their counts, from trees that are walked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import Any

from twins.counting import Rules, pairs
from twins.paths import offset
from twins.searches import Part, places
from twins.trees import Corpus
from twins.weights import Apt, Counts, Feature


def counts(sentences: Corpus, phrase: Sequence[Part], *, direct: bool = False, **given: Any) -> Counter[Feature]:
    """How often each feature is met at the nodes where the phrase is found, without the nodes of its other words."""
    own: dict[tuple[int, int], set[int]] = {}
    for number, chosen in places(sentences, phrase, **given):
        own.setdefault((number, chosen[0]), set()).update(chosen[1:])
    found: Counter[Feature] = Counter()
    for pair in pairs(sentences, Rules(**given)):
        anchor = (pair.sentence, pair.x)
        if anchor in own and pair.y not in own[anchor] and (pair.is_direct or not direct):
            found[pair.triple[1:]] += 1
    return found


def weights(lexicon: Counts, observed: Counter[Feature], shift: float = 1.0) -> dict[Feature, float]:
    """Their ppmi beside a lexicon: as if the phrase were one more lexeme, whose counts add nothing to the totals."""
    paths, features = Counter[str](), Counter[Feature]()
    for (_, path, context), n in lexicon.items():
        paths[path] += n
        features[path, context] += n
    here = Counter[str]()
    for (path, _), n in observed.items():
        here[path] += n
    found = {
        feature: log(n * paths[feature[0]] / (here[feature[0]] * features[feature])) - log(shift)
        for feature, n in observed.items()
    }
    return {feature: weight for feature, weight in found.items() if weight > 0}


def elsewhere(
    sentences: Corpus, phrase: Sequence[Part], lexeme: str, *, direct: bool = False, **given: Any
) -> Counter[Feature]:
    """How often a lexeme meets each feature, counted again at the nodes of it that are in no occurrence of a phrase."""
    own = {(number, node) for number, chosen in places(sentences, phrase, **given) for node in chosen}
    found: Counter[Feature] = Counter()
    for pair in pairs(sentences, Rules(**given)):
        if pair.triple[0] == lexeme and (pair.sentence, pair.x) not in own and (pair.is_direct or not direct):
            found[pair.triple[1:]] += 1
    return found


def summed(head: Mapping[Feature, float], dependent: Mapping[Feature, float], relation: str) -> Apt:
    """The APT of a head and a dependent that hangs below it along a relation: the sum of both, seen from the head."""
    found = dict(head)
    for (path, context), weight in dependent.items():
        moved = offset(path, f"<{relation}")
        if moved is not None:
            found[moved, context] = found.get((moved, context), 0.0) + weight
    return found
