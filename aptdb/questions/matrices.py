"""What is computed of matrices, outside of SQL: decompositions, groups of vectors, and neighbours of many lexemes.

A library multiplies matrices many times faster than SQL, which then ranks the products. Vectors come from SQL, all at
once if they fit into memory.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from math import exp
from typing import TYPE_CHECKING, Any

from aptdb.questions.calls import call
from aptdb.questions.weightings import subcorpus_of_weighting
from aptdb.store.database import Database
from aptdb.store.limits import cores
from aptdb.store.statements import SqlText, literal, statement

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_array, csr_matrix

    Array = np.ndarray[Any, Any]
    Triples = tuple[Array, Array, Array]

Follow = Callable[[int, int], None]  # called with weights done and in all

EXPECTED = (200, 7)  # measured products of an SVD with vectors: a constant, and more for each dimension


def followed(matrix: "csr_array | csr_matrix", dimensions: int, progress: Follow) -> Any:
    """Return a matrix that reports an estimate of progress at each product.

    ARPACK multiplies until it converges, and the number of products is unknown. The nearer it comes to the usual number
    (EXPECTED), the slower the estimate grows; it never reaches the end.
    """
    from scipy.sparse.linalg import LinearOperator, aslinearoperator

    plain, done, expected = aslinearoperator(matrix), 0, EXPECTED[0] + EXPECTED[1] * dimensions

    def counted_product(product: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def multiply(vector: Any) -> Any:
            nonlocal done
            done += 1
            progress(int(matrix.nnz * (1 - exp(-2 * done / expected))), matrix.nnz)
            return product(vector)

        return multiply

    return LinearOperator(
        matrix.shape,
        matvec=counted_product(plain.matvec),
        rmatvec=counted_product(plain.rmatvec),
        matmat=plain.matmat,
        rmatmat=plain.rmatmat,
        dtype=matrix.dtype,
    )


# Groups of vectors of length 1: spherical k-means with fixed starts
STARTS = 5  # of which the one is taken whose vectors are nearest to their centres
MOST_STEPS = 100
NEARER = 1e-9  # a start that is nearer by less is no better


def clusters(vectors: "Array", number: int, alike: float, seed: int) -> "tuple[Array, Array]":
    """Return the group of each vector, from 0, and the centres, of shape (groups, dimensions): the largest group first.

    vectors: of shape (vectors, dimensions), each of length 1. number: of groups at first. Groups whose centres have a
    cosine of alike or more are joined, the most alike first, and the rest grouped again from there. The same vectors
    in the same order give the same groups.
    """
    import numpy as np

    chance = np.random.default_rng(seed)
    found = [settled(vectors, choose_first_centres(vectors, min(number, len(vectors)), chance)) for _ in range(STARTS)]
    best = max(found, key=lambda each: round(each[2] / NEARER))
    groups, centres = best[:2]
    while (joined := without_nearest(groups, centres, alike)) is not None:
        groups, centres, _ = settled(vectors, joined)
    sizes = np.bincount(groups, minlength=len(centres))
    firsts = [int(np.argmax(groups == each)) for each in range(len(centres))]
    order = sorted(range(len(centres)), key=lambda each: (-sizes[each], firsts[each]))
    order = [each for each in order if sizes[each]]
    place = np.zeros(len(centres), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[groups], centres[order]


def choose_first_centres(vectors: "Array", number: int, chance: "np.random.Generator") -> "Array":
    """Return vectors that groups begin with: each far from those before (Arthur & Vassilvitskii 2007)."""
    import numpy as np

    chosen = [int(chance.integers(len(vectors)))]
    far = 1 - vectors @ vectors[chosen[0]]
    while len(chosen) < number:
        shares = np.cumsum(np.square(np.maximum(far, 0)))
        if shares[-1] <= 0:  # the others equal those that were chosen
            break
        chosen.append(min(int(np.searchsorted(shares, chance.random() * shares[-1])), len(vectors) - 1))
        far = np.minimum(far, 1 - vectors @ vectors[chosen[-1]])
    return vectors[chosen]


def settled(vectors: "Array", centres: "Array") -> "tuple[Array, Array, float]":
    """Return the groups to which centres lead, the centres there, and the sum of the vectors' cosines with them."""
    import numpy as np

    groups = None
    for _ in range(MOST_STEPS):
        near = vectors @ centres.T
        nearest = near.argmax(axis=1)
        if groups is not None and np.array_equal(nearest, groups):
            break
        groups = nearest
        sums = np.array([vectors[groups == each].sum(axis=0) for each in range(len(centres))])
        sizes = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(sizes > 0, sums / np.where(sizes > 0, sizes, 1), centres)
    return nearest, centres, float(near.max(axis=1).sum())


def without_nearest(groups: "Array", centres: "Array", alike: float) -> "Array | None":
    """Return the centres with the two most alike as one; None if no two are alike."""
    import numpy as np

    if len(centres) == 1:
        return None
    cosines = centres @ centres.T
    np.fill_diagonal(cosines, -2)
    one, other = np.unravel_index(int(cosines.argmax()), cosines.shape)
    if cosines[one, other] < alike:
        return None
    sizes = np.bincount(groups, minlength=len(centres))
    both = centres[one] * sizes[one] + centres[other] * sizes[other]
    kept = np.delete(centres, [one, other], axis=0)
    return np.vstack([kept, both / np.linalg.norm(both)])


# Neighbours by products
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
    if (
        not isinstance(top, int)
        or top > MOST_NEIGHBOURS
        or any((parameters[each] or usual[each]) != usual[each] for each in usual)
    ):
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
            is_same = self._parameters["pos"] == "same"
            rows = np.flatnonzero(self._groups[first:last] == group) + first if is_same else np.arange(first, last)
            for some in range(0, len(rows), AT_ONCE):
                questions = rows[some : some + AT_ONCE]
                found += (
                    (questions[row], places[near], shared)
                    for row, near, shared in largest(asked[questions - first], matrix, top)
                )
        columns = (np.concatenate(each) for each in zip(*found, strict=True))
        return dict(zip(("question", "place", "shared"), columns, strict=True))

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
