"""What smoothed counts are compared with, said where it was left unsaid.

Where cds is below 1 the default of cds_total was power_of_sum, and is sum_of_powers from now on. What was stored before
keeps its meaning: weightings, entries and evaluations that left it unsaid say power_of_sum. What an evaluation did with
items that lack a word is called as it is today.
"""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

OF_PMI = ("pmi", "ppmi", "lmi")
CDS = re.compile(r"\bcds := ([0-9.e+-]+)(, cds_total := '?\w+'?)?")
MISSING = re.compile(r"\bmissing := '(there|skip)'")
WAYS = {"there": "skip_unknown", "skip": "skip_item"}

weighting = sa.table("weighting", *map(sa.column, ("scheme", "cds", "cds_total")), schema="_store")
entry = sa.table("entry", *map(sa.column, ("id", "weighing", "question")), schema="_store")
evaluation = sa.table("evaluation", *map(sa.column, ("id", "weights", "parameters", "question")), schema="_store")


def upgrade() -> None:
    unsaid = weighting.c.cds_total.is_(None) & (weighting.c.cds < 1) & weighting.c.scheme.in_(OF_PMI)
    op.execute(sa.update(weighting).where(unsaid).values(cds_total="power_of_sum"))
    each_row(entry, {"weighing": weighing, "question": composed})
    each_row(evaluation, {"parameters": shown_of_evaluation, "question": evaluated})


def downgrade() -> None:
    """Nothing: an older version understands what is said."""


def each_row(table: sa.TableClause, changes: dict[str, Callable[[str], str]]) -> None:
    """Change columns of each row."""
    connection = op.get_bind()
    for row in connection.execute(sa.select(table)).mappings().all():
        values = {name: change(row[name]) for name, change in changes.items()}
        connection.execute(sa.update(table).where(table.c.id == row["id"]).values(**values))


def weighing(text: str) -> str:
    """A weighting as text, which leaves out what is the default today."""
    said = partial(with_total, unsaid=", cds_total := power_of_sum", default_left_out=True)
    return CDS.sub(said, text) if text.split(",", maxsplit=1)[0] in OF_PMI else text


def with_total(found: re.Match[str], *, unsaid: str, default_left_out: bool = False) -> str:
    """cds, and after it the total; unsaid: the text of a total that was left unsaid."""
    cds, total = f"cds := {found[1]}", found[2]
    if float(found[1]) >= 1:
        return found[0]
    if total is None:
        return cds + unsaid
    return cds if default_left_out and "sum_of_powers" in total else cds + total


def shown_of_evaluation(text: str) -> str:
    """The parameters of an evaluation as SQL writes them."""
    told = CDS.sub(partial(with_total, unsaid=", cds_total := 'power_of_sum'"), text)
    return MISSING.sub(lambda found: f"missing := '{WAYS[found[1]]}'", told)


def composed(question: str) -> str:
    """What an entry is composed of, as JSON."""
    asked = json.loads(question)
    return json.dumps({**asked, "parameters": said(asked["parameters"])})


def evaluated(question: str) -> str:
    """What an evaluation was made with, as JSON that leaves defaults out, with its keys in order."""
    asked = said(json.loads(question))
    if asked.get("cds_total") == "sum_of_powers":
        del asked["cds_total"]
    return json.dumps(asked, sort_keys=True)


def said(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters with a total where cds is below 1."""
    if float(parameters.get("cds") or 1) >= 1:
        return parameters
    return {**parameters, "cds_total": parameters.get("cds_total") or "power_of_sum"}
