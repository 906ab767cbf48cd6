"""The questions that a lexicon answers: each is the SQL macro of the same name (design 5), and takes its parameters."""

import json
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from aptdb.errors import QuestionError, StaleEntry, StaleWeighting, WithoutTrees
from aptdb.questions import weightings
from aptdb.questions.parameters import (
    Comparing,
    ComparingEach,
    Differing,
    Question,
    Questions,
    Ranking,
    RankingEach,
    Weighing,
    call,
    pairs_of,
    phrase_of,
    rows_of,
    words_of,
)
from aptdb.questions.select import refuse_all_but_select
from aptdb.result import Result
from aptdb.store.database import Database, SqlText, literal
from aptdb.store.statements import statement


class Answering(ABC):
    """What can be asked, of whoever has the database."""

    file: Path

    @abstractmethod
    def _for_reading(self) -> Database:
        """The database to ask."""

    def apt(self, x: Question, *, per_path: int | None = None, **parameters: Unpack[Weighing]) -> Result:
        """The APT of a lexeme or phrase: rows of path, context, weight; the heaviest first on each path.

        x is a lexeme's text, or a phrase: a Phrase, its text in brackets, or its words as SQL takes them.
        per_path: only so many of the heaviest features of each path.
        """
        return self._features(call("apt", [words_of(x)], parameters), per_path, parameters)

    def compose(self, phrase: Question, *, per_path: int | None = None, **parameters: Unpack[Weighing]) -> Result:
        """The APT composed for a phrase (the paper's equation 9): rows as in `apt`."""
        return self._features(call("compose", [phrase_of(phrase)], parameters), per_path, parameters)

    def compose_each(
        self, phrases: Questions, *, per_path: int | None = None, **parameters: Unpack[Weighing]
    ) -> Result:
        """The APTs of several phrases, composed at once: rows of phrase, path, context, weight.

        phrases: a sequence, each called as it is written, or a mapping from what each is called. They come in this
        order, each as in `compose`.
        """
        heaviest = "PARTITION BY phrase, path ORDER BY round(weight, 12) DESC, context"
        asked, rows = self._asked(phrases)
        names = literal(list(dict.fromkeys(row["phrase"] for row in rows)))
        each = f"{asked} FROM {call('compose_each', ['asked'], parameters)} {only(per_path, heaviest)}"
        order = f"ORDER BY array_position({names}, phrase), path, round(weight, 12) DESC, context"
        return self._question(f"{each} {order}", parameters, {"questions": json.dumps(rows)})

    def _features(self, apt: SqlText, per_path: int | None, parameters: Weighing) -> Result:
        """The rows of an APT, path by path."""
        heaviest = "PARTITION BY path ORDER BY round(weight, 12) DESC, context"
        return self._question(
            f"FROM {apt} {only(per_path, heaviest)} ORDER BY path, round(weight, 12) DESC, context", parameters
        )

    def _asked(self, questions: Questions) -> tuple[str, list[dict[str, object]]]:
        """Several questions as the table `asked` of a query, made of the parameter $questions, and its rows."""
        table = statement("questions/asked").rstrip().rstrip(";")
        return f"WITH asked AS ({table})", rows_of(questions)

    def neighbours(
        self,
        x: Question,
        *,
        top: int = 10,
        pos: str = "same",
        min_frequency: int | None = None,
        **parameters: Unpack[Ranking],
    ) -> Result:
        """The lexemes nearest to a lexeme or phrase: rows of lexeme, similarity, best first.

        pos: `same` as x, `any`, or a tag. min_frequency: the fewest tokens of a neighbour; None is one per 25,000
        tokens of the lexicon, at least 1 and at most 50. Of a measure that has a direction, x is the first argument.
        """
        own = {"top": top, "pos": pos, "min_frequency": min_frequency}
        return self._question(f"FROM {call('neighbours', [words_of(x)], {**own, **parameters})}", parameters)

    def neighbours_each(
        self,
        questions: Questions,
        *,
        top: int = 10,
        pos: str = "same",
        min_frequency: int | None = None,
        **parameters: Unpack[Ranking],
    ) -> Result:
        """The same for several lexemes and phrases, all at once: rows of question, lexeme, similarity.

        questions: a sequence, each called as it is written, or a mapping from what each is called. They come in this
        order, each with its nearest first. One that is asked twice is answered once.
        """
        own = {"top": top, "pos": pos, "min_frequency": min_frequency}
        asked, rows = self._asked(questions)
        query = f"{asked} FROM {call('neighbours_each', ['asked'], {**own, **parameters})}"
        return self._question(query, parameters, {"questions": json.dumps(rows)})

    def contextualise(
        self,
        phrase: Question,
        *,
        top: int = 10,
        pos: str = "same",
        min_frequency: int | None = None,
        **parameters: Unpack[RankingEach],
    ) -> Result:
        """The neighbours of each word of a phrase, alone and in its context (the paper's equation 15), side by side.

        Rows of anchor (the word's number), word, alone, similarity, in_context, similarity_there; parameters as in
        `neighbours`, without an anchor.
        """
        own = {"top": top, "pos": pos, "min_frequency": min_frequency}
        asked = call("contextualise", [phrase_of(phrase)], {**own, **parameters})
        return self._question(f"FROM {asked}", parameters)

    def plausible(
        self,
        phrase: Question,
        candidates: Sequence[str] | None = None,
        *,
        top: int | None = None,
        pos: str | None = None,
        min_frequency: int | None = None,
        **parameters: Unpack[RankingEach],
    ) -> Result:
        """What fills the gap of a phrase, a word whose lemma is `_`: rows of lexeme, similarity, the best first.

        Each candidate's own APT is compared with the rest of the phrase, composed and seen from the gap (the paper's
        section 7.2). Without candidates: the best `top` (10) of all lexemes of the gap's part of speech, as
        `neighbours` ranks them; what says which these are is refused beside candidates.
        """
        if isinstance(candidates, str):
            raise QuestionError(f"candidates is {candidates!r}; it is a list of lexemes")
        named = None if candidates is None else list(candidates)
        own = {"candidates": named, "top": top, "pos": pos, "min_frequency": min_frequency}
        asked = call("plausible", [phrase_of(phrase)], {**own, **parameters})
        return self._question(f"FROM {asked}", parameters)

    def similarity(self, a: Question, b: Question, **parameters: Unpack[Comparing]) -> float | None:
        """How alike two lexemes or phrases are, by the cosine (the paper's equation 6) or another measure.

        None where the vector of one is empty.
        """
        asked = f"SELECT {call('similarity', [words_of(a), words_of(b)], parameters)}"
        value = self._question(asked, parameters).rows[0][0]
        return None if value is None else float(value)

    def similarity_each(
        self,
        questions: Questions,
        pairs: Iterable[tuple[str, str]] | None = None,
        **parameters: Unpack[ComparingEach],
    ) -> Result:
        """How alike several lexemes and phrases are, all at once: rows of a, b, similarity.

        questions: as in `neighbours_each`. pairs: of what they are called; without, each with each that comes after it.
        """
        return self._similarity_each(questions, pairs, parameters, {})

    def _similarity_each(
        self,
        questions: Questions,
        pairs: Iterable[tuple[str, str]] | None,
        parameters: Mapping[str, Any],
        weights: Mapping[str, str],
    ) -> Result:
        """The same; weights: relations by the names that parameters may have for them, each as a SELECT."""
        asked, rows = self._asked(questions)
        asked += "".join(f", {name} AS MATERIALIZED ({select})" for name, select in weights.items())
        values = {"questions": json.dumps(rows)}
        if pairs is not None:
            table = statement("questions/pairs").rstrip().rstrip(";")
            asked = f"{asked}, pairs AS ({table})"
            values["pairs"] = json.dumps(pairs_of(pairs))
        own = {} if pairs is None else {"pairs": "pairs"}
        query = f"{asked} FROM {call('similarity_each', ['asked'], {**own, **parameters})}"
        return self._question(query, parameters, values)

    def explain(self, a: Question, b: Question, *, top: int = 10, **parameters: Unpack[Comparing]) -> Result:
        """Why two are alike: rows of path, context, weight_a, weight_b, contribution, the largest first.

        The weights are the values in the vectors. A last row, of no path and context, sums up all but the top; so the
        contributions add up to the similarity.
        """
        asked = call("explain", [words_of(a), words_of(b)], {"top": top, **parameters})
        return self._question(f"FROM {asked}", parameters)

    def diff(
        self,
        a: Question,
        b: Question,
        *,
        lean: float = 2,
        per_path: int | None = None,
        **parameters: Unpack[Differing],
    ) -> Result:
        """What two meet differently: rows of path, leans, context, weight_a, weight_b, by path.

        leans: `a` or `b` where its weight is at least `lean` times the other's, else `both`; the clearest first.
        per_path: only so many of the clearest of each kind on each path.
        """
        own = {"lean": lean, "per_path": per_path}
        asked = call("diff", [words_of(a), words_of(b)], {**own, **parameters})
        return self._question(f"FROM {asked}", parameters)

    def sql(self, query: str, parameters: Mapping[str, Any] | None = None) -> Result:
        """The rows of one SELECT of your own; `$name` stands for a parameter. It can change nothing.

        Raises QuestionError where it is not one SELECT, or does not run.
        """
        refuse_all_but_select(self._for_reading(), query)
        self._warn_of_stale(lambda name: re.search(rf"\b{name}\b", query, re.IGNORECASE) is not None)
        return self._ask(query, parameters)

    def _question(self, query: str, parameters: Mapping[str, Any], values: Mapping[str, Any] | None = None) -> Result:
        """The answer to a question that takes weights, with a warning where those that are kept are not used."""
        asked = query.partition(" := ")[0]  # what is asked about comes before the parameters
        self._warn_of_old_entries(f"{asked} {(values or {}).get('questions', '')}", parameters)
        weights = parameters.get("weights")
        if weights is None:
            return self._ask(query, values)
        self._warn_of_stale(lambda name: name == str(weights).lower())
        try:
            return self._ask(query, values)
        except QuestionError as error:
            raise weightings.explained(self._for_reading(), str(weights), error) from error

    def _warn_of_old_entries(self, question: str, parameters: Mapping[str, Any]) -> None:
        """Warn of the entries in a question that were composed before the lexicon grew."""
        for (name,) in self._for_reading().rows("SELECT entry FROM entries WHERE state = 'stale'"):
            written = {literal(name), f'"lexeme": {json.dumps(name)}'}
            if parameters.get("among", "lexemes") != "lexemes" or any(each in question for each in written):
                warnings.warn(
                    f"{name} was composed before the last addition, and is asked about as it was; to compose it anew: "
                    f"aptdb entries {self.file} {name} --refresh",
                    StaleEntry,
                    stacklevel=5,
                )

    def evidence(self, lexeme: str, path: str, context: str) -> Result:
        """The sentences behind a count, as many as it counts: ⟨lexeme, path, context⟩; [lexeme], {context}.

        Rows of corpus, sentence (its sent_id, or its number), position, context_position, text. What came as counts has
        no sentences, which a warning (WithoutTrees) tells. Raises QuestionError for a lexeme or path that cannot be.
        """
        asked = {"lexeme": lexeme, "path": path, "context": context}
        found = self._ask("FROM evidence($lexeme, $path, $context)", asked)
        triple = {**asked, "path": "" if path == "ε" else path}
        for corpus, count in self._for_reading().rows(statement("questions/without_trees"), triple):
            more = " more" if found.rows else ""
            said = f"{count:,}{more} {'is' if count == 1 else 'are'} of {corpus}, which came as counts, without trees"
            warnings.warn(said, WithoutTrees, stacklevel=2)
        return found

    def count(self, lexeme: str, path: str, context: str) -> int:
        """#⟨lexeme, path, context⟩: how often a lexeme meets a context along a path."""
        asked = {"lexeme": lexeme, "path": "" if path == "ε" else path, "context": context}
        return int(self._for_reading().value(statement("questions/count"), asked))

    def ways(self, lexeme: str, context: str) -> list[tuple[str, int]]:
        """The paths along which two lexemes meet most often, at most five, each with its count."""
        found = self._ask(statement("questions/ways"), {"lexeme": lexeme, "context": context})
        return [(path, count) for path, count in found.rows]

    def _warn_of_stale(self, concerns: Callable[[str], bool]) -> None:
        """Warn of the stale weightings that a question concerns."""
        for (name,) in self._for_reading().rows("SELECT name FROM weightings WHERE state = 'stale'"):
            if concerns(name):
                warnings.warn(
                    f"the kept weights of {name} are older than the last addition, so they are computed anew; "
                    f"to keep them again: aptdb weigh {self.file} {name} --refresh",
                    StaleWeighting,
                    stacklevel=4,
                )

    def _ask(self, query: str, parameters: Mapping[str, Any] | None = None) -> Result:
        return Result(*self._for_reading().table(query, parameters))


def only(number: int | None, ranked: str) -> str:
    """The clause that leaves only so many of the first rows of each window; none where number is None."""
    if number is None:
        return ""
    if not isinstance(number, int) or number < 1:
        raise QuestionError(f"per_path is {number}; it is a whole number, 1 or more")
    return f"QUALIFY row_number() OVER ({ranked}) <= {number}"
