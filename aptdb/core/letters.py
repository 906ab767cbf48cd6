"""Letters in lower case and in Unicode's normal form C, as DuckDB has them: what is asked as what was counted."""

from collections.abc import Iterable
from dataclasses import replace
from unicodedata import normalize

from aptdb.core.settings import Settings


def lower_letters(text: str) -> str:
    """Return a text in lower case, as DuckDB's lower() returns it: letter by letter.

    str.lower() makes a ς of the last Σ of a word and two letters of İ, so that it is not to be used for words.
    """
    return text.lower() if text.isascii() else "".join(map(str.lower, text.replace("İ", "i")))


def normalise_lexeme(settings: Settings, lexeme: str) -> str:
    """Return a lexeme with its lemma as the settings of a lexicon have it; without a part of speech it is a lemma."""
    lemma, slash, pos = lexeme.rpartition("/") if "/" in lexeme else (lexeme, "", "")
    composed = normalize("NFC", lemma) if settings.nfc else lemma
    return f"{lower_letters(composed) if settings.lowercase else composed}{slash}{pos}"


def name_letters(settings: Settings, lexemes: Iterable[str]) -> str:
    """Return what the letters of a lexicon are, for lexemes that it has in others."""
    lowered = replace(settings, nfc=False)
    is_lower = any(normalise_lexeme(lowered, each) != each for each in lexemes)
    return "in lower case" if is_lower else "in Unicode's NFC (--nfc)"
