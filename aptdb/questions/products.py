"""Neighbours of many lexemes as products of matrices of their vectors, which SQL ranks.

A library multiplies matrices many times faster than SQL. Vectors come from SQL, all at once if they fit into memory.
"""

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from aptdb.questions.calls import call
from aptdb.questions.weightings import subcorpus_of_weighting
from aptdb.store.database import Database
from aptdb.store.limits import cores
from aptdb.store.statements import SqlText, literal, statement

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix

    Array = np.ndarray[Any, Any]
    Triples = tuple[Array, Array, Array]

SHARE = 0.4  # of the memory for vectors
BYTES_OF_WEIGHT = 60  # while it is read, sorted by lexemes and by features, and beside those of who is asked for
BYTES_OF_NUMBER = 20  # in a space: in DuckDB, as it is read, and as a matrix
BYTES_OF_SIMILARITY = 12  # of a lexeme and a candidate, with a copy that is sorted in part
AT_ONCE = 250  # lexemes in one product: Ctrl-C is heard between two
SPARE = 16  # products of each lexeme beyond those returned: some may be equal
MOST_NEIGHBOURS = 1000  # neighbours of each lexeme: the library allocates room for all
DIGITS = 12  # as many as SQL ranks by
SLACK = 1e-3  # between two sums of products of 32-bit numbers, of vectors of length 1, in any order


def products_of(database: Database, parameters: Mapping[str, Any]) -> "Products | ProductsInSpace | None":
    """Return the products that find the neighbours for these parameters of `neighbours_each`; None where SQL must.

    Products find them for the cosine between lexemes, if the vectors fit into memory and not too many neighbours of
    each are asked for: in a space, or under weights of the lexicon if the library is installed.
    """
    top = parameters["top"]
    usual = {"measure": "cosine", "among": "lexemes", "smooth": "none"}
    if not isinstance(top, int) or top > MOST_NEIGHBOURS or any(parameters[each] != usual[each] for each in usual):
        return None
    if parameters["space"] is not None:
        return ProductsInSpace(database, parameters) if space_fits(database, parameters["space"]) else None
    is_weighed = database.value(f"SELECT _store.scheme({literal(parameters['weights'])}) IS NOT NULL")
    if (
        is_weighed
        and find_spec("sparse_dot_topn") is not None
        and fit(database, parameters["min_frequency"], subcorpus_of_weighting(database, parameters))
    ):
        return Products(database, parameters)
    return None


def fit(database: Database, fewest: object, subcorpus: str | None) -> bool:
    """Return whether the vectors of all lexemes of this frequency fit into memory."""
    if fewest is not None and (isinstance(fewest, bool) or not isinstance(fewest, int)):
        return False  # which is refused where it is asked
    weights = int(database.value(statement("questions/products/weights", fewest=fewest, subcorpus=subcorpus)))
    return weights * BYTES_OF_WEIGHT <= database.limits.memory * SHARE


def space_fits(database: Database, space: object) -> bool:
    """Return whether the vectors of a space fit into memory; False if it has one dimension, or does not exist."""
    found = database.rows(statement("questions/products/numbers_of_space", space=str(space)))
    return bool(found) and found[0][0] * BYTES_OF_NUMBER <= database.limits.memory * SHARE


class Products:
    """Neighbours of all frequent lexemes, for parameters of `neighbours_each`.

    A lexeme is identified by its rank in frequency.
    """

    def __init__(self, database: Database, parameters: Mapping[str, Any]) -> None:
        """Take all parameters of `neighbours_each`. Raise QuestionError for an invalid one."""
        import numpy as np

        database.leave_memory(SHARE)
        self._database = database
        self._parameters = parameters
        self._features = int(database.value("SELECT coalesce(max(id), 0) + 1 FROM _store.node"))
        self._vectors(0, 1)  # refuses parameters
        self._candidates = {
            "fewest": parameters["min_frequency"],
            "subcorpus": subcorpus_of_weighting(database, parameters),
        }
        places = statement("questions/products/places", **self._candidates, tag=parameters["pos"])
        self._groups = database.arrays(places)["group_id"]
        vectors = self._vectors(0, len(self._groups))
        self._matrices = []  # of each group of lexemes: its number, its members, and their vectors by features
        for group in np.unique(self._groups[self._groups >= 0]):
            members = np.flatnonzero(self._groups == group)
            self._matrices.append((int(group), members, vectors[members].T.tocsr()))

    def ranked(self, first: int, last: int) -> SqlText:
        """Return a SELECT of the neighbours of a range of lexemes: rows of lexeme, neighbour, similarity.

        It reads the relation `product` of this connection, which is made anew.
        """
        self._database.bring("product", self._products(first, min(last, len(self._groups))))
        return statement("questions/products/part", **self._candidates, top=self._parameters["top"])

    def _products(self, first: int, last: int) -> "dict[str, Array]":
        """Return pairs of a lexeme of the range (question) and a similar one (place), with their product."""
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
        """Return the lexemes of the range whose neighbours belong to a group."""
        import numpy as np

        if self._parameters["pos"] != "same":
            return np.arange(first, last)
        return np.flatnonzero(self._groups[first:last] == group) + first

    def _vectors(self, first: int, last: int) -> "csr_matrix":
        """Return the vectors of a range of lexemes, each of length 1, of shape (lexemes, features)."""
        import numpy as np
        from scipy.sparse import coo_matrix

        of_places = call("neighbours_each", [first, last - 1], self._parameters, macro="_store.placed_dimension")
        read = self._database.arrays(f"FROM {of_places}")
        values, rows, features = (read.pop(name) for name in ("value", "row", "feature"))
        values /= np.sqrt(np.bincount(rows, values**2, last - first))[rows]
        return coo_matrix((values, (rows, features)), (last - first, self._features)).tocsr()


def largest(asked: "csr_matrix", near: "csr_matrix", top: int) -> "Iterator[Triples]":
    """Return the largest values of each row of a product of matrices: all that may be in the top, ties included.

    As arrays of row, column, value; only values above 0. A row may contain the lexeme itself, so there is one more.
    """
    import numpy as np
    from sparse_dot_topn import sp_matmul_topn

    most = top + 1 + SPARE
    best = sp_matmul_topn(asked, near, most, threshold=0.0, sort=True, n_threads=cores())
    full = np.flatnonzero(np.diff(best.indptr) == most)
    last, least = (best.data[best.indptr[full] + place].round(DIGITS) for place in (most - 1, top))
    unclear = full[last >= least]  # later ones may be as large as those returned
    clear = np.setdiff1d(np.arange(asked.shape[0]), unclear)
    for rows, values in ((clear, best[clear]), (unclear, asked[unclear] @ near)):
        found = values.tocoo()
        yield rows[found.row], found.col, found.data


class ProductsInSpace:
    """Neighbours of all frequent lexemes in a space, for parameters of `neighbours_each`.

    A product chooses who may be among the neighbours; SQL compares those and ranks them.
    """

    def __init__(self, database: Database, parameters: Mapping[str, Any]) -> None:
        """Take all parameters of `neighbours_each`. Raise QuestionError for an invalid one."""
        import numpy as np

        database.leave_memory(SHARE)
        self._database = database
        self._parameters = parameters
        database.rows(f"FROM {self._vectors(0, 0)}")  # refuses parameters
        named = {"fewest": parameters["min_frequency"], "tag": parameters["pos"], "space": parameters["space"]}
        database.run(statement("questions/products/candidates_in_space", **named))
        columns = database.arrays("SELECT group_id, vector FROM candidate_in_space ORDER BY place")
        groups = columns["group_id"]
        self._candidates = {int(group): np.flatnonzero(groups == group) for group in np.unique(groups)}
        fitting = int(database.limits.memory * SHARE) // (BYTES_OF_SIMILARITY * max(1, len(groups)))
        self._at_once = max(1, min(AT_ONCE, fitting))
        self._matrices = {group: np.stack([*columns["vector"][places]]).T for group, places in self._candidates.items()}

    def ranked(self, first: int, last: int) -> SqlText:
        """Return a SELECT of the neighbours of a range of lexemes: rows of lexeme, neighbour, similarity.

        It reads tables of this connection, which are made anew, and the relation `product`.
        """
        self._database.run(statement("questions/products/asked_in_space", vectors=self._vectors(first, last - 1)))
        self._database.bring("product", self._products())
        return statement("questions/products/part_in_space", top=self._parameters["top"])

    def _products(self) -> "dict[str, Array]":
        """Return pairs of an asked lexeme (question) and one that may be near (place)."""
        import numpy as np

        asked = self._database.arrays("SELECT place, group_id, vector FROM asked_in_space ORDER BY place")
        found = [(np.empty(0, "i4"), np.empty(0, "i4"))]
        for group, places in self._candidates.items():
            rows = np.flatnonzero(asked["group_id"] == group)
            for some in (rows[begin : begin + self._at_once] for begin in range(0, len(rows), self._at_once)):
                row, near = nearest(np.stack([*asked["vector"][some]]) @ self._matrices[group], self._parameters["top"])
                found.append((asked["place"][some][row], places[near]))
        return dict(zip(("question", "place"), map(np.concatenate, zip(*found, strict=True)), strict=True))

    def _vectors(self, first: int, last: int) -> SqlText:
        """Return the call for the vectors of a range of lexemes, both ends included."""
        return call("neighbours_each", [first, last], self._parameters, macro="_store.placed_vector")


def nearest(similarities: "Array", top: int) -> "tuple[Array, Array]":
    """Return the rows and columns of the largest values of each row: all that may be in the top, ties included.

    A row may contain the lexeme itself, so there is one more; and SQL sums in another order, so values that differ by
    SLACK or less count as ties.
    """
    import numpy as np

    last = max(similarities.shape[1] - top - 1, 0)
    least = np.partition(similarities, last, axis=1)[:, last]
    rows, columns = np.nonzero(similarities >= np.maximum(least, 0)[:, None] - SLACK)
    return rows, columns
