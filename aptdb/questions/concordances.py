"""Concordances page by page: hits sorted by words or metadata, how often each value is among them, sentences around."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aptdb.core.errors import QuestionError
from aptdb.core.result import Result
from aptdb.counting.conditions import check_condition, chosen_sentences, parse_condition
from aptdb.questions.execute import as_asked, ask_of_words
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal, statement

FARTHEST = 5  # tokens from the keyword
ATTRIBUTES = {"form": "lower(word.form)", "lemma": "word.lemma", "upos": "word.upos"}
OF_TOKENS = re.compile(rf"(?:(keyword)|(left|right)([1-{FARTHEST}])):({'|'.join(ATTRIBUTES)})")
OF_SENTENCES = ("corpus", "document")
# Sorting by words as `evidence` does: a hit without such a word comes first.
BY_WORD = SqlText("coalesce(sorted.value, '') ASC")
BY_VALUE = SqlText("try_cast(sorted.value AS DOUBLE) ASC NULLS LAST, sorted.value ASC NULLS LAST")
BY_PLACE = SqlText("_wanted.hit ASC")


@dataclass(frozen=True)
class Hits:
    """A search: what `evidence` is asked, how many hits are drawn, and the value that they must have.

    only: a kind of value, as `left1:lemma` or `year`, and the value; None: those that have none. where: a condition on
    their sentences, as of `subcorpus`.
    """

    lexeme: str | None
    path: str | None = None
    context: str | None = None
    subcorpus: str | None = None
    counts: str = "direct"
    sample: int | None = None
    seed: int = 1
    only: tuple[str, str | None] | None = None
    where: str | None = None


def kinds_of_tokens() -> list[str]:
    """Return the kinds of values that tokens have: attributes of the keyword and of those beside it, from the left."""
    left = [f"left{n}" for n in range(FARTHEST, 0, -1)]
    right = [f"right{n}" for n in range(1, FARTHEST + 1)]
    return [f"{place}:{attribute}" for place in [*left, "keyword", *right] for attribute in ATTRIBUTES]


def value_of(kind: str) -> SqlText:
    """Return the statement for the values of hits of a kind: of a token, or of metadata."""
    found = OF_TOKENS.fullmatch(kind)
    if found is None:
        return statement_as_relation(statement("questions/concordances/value_of_sentence", kind=kind))
    keyword, side, away, attribute = found.groups()
    if keyword:
        first, last = "first_token", "last_token"
    else:
        first = last = f"first_token - {away}" if side == "left" else f"last_token + {away}"
    expressions = {"attribute": ATTRIBUTES[attribute], "first": first, "last": last}
    filled = {name: SqlText(each) for name, each in expressions.items()}
    return statement_as_relation(statement("questions/concordances/value_of_tokens", **filled))


def no_value() -> SqlText:
    """Return the statement for no values."""
    return statement_as_relation(statement("questions/concordances/no_value"))


def statement_as_relation(query: SqlText) -> SqlText:
    """Return a statement as a relation of another."""
    return SqlText(f"(\n{query}\n)")


def placeholders(session: Session, hits: Hits) -> tuple[dict[str, Any], tuple[str | None, str | None]]:
    """Return the placeholders of a search, and the texts in it. Raise QuestionError."""
    named, asked, context = as_asked(session, hits.lexeme, hits.path, hits.context)
    found = statement(
        "questions/concordances/hits",
        lexeme=asked,
        path=hits.path,
        context=context,
        subcorpus=hits.subcorpus,
        counts=hits.counts,
        sample=hits.sample,
        seed=hits.seed,
    )
    only, wanted = no_value(), SqlText("true")
    if hits.only is not None:
        kind, value = hits.only
        only, wanted = value_of(kind), SqlText(f"chosen.value IS NOT DISTINCT FROM {literal(value)}")
    if hits.where is not None:
        wanted = SqlText(f"{wanted} AND _hit.sentence_id IN {select_sentences(session, hits.where)}")
    return {"hits": statement_as_relation(found), "chosen": only, "wanted": wanted}, (named, context)


def select_sentences(session: Session, where: str | None) -> SqlText:
    """Return the statement for the sentences that a condition holds of, in brackets; without one for all."""
    condition = parse_condition(where or "corpus IS NOT NULL")
    check_condition(session.reading(), condition)
    return statement_as_relation(chosen_sentences(session.reading(), condition))


def count_facet(session: Session, kind: str, where: str | None, top: int) -> Result:
    """Return the values of metadata, and how many documents and sentences that fit a condition have each.

    The column kinds has the number of all values. Raises QuestionError.
    """
    chosen = select_sentences(session, where)
    return session.ask(statement("questions/concordances/facet", kind=kind, chosen=chosen, top=top))


def count_chosen(session: Session, where: str | None) -> dict[str, int]:
    """Return how many documents, sentences and tokens fit a condition. Raise QuestionError."""
    return dict(session.ask(statement("questions/concordances/chosen", chosen=select_sentences(session, where)))[0])


def page_of_hits(session: Session, hits: Hits, sort: str, skipped: int, rows: int) -> Result:
    """Return some hits in an order. The columns found and hits have the numbers of all, undrawn and drawn.

    A page without hits is one row with these numbers alone.

    sort: place, before, after, keyword, best (good examples alone, the best first), corpus, document, or a column of
    metadata. Raises QuestionError.
    """
    words = {"before": "left1:form", "after": "right1:form", "keyword": "keyword:form"}
    best = {"subcorpus": hits.subcorpus, "sample": hits.sample, "seed": hits.seed}
    if sort == "place":
        value, sorting = no_value(), BY_PLACE
    elif sort == "best":
        value = statement_as_relation(statement("questions/concordances/place_of_example", **best))
        sorting = BY_VALUE
    else:
        value, sorting = value_of(words.get(sort, sort)), BY_WORD if sort in words else BY_VALUE
    more, texts = placeholders(session, hits)
    more |= {"kept": SqlText("sorted.value IS NOT NULL" if sort == "best" else "true")}
    query = statement("questions/concordances/page", value=value, sorting=sorting, skipped=skipped, rows=rows, **more)
    return ask_of_words(session, query, *texts)


def breakdown(session: Session, hits: Hits, by: str, top: int) -> Result:
    """Return how many of the hits have each value of a kind, the most frequent values first. Raise QuestionError."""
    more, texts = placeholders(session, hits)
    query = statement("questions/concordances/breakdown", value=value_of(by), top=top, **more)
    return ask_of_words(session, query, *texts)


def spread_of_hits(session: Session, hits: Hits) -> Result:
    """Return in how many documents (of texts) hits are, and Gries' DP, as `keyness` has it. Raise QuestionError."""
    more, texts = placeholders(session, hits)
    query = statement("questions/concordances/spread", hits=more["hits"], subcorpus=hits.subcorpus)
    return ask_of_words(session, query, *texts)


def sizes_by(session: Session, kind: str, subcorpus: str | None) -> dict[str | None, int]:
    """Return the number of tokens of each value of metadata, of each document or corpus."""
    return dict(session.ask(statement("questions/concordances/sizes", kind=kind, subcorpus=subcorpus)).rows)


def metadata_of(session: Session, sentences: Sequence[int]) -> dict[int, dict[str, str]]:
    """Return the metadata of some sentences, by their numbers and by column; of documents first, as `counts_by`."""
    found = session.ask(statement("questions/concordances/metadata_of", sentences=[*sentences]))
    names = found.columns[1:]
    return {
        number: {name: str(value) for name, value in zip(names, values, strict=True) if value is not None}
        for number, *values in found.rows
    }


def sentences_around(session: Session, sentences: Sequence[int], most: int) -> dict[int, list[tuple[int, str]]]:
    """Return the sentences near each of some, themselves included, as numbers and texts, in their order."""
    found: dict[int, list[tuple[int, str]]] = {each: [] for each in sentences}
    if sentences:
        query = statement("questions/concordances/around", sentences=[*sentences], most=most)
        for of, number, text in session.ask(query).rows:
            found[of].append((number, text))
    return found


def words_of_sentence(session: Session, number: int) -> Result:
    """Return the tokens of a sentence. Raise QuestionError if there is no such sentence."""
    found = session.ask(statement("questions/concordances/words_of_sentence", number=number))
    if not found.rows:
        raise QuestionError(f"no sentence {number}")
    return found


def about_sentence(session: Session, number: int) -> dict[str, Any]:
    """Return the corpus, document and name of a sentence. Raise QuestionError if there is no such sentence."""
    for row in session.ask(statement("questions/concordances/about_sentence", number=number)):
        return dict(row)
    raise QuestionError(f"no sentence {number}")
