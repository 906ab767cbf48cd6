"""The twin of composition (meaning.md 5; paper 4.2-4.4): merging, left to right, missing words, contexts, smoothing."""

from collections.abc import Callable, Mapping
from math import hypot, isfinite, prod
from typing import Any, NamedTuple

from twins.paths import inverse, is_valid, offset, reduce, steps
from twins.vectors import Frequencies, filtered, pos_of, ranked, vector
from twins.weights import Apt, Counts, Triple, apt_of, composed_ppmi, weigh

Phrase = list[tuple[str, str]]  # lexeme, delta
FILTERS = {"min_count", "min_feature_count", "max_order"}
OF_PHRASES = {
    "merge",
    "pipeline",
    "aligned",
    "anchor",
    "strategy",
    "head_weight",
    "unit",
}  # what a lexeme alone has no use for
VALUES = {
    "merge": ("min", "sum", "max", "mult", "intersective_add", "smooth_mult"),
    "pipeline": ("compose-second", "compose-first"),
    "strategy": ("one-step", "left-to-right"),
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
    table: Mapping[Triple, float]
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


def root_of(phrase: Phrase) -> str | None:
    """Return the first word with delta ε."""
    return next((lexeme for lexeme, delta in phrase if not steps(delta)), None)


def known_in(counts: Counts) -> set[str]:
    """Return the lexemes of the lexicon."""
    return {lexeme for lexeme, _, _ in counts}


def _nodes(phrase: Phrase, delta: str) -> set[str]:
    """Return the nodes of the phrase's own tree, seen from where delta leads to the root from."""
    ways = [reduce(delta + inverse(other)) for _, other in phrase]
    return {"", *(way for way in ways if is_valid(way))}


# Moving and merging
def offset_apt(apt: Apt, delta: str) -> Apt:
    """Move the anchor along delta: each node at its new path, or dropped (paper 4.2)."""
    moved = ((offset(path, delta), context, weight) for (path, context), weight in apt.items())
    return {(path, context): weight for path, context, weight in moved if path is not None}


def merge_apts(apts: list[Apt], how: str) -> Apt:
    """Merge feature by feature over all n words; absent is 0, and 0 is no row (meaning.md 5.2; paper 4.4, 5.1)."""
    merged: Apt = {}
    for feature in {feature for apt in apts for feature in apt}:
        values = [apt.get(feature, 0.0) for apt in apts]
        by = {"min": min(values), "sum": sum(values), "max": max(values), "mult": prod(values)}
        by["smooth_mult"] = prod(value + 1 for value in values) - 1
        by["intersective_add"] = sum(values) if all(value > 0 for value in values) else 0.0
        merged[feature] = by[how]
    return {feature: weight for feature, weight in merged.items() if weight != 0}


# Smoothing
def _own_apt(s: Smoothing, lexeme: str) -> Apt:
    """Return the APT of a word by the weights that neighbours are by."""
    scheme = {**s.scheme}
    return apt_of(weigh(s.counts, scheme.pop("weights"), **scheme), lexeme)


def _moved_neighbours(s: Smoothing, lexeme: str, delta: str, pos: str) -> list[str]:
    """Return the lexemes like the root that are most like the word's APT offset to the root."""
    moved = offset_apt(_own_apt(s, lexeme), delta)
    own = vector(s.counts, moved, "constant", lexeme)
    return [w for w, _ in ranked(s.counts, s.frequencies, own, pos=pos, **s.scheme)][: int(s.size)]


def _own_neighbours(s: Smoothing, lexeme: str) -> list[str]:
    """Return the word's nearest lexemes: N of them, or those within the window."""
    top = len(s.frequencies) if s.kind == "window" else int(s.size)
    own = vector(s.counts, _own_apt(s, lexeme), "constant", lexeme)
    like = ranked(s.counts, s.frequencies, own, pos=pos_of(lexeme), **s.scheme)
    found = [row for row in like if row[0] != lexeme][:top]
    if s.kind != "window" or not found:
        return [w for w, _ in found]
    widest = round((1 + s.size) * (1 - found[0][1]), 12)
    return [w for w, value in found if round(1 - value, 12) <= widest]


def _part(s: Smoothing, lexeme: str, delta: str, root: str) -> Part:
    """Return the word with its weights, smoothed if it has any."""
    own = apt_of(s.table, lexeme)
    if s.kind == "none" or not own:
        return Part(own, {}, delta)
    moved = s.kind == "offset" and delta != ""
    near = _moved_neighbours(s, lexeme, delta, pos_of(root)) if moved else _own_neighbours(s, lexeme)
    usual = max(len(near), 1) if s.kind == "window" else s.size
    a = usual if s.alpha is None else s.alpha
    scaled, others = (
        {tw: a * weight for tw, weight in own.items()},
        merge_apts([apt_of(s.table, w) for w in near], "sum"),
    )
    return Part(scaled, others, delta) if moved else Part(merge_apts([scaled, others], "sum"), {}, delta)


# Composition
def _times(part: Part, factor: float) -> Part:
    """Return the part with its weights multiplied."""
    at_word, at_root = ({key: factor * value for key, value in apt.items()} for apt in (part.at_word, part.at_root))
    return Part(at_word, at_root, part.delta)


def _one_step(parts: list[Part], merge: str) -> Apt:
    """Merge all words at the root."""
    return merge_apts(
        [merge_apts([offset_apt(part.at_word, part.delta), part.at_root], "sum") for part in parts], merge
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
        here = merge_apts([part.at_word, offset_apt(part.at_root, inverse(part.delta))], "sum")
        so_far = merge_apts([offset_apt(so_far, _way(parts[i - 1], part)), here] if i else [here], merge)
    return offset_apt(so_far, parts[-1].delta) if parts else {}


def _alone(parts: list[Part], number: int, by: Callable[[list[Part], str], Apt], delta: str) -> Apt:
    """Return what arrives of one of the words where the phrase is seen from."""
    empty = [Part({}, {}, part.delta) for part in parts]
    empty[number] = parts[number]
    return offset_apt(by(empty, "sum"), inverse(delta))


def _table(counts: Counts, weights: str, first: bool, scheme: dict[str, Any]) -> dict[Triple, float]:
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
    unit: bool = False,
    gap: int | None = None,
    **scheme: Any,
) -> Apt:
    """Return the phrase's APT at its root's word or its anchor-th word; the word at index gap is not composed."""
    _refuse(merge=merge, pipeline=pipeline, strategy=strategy, missing=missing)
    kind, size = _smooth(smooth, alpha)
    share = {i: head_weight if delta in ("", "ε") else 1 - head_weight for i, (_, delta) in enumerate(phrase)}
    phrase, first = _plain(phrase, anchor, aligned), pipeline == "compose-first"
    root = root_of(phrase)
    if root is None and kind == "offset":
        raise ValueError(f"offset needs a word with delta ε: {phrase}")
    table = _table(counts, weights, first, scheme)
    s = Smoothing(counts, frequencies, table, kind, size, alpha, {"weights": weights, **scheme})
    own = {word for word, _, _ in table}
    used = [word for i, word in enumerate(phrase) if i != gap]
    factors = [2 * share[i] if len(used) > 1 else 1.0 for i in range(len(phrase)) if i != gap]
    if missing == "error" and not own.issuperset(lexeme for lexeme, _ in used):
        raise ValueError(f"a word has no APT: {used}")
    known = known_in(counts)
    taken = {"empty": {lexeme for lexeme, _ in used}, "skip_unknown": {lexeme for lexeme, _ in used if lexeme in known}}
    taking_part = [i for i, (lexeme, _) in enumerate(used) if lexeme in taken.get(missing, own)]
    parts = [_part(s, *used[i], root or "") for i in taking_part]
    delta = phrase[anchor - 1][1] if anchor else ""
    by = {"one-step": _one_step, "left-to-right": _left_to_right}[strategy]
    sizes = [1.0] * len(parts)
    if unit and len(used) > 1:
        if first:
            raise ValueError("unit divides weights, and compose-first merges probabilities")
        sizes = [hypot(*_alone(parts, i, by, delta).values()) or 1.0 for i in range(len(parts))]
    parts = [_times(part, factors[i] / size) for part, i, size in zip(parts, taking_part, sizes, strict=True)]
    composed = by(parts, merge)
    composed = offset_apt(composed, inverse(delta))
    if first:
        others = {name: value for name, value in scheme.items() if name not in FILTERS}
        composed = composed_ppmi(counts, composed, **others)
    return filtered(composed, _nodes(phrase, delta), context)


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
    _refuse(missing=missing)
    scheme = {name: value for name, value in parameters.items() if name not in OF_PHRASES}
    if missing == "error" and lexeme not in known_in(counts):
        raise ValueError(f"unknown word: {lexeme}")
    table = weigh(counts, weights, **scheme)
    s = Smoothing(counts, frequencies, table, *_smooth(smooth, alpha), alpha, {"weights": weights, **scheme})
    return filtered(_part(s, lexeme, "", lexeme).at_word, {""}, context)
