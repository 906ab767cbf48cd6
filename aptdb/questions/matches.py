"""Finds the matches of patterns, and gives patterns to SQL."""

import json
import re
from typing import Unpack

from aptdb.core.errors import QuestionError, ReadAs, warn
from aptdb.core.question_parameters import Matches
from aptdb.core.result import Result
from aptdb.core.settings import lower_letters
from aptdb.questions.calls import call
from aptdb.questions.notation import Pattern
from aptdb.questions.patterns import list_expressions, list_tests, read_pattern
from aptdb.questions.readings import why_no_regex
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal

EXAMPLE = '[lemma="take"] [upos="NOUN"]'


def matches(session: Session, pattern: str, **parameters: Unpack[Matches]) -> Result:
    """Return the matches of a pattern: rows of corpus, document, sentence, match, tokens, sentence_number.

    pattern: a request for trees as Grew has it, `pattern { V [upos=VERB]; V -[obj]-> O }`; words in brackets with tags,
    wildcards and features, `VERB[obj PRON, !nsubj]`; or a sequence in CQL, `1:[lemma="take"] []{0,2} [upos="NOUN"]`
    (meaning.md 7.9). tokens: of trees those of the nodes, different nodes being different tokens; of a sequence all;
    each with name (None for those of a sequence without a label), position, form and lexeme. Raises QuestionError.
    """
    if not isinstance(pattern, str) or not pattern.strip():
        raise QuestionError(f"the pattern is {pattern!r:.60}; expected text, as VERB[obj PRON] or {EXAMPLE}")
    return session.ask(f"FROM {call('matches', [write_pattern(session, pattern)], parameters)}")


def write_pattern(session: Session, text: str) -> SqlText:
    """Return a pattern as SQL takes it, pattern('…'). Raise QuestionError for a wrong one."""
    found = read_pattern(session, text)
    for value in dict.fromkeys(list_expressions(found)):
        if wrong := why_no_regex(session, value):
            shown = re.sub(r"^\(\?:(.*)\)$", r"\1", value, flags=re.DOTALL)
            raise QuestionError(f"{shown} is not a regular expression: {wrong}")
    note_capitals(found)
    return SqlText(f"pattern({literal(json.dumps(found, ensure_ascii=False))})")


def note_capitals(pattern: Pattern) -> None:
    """Warn of the forms with capitals in a sequence: they are those in small letters too (ReadAs)."""
    forms = [each["value"] for each in list_tests(pattern) if each["attribute"] == "form" and "sequence" in pattern]
    for form in forms:
        if form != lower_letters(form) and not set(form) & set("[\\(?"):
            lower = lower_letters(form)
            warn(f"capitals make no difference in forms: {form} is also {lower}; (?-i){form} is not", ReadAs)
