"""Read patterns of trees as people write them, into the JSON that SQL looks for (meaning.md 7.9).

Two notations: requests as Grew has them, `pattern { V [upos=VERB]; V -[obj]-> O }`, and words in brackets with tags,
wildcards and features, `VERB[obj PRON, !nsubj]`.
"""

import json
import re
from collections.abc import Sequence
from itertools import product
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.store.session import Session
from aptdb.store.statements import statement

Pattern = dict[str, Any]  # of a pattern or a block that must not be there: nodes, edges, order, same, without
Clauses = list[list[dict[str, Any]]]  # tests of a node: of each list one must hold

REQUEST = re.compile(r"\s*(pattern|without|with|global|match)\s*\{", re.DOTALL)
OF_TREES = re.compile(r"\s*[^\s\[\"][^\[{]*[\[{].*", re.DOTALL)  # words in brackets, or a word with features
REGULAR = re.compile(r"\s*(form:)?/.*/\s*", re.DOTALL)  # an expression for lexemes or forms, whatever is in it
LEXEMES = re.compile(r'[^\s\[\],|*?{}!<>"]+/[^\s\[\],|*?{}!<>"/]+')  # a word that is no pattern
ATTRIBUTES = ("form", "word", "lemma", "upos", "xpos", "deprel", "lexeme", "feats", "misc")
MOST_CLAUSES = 60
LEFT_OUT = {
    "with": "write what must be there in pattern { … }",
    "global": "conditions on sentences are subcorpora (aptdb subcorpus)",
    "match": "write pattern { … }",
}


class Scanner:
    """The rest of a text, read piece by piece; what is not as expected is refused with its place."""

    def __init__(self, text: str, pieces: str) -> None:
        self.text = text
        self.place = 0
        self._pieces = re.compile(rf"(?:\s|%[^\n]*)*({pieces})?", re.DOTALL)

    def peek(self) -> str:
        """Return the next piece without taking it; '' at the end."""
        found = self._pieces.match(self.text, self.place)
        return found[1] or "" if found else ""

    def take(self) -> str:
        """Take the next piece."""
        found = self._pieces.match(self.text, self.place)
        if not found or not found[1]:
            return ""
        self.place = found.end()
        return found[1]

    def took(self, piece: str) -> bool:
        """Take the next piece if it is this one; return whether it was."""
        return self.peek() == piece and bool(self.take())

    def expect(self, piece: str) -> None:
        """Take a piece. Raise QuestionError if another one follows."""
        if not self.took(piece):
            raise self.wrong(piece)

    def has_more(self) -> bool:
        """Return whether anything but blanks and comments follows."""
        return bool(re.sub(r"%[^\n]*", "", self.text[self.place :]).strip())

    def wrong(self, expected: str) -> QuestionError:
        """Return the error for another piece than expected."""
        blank = re.compile(r"\s*").match(self.text, self.place)
        at = blank.end() if blank else self.place
        there = f"{self.text[at : at + 12]!r}" if at < len(self.text) else "the end"
        return QuestionError(f"{self.text:.200}: expected {expected} at character {at + 1}, where {there} is")


# Requests of Grew
GREW = r're"[^"]*"|"[^"]*"|-\[|\]->|->|<<|>>|<>|[<>{}\[\];,|=!*^.]|[\w:@$\']+'


def read_request(text: str) -> Pattern:
    """Return a request as Grew has it as a pattern. Raise QuestionError, which names the place of what is wrong."""
    scanner, pattern = Scanner(text, GREW), Request()
    without: list[Pattern] = []
    while word := scanner.take():
        if word in LEFT_OUT:
            raise QuestionError(f"{word} {{ … }} is not taken; {LEFT_OUT[word]}")
        if word not in ("pattern", "without"):
            raise scanner.wrong("pattern { or without {")
        block = pattern if word == "pattern" else Request(known=pattern)
        read_clauses(scanner, block)
        if word == "without":
            without.append(block.as_json())
    if scanner.has_more():
        raise scanner.wrong("pattern { or without {")
    if not pattern.nodes:
        raise QuestionError(f"{text:.200}: a request has a pattern with a node, as pattern {{ V [upos=VERB] }}")
    found = pattern.as_json()
    return found | ({"without": without} if without else {})


class Request:
    """The clauses of a block of a request. known: the block whose nodes it may name."""

    def __init__(self, known: "Request | None" = None) -> None:
        self.known = known
        self.nodes: dict[str, Clauses] = {}
        self.edges: list[dict[str, Any]] = []
        self.order: list[dict[str, Any]] = []
        self.same: list[dict[str, Any]] = []

    def fresh(self) -> str:
        """Return a number that no node has."""
        return str(len(self.nodes) + (len(self.known.nodes) if self.known else 0) + 1)

    def node(self, name: str) -> str:
        """Return the name of a node, which is new where it was not met; `*` is always."""
        if name == "*":
            name = f"*{self.fresh()}"
        if not (self.known and name in self.known.nodes):
            self.nodes.setdefault(name, [])
        return name

    def as_json(self) -> Pattern:
        """Return the block as JSON has it."""
        nodes = [{"name": name, "tests": tests} for name, tests in self.nodes.items()]
        lists = {"edges": self.edges, "order": self.order, "same": self.same}
        return {"nodes": nodes, **{name: found for name, found in lists.items() if found}}


def read_clauses(scanner: Scanner, block: Request) -> None:
    """Read the clauses of a block, in braces."""
    scanner.expect("{")
    while not scanner.took("}"):
        read_clause(scanner, block)
        if scanner.peek() != "}" and not scanner.took(";"):
            raise scanner.wrong("; or }")


def read_clause(scanner: Scanner, block: Request) -> None:
    """Read a clause: a node with features, an edge, an order, or two values that are the same."""
    name = read_name(scanner)
    if name.endswith(":"):  # of an edge, which nothing here refers to
        name = read_name(scanner)
    sign = scanner.take()
    if sign == "[":
        name = block.node(name)
        tests = read_feature_structures(scanner)
        if block.known and name in block.known.nodes:
            raise QuestionError(
                f"{scanner.text:.200}: {name} is a node of the pattern; its features stand there, also with <> and !"
            )
        block.nodes[name] += tests
    elif sign in ("->", "-["):
        edge: dict[str, Any] = {"head": block.node(name)}
        label = read_label(scanner) if sign == "-[" else {}
        block.edges.append({**edge, "dependent": block.node(read_name(scanner)), **label})
    elif sign in ("<", "<<", ">", ">>"):
        ends = [block.node(name), block.node(read_name(scanner))]
        first, then = ends if sign.startswith("<") else reversed(ends)
        block.order.append({"first": first, "then": then, "next": len(sign) == 1})
    elif sign == ".":
        read_comparison(scanner, block, block.node(name))
    else:
        raise scanner.wrong("[, ->, -[, <, << or . after a node")


def read_name(scanner: Scanner) -> str:
    """Return the name of a node."""
    name = scanner.peek()
    if not re.fullmatch(r"\*|[\w:@$']+", name):
        raise scanner.wrong("the name of a node")
    return scanner.take()


def read_attribute(scanner: Scanner) -> str:
    """Return an attribute, also of one key, as feats.Number."""
    attribute = scanner.peek()
    if not re.fullmatch(r"[\w:@$']+", attribute):
        raise scanner.wrong("an attribute, as upos or Number")
    scanner.take()
    return f"{attribute}.{scanner.take()}" if attribute in ("feats", "misc") and scanner.took(".") else attribute


def read_feature_structures(scanner: Scanner) -> Clauses:
    """Return the tests in brackets after a node; of several brackets with | between them one must hold."""
    structures = [read_features(scanner)]
    while scanner.took("|"):
        scanner.expect("[")
        structures.append(read_features(scanner))
    found = [[test for clause in choice for test in clause] for choice in product(*structures)]
    if len(found) > MOST_CLAUSES:
        raise QuestionError(f"{scanner.text:.200}: too many alternatives of features")
    return found if len(structures) > 1 else structures[0]


def read_features(scanner: Scanner) -> Clauses:
    """Return the tests in brackets, which end here."""
    tests: Clauses = []
    while not scanner.took("]"):
        if scanner.took("!"):
            tests.append([{"attribute": read_attribute(scanner), "value": ".*", "not": True}])
        else:
            attribute = read_attribute(scanner)
            sign = scanner.take() if scanner.peek() in ("=", "<>") else ""
            if sign == "<>":  # the attribute is there, with another value
                tests.append([{"attribute": attribute, "value": read_values(scanner), "not": True}])
            value = ".*" if sign in ("", "<>") else read_values(scanner)
            tests.append([{"attribute": attribute, "value": value}])
        if scanner.peek() != "]" and not scanner.took(","):
            raise scanner.wrong(", or ]")
    return tests


def read_values(scanner: Scanner) -> str:
    """Return the expression for values with | between them."""
    found = [read_value(scanner)]
    while scanner.peek() == "|" and not re.match(r"\s*\|\s*\[", scanner.text[scanner.place :]):
        scanner.take()
        found.append(read_value(scanner))
    return "|".join(found)


def read_value(scanner: Scanner) -> str:
    """Return the expression for a value: a word, a text in quotes, or an expression, re"…"."""
    value = scanner.peek()
    if value.startswith('re"'):
        return f"(?:{scanner.take()[3:-1]})"
    if not re.fullmatch(r'"[^"]*"|[\w:@$\']+', value, re.DOTALL):
        raise scanner.wrong('a value, as VERB, "être" or re"s.*"')
    return escape_value(scanner.take().strip('"'))


def escape_value(value: str) -> str:
    """Return the expression for a text and no other."""
    return re.sub(r"([\\.*+?()\[\]{}|^$])", r"\\\1", value)


def read_label(scanner: Scanner) -> dict[str, Any]:
    """Return the relation of an edge, which ends with ]->; E: before it stands for enhanced dependencies."""
    negated = scanner.took("^")
    if scanner.peek() == "E:":
        raise scanner.wrong("a relation; any enhanced one but nsubj is -[^E:nsubj]->")
    label = {"relation": read_values(scanner)}
    scanner.expect("]->")
    enhanced = {each.startswith("E:") for each in label["relation"].split("|")}
    if len(enhanced) > 1:
        raise QuestionError(f"{scanner.text:.200}: an edge is basic, or enhanced with E: before each relation")
    if True in enhanced:
        label = {"relation": re.sub(r"(^|\|)E:", r"\1", label["relation"]), "enhanced": True}  # type: ignore[dict-item]
    elif "root" in label["relation"].split("|"):
        raise QuestionError("root is no edge between words; write N [deprel=root]")
    return label | ({"not": True} if negated else {})


def read_comparison(scanner: Scanner, block: Request, name: str) -> None:
    """Read what follows N. in a clause: two values that are the same or not, or a value."""
    attribute = read_attribute(scanner)
    sign = scanner.take()
    if sign not in ("=", "<>"):
        raise scanner.wrong("= or <>")
    if re.match(r"\s*[\w:@$']+\s*\.\s*\w", scanner.text[scanner.place :]):
        other = block.node(read_name(scanner))
        scanner.expect(".")
        same = {"left": f"{name}.{attribute}", "right": f"{other}.{read_attribute(scanner)}"}
        block.same.append(same | ({"not": True} if sign == "<>" else {}))
    elif name in block.nodes:
        test = {"attribute": attribute, "value": read_values(scanner)}
        block.nodes[name].append([test | ({"not": True} if sign == "<>" else {})])
    else:
        raise QuestionError(
            f"{scanner.text:.200}: {name} is a node of the pattern; its features stand there, also with <> and !"
        )


# Words in brackets
WORDS = r'"(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)+/(?=[\s\[\],|{]|$)|[\[\],|{}!<>=]|[^\s\[\],|{}!<>="]+'


def read_words(text: str) -> Pattern:
    """Return words in brackets as a pattern. Raise QuestionError, which names the place of what is wrong."""
    if named := re.match(r"\s*(\w+)\s+\{", text):
        raise QuestionError(f"{named[1]} {{ … }} is no part of a request; write pattern {{ … }} or without {{ … }}")
    scanner, block = Scanner(text, WORDS), Request()
    without: list[Pattern] = []
    read_word_below(scanner, block, without)
    if scanner.has_more():
        raise scanner.wrong("the end")
    return block.as_json() | ({"without": without} if without else {})


def read_word_below(scanner: Scanner, block: Request, without: list[Pattern]) -> str:
    """Read a word with its features and dependents; return the name of its node."""
    name = block.node(block.fresh())
    tests = [*read_alternative(scanner)]
    while scanner.took("|"):
        tests += read_alternative(scanner)
    block.nodes[name] += [tests] if tests else []
    if scanner.took("{"):
        block.nodes[name] += read_word_features(scanner)
    if scanner.took("["):
        while True:
            read_dependent(scanner, block, without, name)
            if scanner.took("]"):
                break
            if not scanner.took(","):
                raise scanner.wrong(", or ]")
    return name


def read_dependent(scanner: Scanner, block: Request, without: list[Pattern], head: str) -> None:
    """Read a dependent of a word: a relation and a word; after ! one that must not be there, of any word or this."""
    negated, sign = scanner.took("!"), scanner.take() if scanner.peek() in ("<", ">") else ""
    relation = scanner.take()
    if not relation or relation in "[],|{}!<>=":
        raise scanner.wrong("a relation")
    relations = [glob_as_regex(relation)]
    while scanner.took("|"):
        relations.append(glob_as_regex(scanner.take()))
    edge = {} if relation == "*" else {"relation": "|".join(relations)}
    if negated:
        lacking = Request(known=block)
        ends = scanner.peek() in (",", "]", "")
        dependent = lacking.node("*") if ends else read_word_below(scanner, lacking, without)
        lacking.edges.append({"head": head, "dependent": dependent, **edge})
        lacking.order += order_below(head, dependent, sign)
        without.append(lacking.as_json())
        return
    dependent = read_word_below(scanner, block, without)
    block.edges.append({"head": head, "dependent": dependent, **edge})
    block.order += order_below(head, dependent, sign)


def order_below(head: str, dependent: str, sign: str) -> list[dict[str, Any]]:
    """Return the order of a dependent that stands before its head (<) or after it (>); none for any."""
    ends = {"<": (dependent, head), ">": (head, dependent)}.get(sign)
    return [{"first": ends[0], "then": ends[1]}] if ends else []


def read_alternative(scanner: Scanner) -> list[dict[str, Any]]:
    """Return the tests of one way to write a word: a lexeme, an expression, a form, or a tag; none for *."""
    word = scanner.take()
    if not word or word in "[],|{}!<>=":
        raise scanner.wrong("a word, as dog/NOUN, *ness/NOUN, VERB or *")
    if word == "*":
        return []
    if word.startswith("form:"):
        return [{"attribute": "form", "value": glob_as_regex(word[5:])}]
    if re.fullmatch(r"/.+/", word, re.DOTALL):
        return [{"attribute": each, "value": f"(?:{word[1:-1]})"} for each in ("lexeme", "lemma")]
    if word.isalpha() and word == word.lower():
        raise QuestionError(f"{word}: a word is written as {word}/VERB, /{word}/ or form:{word}, and a tag as VERB")
    word = word.strip('"')
    return [{"attribute": "lexeme" if "/" in word else "upos", "value": glob_as_regex(word)}]


def read_word_features(scanner: Scanner) -> Clauses:
    """Return the tests in braces after a word, as Number=Plur."""
    tests: Clauses = []
    while True:
        negated, key = scanner.took("!"), scanner.take()
        value = ".*"
        if scanner.peek() in ("<", "!"):  # <> or !=: the key is there, with another value
            scanner.expect(">" if scanner.take() == "<" else "=")
            tests.append([{"attribute": key, "value": glob_as_regex(scanner.take()), "not": True}])
        elif scanner.took("="):
            values = [glob_as_regex(scanner.take())]
            while scanner.took("|"):
                values.append(glob_as_regex(scanner.take()))
            value = "|".join(values)
        tests.append([{"attribute": key, "value": value} | ({"not": True} if negated else {})])
        if scanner.took("}"):
            break
        if not scanner.took(","):
            raise scanner.wrong(", or }")
    if scanner.peek() == "|":
        raise scanner.wrong("no more alternatives, which stand before {…},")
    return tests


def glob_as_regex(text: str) -> str:
    """Return the expression for a text in which * stands for any letters and ? for one."""
    return escape_value(text).replace(r"\*", ".*").replace(r"\?", ".")


# Both
def is_pattern_of_trees(text: str) -> bool:
    """Return whether a text is written as a pattern of trees, and not as a phrase of lexemes."""
    if REGULAR.fullmatch(text):
        return False
    return bool(REQUEST.match(text)) or (bool(OF_TREES.fullmatch(text)) and not is_phrase_of_lexemes(text))


def read_pattern(session: Session, text: str) -> str:
    """Return the JSON of a pattern of trees. Raise QuestionError for a wrong one."""
    found = read_request(text) if REQUEST.match(text) else read_words(text)
    for block in (found, *found.get("without", [])):
        for test in [test for node in block["nodes"] for clause in node["tests"] for test in clause]:
            test["attribute"] = name_key(session, test["attribute"])
        for each in block.get("same", []):
            each["left"], each["right"] = (name_key_compared(session, each[side]) for side in ("left", "right"))
    order_nodes(found)
    return json.dumps(found, ensure_ascii=False)


def is_phrase_of_lexemes(text: str) -> bool:
    """Return whether a text in brackets has lexemes alone, and so is a phrase that is counted."""
    if '"' in text:
        return "[" in text
    words = re.findall(r"(?:^|\s)([^\s\[\],]+)(?=[\[\],]|\s*$)", text)
    return "{" not in text and all(LEXEMES.fullmatch(each) for each in words)


def name_key_compared(session: Session, text: str) -> str:
    """Return what is compared, N.Number, with its key as one of FEATS or of MISC."""
    name, _, attribute = text.partition(".")
    return f"{name}.{name_key(session, attribute)}"


def name_key(session: Session, attribute: str) -> str:
    """Return an attribute; a key of FEATS or MISC with its column before it."""
    if attribute in ATTRIBUTES or "." in attribute:
        return attribute
    if attribute == "SpaceAfter":
        return f"misc.{attribute}"
    found = session.reading().rows(statement("questions/columns_of_key"), {"key": attribute})
    if not found:
        raise QuestionError(
            f"no token has {attribute} in FEATS or MISC; there is {', '.join(ATTRIBUTES)}, and keys of the last two"
        )
    if len(found) > 1:
        raise QuestionError(f"{attribute} is in FEATS and in MISC; write feats.{attribute} or misc.{attribute}")
    return f"{found[0][0]}.{attribute}"


def order_nodes(pattern: Pattern) -> None:
    """Order the nodes of a pattern so that each is linked to one before it, where there is one; the first stays."""
    nodes = pattern["nodes"]
    pairs = [(each["head"], each["dependent"]) for each in pattern.get("edges", [])]
    pairs += [(each["first"], each["then"]) for each in pattern.get("order", [])]
    ordered, left = nodes[:1], nodes[1:]
    while left:
        known = {each["name"] for each in ordered}
        chosen = next((each for each in left if is_linked(each["name"], known, pairs)), left[0])
        ordered.append(chosen)
        left.remove(chosen)
    pattern["nodes"] = ordered


def is_linked(name: str, known: set[str], pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether a node is linked to one of those known."""
    return any((one == name and other in known) or (other == name and one in known) for one, other in pairs)
