"""Writes dictionary entries: what a lexicographer looks at of each word, in one call, as JSON or Markdown.

(They are called articles here, as entries are composed APTs that are stored.)
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Unpack

from aptdb.core.errors import IncompleteDataWarning, QuestionError, warn
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import Article
from aptdb.core.result import Result
from aptdb.questions.breakdowns import break_down
from aptdb.questions.execute import evidence, frames
from aptdb.questions.inventory import known_or_refused
from aptdb.questions.query import likeliest_lexeme, sketch
from aptdb.questions.senses import senses
from aptdb.questions.spaces import check_number, known_space, spaces
from aptdb.store.question_sql import is_sql_wanted
from aptdb.store.session import Session
from aptdb.store.statements import statement

FORMS = 8  # that are listed, the most frequent
FRAMES = 6


def articles(session: Session, words: Iterable[str], **parameters: Unpack[Article]) -> list[dict[str, Any]]:
    """Return what a dictionary entry of each word is written from, a dictionary for each.

    words: lexemes, or typed words, each read as its likeliest lexeme. Keys: lexeme, lemma, pos, frequency, per_million
    (None without sentences); forms (form, count); sketch, a list of relations (path, relation, collocates with context,
    count, score, example); frames (frame, count, share, example); senses (sense, share, features, neighbours,
    examples): those stored, else as they are in a reduced space (space, or the only one), else none; examples (text,
    source), good ones, no two alike. top: collocates of a relation; top_relations: relations; examples: sentences.
    Raises QuestionError, before anything is looked up, for a word that the lexicon lacks.
    """
    known_parameters = declared(Article)
    for name in parameters:
        if name not in known_parameters:
            raise QuestionError(f"articles takes no {name}; it takes {', '.join(known_parameters)}")
    given: dict[str, Any] = {name: each.default for name, each in known_parameters.items()} | {**parameters}
    if is_sql_wanted():
        raise QuestionError(
            "articles asks several questions; see the SQL of sketch, frames, senses and evidence --best"
        )
    for name in ("top", "top_relations", "examples"):
        check_number(Article, name, given[name])
    if isinstance(words, str) or not isinstance(words, Iterable):
        raise QuestionError(f"words is {words!r:.60}; expected a list, as ['dog/NOUN', 'give/VERB']")
    names = [likeliest_lexeme(session, word) for word in words]
    known = [known_or_refused(session, name) for name in dict.fromkeys(names)]
    if not known:
        raise QuestionError("no word is given; give one or more, e.g. ['dog/NOUN', 'give/VERB']")
    space = choose_space(session, given["space"])
    tokens = sum(session.ask("SELECT tokens FROM corpora").column("tokens"))
    return [
        {"lexeme": each.lexeme, "lemma": each.lemma, "pos": each.pos, "frequency": each.frequency,
         "per_million": 1e6 * each.frequency / tokens if tokens else None,
         **describe_word(session, each.lexeme, space, given)}
        for each in known
    ]  # fmt: skip


def choose_space(session: Session, space: str | None) -> str | None:
    """Return the space in which senses are told apart: the one named, else the only one, else None.

    Raises QuestionError for a space that the lexicon lacks.
    """
    if space is None and len(spaces(session)) != 1:
        return None
    return known_space(session.reading(), space)


def describe_word(session: Session, lexeme: str, space: str | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of an article: forms, sketch, frames, senses and examples."""
    has_trees = bool(session.reading().rows(statement("questions/corpora_of_trees")))
    forms = break_down(session, lexeme, None, None, {"by": "1.form", "top": FORMS}) if has_trees else Result((), (), [])
    found = sketch(session, lexeme, top=given["top"], top_relations=given["top_relations"], examples=has_trees)
    relations = [
        {"path": path, "relation": relation, "collocates": [
            {name: row.get(name) for name in ("context", "count", "score", "example")} for row in rows
        ]}
        for (path, relation), rows in groupby(found, lambda row: (row["path"], row["relation"]))
    ]  # fmt: skip
    if not has_trees:
        return {"forms": [], "sketch": relations, "frames": [], "senses": [], "examples": []}
    examples = evidence(session, lexeme, best=True, top=given["examples"])
    return {
        "forms": [{"form": row["1.form"], "count": row["count"]} for row in forms],
        "sketch": relations,
        "frames": [*frames(session, lexeme, top=FRAMES)],
        "senses": list_senses(session, lexeme, space),
        "examples": [
            {
                "text": without_marks(row["text"], row["keyword"]),
                "source": name_reference(row["document"], row["sentence"]),
            }
            for row in examples
        ],
    }


def list_senses(session: Session, lexeme: str, space: str | None) -> list[dict[str, Any]]:
    """Return the senses of a lexeme: those stored, else as they are in a space; none if it has none, with a warning."""
    stored = session.reading().rows(statement("questions/has_senses"), {"lexeme": lexeme})
    if not stored and space is None:
        return []
    try:
        found = senses(session, lexeme) if stored or space is None else senses(session, lexeme, space=space)
    except QuestionError as error:  # no occurrence has a feature of the space
        warn(f"{lexeme} has no senses: {error}", IncompleteDataWarning)
        return []
    return [
        {"sense": each.number, "share": each.share, "features": [" ".join(pair) for pair in each.features],
         "neighbours": [*each.neighbours], "examples": [*each.examples]}
        for each in found.described
    ]  # fmt: skip


def name_reference(document: str | None, sentence: str) -> str:
    """Return the document and the sentence of a line; the sentence alone where its name begins with the document's."""
    return sentence if document is None or sentence.startswith(document) else f"{document} {sentence}"


def without_marks(text: str, keyword: str) -> str:
    """Return a sentence without the brackets around its keyword, of which each token may have some."""
    for marked in [keyword] if f"[{keyword}]" in text else keyword.split():
        text = text.replace(f"[{marked}]", marked, 1)
    return text


def write_articles(articles: Iterable[Mapping[str, Any]]) -> str:
    """Return articles as Markdown."""
    return "\n".join(map(write_article, articles))


def write_article(article: Mapping[str, Any]) -> str:
    """Return an article as Markdown."""
    forms = ", ".join(f"{each['form']} {each['count']:,}" for each in article["forms"])
    often = f"{article['frequency']:,} times"
    often += f", {article['per_million']:,.1f} in a million" if article["per_million"] else ""
    lines = [f"## {article['lemma']} ({article['pos']})", "", f"{often}: {forms}" if forms else often]
    lines += write_section("Collocates", [
        f"**{each['relation']}**: " + ", ".join(f"{one['context']} {one['count']:,}" for one in each["collocates"])
        + "".join(f"\n  - {one['example']}" for one in each["collocates"][:1] if one["example"])
        for each in article["sketch"]
    ])  # fmt: skip
    lines += write_section("Frames", [
        f"{each['frame']}: {each['count']:,} ({each['share']:.0%}). {each['example']}" for each in article["frames"]
    ])  # fmt: skip
    lines += write_section("Senses", [
        f"{each['share']:.0%}: {', '.join(each['neighbours'])}"
        + (f" ({', '.join(each['features'])})" if each["features"] else "")
        + "".join(f"\n  - {text}" for text in each["examples"]) for each in article["senses"]
    ])  # fmt: skip
    lines += write_section("Examples", [f"{each['text']} ({each['source']})" for each in article["examples"]])
    return "\n".join(lines) + "\n"


def write_section(title: str, items: Sequence[str]) -> list[str]:
    """Return the lines of a section of an article; none without items."""
    return ["", f"### {title}", "", *(f"- {each}" for each in items)] if items else []
