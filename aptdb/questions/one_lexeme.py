"""A lexeme of a lexicon as an object: `lexicon["dog/NOUN"]`.

It is imported where it is asked for: to spell out the parameters of its methods takes longer than other modules do.
"""

from html import escape
from typing import Any, Unpack, cast

from aptdb.core.composition import Features
from aptdb.core.display import how_many, html_answer
from aptdb.core.parameters import with_parameters_spelled_out
from aptdb.core.question_parameters import Comparing, Evidence, Neighbours
from aptdb.core.result import Result
from aptdb.questions.calls import Question
from aptdb.questions.inventory import known_or_refused

NEAREST = 10  # neighbours that a notebook shows


class Lexeme:
    """A lexeme of a lexicon: `lexicon["dog/NOUN"]`. Its methods are those of the lexicon, applied to this lexeme.

    lexeme: its text, e.g. dog/NOUN; lemma, pos: its two halves. frequency: the number of its tokens.

    >>> lexicon["shoot/NOUN"].neighbours(top=3)
    """

    def __init__(self, lexicon: Any, lexeme: str) -> None:
        """Look the lexeme up. Raise NoSuchLexemeError, which suggests similar ones."""
        self._lexicon = lexicon
        found = known_or_refused(lexicon._session, lexeme)
        self.lexeme, self.lemma, self.pos, self.frequency = found.lexeme, found.lemma, found.pos, found.frequency

    @with_parameters_spelled_out
    def apt(self, **parameters: Unpack[Features]) -> Result:
        """Return its APT: rows of path, context, weight; the heaviest first on each path."""
        return cast(Result, self._lexicon.apt(self.lexeme, **parameters))

    def sketch(self, **parameters: Any) -> Result:
        """Return its word sketch: collocates by grammatical relation; parameters as of Lexicon.sketch."""
        return cast(Result, self._lexicon.sketch(self.lexeme, **parameters))

    @with_parameters_spelled_out
    def neighbours(self, **parameters: Unpack[Neighbours]) -> Result:
        """Return the lexemes most similar to it: rows of lexeme, similarity, the best first."""
        return cast(Result, self._lexicon.neighbours(self.lexeme, **parameters))

    @with_parameters_spelled_out
    def similarity(self, other: "Question | Lexeme", **parameters: Unpack[Comparing]) -> float | None:
        """Return its similarity to another lexeme or phrase; None if one of the vectors is empty."""
        named = other.lexeme if isinstance(other, Lexeme) else other
        return cast("float | None", self._lexicon.similarity(self.lexeme, named, **parameters))

    @with_parameters_spelled_out
    def evidence(self, path: str | None = None, context: str | None = None, **parameters: Unpack[Evidence]) -> Result:
        """Return its sentences, or those where it meets a context along a path.

        None stands for any path or context.
        """
        return cast(Result, self._lexicon.evidence(self.lexeme, path, context, **parameters))

    def __str__(self) -> str:
        return self.lexeme

    def __repr__(self) -> str:
        return f"<Lexeme {self.lexeme}: {how_many(self.frequency, 'token')}>"

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows: frequency and neighbours."""
        head = f"<b>{escape(self.lexeme)}</b>: {how_many(self.frequency, 'token')}. Its nearest neighbours:"
        found = self.neighbours(top=NEAREST)
        return f"<div>{head}</div>\n{html_answer(found.columns, found.types, found.rows)}"
