"""Weightings that have a name: recorded, kept, refreshed and forgotten, each within the caller's transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Unpack

from aptdb.core.composition import Composing, Composition, Recorded
from aptdb.core.errors import QuestionError, UnknownNameError
from aptdb.core.parameters import declared, find_plain_type, read_as_declared
from aptdb.core.question_parameters import NEAR
from aptdb.core.result import Result
from aptdb.core.schemes import DEFAULT_WEIGHTS, OfWeighting
from aptdb.core.vector_parameters import Phi
from aptdb.store import schema
from aptdb.store.compaction import slices
from aptdb.store.database import Database
from aptdb.store.derived import COMPUTED, KEPT, SUBCORPUS, WEIGHTING
from aptdb.store.session import Session
from aptdb.store.statements import literal, statement

BYTES_OF_WEIGHT = 100  # of memory, while it is computed and sorted
LARGEST_ID = 2**31 - 1
PARAMETERS = tuple(declared(OfWeighting))  # in the order in which macros have them
BESIDE = ("measure", *declared(Composing))  # what else is recorded: how vectors are compared, and words composed
WHOLE = {name for name in PARAMETERS if find_plain_type(OfWeighting, name) is int}
DECIMAL = {name for name in declared(Recorded) if find_plain_type(Recorded, name) is float}


@dataclass(frozen=True)
class Definition:
    """A weighting: its name, scheme, phi, and those of its parameters that are not left at their defaults."""

    name: str
    scheme: str
    phi: str
    parameters: Mapping[str, Any]

    def __post_init__(self) -> None:
        object.__setattr__(self, "scheme", self.scheme.lower())
        for name, value in self.parameters.items():
            if name not in (*PARAMETERS, *BESIDE):
                taken = ", ".join((*PARAMETERS, *BESIDE))
                raise QuestionError(f"a weighting takes no {name}; it takes scheme, phi, {taken}")
            if name in WHOLE and value is not None and (isinstance(value, bool) or not isinstance(value, int)):
                raise QuestionError(f"{name} is {value!r}; expected a whole number")

    def values(self) -> dict[str, Any]:
        """Its definition by the columns of its table."""
        given = {name: self.parameters.get(name) for name in (*PARAMETERS, *BESIDE)}
        return round_as_stored({"name": self.name, "scheme": self.scheme, "phi": self.phi, **given})


def weigh(
    session: Session,
    name: str,
    *,
    scheme: str | None = None,
    phi: Phi | None = None,
    keep: bool = False,
    **parameters: Unpack[Recorded],
) -> None:
    """Record a weighting under a name, which then serves wherever weights are asked for, and in SQL as a view.

    scheme and phi are ppmi and constant by default. The measure, and how words are composed (merge, smooth, …), hold in
    each question with these weights that does not say otherwise. keep: compute its weights now and keep them, which
    makes questions fast; of a weighting that is recorded already, its name is enough. Raises QuestionError where the
    name is taken or the definition cannot be.
    """
    wanted = Definition(name, scheme or DEFAULT_WEIGHTS, phi or "constant", parameters)
    nothing_more = scheme is None and phi is None and not parameters
    with session.writing() as database:
        if keep and nothing_more and definition(database, name):
            keep_recorded(database, name)
        else:
            record_weighting(database, wanted, keep=keep)


def refresh_weightings(session: Session, name: str | None = None) -> list[str]:
    """Compute stale weights again, all or those of the named weighting; return the names of the weightings.

    Raises QuestionError for those that cannot be, once the others are.
    """
    return WEIGHTING.refresh(session, keep_anew, name)


def weightings(session: Session) -> Result:
    """Return the weightings that have a name: a row for each, with its parameters, its state, and the weights kept."""
    return session.ask("FROM weightings")


def forget_weightings(database: Database, names: Sequence[str]) -> None:
    """Delete weightings, the weights that are kept of them, and their views."""
    for each in names:
        taken = WEIGHTING.forget(database, each)
        database.run(f'DROP VIEW IF EXISTS "{taken}"')


def record_weighting(database: Database, wanted: Definition, *, keep: bool) -> None:
    """Record a weighting, and keep its weights if requested. An existing equal one is not changed.

    Raises QuestionError for a name that is taken, or a definition that cannot be.
    """
    WEIGHTING.check_name(wanted.name)
    check_definition(database, wanted)
    found = definition(database, wanted.name)
    if found is None:
        if holder := database.value(statement("questions/weightings/clash"), {"name": wanted.name}):
            raise QuestionError(f"{wanted.name} is {holder}; choose another name for the weighting")
        put_weighting(database, WEIGHTING.make_room(database, wanted.name), wanted.values())
    elif found != round_as_stored(wanted.values()):
        raise QuestionError(
            f"{wanted.name} is recorded already, with other parameters: {show_definition(found)}; choose another name, "
            f"or delete it first: aptdb forget LEXICON {wanted.name}"
        )
    if keep:
        keep_recorded(database, wanted.name)


def put_weighting(database: Database, own: int, wanted: Mapping[str, Any], *, weights: int | None = None) -> None:
    """Record a weighting, and how many weights are kept of it, in the room that was made for it."""
    asked = {key: value for key, value in wanted.items() if key != "name"}
    made_of = [SUBCORPUS.called(wanted["subcorpus"])] if wanted["subcorpus"] else []
    made, state = {"weights": weights or 0}, COMPUTED if weights is None else KEPT
    WEIGHTING.record(database, own, wanted["name"], asked=asked, made=made, made_of=made_of, state=state)
    schema.renew(database)


def keep_recorded(database: Database, name: str) -> None:
    """Keep the weights of a weighting that is recorded, unless they are kept and of today."""
    if WEIGHTING.get(database, name).state != KEPT:
        keep_weights(database, name)


def keep_anew(database: Database, names: Sequence[str]) -> Sequence[str]:
    """Keep the weights of weightings anew; return their names.

    Hardly a weight outlives an addition: most are compared with the total of their path, which any sentence changes. So
    a weighting is weighed again as a whole, and its rows lie in the order that ranking needs.
    """
    for name in names:
        if WEIGHTING.get(database, name).state == COMPUTED:
            raise QuestionError(f"{name} has no stored weights, so none are stale; aptdb weigh --keep stores them")
        keep_weights(database, name)
    return names


def name_known_weights(database: Database, weights: str, error: QuestionError) -> QuestionError:
    """Return an error of DuckDB about a relation of weights, as one that says what weights there are; else the same."""
    if not isinstance(error, UnknownNameError):
        return error
    known = [row[0] for row in database.rows(statement("questions/known_weights"))]
    if weights.lower() in known:
        return error
    near = get_close_matches(weights.lower(), known, 1, NEAR)
    why = f"; did you mean {near[0]}?" if near else "" if str(error).startswith("weights is ") else f" ({error})"
    return QuestionError(
        f"weights is {weights!r}; expected {', '.join(known)}, or a view or table of yours with the columns lexeme, "
        f"path, context and weight{why}"
    )


def subcorpus_of_weighting(database: Database, parameters: Mapping[str, Any]) -> str | None:
    """Return the subcorpus that these parameters ask of: that of the weighting, or the one that is given."""
    found = definition(database, str(parameters.get("weights")).lower()) or {}
    return found.get("subcorpus") or parameters.get("subcorpus")


def recorded_beside(database: Database, weights: object) -> dict[str, Any]:
    """Return the measure and the composition that a weighting records, by name; {} where weights is no weighting."""
    found = definition(database, str(weights).lower()) or {}
    return {name: found[name] for name in BESIDE if found.get(name) is not None}


def check_definition(database: Database, wanted: Definition) -> None:
    """Raise QuestionError for a scheme that is none, and for parameters that it does not take, or not so."""
    if not database.value(f"SELECT _store.is_scheme({literal(wanted.scheme)})"):
        schemes = database.value("SELECT array_to_string(_store.schemes(), ', ')")
        raise QuestionError(f"scheme is {wanted.scheme!r}; expected {schemes}")
    given = literal({name: wanted.parameters.get(name) is not None for name in PARAMETERS})
    arguments = ", ".join(literal(wanted.parameters.get(name)) for name in PARAMETERS)
    usual = {name: each.unset if each.default is None else each.default for name, each in declared(Composition).items()}
    recorded = {name: value for name, value in wanted.parameters.items() if name in usual and value is not None}
    composed = ", ".join(literal(value) for value in {**usual, **recorded}.values())
    checks = (
        f"_store.check_given({literal(wanted.scheme)}, {given})",
        f"_store.check_options({literal(wanted.scheme)}, {arguments})",
        f"_store.check_phi({literal(wanted.phi)}, '')",
        f"_store.check_measure(_store.measure({literal(wanted.parameters.get('measure'))}, ''))",
        f"_store.check_composition({literal(wanted.scheme)}, {composed}, NULL, NULL, {arguments})",
    )
    for check in checks:
        database.value(f"SELECT {check}")


def definition(database: Database, name: str) -> dict[str, Any] | None:
    """Return what is recorded under a name; None where nothing is."""
    found = WEIGHTING.find(database, name)
    if found is None:
        return None
    try:
        texts = {key: found.asked.get(key) for key in ("scheme", "phi", *PARAMETERS, *BESIDE)}
        asked = {key: None if text is None else read_as_declared(Recorded, key, text) for key, text in texts.items()}
    except ValueError as error:
        raise schema.changed_by_others(database, f"a parameter of its weighting {name} is wrong") from error
    return {"name": name, **asked}


def round_as_stored(values: dict[str, Any]) -> dict[str, Any]:
    """Return a definition with numbers as the table gives them back."""
    return {key: float(value) if key in DECIMAL and value is not None else value for key, value in values.items()}


def show_definition(values: dict[str, Any]) -> str:
    """Return a definition as its parameters are written."""
    given = {key: value for key, value in values.items() if key != "name" and value is not None}
    return ", ".join(f"{key} := {literal(value)}" for key, value in given.items())


def keep_weights(database: Database, name: str) -> None:
    """Weigh all that a weighting weighs, and keep it with what ranking needs."""
    own = WEIGHTING.get(database, name).id
    wanted = definition(database, name) or {}
    asked = f"{literal(wanted['counts'])}, {literal(wanted['subcorpus'])}"
    database.value(f"SELECT _store.check_counts({asked})")
    WEIGHTING.delete_rows(database, own)
    defined = {"id": own, "name": name, "scheme": wanted["scheme"]}
    for first, last in slice_contexts(database, wanted):
        database.run(statement("questions/weightings/keep_weights", **defined, first=first, last=last))
    sized = {each: wanted[each] for each in ("phi", "subcorpus", "counts")}
    database.run(statement("questions/weightings/keep_sizes", id=own, **sized))
    weights = database.value("SELECT count(*) FROM _store.kept_weight WHERE weighting_id = $id", {"id": own})
    put_weighting(database, own, wanted, weights=int(weights))


def slice_contexts(database: Database, wanted: Mapping[str, Any]) -> Sequence[tuple[int, int]]:
    """Return the contexts whose weights are computed and sorted at once, from the first to the last.

    Where only the heaviest of a lexeme are kept, all contexts of it have to be weighed at once.
    """
    if wanted["top_features"] is not None or wanted["top_features_per_path"] is not None:
        return [(0, LARGEST_ID)]
    return slices(database, BYTES_OF_WEIGHT)
