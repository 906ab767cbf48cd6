"""What is computed outside of SQL: singular value decompositions that report progress, and groups of vectors.

Vectors are of length 1, and grouped by spherical k-means with fixed starts.
"""

from collections.abc import Callable
from math import exp
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_array, csr_matrix

    Array = np.ndarray[Any, Any]

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
