"""Runs questions, and warns about stale weights, stale entries and counts without trees."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from aptdb.core.errors import (
    IncompleteDataWarning,
    NoMatchWarning,
    QuestionError,
    StaleDataWarning,
    warn,
)
from aptdb.core.phrase import Phrase
from aptdb.core.question_parameters import QUESTIONS, Evidence, Frames
from aptdb.core.result import Result
from aptdb.counting.patterns import why_no_regex, write_pattern
from aptdb.questions import weightings
from aptdb.questions.calls import Question, call, lexemes_in_questions, relations_in, write_question
from aptdb.questions.inventory import known_or_refused
from aptdb.questions.read_only import refuse_all_but_select
from aptdb.questions.readings import (
    as_lexeme,
    as_read,
    asks_for_matches,
    is_pattern,
    normalise_pattern,
)
from aptdb.store.derived import SPACE, STALE, WEIGHTING
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal, statement

NOT_IN_USE = "this lexicon is attached but not in use"  # what the macros of an attached lexicon say
REGULAR = re.compile(r"\A(?:form:)?/(.+)/\Z", re.DOTALL)
IN_SPACE = re.compile(r"\bspace\s*(?::=|=>)\s*'([^']*)'", re.IGNORECASE)
ASK_IT_INSTEAD = (
    "of an attached lexicon a query can use only tables and views, e.g. other.ppmi; to call its functions, open it as "
    "the lexicon, and attach this one"
)


def ask_weighed(
    session: Session,
    query: str,
    parameters: Mapping[str, Any],
    values: Mapping[str, Any] | None = None,
    *,
    asked: Sequence[object],
    tell_relations: bool = True,
) -> Result:
    """Return the answer to a question with weights; warn if kept weights are stale and were not used.

    parameters: those of the question. values: of `$name` in the query. asked: lexemes, phrases, or rows of several
    questions. tell_relations: whether to warn of relations that are never counted.
    """
    warn_of_stale_entries(session, lexemes_in_questions(*asked), parameters)
    warn_of_stale_space(session, parameters.get("space"))
    if tell_relations:
        warn_of_unknown_relations(session, asked, parameters)
    weights = parameters.get("weights")
    if weights is None:
        return session.ask(query, values)
    warn_of_stale_weights(session, {str(weights).lower()})
    try:
        return session.ask(query, values)
    except QuestionError as error:
        raise weightings.name_known_weights(session.reading(), str(weights), error) from error


def warn_of_unknown_relations(session: Session, asked: Sequence[object], parameters: Mapping[str, Any]) -> None:
    """Warn of relations in phrases that the lexicon never counts, where `missing` allows them."""
    used = relations_in(*asked)
    if not used or parameters.get("missing", "error") == "error" or parameters.get("aligned") is False:
        return
    counted = {relation for (relation,) in session.reading().rows(statement("questions/relations"))}
    for relation in sorted(used - counted):
        warn(f"no relation {relation} in this lexicon; words along it do not change the answer", NoMatchWarning)


def sql(
    session: Session, query: str, parameters: Mapping[str, Any] | None = None, *, most: int | None = None
) -> Result:
    """Return the rows of one SELECT; `$name` stands for a parameter. It cannot change anything.

    most: the number of rows to return.

    All statements that only read are allowed: FROM, WITH, VALUES, PIVOT, UNPIVOT, DESCRIBE, SHOW, SUMMARIZE, and
    EXPLAIN of each. Of what is stale, a space that the text names is used as it was, with a StaleDataWarning; else it
    is refused. Raises QuestionError if the text is not exactly one SELECT, or does not run.
    """
    if not isinstance(query, str):
        raise QuestionError(f"the query is {query!r:.60}; expected the text of a SELECT")
    if not isinstance(parameters, Mapping | None):
        raise QuestionError(f"parameters is {parameters!r:.60}; expected a dictionary of values by name")
    if not (most is None or (isinstance(most, int) and not isinstance(most, bool) and most >= 0)):
        raise QuestionError(f"most is {most!r:.60}; expected a whole number, 0 or more")
    asked = refuse_all_but_select(session.reading(), query, parameters, session.attached)
    warn_of_stale_weights(session, asked.names)
    spaces = {name.lower() for name in IN_SPACE.findall(query)}
    for name in spaces:
        warn_of_stale_space(session, name)
    if re.search(r"\bpath\s*(=|<>|!=|IN\s*\()\s*'ε'", query, re.IGNORECASE):
        warn("no row has the path 'ε': in SQL it is the empty text, path = ''", NoMatchWarning)
    reading = session.reading()
    reading.allow_stale(*spaces)  # no other: SQL may name what nobody warned of
    try:
        return session.ask(asked.text, asked.values, most)
    except QuestionError as error:
        # (Where the macro was looked up there, it may also fail in another way before it notices.)
        there, asked_there = "|".join(map(re.escape, session.attached)), "|".join(QUESTIONS)
        if there and (NOT_IN_USE in str(error) or re.search(rf'\b(?:{there})"?\.(?:{asked_there})\s*\(', query)):
            raise QuestionError(ASK_IT_INSTEAD) from error
        raise
    finally:
        reading.allow_stale("*")


def evidence(
    session: Session,
    lexeme: Question | None,
    path: str | None = None,
    context: str | None = None,
    **parameters: Unpack[Evidence],
) -> Result:
    """Return the sentences behind the count of ⟨lexeme, path, context⟩, a row for each; marked [lexeme], {context}.

    lexeme, context: a lexeme; or a stored sense, mouse/NOUN#1 (`save_senses`); or a pattern for lexemes or lemmas,
    where * stands for any characters and ? for one; or a
    regular expression for them, /…/; or form:…, a form, a pattern or a regular expression for forms, whose capitals
    make no difference. A text that is itself a lexeme is that lexeme. lexeme alone may also be a pattern of trees,
    `VERB[obj PRON]`, or a sequence in CQL, `[lemma="take"] []{0,2} [upos="NOUN"]`, as in `matches`: a match is a row,
    its first node marked as the lexeme and its second as the context, or the stretch of tokens as the lexeme. path,
    context or both may be None, which stands for any; so may the lexeme if path and context are given. lexeme alone may
    also be a phrase, or its typed words: a row is an occurrence of its head with its dependents directly below it.
    Rows of corpus, document, sentence (its sent_id, or its number), lexeme, path, context, position, context_position,
    before, keyword, after, text, pair, sentence_number (that of `sentences` and `tokens`). Corpora of counts have no
    sentences: then there is an IncompleteDataWarning; where the lexeme occurs along the inverse of the path and hardly
    ever along it, a NoMatchWarning. Raises QuestionError for an invalid lexeme or path.
    """
    named, asked, context = as_asked(session, lexeme, path, context)
    found = ask_of_words(session, f"FROM {call('evidence', [asked, path, context], parameters)}", named, context)
    if parameters.get("subcorpus") is None:
        warn_of_counts(session, named, path, context, more=bool(found.rows))
    warn_of_wrong_way(session, named, path, parameters.get("subcorpus"))
    return found


def warn_of_wrong_way(session: Session, lexeme: str | None, path: str | None, subcorpus: str | None) -> None:
    """Warn where a lexeme occurs along the inverse of a path, and so do all like it, and hardly ever along the path."""
    if lexeme and path and path != "ε":
        named = {"lexeme": lexeme, "path": path, "subcorpus": subcorpus}
        for (told,) in session.reading().rows(statement("questions/wrong_way"), named):
            warn(told, NoMatchWarning)


def as_asked(
    session: Session, lexeme: Question | None, path: str | None, context: str | None
) -> tuple[str | None, Any, str | None]:
    """Return what a question of words asks for: the lexeme as text, the lexeme as SQL takes it, and the context.

    A pattern is a call in SQL, and a phrase its words; the text is then [], which has no counts without trees. Raises
    QuestionError.
    """
    if isinstance(lexeme, int | float | bytes):
        refuse_no_texts(lexeme=lexeme)
    refuse_no_texts(path=path, context=context)
    if isinstance(lexeme, str) and asks_for_matches(session, lexeme):
        return "[]", write_pattern(session.reading(), lexeme), as_lexeme(session, context)
    if isinstance(lexeme, str) and is_pattern(session, lexeme):
        lexeme = normalise_pattern(session, lexeme)
        return lexeme, lexeme, as_lexeme(session, context)
    words = None if lexeme is None else write_question(as_read(session, lexeme, {"missing": "ignore"}))
    named = words if isinstance(words, str | None) else "[]"
    return named, words, as_lexeme(session, context)


def refuse_no_texts(**values: object) -> None:
    """Raise QuestionError for a value that is not text."""
    for name, value in values.items():
        if not isinstance(value, str | None):
            raise QuestionError(f"{name} is {value!r:.60}; expected text")


def ask_of_words(session: Session, query: str, *texts: str | None) -> Result:
    """Return the answer to a question of lexemes or patterns. Raise QuestionError, also for a wrong expression."""
    try:
        return session.ask(query)
    except QuestionError as error:
        try:
            refuse_expressions(session, *texts)
        except QuestionError as found:
            raise found from error
        raise


def refuse_expressions(session: Session, *texts: str | None) -> None:
    """Raise QuestionError for the first wrong regular expression in what is asked."""
    for text in texts:
        for inside in REGULAR.findall(text or ""):
            if wrong := why_no_regex(session.reading(), inside):
                raise QuestionError(f"{text} is not a regular expression: {wrong}")


def warn_of_counts(
    session: Session, lexeme: str | None, path: str | None, context: str | None, *, more: bool = True
) -> None:
    """Warn of counts from corpora without sentences. more: whether there are other sentences."""
    if is_pattern(session, lexeme) and re.match(r"form:|\[", lexeme or ""):
        for (corpus,) in session.reading().rows("SELECT corpus FROM corpora WHERE kind = 'counts'"):
            warn(f"{corpus} was added as counts, without sentences, so nothing is found in it", IncompleteDataWarning)
        return
    if (path, context) == (None, None):  # its tokens: it meets itself along ε
        path, context = "", lexeme
    given = {"lexemes": lexemes_like(session, lexeme), "contexts": lexemes_like(session, context)}
    triple = {**given, "path": "" if path == "ε" else path}
    for corpus, counted in session.reading().rows(statement("questions/without_trees"), triple):
        number = f"{counted:,}{' more' if more else ''} {'is' if counted == 1 else 'are'}"
        warn(f"{number} from {corpus}, which was added as counts, without sentences", IncompleteDataWarning)


def lexemes_like(session: Session, text: str | None) -> list[str] | None:
    """Return the lexemes that a text asks for; None for any. Of a form, those that may be written so."""
    if not is_pattern(session, text):
        return None if text is None else [text]
    return [name for (name,) in session.reading().rows(statement("questions/lexemes_like"), {"text": text})]


def frames(
    session: Session, lexeme: Question, leave_out: Sequence[str] | None = None, **parameters: Unpack[Frames]
) -> Result:
    """Return the subcategorisation frames of a lexeme, the most frequent first: rows of frame, count, share, example.

    lexeme: also a phrase or a pattern, as `evidence` takes them: then frames are of its head, or of its first nodes.
    A frame is the relations of the dependents of one occurrence, in alphabetical order, each with its adposition or
    case in brackets, as obl[with]; `(no arguments)` if it has none. leave_out: relations to ignore, [] for none; None
    for words that are there for grammar, adverbs, punctuation and clauses beside it: advmod, aux, cc, conj, discourse,
    mark, parataxis, punct, and their subtypes. Raises QuestionError for an unknown lexeme or relation.
    """
    if leave_out is not None and not (
        isinstance(leave_out, list | tuple | set) and all(isinstance(each, str) for each in leave_out)
    ):
        raise QuestionError(f"leave_out is {leave_out!r}; expected a list of relations, e.g. ['punct']")
    if not isinstance(lexeme, Phrase | None):
        refuse_no_texts(lexeme=lexeme)
    if isinstance(lexeme, str) and is_pattern(session, lexeme):
        raise QuestionError(f"frames takes one lexeme, e.g. give/VERB, or a pattern of trees; not {lexeme}")
    names = SqlText("NULL::VARCHAR[]" if leave_out is None else f"{literal([*leave_out])}::VARCHAR[]")
    _, asked, _ = as_asked(session, lexeme, None, None)
    found = session.ask(f"FROM {call('frames', [asked], {'leave_out': names, **parameters})}")
    if (
        not found.rows
        and isinstance(lexeme, str)
        and parameters.get("top") != 0
        and session.reading().rows(
            statement("questions/without_trees"), {"lexemes": [lexeme], "path": None, "contexts": None}
        )
    ):
        warn(f"{lexeme} was added as counts, without sentences", IncompleteDataWarning)
    return found


def count(session: Session, lexeme: str, path: str, context: str) -> int:
    """Return #⟨lexeme, path, context⟩, the number of times that a lexeme occurs with a context along a path.

    Raises QuestionError for a lexeme, context or relation that the lexicon lacks.
    """
    asked = {"lexeme": lexeme, "path": "" if path == "ε" else path, "context": context}
    found = int(session.reading().value(statement("questions/count"), asked))
    if not found:
        refuse_uncounted(session, lexeme, context, path=path)
    return found


def refuse_uncounted(session: Session, *texts: str | None, path: str | None = None) -> None:
    """Raise QuestionError for a lexeme that the lexicon lacks, or a path that it cannot have counted.

    None and patterns are not looked at, nor are stored senses.
    """
    senses = senses_in(session, *texts)
    for text in texts:
        if text is not None and text not in senses and not is_pattern(session, text):
            known_or_refused(session, text)
    if path:
        session.ask(statement("questions/counted_path"), {"path": path})


def count_packed_only(
    session: Session, lexeme: str | None, path: str | None, context: str | None, *, subcorpus: str | None = None
) -> int:
    """Return how many pairs are counted only in packed trees, of those that `evidence` is asked for.

    lexeme and context may be patterns; None stands for any. 0 for forms and where direct counts are not known. Raises
    QuestionError for a lexeme, context or relation that the lexicon lacks.
    """
    refuse_uncounted(session, lexeme, context, path=path)
    if any(text is not None and text.startswith("form:") for text in (lexeme, context)):
        return 0
    given = {"lexemes": lexemes_like(session, lexeme), "contexts": lexemes_like(session, context)}
    asked = {**given, "path": "" if path == "ε" else path}
    if senses_in(session, lexeme, context):
        found = call("evidence", [lexeme, asked["path"], context], {"counts": "packed", "subcorpus": subcorpus})
        return int(session.reading().value(statement("questions/merged_of_sense", evidence=SqlText(found))))
    return int(session.reading().value(statement("questions/merged", subcorpus=subcorpus), asked))


def senses_in(session: Session, *texts: str | None) -> list[str]:
    """Return the texts that are names of stored senses and not lexemes."""
    named = [each for each in texts if each is not None and "#" in each]
    if not named:
        return []
    return [str(name) for (name,) in session.reading().rows(statement("questions/senses_in"), {"texts": named})]


def paths_between(session: Session, lexeme: str, context: str) -> list[tuple[str, int]]:
    """Return up to five paths along which two lexemes occur together most often, each with its direct count.

    Raises QuestionError for a lexeme that the lexicon lacks.
    """
    refuse_uncounted(session, lexeme, context)
    found = session.ask(statement("questions/ways"), {"lexeme": lexeme, "context": context})
    return [(path, number) for path, number in found.rows]


def warn_of_stale_weights(session: Session, names: set[str]) -> None:
    """Warn of stale weightings among names in lower case."""
    for name in WEIGHTING.names(session.reading(), STALE):
        if name in names:
            warn(
                f"the stored weights of {name} are older than the last change of the lexicon, so they are computed for "
                f"this question; to keep them again: aptdb refresh {session.file} {name}",
                StaleDataWarning,
            )


def warn_of_stale_entries(session: Session, lexemes: Iterable[str], parameters: Mapping[str, Any]) -> None:
    """Warn of entries in a question, or ranked by it, that were composed before the lexicon grew."""
    asked, ranked = {*lexemes}, parameters.get("among", "lexemes") != "lexemes"
    for (name,) in session.reading().rows("SELECT entry FROM entries WHERE state = 'stale'"):
        if ranked or name in asked:
            warn(
                f"{name} was composed before the lexicon last changed, and is used as it was; to compose it again: "
                f"aptdb refresh {session.file} {name}",
                StaleDataWarning,
            )


def warn_of_stale_space(session: Session, name: object) -> None:
    """Warn of the space of a question if it was made before the lexicon changed."""
    if isinstance(name, str) and name.lower() in SPACE.names(session.reading(), STALE):
        warn(
            f"the space {name.lower()} was made before the lexicon last changed, and is used as it was; to make it "
            f"again: aptdb refresh {session.file} {name.lower()}",
            StaleDataWarning,
        )
