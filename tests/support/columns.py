"""Texts of three words in columns of any names, and what is read of them."""

import io

from aptdb.core.settings import Settings
from aptdb.corpus.sources import Source
from aptdb.questions.readings import sentence_rows

USUAL = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
MORE = f"{USUAL} PARSEME:MWE"
CELLS = (
    ("1", "Dogs", "dog", "NOUN", "NNS", "Number=Plur", "2", "nsubj", "_", "_", "*"),
    ("2", "chase", "chase", "VERB", "VBP", "_", "0", "root", "_", "_", "1:VID"),
    ("3", "cats", "cat", "NOUN", "NNS", "Number=Plur", "2", "obj", "_", "SpaceAfter=No", "1"),
)


def lines(names: str) -> str:
    """A sentence in columns of these names."""
    found = [dict(zip(MORE.split(), cells, strict=True)) for cells in CELLS]
    return "".join("\t".join(cells.get(name.upper(), "x") for name in names.split()) + "\n" for cells in found) + "\n"


def declared(names: str, after: str = "") -> str:
    """The same, below a line that declares them, and what comes after that."""
    return f"# global.columns = {names}\n{after}{lines(names)}"


def read(text: str, lexeme: str = "{lemma}/{upos}") -> list[tuple[object, ...]]:
    """The words of a text: number, lexeme, head, relation."""
    rows = sentence_rows(Settings(lexeme=lexeme), Source(io.BytesIO(text.encode())))
    return [word for _, words in rows for word in words]


def words_of(heads: list[int], *, faulty: bool = False, kinds: int = 1) -> bytes:
    """A sentence of words with these heads; faulty: the last has a column less. kinds: of relations."""
    lines = [
        f"{number}\tw{number}\tw{number}\tNOUN\t_\t_\t{head}\t{f'r{number % kinds}' if head else 'root'}\t_\t_"
        for number, head in enumerate(heads, 1)
    ]
    lines[-1] = lines[-1][: -2 if faulty else None]
    return "\n".join(lines).encode() + b"\n\n"
