"""The vectors of a reduced space in memory: for many questions one after another, for numpy, and for gensim."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aptdb.core.errors import NoSuchLexemeError, QuestionError
from aptdb.core.one_line import name_first
from aptdb.questions.execute import warn_of_stale_space
from aptdb.questions.spaces import known_space, of_length_one
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

    lexemes: their names. matrix: an array of numpy with a row for each.
    """

    def __init__(self, lexemes: Sequence[str], matrix: "Array") -> None:
        self.lexemes, self.matrix = list(lexemes), matrix

    def similarity(self, one: str, other: str) -> float:
        """Return the cosine of two lexemes, as `Lexicon.similarity` has it in the space. Raise NoSuchLexemeError."""
        return round(float(self[one] @ self[other]), DIGITS)

    def most_similar(
        self, like: str | Sequence[str], unlike: str | Sequence[str] = (), *, top: int = 10, pos: str | None = None
    ) -> list[tuple[str, float]]:
        """Return the lexemes nearest to the sum of some, less that of others, each with its similarity, the best first.

        pos: only lexemes of this part of speech, e.g. NOUN; None for all. Of lexemes that are alike the more frequent
        comes first. Raises NoSuchLexemeError and QuestionError.
        """
        import numpy as np

        near, far = ([each] if isinstance(each, str) else list(each) for each in (like, unlike))
        if not near and not far:
            raise QuestionError("like is empty; name a lexeme, as in most_similar('dog/NOUN')")
        if not isinstance(top, int) or top < 1:
            raise QuestionError(f"top is {top!r}; expected a whole number from 1 on")
        wanted = sum(self[each] for each in near) - sum(self[each] for each in far)
        found = np.round(self.matrix @ of_length_one(np.asarray(wanted)[None, :])[0], DIGITS)
        chosen = self._of_pos(pos).copy()
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

    @cached_property
    def _tags(self) -> "Array":
        """Return the part of speech of each lexeme, as its name has it."""
        import numpy as np

        return np.array([lexeme.rpartition("/")[2] for lexeme in self.lexemes])

    def _of_pos(self, pos: str | None) -> "Array":
        """Return whether each lexeme is of a part of speech. Raise QuestionError if none is."""
        import numpy as np

        if pos is None:
            return np.ones(len(self.lexemes), bool)
        chosen: Array = self._tags == pos
        if not chosen.any():
            raise QuestionError(f"no vector is of pos {pos}; expected {name_first(sorted(set(self._tags)), 10)}")
        return chosen


def vectors(session: Session, space: str | None = None) -> Vectors:
    """Return the vectors of a reduced space in memory; without a name, of the only one.

    What stands there is asked in a fraction of a millisecond, without SQL. Phrases and rare words have no vector there:
    `neighbours` takes these. Raises QuestionError.
    """
    import numpy as np

    database = session.reading()
    found = SPACE.get(database, known_space(database, space))
    warn_of_stale_space(session, found.name)
    lexemes = [str(lexeme) for (lexeme,) in database.rows(statement("questions/spaces/lexemes_of", id=found.id))]
    numbers = np.asarray(database.arrays(statement("questions/spaces/numbers_of", id=found.id))["value"])
    return Vectors(lexemes, numbers.reshape(len(lexemes), -1))
