"""A phrase that is not finished: which of its lexemes or relations is being typed."""

import re
from dataclasses import dataclass

BARE = re.compile(r'[^\s\[\],"]*')
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"[^\s\[\],]*')


@dataclass
class Begun:
    """What stands at the end of a phrase that is not finished.

    before: the text before it. typed: how much of it is there. head, relation: what a lexeme hangs from, and how; a
    relation that is being typed is None. depth: how many brackets are open.
    """

    before: str
    typed: str
    head: str | None = None
    relation: str | None = None
    depth: int = 0


def begun(text: str) -> Begun:
    """What is being typed at the end of a text: its first lexeme, a relation, or a lexeme that hangs from another."""
    heads: list[str] = []
    last, relation, place = "", None, 0
    while True:
        word = (QUOTED.match(text, place) or BARE.match(text, place) or [""])[0]
        after = place + len(word)
        if after == len(text):
            head = heads[-1] if heads else None
            return Begun(text[:place], word, head, relation, len(heads))
        each = text[after]
        if each == " " and heads and relation is None and word:
            relation = word
        elif word:
            last = word
        if each == "[":
            heads.append(last)
        elif each == "]" and heads:
            last = heads.pop()
        relation = None if each in "[,]" else relation
        place = after + 1
