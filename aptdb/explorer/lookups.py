"""Look up in a lexicon: typed lexemes and phrases, subcorpora, sizes, columns of metadata."""

import re
from collections.abc import Sequence

from aptdb.core.errors import PhraseError, QuestionError, warnings_heard
from aptdb.core.phrase import Phrase
from aptdb.explorer.content import Asking, format_thousands
from aptdb.lexicon import Lexicon
from aptdb.questions import concordances
from aptdb.questions.concordances import Hits
from aptdb.store.methods import of_session
from aptdb.store.statements import statement

TIMES = ("year", "decade", "date")  # columns whose values are times
GENRES = ("genre", "register", "text_type", "category", "domain")  # columns that tell kinds of text apart
MOST_WORDS = 20  # of a phrase on a page
SENSE = re.compile(r"(.+)#[0-9]+", re.DOTALL)
page_of_hits = of_session(concordances.page_of_hits)
# The rows of a statement of ours; to ask it as a user's SQL would take five.
look_up = of_session(lambda session, name, **values: session.ask(statement(name), values))


def look_up_lexeme(lexicon: Lexicon, text: str) -> str:
    """Return a typed lexeme, or the likeliest lexeme of a word. Raise QuestionError."""
    return lexicon[lexicon.as_lexeme(text)].lexeme


def read_lexeme_in_address(asking: Asking) -> tuple[str, str | None]:
    """Return the lexeme that an address asks about, and its subcorpus. Raise QuestionError."""
    return look_up_lexeme(asking.lexicon, asking.given["x"]), asking.get("subcorpus")


def read_phrase_in_address(asking: Asking) -> tuple[str, str | None]:
    """Return the phrase that an address asks about, in brackets, and its subcorpus. Raise QuestionError."""
    return as_phrase(asking.lexicon, asking.given["x"]), asking.get("subcorpus")


def usual_space(lexicon: Lexicon, page: str, x: str | None) -> str | None:
    """Return the reduced space in which a page finds neighbours where nothing is set; None if there is none.

    It has a vector of the word, or of the phrase's root.
    """
    if not x or page not in ("lexeme", "phrase") or not lexicon.stored.spaces().rows:
        return None
    try:
        with warnings_heard():  # how words are read, which the page says
            phrase = Phrase.parse(look_up_lexeme(lexicon, x) if page == "lexeme" else as_phrase(lexicon, x))
    except (QuestionError, PhraseError):  # there is no such word, which the page says
        return None
    found = look_up(lexicon, "explorer/usual_space", root=phrase.lexeme).rows
    return str(found[0][0]) if found else None


def per_million(frequency: int, size: int) -> str:
    """Return a frequency per million tokens."""
    return f"{format_thousands(frequency / size * 1e6, 1)} per million" if size else ""


def frequencies_of(lexicon: Lexicon, lexemes: list[str], subcorpus: str | None) -> dict[str, int]:
    """Return the number of tokens of some lexemes, in the whole or in a subcorpus."""
    if not lexemes:
        return {}
    return dict(look_up(lexicon, "explorer/frequencies", lexemes=lexemes, subcorpus=subcorpus).rows)


def count_tokens_in(lexicon: Lexicon, subcorpus: str | None) -> int:
    """Return the number of tokens, in the whole or in a subcorpus."""
    if subcorpus is None:
        return int(sum(lexicon.corpora().column("tokens")))
    return int(next(row["tokens"] for row in lexicon.stored.subcorpora() if row["subcorpus"] == subcorpus))


def count_hits(lexicon: Lexicon, x: str, subcorpus: str | None) -> int:
    """Return how often a phrase occurs, as its concordance has it; 0 for what cannot be asked, as other pieces say."""
    try:
        return int(page_of_hits(lexicon, Hits(x, subcorpus=subcorpus), "place", 0, 0)[0]["hits"])
    except QuestionError:
        return 0


def list_kept_subcorpora(lexicon: Lexicon) -> list[str]:
    """Return the names of the kept subcorpora."""
    return [str(each) for each in lexicon.stored.subcorpora().column("subcorpus")]


def look_up_tag(lexicon: Lexicon, text: str) -> str:
    """Return the part of speech that a text names, whatever its capitals. Raise QuestionError if there is none."""
    known = [str(each) for each in look_up(lexicon, "completion/tags").column("pos")]
    same = [each for each in known if each.casefold() == text.casefold()]
    if not same:
        raise QuestionError(f"no part of speech {text:.60}; available: {', '.join(known) or 'none'}")
    return text if text in same else same[0]


def list_metadata_columns(lexicon: Lexicon) -> list[str]:
    """Return the columns of metadata, of documents and sentences, each once."""
    return [*dict.fromkeys(map(str, look_up(lexicon, "completion/columns").column("column_name")))]


def time_of(columns: Sequence[str]) -> str | None:
    """Return the column of times; None without one."""
    return next((each for each in TIMES if each in columns), None)


def find_genre(columns: Sequence[str]) -> str | None:
    """Return the column of genres; None without one."""
    return next((each for each in GENRES if each in columns), None)


def choose_sparkline(lexicon: Lexicon, columns: Sequence[str]) -> str | None:
    """Return the column whose values the sparkline compares: times, else genres, else corpora; None for one corpus."""
    return time_of(columns) or find_genre(columns) or ("corpus" if len(lexicon.corpora()) > 1 else None)


def sensed(lexicon: Lexicon, text: str) -> str | None:
    """Return the lexeme of which a text names a sense, stored or not; None if it is no such name."""
    found = SENSE.fullmatch(text)
    return found[1] if found and found[1] in lexicon and text not in lexicon else None


def refuse_unknown_value(name: str, value: str | None, known: Sequence[str]) -> None:
    """Raise QuestionError for an unknown value."""
    if value is not None and value not in known:
        there = f"expected {', '.join(known)}" if known else "there is none"
        raise QuestionError(f"no {name} {value}; {there}")


def as_phrase(lexicon: Lexicon, text: str) -> str:
    """Return a phrase in brackets; for typed words the likeliest reading.

    Raises QuestionError and PhraseError.
    """
    if text.endswith("]"):
        return str(look_up_phrase(Phrase.parse(text)))
    return str(look_up_phrase(lexicon.read(text)[0].phrase))


def look_up_phrase(phrase: Phrase) -> Phrase:
    """Return a phrase. Raise QuestionError if it is one word."""
    if not phrase.dependents:
        raise QuestionError(f"{phrase.lexeme} is one word; a phrase has two or more")
    if (many := len(phrase.words())) > MOST_WORDS:
        raise QuestionError(f"the phrase has {many} words; a page takes up to {MOST_WORDS}")
    return phrase


def has_trees(lexicon: Lexicon) -> bool:
    """Return whether some corpus has sentences, so that occurrences can be looked at."""
    return "trees" in lexicon.corpora().column("kind")


def has_senses(lexicon: Lexicon) -> bool:
    """Return whether senses can be found: there are a space and sentences."""
    return bool(lexicon.stored.spaces().rows) and has_trees(lexicon)


def list_empty_pages(lexicon: Lexicon) -> list[str]:
    """Return the pages that would be empty: of changes over time without times, of subcorpora without metadata."""
    columns = list_metadata_columns(lexicon)
    tell_apart = columns or len(lexicon.corpora()) > 1
    return [*([] if time_of(columns) else ["trend"]), *([] if tell_apart else ["subcorpora"])]


def either(lexicon: Lexicon, text: str) -> str:
    """Return a lexeme or a phrase in brackets."""
    if text.endswith("]") or (len(text.split()) > 1 and text not in lexicon):
        return as_phrase(lexicon, text)
    return look_up_lexeme(lexicon, text)
