"""Where a lexeme occurs, what changes over time, and a map of neighbours: plots with values where the pointer is."""

from collections.abc import Mapping, Sequence
from typing import Any

from aptdb.core.display import how_many
from aptdb.core.errors import QuestionError
from aptdb.counting.condition_parser import parse_number
from aptdb.explorer.breakdown_pieces import read_asked
from aptdb.explorer.content import (
    Asked,
    Asking,
    Cell,
    Link,
    Links,
    Page,
    Picture,
    Piece,
    Place,
    Table,
    count_cell,
    figure,
    format_thousands,
    only_given,
    shares,
)
from aptdb.explorer.lookups import (
    TIMES,
    choose_sparkline,
    find_genre,
    frequencies_of,
    list_kept_subcorpora,
    list_metadata_columns,
    read_lexeme_in_address,
    refuse_unknown_value,
    time_of,
)
from aptdb.explorer.table_tools import key_of_column
from aptdb.explorer.word_pieces import NONE, kept
from aptdb.lexicon import Lexicon
from aptdb.pictures.interval_charts import poisson_limits
from aptdb.pictures.page_charts import ON_MAP, draw_map_chart, draw_sparkline, draw_time_chart
from aptdb.pictures.plots import ONE_WAY, find_large_groups, project_on_plane
from aptdb.questions.calls import call

MOST_SERIES, GROUPS = 6, 6  # which colours tell apart
NO_TIME = f"no document has a time; it is read from a column {' or '.join(TIMES)}"
SURE = 0.05  # the p-value below which a change is told as one
MOST_ON_MAP = 300  # neighbours


def make_places_piece(asking: Asking) -> Piece:
    """Return the frequencies of a lexeme by corpus, or by a kind of metadata."""
    links, (x, subcorpus) = asking.links, read_lexeme_in_address(asking)
    kinds = list_metadata_columns(asking.lexicon)
    usual = "corpus" if len(asking.lexicon.corpora()) > 1 or not kinds else find_genre(kinds) or kinds[0]
    by = asking.get("by") or usual
    question = Asked("counts_by", (x,), only_given(by=by, subcorpus=subcorpus))
    found = question.answer(asking.lexicon)
    lengths = shares(found.column("per_million"))
    rows = [
        (
            Cell(NONE if row["value"] is None else str(row["value"])),
            count_cell(row["count"], hits_of(links, x, subcorpus, by, row["value"])),
            Cell(format_thousands(row["tokens"]), value=row["tokens"]),
            figure(row["per_million"], 1, share=share),
        )
        for row, share in zip(found, lengths, strict=True)
    ]
    columns = ((by, False), ("count", True), ("tokens of it", True), ("per million", True))
    view = {name: value for name, value in asking.given.items() if name.startswith("places.")}
    if view.get("places.sort", "").removeprefix("-") == key_of_column(by):  # another table has no such column
        del view["places.sort"]
    others = [
        Link(f"by {each}", href, each == by)
        for each in ("corpus", *kinds)
        if (href := links.page("lexeme/places", x=x, subcorpus=subcorpus, by=each, **view))
    ]
    return Piece("table", f"Where it occurs, by {by}", Table(columns, rows), [question], (), others)


def hits_of(links: Links, x: str, subcorpus: str | None, by: str, value: object) -> str:
    """Return the address of the sentences with a lexeme in documents of a kind; None: of those that do not say it."""
    at = {} if "(" in by else {"at": by, "value": None if value is None else str(value)}  # no function of metadata
    return links.page("concordance", q=x, subcorpus=subcorpus, **at)


def make_sparkline(asking: Asking) -> str:
    """Return the frequency per million by time, genre or corpus as bars in SVG, for a head. Raise QuestionError."""
    columns, (x, subcorpus) = list_metadata_columns(asking.lexicon), read_lexeme_in_address(asking)
    by = choose_sparkline(asking.lexicon, columns)
    if by is None:
        raise QuestionError("the lexicon has one corpus, whose documents say neither their time nor their genre")
    counts = asking.lexicon.counts_by(x, **only_given(by=by, subcorpus=subcorpus))
    found = {str(row["value"]): row["per_million"] for row in counts if row["value"] is not None}
    times = [parse_number(each) for each in found]
    return draw_sparkline([*found.values()], [place if None in times else each for place, each in enumerate(times)])


def make_trend_head(asking: Asking) -> Page:
    """Return the head of the page of changes over time."""
    lexicon, column = asking.lexicon, time_of(list_metadata_columns(asking.lexicon))
    by = asking.get("by") or column
    if by is None:
        return Page("Over time", "Over time", notes=[NO_TIME])
    refuse_unknown_value("subcorpus", asking.get("subcorpus"), names := list_kept_subcorpora(lexicon))
    asked, against = list_asked(asking)
    frequent = [each for each in lexicon.lexemes(top=200).column("lexeme") if each.endswith(("/NOUN", "/VERB"))][:3]
    examples = [Link(", ".join(frequent), asking.links.page("trend", q="\n".join(frequent)))] if frequent else []
    times = [column, by, *(f"{each}({column})" for each in ("decade", "century") if column in ("year", "date"))]
    selects = [("by", "By", "", [*dict.fromkeys(filter(None, times))], by)]
    selects += [("subcorpus", "In", "the whole", names, asking.get("subcorpus") or "")] if names else []
    form = {"q": "\n".join(asked), "against": against or "", "selects": selects}
    groups = [] if asked else [("For example", examples)]
    places = [Place("trend", f"{'Share' if against else 'Frequency'} by {by}")] if asked else []
    return Page("Over time", "Over time", groups=groups, pieces=places, form=form, template="trend.html")


def find_time(asking: Asking) -> str:
    """Return the column of times that an address names, else that of the lexicon. Raise QuestionError without one."""
    by = asking.get("by") or time_of(list_metadata_columns(asking.lexicon))
    if by is None:
        raise QuestionError(NO_TIME)
    return by


def list_asked(asking: Asking) -> tuple[list[str], str | None]:
    """Return the words and patterns of an address, each once, and that of which they are shares, if there is one.

    Raises QuestionError for too many, and for none to be a share.
    """
    asked = [*dict.fromkeys(each.strip() for each in (asking.get("q") or "").splitlines() if each.strip())]
    against = (asking.get("against") or "").strip()
    if against and not asked:
        raise QuestionError("against needs q, what its share is of, e.g. q=dog/NOUN&against=cat/NOUN")
    if len(asked) > MOST_SERIES:
        raise QuestionError(f"q has {len(asked)} lines; {MOST_SERIES} can be told apart in a plot")
    *named, other = (name if (name := asking.lexicon.as_lexeme(x)) in asking.lexicon else x for x in (*asked, against))
    return named, other or None


def ask_trend(lexicon: Lexicon, x: str, given: dict[str, Any]) -> Asked:
    """Return the question for the frequencies of a word or pattern over time, or for its share. Raise QuestionError."""
    (_, asked, _), (_, against, _) = (read_asked(lexicon, each, None, None) for each in (x, given.get("against")))
    named = {name: value for name, value in given.items() if name != "against"}
    return Asked("trend", (x,), given, f"FROM {call('trend', [asked, None, None, against], named)}")


def make_times_piece(asking: Asking) -> Piece:
    """Return the frequencies of several words or patterns over time."""
    return draw_times(asking, *list_asked(asking))


def make_trend_piece(asking: Asking) -> Piece:
    """Return the frequency of a lexeme over time. Raise QuestionError where no document says its time."""
    x, _ = read_lexeme_in_address(asking)
    href = asking.links.page("trend", q=x, subcorpus=asking.get("subcorpus"))
    return draw_times(asking, [x], links=[Link("beside other words", href)] if href else [])


def draw_times(asking: Asking, asked: Sequence[str], against: str | None = None, links: Sequence[Link] = ()) -> Piece:
    """Return frequencies over time, or shares, as a plot and a table, which has the ends of 95 % intervals at last."""
    by, subcorpus = find_time(asking), asking.get("subcorpus")
    value, digits, other = ("share", 4, "other_count") if against else ("per_million", 1, "tokens")
    questions = [ask_trend(asking.lexicon, x, only_given(by=by, subcorpus=subcorpus, against=against)) for x in asked]
    found = {each.arguments[0] or "": each.answer(asking.lexicon) for each in questions}
    there = {x: rows for x in found if (rows := [row for row in found[x] if row[value] is not None])}
    of_both = f" as {against} is" if against else ""
    notes = [f"{x} is only in documents without a time in {by}{of_both}" for x in found if x not in there]
    several, unit = len(asked) > 1, name_unit_of_time(by)
    for x, rows in there.items():
        if said := describe_trend(rows[0], unit, "percentage points" if against else "per million"):
            notes.append(f"{x}: {said}" if several else said)
    heading = f"{'Share' if against else 'Frequency'} by {by}" if "q" in asking.given else "Over time"
    if not there:
        return Piece("nothing", heading, None, questions, notes)
    limits = {x: [find_limits(row) for row in rows] for x, rows in there.items()}
    cells = [
        (
            Cell(str(row["value"]), value=row["value"] if isinstance(row["value"], int) else None),
            *([Cell(x, is_lexeme=x in asking.lexicon)] if several else []),
            count_cell(row["count"], hits_of(asking.links, x, subcorpus, by, row["value"])),
            Cell(format_thousands(row[other]), value=row[other]),
            *(figure(each, digits) for each in (row[value], *ends)),
        )
        for x, rows in there.items()
        for row, ends in zip(rows, limits[x], strict=True)
    ]  # fmt: skip
    columns = [(by, False), *([("of", False)] if several else [])]
    columns += [(name.replace("_", " "), True) for name in ("count", other, value, "at least", "at most")]
    named = "Wilson" if against else "Poisson"
    notes.append(f"Bands, at least, at most: 95 % intervals ({named}), as if occurrences were independent.")
    content = (Picture(draw_time_chart(there, limits, by, value), ""), Table(columns, cells))
    return Piece("trend", heading, content, questions, notes, links)


def find_limits(row: Mapping[str, Any]) -> tuple[float, float]:
    """Return the ends of the interval of a share, or of a frequency without one."""
    return (row["share_low"], row["share_high"]) if "share" in row else poisson_limits(row["count"], row["tokens"])


def name_unit_of_time(by: str) -> str:
    """Return the unit in which a question counts the times of a column, or of a function of one."""
    text = by.casefold()
    named = next((each for each in ("century", "month", "year") if each in text), "")
    return named or ("year" if "decade" in text or "date" in text else f"unit of {by}")


def describe_trend(row: Mapping[str, Any], unit: str, of: str = "per million") -> str:
    """Return the change of a frequency in words: its growth, and the slope of its periods, each with its own test.

    of: what the slope is measured in.
    """
    growth, p, slope = row["growth"], row["growth_p"], row["slope"]
    said = []
    if growth is not None and p is not None:
        percent = format(100 * growth, "+,.0f" if abs(growth) >= 1 else "+.2g")
        tested = f"{percent} % per {unit}, {write_p_value(p)}, quasi-Poisson"
        verb = "It rises" if growth > 0 else "It falls"
        said.append(f"{verb} ({tested})." if p < SURE else f"No clear change (growth {tested}).")
    if slope is not None and row["p_value"] is not None:
        rise = f"{slope:+,.2f}" if of == "per million" else f"{100 * slope:+.2g}"
        tested = f"{rise} {of} per {unit} (Theil–Sen; Mann–Kendall {write_p_value(row['p_value'])})"
        said.append(f"Where each period weighs alike: {tested}.")
    return " ".join(said)


def write_p_value(p: float) -> str:
    """Return a p-value as it is written in a sentence."""
    return "p < 0.001" if p < 0.0005 else f"p = {p:.3f}" if p < SURE else f"p = {p:.2f}"  # noqa: PLR2004


def nearest_map(asking: Asking) -> Piece:
    """Return a map of a lexeme and its neighbours, precomputed if possible."""
    lexicon, links, how = asking.lexicon, asking.links, asking.how
    x, subcorpus = read_lexeme_in_address(asking)
    if (measure := how.settings.get("measure")) in ONE_WAY:
        return Piece("nothing", "Map", None, (), [f"{measure} is asymmetric; a map needs another measure, e.g. cosine"])
    most, own = min(how.view.top or ON_MAP, MOST_ON_MAP), only_given(subcorpus=subcorpus)
    faster = kept(asking.weights, subcorpus, how)
    near = asking.near(x) if most == ON_MAP and not own and not how.settings else None
    near = near or lexicon.neighbours(x, top=most, **own, **how.of("neighbours"), **faster)
    counts = frequencies_of(lexicon, found := list(dict.fromkeys([x, *near.column("lexeme")])), subcorpus)
    names = [each for each in found if each in counts]  # a space has neighbours that a subcorpus lacks
    if x not in counts or len(names) <= 1:
        why = "has no neighbour" if x in counts else "does not occur here"
        return Piece("nothing", "Map", None, (), [f"{x} {why}"])
    given = own | how.of("similarity_each")
    if "weights" in given:  # a weighting may record an asymmetric measure
        given.setdefault("measure", "cosine")
    similar = lexicon.similarity_each(names, **given, **faster)
    alike = {frozenset((row["a"], row["b"])): row["similarity"] or 0.0 for row in similar}
    places, share = project_on_plane(names, alike)
    groups, to_x = find_large_groups(names, alike, GROUPS), {n: alike.get(frozenset((x, n)), 1.0) for n in names}
    said = {name: f"{name}: similarity to {x} {to_x[name]:.4f}, {how_many(counts[name], 'token')}" for name in names}
    addresses = {name: links.lexeme(name, subcorpus) for name in names}
    svg = draw_map_chart(x, {name: places[name] for name in names}, said | {x: x}, addresses, groups)
    rows = [
        (Cell(name, addresses[name], is_lexeme=True), figure(to_x[name]), *(figure(each, 3) for each in at[:2]),
         Cell(str(groups[name]), value=groups[name]))
        for name, at in places.items()
    ]  # fmt: skip
    columns = [("lexeme", False), *((name, True) for name in (f"similarity to {x}", "across", "up", "group"))]
    call = "".join(f", {name}={value!r}" for name, value in given.items())
    question = Asked("plot.map", tuple(names), given, python=f"lexicon.plot.map({names}{call})", has_sql=False)
    notes = map_notes(share, len(found) - len(names), subcorpus)
    content = (Picture(svg, ""), Table(columns, rows, most=len(rows)))
    return Piece("trend", "Map", content, [question], notes, link_larger_maps(asking, most))


def link_larger_maps(asking: Asking, most: int) -> list[Link]:
    """Return links to maps of other numbers of words, where there are any."""
    asked = {each: {**asking.given, "map.top": str(each)} for each in (ON_MAP, 50, 100, MOST_ON_MAP)}
    links = [
        Link(f"{each} words", asking.links.page("lexeme/map", **given), each == most) for each, given in asked.items()
    ]
    return [each for each in links if each.href]


def map_notes(share: float, lacking: int, subcorpus: str | None) -> list[str]:
    """Return what a map shows of the distances, and how many neighbours it leaves out."""
    notes = [
        f"Words that stand near one another are similar; the plane shows {share:.0%} of the variance of the distances. "
        f"Colours are up to {GROUPS} groups, found by Chinese Whispers; a name without room is shown at the pointer."
    ]
    if lacking:
        whose = f"in the whole lexicon that the subcorpus {subcorpus} lacks"
        notes.append(f"Left out: {how_many(lacking, 'neighbour')} {whose}.")
    return notes
