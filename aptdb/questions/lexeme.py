"""One lexeme of a lexicon, to ask about: what `lexicon["dog/NOUN"]` gives."""

from html import escape
from typing import Any, Unpack

from aptdb.core.composition import Features
from aptdb.core.display import how_many, html_answer
from aptdb.core.parameters import told
from aptdb.core.question_parameters import Comparing, Evidence, Neighbours
from aptdb.core.result import Result
from aptdb.questions import query
from aptdb.questions.calls import Question
from aptdb.questions.execute import evidence
from aptdb.questions.inventory import known_or_refused

NEAREST = 10  # neighbours that a notebook shows


class Lexeme:
    """A lexeme of a lexicon: `lexicon["dog/NOUN"]`. Its methods are those of the lexicon, asked about this lexeme.

    lexeme: its text, e.g. dog/NOUN, with its parts lemma and pos. frequency: the number of its tokens.
    """

    def __init__(self, lexicon: Any, lexeme: str) -> None:
        """Look a lexeme up. Raises NoSuchLexemeError, which says what it may have meant."""
        self._lexicon, self._session = lexicon, lexicon._session
        found = known_or_refused(self._session, lexeme)
        self.lexeme, self.lemma, self.pos, self.frequency = found.lexeme, found.lemma, found.pos, found.frequency

    @told
    def apt(self, **parameters: Unpack[Features]) -> Result:
        """Its APT: rows of path, context, weight; the heaviest first on each path."""
        return query.apt(self._session, self.lexeme, **parameters)

    def sketch(self, **parameters: Any) -> Result:
        """Its word sketch: its collocates by grammatical relation; parameters as of Lexicon.sketch."""
        found: Result = self._lexicon.sketch(self.lexeme, **parameters)
        return found

    @told
    def neighbours(self, **parameters: Unpack[Neighbours]) -> Result:
        """Return the lexemes most similar to it: rows of lexeme, similarity, the best first."""
        return query.neighbours(self._session, self.lexeme, **parameters)

    @told
    def similarity(self, other: "Question | Lexeme", **parameters: Unpack[Comparing]) -> float | None:
        """Return how similar it is to another lexeme or phrase; None if one of the vectors is empty."""
        named = other.lexeme if isinstance(other, Lexeme) else other
        return query.similarity(self._session, self.lexeme, named, **parameters)

    @told
    def evidence(self, path: str | None = None, context: str | None = None, **parameters: Unpack[Evidence]) -> Result:
        """Return the sentences that it is in, or meets a context in along a path.

        None stands for any path or context.
        """
        return evidence(self._session, self.lexeme, path, context, **parameters)

    def __str__(self) -> str:
        return self.lexeme

    def __repr__(self) -> str:
        return f"<Lexeme {self.lexeme}: {how_many(self.frequency, 'token')}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: its frequency, and its neighbours."""
        head = f"<b>{escape(self.lexeme)}</b>: {how_many(self.frequency, 'token')}. Its nearest neighbours:"
        found = self.neighbours(top=NEAREST)
        return f"<div>{head}</div>\n{html_answer(found.columns, found.types, found.rows)}"
