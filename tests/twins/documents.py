"""The documents of CoNLL-U, block by block: which each sentence is in, and what comments say of both."""

from dataclasses import dataclass, field

Said = dict[str, list[str]]


@dataclass
class Documents:
    """The document of each sentence that is a tree, what is said of each such sentence, and of each document."""

    of_sentences: list[str] = field(default_factory=list)
    sentences: list[Said] = field(default_factory=list)
    documents: dict[str, Said] = field(default_factory=dict)


def read(text: str, corpus: str) -> Documents:
    """The documents of a text; without words a block is read as if it stood at the top of the next."""
    found, document, begun = Documents(), corpus, 0
    waiting: list[tuple[str, str]] = []
    of_sentence: list[tuple[str, str]] = []
    for block in text.split("\n\n"):
        comments = [parted(line) for line in block.split("\n") if line.startswith("#")]
        words = [line.split("\t") for line in block.split("\n") if line[:1].isdigit()]
        starts = [value for name, value in comments if name in ("newdoc", "newdoc id")]
        if starts:
            begun += 1
            document = next((each for each in reversed(starts) if each), f"{corpus}#{begun}")
        waiting += [(name, value) for each, value in comments if value and (name := of_document(each))]
        of_sentence += [(name, value) for name, value in comments if value and not of_document(name)]
        if starts or words:
            say(found.documents.setdefault(document, {}), waiting)
            waiting = []
        if words and all(int(word[6]) <= len(words) for word in words):
            found.of_sentences.append(document)
            found.sentences.append(say({}, of_sentence))
        of_sentence = [] if words else of_sentence
    say(found.documents.setdefault(document, {}), waiting)
    found.documents = {name: found.documents[name] for name in {*found.of_sentences}}
    return found


def parted(line: str) -> tuple[str, str]:
    """The name and the value of a comment, '' where it has none."""
    name, _, value = line[1:].partition("=")
    return name.strip(), value.strip()


def of_document(name: str) -> str:
    """What a comment of documents is called; '' for another one."""
    return name if name == "doc_title" else name[6:] if name.startswith("meta::") else ""


def say(said: Said, comments: list[tuple[str, str]]) -> Said:
    """Add to what is said already; the same value once."""
    for name, value in comments:
        if value not in said.setdefault(name, []):
            said[name].append(value)
    return said
