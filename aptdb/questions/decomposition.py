"""Singular value decompositions that tell how far they are."""

from collections.abc import Callable
from math import exp
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scipy.sparse import csr_array, csr_matrix

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
