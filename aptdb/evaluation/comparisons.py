"""Compare settings honestly: chosen on some items and reported on others, with intervals of paired differences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.evaluation.datasets import WITH_LANDMARK, DataSet, Item
from aptdb.evaluation.scoring import AVERAGE, WHOLE, Measured, difference

HALF = "half"
BEST, FIRST = "best", "first"
DIFFERENCES = {"difference": "DOUBLE", "difference_low": "DOUBLE", "difference_high": "DOUBLE"}
CHOSEN = {"choosing_rho": "DOUBLE", "tried": "BIGINT"}


@dataclass(frozen=True)
class Setting:
    """A setting that was tried, with what was measured by part (a text says why nothing was), and ρ where to choose."""

    chosen: Mapping[str, Any]
    measured: Mapping[str, Measured] | str
    choosing: float | None = None

    def rho(self, part: str) -> float | None:
        """Return ρ on a part, if it is defined."""
        return None if isinstance(self.measured, str) else self.measured[part].correlation.rho


def overall(parts: Sequence[str]) -> str:
    """Return the part by which settings are chosen: the average of parts where there is one, else all items."""
    return AVERAGE if AVERAGE in parts else WHOLE if WHOLE in parts else parts[0]


def halves(data: DataSet, seed: int) -> tuple[DataSet, DataSet]:
    """Return two random halves of a data set, each with half of every part: one to choose on, and the rest.

    Landmarks of the same verb in context stay together. Raises QuestionError where a half would be empty.
    """
    import numpy as np

    chance = np.random.default_rng(seed)
    chosen: set[tuple[str, str]] = set()
    for part in data.parts():
        groups = list(dict.fromkeys(group_of(data, item) for item in data.items if item.part == part))
        order = chance.permutation(len(groups))
        chosen |= {groups[at] for at in order[: len(groups) // 2]}
    split = tuple(
        replace(data, items=tuple(each for each in data.items if (group_of(data, each) in chosen) == wanted), sha256="")
        for wanted in (True, False)
    )
    if not all(half.items for half in split):
        raise QuestionError(f"{data.name} has too few items to choose on half of them; leave out choose_on")
    return split[0], split[1]


def group_of(data: DataSet, item: Item) -> tuple[str, str]:
    """Return what tells an item apart where a data set is cut: with landmarks, their verb in context."""
    return item.part, str(item.a) if data.format in WITH_LANDMARK else f"{item.a} – {item.b}"


def refuse_against(against: object, number: int) -> None:
    """Raise QuestionError if no setting is called so. number: how many settings there are."""
    if against in {BEST, FIRST} or against is None:
        return
    if isinstance(against, bool) or not isinstance(against, int) or not 1 <= against <= number:
        raise QuestionError(
            f"against is {against!r}; expected {BEST}, {FIRST}, or the number of a setting, 1 to {number}"
        )


def find_best_setting(tried: Sequence[Setting], part: str, *, by_choosing: bool) -> int | None:
    """Return the place of the setting with the highest ρ, the first of several; None if all are undefined."""
    rhos = [each.choosing if by_choosing else each.rho(part) for each in tried]
    defined = [at for at, rho in enumerate(rhos) if rho is not None]
    return max(defined, key=lambda at: (rhos[at] or 0.0, -at)) if defined else None


def compare_settings(
    tried: Sequence[Setting], part: str, against: str | int | None, *, by_choosing: bool
) -> list[dict[str, Any]]:
    """Return the columns of a comparison for each setting, on one part.

    best: the highest ρ, or with by_choosing the setting that was chosen elsewhere. difference and its interval: from
    the setting `against`, or the best.
    """
    best = find_best_setting(tried, part, by_choosing=by_choosing)
    place = {BEST: best, None: best, FIRST: 0}.get(against) if not isinstance(against, int) else against - 1
    base = None if place is None else tried[place].measured
    rows = []
    for at, each in enumerate(tried):
        row: dict[str, Any] = {**dict.fromkeys(DIFFERENCES), "best": at == best}
        if not isinstance(each.measured, str) and base is not None and not isinstance(base, str):
            found = difference(each.measured[part], base[part])
            row |= dict(zip(DIFFERENCES, (found.value, found.low, found.high), strict=True))
        if by_choosing:
            row |= {"choosing_rho": each.choosing, "tried": len(tried)}
        rows.append(row)
    return rows


def mean_of(rhos: Sequence[float | None]) -> float | None:
    """Return the mean of ρ on several data sets; None if one is undefined."""
    defined = [rho for rho in rhos if rho is not None]
    return sum(defined) / len(defined) if defined and len(defined) == len(rhos) else None
