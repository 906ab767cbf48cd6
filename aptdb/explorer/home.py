"""The first page, and the search."""

import re
from collections.abc import Sequence
from typing import Any

from aptdb.core.errors import AptError, warnings_heard
from aptdb.core.phrase import find_unfinished_word, quoted_lexeme, unquote_written
from aptdb.core.settings import lower_letters, normalise_lexeme
from aptdb.explorer.breakdown_pieces import asks_for_pattern
from aptdb.explorer.content import Asked, Asking, Cell, Link, Links, Page, Piece, Table, format_thousands, only_given
from aptdb.explorer.lookups import (
    GENRES,
    has_senses,
    has_trees,
    list_kept_subcorpora,
    list_metadata_columns,
    look_up,
    sensed,
    time_of,
)
from aptdb.explorer.word_pieces import make_lexeme_table
from aptdb.lexicon import Lexicon
from aptdb.questions.execute import REGULAR
from aptdb.store.statements import literal

FREQUENT = 12  # lexemes of each part of speech
TAGS = 6  # parts of speech
CORPORA = 20


def home(lexicon: Lexicon, links: Links, name: str) -> Page:
    """Return the first page: the contents of the lexicon, and where to begin."""
    corpora, about = lexicon.corpora(), lexicon.info().rows
    sizes = dict(about)
    facts = [Cell(f"{int(sizes[each]):,} {each}") for each in ("tokens", "lexemes", "sentences") if int(sizes[each])]
    rows = [
        (Cell(row["name"]), Cell(format_thousands(row["sentences"])), Cell(format_thousands(row["tokens"])))
        for row in corpora[:CORPORA]
    ]
    more = [f"{len(corpora) - CORPORA:,} more corpora"] if len(corpora) > CORPORA else []
    question = Asked("corpora", (), {}, "SELECT corpus, sentences, tokens FROM corpora")
    table = Table((("name", False), ("sentences", True), ("tokens", True)), rows)
    words = frequent(lexicon, links)
    pieces = [words, Piece("table", "Corpora", table, [question], more), *list_subcorpora(lexicon, links)]
    values = [(Cell(key), Cell(value)) for key, value in about if key != "file"]
    settings = Table((("property", False), ("value", False)), values)
    pieces.append(Piece("folded", "How it counts", settings, [Asked("info", has_sql=False)]))
    ways = list_ways(lexicon, links, words.content[0]) if links.can_ask else []
    return Page(name, "Lexicon", facts, pieces=pieces, form={"ways": ways}, template="home.html")


def list_ways(lexicon: Lexicon, links: Links, tables: list[Table]) -> list[tuple[str, str, list[Link]]]:
    """Return what one can do with this lexicon: a name, what it shows, and examples. tables: frequent lexemes."""
    named = [[row[0].text for row in each.rows if row[0].text.partition("/")[0].isalpha()] for each in tables]
    if not any(named):
        return []
    named = [each for each in named if each]
    x, *others = named[0]
    described = [Link(each[0], links.lexeme(each[0])) for each in named[:3]]
    senses = "its senses, " if has_senses(lexicon) else ""
    ways = [("Describe a word", f"What it occurs with, what is like it, {senses}good examples.", described)]
    met = look_up(lexicon, "explorer/partner_of", lexeme=x, is_alike=False)
    if met.rows:
        phrase = f"{met[0]['lemma']} {lexicon[x].lemma}"
        about = "How often it occurs, and what each word makes of the other."
        ways.append(("Understand a phrase", about, [Link(phrase, links.phrase(phrase))]))
    ways += [each for each in [list_ways_to_compare(lexicon, links, x, others)] if each[2]]
    if has_trees(lexicon):
        found = [Link(f"in a sentence with {x}", links.page("construction", q=x))]
        if met.rows and met[0]["pos"]:
            pattern = f"{lexicon[x].pos}[{met[0]['relation']} {met[0]['pos']}]"
            found.append(Link(pattern, links.page("concordance", q=pattern)))
        ways.append(("Find a construction", "Choose words and arcs of a sentence; find all that is built so.", found))
    if column := time_of(list_metadata_columns(lexicon)):
        over = [Link(f"{each} by {column}", links.page("lexeme/trend", x=each)) for each in (x, *others[:1])]
        ways.append(("Follow a word through time", "How frequent it is, with a test of its growth.", over))
    query = f"FROM neighbours({literal(x)}, top := 20)"
    ways.append(("Ask in SQL", "All that the lexicon holds, in DuckDB's SQL.", [Link(query, links.sql(query))]))
    return ways


def list_ways_to_compare(lexicon: Lexicon, links: Links, x: str, others: list[str]) -> tuple[str, str, list[Link]]:
    """Return how to compare kinds of text, as far as they are known; else words."""
    names, columns = list_kept_subcorpora(lexicon), list_metadata_columns(lexicon)
    genres = [Link(f"{x} by {each}", links.page("lexeme/places", x=x, by=each)) for each in GENRES if each in columns]
    if names:
        first, second = names[0], names[1] if len(names) > 1 else None
        text = f"what is typical of {first}{f', beside {second}' if second else ''}"
        typical = Link(text, links.page("compare", subcorpus=first, subcorpus_b=second))
        return "Compare parts of the corpus", "What is typical of one, beside another.", [typical, *genres[:1]]
    if genres:
        return "Compare genres", "In which texts a word is frequent.", genres[:1]
    alike = look_up(lexicon, "explorer/partner_of", lexeme=x, is_alike=True).column("lexeme")
    pairs = [Link(f"{x} and {each}", links.compare(x, each)) for each in [*alike, *others][:1]]
    return "Compare two words", "What both occur with, and what only one of them does.", pairs


def frequent(lexicon: Lexicon, links: Links) -> Piece:
    """Return the most frequent lexemes of the most common parts of speech."""
    tags = look_up(lexicon, "explorer/common_tags", most=TAGS).column("pos")
    questions = [Asked("lexemes", (), only_given(pos=tag, top=FREQUENT)) for tag in tags or [None]]
    tables = [make_lexeme_table(links, each.answer(lexicon), each.parameters.get("pos", "")) for each in questions]
    return Piece("blocks", "Frequent lexemes", (tables, []), questions)


def list_subcorpora(lexicon: Lexicon, links: Links) -> list[Piece]:
    """Return the kept subcorpora as a piece; none if there are none."""
    rows = []
    for row in lexicon.stored.subcorpora():
        name = Cell(row["subcorpus"], links.page("compare", subcorpus=row["subcorpus"]))
        rows.append((name, Cell(row["condition"]), Cell(format_thousands(row["tokens"]))))
    table = Table((("subcorpus", False), ("condition", False), ("tokens", True)), rows)
    asked = [Asked("stored.subcorpora", (), {}, "FROM subcorpora")]
    return [Piece("table", "Subcorpora", table, asked)] if rows else []


MOST = 60  # lexemes that are shown
COMPLETED = 12  # values that completion shows
PATTERN = "*?"
BY_FAR = 10  # times the tokens of the next lexeme with the same lemma: a search leads to such a one
RARE = 0.02  # of the tokens that are written so: rarer readings are not offered
WORDS = re.compile(r"((?:[\w'’-]+ +)+)([\w'’-]*)")  # of a phrase, the last of them unfinished
NO_WORD = re.compile(r"no word (\S+) \(of (['\"])(.+)\2\) in this lexicon; did you mean ")


def found_at(lexicon: Lexicon, links: Links, text: str) -> str | None:
    """Return the address of the page that a search text means; None if there are several, or none."""
    if text in lexicon:
        return links.lexeme(text)
    in_sentences = text.startswith(("form:", "[")) or REGULAR.match(text) or sensed(lexicon, text)
    if in_sentences or asks_for_pattern(lexicon, text):
        return links.page("concordance", q=text)
    if text.endswith("]") or len(text.split()) > 1:
        return links.phrase(text)
    if {*text} & {*PATTERN}:
        return None
    with warnings_heard():
        same = lexicon.lexemes(text, top=2)
        frequencies = [*same.column("frequency"), 0]
        if same.rows and frequencies[0] >= BY_FAR * frequencies[1]:
            return links.lexeme(same[0]["lexeme"]) if lexicon.as_lexeme(text) == same[0]["lexeme"] else None
    return None if same.rows else page_of_other_spelling(lexicon, links, text)


def page_of_other_spelling(lexicon: Lexicon, links: Links, text: str) -> str | None:
    """Return the page of a text that is written otherwise, e.g. Dog, DOG/NOUN or dogs; None if there is none.

    It is that of the lexeme whose form it is; of the form, if there are several.
    """
    if "/" in text:
        normal = normalise_lexeme(lexicon.settings, text)
        return links.lexeme(normal) if normal in lexicon else None
    with warnings_heard():  # the page says the same
        if lexicon.as_lexeme(text) not in lexicon:
            return None
        is_one = len(lexicon.read(text)) == 1
    return links.lexeme(text) if is_one else links.page("concordance", q=f"form:{text}")


def find_similar_spellings(asking: Asking, text: str) -> Page:
    """Return the lexemes with this lemma, else those that begin with it; and similar spellings."""
    lexicon, links = asking.lexicon, asking.links
    is_word = not {*text} & {*PATTERN}
    question = Asked("lexemes", (text,), {"top": MOST})
    with warnings_heard():  # this page says the same
        found, note = question.answer(lexicon), ""
        if not found.rows and is_word:
            question = Asked("lexemes", (f"{text}*",), {"top": MOST})
            found, note = question.answer(lexicon), nothing_is(lexicon, text)
        read = lexicon.read(text) if found.rows and is_word and not note else []
    names = [str(each.phrase) for each in read if each.share >= RARE]
    forms = [Link(each, links.lexeme(each)) for each in names if each not in [*found.column("lexeme"), "_/X"]]
    near = [] if found.rows else near_ones(asking, note)
    notes = [f"There is no lexeme {text}{'' if found.rows else ', and none that begins so'}."] if note else []
    if not found.rows and not is_word:
        notes.append(f"No lexeme matches {text!r}.")
    if len(found) == MOST:
        notes.append(f"These are the {MOST} most frequent; more letters find fewer.")
    groups = [group for group in (("Is one of these meant?", near), (f"{text} is a form of", forms)) if group[1]]
    pieces = [Piece("table", "Lexemes", make_lexeme_table(links, found), [question])] if found.rows else []
    return Page(text, "Search", (), groups, pieces=pieces, notes=notes, query=text)


def near_ones(asking: Asking, message: str) -> list[Link]:
    """Return the pages of the lexemes that a refusal names; of a phrase, those of the phrase with these words."""
    names = message.partition("did you mean ")[2].partition("?")[0].split(", ")
    names = [each for each in names if each in asking.lexicon]
    if found := NO_WORD.match(message):
        lemmas = dict.fromkeys(asking.lexicon[each].lemma for each in names)
        texts = [" ".join(each if word == found[1] else word for word in found[3].split()) for each in lemmas]
        return [Link(each, asking.links.phrase(each)) for each in texts]
    return [Link(each, asking.links.lexeme(each)) for each in names]


def nothing_is(lexicon: Lexicon, text: str) -> str:
    """Return the message for a text without lexemes, with similar lexemes."""
    try:
        with warnings_heard():
            lexicon[text]
    except AptError as error:
        return f"{error}."
    return ""


def completed(lexicon: Lexicon, kind: str, text: str) -> list[dict[str, Any]]:
    """Return completions of a text: each value with its meaning.

    kind: `sql` for names in SQL, else a lexeme or phrase.
    """
    if kind == "sql":
        names = lexicon.sql("SELECT name, kind, meaning FROM aptdb_help ORDER BY name")
        return [{"value": row["name"], "means": f"{row['kind']}: {row['meaning']}"} for row in names]
    at = find_unfinished_word(text)
    if not at.depth:
        return complete_words(lexicon, text)
    if at.relation is None:
        named = look_up(lexicon, "completion/relations", begin=at.typed).rows
        return values_for_browser(at.before, [(f"{name} ", count) for name, count in named], "")
    beginning, head = at.typed.replace('"', ""), unquote_written(at.head or "")
    given = {"lexeme": head, "path": f">{at.relation}", "begin": beginning, "most": COMPLETED}
    found = look_up(lexicon, "completion/contexts", **given).rows or offer_lexemes(lexicon, beginning)
    return values_for_browser(at.before, [(quoted_lexeme(name), count) for name, count in found], "]" * at.depth)


def complete_words(lexicon: Lexicon, text: str) -> list[dict[str, Any]]:
    """Return completions of typed words: of several, what those before the last one meet; of one, forms too."""
    found = offer_lexemes(lexicon, text)
    if (words := WORDS.fullmatch(text)) and not found:
        given = {"before": lower_letters(words[1]).split(), "begin": lower_letters(words[2]), "most": COMPLETED}
        return values_for_browser(words[1], look_up(lexicon, "explorer/next_words", **given).rows, "")
    if text and len(found) < COMPLETED:
        given = {"begin": lower_letters(text), "most": COMPLETED - len(found)}
        found += look_up(lexicon, "explorer/forms", **given).rows
    return values_for_browser("", found, "")


def offer_lexemes(lexicon: Lexicon, begin: str) -> list[tuple[Any, ...]]:
    """Return the most frequent lexemes that begin with a text, and stored senses. Other entries have no page."""
    found = look_up(lexicon, "completion/lexemes", begin=begin, most=COMPLETED).rows
    return [(name, frequency) for name, frequency in found if frequency is not None or sensed(lexicon, name)]


def values_for_browser(before: str, found: Sequence[tuple[Any, ...]], after: str) -> list[dict[str, Any]]:
    """Return values as JSON for the browser."""
    return [
        {"value": f"{before}{name}{after}", "means": format_thousands(count) if isinstance(count, int) else count or ""}
        for name, count in found[:COMPLETED]
    ]
