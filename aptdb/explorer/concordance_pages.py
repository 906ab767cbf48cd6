"""The page of a concordance: hits by pages, sorted, drawn at random, counted by values, with metadata and context."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from aptdb.core.display import how_many
from aptdb.core.errors import AptError, QuestionError, warnings_heard
from aptdb.core.parameters import list_allowed_values
from aptdb.core.question_parameters import Evidence
from aptdb.core.result import Result
from aptdb.explorer.breakdown_pieces import (
    ATTRACTED,
    IN_FILE,
    SLOT,
    TAKES,
    Wanted,
    address,
    ask_slot,
    asks_for_pattern,
    count_values,
    is_narrowed,
    link_concordance_files,
    list_slots,
    make_breakdown_piece,
    make_slot_piece,
    name_kind,
    read_asked,
    say_rows,
    sizes_by,
)
from aptdb.explorer.content import Asked, Asking, Cell, Line, Link, Links, Page, Piece, only_given
from aptdb.explorer.lookups import (
    as_phrase,
    count_tokens_in,
    list_kept_subcorpora,
    list_metadata_columns,
    per_million,
    refuse_unknown_value,
    sensed,
)
from aptdb.explorer.page_settings import read_number_in_address
from aptdb.explorer.sentence_pages import marked_words, text_between
from aptdb.explorer.subcorpus_pages import MISSING, count_chosen, find_chosen, link_chosen
from aptdb.explorer.word_pieces import NONE, cut_after, cut_before, name_sentence_source
from aptdb.lexicon import Lexicon
from aptdb.questions import concordances
from aptdb.questions.calls import call
from aptdb.questions.concordances import FARTHEST, OF_SENTENCES, OF_TOKENS, Hits, kinds_of_tokens
from aptdb.store.methods import of_session

VIEWS = {"lines": None, "sentences": 0, "1 around": 1, "2 around": 2, "5 around": 5}
ROWS, MOST_ROWS, PAGES = 50, 2000, 10**9
MOST_SAMPLE = 1_000_000
LONGEST_NAME = 22  # of a sentence
EVIDENCE_SORTS = list_allowed_values(Evidence, "sort")
TYPED_SORTS = ("place", "before", "after", "keyword", "best", *OF_SENTENCES)
page_of_hits, metadata_of = of_session(concordances.page_of_hits), of_session(concordances.metadata_of)
around = of_session(concordances.sentences_around)


@dataclass(frozen=True)
class Hit(Line):
    """A line: also what is fetched when it is opened, the sentences beside its own, its context and its metadata."""

    opens: str
    earlier: Sequence[str]
    later: Sequence[str]
    context: Cell | None
    metadata: Sequence[str]


def make_concordance_page(asking: Asking) -> Page:
    """Return a page of a concordance; without a query the form alone. Raise QuestionError."""
    lexicon, links = asking.lexicon, asking.links
    typed = (asking.get("q") or "").strip()
    columns, names = list_metadata_columns(lexicon), list_kept_subcorpora(lexicon)
    if not typed and asking.get("context") is None:
        groups = [*link_condition(asking), ("Examples", example_searches(asking))]
        form = form_of(asking, columns, names) | {"groups": groups}
        return Page("Search in the sentences", "Concordance", form=form, template=TEMPLATE)
    wanted = wanted_of(asking, columns, names)
    wanted, found, notes = answer_concordance(lexicon, wanted)
    total = found[0]["hits"]
    pages = max(1, math.ceil(total / wanted.rows))
    if wanted.page > pages:
        raise QuestionError(f"no page {wanted.page:,}; there {'is' if pages == 1 else 'are'} {how_many(pages, 'page')}")
    if wanted.by is None:
        piece = lines_piece(asking, wanted, found)
    else:
        of_slots = SLOT.fullmatch(wanted.by) is not None
        piece = make_slot_piece(asking, wanted) if of_slots else make_breakdown_piece(asking, wanted)
    slots, kept = list_slots(asking, wanted.hits), []
    if is_narrowed(wanted.hits):
        slots, kept = [], link_keeping(wanted.hits, columns) if slots else []
    form = form_of(asking, columns, names, slots)
    if wanted.by is not None:
        pages = max(1, math.ceil(piece.rows / wanted.rows))
    counted = [Link(f"by {name_kind(each)}", address(asking, by=each), each == wanted.by) for each in slots]
    counted = [Link("over documents", address(asking, by="document"), wanted.by == "document"), *counted, *kept]
    form |= {"groups": [("Count", counted), *groups_of(asking, wanted, columns)]}
    form |= {"pages": pages_of(asking, wanted.page, pages), "last": pages}
    title = " ".join(each for each in (wanted.hits.lexeme or "*", wanted.hits.path, wanted.hits.context) if each)
    about = facts(lexicon, links, wanted, found)
    return Page(title, "Concordance", about, pieces=[piece], notes=notes, form=form, template=TEMPLATE)


TEMPLATE = "hits.html"


# What is asked
def wanted_of(asking: Asking, columns: Sequence[str], subcorpora: Sequence[str]) -> Wanted:
    """Return what an address asks for. Raise QuestionError for any value that cannot be."""
    kinds = [*OF_SENTENCES, *columns]
    known = [*kinds, "keyword:form", f"left1:form to right{FARTHEST}:upos"]
    for name, of_slots in (("by", ("1.lemma", f"{ATTRACTED}1.lemma")), ("at", ())):
        asked = asking.get(name) or ""
        if not (OF_TOKENS.fullmatch(asked) or (name == "by" and SLOT.fullmatch(asked))):
            refuse_unknown_value(name, asking.get(name), [*known, *of_slots])
    refuse_unknown_value("sort", asking.get("sort"), [*TYPED_SORTS, *columns])
    refuse_unknown_value("subcorpus", asking.get("subcorpus"), subcorpora)
    refuse_unknown_value("counts", asking.get("counts"), [*list_allowed_values(Evidence, "counts")])
    refuse_unknown_value("view", asking.get("view"), [*VIEWS])
    show = [each for each in (asking.get("show") or "").split(",") if each]
    for each in show:
        refuse_unknown_value("show", each, kinds)
    at, value = asking.get("at"), asking.get("value")
    if at is None and value is not None:
        raise QuestionError("value needs at, e.g. at=left1:form&value=the")
    if asking.get("against") and not (asking.get("by") or "").startswith(ATTRACTED):
        raise QuestionError(f"against needs what a slot attracts, e.g. by={ATTRACTED}1.lemma")
    sample = asking.get("sample")
    hits = Hits(
        (asking.get("q") or "").strip() or None,
        asking.get("path"),
        asking.get("context"),
        asking.get("subcorpus"),
        asking.get("counts") or "direct",
        None if sample is None else read_number_in_address("sample", sample, MOST_SAMPLE),
        read_number_in_address("seed", asking.get("seed") or "1", PAGES),
        None if at is None else (at, value),
        asking.get("where"),
    )
    page, rows = (asking.get(name) or str(default) for name, default in (("page", 1), ("rows", ROWS)))
    return Wanted(
        hits,
        asking.get("sort") or "place",
        asking.get("by"),
        show,
        VIEWS[asking.get("view") or "lines"],
        read_number_in_address("page", page, PAGES),
        read_number_in_address("rows", rows, MOST_ROWS),
    )


def answer_concordance(lexicon: Lexicon, wanted: Wanted) -> tuple[Wanted, Result, list[str]]:
    """Return what was asked in the end, its lines, and notes. Raise QuestionError.

    A word that is no lexeme is searched for as a form, and words that are no phrase as a sequence.
    """
    asked, note = read_typed_query(lexicon, wanted.hits)
    sort = "place" if wanted.by else wanted.sort  # all hits are counted, not the good examples alone
    own = replace(wanted, hits=replace(wanted.hits, lexeme=asked))
    with warnings_heard() as heard:  # how a typed context is read
        try:
            found = page_of_hits(lexicon, own.hits, sort, (own.page - 1) * own.rows, own.rows)
        except QuestionError:
            if note:
                lexicon[wanted.hits.lexeme or ""]  # raises an error that names similar lexemes
            raise
    return own, found, [*([note] if note else []), *heard]


def read_typed_query(lexicon: Lexicon, hits: Hits) -> tuple[str | None, str]:
    """Return what a typed text asks for, with a note on it."""
    text = hits.lexeme
    if text is None or text in lexicon or re.search(r"[\[*?]", text) or text.startswith(("form:", "/")):
        return text, ""
    if asks_for_pattern(lexicon, text):
        return text, ""
    with warnings_heard():  # the page shows what else the text may mean
        if len(text.split()) > 1:
            try:
                return as_phrase(lexicon, text), ""
            except AptError:
                return sequence_of(text), f"{text} cannot be read as a phrase; these are its words, one by one"
        lexeme = lexicon.as_lexeme(text)
    if lexeme in lexicon or sensed(lexicon, lexeme) or hits.path or hits.context:
        return lexeme, ""
    return f"form:{text}", f"no lexeme {text}; these are its forms"


def sequence_of(text: str) -> str:
    """Return words as a query for a sequence of forms, whose capitals make no difference."""
    as_pattern = re.sub(r"([^\w\s])", r"\\\1", text).replace('\\"', '[\\"]')  # a quotation mark would end the form
    return " ".join(f'[form="(?i){each}"]' for each in as_pattern.split())


def groups_of(asking: Asking, wanted: Wanted, columns: Sequence[str]) -> list[tuple[str, list[Link]]]:
    """Return groups of links: other readings of the query, columns of metadata, samples, a filter to be removed."""
    hits, shown = wanted.hits, [*wanted.show]
    toggled = []
    for name in [*OF_SENTENCES, *columns]:
        others = [each for each in shown if each != name]
        with_it = others if name in shown else [*shown, name]
        toggled.append(Link(name, address(asking, show=",".join(with_it) or None), name in shown))
    sample = [Link(f"{many:,} at random", address(asking, sample=many), hits.sample == many) for many in (50, 250)]
    if hits.sample is not None:
        sample.append(Link("others", address(asking, seed=hits.seed + 1)))
        sample.append(Link("all", address(asking, sample=None, seed=None)))
    kept = []
    if hits.only is not None:
        kind, value = hits.only
        name = f"{name_kind(kind)} is {NONE if value is None else value}"
        kept = [Link(name, address(asking), True), Link("all", address(asking, at=None, value=None))]
    pairs = list_allowed_values(Evidence, "counts") if hits.path or hits.context else ()
    counts = [Link(f"{each} pairs", address(asking, counts=each), each == hits.counts) for each in pairs]
    more = [("Only hits whose", kept), *link_condition(asking), ("Counts", counts)]
    more.append(("Search for", list_other_readings(asking, hits)))
    more += [("Sample", sample)] if wanted.by is None or not SLOT.fullmatch(wanted.by) else []
    more += [("Columns", toggled)] if wanted.by is None else []
    return [each for each in more if each[1]]


def link_keeping(hits: Hits, columns: Sequence[str]) -> list[Link]:
    """Return a link to where the texts of some hits of a pattern or a pair can be kept, where the address chooses them.

    Hits by slots, and what slots attract, are counted in whole subcorpora.
    """
    kind, value = hits.only or ("", None)
    chosen = find_chosen(hits.where) if hits.where else {}
    if kind in ("corpus", *columns):
        chosen = {**chosen, kind: [MISSING if value is None else value]}
    href = link_chosen(chosen) if chosen and hits.subcorpus is None else "/subcorpora"
    text = "to count within these texts, keep them as a subcorpus"
    return [Link(text, href)] if hits.where or chosen else []


def link_condition(asking: Asking) -> list[tuple[str, list[Link]]]:
    """Return the condition on sentences in an address, and the way to go on without it."""
    if (where := asking.get("where")) is None:
        return []
    return [("Only sentences where", [Link(where, address(asking), True), Link("all", address(asking, where=None))])]


def list_other_readings(asking: Asking, hits: Hits) -> list[Link]:
    """Return other readings of a typed word or of typed words."""
    typed = (asking.get("q") or "").strip()
    if not typed or hits.path or hits.context or re.search(r"[\[\]*?]", typed) or typed.startswith(("form:", "/")):
        return []
    if asks_for_pattern(asking.lexicon, typed):
        return []
    if len(typed.split()) > 1:
        pairs = [("the words one by one", sequence_of(typed)), ("a phrase", hits.lexeme if hits.lexeme else typed)]
        return [Link(text, address(asking, q=query), query == hits.lexeme) for text, query in pairs]
    lemma = (hits.lexeme or "").removeprefix("form:").rpartition("/")[0] or typed
    same = list(asking.lexicon.lexemes(lemma, top=6).column("lexeme"))
    queries = [*dict.fromkeys([hits.lexeme or typed, *same, f"form:{lemma}", f"{lemma}*"])]
    return [Link(each, address(asking, q=each), each == hits.lexeme) for each in queries]


def pages_of(asking: Asking, page: int, pages: int) -> list[Link]:
    """Return the links to other pages; a page that does not exist has no address."""
    there = {"first": 1, "previous": page - 1, "next": page + 1, "last": pages}
    exists = {"first": page > 1, "previous": page > 1, "next": page < pages, "last": page < pages}
    return [Link(name, address(asking, page=n) if exists[name] else "") for name, n in there.items()]


def example_searches(asking: Asking) -> list[Link]:
    """Return searches of each kind, for a frequent word of the lexicon."""
    frequent = next((each for each in asking.lexicon if "/" in each and "[" not in each and each[0].isalpha()), None)
    if frequent is None:
        return []
    lemma, _, _ = frequent.rpartition("/")
    sequence = [f'[lemma="{lemma}"] []{{0,2}} [upos="NOUN"]'] if lemma.isalnum() else []
    texts = [frequent, f"form:{lemma}", f"{lemma[:3]}*", f"/{lemma[:2]}.+/", *sequence]
    return [Link(each, address(asking, q=each)) for each in texts]


# What is shown
def facts(lexicon: Lexicon, links: Links, wanted: Wanted, found: Result) -> list[Cell]:
    """Return the number of hits; also per million tokens, or of how many they were drawn or chosen."""
    hits, total, whole = wanted.hits, found[0]["hits"], found[0]["found"]
    shown = [Cell(how_many(total, "hit"))]
    if total != whole:
        shown.append(Cell(f"of {whole:,} in all"))
    size, whose = count_tokens_in(lexicon, hits.subcorpus), "all: " if total != whole else ""
    if hits.only and not (hits.sample or hits.where or OF_TOKENS.fullmatch(hits.only[0])):
        size, whose, whole = sizes_by(lexicon, hits.only[0], hits.subcorpus).get(hits.only[1], 0), "", total
    elif hits.where and not (hits.sample or hits.only or hits.subcorpus):
        size, whose, whole = count_chosen(lexicon, hits.where)["tokens"], "", total
    if whole and size:
        of_these = " tokens of these" if whole == total != found[0]["found"] else ""
        shown.append(Cell(f"{whose}{per_million(whole, size)}{of_these}"))
    for each in filter(None, (hits.lexeme, hits.context)):
        lexeme = sensed(lexicon, each) or each
        if lexeme in lexicon:
            shown.append(Cell(lexeme, links.lexeme(lexeme, hits.subcorpus), is_lexeme=True))
    return shown


def lines_piece(asking: Asking, wanted: Wanted, found: Result) -> Piece:
    """Return the lines of a page."""
    rows = [row for row in found if row["rank"] is not None]
    numbers = [*dict.fromkeys(row["number"] for row in rows)]
    near = around(asking.lexicon, numbers, wanted.around) if wanted.around else {}
    said = metadata_of(asking.lexicon, numbers) if {*wanted.show} - {*OF_SENTENCES} else {}
    lines = [hit_as_line(asking.links, wanted, row, near.get(row["number"], []), said) for row in rows]
    hits = wanted.hits
    given = only_given(
        sort=wanted.sort if wanted.sort in EVIDENCE_SORTS and wanted.sort != "place" else None,
        best=True if wanted.sort == "best" else None,
        sample=hits.sample,
        seed=hits.seed if hits.sample is not None and hits.seed != 1 else None,
        subcorpus=hits.subcorpus,
        counts=None if hits.counts == "direct" else hits.counts,
    )
    named = (hits.lexeme, hits.path, hits.context)
    is_pattern = hits.lexeme is not None and asks_for_pattern(asking.lexicon, hits.lexeme)
    in_sql = [read_asked(asking.lexicon, *named)[1] if is_pattern else None, hits.path, hits.context]
    asked = [Asked("evidence", named, given, f"FROM {call('evidence', in_sql, given)}" if is_pattern else "")]
    note = f"By {SORT_NAMES.get(wanted.sort, wanted.sort)}: {say_rows(wanted, len(rows), found[0]['hits'], 'hit')}"
    content = {"lines": lines, "show": wanted.show, "is_wide": wanted.around is not None}
    exports = link_concordance_files(asking) if rows else []
    return Piece("hits", "Hits", content, asked, [note if rows else "Nothing is found."], exports)


def hit_as_line(
    links: Links, wanted: Wanted, row: dict[str, Any], near: Sequence[tuple[int, str]], said: dict[int, dict[str, str]]
) -> Hit:
    """Return a hit as a line."""
    words, first, last = row["words"], row["first_word"], row["last_word"]
    keyword_at = range(words[first - 1]["place"], words[last - 1]["place"] + 1)
    context_at = [each["place"] for each in words if each["node"] == row["context_position"]]
    given = {"number": row["number"], "first": keyword_at[0], "last": keyword_at[-1]}
    given |= {"context": ",".join(map(str, context_at))} if context_at else {}
    before, keyword, after = three_parts(row)
    name, known = row["sentence"], said.get(row["number"], {})
    is_shown = row["context"] and wanted.hits.context is None
    return Hit(
        name if len(name) <= LONGEST_NAME else f"…{name[1 - LONGEST_NAME :]}",
        cut_before(before),
        keyword,
        cut_after(after),
        marked_words(words, keyword_at, context_at),
        links.page("sentence", **given),
        name_sentence_source(row),
        " ".join(f"/piece{links.page(f'sentence/{each}', **given)}" for each in ("place", "tree")),
        [text for each, text in near if each < row["number"]],
        [text for each, text in near if each > row["number"]],
        Cell(row["context"], links.lexeme(row["context"], wanted.hits.subcorpus), is_lexeme=True) if is_shown else None,
        [(row if each in OF_SENTENCES else known).get(each) or "" for each in wanted.show],
    )


# The form, and files
def form_of(
    asking: Asking, columns: Sequence[str], subcorpora: Sequence[str], slots: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the fields of the form."""
    rows = read_number_in_address("rows", asking.get("rows") or str(ROWS), MOST_ROWS)
    kinds = [*slots, *OF_SENTENCES, *columns]
    selects = [
        ("sort", "Sort by", "", [(each, SORT_NAMES.get(each, each)) for each in [*TYPED_SORTS, *columns]]),
        ("by", "Count by", "nothing", [(each, name_kind(each)) for each in [*kinds, *kinds_of_tokens()]]),
        ("view", "Show", "", [(each, VIEW_NAMES[each]) for each in VIEWS]),
        ("rows", "Lines", "", [(str(each), str(each)) for each in sorted({20, 50, 100, 500, rows})]),
    ]
    if subcorpora:
        selects.insert(0, ("subcorpus", "In", "the whole", [(each, each) for each in subcorpora]))
    usual = {"sort": "place", "view": "lines", "rows": str(ROWS)}
    chosen = {key: asking.get(key) or usual.get(key, "") for key in TAKES}
    kept = ("show", "at", "value", "counts", "seed", "where")
    return {"selects": selects, "chosen": chosen, "kept": kept, "pages": [], "last": 1}


SORT_NAMES = {"best": "good examples"}
VIEW_NAMES = {
    "lines": "lines", "sentences": "sentences", "1 around": "sentences, 1 before and after",
    "2 around": "sentences, 2 before and after", "5 around": "sentences, 5 before and after",
}  # fmt: skip


def concordance_as_file(asking: Asking) -> tuple[list[str], list[list[Any]]]:
    """Return the names and rows of a concordance, or of its breakdown: its first lines. Raise QuestionError."""
    columns, names = list_metadata_columns(asking.lexicon), list_kept_subcorpora(asking.lexicon)
    if not asking.get("q") and asking.get("context") is None:
        raise QuestionError("name what to look for, e.g. ?q=dog/NOUN")
    wanted = replace(wanted_of(asking, columns, names), page=1, rows=IN_FILE)
    if wanted.by is not None:
        own, _, _ = answer_concordance(asking.lexicon, replace(wanted, rows=1))
        if SLOT.fullmatch(wanted.by):
            answer = ask_slot(asking, own).answer(asking.lexicon)
            return [*answer.columns], [[*row] for row in answer.rows[:IN_FILE]]
        return count_values(asking, own, IN_FILE)[:2]
    own, found, _ = answer_concordance(asking.lexicon, wanted)
    rows = [row for row in found if row["rank"] is not None]
    numbers = [row["number"] for row in rows]
    said = metadata_of(asking.lexicon, numbers)
    more = ["lexeme", "position", "context", "context_position"]
    head = ["corpus", "document", "sentence", *columns, "before", "keyword", "after", *more, "sentence_number"]
    lines = [
        [
            row["corpus"], row["document"], row["sentence"], *(said[row["number"]].get(each) for each in columns),
            *three_parts(row), *(row[each] for each in more), row["number"],
        ]
        for row in rows
    ]  # fmt: skip
    return head, lines


def three_parts(row: dict[str, Any]) -> list[str]:
    """Return the text of a hit before its keyword, the keyword, and the text after it."""
    words, first, last = row["words"], row["first_word"], row["last_word"]
    return [text_between(words, 0, first - 1), text_between(words, first - 1, last), text_between(words, last)]
