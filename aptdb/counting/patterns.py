"""Read patterns as people write them, into the JSON that SQL looks for (meaning.md 7.9).

Three notations: requests for trees as Grew has them, `pattern { V [upos=VERB]; V -[obj]-> O }`; words in brackets with
tags, wildcards and features, `VERB[obj PRON, !nsubj]`; and sequences in CQL, `[lemma="take"] []{0,2} [upos="NOUN"]`.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from aptdb.core.errors import InterpretationWarning, NoMatchWarning, QuestionError, warn
from aptdb.core.notation import Pattern
from aptdb.core.sequence_queries import read_sequence
from aptdb.core.settings import lower_letters
from aptdb.core.tree_requests import read_request
from aptdb.core.word_patterns import read_words
from aptdb.store.database import Database
from aptdb.store.statements import SqlText, literal, statement

REQUEST = re.compile(r"\s*(pattern|without|with|global|match)\s*\{", re.DOTALL)
OF_TREES = re.compile(r"\s*[^\s\[\"][^\[{]*[\[{].*", re.DOTALL)  # words in brackets, or a word with features
REGULAR = re.compile(r"\s*(form:)?/.*/\s*", re.DOTALL)  # an expression for lexemes or forms, whatever is in it
SEQUENCE = re.compile(  # in CQL: it begins with a token, a form, a label, a group, a sentence, or a strategy
    r"\s*((\(\?\w+\)|[(|]|</?\w*/?>|(?!form\b)\w+\s*:)\s*)*"
    r'(\[|"(?:[^"\\]|\\.)*"\s*(\[\s*([]!(]|[\w.]+\s*!?=)|[("?*+{<|]|$|\w+:|within|%)|(?<=>)$).*',
    re.DOTALL,
)
LEXEMES = re.compile(r'[^\s\[\],|*?{}!<>"]+/[^\s\[\],|*?{}!<>"/]+')  # a word that is no pattern
ATTRIBUTES = ("form", "word", "lemma", "upos", "xpos", "deprel", "lexeme", "feats", "misc")


def is_written_pattern(text: str) -> bool:
    """Return whether a text is written as a pattern of trees or as a sequence, and not as a phrase of lexemes."""
    if REGULAR.fullmatch(text):
        return False
    return bool(REQUEST.match(text) or SEQUENCE.fullmatch(text)) or (
        bool(OF_TREES.fullmatch(text)) and not is_phrase_of_lexemes(text)
    )


def read_pattern(database: Database, text: str) -> Pattern:
    """Return a pattern as JSON has it. Raise QuestionError for a wrong one."""
    if SEQUENCE.fullmatch(text):
        found = read_sequence(text)
    else:
        found = order_nodes(read_request(text) if REQUEST.match(text) else read_words(text))
    for test in list_tests(found):
        test["attribute"] = name_key(database, test["attribute"])
    for each in [each for block in list_blocks(found) for each in block.get("same", [])]:
        each["left"], each["right"] = (name_key_compared(database, each[side]) for side in ("left", "right"))
    return found


def write_pattern(database: Database, text: str) -> SqlText:
    """Return a pattern as SQL takes it, pattern('…'). Raise QuestionError for a wrong one."""
    found = read_pattern(database, text)
    for value in dict.fromkeys(list_expressions(found)):
        if wrong := why_no_regex(database, value):
            shown = re.sub(r"^\(\?:(.*)\)$", r"\1", value, flags=re.DOTALL)
            raise QuestionError(f"{shown} is not a regular expression: {wrong}")
    note_capitals(found)
    note_alternatives(database, found)
    return SqlText(f"pattern({literal(json.dumps(found, ensure_ascii=False))})")


def why_no_regex(database: Database, pattern: str) -> str | None:
    """Return why a text is not a regular expression; None if it is one."""
    try:
        database.value(f"SELECT regexp_full_match('', {literal(pattern)})")
    except QuestionError as error:
        return str(error)
    return None


def note_alternatives(database: Database, pattern: Pattern) -> None:
    """Warn of values that no token has and without which there may be matches: of alternatives, and in other blocks."""
    asked = []
    for block in list_blocks(pattern):
        clauses = [clause for node in block["nodes"] for clause in node["tests"]]
        clauses += [[{"attribute": "deprel", "value": each["relation"]}] for each in block.get("edges", [])
                    if "relation" in each and not each.get("enhanced")]  # fmt: skip
        for clause in clauses:
            plain = [test for test in clause if test.get("accents", True)]
            values = [(test["attribute"], value) for test in plain for value in test["value"].split("|")]
            if len(values) > 1 or block is not pattern or ("sequence" in pattern and len(pattern["nodes"]) > 1):
                asked += [each for each in values if not re.search(r"[\\.*+?()\[\]{}^$]", each[1])]
    if asked:
        given = {"tests": json.dumps([{"attribute": key, "value": value} for key, value in dict.fromkeys(asked)])}
        for attribute, value in database.rows(statement("counting/pattern/unmet"), given):
            warn(f"no token has {attribute} {value}", NoMatchWarning)


def note_capitals(pattern: Pattern) -> None:
    """Warn of the forms with capitals in a sequence: they are those in small letters too."""
    forms = [each["value"] for each in list_tests(pattern) if each["attribute"] == "form" and "sequence" in pattern]
    for form in forms:
        if form != lower_letters(form) and not set(form) & set("[\\(?"):
            lower = lower_letters(form)
            warn(
                f"capitals make no difference in forms: {form} is also {lower}; (?-i){form} is not",
                InterpretationWarning,
            )


def list_blocks(pattern: Pattern) -> list[Pattern]:
    """Return a pattern and its blocks that must not be there."""
    return [pattern, *pattern.get("without", [])]


def list_tests(pattern: Pattern) -> list[dict[str, Any]]:
    """Return the tests of all nodes of a pattern."""
    nodes = [node for block in list_blocks(pattern) for node in block["nodes"]]
    return [test for node in nodes for clause in node["tests"] for test in clause]


def list_expressions(pattern: Pattern) -> list[str]:
    """Return the regular expressions in a pattern, for values and for relations."""
    edges = [edge for block in list_blocks(pattern) for edge in block.get("edges", [])]
    return [test["value"] for test in list_tests(pattern)] + [each["relation"] for each in edges if "relation" in each]


def is_phrase_of_lexemes(text: str) -> bool:
    """Return whether a text in brackets has lexemes alone, and so is a phrase that is counted."""
    if '"' in text:
        return "[" in text
    words = re.findall(r"(?:^|\s)([^\s\[\],]+)(?=[\[\],]|\s*$)", text)
    return "{" not in text and all(LEXEMES.fullmatch(each) for each in words)


def name_key_compared(database: Database, text: str) -> str:
    """Return what is compared, N.Number, with its key as one of FEATS or of MISC."""
    name, _, attribute = text.partition(".")
    return f"{name}.{name_key(database, attribute)}"


def name_key(database: Database, attribute: str) -> str:
    """Return an attribute; a key of FEATS or MISC with its column before it."""
    if attribute in ATTRIBUTES or "." in attribute:
        return attribute
    if attribute == "SpaceAfter":
        return f"misc.{attribute}"
    found = database.rows(statement("counting/pattern/columns_of_key"), {"key": attribute})
    if not found:
        near = attribute.lower() if attribute.lower() in ATTRIBUTES else attribute.capitalize()
        known = near in ATTRIBUTES or database.rows(statement("counting/pattern/columns_of_key"), {"key": near})
        meant = f"did you mean {near}? Expected" if known else "expected"
        raise QuestionError(
            f"no attribute {attribute}; {meant} {', '.join(ATTRIBUTES)}, or a key of FEATS or MISC that some token has"
        )
    if len(found) > 1:
        raise QuestionError(f"{attribute} is in FEATS and in MISC; write feats.{attribute} or misc.{attribute}")
    return f"{found[0][0]}.{attribute}"


def order_nodes(pattern: Pattern) -> Pattern:
    """Return a pattern whose nodes are each linked to one before it, where there is one; the first stays."""
    nodes = pattern["nodes"]
    pairs = [(each["head"], each["dependent"]) for each in pattern.get("edges", [])]
    pairs += [(each["first"], each["then"]) for each in pattern.get("order", [])]
    ordered, left = nodes[:1], nodes[1:]
    while left:
        known = {each["name"] for each in ordered}
        chosen = next((each for each in left if is_linked(each["name"], known, pairs)), left[0])
        ordered.append(chosen)
        left.remove(chosen)
    return {**pattern, "nodes": ordered}


def is_linked(name: str, known: set[str], pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether a node is linked to one of those known."""
    return any((one == name and other in known) or (other == name and one in known) for one, other in pairs)
