"""Reduced spaces: made by a singular value decomposition of weights, refreshed and forgotten, each in one transaction.

The decomposition is the only step outside of SQL: what goes in comes from a SELECT, and what comes out are arrays in
tables, which SQL asks alone.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Unpack

from aptdb.core.errors import IncompleteDataWarning, QuestionError, warn
from aptdb.core.one_line import name_first
from aptdb.core.parameters import declared, find_plain_type, read_as_declared
from aptdb.core.result import Result
from aptdb.core.vector_parameters import DIMENSIONS, Reducing
from aptdb.questions.matrices import Follow, followed
from aptdb.store import schema
from aptdb.store.database import Database
from aptdb.store.derived import SHOWN, SPACE
from aptdb.store.limits import LEAST_OF_DUCKDB
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, statement

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix

    Array = np.ndarray[Any, Any]

ORDER = 2
FEWEST = 4  # lexemes, and features, of a space
SHARE = 0.5  # of the memory for the decomposition
BYTES_OF_WEIGHT = 48  # of memory, while it is read and decomposed
BYTES_OF_VALUE = 24  # of memory, of a dimension of a feature
MOST_VECTORS = 5  # times the dimensions: those that PROPACK may hold
AT_ONCE = 1_000_000  # numbers that are stored in one statement
LARGEST = 32_767  # of the whole numbers that stand for projections
NO_DIMENSION = 1e-6  # of the largest singular value: what is smaller is rounding
NOTHING = 1e-9  # of the largest projection: that of a feature which no dimension has
SMALL = 1_000_000  # tokens: the spaces of smaller lexicons are a rough guide
PARTS = {"min_frequency": (50_000, 5, 100), "min_feature_count": (100_000, 3, 50)}  # one per N tokens, least, most


@dataclass(frozen=True)
class Plan:
    """What is reduced: all parameters, the number of lexemes, and the least frequency of those that get a vector."""

    dimensions: int
    power: float
    shift: float
    order: int
    min_frequency: int
    min_feature_count: int
    pos: list[str]
    window: int
    window_share: float
    seed: int
    lexemes: int
    least_frequency: int


@dataclass(frozen=True)
class Half:
    """Features that are decomposed together, along paths or near by: their weights, and their projections."""

    is_near: bool
    weights: "csr_matrix"
    projection: "Array"


def reduce(session: Session, name: str, *, progress: Follow = lambda *_: None, **parameters: Unpack[Reducing]) -> None:
    """Make a reduced space and store it under a name, which questions then take as `space`.

    Decomposes the ppmi weights of frequent content words; with a window, also how often they stand near each other, so
    that each vector has two halves. Lexemes that occur less often, and phrases, are projected into the space. A space
    of the same name is replaced. progress: called as progress(done, total) in weights, with an estimate. Raises
    QuestionError.
    """
    with session.writing() as database:
        store_space(database, session.settings.order, name, dict(parameters), progress)
        schema.renew(database)


def spaces(session: Session) -> Result:
    """Return the reduced spaces: a row for each, with how it was made, its state and its sizes."""
    return session.ask("FROM spaces")


def refresh_spaces(session: Session, name: str | None = None, *, progress: Follow = lambda *_: None) -> list[str]:
    """Make stale spaces again, all, or the named one anyhow; return their names. progress: as of `reduce`, of each.

    Raises QuestionError for those that cannot be, once the others are.
    """

    def reduce_again(database: Database, names: Sequence[str]) -> Sequence[str]:
        for each in names:
            store_space(database, session.settings.order, each, read_space_parameters(database, each), progress)
        return names

    return SPACE.refresh(session, reduce_again, name)


def store_space(
    database: Database, order: int, name: str, given: Mapping[str, Any], progress: Follow = lambda *_: None
) -> None:
    """Make a space, in place of one of the same name. order: that of the lexicon. Raises QuestionError."""
    SPACE.check_name(name)
    check_values(given)
    database.leave_memory(SHARE)
    plan = plan_reduction(database, order, given)
    halves = decompose_halves(database, plan, progress)
    own = SPACE.make_room(database, name)
    for half in halves:
        keep_features(database, own, half)
    keep_vectors(database, own, plan, halves)
    features, vectors = database.rows(statement("questions/spaces/sizes", id=own))[0]
    made = {
        "dimensions": sum(half.projection.shape[1] for half in halves),
        "tree_dimensions": halves[0].projection.shape[1],
        "shift": plan.shift,
        "power": plan.power,
        "max_order": plan.order,
        "min_frequency": plan.min_frequency,
        "min_feature_count": plan.min_feature_count,
        "pos": ",".join(plan.pos),
        "window": plan.window,
        "window_share": plan.window_share if plan.window else 0,
        "seed": plan.seed,
        "lexemes": plan.lexemes,
        "features": features,
        "vectors": vectors,
        "least_frequency": plan.least_frequency,
    }
    SPACE.record(database, own, name, asked=given, made=made)


def plan_reduction(database: Database, order: int, given: Mapping[str, Any]) -> Plan:
    """Return what is reduced, with defaults that suit the size of the lexicon. Raise QuestionError if it is nothing."""
    known, tokens = declared(Reducing), int(database.value(statement("store/number_of_tokens")))
    chosen: dict[str, Any] = {name: given.get(name, each.default) for name, each in known.items()}
    for name, (share, least, most) in PARTS.items():
        chosen[name] = chosen[name] or max(least, min(most, tokens // share))
    chosen["order"] = min(ORDER, order) if chosen["order"] is None else chosen["order"]
    if chosen["window"] and not can_have_window(database, is_asked="window" in given):
        chosen["window"] = 0
    if not chosen["window"] and "window_share" in given:
        raise QuestionError(f"window_share is {given['window_share']}, but there is no window; give window, e.g. 5")
    if chosen["order"] > order:
        raise QuestionError(f"order is {chosen['order']}, but this lexicon counts paths of up to {order} steps")
    chosen["pos"] = tags_of(database, str(chosen["pos"]), "pos" in given)
    fewest = chosen["min_frequency"]
    lexemes, least = database.rows(statement("questions/spaces/frequent", pos=chosen["pos"], min_frequency=fewest))[0]
    if lexemes < FEWEST:
        raise QuestionError(
            f"{lexemes} lexemes of {', '.join(chosen['pos'])} occur {fewest} times or more, too few for a space; "
            "lower min_frequency, or add more text"
        )
    chosen["dimensions"] = chosen["dimensions"] or max(2, min(DIMENSIONS, lexemes // 4))
    if tokens < SMALL:
        warn(
            f"with {tokens:,} tokens a space is a rough guide: lexemes from {fewest} tokens and features from "
            f"{chosen['min_feature_count']} counts on, in {chosen['dimensions']} dimensions",
            IncompleteDataWarning,
        )
    return Plan(**chosen, lexemes=int(lexemes), least_frequency=int(least))


def tags_of(database: Database, text: str, is_given: bool) -> list[str]:
    """Return the parts of speech in a text. Raise QuestionError for one that the lexicon lacks, if they were given."""
    tags = list(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))
    unknown = {tag for (tag,) in database.rows(statement("questions/spaces/unknown_pos", pos=tags))} if tags else set()
    known = [tag for tag in tags if tag not in unknown]
    if not known or (is_given and unknown):
        there = [str(tag) for (tag,) in database.rows("SELECT DISTINCT pos FROM lexemes WHERE pos IS NOT NULL")]
        raise QuestionError(
            f"no lexeme is {', '.join(sorted(unknown)) or text!r}; expected parts of speech of this lexicon: "
            f"{', '.join(sorted(there)) or 'it has none'}"
        )
    return known


def can_have_window(database: Database, is_asked: bool) -> bool:
    """Return whether words stand near each other, as they do not in corpora that were added as counts. Warn of these.

    is_asked: whether a window is asked for; then QuestionError is raised if all were.
    """
    kinds = database.rows("SELECT corpus, kind FROM corpora")
    without = [str(corpus) for corpus, kind in kinds if kind == "counts"]
    if not without or len(without) < len(kinds):
        for corpus in without:
            text = f"{corpus} was added as counts, without sentences; the window has nothing of it"
            warn(text, IncompleteDataWarning)
        return True
    none = "this lexicon has only counts, without sentences, so a space of it has no window"
    if is_asked:
        raise QuestionError(none)
    warn(none, IncompleteDataWarning)
    return False


def decompose_halves(database: Database, plan: Plan, progress: Follow) -> list[Half]:
    """Return what is decomposed: features along paths and, with a window, words near by. Raise QuestionError."""
    which = {"pos": plan.pos, "min_feature_count": plan.min_feature_count, "max_order": plan.order}
    database.run(statement("questions/spaces/feature", **which))
    database.run(statement("questions/spaces/lexeme", pos=plan.pos, least_frequency=plan.least_frequency))
    if plan.window:
        database.run(statement("questions/spaces/near_feature", lexemes=plan.lexemes))
        database.run(statement("questions/spaces/near", tokens=plan.window))
    kinds, halves = ((False, True) if plan.window else (False,)), list[Half]()
    for number, is_near in enumerate(kinds):

        def report(done: int, total: int, before: int = number) -> None:
            progress(before * total + done, len(kinds) * total)

        weights = read_weights(database, plan, is_near, 0, plan.lexemes)
        leave_room(database, plan, [*(half.weights for half in halves), weights])
        check_dimensions(plan, weights)
        halves.append(Half(is_near, weights, projection_of(weights, plan, is_near, report)))
    return halves


def check_dimensions(plan: Plan, weights: "csr_matrix") -> None:
    """Raise QuestionError if weights have too few dimensions, or are none."""
    most = min(weights.shape) - 1
    if plan.dimensions > most:
        raise QuestionError(
            f"dimensions is {plan.dimensions}; {weights.shape[0]:,} lexemes and {weights.shape[1]:,} features allow at "
            f"most {max(most, 0)}"
        )
    if not weights.nnz:
        raise QuestionError("no weight is left to reduce; lower min_frequency or min_feature_count, or widen window")


def read_weights(database: Database, plan: Plan, is_near: bool, first: int, last: int) -> "csr_matrix":
    """Return the weights of a range of lexemes, of shape (lexemes, features)."""
    import numpy as np
    from scipy.sparse import csr_matrix

    of_trees = {} if is_near else {"shift": plan.shift}
    query = "questions/spaces/near_weights" if is_near else "questions/spaces/weights"
    read = database.arrays(statement(query, **of_trees, first=first, last=last))
    lexemes, features, values = (np.asarray(read.pop(name)) for name in ("lexeme", "feature", "weight"))
    features_of = statement("questions/spaces/number_of_features", features=name_features(is_near))
    number_of_features = int(database.value(features_of))
    ends = np.searchsorted(lexemes, np.arange(first, last + 1))
    return csr_matrix((values, features, ends), shape=(last - first, number_of_features))


def name_features(is_near: bool) -> SqlText:
    """Return the name of the table that has the features of a half by their numbers."""
    return SqlText("reduced_near_feature" if is_near else "reduced_feature")


def leave_room(database: Database, plan: Plan, halves: "Sequence[csr_matrix]") -> None:
    """Leave memory for the decomposition. Raise QuestionError if it would not fit."""
    found, sizes = sum(half.nnz for half in halves), sum(sum(half.shape) for half in halves)
    if plan.window:  # PROPACK's vectors, of 8 bytes
        sizes += 2 * plan.lexemes * MOST_VECTORS * 8 // BYTES_OF_VALUE
    needed = LEAST_OF_DUCKDB + found * BYTES_OF_WEIGHT + sizes * plan.dimensions * BYTES_OF_VALUE
    if needed > database.limits.memory:
        raise QuestionError(
            f"{found:,} weights in {plan.dimensions} dimensions need about {needed / 1e9:.1f} GB of memory; "
            f"raise the limit with APTDB_MEMORY, or min_frequency ({plan.min_frequency}) or min_feature_count "
            f"({plan.min_feature_count})"
        )
    database.leave_memory(max(SHARE, needed / database.limits.memory))


def projection_of(weights: "csr_matrix", plan: Plan, is_near: bool, progress: Follow = lambda *_: None) -> "Array":
    """Return what a unit of each feature adds to each dimension: V·Σ to the power p − 1, of lexemes of length 1.

    Dimensions come by their singular values, the largest first. Each has the sign that makes its largest value
    positive, so that the same seed gives the same space.
    """
    import numpy as np
    from scipy.sparse import diags

    sizes = np.sqrt(np.asarray(weights.multiply(weights).sum(axis=1)).ravel())
    rows = (diags(np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 0)) @ weights).tocsr()
    decompose = decompose_in_one_run if is_near else decompose_in_little_memory
    values, features = decompose(rows, plan, progress)
    order = np.argsort(-values, kind="stable")
    kept = order[values[order] > NO_DIMENSION * values.max()]
    values, found = values[kept], features[kept].T
    signs = np.sign(found[np.abs(found).argmax(axis=0), np.arange(len(kept))])
    projection: Array = found * (signs * values ** (plan.power - 1))
    largest = np.abs(projection).max(axis=1, keepdims=True)
    return np.where(largest > NOTHING * largest.max(), projection, 0)


def decompose_in_little_memory(rows: "csr_matrix", plan: Plan, progress: Follow) -> "tuple[Array, Array]":
    """Return singular values and vectors of features, by ARPACK, which holds few vectors and begins again."""
    import numpy as np
    from scipy.sparse.linalg import ArpackError, svds

    begin = np.random.default_rng(plan.seed).standard_normal(min(rows.shape))
    try:
        operator = followed(rows, plan.dimensions, progress)
        _, values, features = svds(operator, plan.dimensions, v0=begin, return_singular_vectors="vh")  # type: ignore[arg-type]
    except ArpackError as error:
        raise QuestionError(f"the reduction to {plan.dimensions} dimensions failed: {error}; try fewer") from error
    return values, features


def decompose_in_one_run(rows: "csr_matrix", plan: Plan, progress: Follow) -> "tuple[Array, Array]":
    """Return the same by PROPACK, which holds the vectors of all steps: four times as fast, where lexemes are few.

    In little memory where the dimensions are not much fewer than the lexemes, where it does not converge (LinAlgError),
    and where scipy, as releases near 1.12, has it only on request (ValueError).
    """
    import numpy as np
    from scipy.sparse.linalg import svds

    most = MOST_VECTORS * plan.dimensions
    if most < min(rows.shape):
        begin = np.random.default_rng(plan.seed).standard_normal(rows.shape[0])
        operator = followed(rows, plan.dimensions, progress)
        with suppress(np.linalg.LinAlgError, ValueError):
            _, values, features = svds(operator, plan.dimensions, v0=begin, maxiter=most, solver="propack")
            return values, features
    return decompose_in_little_memory(rows, plan, progress)


def keep_features(database: Database, own: int, half: Half) -> None:
    """Store the projections of all features of a half, as whole numbers with a scale for each."""
    import numpy as np

    projection, features = half.projection, name_features(half.is_near)
    scales = np.abs(projection).max(axis=1) / LARGEST
    dimensions = projection.shape[1]
    step = max(1, AT_ONCE // dimensions)
    for first in range(0, len(scales), step):
        scale = scales[first : first + step]
        whole = projection[first : first + step] / np.where(scale > 0, scale, 1)[:, None]
        columns = {"value": np.rint(whole).astype(np.int16).ravel(), "scale": np.repeat(scale, dimensions)}
        bring_numbers(database, columns)
        which = {"id": own, "features": features, "first": first, "dimensions": dimensions}
        database.run(statement("questions/spaces/keep_features", **which))


def keep_vectors(database: Database, own: int, plan: Plan, halves: Sequence[Half]) -> None:
    """Store the vectors of lexemes: those that were decomposed, and less frequent ones, which are projected.

    Each is of length 1, or 0 where there is no weight.
    """
    import numpy as np

    dimensions = sum(half.projection.shape[1] for half in halves)
    lexemes = int(database.value("SELECT count(*) FROM reduced_lexeme"))
    step = max(1, AT_ONCE // dimensions)
    for first in range(0, lexemes, step):
        last = min(first + step, lexemes)
        found = []
        for half in halves:
            is_read = last <= plan.lexemes
            read = half.weights[first:last] if is_read else read_weights(database, plan, half.is_near, first, last)
            found.append(scale_to_length_one(np.asarray(read @ half.projection)))
        vectors = found[0] if len(found) == 1 else join_halves(found, plan.window_share)
        bring_numbers(database, {"value": vectors.astype(np.float32).ravel()})
        database.run(statement("questions/spaces/keep_vectors", id=own, first=first, dimensions=dimensions))


def scale_to_length_one(vectors: "Array") -> "Array":
    """Return vectors, each divided by its length; 0 where there is nothing."""
    import numpy as np

    sizes = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    found: Array = np.divide(vectors, sizes, out=np.zeros_like(vectors), where=sizes > 0)
    return found


def join_halves(halves: "Sequence[Array]", share: float) -> "Array":
    """Return vectors of two halves, each of length 1 or nothing: a similarity has `share` of the second."""
    import numpy as np

    along_paths, near = halves
    return scale_to_length_one(np.hstack([np.sqrt(1 - share) * along_paths, np.sqrt(share) * near]))


def bring_numbers(database: Database, columns: "Mapping[str, Array]") -> None:
    """Make numbers readable as the relation `brought`, each with its place."""
    import numpy as np

    database.bring("brought", {"place": np.arange(len(columns["value"]), dtype=np.int64), **columns})


def check_values(given: Mapping[str, Any]) -> None:
    """Raise QuestionError for a parameter that `reduce` does not take, or a value that it cannot have."""
    known = declared(Reducing)
    for name, value in given.items():
        if name not in known:
            raise QuestionError(f"reduce takes no {name}; it takes {', '.join(known)}")
        if find_plain_type(Reducing, name) is not str:
            check_number(Reducing, name, value)
        elif not isinstance(value, str):
            raise QuestionError(f"{name} is {value!r}; expected parts of speech with commas, e.g. NOUN,VERB")


def check_number(dictionary: type, name: str, value: object) -> None:
    """Raise QuestionError if a value is not a number that the parameter of a dictionary can have."""
    each, kind = declared(dictionary)[name], find_plain_type(dictionary, name)
    least, most = (-inf if each.least is None else each.least), (inf if each.most is None else each.most)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not least <= value <= most or (kind is int and value != int(value)):  # type: ignore[operator, call-overload]
        raise QuestionError(f"{name} is {value!r}; expected {each.expected}")


def known_space(database: Database, name: str | None) -> str:
    """Return the name of a space: the given one, or the only one there is. Raise QuestionError if that is none."""
    if name is not None:
        return SPACE.get(database, name).name
    names = SPACE.names(database)
    if len(names) != 1:
        raise QuestionError(
            f"there are several spaces; name one: space := NAME, of {name_first(names, SHOWN)}"
            if names
            else "occurrences are compared in a reduced space, and none is stored; make one by: aptdb reduce"
        )
    return names[0]


def read_space_parameters(database: Database, name: str) -> dict[str, Any]:
    """Return the parameters that a space was made with. Raise LexiconError if they cannot be.

    One that was made without a window stays so: until 1.0 that was the default.
    """
    space = SPACE.get(database, name)
    try:
        given = {key: read_as_declared(Reducing, key, value) for key, value in space.asked.items()}
        if not int(space.made.get("window", "0")):
            given["window"] = 0
        check_values(given)
    except (QuestionError, ValueError) as error:
        raise schema.changed_by_others(database, f"the parameters of its space {name} cannot be read") from error
    return given
