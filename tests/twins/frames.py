"""The plain twin of subcategorisation frames (meaning.md 6.5)."""

from collections import Counter, defaultdict
from collections.abc import Collection

from twins.counting import Nodes, Rules, normalised
from twins.trees import Corpus, Token

# Universal Dependencies and Stanford Dependencies; a relation stands for its subtypes.
LEFT_OUT = {
    "advmod", "aux", "case", "cc", "clf", "conj", "cop", "det", "discourse", "mark", "parataxis", "punct", "auxpass",
    "complm", "neg", "possessive", "preconj", "predet",
}  # fmt: skip
NO_ARGUMENTS = "(no arguments)"


def base(relation: str) -> str:
    """The relation without its subtype."""
    return relation.partition(":")[0]


def below(nodes: Nodes, head: int, relation: str) -> list[int]:
    """The dependents of a node along a relation or one of its subtypes."""
    return [at for at, node in nodes.items() if node.head == head and base(node.relation) == relation]


def word(node: Token) -> str:
    """The lemma in small letters; without one, the form."""
    return (node.form if node.lemma == "_" else node.lemma).lower()


def shown(nodes: Nodes, at: int) -> str:
    """The relation of a dependent, with its adpositions in brackets: those along case, and what is fixed to them."""
    cases = below(nodes, at, "case")
    words = sorted([*cases, *(more for case in cases for more in below(nodes, case, "fixed"))])
    relation = nodes[at].relation
    if base(relation) == "prep":
        words = [at]
    return f"{relation}[{'_'.join(word(nodes[each]) for each in words)}]" if words else relation


def frames(sentences: Corpus, left_out: Collection[str] | None, rules: Rules) -> dict[str, Counter[str]]:
    """How often each lexeme has each frame. left_out: relations that do not count, exactly; None for LEFT_OUT."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        nodes, lexemes = normalised(sentence, rules)
        for at, lexeme in lexemes.items():
            labels = [
                shown(nodes, each)
                for each, node in nodes.items()
                if node.head == at
                and (base(node.relation) not in LEFT_OUT if left_out is None else node.relation not in left_out)
            ]
            found[lexeme][" ".join(sorted(labels)) or NO_ARGUMENTS] += 1
    return found
