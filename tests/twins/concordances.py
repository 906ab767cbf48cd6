"""A concordance of CoNLL-U, line by line: hits by lemma or form, their order, and what is beside them."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Sentence:
    """A sentence of a document: its words, each with its form, lemma and part of speech, and its metadata."""

    document: str | None
    metadata: dict[str, str]
    words: list[tuple[str, str, str]] = field(default_factory=list)


def read(text: str) -> list[Sentence]:
    """The sentences of CoNLL-U, whose documents say their metadata as # meta::name = value."""
    document, known, found = None, dict[str, str](), list[Sentence]()
    for block in text.strip().split("\n\n"):
        for line in block.split("\n"):
            name, _, value = line.removeprefix("# ").partition(" = ")
            if line.startswith("# newdoc"):
                document, known = value, {}
            elif line.startswith("# meta::"):
                known[name.removeprefix("meta::")] = value
        rows = [line.split("\t") for line in block.split("\n") if line[:1].isdigit()]
        own = Sentence(document, known)
        own.words = [(row[1], row[2], row[3]) for row in rows if row[0].isdigit()]
        found.append(own)
    return found


def value(sentences: list[Sentence], hit: tuple[int, int], kind: str) -> str | None:
    """A value of a hit, which is a sentence and a place there: as left1:lemma, keyword:form, document, or metadata."""
    sentence = sentences[hit[0]]
    where, colon, attribute = kind.partition(":")
    if not colon:
        return sentence.document if kind == "document" else sentence.metadata.get(kind)
    away = {"k": 0, "l": -1, "r": 1}[where[0]] * (1 if where == "keyword" else int(where[-1]))
    place = hit[1] + away
    if not 0 <= place < len(sentence.words):
        return None
    form, lemma, upos = sentence.words[place]
    return {"form": form.lower(), "lemma": lemma, "upos": upos}[attribute]


def hits(sentences: list[Sentence], query: str, only: tuple[str, str] | None = None) -> list[tuple[int, int]]:
    """The places of a lexeme (dog/NOUN) or of a form (form:dogs), in their order; of those with a value alone."""
    found = []
    for at, sentence in enumerate(sentences):
        for place, (form, lemma, upos) in enumerate(sentence.words):
            is_it = (
                form.lower() == query[5:].lower() if query.startswith("form:") else f"{lemma.lower()}/{upos}" == query
            )
            if is_it and (only is None or value(sentences, (at, place), only[0]) == only[1]):
                found.append((at, place))
    return found


def in_order(sentences: list[Sentence], found: list[tuple[int, int]], sort: str) -> list[tuple[int, int]]:
    """Hits sorted by the word before or after, by the keyword, or by metadata: numbers, then texts, then none."""
    words = {"before": "left1:form", "after": "right1:form", "keyword": "keyword:form"}

    def key(hit: tuple[int, int]) -> tuple[object, ...]:
        if sort == "place":
            return hit
        own = value(sentences, hit, words.get(sort, sort))
        if sort in words:
            return (own or "", hit)
        if own is None:
            return (2, 0.0, "", hit)
        return (0, float(own), own, hit) if own.isdigit() else (1, 0.0, own, hit)

    return sorted(found, key=key)


def counted(sentences: list[Sentence], found: list[tuple[int, int]], kind: str) -> Counter[str | None]:
    """How many hits have each value."""
    return Counter(value(sentences, hit, kind) for hit in found)
