"""What a lexicon has: lexemes and phrases as they are typed, subcorpora, sizes, what is said of texts."""

from collections.abc import Sequence

from aptdb.core.errors import QuestionError
from aptdb.core.phrase import Phrase
from aptdb.explorer.content import number
from aptdb.explorer.word_pieces import frequencies_of
from aptdb.lexicon import Lexicon
from aptdb.store.statements import statement

TIMES = ("year", "decade", "date")  # columns whose values are times
MOST_WORDS = 20  # of a phrase on a page


def one_lexeme(lexicon: Lexicon, text: str) -> str:
    """Return a lexeme as it is typed, or the likeliest that a word may be. Raises QuestionError."""
    return lexicon[lexicon.as_lexeme(text)].lexeme


def per_million(frequency: int, size: int) -> str:
    """Return how often something occurs in a million tokens."""
    return f"{number(frequency / size * 1e6, 1)} per million" if size else ""


def frequency_of(lexicon: Lexicon, x: str, subcorpus: str | None) -> int:
    """Return how many tokens a lexeme has, in the whole or in a subcorpus."""
    if subcorpus is None:
        return lexicon[x].frequency
    return frequencies_of(lexicon, [x], subcorpus).get(x, 0)


def size_of(lexicon: Lexicon, subcorpus: str | None) -> int:
    """Return how many tokens there are, in the whole or in a subcorpus."""
    if subcorpus is None:
        return int(sum(lexicon.corpora().column("tokens")))
    return int(next(row["tokens"] for row in lexicon.subcorpora() if row["subcorpus"] == subcorpus))


def subcorpora_of(lexicon: Lexicon) -> list[str]:
    """Return the names of the subcorpora that are kept."""
    return [str(each) for each in lexicon.subcorpora().column("subcorpus")]


def columns_of(lexicon: Lexicon) -> list[str]:
    """Return what is said of documents and sentences, by name."""
    return [str(each) for each in lexicon.sql(statement("completion/columns")).column("column_name")]


def time_of(columns: Sequence[str]) -> str | None:
    """Return the column that tells the time; None without."""
    return next((each for each in TIMES if each in columns), None)


def refuse_unknown(name: str, value: str | None, known: Sequence[str]) -> None:
    """Raise QuestionError for a value that there is none of."""
    if value is not None and value not in known:
        there = f"there is {', '.join(known)}" if known else "there is none"
        raise QuestionError(f"no {name} {value}; {there}")


def as_phrase(lexicon: Lexicon, text: str) -> str:
    """Return a phrase in brackets, of words as somebody types them the likeliest.

    Raises QuestionError and PhraseError.
    """
    if text.endswith("]"):
        return str(whole(Phrase.parse(text)))
    return str(whole(lexicon.read(text)[0].phrase))


def whole(phrase: Phrase) -> Phrase:
    """Return the same. Raises QuestionError if it is one word."""
    if not phrase.dependents:
        raise QuestionError(f"{phrase.lexeme} is one word; a phrase has two or more")
    if (many := len(phrase.words())) > MOST_WORDS:
        raise QuestionError(f"the phrase has {many} words; a page takes up to {MOST_WORDS}")
    return phrase
