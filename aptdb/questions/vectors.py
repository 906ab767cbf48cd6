"""The vectors of a reduced space in memory: for many questions one after another, for numpy, and for gensim."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import NoSuchLexemeError, QuestionError
from aptdb.core.settings import is_whole_number
from aptdb.questions.execute import warn_of_stale_space
from aptdb.questions.spaces import known_space, scale_to_length_one
from aptdb.store.derived import SPACE
from aptdb.store.session import Session
from aptdb.store.statements import statement

if TYPE_CHECKING:
    import numpy as np
    from gensim.models import KeyedVectors

    Array = np.ndarray[Any, Any]

DIGITS = 6  # of a similarity, as in SQL: vectors have no more


class Vectors:
    """The vectors of lexemes in a reduced space, each of length 1, the most frequent lexeme first.

    They are a copy: the lexicon may change or be closed.

    >>> vectors = lexicon.stored.vectors("small")
    >>> vectors.most_similar("shoot/NOUN", top=3)

    lexemes: their names. pos: the part of speech of each, None without one. matrix: an array of numpy with a row for
    each.
    """

    def __init__(self, lexemes: Sequence[str], pos: Sequence[str | None], matrix: "Array") -> None:
        self.lexemes, self.pos, self.matrix = list(lexemes), list(pos), matrix

    def similarity(self, one: str, other: str) -> float:
        """Return the cosine of two lexemes, as `Lexicon.similarity` has it in the space. Raise NoSuchLexemeError."""
        return round(float(self[one] @ self[other]), DIGITS)

    def most_similar(
        self, positive: str | Sequence[str], negative: str | Sequence[str] = (), *, top: int = 10, pos: str = "same"
    ) -> list[tuple[str, float]]:
        """Return the lexemes nearest to the sum of some, less that of others, each with its similarity, the best first.

        The same as `Lexicon.most_similar` in the space, of all lexemes that have a vector. pos: only lexemes of this
        part of speech, e.g. NOUN; same, that of the first; or any. Of lexemes with the same similarity the more
        frequent comes first. Raises NoSuchLexemeError and QuestionError.
        """
        import numpy as np

        near, far = ([each] if isinstance(each, str) else list(each) for each in (positive, negative))
        if not near:
            raise QuestionError("positive is empty; name a lexeme, as in most_similar('dog/NOUN')")
        if both := [each for each in near if each in far]:
            raise QuestionError(f"{both[0]} is both positive and negative; give it only once")
        if not is_whole_number(top) or top < 1:
            raise QuestionError(f"top is {top!r}; expected a whole number, 1 or more")
        wanted = sum(self[each] for each in near) - sum(self[each] for each in far)
        found = np.round(self.matrix @ scale_to_length_one(np.asarray(wanted)[None, :])[0], DIGITS)
        chosen = self._choose_pos(self.pos[self._places[near[0]]] if pos == "same" else pos)
        chosen[[self._places[each] for each in (*near, *far)]] = False
        places = np.flatnonzero(chosen)
        best = places[np.argsort(-found[places], kind="stable")[:top]]
        return [(self.lexemes[place], round(float(found[place]), DIGITS)) for place in best]

    def to_gensim(self) -> "KeyedVectors":
        """Return the vectors as gensim's KeyedVectors. Raise QuestionError if gensim is not installed."""
        try:
            from gensim.models import KeyedVectors
        except ImportError as error:
            raise QuestionError("gensim is not installed; install it with: pip install gensim") from error
        keyed = KeyedVectors(self.matrix.shape[1])
        keyed.add_vectors(self.lexemes, self.matrix)
        return keyed

    def __getitem__(self, lexeme: str) -> "Array":
        """Return the vector of a lexeme. Raise NoSuchLexemeError, which suggests similar ones."""
        place = self._places.get(lexeme)
        if place is None:
            near = get_close_matches(str(lexeme), self.lexemes, 3, 0.6)
            there = f"did you mean {', '.join(near)}?" if near else "lexemes lists those that it has"
            raise NoSuchLexemeError(f"no vector of {lexeme}; {there}")
        vector: Array = self.matrix[place]
        return vector

    def __contains__(self, lexeme: object) -> bool:
        return lexeme in self._places

    def __len__(self) -> int:
        return len(self.lexemes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.lexemes)

    def __repr__(self) -> str:
        return f"Vectors({len(self):,} lexemes, {self.matrix.shape[1]} dimensions)"

    @cached_property
    def _places(self) -> dict[str, int]:
        """Return the row of each lexeme."""
        return {lexeme: place for place, lexeme in enumerate(self.lexemes)}

    def _choose_pos(self, pos: str | None) -> "Array":
        """Return an array that is true for the lexemes of a part of speech. Raise QuestionError if there are none."""
        import numpy as np

        if pos == "any":
            return np.ones(len(self.lexemes), bool)
        chosen = np.array([each == pos for each in self.pos])
        if not chosen.any():
            known = sorted({each for each in self.pos if each is not None})
            raise QuestionError(f"no vector is of pos {pos}; expected {', '.join(known)}, same or any")
        return chosen


def vectors(session: Session, space: str | None = None) -> Vectors:
    """Return the vectors of a reduced space in memory; without a name, of the only one.

    They answer in milliseconds, without SQL. Phrases and rare words are not among them; `neighbours` takes these.
    Raises QuestionError.
    """
    import numpy as np

    database = session.reading()
    found = SPACE.get(database, known_space(database, space))
    warn_of_stale_space(session, found.name)
    named = database.rows(statement("questions/spaces/lexemes_of", id=found.id))
    numbers = np.asarray(database.arrays(statement("questions/spaces/numbers_of", id=found.id))["value"])
    return Vectors([lexeme for lexeme, _ in named], [pos for _, pos in named], numbers.reshape(len(named), -1))
