"""The trees that the twins count."""

from collections.abc import Iterable
from typing import NamedTuple


class Token(NamedTuple):
    """A row of CoNLL-U; its id is its position in the sentence, from 1; head 0 is the root (meaning.md 3.2)."""

    form: str
    lemma: str
    upos: str
    xpos: str
    head: int
    relation: str


Sentence = list[Token]
Corpus = Iterable[Sentence]


def conllu(sentences: Corpus) -> str:
    """Write the sentences as CoNLL-U: ten columns, FEATS, DEPS and MISC empty (meaning.md 3.2 says what is read)."""
    row = "{0}\t{form}\t{lemma}\t{upos}\t{xpos}\t_\t{head}\t{relation}\t_\t_\n".format
    blocks = ["".join(row(i, **token._asdict()) for i, token in enumerate(sentence, 1)) for sentence in sentences]
    return "".join(block + "\n" for block in blocks)
