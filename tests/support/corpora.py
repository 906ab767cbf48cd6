"""The shared corpora, and small ones that several modules count."""

import gzip
from pathlib import Path

import pytest

from twins.trees import Token

SHARED = Path(__file__).parents[3] / "shared"
GENRES = ("academic", "conversation", "fiction", "news")  # of GUM, those that tests take apart


def corpus_file(name: str) -> Path:
    """A shared corpus; the test skips, saying so, where it is missing."""
    file = SHARED / "corpora" / f"{name}.conllu.gz"
    if not file.exists():
        pytest.skip(f"the corpus {file.name} is not beside this checkout (../shared/corpora)")
    return file


def unpacked(name: str) -> bytes:
    """The bytes of a shared corpus."""
    return gzip.decompress(corpus_file(name).read_bytes())


def documents_of(genre: str, most: int = 5) -> bytes:
    """The first documents of GUM that are of a genre, in its own lines."""
    chosen: list[str] = []
    mine, number = False, 0
    for block in unpacked("en_gum").decode().split("\n\n"):
        if "# newdoc id" in block:
            mine = f"# meta::genre = {genre}\n" in block and number < most
            number += mine
        if mine:
            chosen.append(f"{block}\n\n")
    return "".join(chosen).encode()


# One sentence.
DOGS = (
    "# sent_id = dogs\n1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No\n"
    "3\t!\t!\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n"
)
# A table of counts, as two words of that sentence have them.
COUNTS = (
    "lexeme\tpath\tcontext\tcount\n"
    "dog/NOUN\t<nsubj\tbark/VERB\t3\nbark/VERB\t>nsubj\tdog/NOUN\t3\ndog/NOUN\tε\tdog/NOUN\t7\nbark/VERB\t\tbark/VERB\t4\n"
)
# What the commands are tried on.
TREES = [
    [
        Token("A", "a", "DET", "_", 3, "det"),
        Token("wooden", "wooden", "ADJ", "_", 3, "amod"),
        Token("floor", "floor", "NOUN", "_", 4, "nsubj"),
        Token("creaks", "creak", "VERB", "_", 0, "root"),
    ],
    [Token("small", "small", "ADJ", "_", 2, "amod"), Token("dog", "dog", "NOUN", "_", 0, "root")],
    [Token("small", "small", "ADJ", "_", 2, "amod"), Token("cat", "cat", "NOUN", "_", 0, "root")],
    [Token("good", "good", "ADJ", "_", 2, "amod"), Token("dog", "dog", "NOUN", "_", 0, "root")],
    [Token('"', '"', "PUNCT", "_", 2, "punct"), Token("[brown]", "[brown]", "X", "_", 0, "root")],
]
# Noun phrases that share their words with those.
MORE = [
    [Token(adjective, adjective, "ADJ", "_", 2, "amod"), Token(noun, noun, "NOUN", "_", 0, "root")]
    for adjective, noun in (("brown", "dog"), ("brown", "cat"), ("brown", "floor"), ("old", "floor"), ("old", "dog"))
]


def tree(words: str, xpos: str = "_") -> list[Token]:
    """A sentence of words that are written as FORM LEMMA UPOS HEAD RELATION, with commas between them."""
    rows = (word.split() for word in words.split(","))
    return [Token(form, lemma, upos, xpos, int(head), relation) for form, lemma, upos, head, relation in rows]


def noun_phrase(noun: str, adjective: str, relation: str = "amod") -> list[Token]:
    """A noun with an adjective."""
    return [Token(adjective, adjective, "A", "_", 2, relation), Token(noun, noun, "N", "_", 0, "root")]
