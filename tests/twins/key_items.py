"""The plain twin of the items that keyness compares, their order and their dispersion (meaning.md 7.4)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from twins import counting, keyness
from twins.paths import inverse, steps
from twins.trees import Corpus, Sentence

GRAMMAR = {"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "PUNCT", "SCONJ"}
NUMBERS = {"NUM", "SYM"}

Item = tuple[str | None, str | None, str | None]


class Row(NamedTuple):
    """An item with its counts and statistics, as keyness shows it."""

    item: Item
    count_a: int
    count_b: int
    g2: float
    log_ratio: float | None
    p_value: float
    q_value: float
    documents_a: int
    dp_a: float | None


def is_asked(lexeme: str, pos: str) -> bool:
    """Whether a lexeme, of the form word/TAG, is a content word, or has one of the tags between commas."""
    tag = lexeme.rpartition("/")[2] if "/" in lexeme else None
    if pos == "any":
        return True
    if pos != "content":
        return tag in pos.split(",")
    if tag in (None, "_"):
        return any(letter.isalpha() for letter in lexeme)
    return tag not in GRAMMAR | NUMBERS


def items_of(sentence: Sentence, of: str, pos: str, *, direct: bool, **settings: Any) -> Counter[Item]:
    """Return what is counted in one sentence, of lexemes that are asked for; of inverse paths the lesser.

    direct: by direct counts.
    """
    if of == "lexemes":
        found = counting.frequencies([sentence], **settings)
        return Counter({(word, None, None): n for word, n in found.items() if is_asked(word, pos)})
    items: Counter[Item] = Counter()
    for (word, path, context), n in counting.count([sentence], direct=direct, **settings).items():
        if path and path <= inverse(path) and is_asked(word, pos) and is_asked(context, pos):
            items[(word, path, context) if of == "cooccurrences" else (None, path, None)] += n
    return items


def summed(counts: Iterable[Counter[Item]]) -> Counter[Item]:
    """The sum of all counts."""
    total: Counter[Item] = Counter()
    for each in counts:
        total.update(each)
    return total


def dp(counts: Mapping[str, int], sizes: Mapping[str, int]) -> float | None:
    """Gries (2008): half the sum, over all texts, of how far the item's share is from that of all tokens."""
    if len(sizes) < 2:
        return None
    every, tokens = sum(counts.values()), sum(sizes.values())
    return sum(abs(counts.get(text, 0) / every - size / tokens) for text, size in sizes.items()) / 2


def key_items(
    a: Mapping[str, Corpus], b: Corpus, of: str, pos: str, min_count: int, *, negative: bool, **settings: Any
) -> list[Row]:
    """The rows of keyness of a, by its texts, and of b, which has no sentence of a."""
    in_text = {text: summed(items_of(each, of, pos, **settings) for each in trees) for text, trees in a.items()}
    sizes = {text: sum(map(len, trees)) for text, trees in a.items()}
    in_a, in_b = summed(in_text.values()), summed(items_of(each, of, pos, **settings) for each in b)
    tokens_a, tokens_b = sum(sizes.values()), sum(map(len, b))
    tested = [item for item in {*in_a, *in_b} if in_a[item] + in_b[item] >= min_count]
    g2 = {item: keyness.g2(in_a[item], in_b[item], tokens_a, tokens_b) for item in tested}
    q_values = dict(zip(tested, keyness.q_values([keyness.p_value(g2[item]) for item in tested]), strict=True))
    side = {item: in_a[item] * tokens_b - in_b[item] * tokens_a for item in tested}
    shown = [item for item in tested if side[item] < 0 or not negative]
    where: dict[Item, dict[str, int]] = defaultdict(dict)
    for text, counts in in_text.items():
        for item, n in counts.items():
            where[item][text] = n
    order = [
        (-(side[item] > 0) + (side[item] < 0), -round(g2[item], 9), *(part or "" for part in item)) for item in shown
    ]
    return [
        Row(
            item, in_a[item], in_b[item], g2[item],
            keyness.log_ratio(in_a[item], in_b[item], tokens_a, tokens_b),
            keyness.p_value(g2[item]), q_values[item], len(where[item]),
            dp(where[item], sizes) if where[item] else None,
        )
        for _, item in sorted(zip(order, shown, strict=True))
    ]  # fmt: skip


def lacking(a: Mapping[str, int], b: Mapping[str, int]) -> set[str]:
    """The labels that one side never has, though the share of the other lets expect ten or more."""
    whole = (sum(a.values()), sum(b.values()))
    if not all(whole):
        return set()
    expected = {label: max(a.get(label, 0) * whole[1] / whole[0], b.get(label, 0) * whole[0] / whole[1])
                for label in {*a, *b}}  # fmt: skip
    return {label for label, n in expected.items() if n >= 10 and not (a.get(label) and b.get(label))}


NAMES = ("PROPN", "NNP", "NNPS")


def incomparable(a: Corpus, b: Corpus) -> tuple[set[str], set[str], set[str]]:
    """The words, parts of speech and relations of two lexicons that are annotated differently."""
    words = [counting.frequencies(each) for each in (a, b)]
    tags, arcs, lemmas = ([Counter[str](), Counter[str]()] for _ in range(3))
    for side, corpus in enumerate((a, b)):
        for word, n in words[side].items():
            lemma, _, tag = word.rpartition("/")
            tags[side][tag] += n
            lemmas[side][lemma] += 0 if tag in NAMES else n
        for (_, path, _), n in counting.count(corpus, direct=True).items():
            if len(steps(path)) == 1 and path[0] == ">":
                arcs[side][path[1:]] += n
    found, sizes = set(), [sum(map(len, each)) for each in (a, b)]
    for word in {*words[0], *words[1]}:
        lemma, _, tag = word.rpartition("/")
        often = [each[lemma] for each in lemmas]
        if tag in NAMES or min(often) < 10:
            continue
        shares = [words[side][word] / often[side] for side in (0, 1)]
        more = 0 if shares[0] > shares[1] else 1
        if abs(shares[0] - shares[1]) > 0.5 and often[more] * sizes[1 - more] < 2 * often[1 - more] * sizes[more]:
            found.add(word)
    return found | of_other_lemmas(a, b), lacking(*tags), lacking(*arcs)


def of_other_lemmas(a: Corpus, b: Corpus) -> set[str]:
    """The words most of whose tokens have a form that is mostly of another lemma in the other lexicon."""
    sides = [
        Counter(((token.form.lower(), token.lemma.lower()), f"{token.lemma.lower()}/{token.upos}")
                for tree in corpus for token in tree)
        for corpus in (a, b)
    ]  # fmt: skip
    sizes, found = [each.total() for each in sides], set()
    for (form, lemma), _ in {pair for side in sides for pair in side}:
        of_form = [sum(n for ((other, _), _), n in side.items() if other == form) for side in sides]
        of_pair = [sum(n for (pair, _), n in side.items() if pair == (form, lemma)) for side in sides]
        if min(of_form) < 10:
            continue
        shares = [of_pair[side] / of_form[side] for side in (0, 1)]
        more = 0 if shares[0] > shares[1] else 1
        if abs(shares[0] - shares[1]) <= 0.5 or of_form[more] * sizes[1 - more] >= 2 * of_form[1 - more] * sizes[more]:
            continue
        for (pair, word), n in sides[more].items():
            if pair == (form, lemma) and 2 * n > sum(m for (_, each), m in sides[more].items() if each == word):
                found.add(word)
    return found
