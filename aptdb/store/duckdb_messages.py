"""DuckDB's messages about a query in words of ours: what is wrong in it, and the nearest name that is right."""

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from aptdb.core.parameters import declared, find_plain_type
from aptdb.core.question_parameters import NEAR, QUESTIONS
from aptdb.store.old_names import instead

NUMBERS = ("INT", "BIGINT", "HUGEINT", "SMALLINT", "TINYINT", "UINT", "UBIGINT")
CALLED = {"DOUBLE": "a number", "FLOAT": "a number", "DECIMAL": "a number", "DATE": "a date", "BOOL": "true or false"}
EXPECTED = {int: "a whole number", float: "a number", bool: "true or false"}
OF_TEXT = ("lower", "regexp_", "starts_with", "string_split", "replace", "trim", "length")  # functions of text
A_LIST = "a list, as ['amod', 'nsubj']"

# A value of a parameter that is written in the query: text, a list, a number or a word.
VALUE = r"'(?:[^']|'')*'|\[[^]]*\]|[-+.\w]+"
ASSIGNED = re.compile(rf'"?(\w+)"?\s*:=\s*({VALUE})?')
TEXTS = re.compile(r"'(?:[^']|'')*'|--[^\n]*")


OURS_TO_SAY = re.compile(
    r"(Catalog|Binder|Conversion|Out of Range|Invalid Input|Permission) Error|Parser Error: Zero-length|"
    r"Parser Error: Unexpected quote|"
    r"Values were not provided|Parameter argument/count mismatch|Python Conversion Failure|"
    r"Not implemented Error: Unable to transform"
)


def in_our_words(text: str, query: str = "") -> str:
    """Return a message of DuckDB in our words; the message itself where we have none. query: what was asked."""
    if not OURS_TO_SAY.match(text):
        return text
    if text.startswith(("Binder", "Conversion")) and (misfit := first_misfit(query)):
        return misfit
    for pattern, words in MESSAGES:
        if found := pattern.match(text):
            return words(found, query)
    return text


def first_misfit(query: str) -> str:
    """Return what is wrong with the first parameter of a question that has a value of another type; '' if none has."""
    for question, inside in calls_in(query):
        for name, value in ASSIGNED.findall(inside):
            kind = kind_in(question, name)
            if kind is None or value.lower() in ("", "null"):
                continue
            if kind in EXPECTED and value[0] in "'[" and not is_number_text(value.strip("'")):
                return f"{name} is {value:.60}; expected {EXPECTED[kind]}"
            if kind is str and (value[0] == "[" or value.lower() in ("true", "false") or is_number_text(value)):
                return f"{name} is {value:.60}; expected text"
            if kind is list and (value[0] == "'" or is_number_text(value)):
                return f"{name} is {value:.60}; expected {A_LIST}"
    return ""


def kind_in(question: str, name: str) -> type | None:
    """Return the type of a parameter of a question; None if the question does not take it."""
    if (question, name) == ("frames", "leave_out"):
        return list
    is_there = question in QUESTIONS and name in declared(QUESTIONS[question])
    return find_plain_type(QUESTIONS[question], name) if is_there else None


def is_number_text(text: str) -> bool:
    """Return whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def calls_in(query: str) -> Iterable[tuple[str, str]]:
    """Yield the functions that a query calls, in lower case, each with the text in its brackets."""
    hidden = TEXTS.sub(lambda found: "_" * len(found[0]), query)  # brackets in a text are none
    for each in re.finditer(r'"?(\w+)"?\s*\(', hidden):
        depth, end = 1, each.end()
        while depth and end < len(hidden):
            depth += {"(": 1, ")": -1}.get(hidden[end], 0)
            end += 1
        yield each[1].lower(), query[each.end() : end - 1 if not depth else end]


def suggested(name: str, known: Iterable[str], what: str = "there is") -> str:
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


def wrong_arguments(found: re.Match[str], query: str) -> str:
    """Return which parameter a function of ours does not take, and the nearest one; else those that it takes."""
    name, candidates = found["name"], found["candidates"]
    named = [each for each, _ in ASSIGNED.findall(candidates)]
    inside = [text for called, text in calls_in(query) if called == name]
    if unknown := [each for text in inside for each, _ in ASSIGNED.findall(text) if each.lower() not in named]:
        first = [each for each in unknown if each.lower() not in positional(candidates)] or unknown
        return instead(name, first[0]) or f"{name} takes no {first[0]}{suggested(first[0], named, 'it takes')}"
    takes = ", ".join(positional(candidates)) or "nothing"
    return f"{name} takes {takes}" + (f", and by name, as in {named[0]} := …: {', '.join(named)}" if named else "")


def positional(candidates: str) -> list[str]:
    """Return the parameters without a default in the first of some macros, as DuckDB lists them."""
    first = re.match(r'"?\w+"?\(([^:)]*)', candidates)
    names = [each.strip(' "') for each in first[1].split(",")] if first else []
    return [each.split('" ')[0].split(" ")[0] for each in names if each][: None if ":=" not in candidates else -1]


def unknown_column(found: re.Match[str], query: str) -> str:
    """Return the unknown column and the nearest one; or that it is text without quotes."""
    if newer := instead(None, found["name"]):
        return newer
    known = re.findall(r'"([^"(]+)"', found["known"] or "")  # a call is no column that anyone made
    columns = [each.rpartition(".")[2] for each in known]
    if not get_close_matches(found["name"].lower(), columns, 1, NEAR) and (
        taking := text_parameter(found["name"], query)
    ):
        return f"{taking} is {found['name']}, which is no column; write text in quotes: '{found['name']}'"
    return f"no column {found['name']}{suggested(found['name'], columns)}"


def text_parameter(value: str, query: str) -> str:
    """Return the first parameter of a question that is text and has this value, without quotes; '' if none has."""
    given = ((question, *pair) for question, inside in calls_in(query) for pair in ASSIGNED.findall(inside))
    return next((name for question, name, each in given if each == value and kind_in(question, name) is str), "")


def no_such_value(found: re.Match[str], query: str) -> str:
    """Return which value is not of a type; of a value of ours that is compared with a list, that the list is wrong."""
    if found["kind"].endswith("[]") and found["value"] not in query and "[" in TEXTS.sub("", query):
        return "a list stands where text is expected"
    return f"{found['value']} is not {describe_type(found['kind'])}"


def describe_type(kind: str) -> str:
    """Return a type of DuckDB in words."""
    if kind.endswith("[]"):
        return A_LIST
    if kind.startswith(NUMBERS):
        return "a whole number"
    return next((words for each, words in CALLED.items() if kind.startswith(each)), kind)


def of_kind(types: str) -> str:
    """Return types of arguments without DuckDB's marks of literals."""
    return types.replace("STRING_LITERAL", "VARCHAR").replace("INTEGER_LITERAL", "INTEGER")


def not_taken(found: re.Match[str], query: str) -> str:
    """Return the function and the types of arguments that it does not take.

    Of a function inside one of ours, which the query does not call, return which type stands in the wrong place.
    """
    types = of_kind(found["types"])
    if found["name"] == "query_table":
        return f"a value of type {types} stands where the name of a table does, as in 'lexemes'"
    odd = [each for each in types.split(", ") if each != "VARCHAR"]
    if odd and found["name"].startswith(OF_TEXT) and found["name"] not in dict(calls_in(query)):
        return f"a value of type {odd[0]} stands where text is expected"
    return f"{found['name']} takes no {types or 'empty brackets'}"


def without_value(found: re.Match[str], _: str) -> str:
    """Return the parameters of a query that have no value, and how to give one."""
    names = found["names"].split(", ")
    shown = ", ".join(f"${name}" for name in names)
    given = " ".join(f"-p {name}=VALUE" for name in names)
    return f"the query has {shown}, without a value; give it: {given} (in Python {{{names[0]!r}: VALUE}})"


def value_of_none(found: re.Match[str], query: str) -> str:
    """Return the parameters that a query lacks though they have a value, and those that it has."""
    there = dict.fromkeys(re.findall(r"\$\w+", TEXTS.sub("", query)))
    names = ", ".join(f"${name}" for name in found["names"].split(", "))
    return f"the query has no {names}" + (f"; there is {', '.join(there)}" if there else "")


def hidden_column(found: re.Match[str], query: str) -> str:
    """Return which function of ours has a column in a subquery, where it takes a constant; else DuckDB's message."""
    ours = next((called for called, _ in calls_in(query) if called in QUESTIONS), "")
    return f"{ours} takes constants, and a subquery in it has a column of another table" if ours else found.string


Words = Callable[[re.Match[str], str], str]
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
            r'Binder Error: Referenced column "(?P<name>.+?)" not found in FROM clause!'
            r"(?: Candidate bindings: (?P<known>.*))?",
            unknown_column,
        ),
        (
            r'Binder Error: (?:Table|Values list) ".+?" does not have a column named "(?P<name>.+?)"'
            r"(?: Candidate bindings: (?P<known>.*))?",
            unknown_column,
        ),
        (
            r"Conversion Error: Could not convert string '(?P<said>\w+ takes constants, .*)' to BOOL",
            lambda found, _: found["said"],
        ),
        (r"Binder Error: Positional join in correlated subqueries", hidden_column),
        (r"Conversion Error: Could not convert string (?P<value>'.*') to (?P<kind>\S+)", no_such_value),
        (
            r"Conversion Error: Type \S+ with value (?P<value>.*?) can't be cast because the value is out of range for "
            r"the destination type (?P<kind>\S+)",
            lambda found, _: f"{found['value']} is too large or too small for {describe_type(found['kind'])}",
        ),
        (
            r"Conversion Error: Type \S+ with value (?P<value>.*?) can't be cast to the destination type (?P<kind>\S+)",
            no_such_value,
        ),
        (
            r"Conversion Error: Unimplemented type for cast \((?P<one>\S+) -> (?P<kind>\S+)\)",
            lambda found, _: (
                f"a value of type {of_kind(found['one'])} stands where {describe_type(found['kind'])} does"
            ),
        ),
        (
            r"Out of Range Error: Overflow in \w+ of \S+ \((?P<value>.*)\)",
            lambda found, _: f"{found['value']} leaves the range of whole numbers; write one as a DOUBLE",
        ),
        (r"Parser Error: Zero-length identifier", lambda *_: "'' stands where the name of weights or of a table does"),
        (r"Binder Error: Cannot use NULL as function", lambda *_: "NULL stands where the name of a table does"),
        (r"Binder Error: .*?Invalid LIST argument", lambda *_: f"a value stands where a list does; expected {A_LIST}"),
        (
            r"Binder Error: UNNEST\(\) can only be applied to lists, structs and NULL, not (?P<kind>\S+)",
            lambda found, _: f"a value of type {of_kind(found['kind'])} stands where a list does; expected {A_LIST}",
        ),
        (
            r"Binder Error: No function matches the given name and argument types '(?P<name>.+?)\((?P<types>.*?)\)'",
            not_taken,
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
            r"Binder Error: Cannot concatenate types (?P<types>.*?) - an explicit cast",
            lambda found, _: f"{'a list' if '[]' in found['types'] else 'another value'} stands where text is expected",
        ),
        (
            r"Binder Error: Cannot deduce template type 'T' in function: 'list_has_any",
            lambda *_: f"a list holds values of another type; expected {A_LIST}",
        ),
        (
            r"Parser Error: Unexpected quote in the middle of a qualified name component! \(input: (?P<name>.*)\)",
            lambda found, _: f"no weighting, table or view is called {found['name']}",
        ),
        (r"Values were not provided for the following parameters: (?P<names>.*)", without_value),
        (
            r"Binder Error: Parameter/argument count mismatch for prepared statement. Expected 0",
            lambda *_: "the query has no $name, and a value is given",
        ),
        (
            r"Parameter argument/count mismatch, identifiers of the excess parameters: (?P<names>.*)",
            value_of_none,
        ),
        (
            r'Permission Error: Cannot access (?:file|directory) "(?P<file>.*?)" - file system operations are disabled',
            lambda found, _: (
                f"{found['file']} is out of reach: a question reads its lexicon, and DuckDB files that are attached "
                "(--attach FILE, in Python attach=), nothing else"
            ),
        ),
        (
            r"Binder Error: Cannot (?P<verb>compare|mix) values of type (?P<one>\S+) and (?:type )?(?P<other>\S+)",
            lambda found, _: (
                f"values of type {of_kind(found['one'])} and {of_kind(found['other'])} cannot be "
                f"{'compared' if found['verb'] == 'compare' else 'mixed'}; give both the same type"
            ),
        ),
    )
)
