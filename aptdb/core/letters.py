"""Letters in lower case, as DuckDB has them: what is asked is lowered as what was counted."""


def lower_letters(text: str) -> str:
    """Return a text in lower case, as DuckDB's lower() returns it: letter by letter.

    str.lower() makes a ς of the last Σ of a word and two letters of İ, so that it is not to be used for words.
    """
    return text.lower() if text.isascii() else "".join(map(str.lower, text.replace("İ", "i")))
