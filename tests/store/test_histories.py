"""Any history of a lexicon: whatever was done to it, in whatever order, it holds what its corpora come to."""

import shutil
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from aptdb import CorpusError, Lexicon, QuestionError
from support.commands import ask
from support.histories import Entry, Known, Part, counts_of, part_of
from support.lexicons import lexicon_of
from support.processes import killed
from support.runs import THOROUGH, examples
from support.strategies import normalisations, spelt_corpora
from support.weights import weightings
from twins.trees import Token

STEPS = 8 if THOROUGH else 4  # of a history, in the thorough and the quick run
CORPORA = ("a", "b", "c")
NAMES = ("one", "two")  # of weightings and entries
# Why an entry cannot be stored.
REFUSED = (
    "is left, so there is nothing to store",
    "has no features under",
    "was composed and stored with",
    "would contain itself",
    "no lexeme",
)


class Histories(RuleBasedStateMachine):
    """A lexicon, and what it must hold."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp(prefix="aptdb-histories-"))
        self.file = self.folder / "l.duckdb"
        self.known = Known()
        self.number = 0

    @initialize(given=normalisations(), sentences=spelt_corpora(6, 3))
    def begin(self, given: dict[str, Any], sentences: list[list[Token]]) -> None:
        self.given = given
        self.lexicon = Lexicon.open(self.file, create=True, **given)
        self.add("a", sentences, has_trees=True, again=False)

    def teardown(self) -> None:
        if hasattr(self, "lexicon"):
            self.lexicon.close()
        shutil.rmtree(self.folder)

    def source(self, name: str, part: Part) -> Path:
        """A corpus as a file of this name."""
        folder = self.folder / f"source{self.number}"
        self.number += 1
        folder.mkdir()
        file = folder / name
        file.write_bytes(part.content)
        return file

    def part(self, sentences: list[list[Token]], has_trees: bool) -> Part:
        """Sentences as a corpus of either kind."""
        return (part_of if has_trees else counts_of)(sentences, self.given)

    def done(self, known: Known, act: Callable[[], Any], refused: type[Exception] | None = None) -> None:
        """Do something, after which this is known; or it is refused, and all is as it was."""
        if refused:
            with pytest.raises(refused):
                act()
        else:
            act()
            self.known = known

    # Corpora
    @rule(name=st.sampled_from(CORPORA), sentences=spelt_corpora(6, 3), has_trees=st.booleans(), again=st.booleans())
    def add(self, name: str, sentences: list[list[Token]], has_trees: bool, again: bool) -> None:
        part = self.part(sentences, has_trees)
        name += ".conllu" if has_trees else ".tsv"
        same = part.content in {each.content for each in self.known.corpora.values()} and not again
        impossible = name in self.known.corpora or same or not (has_trees or part.counts)
        source = self.source(name, part)
        added = self.known.with_corpora({**self.known.corpora, name: part})
        self.done(added, lambda: self.lexicon.add(source, again=again), CorpusError if impossible else None)

    @precondition(lambda self: self.known.corpora)
    @rule(data=st.data())
    def add_again(self, data: st.DataObject) -> None:
        """Refused; and skipped by the command, where it is one of several."""
        name = data.draw(st.sampled_from(sorted(self.known.corpora)))
        source = self.source(name, self.known.corpora[name])
        self.done(self.known, lambda: self.lexicon.add(source), CorpusError)
        self.done(self.known, lambda: self.lexicon.add(source, again=True), CorpusError)
        self.done(self.known, lambda: self.lexicon.add(source, name="another"), CorpusError)
        assert self.lexicon.is_added(source)
        other = self.source("other.tsv", Part(b"no corpus", Counter(), Counter(), Counter()))
        self.lexicon.close()  # what is open in a process is not opened there for writing
        answer = ask("add", self.file, source, other)
        self.lexicon = Lexicon.open(self.file)
        assert f"{source} was added before; skipped" in answer.stderr

    @rule(name=st.sampled_from(CORPORA), ending=st.sampled_from(("conllu", "tsv")))
    def remove(self, name: str, ending: str) -> None:
        corpus = f"{name}.{ending}"
        refused = None if corpus in self.known.corpora else CorpusError
        self.done(self.known.without(corpus), lambda: self.lexicon.remove(corpus), refused)

    @rule(
        parts=st.dictionaries(st.sampled_from(CORPORA), spelt_corpora(6, 2), min_size=1, max_size=2),
        by=st.sampled_from(("", "m_")),
    )
    def merge(self, parts: dict[str, list[list[Token]]], by: str) -> None:
        file, others = self.other(parts)
        names = {by + name: part for name, part in others.items()}
        own = self.known.corpora
        merged = self.known.with_corpora({**own, **names})
        refused = None
        if all(name in own and own[name].content == part.content for name, part in names.items()):
            merged = self.known
        elif names.keys() & own.keys() or {p.content for p in names.values()} & {p.content for p in own.values()}:
            refused = CorpusError
        self.done(merged, lambda: self.lexicon.merge(file, prefix=by), refused)

    def other(self, parts: dict[str, list[list[Token]]]) -> tuple[Path, dict[str, Part]]:
        """Another lexicon, with the same settings."""
        others = {f"{name}.conllu": part_of(sentences, self.given) for name, sentences in parts.items()}
        self.number += 1
        file = self.folder / f"other{self.number}.duckdb"
        return lexicon_of(file, {name: part.content for name, part in others.items()}, **self.given), others

    @rule()
    def compact(self) -> None:
        self.lexicon.compact()

    @rule()
    def rebuild(self) -> None:
        """From then on, the new one is the lexicon."""
        self.number += 1
        new = self.folder / f"l{self.number}.duckdb"
        if not all(part.has_trees for part in self.known.corpora.values()):
            self.done(self.known, lambda: self.lexicon.rebuild(new), CorpusError)
            return
        self.done(Known(self.known.corpora), lambda: self.lexicon.rebuild(new))
        self.lexicon.close()
        self.file = new
        self.lexicon = Lexicon.open(new)

    # Weights
    @rule(name=st.sampled_from(NAMES), weighting=weightings(), keep=st.booleans())
    def weigh(self, name: str, weighting: tuple[str, dict[str, Any]], keep: bool) -> None:
        scheme, parameters = weighting
        what, state = self.known.weightings.get(name, (weighting, "computed"))
        weighed = self.known.with_weighting(name, weighting, "kept" if keep else state)
        too_far = parameters.get("max_order", 0) > self.given.get("order", 2)
        refused = QuestionError if too_far or what != weighting else None
        self.done(weighed, lambda: self.lexicon.weigh(name, scheme=scheme, keep=keep, **parameters), refused)

    @precondition(lambda self: self.known.weightings)
    @rule(data=st.data())
    def keep(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.known.weightings)))
        kept = self.known.with_weighting(name, self.known.weightings[name][0], "kept")
        self.done(kept, lambda: self.lexicon.weigh(name, keep=True))

    @rule()
    def refresh(self) -> None:
        self.done(self.known.refreshed(), lambda: self.lexicon.stored.refresh(kind="weightings"))

    @rule(name=st.sampled_from(NAMES))
    def forget(self, name: str) -> None:
        left = {other: each for other, each in self.known.weightings.items() if other != name}
        refused = None if name in self.known.weightings else QuestionError
        self.done(
            replace(self.known, weightings=left), lambda: self.lexicon.stored.forget(name, kind="weightings"), refused
        )

    # Entries
    @rule(name=st.sampled_from(NAMES), data=st.data(), of_entry=st.booleans())
    def save(self, name: str, data: st.DataObject, of_entry: bool) -> None:
        triples = sorted(self.known.seen()["counts"])
        weights = data.draw(st.sampled_from(("ppmi", "raw_count", *sorted(self.known.weightings))))
        # The word of a phrase has the path from it to the head.
        context, path, lexeme = data.draw(st.sampled_from(triples)) if triples else ("x", "", "y")
        if of_entry and self.known.entries:
            lexeme = data.draw(st.sampled_from(sorted(self.known.entries)))
        entry = Entry(((lexeme, ""), (context, path)), weights)
        words = [{"lexeme": word, "delta": delta} for word, delta in entry.words]
        with warnings.catch_warnings(action="ignore"):
            try:
                self.lexicon.save(name, words, weights=weights, merge="sum")
            except QuestionError as error:
                assert any(known in str(error) for known in REFUSED), str(error)
                return
        self.known = self.known.with_entry(name, entry)

    @rule()
    def refresh_entries(self) -> None:
        try:
            self.lexicon.stored.refresh(kind="entries")
        except QuestionError as error:
            assert "cannot be composed again" in str(error)
            return
        fresh = {name: replace(each, state="stored") for name, each in self.known.entries.items()}
        self.known = replace(self.known, entries=fresh)

    @rule(name=st.sampled_from(NAMES))
    def forget_entry(self, name: str) -> None:
        left = {other: each for other, each in self.known.entries.items() if other != name}
        impossible = name not in self.known.entries or self.known.containing(name)
        refused = QuestionError if impossible else None
        self.done(replace(self.known, entries=left), lambda: self.lexicon.stored.forget(name, kind="entries"), refused)

    # Ends
    @rule()
    def reopen(self) -> None:
        self.lexicon.close()
        self.lexicon = Lexicon.open(self.file, create=True, **self.given)

    @rule(after=st.floats(0.3, 1.2), sentences=spelt_corpora(6, 3), data=st.data())
    def kill(self, after: float, sentences: list[list[Token]], data: st.DataObject) -> None:
        """SIGKILL to a command, in the middle or too late: all of it is done, or nothing."""
        part = part_of(sentences, self.given)
        file, others = self.other({"d": sentences})
        ways: dict[str, tuple[list[str | Path], Known]] = {
            "add": ([self.source("d.conllu", part)], self.grown({"d.conllu": part})),
            "add other": ([file], self.grown(others)),
            "compact": ([], self.known),
            "refresh": (["--kind", "weightings"], self.known.refreshed()),
        }
        for name in self.known.corpora:
            ways[f"remove {name}"] = ([name], self.known.without(name))
        command = data.draw(st.sampled_from(sorted(ways)))
        arguments, known = ways[command]
        self.lexicon.close()
        killed(after, command.split()[0], self.file, *arguments)
        self.lexicon = Lexicon.open(self.file)
        if self.seen() == known.seen():
            self.known = known

    def grown(self, parts: Mapping[str, Part]) -> Known:
        """What is known after an addition, which is refused if the content is there."""
        own = self.known.corpora
        if parts.keys() & own.keys() or {p.content for p in parts.values()} & {p.content for p in own.values()}:
            return self.known
        return self.known.with_corpora({**own, **parts})

    def seen(self) -> dict[str, Any]:
        """What a user sees of the lexicon."""
        return {
            "corpora": self.lexicon.corpora().column("name"),
            "counts": {row[:3]: row[3] for row in self.lexicon.sql("FROM cooccurrences").rows},
            "direct": {row[:3]: row[4] for row in self.lexicon.sql("FROM cooccurrences WHERE direct > 0").rows},
            "frequencies": dict(self.lexicon.sql("SELECT lexeme, frequency FROM lexemes").rows),
            "weightings": dict(self.lexicon.sql("SELECT name, state FROM weightings").rows),
            "entries": dict(self.lexicon.sql("SELECT entry, state FROM entries").rows),
        }

    @invariant()
    def holds_what_it_must(self) -> None:
        if self.file.exists():
            assert self.seen() == self.known.seen()
            assert self.lexicon.verify().rows == []


TestHistories = pytest.mark.thorough(Histories.TestCase)
# A history takes seconds, so that to make a failing one shorter takes minutes: it is shown as it was.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
SLOW = [HealthCheck.too_slow]
TestHistories.settings = settings(examples(5), stateful_step_count=STEPS, phases=PHASES, suppress_health_check=SLOW)
