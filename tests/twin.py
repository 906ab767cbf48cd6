"""The brute-force twin of meaning.md, sections 1-7; what these refuse raises an error."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise, product
from math import fsum, log, log2, prod, sqrt
from typing import Any, NamedTuple

Feature = tuple[str, str]  # path, context
Triple = tuple[str, str, str]  # lexeme, path, context
Counts = Mapping[Triple, int]
Apt = dict[Feature, float]
Phrase = list[tuple[str, str]]  # lexeme, delta
X = str | Phrase  # what a question is about (meaning.md 7.1)
TURNED = str.maketrans("<>", "><")  # a step walked the other way, the paper's overline


class Token(NamedTuple):
    """A row of CoNLL-U; its id is its position in the sentence, from 1; head 0 is the root (meaning.md 3.2)."""

    form: str
    lemma: str
    upos: str
    xpos: str
    head: int
    relation: str


Sentence = list[Token]
Corpus = Iterable[Sentence]


# Paths (meaning.md 2; paper 2.1)
def steps(path: str) -> list[str]:
    """Return the steps of a path's text, one `<r` or `>r` for each edge walked (meaning.md 1)."""
    text = "" if path == "ε" else path
    starts = [i for i, character in enumerate(text) if character in "<>"]
    found = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    if "".join(found) != text or "<" in found or ">" in found:
        raise ValueError(f"not a path: {path!r}")
    return found


def _cancelled(walk: list[str]) -> list[str]:
    """Strike an adjacent complementary pair of steps until there is none (paper, equation of the reduced type)."""
    for i, (step, following) in enumerate(pairwise(walk)):
        if following == step.translate(TURNED):
            return _cancelled(walk[:i] + walk[i + 2 :])
    return walk


def reduce(path: str) -> str:
    """Return the path without complementary neighbours (meaning.md 2.1)."""
    return "".join(_cancelled(steps(path)))


def inverse(path: str) -> str:
    """Return the steps reversed, each turned round (meaning.md 2.1)."""
    return "".join(reversed(steps(path))).translate(TURNED)


def offset(path: str, delta: str) -> str | None:
    """Return reduced (inverse delta . path), None where it is no path: the node is dropped (paper 4.2, end)."""
    moved = _cancelled(steps(inverse(delta)) + steps(path))
    up_after_down = any(step[0] == ">" and following[0] == "<" for step, following in pairwise(moved))
    return None if up_after_down else "".join(moved)


def order(path: str) -> int:
    """Return the number of steps of the reduced path (meaning.md 2.1)."""
    return len(_cancelled(steps(path)))


def is_valid(path: str) -> bool:
    """Say whether the text is well formed, reduced, ups before downs: offset by ε keeps it (meaning.md 2.1)."""
    try:
        return offset(path, "") == "".join(steps(path))
    except ValueError:
        return False


# Counting (meaning.md 3; paper 2.1)
def _lexemes(
    sentence: Sentence, *, lexeme: str = "{lemma}/{upos}", lowercase: bool = True, exclude_upos: Collection[str] = ()
) -> list[str | None]:
    """Fill the template for each token, None for one left out; tags are never lower-cased (meaning.md 3.2)."""
    lowered = [t._replace(form=t.form.lower(), lemma=t.lemma.lower()) if lowercase else t for t in sentence]
    return [None if token.upos in exclude_upos else lexeme.format_map(token._asdict()) for token in lowered]


def _way_to_root(sentence: Sentence, node: int) -> list[int]:
    """Return the node, its head, its head's head ... up to the root (meaning.md 3.1)."""
    head = sentence[node - 1].head
    return [node, *_way_to_root(sentence, head)] if head else [node]


def _walk(x_way: list[int], y_way: list[int], labels: list[str]) -> list[str]:
    """Return all steps from x up to the lowest common ancestor and down to y, not reduced (paper 2.1)."""
    ups, downs = [node for node in x_way if node not in y_way], [node for node in y_way if node not in x_way]
    return ["<" + labels[node - 1] for node in ups] + [">" + labels[node - 1] for node in reversed(downs)]


def count(sentences: Corpus, *, order: int = 2, relations: str = "full", **settings: Any) -> Counter[Triple]:
    """Count ordered pairs of nodes (x, y) by the labels of both and the reduced path between them (meaning.md 3.1)."""
    counts: Counter[Triple] = Counter()
    for sentence in sentences:
        labels = [token.relation.split(":")[0] if relations == "universal" else token.relation for token in sentence]
        ways = [_way_to_root(sentence, node) for node in range(1, len(sentence) + 1)]
        words = _lexemes(sentence, **settings)
        nodes = [(word, way) for word, way in zip(words, ways, strict=True) if word is not None]
        for (x, x_way), (y, y_way) in product(nodes, repeat=2):
            if x_way[-1] == y_way[-1] and len(path := _cancelled(_walk(x_way, y_way, labels))) <= order:
                counts[x, "".join(path), y] += 1
    return counts


def frequencies(sentences: Corpus, *, order: int = 2, relations: str = "full", **settings: Any) -> Counter[str]:
    """Count the tokens of each lexeme (meaning.md 1); order and relations change nothing."""
    return Counter(word for sentence in sentences for word in _lexemes(sentence, **settings) if word is not None)


# Weights (meaning.md 4)
def _marginal(counts: Counts, *kept: int) -> Counter[tuple[str, ...]]:
    """Sum the counts over what is not kept of ⟨0: w, 1: τ, 2: w'⟩, the stars in #⟨w,τ,*⟩ (meaning.md 4.1)."""
    sums: Counter[tuple[str, ...]] = Counter()
    for triple, n in counts.items():
        sums[tuple(triple[i] for i in kept)] += n
    return sums


def _totals(by_feature: Counter[tuple[str, ...]], cds: float, cds_total: str, scope: str) -> dict[str, float]:
    """Return for each path n_τ^α, or what cds_total and scope put in its place (meaning.md 4.2)."""
    groups: dict[str, list[int]] = defaultdict(list)
    for (path, _), n in by_feature.items():
        groups[path if scope == "path" else "all"].append(n)
    totals: dict[str, float] = {}
    for group, values in groups.items():
        powers = {"power_of_sum": sum(values) ** cds, "sum_of_powers": fsum(n**cds for n in values)}
        totals[group] = powers[cds_total]
    return {path: totals[path if scope == "path" else "all"] for path, _ in by_feature}


def _refuse(scheme: str, cds: float, cds_total: str, scope: str, shift: float) -> None:
    """Raise for what a scheme does not take and what is outside its range (meaning.md 4.2)."""
    plain = scheme in {"raw_count", "probability", "log_dice"}
    unknown = scope not in {"path", "all"} or (not plain and scheme not in {"pmi", "ppmi", "lmi"})
    not_taken = plain and (cds, cds_total, scope, shift) != (1, "power_of_sum", "path", 1)
    if unknown or not_taken or not 0 < cds <= 1 or shift < 1:
        raise ValueError(f"{scheme}: cds {cds}, cds_total {cds_total}, scope {scope}, shift {shift}")


def weigh(
    counts: Counts,
    scheme: str,
    *,
    cds: float = 1.0,
    cds_total: str = "power_of_sum",
    scope: str = "path",
    shift: float = 1.0,
    min_count: int = 0,
    min_feature_count: int = 0,
    max_order: int | None = None,
) -> dict[Triple, float]:
    """Return the weight of every triple that the filters leave; the marginals stay whole (meaning.md 4.1)."""
    _refuse(scheme, cds, cds_total, scope, shift)
    n_w, n_wt, n_tw = _marginal(counts, 0), _marginal(counts, 0, 1), _marginal(counts, 1, 2)
    totals = _totals(n_tw, cds, cds_total, scope)

    def weight(w: str, t: str, context: str) -> float:
        n = counts[w, t, context]
        if scheme == "raw_count":
            return n
        if scheme == "probability":
            return n / n_w[w,]
        if scheme == "log_dice":
            return 14 + log2(2 * n / (n_wt[w, t] + n_tw[t, context]))
        of_word = n_w[w,] if scope == "all" else n_wt[w, t]
        pmi = log(n * totals[t] / (of_word * n_tw[t, context] ** cds)) - log(shift)
        return n * pmi if scheme == "lmi" else pmi

    def shown(path: str, context: str, n: int) -> bool:
        frequent = n >= min_count and n_tw[path, context] >= min_feature_count
        return frequent and (max_order is None or order(path) <= max_order)

    weights = {triple: weight(*triple) for triple, n in counts.items() if shown(*triple[1:], n)}
    return {triple: value for triple, value in weights.items() if scheme != "ppmi" or value > 0}


# Composition (meaning.md 5; paper 4.2-4.4)
def apt(weights: Mapping[Triple, float], lexeme: str) -> Apt:
    """Return all ⟨τ, w'⟩ of the lexeme with their weights (meaning.md 1)."""
    return {(path, context): weight for (word, path, context), weight in weights.items() if word == lexeme}


def offset_apt(apt: Apt, delta: str) -> Apt:
    """Move the anchor along delta: each node at its new path, or dropped (paper 4.2)."""
    moved = ((offset(path, delta), context, weight) for (path, context), weight in apt.items())
    return {(path, context): weight for path, context, weight in moved if path is not None}


def merge(apts: list[Apt], how: str) -> Apt:
    """Merge feature by feature over all n words; absent is 0, and 0 is no row (meaning.md 5.2; paper 4.4, 5.1)."""
    merged: Apt = {}
    for feature in {feature for apt in apts for feature in apt}:
        values = [apt.get(feature, 0.0) for apt in apts]
        by = {"min": min(values), "sum": sum(values), "max": max(values), "mult": prod(values)}
        by["smooth_mult"] = prod(value + 1 for value in values) - 1
        by["intersective_add"] = sum(values) if all(value > 0 for value in values) else 0.0
        merged[feature] = by[how]
    return {feature: weight for feature, weight in merged.items() if weight != 0}


_merge = merge  # compose has a parameter of that name


def _check(counts: Counts, phrase: Phrase, anchor: int = 0) -> None:
    """Raise for an unknown word, an invalid delta, an anchor that is no word (meaning.md 7.1)."""
    known = {word for word, _, _ in counts}
    wrong = [(lexeme, delta) for lexeme, delta in phrase if lexeme not in known or not is_valid(delta)]
    if wrong or not phrase or not 0 <= anchor <= len(phrase):
        raise ValueError(f"unknown words or invalid deltas {wrong}, or no word {anchor} in {phrase}")


def _composed_ppmi(
    counts: Counts, a: Apt, *, cds: float = 1, cds_total: str = "power_of_sum", scope: str = "path", shift: float = 1
) -> Apt:
    """Drop what is outside FEATS(C) and turn the rest, A, into ppmi (meaning.md 5.5)."""
    _refuse("ppmi", cds, cds_total, scope, shift)
    n_tw = _marginal(counts, 1, 2)
    totals = _totals(n_tw, cds, cds_total, scope)
    left = {feature: weight for feature, weight in a.items() if feature in n_tw}
    nodes = {path: fsum(weight for (t, _), weight in left.items() if t == path) for path in {t for t, _ in left}}
    ratio = {(t, w): (weight / nodes[t]) / (n_tw[t, w] ** cds / totals[t]) for (t, w), weight in left.items()}
    return {feature: log(value) - log(shift) for feature, value in ratio.items() if log(value) - log(shift) > 0}


def compose(
    counts: Counts,
    phrase: Phrase,
    *,
    merge: str = "sum",
    weights: str = "ppmi",
    pipeline: str = "compose-second",
    aligned: bool = True,
    anchor: int = 0,
    **scheme: Any,
) -> Apt:
    """Return the phrase's APT at its root's word, or at its anchor-th word in context (meaning.md 5.3; paper 4.3)."""
    _check(counts, phrase, anchor)
    first = {"compose-first": True, "compose-second": False}[pipeline]
    if first and (weights != "ppmi" or scheme.get("scope", "path") != "path"):
        raise ValueError(f"compose-first makes ppmi within paths, not {weights}, {scheme}")
    filters = {name: scheme[name] for name in scheme.keys() & {"min_count", "min_feature_count", "max_order"}}
    others = {name: scheme[name] for name in scheme.keys() - filters.keys()}
    table = weigh(counts, "probability", **filters) if first else weigh(counts, weights, **scheme)
    phrase = [(lexeme, delta if aligned else "") for lexeme, delta in phrase]
    composed = _merge([offset_apt(apt(table, lexeme), delta) for lexeme, delta in phrase], merge)
    composed = offset_apt(composed, inverse(phrase[anchor - 1][1]) if anchor else "")
    return _composed_ppmi(counts, composed, **others) if first else composed


# Vectors, similarity, neighbours (meaning.md 6; paper 3)
def features(counts: Counts) -> set[Feature]:
    """Return FEATS(C), the features that some lexeme is counted with (meaning.md 6.1; paper 3)."""
    return {(path, context) for _, path, context in counts}


def _vectors(counts: Counts, phi: str) -> Callable[[Apt, str], Apt]:
    """Return the function from an APT and the word of its anchor to its vector (meaning.md 6.1; paper 3)."""
    inside, n_w, n_wt = features(counts), _marginal(counts, 0), _marginal(counts, 0, 1)
    weight_of: dict[str, Callable[[str, str], float]] = {
        "constant": lambda path, lexeme: 1.0,
        "harmonic": lambda path, lexeme: 1 / max(order(path), 1),
        "probability": lambda path, lexeme: n_wt[lexeme, path] / n_w[lexeme,],
    }

    def vector_of(apt: Apt, lexeme: str) -> Apt:
        values = {tw: weight * weight_of[phi](tw[0], lexeme) for tw, weight in apt.items() if tw in inside}
        return {feature: value for feature, value in values.items() if value != 0}

    return vector_of


def vector(counts: Counts, apt: Apt, phi: str, lexeme: str) -> Apt:
    """Return the features in FEATS(C), each weight times φ(τ, w), w the word of the anchor (meaning.md 6.1)."""
    return _vectors(counts, phi)(apt, lexeme)


def cosine(a: Apt, b: Apt) -> float | None:
    """Return the cosine of two vectors, None where one is empty (meaning.md 6.2)."""
    if not a or not b:
        return None
    dot = fsum(value * b.get(feature, 0.0) for feature, value in a.items())
    return dot / (sqrt(fsum(value**2 for value in a.values())) * sqrt(fsum(value**2 for value in b.values())))


def _apts(counts: Counts, *, weights: str = "ppmi", **parameters: Any) -> dict[str, Apt]:
    """Return every lexeme's APT; of the parameters, those for phrases are not for it (meaning.md 7.1)."""
    scheme = {name: parameters[name] for name in parameters.keys() - {"merge", "pipeline", "aligned", "anchor"}}
    apts: dict[str, Apt] = defaultdict(dict)
    for (word, path, context), weight in weigh(counts, weights, **scheme).items():
        apts[word][path, context] = weight
    return apts


def _vector_of(counts: Counts, x: X, phi: str, **parameters: Any) -> tuple[Apt, str]:
    """Return the vector of x and the word it is anchored at: 0 is the root's, whose delta is empty (meaning.md 5.3)."""
    if isinstance(x, str):
        _check(counts, [(x, "")])
        found, word = _apts(counts, **parameters).get(x, {}), x
    else:
        anchor, root = parameters.get("anchor", 0), next((lexeme for lexeme, delta in x if not steps(delta)), "")
        found, word = compose(counts, x, **parameters), x[anchor - 1][0] if anchor else root
    return vector(counts, found, phi, word), word


def similarity(counts: Counts, a: X, b: X, *, phi: str = "constant", **parameters: Any) -> float | None:
    """Return the cosine of the vectors of two lexemes or phrases (meaning.md 6.2)."""
    return cosine(_vector_of(counts, a, phi, **parameters)[0], _vector_of(counts, b, phi, **parameters)[0])


def neighbours(
    counts: Counts,
    frequencies: Mapping[str, int],
    x: X,
    *,
    top: int = 10,
    pos: str = "same",
    min_frequency: int | None = None,
    phi: str = "constant",
    **parameters: Any,
) -> list[tuple[str, float]]:
    """Return the most similar lexemes; ties by frequency, then by text (meaning.md 6.3 and 6.4)."""
    (own, word), vector_of = _vector_of(counts, x, phi, **parameters), _vectors(counts, phi)
    wanted = word.rpartition("/")[2] if pos == "same" else pos
    least = min(max(sum(frequencies.values()) // 25_000, 1), 50) if min_frequency is None else min_frequency
    asked = {w for w, n in frequencies.items() if w != x and n >= least and wanted in {"any", w.rpartition("/")[2]}}
    apts = {w: apt for w, apt in _apts(counts, **parameters).items() if w in asked}
    found = {w: cosine(own, vector_of(apt, w)) or 0.0 for w, apt in apts.items()}
    ranked = sorted(found.items(), key=lambda row: (-round(row[1], 12), -frequencies[row[0]], row[0]))
    return [(w, value) for w, value in ranked if value > 0][:top]


def conllu(sentences: Corpus) -> str:
    """Write the sentences as CoNLL-U: ten columns, FEATS, DEPS and MISC empty (meaning.md 3.2 says what is read)."""
    row = "{0}\t{form}\t{lemma}\t{upos}\t{xpos}\t_\t{head}\t{relation}\t_\t_\n".format
    blocks = ["".join(row(i, **token._asdict()) for i, token in enumerate(sentence, 1)) for sentence in sentences]
    return "".join(block + "\n" for block in blocks)
