"""The twin of counting (meaning.md 3), with the settings that change a sentence before it is counted (rules a to i)."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import product
from string import Formatter
from typing import Any, NamedTuple

import snowballstemmer  # type: ignore[import-untyped,import-not-found,unused-ignore]

from twins.paths import cancelled, steps
from twins.trees import Corpus, Sentence, Token
from twins.weights import Triple

Nodes = dict[int, Token]  # by position; a node's head is the position of its head's node, 0 at the root of a tree


class Rules(NamedTuple):
    """The settings; what is not among them raises TypeError."""

    nfc: bool = False
    lowercase: bool = True
    pos_map: Mapping[str, str] = {}
    relations: str = "full"
    relation_map: Mapping[str, str] = {}
    join: Collection[str] = ()
    exclude_relations: Collection[str] = ()
    lexeme: str = "{lemma}/{upos}"
    stemmer: str = "english"
    exclude_upos: Collection[str] = ()
    min_token_length: int = 0
    stop_list: Collection[str] = ()
    order: int = 2


class Pair(NamedTuple):
    """An ordered pair of nodes that is counted: where it is, and what it is counted under.

    is_direct: whether nothing cancels on the way from x to y.
    """

    sentence: int
    x: int
    y: int
    triple: Triple
    is_direct: bool


def spelled(text: str, rules: Rules) -> str:
    """a. Form and lemma are put in Unicode NFC. b. Form and lemma are lower-cased."""
    if rules.nfc:
        text = unicodedata.normalize("NFC", text)
    if rules.lowercase:
        text = text.lower()
    return text


def label(relation: str, rules: Rules) -> str:
    """d. The relation as written; with universal what precedes its first ':'; then looked up in relation_map."""
    if rules.relations == "universal":
        relation = relation.partition(":")[0]
    return rules.relation_map.get(relation, relation)


def read(token: Token, rules: Rules) -> Token:
    """a. to d. for one token; c. pos_map is applied to upos and to xpos alike (exact match)."""
    return Token(
        form=spelled(token.form, rules),
        lemma=spelled(token.lemma, rules),
        upos=rules.pos_map.get(token.upos, token.upos),
        xpos=rules.pos_map.get(token.xpos, token.xpos),
        head=token.head,
        relation=label(token.relation, rules),
    )


def top(tokens: Nodes, position: int, rules: Rules) -> int:
    """e. A group's top is the member whose own edge (head > 0) has no label of join."""
    while tokens[position].head > 0 and tokens[position].relation in rules.join:
        position = tokens[position].head
    return position


def joined(tokens: Nodes, rules: Rules) -> Nodes:
    """e. A group is one node in its top's place: forms and lemmas of all members in token order joined by '_', tags
    and edge of the top; all other dependents of any member hang from the group with their own label.
    """
    groups: dict[int, list[int]] = defaultdict(list)
    for position in sorted(tokens):
        groups[top(tokens, position, rules)].append(position)
    nodes: Nodes = {}
    for position, members in groups.items():
        head = tokens[position].head
        nodes[position] = tokens[position]._replace(
            form="_".join(tokens[member].form for member in members),
            lemma="_".join(tokens[member].lemma for member in members),
            head=top(tokens, head, rules) if head > 0 else 0,
        )
    return nodes


def split(nodes: Nodes, rules: Rules) -> Nodes:
    """f. An edge with a label of exclude_relations is not there: its dependent becomes the root of a tree."""
    return {
        position: node._replace(head=0) if node.relation in rules.exclude_relations else node
        for position, node in nodes.items()
    }


def lexeme_text(node: Token, rules: Rules) -> str:
    """g. The template filled with form, lemma, upos, xpos, and {stem}: the Snowball stem of the form by then."""
    fields = {"form": node.form, "lemma": node.lemma, "upos": node.upos, "xpos": node.xpos}
    if any(field == "stem" for _, field, _, _ in Formatter().parse(rules.lexeme)):
        fields["stem"] = snowballstemmer.stemmer(rules.stemmer).stemWord(node.form)
    return rules.lexeme.format_map(fields)


def is_stopped(text: str, rules: Rules) -> bool:
    """h. The lexeme text is in the stop list, or without its part of speech (what precedes the last '/', only if the
    template's plain text has a '/'; else the whole text). With lowercase an entry is compared lower-cased: as a bare
    word wholly, as a lexeme text what precedes its last '/' (an entry without '/' stays as it is), in NFC with nfc.
    """
    has_tag = any("/" in plain for plain, _, _, _ in Formatter().parse(rules.lexeme))
    bare = text.rpartition("/")[0] if has_tag else text
    for written in rules.stop_list:
        entry = unicodedata.normalize("NFC", written) if rules.nfc else written
        before, slash, tag = entry.rpartition("/")
        as_lexeme = before.lower() + slash + tag if rules.lowercase else entry
        as_bare = entry.lower() if rules.lowercase else entry
        if text == as_lexeme or bare == as_bare:
            return True
    return False


def is_left_out(node: Token, rules: Rules) -> bool:
    """h. Left out, as lexeme and as context alike (the node stays, and paths still run through it)."""
    return (
        node.upos in rules.exclude_upos
        or len(node.form) < rules.min_token_length
        or is_stopped(lexeme_text(node, rules), rules)
    )


def normalised(sentence: Sentence, rules: Rules) -> tuple[Nodes, dict[int, str]]:
    """Return the nodes after a. to f., and the lexemes (g.) of those that are not left out (h.)."""
    tokens = {position: read(token, rules) for position, token in enumerate(sentence, 1)}
    nodes = split(joined(tokens, rules), rules)
    return nodes, {at: lexeme_text(node, rules) for at, node in nodes.items() if not is_left_out(node, rules)}


def way_to_root(nodes: Nodes, position: int) -> list[int]:
    """Return the node, its head, its head's head ... up to the root of its tree."""
    way = [position]
    while nodes[way[-1]].head > 0:
        way.append(nodes[way[-1]].head)
    return way


def way_between(nodes: Nodes, up: list[int], down: list[int]) -> list[str] | None:
    """Return the steps up one way to the lowest common ancestor and down the other; None between two trees."""
    if up[-1] != down[-1]:
        return None
    ups = ["<" + nodes[node].relation for node in up if node not in down]
    downs = [">" + nodes[node].relation for node in down if node not in up]
    return ups + downs[::-1]


def pairs(sentences: Corpus, rules: Rules) -> Iterator[Pair]:
    """i. Ordered pairs of nodes of one tree, reduced path, order ≤ `order` (meaning.md 3.1)."""
    for number, sentence in enumerate(sentences):
        nodes, lexemes = normalised(sentence, rules)
        ways = {position: way_to_root(nodes, position) for position in lexemes}
        for x, y in product(lexemes, repeat=2):
            way = way_between(nodes, ways[x], ways[y])
            if way is not None and len(path := cancelled(way)) <= rules.order:
                yield Pair(number, x, y, (lexemes[x], "".join(path), lexemes[y]), path == way)


def count(sentences: Corpus, *, direct: bool = False, **settings: Any) -> Counter[Triple]:
    """i. Counting exactly as meaning.md 3.1; direct: only pairs on whose way nothing cancels."""
    found = pairs(sentences, Rules(**settings))
    return Counter(pair.triple for pair in found if pair.is_direct or not direct)


def frequencies(sentences: Corpus, **settings: Any) -> Counter[str]:
    """i. The number of nodes with that lexeme; a node that is left out counts nothing."""
    found: Counter[str] = Counter()
    for sentence in sentences:
        _, lexemes = normalised(sentence, Rules(**settings))
        found.update(lexemes.values())
    return found


def evidence(
    sentences: Corpus, lexeme_: str, path: str, context: str, /, *, direct: bool = False, **settings: Any
) -> list[tuple[int, int, int]]:
    """Return (sentence number from 0, position of x, position of y) of each pair counted under the triple, sorted.

    The position of a joined node is that of its top. The path may be written ε.
    """
    triple = (lexeme_, "".join(steps(path)), context)
    found = [pair for pair in pairs(sentences, Rules(**settings)) if pair.triple == triple]
    return sorted((pair.sentence, pair.x, pair.y) for pair in found if pair.is_direct or not direct)
