"""The paper's experiments (section 5): what the paper reports, and the same on a lexicon."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack

from aptdb.core.errors import QuestionError
from aptdb.core.phrase import Phrase
from aptdb.core.result import Result
from aptdb.evaluation.compare import evaluate_task
from aptdb.evaluation.datasets import Item, read_dataset
from aptdb.evaluation.lexeme_mapping import Names
from aptdb.evaluation.scoring import WAYS_WITH_MISSING, by_new_names
from aptdb.evaluation.task import EvaluationLog, mapping_of, task_of
from aptdb.questions import query
from aptdb.store.session import Session
from aptdb.store.statements import statement


@dataclass(frozen=True)
class Listed:
    """A list of ten neighbours in the paper: its table, the phrase, its composition (None: a single noun)."""

    table: int
    adjective: str | None
    noun: str
    merge: str | None
    aligned: bool | None
    neighbours: tuple[str, ...]


def read_list(table: int, line: str) -> Listed:
    """Return a list as it stands in PRINTED."""
    named, _, neighbours = line.partition(": ")
    phrase, _, composed = named.partition(", ")
    merge, _, aligned = composed.partition(" ")
    *adjective, noun = phrase.split()
    is_aligned = aligned == "aligned" if composed else None
    return Listed(table, "".join(adjective) or None, noun, merge or None, is_aligned, tuple(neighbours.split()))


WIKIPEDIA = ("clean_wiki", 600_000_000)  # the paper's name for a corpus, and about how many tokens it has
BNC = ("BNC", 100_000_000)
CONCAT = ("concat", 2_800_000_000)

# The lists of each table, as the paper prints them: the phrase, how it is composed, and its neighbours. Those of shoot
# are the same in tables 2 and 3, in another order. "e-magnetism" is the paper's own abbreviation for electro-magnetism.
PRINTED = {
    2: """\
shoot: shot leaf shooting fight scene video tour footage interview flower
green shoot, sum aligned: shoot leaf flower fruit orange tree color shot colour cover
six-week shoot, sum aligned: shoot tour shot break session show shooting concert interview leaf
green shoot, sum unaligned: shoot shot leaf shooting fight scene video tour flower footage
six-week shoot, sum unaligned: shoot shot shooting leaf scene video fight footage photo interview
""",
    3: """\
shoot: shot leaf shooting fight scene video tour flower footage interview
green shoot, min aligned: shoot leaf fruit stalk flower twig sprout bud shrub inflorescence
six-week shoot, min aligned: shoot photoshoot taping tour airing rehearsal broadcast session q&a post-production
green shoot, min unaligned: shoot pyrite plosive handlebars annual roundel affricate phosphor connections reduplication
six-week shoot, min unaligned: e/f uemtsu confederations shortlist all-ireland dern gerwen tactics backstroke gabler
""",
    4: """\
group: group organization organisation company community corporation unit movement association society
musical group, sum aligned: group company band music movement community society corporation category association
ethnic group, sum aligned: group organization organisation community company movement society minority unit entity
musical group, min aligned: group band troupe ensemble artist trio genre music duo supergroup
ethnic group, min aligned: group community organization grouping sub-group faction ethnicity minority organisation tribe
body: body board organization entity skin head organisation structure council eye
human body, sum aligned: body organization structure entity organisation skin brain eye object organ
legislative body, sum aligned: body council committee board authority assembly organisation agency commission entity
human body, min aligned: body organism organization entity embryo brain community organelle institution cranium
legislative body, min aligned: body council committee board legislature secretariat authority assembly power office
work: study project book activity effort publication job program writing piece
social work, sum aligned: work activity study project program practice development aspect book effort
literary work, sum aligned: work book study novel project publication text literature story writing
social work, min aligned: work research study writings endeavour project discourse topic development teaching
literary work, min aligned: work writings treatise essay poem book novel monograph poetry writing
field: facility stadium area complex ground pool base space centre park
athletic field, sum aligned: field facility stadium gymnasium basketball sport center softball gym arena
magnetic field, sum aligned: field component stadium facility track ground system complex parameter pool
athletic field, min aligned: field gymnasium fieldhouse stadium gym arena rink softball cafeteria ballpark
magnetic field, min aligned: field wavefunction spacetime flux subfield perturbation vector e-magnetism formula_8 scalar
""",
}
NEIGHBOURS = tuple(read_list(table, line) for table, lines in PRINTED.items() for line in lines.splitlines())


@dataclass(frozen=True)
class Reported:
    """A row of the paper's table 5 or 6: a model, aptdb's parameters for it (None if not measured), and ρ of each part.

    Each ρ is text, as the paper prints it: some are NaN or a range.
    """

    model: str
    parameters: dict[str, object] | None
    rho: dict[str, str]
    untyped: bool = False


PARTS = ("adjectivenouns", "compoundnouns", "verbobjects", "average")  # the columns AN, NN, VO and Average


def by_part(printed: str) -> dict[str, str]:
    """Return the four columns of a row of table 5; a dash is a blank."""
    return {part: rho for part, rho in zip(PARTS, printed.split(), strict=True) if rho != "-"}


# M&L are Mitchell & Lapata, B&L Blacoe & Lapata.
TABLE_5 = (
    Reported("min, k = 1", {"merge": "min", "shift": 1}, by_part("-0.09 0.43 0.35 0.23")),
    # The average counts the NaN as 0: all intersections of adjectives and nouns were empty.
    Reported("min, k = 10", {"merge": "min", "shift": 10}, by_part("NaN 0.23 0.26 0.16")),
    Reported("sum, k = 1", {"merge": "sum", "shift": 1}, by_part("0.47 0.37 0.40 0.41")),
    Reported("sum, k = 10", {"merge": "sum", "shift": 10}, by_part("0.45 0.42 0.42 0.43")),
    Reported("untyped, mult (M&L 2010)", {"merge": "mult"}, by_part("0.46 0.49 0.37 0.44"), untyped=True),
    Reported("untyped, mult (B&L 2012)", None, by_part("0.48 0.50 0.35 0.44")),
    Reported("untyped, sum", {"merge": "sum"}, {}, untyped=True),
    Reported("DM, add (B&L 2012)", None, by_part("0.37 0.30 0.29 0.32")),
    Reported("NLM, add (B&L 2012)", None, by_part("0.28 0.26 0.24 0.26")),
    Reported("humans (M&L 2010)", None, by_part("0.52 0.49 0.55 0.52")),
)
TABLE_6 = (
    Reported("min, k = 1", {"merge": "min", "shift": 1}, {"all": "0.23"}),
    Reported("min, k = 10", {"merge": "min", "shift": 10}, {"all": "0.13"}),
    Reported("sum, k = 1", {"merge": "sum", "shift": 1}, {"all": "0.20"}),
    Reported("sum, k = 10", {"merge": "sum", "shift": 10}, {"all": "0.26"}),
    Reported("multi-step regression (Grefenstette et al. 2013)", None, {"all": "0.23"}),
    Reported("lexical function (Dinu et al. 2013)", None, {"all": "0.23–0.26"}),
    Reported("untyped, mult (Dinu et al. 2013)", {"merge": "mult"}, {"all": "0.20–0.22"}, untyped=True),
    Reported("untyped, sum", {"merge": "sum"}, {}, untyped=True),
    Reported("full additive (Dinu et al. 2013)", None, {"all": "0–0.05"}),
    Reported("humans (M&L 2008)", None, {"all": "0.40"}),
)


TOP = 10  # neighbours in a list of the paper
LISTS = {
    "table": "BIGINT", "phrase": "VARCHAR", "merge": "VARCHAR", "aligned": "BOOLEAN", "measured": "VARCHAR",
    "paper": "VARCHAR", "shared": "BIGINT", "lacking": "VARCHAR",
}  # fmt: skip
CORRELATIONS = {
    "model": "VARCHAR", "part": "VARCHAR", "rho": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE", "paper": "VARCHAR",
    "items": "BIGINT", "missing": "BIGINT", "empty": "BIGINT", "undefined": "VARCHAR",
}  # fmt: skip
SIZES = {"tokens": "BIGINT", "paper_corpus": "VARCHAR", "paper_tokens": "BIGINT"}

Progress = Callable[[int, int], None]


class Options(TypedDict, total=False):
    """Parameters of a table of correlations: see `evaluate`."""

    missing: str
    names: Names | None
    seed: int
    record: bool
    progress: Progress


def tables_2_to_4(session: Session, *, names: Names | None = None, progress: Progress = lambda *_: None) -> Result:
    """Return the neighbours of ambiguous nouns, alone and composed with adjectives, as in the paper's tables 2 to 4.

    Rows of table, phrase, merge, aligned, measured, paper (ten neighbours each, with commas between them), shared (the
    number in both lists), lacking (lexemes that are not in the lexicon, so that nothing is measured), tokens,
    paper_corpus, paper_tokens. Probabilities are composed (compose-first), with cds 0.75.
    """
    task = named_phrases(session, [phrase_of_list(each) for each in NEIGHBOURS], names or Names())
    compositions = list(dict.fromkeys((each.merge, each.aligned) for each in NEIGHBOURS))
    found: dict[tuple[Any, ...], list[str]] = {}
    for done, composition in enumerate(compositions):
        progress(done, len(compositions))
        asked = [
            phrase_of_list(each)
            for each in NEIGHBOURS
            if (each.merge, each.aligned) == composition and not task[phrase_of_list(each)][1]
        ]
        found |= nearest_nouns(session, {phrase: task[phrase][0] for phrase in asked}, *composition)
    progress(len(compositions), len(compositions))
    rows = [row_of_list(each, found, task[phrase_of_list(each)][1]) for each in NEIGHBOURS]
    return beside_sizes(session, LISTS, rows, WIKIPEDIA)


def table_5(session: Session, dataset: str | Path, **options: Unpack[Options]) -> Result:
    """Return the paper's table 5, on Mitchell & Lapata's data set of 2010: see `correlations`."""
    return correlations(session, dataset, "ml2010", TABLE_5, BNC, **options)


def table_6(session: Session, dataset: str | Path, **options: Unpack[Options]) -> Result:
    """Return the paper's table 6, on Mitchell & Lapata's data set of 2008: see `correlations`."""
    return correlations(session, dataset, "ml2008", TABLE_6, CONCAT, **options)


def correlations(
    session: Session,
    dataset: str | Path,
    format: str,
    reported: Sequence[Reported],
    corpus: tuple[str, int],
    *,
    missing: str = "skip_unknown",
    names: Names | None = None,
    seed: int = 1,
    record: bool = True,
    progress: Progress = lambda *_: None,
) -> Result:
    """Return ρ of each model in one of the paper's tables, next to the printed value.

    Rows of model, part, rho, low, high, paper (as printed), items, missing, empty, undefined, tokens, paper_corpus,
    paper_tokens. rho is NULL for models that the paper cites from elsewhere. missing, names, seed and record as in
    `evaluate`.
    """
    if not isinstance(missing, str):
        raise QuestionError(f"missing is {missing!r}; expected {', '.join(WAYS_WITH_MISSING)}")
    missing = str(by_new_names(missing))
    data, log = read_dataset(dataset, format=format), EvaluationLog(session, wanted=record)
    rows: list[dict[str, Any]] = []
    for done, each in enumerate(reported):
        progress(done, len(reported))
        if each.parameters is None:
            rows += [{"model": each.model, "part": part, "paper": rho} for part, rho in each.rho.items()]
            continue
        task = task_of(session, data, names, untyped=each.untyped, seed=seed)
        answer = evaluate_task(session, task, {**each.parameters, "method": "all", "missing": missing}, log)
        rows += [{**row, "model": each.model, "paper": each.rho.get(row["part"])} for row in answer]
    progress(len(reported), len(reported))
    return beside_sizes(session, CORRELATIONS, rows, corpus)


def named_phrases(session: Session, phrases: Iterable[Phrase], names: Names) -> dict[Phrase, tuple[Phrase, list[str]]]:
    """Return phrases of Universal Dependencies in this lexicon's lexemes, and which of these it lacks."""
    items = {phrase: Item("", phrase, phrase, ()) for phrase in phrases}
    mapping = mapping_of(session, names, list(items.values()))
    named = {phrase: mapping.named(item) for phrase, item in items.items()}
    return {phrase: (item.a, mapping.lacking(item)) for phrase, item in named.items()}


def nearest_nouns(
    session: Session, phrases: Mapping[Phrase, Phrase], merge: str | None, aligned: bool | None
) -> dict[tuple[Any, ...], list[str]]:
    """Return the lemmas of the nearest nouns of each phrase, in one question, by phrase and composition."""
    composed = {} if merge is None else {"merge": merge, "aligned": aligned, "pipeline": "compose-first"}
    how: dict[str, Any] = {"top": TOP, "cds": 0.75, **composed}
    found: dict[str, list[str]] = {}
    if phrases:
        questions = {str(phrase): named for phrase, named in phrases.items()}
        for question, lexeme, _ in query.neighbours_each(session, questions, **how).rows:
            found.setdefault(question, []).append(lexeme.rpartition("/")[0] or lexeme)
    return {(phrase, merge, aligned): found.get(str(phrase), []) for phrase in phrases}


def beside_sizes(
    session: Session, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], corpus: tuple[str, int]
) -> Result:
    """Return rows as an answer, each with the size of the lexicon and of the paper's corpus."""
    tokens = int(session.reading().value(statement("evaluation/tokens")))
    whole = {**columns, **SIZES}
    sizes = (tokens, *corpus)
    return Result(tuple(whole), tuple(whole.values()), [(*(row.get(name) for name in columns), *sizes) for row in rows])


def phrase_of_list(each: Listed) -> Phrase:
    """Return the phrase of a list, or the noun alone."""
    dependents = (("amod", Phrase(f"{each.adjective}/ADJ", (), 2)),) if each.adjective else ()
    return Phrase(f"{each.noun}/NOUN", dependents)


def row_of_list(each: Listed, found: Mapping[tuple[Any, ...], list[str]], lacking: Sequence[str]) -> dict[str, Any]:
    """Return a list of the paper next to the measured one."""
    measured = found.get((phrase_of_list(each), each.merge, each.aligned))
    return {
        "table": each.table,
        "phrase": " ".join(filter(None, (each.adjective, each.noun))),
        "merge": each.merge,
        "aligned": each.aligned,
        "measured": None if measured is None else ", ".join(measured),
        "paper": ", ".join(each.neighbours),
        "shared": None if measured is None else len({*measured} & {*each.neighbours}),
        "lacking": ", ".join(lacking) or None,
    }
