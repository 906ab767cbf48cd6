"""SQL that follows from the declarations of parameters: lists, accessors, checks, and display of values."""

from collections.abc import Collection, Iterable
from functools import cache

from aptdb.core.composition import SMOOTH, Composing, Composition, Recorded
from aptdb.core.count_parameters import Keyness, Lexemes, Sketching
from aptdb.core.parameters import Parameter, declared, find_plain_type, list_allowed_values
from aptdb.core.question_parameters import (
    QUESTIONS,
    Breakdown,
    Collexemes,
    Compositional,
    Counting,
    Evidence,
    Frames,
    OfNeighbours,
    RankingEach,
    in_sql,
)
from aptdb.core.schemes import SCHEMES, OfPmi, OfScheme, OfWeighting
from aptdb.core.vector_parameters import Measuring, PathWeighting
from aptdb.store.statements import SqlText, identifier, literal

TYPES = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR", bool: "BOOLEAN"}
OPTIONS = tuple(declared(OfWeighting))  # the parameters of a scheme, in the order in which macros have them
RECORDED = ("phi", "measure", *declared(Composing))  # what a weighting records beside them
OF_PATHS = tuple(name for name, each in declared(OfWeighting).items() if each.of_paths)
OF_WORD = ("missing", "context", "smooth", "alpha")  # the parameters of composition that a single lexeme has
# What private macros of composition take beside its parameters, names of relations or NULL: neighbours for smoothing,
# as _store.neighbours_to_share gives them, and co-occurrences of words outside a phrase (_store.met_elsewhere).
FOUND, ELSEWHERE = "found_neighbours", "met_elsewhere"
OF_CANDIDATE = ("missing", "context")  # and those that what may fill a gap has
OF_LEXEME = ("missing",)  # and those that a lexeme among several has
# What a question in a reduced space takes: a space decides all else.
IN_SPACE = {
    *("space", "missing", "aligned", "head_weight", "anchor", "anchor_b", "top", "candidates", "among"),
    *("subcorpus", "subcorpus_b", "own_occurrences"),
}
UNCHECKED = ("subcorpus", "example_weights")  # parameters of evidence with checks of their own
OR_NUMBER = ("subcorpus", "subcorpus_b", "smooth")  # text that may be given as a number, as a year
LISTS = ("relations", "leave_out", "candidates")  # which _store.as_texts checks
OF_NEIGHBOURS = {*declared(OfNeighbours)}
CHECKED_ALONE = (
    (PathWeighting, "phi"),
    (RankingEach, "among"),
    (Compositional, "own_occurrences"),
    (Breakdown, "dispersion"),
    (Sketching, "span"),
)

SUBCORPUS_B = "coalesce(subcorpus_b, subcorpus)"  # the subcorpus of the second side of a comparison
# The counts of both its sides: direct if they are known on both. (All that subcorpora know the whole may lack.)
COUNTS_OF_BOTH = (
    f"_store.shown_counts(counts, CASE WHEN _store.without_direct(subcorpus) IS NULL THEN {SUBCORPUS_B} "
    "ELSE subcorpus END)"
)


# What every public macro looks up first (sql/store/define/path_functions.sql).
IN_USE = "_store.attached_but_not_in_use_run_use_with_its_name_first_or_aptdb_migrate_exported()"


@cache
def list_placeholders() -> dict[str, SqlText]:
    """Return the placeholders that many definitions use, with their texts."""
    found = {**lists_of_parameters(), **of_weights(), **of_composition(), **checks(), "in_use": IN_USE}
    return {name: SqlText(text) for name, text in found.items()}


def lists_of_parameters() -> dict[str, str]:
    """Return the parameter lists of macros with defaults, of each question and of schemes."""
    asked = [question for question in QUESTIONS if question != "export"]
    own = {f"parameters_of_{question}": with_defaults(QUESTIONS[question], in_sql(question)) for question in asked}
    handed = {"arguments_of_similarity_each": ", ".join(f"{name} := {name}" for name in in_sql("similarity_each"))}
    given = {f"given_to_{question}": ", ".join(map(identifier, in_sql(question))) for question in asked}
    asked_in_space = {
        f"space_given_of_{question}": beside_space(question) for question in QUESTIONS if "space" in in_sql(question)
    }
    others = {name: f"_store.as_texts('{name}', {name})" for name in LISTS}
    others["scheme_parameters"] = with_defaults(OfWeighting, OPTIONS)
    return {**own, **handed, **given, **asked_in_space, **others}


def of_weights() -> dict[str, str]:
    """Return the placeholders of weights: schemes, their parameters as one value, and as text."""
    own = [f"given_{name}" for name in OPTIONS]
    texts = (write_parameter(name, f"_store.{name}(weights, given_{name})", bare=True) for name in declared(OfScheme))
    return {
        "schemes": literal([*SCHEMES]),
        "schemes_of_pmi": literal([name for name, scheme in SCHEMES.items() if scheme.of_pmi]),
        "names_of_pmi": literal([*declared(OfPmi)]),
        "names_of_filters": literal([name for name in OPTIONS if name not in declared(OfPmi)]),
        "values_of_measure": literal(list_allowed_values(Measuring, "measure")),
        "option_struct": "{" + ", ".join(f"'{name}': given_{name}" for name in OPTIONS) + "}",
        "options": ", ".join(OPTIONS),
        "own_options": ", ".join(own),
        "own_options_b": ", ".join(own).replace("given_subcorpus", "other_subcorpus"),
        **{f"held_{name}": f"_store.{name}(weights, given_{name})" for name in OPTIONS},
        "neighbour_options": options_but("min_frequency"),
        "untyped_options": options_but(*OF_PATHS),
        "no_options": options_but(*OPTIONS),
        "space_options": options_but(*(name for name in OPTIONS if name != "subcorpus")),
        "subcorpus_b": SUBCORPUS_B,
        "sketch_options": write_counts_options("subcorpus"),
        "usual_sketch_options": write_counts_options("NULL", "_store.shown_counts(NULL, NULL)"),
        "sketch_options_of_hits": write_counts_options("subcorpus", "_store.shown_counts(NULL, subcorpus)"),
        "sketch_options_a": write_counts_options("subcorpus", COUNTS_OF_BOTH),
        "sketch_options_b": write_counts_options(SUBCORPUS_B, COUNTS_OF_BOTH),
        "option_texts": ", ".join(texts),
        "recorded_texts": ", ".join(
            write_parameter(name, f"asked['{name}']", bare=False) for name in declared(Recorded) if name != "phi"
        ),
    }


def of_composition() -> dict[str, str]:
    """Return the parameters of composition in three forms: for public macros, private macros, and single words.

    Private macros take two more: FOUND and ELSEWHERE.
    """
    declared_here = declared(Composition).items()
    handed = [hand_on(name) for name, _ in declared_here]
    return {
        "composing": ", ".join([*handed, "NULL", "NULL"]),
        "composing_with_found": ", ".join([*handed, FOUND, "NULL"]),
        "composing_elsewhere": ", ".join(
            [*handed, "NULL", f"CASE WHEN own_occurrences THEN NULL ELSE '_{ELSEWHERE}' END"]
        ),
        "composition_inside": ", ".join([*(inner(name, each) for name, each in declared_here), FOUND, ELSEWHERE]),
        "composition_of_word": ", ".join(
            [inner(name, each) if name in OF_WORD else literal(each.unset) for name, each in declared_here]
            + [FOUND, ELSEWHERE]
        ),
        "composition_of_candidate": composition_but_for(OF_CANDIDATE),
        "composition_of_lexeme": composition_but_for(OF_LEXEME),
    }


def hand_on(name: str) -> str:
    """Return the SQL of a parameter of composition in force: as given, as the weighting records it, or by default."""
    return name if name in OF_LEXEME else f"_store.{name}({name}, weights)"


def composition_but_for(taken: Collection[str]) -> str:
    """Return the parameters of composition for a private macro of a question that takes only these of them."""
    each = (
        hand_on(name) if name in taken else literal(parameter.unset)
        for name, parameter in declared(Composition).items()
    )
    return ", ".join([*each, "NULL", "NULL"])


def checks() -> dict[str, str]:
    """Return the checks that refuse parameters which are not taken, and invalid values."""
    of_weights = [name for name in OPTIONS if name != "subcorpus"]  # whose values are those that the lexicon has
    return {
        "typed_options": ", ".join(f"{name} {type_in_sql(OfWeighting, name)}" for name in OPTIONS),
        "given_options": "{" + ", ".join(f"'{name}': {name} IS NOT NULL" for name in OPTIONS) + "}",
        "all_given": "_store.parameters_of_weights(@options@)",
        "untyped_given": "_store.parameters_of_weights(@untyped_options@)",
        "admitted": "_store.check_given(weights, @all_given@)",
        "pair_admitted": "_store.check_given(weights, @all_given@) "
        "AND _store.check_given(weights, {'subcorpus': subcorpus_b IS NOT NULL})",
        "neighbour_admitted": "_store.check_given(weights, @given@)",
        "given": "_store.parameters_of_weights(@neighbour_options@)",
        "option_checks": "\n        ".join(
            write_value_check(OfWeighting, name, f"held['{name}']") for name in of_weights
        ),
        "held_options": "{" + ", ".join(f"'{name}': _store.{name}(weights, given['{name}'])" for name in OPTIONS) + "}",
        # (smooth and alpha depend on each other.)
        "composition_checks": write_composition_checks({*declared(Composition)} - {"smooth", "alpha"}),
        "composition_checks_in_space": write_composition_checks(IN_SPACE),
        "smooth_pattern": literal(SMOOTH),
        "evidence_checks": write_checks(Evidence, *(each for each in declared(Evidence) if each not in UNCHECKED)),
        "lexemes_checks": "\n        ".join(
            write_value_check(Lexemes, name, inner)
            for name, inner in (("regex", "regex"), ("min_frequency", "fewest"), ("sort", "sort"), ("top", "top"))
        ),
        "sketch_checks": "\n        ".join(
            write_value_check(Sketching, name, "coalesce(top, 1)" if name == "top" else name)  # NULL is all
            for name in ("max_order", "top", "top_relations", "min_count", "score", "everything", "examples", "counts")
        ),
        "frames_checks": write_value_check(Frames, "top", "top"),
        "counting_checks": write_checks(Counting, "min_count", "top", "counts"),
        "collexemes_checks": write_checks(Collexemes, "min_count", "top"),
        "keyness_checks": "\n        ".join(
            write_value_check(Keyness, name, "kind" if name == "of" else name)
            for name in ("of", "negative", "min_count", "overlap", "dispersion", "top", "counts", "max_order")
        ),
        **{f"{name}_check": write_value_check(dictionary, name, name) for dictionary, name in CHECKED_ALONE},
    }


def write_checks(dictionary: type, *names: str) -> str:
    """Return the branches of a CASE that refuse invalid values of parameters."""
    return "\n        ".join(write_value_check(dictionary, name, name) for name in names)


def write_composition_checks(taken: Collection[str]) -> str:
    """Return the branches of a CASE that refuse invalid values of these parameters of composition."""
    return "\n        ".join(
        write_value_check(Composition, name, inner(name, each))
        for name, each in declared(Composition).items()
        if name in taken
    )


def beside_space(question: str) -> str:
    """Return SQL for the name of the first parameter given that a space decides; NULL where none is."""
    taken = {*IN_SPACE, *(OF_NEIGHBOURS if declared(QUESTIONS[question]).keys() >= OF_NEIGHBOURS else ())}
    others = {name: each for name, each in in_sql(question).items() if name not in taken}
    return f"CASE {' '.join(f'WHEN {is_other(name, each)} THEN {literal(name)}' for name, each in others.items())} END"


def is_other(name: str, parameter: Parameter) -> str:
    """Return the condition that a parameter is given, and is not its default."""
    if parameter.default is not None:
        return f"{name} IS DISTINCT FROM {literal(parameter.default)}"
    return (
        f"{name} IS NOT NULL" if parameter.unset is None else f"nullif({name}, {literal(parameter.unset)}) IS NOT NULL"
    )


def with_defaults(dictionary: type, names: Iterable[str]) -> str:
    """Return a macro's parameter list with defaults, and with types, by which DuckDB refuses other values.

    Parameters of weights, which are mentioned most, have their types in _store.parameters_of_weights: a type casts what
    is given wherever it is mentioned, and planning would take a tenth longer.
    """
    of_weights = declared(OfWeighting)
    return ", ".join(
        f"{name} {'' if each == of_weights.get(name) else type_in_sql(dictionary, name)} := {literal(each.default)}"
        for name, each in declared(dictionary).items()
        if name in names
    )


def type_in_sql(dictionary: type, name: str) -> str:
    """Return the type of a macro's parameter; '' where text may be given as a number, and for lists."""
    kind = find_plain_type(dictionary, name)
    return "" if name in OR_NUMBER or kind is list else TYPES[kind]  # _store.as_texts refuses what is no list


def inner(name: str, parameter: Parameter) -> str:
    """Return the name of a parameter within macros."""
    return parameter.inner or name


def options_but(*names: str) -> str:
    """Return a scheme's parameters, with NULL for those that are not taken."""
    return ", ".join("NULL" if name in names else name for name in OPTIONS)


def write_counts_options(subcorpus: str, counts: str | None = None) -> str:
    """Return a scheme's parameters as one value: NULL but for the subcorpus and its counts, direct if they are known.

    subcorpus: its SQL. counts: the SQL of the counts, where they do not follow from it.
    """
    own = {"subcorpus": subcorpus, "counts": counts or f"_store.shown_counts(counts, {subcorpus})"}
    return ", ".join(own.get(name, "NULL") for name in OPTIONS)


def write_value_check(dictionary: type, name: str, value: str) -> str:
    """Return the branch of a CASE that refuses invalid values of a parameter; of other types the macro takes none.

    NULL is valid where it is the default. value: the SQL of the parameter's value.
    """
    parameter, values = declared(dictionary)[name], list_allowed_values(dictionary, name)
    absent = str(parameter.default is None).lower()
    if values:
        shown = f"coalesce('''' || {value} || '''', 'NULL')"
        wanted = f"{', '.join(values[:-1])} or {values[-1]}"
        holds = f"{value} IN ({', '.join(map(literal, values))})"
    elif find_plain_type(dictionary, name) is bool:
        shown, wanted, holds = f"coalesce({value}::VARCHAR, 'NULL')", "true or false", f"{value} IN (true, false)"
    else:
        shown, wanted = f"coalesce({value}::VARCHAR, 'NULL')", parameter.expected
        bounds = ((">=", parameter.least), (">", parameter.above), ("<=", parameter.most), ("<", parameter.below))
        holds = " AND ".join(f"{value} {sign} {bound!r}" for sign, bound in bounds if bound is not None)
    return f"WHEN NOT coalesce({holds}, {absent}) THEN error('{name} is ' || {shown} || '; expected {wanted}')"


def write_parameter(name: str, value: str, *, bare: bool) -> str:
    """Return a parameter as `name := value`, NULL where it is not given.

    bare: without quotes, and NULL where it is the default.
    """
    unset, kind = declared(Recorded)[name].unset, find_plain_type(Recorded, name)
    known = value if unset is None or not bare else f"nullif({value}, {literal(unset)})"
    if kind is float:
        known = f"regexp_replace({known}::VARCHAR, '\\.0$', '')"
    if kind is str and not bare:
        return f"'{name} := ''' || {known} || ''''"
    return f"'{name} := ' || {known}"
