"""Finds the matches of patterns, and spreads them into columns or writes them as CoNLL-U."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Unpack

from aptdb.core.question_parameters import Matches
from aptdb.core.result import Result
from aptdb.counting.patterns import read_pattern
from aptdb.questions.breakdowns import write_pattern_asked
from aptdb.questions.calls import call
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, statement


@dataclass(frozen=True, eq=False, repr=False)
class Matched(Result):
    """Matches as rows. names: those of the nodes or labels; is_sequence: whether the pattern is one."""

    names: tuple[str, ...] = ()
    is_sequence: bool = False


def matches(session: Session, pattern: str, **parameters: Unpack[Matches]) -> Matched:
    """Return the matches of a pattern: rows of corpus, document, sentence, match, tokens, sentence_number.

    pattern: a request for trees as Grew has it, `pattern { V [upos=VERB]; V -[obj]-> O }`; words in brackets with tags,
    wildcards and features, `VERB[obj PRON, !nsubj]`; or a sequence in CQL, `1:[lemma="take"] []{0,2} [upos="NOUN"]`
    (meaning.md 7.9). tokens: of trees those of the nodes, different nodes being different tokens; of a sequence all;
    each with name (None for those of a sequence without a label), position, form and lexeme. Raises QuestionError.
    """
    asked = call_matches(session, pattern, parameters)
    read = read_pattern(session.reading(), pattern)
    names = [node["name"] for node in read["nodes"] if not ("sequence" in read and node["name"].startswith("_"))]
    found = session.ask(f"FROM {asked}")
    return Matched(found.columns, found.types, found.rows, tuple(names), "sequence" in read)


def matches_as_conllu(session: Session, pattern: str, **parameters: Unpack[Matches]) -> Iterator[str]:
    """Yield the sentences with a match as CoNLL-U, whose tokens are marked in MISC: Match=1:V says match 1, node V.

    pattern: as in `matches`. What the lexicon does not keep is not there: comments, multiword tokens and empty nodes.
    Raises QuestionError.
    """
    found = SqlText(call_matches(session, pattern, parameters))
    for (written,) in session.ask(statement("questions/matches/as_conllu", matches=found)).rows:
        yield written


def call_matches(session: Session, pattern: str, parameters: Matches) -> str:
    """Return the call of matches for a pattern. Raise QuestionError for what is no text, or no pattern."""
    return call("matches", [write_pattern_asked(session, pattern)], parameters)


def spread_matches(found: Matched, *, briefly: bool = False) -> Result:
    """Return matches with columns for each named token, NAME, NAME_lexeme, NAME_position, and the text of sequences.

    briefly: only the forms, with the sentence.
    """
    rows, names, is_sequence = [*found], found.names, found.is_sequence
    kinds = {"": "form"} if briefly else {"": "form", "_lexeme": "lexeme", "_position": "position"}
    columns = ["sentence"] if briefly else ["corpus", "document", "sentence", "match"]
    spread = []
    for row in rows:
        tokens = {each["name"]: each for each in row["tokens"]}
        text = [" ".join(each["form"] for each in row["tokens"])] if is_sequence else []
        each_name = [tokens.get(name, {}).get(kind) for name in names for kind in kinds.values()]
        spread.append((*(row[column] for column in columns), *text, *each_name))
    texts = ["text"] if is_sequence else []
    named = [f"{name}{ending}" for name in names for ending in kinds]
    of_column = {"match": "BIGINT", **{f"{name}_position": "INTEGER" for name in names}}
    columns = [*columns, *texts, *named]
    return Result(tuple(columns), tuple(of_column.get(each, "VARCHAR") for each in columns), spread)
