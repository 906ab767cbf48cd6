"""Read requests for trees as Grew has them, `pattern { V [upos=VERB]; V -[obj]-> O } without { … }`."""

import re
from itertools import product
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.notation import MOST_CLAUSES, Block, Clauses, Pattern, Scanner, escape_value

LEFT_OUT = {
    "with": "write what must be there in pattern { … }, where each way to find it is a match of its own",
    "global": "conditions on sentences are subcorpora (aptdb subcorpus)",
    "match": "write pattern { … }",
}
GREW = r're"[^"]*"|"[^"]*"|-\[|\]->|->|<<|>>|<>|!=|[<>{}\[\];,|=!*^.]|[\w:@$\']+'


def read_request(text: str) -> Pattern:
    """Return a request as Grew has it as a pattern. Raise QuestionError, which names the place of what is wrong."""
    scanner, pattern = Scanner(text, GREW), Block()
    without: list[Pattern] = []
    while word := scanner.take():
        if word in LEFT_OUT:
            raise QuestionError(f"{word} {{ … }} is not taken; {LEFT_OUT[word]}")
        if word not in ("pattern", "without"):
            raise scanner.wrong("pattern { or without {")
        block = pattern if word == "pattern" else Block(known=pattern)
        read_clauses(scanner, block)
        if word == "without":
            without.append(block.as_json())
    if scanner.has_more():
        raise scanner.wrong("pattern { or without {")
    if not pattern.nodes:
        raise QuestionError(f"{text:.200}: a request has a pattern with a node, as pattern {{ V [upos=VERB] }}")
    found = pattern.as_json()
    return found | ({"without": without} if without else {})


def read_clauses(scanner: Scanner, block: Block) -> None:
    """Read the clauses of a block, in braces."""
    scanner.expect("{")
    while not scanner.took("}"):
        read_clause(scanner, block)
        if scanner.peek() != "}" and not scanner.took(";"):
            raise scanner.wrong("; or }")


def read_clause(scanner: Scanner, block: Block) -> None:
    """Read a clause: a node with features, an edge, an order, or two values that are the same."""
    name = read_name(scanner)
    if name.endswith(":"):
        block.edge_names.add(name[:-1])
        name = read_name(scanner)
    sign = scanner.take()
    if sign == "[":
        block.add_tests(block.node(name), read_feature_structures(scanner))
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
            sign = scanner.take() if scanner.peek() in ("=", "<>", "!=") else ""
            if sign in ("<>", "!="):  # the attribute is there, with another value
                tests.append([{"attribute": attribute, "value": read_values(scanner), "not": True}])
            value = read_values(scanner) if sign == "=" else ".*"
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


def read_label(scanner: Scanner) -> dict[str, Any]:
    """Return the relation of an edge, which ends with ]->; E: before it stands for enhanced dependencies."""
    negated = scanner.took("^")
    if scanner.peek() == "E:":
        raise scanner.wrong("a relation; any enhanced one but nsubj is -[^E:nsubj]->")
    label = {"relation": read_label_parts(scanner) if scanner.peek() in ("1", "2") else read_values(scanner)}
    scanner.expect("]->")
    enhanced = {each.startswith("E:") for each in label["relation"].split("|")}
    if len(enhanced) > 1:
        raise QuestionError(f"{scanner.text:.200}: an edge is basic, or enhanced with E: before each relation")
    if True in enhanced:
        label = {"relation": re.sub(r"(^|\|)E:", r"\1", label["relation"]), "enhanced": True}  # type: ignore[dict-item]
    elif "root" in label["relation"].split("|"):
        raise QuestionError("root is not an edge between words; write N [deprel=root]")
    return label | ({"not": True} if negated else {})


def read_label_parts(scanner: Scanner) -> str:
    """Return the expression for a relation by its parts, 1=aux, 2=pass; of its base alone, with any subtype."""
    parts: dict[str, str] = {}
    while (part := scanner.peek()) in ("1", "2"):
        scanner.take()
        scanner.expect("=")
        parts[part] = f"(?:{read_values(scanner)})"
        scanner.took(",")
    base = parts.get("1", "[^:]*")
    return f"{base}:{parts['2']}" if "2" in parts else f"{base}(?::.*)?"


def read_comparison(scanner: Scanner, block: Block, name: str) -> None:
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
    else:
        test = {"attribute": attribute, "value": read_values(scanner)}
        block.add_tests(name, [[test | ({"not": True} if sign == "<>" else {})]])
