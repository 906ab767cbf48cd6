"""The neighbours of many lexemes by the cosine, as products of sparse matrices (the extra `thesaurus`).

The one answer that is not computed in SQL: a library multiplies matrices several times faster. Vectors come from SQL,
all at once, where they fit the memory; and SQL ranks what the products give.
"""

import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from aptdb.questions.calls import call
from aptdb.questions.weightings import part_of
from aptdb.store.database import Database
from aptdb.store.literals import SqlText, literal
from aptdb.store.statements import statement

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix

    Array = np.ndarray[Any, Any]
    Triples = tuple[Array, Array, Array]

SHARE = 0.4  # of the memory for vectors
BYTES_OF_WEIGHT = 60  # while it is read, sorted by lexemes and by features, and beside those of who is asked for
AT_ONCE = 250  # lexemes in one product: Ctrl-C is heard between two
SPARE = 16  # products of each lexeme beyond those that are told: some may be alike
MOST_TOLD = 1000  # neighbours of each lexeme: the library makes room for all that may be told
DIGITS = 12  # as many as SQL ranks by


def can_tell(database: Database, parameters: Mapping[str, Any]) -> bool:
    """Whether products tell the neighbours that these parameters of `neighbours_each` ask for.

    That is so for the cosine between lexemes, under weights that the lexicon has, where the library is installed, the
    vectors fit the memory, and not too many are told of each.
    """
    top = parameters["top"]
    usual = {"measure": "cosine", "among": "lexemes", "smooth": "none"}
    return (
        find_spec("sparse_dot_topn") is not None
        and isinstance(top, int)
        and top <= MOST_TOLD
        and all(parameters[name] == value for name, value in usual.items())
        and bool(database.value(f"SELECT _store.scheme({literal(parameters['weights'])}) IS NOT NULL"))
        and fit(database, parameters["min_frequency"], part_of(database, parameters))
    )


def fit(database: Database, fewest: object, part: str | None) -> bool:
    """Whether the vectors of all lexemes that occur so often fit the memory."""
    if fewest is not None and (isinstance(fewest, bool) or not isinstance(fewest, int)):
        return False  # which is refused where it is asked
    weights = int(database.value(statement("questions/products/weights", fewest=fewest, part=part)))
    return weights * BYTES_OF_WEIGHT <= database.limits.memory * SHARE


class Products:
    """The neighbours of all lexemes that occur often enough, which parameters of `neighbours_each` ask for.

    A lexeme is called by its place among them, the most frequent first.
    """

    def __init__(self, database: Database, parameters: Mapping[str, Any]) -> None:
        """All parameters of `neighbours_each` are given. Raises QuestionError for what one cannot be."""
        database.leave_memory(SHARE)
        self._database = database
        self._parameters = parameters
        self._features = int(database.value("SELECT coalesce(max(id), 0) + 1 FROM _store.node"))
        self._vectors(0, 1)  # refuses parameters
        self._candidates = {"fewest": parameters["min_frequency"], "part": part_of(database, parameters)}
        places = statement("questions/products/places", **self._candidates, tag=parameters["pos"])
        self._groups = database.arrays(places)["group_id"]
        self._matrices = [*self._of_groups(self._vectors(0, len(self._groups)))]

    def ranked(self, first: int, last: int) -> SqlText:
        """A SELECT of the neighbours of the lexemes of these places: rows of lexeme, neighbour, similarity.

        It reads the relation `product` of this connection, which is made anew.
        """
        self._database.bring("product", self._products(first, min(last, len(self._groups))))
        return statement("questions/products/part", **self._candidates, top=self._parameters["top"])

    def _products(self, first: int, last: int) -> "dict[str, Array]":
        """Pairs of a lexeme of these places (question) and one near it (place), with the product of their vectors."""
        import numpy as np

        found: list[Triples] = [(np.empty(0, "i4"), np.empty(0, "i4"), np.empty(0))]
        asked, top = self._vectors(first, last), int(self._parameters["top"])
        for group, places, matrix in self._matrices:
            rows = self._asking(first, last, group)
            for some in range(0, len(rows), AT_ONCE):
                questions = rows[some : some + AT_ONCE]
                found += (
                    (questions[row], places[near], shared)
                    for row, near, shared in largest(asked[questions - first], matrix, top)
                )
        columns = (np.concatenate(each) for each in zip(*found, strict=True))
        return dict(zip(("question", "place", "shared"), columns, strict=True))

    def _asking(self, first: int, last: int, group: int) -> "Array":
        """The lexemes of these places whose neighbours are those of a group."""
        import numpy as np

        if self._parameters["pos"] != "same":
            return np.arange(first, last)
        return np.flatnonzero(self._groups[first:last] == group) + first

    def _of_groups(self, vectors: "csr_matrix") -> "Iterator[tuple[int, Array, csr_matrix]]":
        """Each group of lexemes, its members, and their vectors by features."""
        import numpy as np

        for group in np.unique(self._groups[self._groups >= 0]):
            members = np.flatnonzero(self._groups == group)
            yield int(group), members, vectors[members].T.tocsr()

    def _vectors(self, first: int, last: int) -> "csr_matrix":
        """The vectors of the lexemes of these places, each of length 1, of shape (places, features)."""
        import numpy as np
        from scipy.sparse import coo_matrix

        of_places = call("neighbours_each", [first, last - 1], self._parameters, macro="_store.placed_dimension")
        read = self._database.arrays(f"FROM {of_places}")
        values, rows, features = (read.pop(name) for name in ("value", "row", "feature"))
        values /= np.sqrt(np.bincount(rows, values**2, last - first))[rows]
        return coo_matrix((values, (rows, features)), (last - first, self._features)).tocsr()


def largest(asked: "csr_matrix", near: "csr_matrix", top: int) -> "Iterator[Triples]":
    """Of each row of a product of matrices its largest values: all that may be among the first, with those alike.

    As arrays of row, column, value; a value that is not above 0 is none. A row may have one value that does not count,
    its own, so there is one more.
    """
    import numpy as np
    from sparse_dot_topn import sp_matmul_topn

    most = top + 1 + SPARE
    best = sp_matmul_topn(asked, near, most, threshold=0.0, sort=True, n_threads=cores())
    full = np.flatnonzero(np.diff(best.indptr) == most)
    last, least = (best.data[best.indptr[full] + place].round(DIGITS) for place in (most - 1, top))
    unclear = full[last >= least]  # what comes after may be as large as what is told
    clear = np.setdiff1d(np.arange(asked.shape[0]), unclear)
    for rows, values in ((clear, best[clear]), (unclear, asked[unclear] @ near)):
        found = values.tocoo()
        yield rows[found.row], found.col, found.data


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
