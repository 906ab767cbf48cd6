"""Read patterns of trees as words in brackets with tags, wildcards and features, `VERB[obj PRON, !nsubj]`."""

import re
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.notation import Block, Clauses, Pattern, Scanner, escape_value

WORDS = r'"(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)+/(?=[\s\[\],|{]|$)|[\[\],|{}!<>=]|[^\s\[\],|{}!<>="]+'


def read_words(text: str) -> Pattern:
    """Return words in brackets as a pattern. Raise QuestionError, which names the place of what is wrong."""
    if named := re.match(r"\s*(\w+)\s+\{", text):
        raise QuestionError(f"a request has no {named[1]} {{ … }}; write pattern {{ … }} or without {{ … }}")
    scanner, block = Scanner(text, WORDS), Block()
    without: list[Pattern] = []
    read_word_below(scanner, block, without)
    if scanner.has_more():
        raise scanner.wrong("the end")
    return block.as_json() | ({"without": without} if without else {})


def read_word_below(scanner: Scanner, block: Block, without: list[Pattern]) -> str:
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


def read_dependent(scanner: Scanner, block: Block, without: list[Pattern], head: str) -> None:
    """Read a dependent of a word: a relation and a word; after ! one that must not be there, of any word or this."""
    negated, sign = scanner.took("!"), scanner.take() if scanner.peek() in ("<", ">") else ""
    relation = scanner.take()
    if not relation or relation in "[],|{}!<>=":
        raise scanner.wrong("a relation")
    relations = [glob_as_regex(relation)]
    while scanner.took("|"):
        relations.append(glob_as_regex(scanner.take()))
    edge = {} if relation == "*" else {"relation": "|".join(relations)}
    if negated and block.known:
        raise QuestionError(f"{scanner.text:.200}: ! within another ! is not allowed")
    if negated:
        lacking = Block(known=block)
        ends = scanner.peek() in (",", "]", "")
        dependent = lacking.node("*") if ends else read_word_below(scanner, lacking, without)
        lacking.edges.append({"head": head, "dependent": dependent, **edge})
        lacking.order += order_below(head, dependent, sign)
        without.append(lacking.as_json() | {"shared": True})  # also what stands in the pattern itself
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
