"""Places on a plane for things of which one knows how alike each two are: classical multidimensional scaling."""

from collections.abc import Mapping, Sequence


def flat(names: Sequence[str], alike: Mapping[frozenset[str], float]) -> tuple[dict[str, tuple[float, float]], float]:
    """A place for each name, and how much of the squared distances the plane shows, from 0 to 1.

    The distance of two is 1 − how alike they are. (Torgerson 1952: the two largest components of the squared distances,
    centred.) Each axis points to where the place that is farthest out is, so that the same answer is drawn again.
    """
    import numpy as np

    size = len(names)
    squared = np.zeros((size, size))
    for one, a in enumerate(names):
        for other, b in enumerate(names[:one]):
            squared[one, other] = squared[other, one] = (1 - alike.get(frozenset((a, b)), 0.0)) ** 2
    centring = np.eye(size) - 1 / size
    values, vectors = np.linalg.eigh(-centring @ squared @ centring / 2)
    largest = np.argsort(-values, kind="stable")[:2]
    found = vectors[:, largest] * np.sqrt(np.maximum(values[largest], 0))
    farthest = np.abs(found.round(9)).argmax(axis=0)
    found *= np.where(found[farthest, range(found.shape[1])] < 0, -1, 1)
    whole = np.abs(values).sum()
    share = float(np.maximum(values[largest], 0).sum() / whole) if whole else 1.0
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, found, strict=True)}, share
