"""Questions about several lexemes together, by the names that gensim has for them."""

from collections.abc import Iterable
from typing import Unpack

from aptdb.core.errors import QuestionError
from aptdb.core.question_parameters import DoesntMatch, MostSimilar
from aptdb.core.result import Result
from aptdb.questions.calls import call
from aptdb.questions.execute import answer
from aptdb.store.session import Session


def most_similar(
    session: Session,
    positive: str | Iterable[str],
    negative: str | Iterable[str] = (),
    topn: int | None = None,
    **parameters: Unpack[MostSimilar],
) -> Result:
    """Return lexemes most like all of `positive` and least like `negative`: rows of lexeme, similarity, the best first.

    Each lexeme's vector is made as long as the others; those of `positive` are added, those of `negative` subtracted,
    and all lexemes are ranked by how like the sum they are, without those that were named (gensim's `most_similar`;
    3CosAdd of Levy & Goldberg 2014). Dimensions are features, path with context: so a lexeme is found for the contexts
    that it shares with the positive, and what it shares with the negative counts against it. Analogies that dense
    vectors are known for (king − man + woman) come out where the corpus has the contexts that make them, and seldom in
    a small one.

    positive, negative: a lexeme, or several. topn: gensim's name of top. pos: `same` is the part of speech of the first
    lexeme. Raises QuestionError, for an unknown lexeme with those that it may have meant.
    """
    if topn is not None:
        if "top" in parameters:
            raise QuestionError(f"topn is {topn} and top is {parameters['top']}; they are the same, so name one")
        parameters["top"] = topn
    words = [named("positive", positive), named("negative", negative)]
    return answer(session, f"FROM {call('most_similar', words, parameters)}", parameters, asked=[*words[0], *words[1]])


def doesnt_match(session: Session, lexemes: Iterable[str], **parameters: Unpack[DoesntMatch]) -> str:
    """Return the lexeme that is least like the others: whose vector is least like the mean of all.

    Each vector is made as long as the others before (gensim's `doesnt_match`). All similarities are in SQL:
    `FROM doesnt_match(['dog/NOUN', 'cat/NOUN', 'tax/NOUN'])`. lexemes: three or more. Raises QuestionError, for an
    unknown lexeme with those that it may have meant, and where nothing is left of a lexeme under these weights.
    """
    words = named("lexemes", lexemes)
    found = answer(session, f"FROM {call('doesnt_match', [words], parameters)}", parameters, asked=words)
    empty = [str(row["lexeme"]) for row in found if row["similarity"] is None]
    if empty and (parameters.get("missing", "error") == "error" or len(empty) == len(found)):
        raise QuestionError(f"nothing is left of {empty[0]} under these weights, so it cannot be compared")
    return str(found[0]["lexeme"])


def named(name: str, lexemes: object) -> list[str]:
    """Return lexemes as a list. Raises QuestionError if that is something else."""
    several = [lexemes] if isinstance(lexemes, str) else lexemes
    found = [*several] if isinstance(several, Iterable) else [None]
    if not all(isinstance(each, str) for each in found):
        raise QuestionError(f"{name} is {lexemes!r:.60}; expected a list of lexemes, e.g. ['dog/NOUN']")
    return [str(each) for each in found]
