"""What a lexicon must hold after a history: corpora with what the twin counts in them, weightings and entries."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from twins import counting
from twins.trees import Token, conllu
from twins.weights import Triple


@dataclass(frozen=True)
class Part:
    """A corpus: its file's content, and what the twin counts in it."""

    content: bytes
    counts: Counter[Triple]
    direct: Counter[Triple]
    frequencies: Counter[str]
    has_trees: bool = True


@dataclass(frozen=True)
class Entry:
    """An entry: its words, its weights, and whether it is stale."""

    words: tuple[tuple[str, str], ...]
    weights: str
    state: str = "stored"


@dataclass(frozen=True)
class Known:
    """What a lexicon must hold. weightings: the scheme and its parameters, and the state, by name."""

    corpora: Mapping[str, Part] = field(default_factory=dict)
    weightings: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    entries: Mapping[str, Entry] = field(default_factory=dict)

    def with_corpora(self, corpora: Mapping[str, Part]) -> "Known":
        """With others, which makes stale all that was kept."""
        entries = {name: replace(each, state="stale") for name, each in self.entries.items()}
        return Known(dict(corpora), self.kept_as("stale"), entries)

    def kept_as(self, state: str) -> dict[str, tuple[Any, str]]:
        """The weightings, those that are kept in another state."""
        return {name: (what, old if old == "computed" else state) for name, (what, old) in self.weightings.items()}

    def without(self, corpus: str) -> "Known":
        """Without one of its corpora."""
        return self.with_corpora({name: part for name, part in self.corpora.items() if name != corpus})

    def with_weighting(self, name: str, what: Any, state: str) -> "Known":
        """With a weighting, or with another state of it."""
        return replace(self, weightings={**self.weightings, name: (what, state)})

    def refreshed(self) -> "Known":
        """With the kept weights of today."""
        return replace(self, weightings=self.kept_as("kept"))

    def with_entry(self, name: str, entry: Entry) -> "Known":
        """With an entry; those that contain it are stale then."""
        within = self.containing(name)
        stale = {each: replace(self.entries[each], state="stale") for each in within}
        return replace(self, entries={**self.entries, **stale, name: entry})

    def containing(self, name: str) -> set[str]:
        """The entries that contain one, also through others."""
        found = {other for other, each in self.entries.items() if name in {word for word, _ in each.words}}
        return found.union(*(self.containing(each) for each in found - {name}))

    def seen(self) -> dict[str, Any]:
        """The same as a user sees it."""
        return {
            "corpora": list(self.corpora),
            "counts": dict(sum((part.counts for part in self.corpora.values()), Counter())),
            "direct": dict(sum((part.direct for part in self.corpora.values()), Counter())),
            "frequencies": dict(sum((part.frequencies for part in self.corpora.values()), Counter())),
            "weightings": {name: state for name, (_, state) in self.weightings.items()},
            "entries": {name: each.state for name, each in self.entries.items()},
        }


def part_of(sentences: list[list[Token]], given: Mapping[str, Any]) -> Part:
    """Sentences as a corpus."""
    counts, frequencies = counting.count(sentences, **given), counting.frequencies(sentences, **given)
    return Part(conllu(sentences).encode(), counts, counting.count(sentences, direct=True, **given), frequencies)


def counts_of(sentences: list[list[Token]], given: Mapping[str, Any]) -> Part:
    """The same without its trees: a table of what the twin counts."""
    counts, direct = (counting.count(sentences, direct=each, **given) for each in (False, True))
    lines = [f"{w}\t{path}\t{context}\t{n}\t{direct[w, path, context]}" for (w, path, context), n in counts.items()]
    content = "\n".join(["lexeme\tpath\tcontext\tcount\tdirect", *lines, ""]).encode()
    # A token meets itself directly, where it is known; packed, it meets its like siblings, too.
    met = {w: n for (w, path, context), n in counts.items() if not path and w == context}
    frequencies = Counter({w: direct[w, "", w] or n for w, n in met.items()})
    return Part(content, counts, direct, frequencies, has_trees=False)
