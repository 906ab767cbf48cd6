"""Word sketches: what a lexeme meets by grammatical relation, of one lexeme, or of two side by side."""

from collections.abc import Sequence
from typing import Any, Unpack

from aptdb.errors import QuestionError
from aptdb.parameters.declare import declared
from aptdb.parameters.sketches import Collocating, Sketching, SketchingPair
from aptdb.questions.calls import call
from aptdb.questions.readings import as_lexeme
from aptdb.result import Result
from aptdb.store.literals import SqlText, literal
from aptdb.store.session import Session
from aptdb.store.statements import statement


def sketch(session: Session, x: str, **parameters: Unpack[Sketching]) -> Result:
    """The word sketch of a lexeme: rows of path, relation, context, count, score; with examples, also example.

    relation: the path in words, of Universal Dependencies or of Stanford Dependencies; other labels stand as they are.
    The strongest paths come first, by how much their contexts tell of the lexeme; along each, the best scores. ε, and
    contexts that are there for grammar (DET, PUNCT, …), are left out unless everything is True. relations: labels, as
    amod, or paths, as <obj. example: the best sentence, with the [lexeme] and the {context} marked; None where corpora
    came as counts. Raises QuestionError.
    """
    return session.ask(f"FROM {call('sketch', [one_lexeme(session, x)], as_sql(dict(parameters)))}")


def sketch_diff(session: Session, a: str, b: str | None = None, **parameters: Unpack[SketchingPair]) -> Result:
    """Two word sketches side by side: rows of path, relation, meets, context, count_a, count_b, score_a, score_b.

    b: another lexeme; None for the same one in another part of the corpora, part_b. meets: `a` or `b` where only that
    one ever meets the context along the path, else `both`. Of each of the three, on each path, the best `top`; those of
    both run from what is more typical of a to what is more typical of b. Raises QuestionError.
    """
    lexemes = [one_lexeme(session, a), None if b is None else one_lexeme(session, b)]
    return session.ask(f"FROM {call('sketch_diff', lexemes, as_sql(dict(parameters)))}")


def left_out(session: Session, *lexemes: str, **parameters: Unpack[Collocating]) -> Result:
    """What a sketch of lexemes with these parameters leaves out, ε aside: one row of for_grammar, rare, least_count.

    for_grammar: how many contexts are there for grammar (DET, PUNCT, …); rare: how many others are met fewer than
    least_count times, which is min_count or what holds where nothing is said.
    """
    given = as_sql(dict(parameters))
    known = declared(Collocating)
    names = ("relations", "max_order", "min_count", "everything", "part")
    values = {name: given.get(name, known[name].default) for name in names}
    return session.ask(
        statement("questions/sketch/left_out", lexemes=[one_lexeme(session, each) for each in lexemes], **values)
    )


def one_lexeme(session: Session, x: object) -> str:
    """The text of a lexeme, of a word as it is typed the likeliest. Raises QuestionError for what is none."""
    if not isinstance(x, str):
        raise QuestionError(f"a sketch is of one lexeme, as dog/NOUN, and not of {x!r:.60}")
    return as_lexeme(session, x)


def as_sql(parameters: dict[str, Any]) -> dict[str, Any]:
    """The same parameters, with relations as a list of texts in SQL. Raises QuestionError if they are none."""
    relations = parameters.get("relations")
    if relations is None:
        return parameters
    if not isinstance(relations, Sequence) or not all(isinstance(each, str) for each in relations):
        raise QuestionError(f"relations is {relations!r:.60}; it is a list, as ['amod', '<obj']")
    if isinstance(relations, str):
        raise QuestionError(f"relations is {relations!r:.60}; it is a list, as ['{relations:.40}']")
    return {**parameters, "relations": SqlText(f"{literal([*relations])}::VARCHAR[]")}
