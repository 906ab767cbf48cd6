"""The brute-force twin of further composition: left to right, missing words, contexts, smoothing, plausibility."""

from collections.abc import Collection, Iterable, Mapping
from math import isfinite
from typing import Any, NamedTuple

import twin
from twin import Apt, Counts, Phrase, X, cosine, inverse, is_valid, offset_apt, reduce, steps, weigh

Frequencies = Mapping[str, int]
Ranked = list[tuple[str, float]]
FILTERS = {"min_count", "min_feature_count", "max_order"}
OF_PHRASES = {"merge", "pipeline", "aligned", "anchor", "strategy", "head_weight"}  # what a lexeme alone has no use for
VALUES: dict[str, Collection[str]] = {
    "merge": ("min", "sum", "max", "mult", "intersective_add", "smooth_mult"),
    "pipeline": ("compose-second", "compose-first"),
    "strategy": ("one-step", "left-to-right"),
    "context": ("all", "internal", "external"),
    "missing": ("error", "skip", "skip_unknown", "empty"),
}


class Part(NamedTuple):
    """A word to be composed: what is anchored at the word, what is anchored at the root, the way from one to other."""

    at_word: Apt
    at_root: Apt
    delta: str


class Smoothing(NamedTuple):
    """How words are smoothed: the weights that are added up, and those, with their scheme, that neighbours are by."""

    counts: Counts
    frequencies: Frequencies
    table: Mapping[twin.Triple, float]
    kind: str
    size: float
    alpha: float | None
    scheme: dict[str, Any]


# What is asked
def _refuse(**chosen: str) -> None:
    """Raise for a value that a parameter does not have."""
    wrong = {name: value for name, value in chosen.items() if value not in VALUES[name]}
    if wrong:
        raise ValueError(f"unknown: {wrong}")


def _smooth(smooth: str, alpha: float | None) -> tuple[str, float]:
    """Read `none`, `static:N`, `offset:N` or `window:W`."""
    kind, _, size = smooth.partition(":")
    if smooth == "none" and alpha is None:
        return kind, 0
    if kind not in {"static", "offset", "window"} or (alpha is not None and not isfinite(alpha)):
        raise ValueError(f"smooth {smooth}, alpha {alpha}")
    number = float(size) if kind == "window" else int(size)
    if not isfinite(number) or number < (0 if kind == "window" else 1):
        raise ValueError(f"smooth {smooth}")
    return kind, number


def _plain(phrase: Phrase, anchor: int, aligned: bool) -> Phrase:
    """Return the phrase with ε written as the empty text, each delta ε if unaligned; raise for what is no phrase."""
    wrong = [delta for _, delta in phrase if not is_valid(delta)]
    if wrong or not phrase or not 0 <= anchor <= len(phrase):
        raise ValueError(f"invalid deltas {wrong}, or no word {anchor} in {phrase}")
    return [(lexeme, "".join(steps(delta)) if aligned else "") for lexeme, delta in phrase]


def _root(phrase: Phrase) -> str | None:
    """Return the first word with delta ε."""
    return next((lexeme for lexeme, delta in phrase if not steps(delta)), None)


def _pos(lexeme: str) -> str:
    """Return the part of speech: the text after the last '/'."""
    return lexeme.rpartition("/")[2]


def _known(counts: Counts) -> set[str]:
    """Return the lexemes of the lexicon."""
    return {lexeme for lexeme, _, _ in counts}


def _nodes(phrase: Phrase, delta: str) -> set[str]:
    """Return the nodes of the phrase's own tree, seen from where delta leads to the root from."""
    ways = [reduce(delta + inverse(other)) for _, other in phrase]
    return {"", *(way for way in ways if is_valid(way))}


def _filtered(apt: Apt, nodes: Collection[str], context: str) -> Apt:
    """Return what the context lets through: what is at the nodes, what is not, or all."""
    _refuse(context=context)
    return {tw: weight for tw, weight in apt.items() if context == "all" or (tw[0] in nodes) == (context == "internal")}


# Smoothing
def _rank(
    counts: Counts,
    frequencies: Frequencies,
    own: Apt,
    *,
    pos: str,
    phi: str = "constant",
    context: str = "all",
    min_frequency: int | None = None,
    **scheme: Any,
) -> Ranked:
    """Rank the frequent lexemes of a part of speech by the cosine of their vectors with this one, if above 0."""
    least = min(max(sum(frequencies.values()) // 25_000, 1), 50) if min_frequency is None else min_frequency
    vector_of = twin._vectors(counts, phi)
    by_lexeme: dict[str, Apt] = {w: {} for w, n in frequencies.items() if n >= least and pos in {"any", _pos(w)}}
    for (w, path, other), weight in weigh(counts, scheme.pop("weights", "ppmi"), **scheme).items():
        if w in by_lexeme:
            by_lexeme[w][path, other] = weight
    vectors = {w: vector_of(_filtered(weights, {""}, context), w) for w, weights in by_lexeme.items()}
    found = {w: cosine(own, other) or 0.0 for w, other in vectors.items()}
    ranked = sorted(found.items(), key=lambda row: (-round(row[1], 12), -frequencies[row[0]], row[0]))
    return [(w, value) for w, value in ranked if value > 0]


def _moved_neighbours(s: Smoothing, lexeme: str, delta: str, pos: str) -> list[str]:
    """Return the lexemes like the root that are most like the word's APT offset to the root."""
    moved = offset_apt(apt(s.counts, s.frequencies, lexeme, **s.scheme), delta)
    own = twin.vector(s.counts, moved, "constant", lexeme)
    return [w for w, _ in _rank(s.counts, s.frequencies, own, pos=pos, **s.scheme)][: int(s.size)]


def _own_neighbours(s: Smoothing, lexeme: str) -> list[str]:
    """Return the word's nearest lexemes: N of them, or those within the window."""
    top = len(s.frequencies) if s.kind == "window" else int(s.size)
    found = twin.neighbours(s.counts, s.frequencies, lexeme, top=top, pos="same", min_frequency=None, **s.scheme)
    if s.kind != "window" or not found:
        return [w for w, _ in found]
    widest = round((1 + s.size) * (1 - found[0][1]), 12)
    return [w for w, value in found if round(1 - value, 12) <= widest]


def _part(s: Smoothing, lexeme: str, delta: str, root: str) -> Part:
    """Return the word with its weights, smoothed if it has any."""
    own = twin.apt(s.table, lexeme)
    if s.kind == "none" or not own:
        return Part(own, {}, delta)
    moved = s.kind == "offset" and delta != ""
    near = _moved_neighbours(s, lexeme, delta, _pos(root)) if moved else _own_neighbours(s, lexeme)
    usual = max(len(near), 1) if s.kind == "window" else s.size
    a = usual if s.alpha is None else s.alpha
    scaled, others = (
        {tw: a * weight for tw, weight in own.items()},
        twin.merge([twin.apt(s.table, w) for w in near], "sum"),
    )
    return Part(scaled, others, delta) if moved else Part(twin.merge([scaled, others], "sum"), {}, delta)


# Composition
def _times(part: Part, factor: float) -> Part:
    """Return the part with its weights multiplied."""
    at_word, at_root = ({key: factor * value for key, value in apt.items()} for apt in (part.at_word, part.at_root))
    return Part(at_word, at_root, part.delta)


def _one_step(parts: list[Part], merge: str) -> Apt:
    """Merge all words at the root."""
    return twin.merge(
        [twin.merge([offset_apt(part.at_word, part.delta), part.at_root], "sum") for part in parts], merge
    )


def _way(part: Part, following: Part) -> str:
    """Return the path from one word to the next; raise where there is none."""
    way = reduce(part.delta + inverse(following.delta))
    if not is_valid(way):
        raise ValueError(f"no path from word to word: {way}")
    return way


def _left_to_right(parts: list[Part], merge: str) -> Apt:
    """Walk from word to word, taking along what is merged so far, and then to the root."""
    so_far: Apt = {}
    for i, part in enumerate(parts):
        here = twin.merge([part.at_word, offset_apt(part.at_root, inverse(part.delta))], "sum")
        so_far = twin.merge([offset_apt(so_far, _way(parts[i - 1], part)), here] if i else [here], merge)
    return offset_apt(so_far, parts[-1].delta) if parts else {}


def _table(counts: Counts, weights: str, first: bool, scheme: dict[str, Any]) -> dict[twin.Triple, float]:
    """Return the weights that are composed: the scheme's, or probabilities for compose-first."""
    table = weigh(counts, weights, **scheme)
    if not first:
        return table
    if weights != "ppmi" or scheme.get("scope", "path") != "path":
        raise ValueError(f"compose-first makes ppmi within paths, not {weights}, {scheme}")
    return weigh(counts, "probability", **{name: value for name, value in scheme.items() if name in FILTERS})


def compose(
    counts: Counts,
    frequencies: Frequencies,
    phrase: Phrase,
    *,
    merge: str = "sum",
    weights: str = "ppmi",
    pipeline: str = "compose-second",
    aligned: bool = True,
    anchor: int = 0,
    strategy: str = "one-step",
    context: str = "all",
    missing: str = "error",
    smooth: str = "none",
    alpha: float | None = None,
    head_weight: float = 0.5,
    gap: int | None = None,
    **scheme: Any,
) -> Apt:
    """Return the phrase's APT at its root's word or its anchor-th word; the word at index gap is not composed."""
    _refuse(merge=merge, pipeline=pipeline, strategy=strategy, context=context, missing=missing)
    kind, size = _smooth(smooth, alpha)
    share = {i: head_weight if delta in ("", "ε") else 1 - head_weight for i, (_, delta) in enumerate(phrase)}
    phrase, first = _plain(phrase, anchor, aligned), pipeline == "compose-first"
    root = _root(phrase)
    if root is None and kind == "offset":
        raise ValueError(f"offset needs a word with delta ε: {phrase}")
    table = _table(counts, weights, first, scheme)
    s = Smoothing(counts, frequencies, table, kind, size, alpha, {"weights": weights, **scheme})
    own = {word for word, _, _ in table}
    used = [word for i, word in enumerate(phrase) if i != gap]
    factors = [2 * share[i] if len(used) > 1 else 1.0 for i in range(len(phrase)) if i != gap]
    if missing == "error" and not own.issuperset(lexeme for lexeme, _ in used):
        raise ValueError(f"a word has no APT: {used}")
    known = _known(counts)
    taken = {"empty": {lexeme for lexeme, _ in used}, "skip_unknown": {lexeme for lexeme, _ in used if lexeme in known}}
    parts = [
        _times(_part(s, *word, root or ""), factor)
        for word, factor in zip(used, factors, strict=True)
        if word[0] in taken.get(missing, own)
    ]
    delta = phrase[anchor - 1][1] if anchor else ""
    composed = {"one-step": _one_step, "left-to-right": _left_to_right}[strategy](parts, merge)
    composed = offset_apt(composed, inverse(delta))
    if first:
        others = {name: value for name, value in scheme.items() if name not in FILTERS}
        composed = twin._composed_ppmi(counts, composed, **others)
    return _filtered(composed, _nodes(phrase, delta), context)


# Questions
def apt(
    counts: Counts,
    frequencies: Frequencies,
    lexeme: str,
    *,
    weights: str = "ppmi",
    context: str = "all",
    smooth: str = "none",
    alpha: float | None = None,
    missing: str = "error",
    **parameters: Any,
) -> Apt:
    """Return the APT of a lexeme by its scheme, smoothed, without what its context keeps out."""
    _refuse(context=context, missing=missing)
    scheme = {name: value for name, value in parameters.items() if name not in OF_PHRASES}
    if missing == "error" and lexeme not in _known(counts):
        raise ValueError(f"unknown word: {lexeme}")
    table = weigh(counts, weights, **scheme)
    s = Smoothing(counts, frequencies, table, *_smooth(smooth, alpha), alpha, {"weights": weights, **scheme})
    return _filtered(_part(s, lexeme, "", lexeme).at_word, {""}, context)


def _anchored_at(x: X, anchor: int) -> str | None:
    """Return the word that x is anchored at, None for a phrase without a root's word."""
    if isinstance(x, str):
        return x
    return x[anchor - 1][0] if anchor else _root(x)


def vector(counts: Counts, frequencies: Frequencies, x: X, *, phi: str = "constant", **parameters: Any) -> Apt:
    """Return the vector of a lexeme or phrase."""
    if isinstance(x, str):
        found = apt(counts, frequencies, x, **parameters)
    else:
        found = compose(counts, frequencies, x, **parameters)
    word = _anchored_at(x, parameters.get("anchor", 0))
    if phi == "probability" and word is None:
        raise ValueError(f"no word with delta ε: {x}")
    unknown = phi == "probability" and word not in _known(counts)
    return {} if unknown else twin.vector(counts, found, phi, word or "")


def similarity(
    counts: Counts,
    frequencies: Frequencies,
    a: X,
    b: X,
    *,
    phi: str = "constant",
    anchor: int = 0,
    anchor_b: int | None = None,
    **parameters: Any,
) -> float | None:
    """Return the cosine of two lexemes or phrases, None where a vector is empty."""
    of_b = anchor if anchor_b is None else anchor_b
    return cosine(
        vector(counts, frequencies, a, phi=phi, anchor=anchor, **parameters),
        vector(counts, frequencies, b, phi=phi, anchor=of_b, **parameters),
    )


def neighbours(
    counts: Counts,
    frequencies: Frequencies,
    x: X,
    *,
    top: int = 10,
    pos: str = "same",
    min_frequency: int | None = None,
    phi: str = "constant",
    **parameters: Any,
) -> Ranked:
    """Return the lexemes, not smoothed, that are most similar; ties by frequency, then by text."""
    own = vector(counts, frequencies, x, phi=phi, **parameters)
    word = _anchored_at(x, parameters.get("anchor", 0)) or ""
    of_x = OF_PHRASES | {"missing", "smooth", "alpha"}
    rest = {name: value for name, value in parameters.items() if name not in of_x}
    wanted = _pos(word) if pos == "same" else pos
    found = _rank(counts, frequencies, own, pos=wanted, min_frequency=min_frequency, phi=phi, **rest)
    return [(w, value) for w, value in found if w != x][:top]


def plausible(
    counts: Counts, frequencies: Frequencies, phrase: Phrase, gap: int, candidates: Iterable[str], **parameters: Any
) -> list[tuple[str, float | None]]:
    """Return each candidate's similarity to what the other words of the phrase make its gap look like."""
    if not 0 <= gap < len(phrase):
        raise ValueError(f"no word {gap} in {phrase}")
    seen = vector(counts, frequencies, phrase, anchor=gap + 1, gap=gap, **parameters)
    rest = {name: value for name, value in parameters.items() if name not in {"smooth", "alpha"}}
    return [(word, cosine(seen, vector(counts, frequencies, word, **rest))) for word in candidates]
