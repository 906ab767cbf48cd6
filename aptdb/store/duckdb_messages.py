"""DuckDB's messages about a query in words of ours: what is wrong in it, and the nearest name that is right."""

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches

from aptdb.core.errors import QuestionError, UnknownNameError
from aptdb.core.parameters import declared, find_plain_type
from aptdb.core.question_parameters import NEAR, QUESTIONS
from aptdb.store.old_names import instead

# The types of the parameters of our macros.
KINDS_IN_SQL = {
    "BIGINT": "a whole number",
    "DOUBLE": "a number",
    "BOOLEAN": "true or false",
    "VARCHAR": "text",
}
BIGINTS = range(-(2**63), 2**63)

# A value of a parameter that is written in the query: text, a list, a number or a word.
VALUE = r"'(?:[^']|'')*'|\[[^]]*\]|[-+.\w]+"
ASSIGNED = re.compile(rf'"?(\w+)"?\s*(?::=|=>)\s*({VALUE})?')
ARGUMENT = re.compile(rf'(?:^|,)\s*(?:"?(\w+)"?\s*(?::=|=>)\s*)?({VALUE}|[^\W\d]\w*/\w+)\s*(?=,|$)')
TAKEN = re.compile(r'[(,] ?"?(\w+)"?(?: (VARCHAR|BIGINT|DOUBLE|BOOLEAN))?( :=)?(?=[ ,)])')  # by a macro
TEXTS = re.compile(r"'(?:[^']|'')*'|--[^\n]*")


def in_our_words(text: str, query: str = "") -> str | QuestionError:
    """Return a message of DuckDB in our words, an error if it is about a value; the message itself where we have none.

    query: what was asked.
    """
    for pattern, words in MESSAGES:
        if found := pattern.match(text):
            return words(found, query)
    return text


def calls_in(query: str) -> Iterable[tuple[str, str]]:
    """Yield the functions that a query calls, in lower case, each with the text in its brackets."""
    hidden = TEXTS.sub(lambda found: "_" * len(found[0]), query)  # brackets in a text are none
    for each in re.finditer(r'"?(\w+)"?\s*\(', hidden):
        depth, end = 1, each.end()
        while depth and end < len(hidden):
            depth += {"(": 1, ")": -1}.get(hidden[end], 0)
            end += 1
        yield each[1].lower(), query[each.end() : end - 1 if not depth else end]


def suggested(name: str, known: Iterable[str], what: str = "available:") -> str:
    """Return the end of a message about an unknown name: the one that is meant, or those that there are."""
    listed = list(dict.fromkeys(known))
    if near := get_close_matches(name.lower(), listed, 1, NEAR):
        return f"; did you mean {near[0]}?"
    return f"; {what} {', '.join(listed)}" if listed else ""


def unknown_name(found: re.Match[str], _: str) -> str:
    """Return what to do about a name that the lexicon does not have."""
    kind, name, other = found["kind"], found["name"], found["near"] or ""
    if known := instead("", name):
        return known
    near = "" if other.startswith("_store.") else other.rpartition(".")[2]
    is_near = bool(get_close_matches(name.lower(), [near.lower()], 1, NEAR))
    kind = "function" if "Function" in kind else "table or view" if kind == "Table" else kind.lower()
    return f"no {kind} {name}; " + (f"did you mean {near}?" if is_near else "FROM aptdb_help lists what there is")


def wrong_arguments(found: re.Match[str], query: str) -> str | QuestionError:
    """Return which parameter a function of ours does not take, or an error that names the value; else what it takes."""
    name, candidates = found["name"], found["candidates"]
    takes = {each[1]: each[2] or "" for each in TAKEN.finditer(candidates)}
    needed = [each[1] for each in TAKEN.finditer(candidates) if not each[3]]
    named = [each for each in takes if each not in needed]
    calls = [*calls_in(query)]
    inside = [text for called, text in calls if called == name] or [text for _, text in calls]
    given = [each.lower() for text in inside for each, _ in ASSIGNED.findall(text)]
    if name in dict(calls) and (unknown := [each for each in given if each not in named]):
        first = [each for each in unknown if each not in needed] or unknown
        return instead(name, first[0]) or f"{name} takes no {first[0]}{suggested(first[0], named, 'it takes')}"
    in_order = takes if name in dict(calls) else ()
    if misfits := [misfit for text in inside for misfit in list_misfits(text, takes, in_order)]:
        return QuestionError(misfits[0])
    if kinds := [f"{each} takes {KINDS_IN_SQL[takes[each]]}" for each in given if takes.get(each)]:
        return QuestionError(f"a value has the wrong type; {', '.join(kinds)}")
    by_name = f", and by name, as in {named[0]} := …: {', '.join(named)}" if named else ""
    return f"{name} takes {', '.join(needed) or 'nothing'}{by_name}"


def list_misfits(inside: str, takes: Mapping[str, str], in_order: Iterable[str]) -> Iterable[str]:
    """Yield what is wrong with arguments that are literals. takes: the types of parameters, some given in_order."""
    positional, place = [*in_order], 0
    for each in ARGUMENT.finditer(inside):
        name, value = (each[1] or "").lower(), each[2]
        if not name:
            name = positional.pop(0) if each.start() == place and positional else ""
        place = each.end()
        if (kind := takes.get(name)) and not fits_type(value, kind):
            is_large = kind == "BIGINT" and value.lstrip("+-").isdigit()
            yield f"{name} is {value:.60}; " + (
                "that is too large or too small" if is_large else f"expected {KINDS_IN_SQL[kind]}"
            )


def fits_type(value: str, kind: str) -> bool:
    """Return whether a literal of SQL fits a type of a parameter; a name, or NULL, may."""
    if value[0] == "'":
        return kind == "VARCHAR"
    if value[0] == "[":
        return False
    if value.lower() in ("true", "false"):
        return kind == "BOOLEAN"
    if not re.match(r"[-+.\d]", value):
        return True
    return kind == "DOUBLE" or (kind == "BIGINT" and value.lstrip("+-").isdigit() and int(value) in BIGINTS)


def unknown_column(found: re.Match[str], query: str) -> str:
    """Return the unknown column and the nearest one; or that it is text without quotes."""
    if newer := instead(None, found["name"]):
        return newer
    known = re.findall(r'"([^"(]*\w)"', found["known"] or "")  # a call is no column that anyone made
    columns = [each.rpartition(".")[2] for each in known]
    if not get_close_matches(found["name"].lower(), columns, 1, NEAR) and (said := unquoted_text(found["name"], query)):
        return said
    return f"no column {found['name']}{suggested(found['name'], columns)}"


def unquoted_text(name: str, query: str) -> str:
    """Return that a name, or a lexeme that begins with it, is text without quotes; '' where no question takes it."""
    for question, inside in calls_in(query):
        for taking, value in ARGUMENT.findall(inside):
            kinds = QUESTIONS.get(question)
            if kinds is None or value.partition("/")[0] != name:
                continue
            if not taking:
                return f"no column {name}; write text in quotes: '{value}'"
            if taking in declared(kinds) and find_plain_type(kinds, taking) is str:
                return f"{taking} is {value}, which is not a column; write text in quotes: '{value}'"
    return ""


def without_value(found: re.Match[str], _: str) -> str:
    """Return the parameters of a query that have no value, and how to give one."""
    names = found["names"].split(", ")
    shown = ", ".join(f"${name}" for name in names)
    given = " ".join(f"-p {name}=VALUE" for name in names)
    return f"the query has {shown} without a value; give it: {given} (in Python {{{names[0]!r}: VALUE}})"


def value_of_none(found: re.Match[str], query: str) -> str:
    """Return the parameters that a query lacks though they have a value, and those that it has."""
    there = dict.fromkeys(re.findall(r"\$\w+", TEXTS.sub("", query)))
    names = ", ".join(f"${name}" for name in found["names"].split(", "))
    return f"the query has no {names}" + (f"; it has {', '.join(there)}" if there else "")


def hidden_column(found: re.Match[str], query: str) -> str:
    """Return which function of ours has a column in a subquery, where it takes a constant; else DuckDB's message."""
    ours = next((called for called, _ in calls_in(query) if called in QUESTIONS), "")
    return f"{ours} takes constants, not a subquery with a column of another table" if ours else found.string


Words = Callable[[re.Match[str], str], str | QuestionError]
MESSAGES: tuple[tuple[re.Pattern[str], Words], ...] = tuple(
    (re.compile(pattern, re.DOTALL), words)
    for pattern, words in (
        (
            r"Catalog Error: (?P<kind>Table Function|Scalar Function|Aggregate Function|Table|View|Type) with name "
            r'"?(?P<name>.+?)"? does not exist!(?: Did you mean "(?P<near>.+?)"\??)?',
            unknown_name,
        ),
        (
            r'Catalog Error: .*? does not exist because schema "(?P<name>.+?)" does not exist',
            lambda found, _: f"no schema {found['name']}; if it is another lexicon or DuckDB file, attach it first",
        ),
        (
            r'Binder Error: Macro "?(?P<name>\w+)"?\(\) does not support the supplied arguments\..*?'
            r"Candidate macros: (?P<candidates>.*)",
            wrong_arguments,
        ),
        (
            r'Binder Error: Referenced column "(?P<name>.+?)" (?:not found in FROM clause!|was not found because)'
            r"(?: Candidate bindings: (?P<known>.*))?",
            unknown_column,
        ),
        (
            r'Binder Error: (?:Table|Values list) ".+?" does not have a column named "(?P<name>.+?)"'
            r"(?: Candidate bindings: (?P<known>.*))?",
            unknown_column,
        ),
        (  # DuckDB takes a bare name for text
            r"Conversion Error: Type VARCHAR with value '(?P<name>\w+)' can't be cast to the destination type "
            r"STRUCT\(lexeme (?P<known>)",
            unknown_column,
        ),
        (
            r"Conversion Error: Could not convert string '(?P<said>\w+ takes constants, .*)' to BOOL",
            lambda found, _: found["said"],
        ),
        (r"weights is '.*'; expected .*, or a view or table", lambda found, _: UnknownNameError(found.string)),
        (
            r'Binder Error: Could not choose a best candidate function for the function call "/\(STRING',
            lambda *_: "text is divided by text; write a lexeme in quotes: 'dog/NOUN'",
        ),
        (r"Binder Error: Positional join in correlated subqueries", hidden_column),
        (r"Parser Error: Zero-length identifier", lambda *_: "'' is not the name of weights or of a table"),
        (r"Binder Error: Cannot use NULL as function", lambda *_: "NULL is given in place of the name of a table"),
        (
            r"Binder Error: Cannot concatenate types (?P<types>.*?) - an explicit cast",
            lambda found, _: f"{'a list' if '[]' in found['types'] else 'a value'} is given where text is expected",
        ),
        (
            r"Python Conversion Failure: cannot encode str as UTF-8, (?P<why>.*)",
            lambda found, _: f"a text is not UTF-8: {found['why']}",
        ),
        (
            r"Not implemented Error: Unable to transform python value of type '<class '(?P<kind>.*?)'>'",
            lambda found, _: f"a value is of Python's type {found['kind']}; expected text, a number or a list of these",
        ),
        (
            r"Parser Error: Unexpected quote in the middle of a qualified name component! \(input: (?P<name>.*)\)",
            lambda found, _: f"no weighting, table or view is called {found['name']}",
        ),
        (r"Values were not provided for the following parameters: (?P<names>.*)", without_value),
        (
            r"Binder Error: Parameter/argument count mismatch for prepared statement. Expected 0",
            lambda *_: "a value is given, but the query has no $name",
        ),
        (r"Parameter argument/count mismatch, identifiers of the excess parameters: (?P<names>.*)", value_of_none),
        (
            r'Permission Error: Cannot access (?:file|directory) "(?P<file>.*?)" - file system operations are disabled',
            lambda found, _: (
                f"{found['file']} cannot be read: a query reads only its lexicon and attached DuckDB files "
                "(--attach FILE, in Python attach=)"
            ),
        ),
    )
)
