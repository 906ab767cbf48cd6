"""The questions that a lexicon answers: each is the SQL macro of the same name (design 5), and takes its parameters."""

import json
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Unpack

from aptdb import weightings
from aptdb.database import Database, SqlText
from aptdb.errors import QuestionError, StaleWeighting
from aptdb.parameters import Comparing, Question, Questions, Ranking, Weighing, call, rows_of, words_of
from aptdb.result import Result
from aptdb.select import refuse_all_but_select
from aptdb.statements import statement


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
        words = words_of(phrase)
        asked = [{"lexeme": words, "delta": ""}] if isinstance(words, str) else words
        return self._features(call("compose", [asked], parameters), per_path, parameters)

    def _features(self, apt: SqlText, per_path: int | None, parameters: Weighing) -> Result:
        """The rows of an APT, path by path."""
        heaviest = "PARTITION BY path ORDER BY round(weight, 12) DESC, context"
        return self._question(
            f"FROM {apt} {only(per_path, heaviest)} ORDER BY path, round(weight, 12) DESC, context", parameters
        )

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
        each = call("neighbours_each", ["asked"], {**own, **parameters})
        query = f"WITH asked AS ({statement('ask/asked').rstrip().rstrip(';')}) FROM {each}"
        return self._question(query, parameters, {"questions": json.dumps(rows_of(questions))})

    def similarity(self, a: Question, b: Question, **parameters: Unpack[Comparing]) -> float | None:
        """How alike two lexemes or phrases are, by the cosine (the paper's equation 6) or another measure.

        None where the vector of one is empty.
        """
        asked = f"SELECT {call('similarity', [words_of(a), words_of(b)], parameters)}"
        value = self._question(asked, parameters).rows[0][0]
        return None if value is None else float(value)

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
        **parameters: Unpack[Weighing],
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
        weights = parameters.get("weights")
        if weights is None:
            return self._ask(query, values)
        self._warn_of_stale(lambda name: name == str(weights).lower())
        try:
            return self._ask(query, values)
        except QuestionError as error:
            raise weightings.explained(self._for_reading(), str(weights), error) from error

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
