"""Questions to a lexicon. Each calls the SQL macro of its name, with the same parameters."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from aptdb.core.composition import Features
from aptdb.core.count_parameters import Collocating, Sketching, SketchingPair
from aptdb.core.errors import IncompleteDataWarning, QuestionError, refuse_no_bool, warn
from aptdb.core.parameters import declared
from aptdb.core.phrase import Phrase
from aptdb.core.question_parameters import (
    Comparing,
    ComparingEach,
    Contextualising,
    CountedFeatures,
    Differing,
    DoesntMatch,
    Entailing,
    Explaining,
    MostSimilar,
    Neighbours,
    Plausible,
)
from aptdb.core.result import Result
from aptdb.core.schemes import DEFAULT_WEIGHTS, FILTERS, note_weights
from aptdb.questions.calls import Question, Questions, call, list_questions, pairs_of, split_phrase, write_question
from aptdb.questions.execute import ask_weighed, refuse_uncounted, warn_of_unknown_relations
from aptdb.questions.readings import as_lexeme, as_read, each_as_read
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, literal, statement


def wanted(parameters: dict[str, Any], name: str) -> bool:
    """Return whether counts are requested by a parameter, which is removed.

    Raises QuestionError if it is not a bool.
    """
    value = parameters.pop(name, False)
    refuse_no_bool(**{name: value})
    return bool(value)


def add_frequencies(session: Session, query: str, parameters: Mapping[str, Any]) -> SqlText:
    """Return the query of neighbours with their frequencies; NULL for entries."""
    subcorpus = subcorpus_of_question(session, parameters, "subcorpus")
    return statement("questions/counted/neighbours", query=SqlText(query), subcorpus=subcorpus)


def subcorpus_of_question(session: Session, parameters: Mapping[str, Any], name: str) -> str | None:
    """Return the subcorpus of a question: the given one, else the one of its weighting."""
    if parameters.get(name) is not None:
        return str(parameters[name])
    weights = literal(str(parameters.get("weights", DEFAULT_WEIGHTS)))
    recorded = session.reading().value(f"SELECT _store.subcorpus({weights}, NULL)")
    return None if recorded is None else str(recorded)


def one(lexeme: object) -> str:
    """Return the text of a lexeme. Raise QuestionError for a phrase: phrases are composed, not counted."""
    if not isinstance(lexeme, str):
        raise QuestionError("a phrase is composed, and has no counts; ask for counts of a lexeme")
    return lexeme


def apt(session: Session, x: Question, **parameters: Unpack[CountedFeatures]) -> Result:
    """Return the APT of a lexeme or phrase: rows of path, context, weight; the heaviest first on each path.

    x: the text of a lexeme, or a phrase: a Phrase, its text in brackets, or its words as SQL takes them. show_counts:
    for a lexeme, also return count, how often it meets the context along the path, and direct, its direct count.
    """
    given = dict(parameters)
    words, counted = write_question(as_read(session, x, given)), wanted(given, "show_counts")
    return warned_if_empty(rows_of_apt(session, "apt", words, given, counted=counted), none_of([x], given), given)


def compose(session: Session, phrase: Question, **parameters: Unpack[Features]) -> Result:
    """Return the composed APT of a phrase (the paper's equation 9): rows as in `apt`."""
    found = rows_of_apt(session, "compose", split_phrase(as_read(session, phrase, parameters)), parameters)
    return warned_if_empty(found, none_of([phrase], parameters), parameters)


def compose_each(session: Session, phrases: Questions, **parameters: Unpack[Features]) -> Result:
    """Return the APTs of several phrases, composed at once: rows of phrase, path, context, weight.

    phrases: a sequence, where each is named as it is written, or a mapping from names. The answer is in this order,
    each as in `compose`.
    """
    per_path = parameters.pop("per_path", None)
    asked, rows = asked_in(each_as_read(session, phrases, parameters))
    names = literal(list(dict.fromkeys(row["phrase"] for row in rows)))
    each = f"{asked} FROM {call('compose_each', ['asked'], parameters)} {only(per_path, 'phrase, path')}"
    order = f"ORDER BY array_position({names}, phrase), path, round(weight, 12) DESC, context"
    found = ask_weighed(session, f"{each} {order}", parameters, {"questions": json.dumps(rows)}, asked=[rows])
    if not rows:
        return found
    return warned_if_empty(found, none_of(dict.fromkeys(row["phrase"] for row in rows), parameters), parameters)


def neighbours(session: Session, x: Question, **parameters: Unpack[Neighbours]) -> Result:
    """Return the lexemes most similar to a lexeme or phrase: rows of lexeme, similarity, the best first.

    pos: `same` as x, `any`, or a tag. min_frequency: ignore neighbours with fewer tokens; None means one per 25,000
    tokens of the lexicon, at least 1 and at most 50. For a measure with a direction, x is the first argument.
    frequencies: also return frequency, the number of tokens.
    """
    given = dict(parameters)
    words, counted = write_question(as_read(session, x, given)), wanted(given, "frequencies")
    query: str = f"FROM {call('neighbours', [words], given)}"
    found = ask_weighed(session, add_frequencies(session, query, given) if counted else query, given, asked=[words])
    return warned_if_empty(found, no_neighbours(given), given)


def neighbours_each(session: Session, questions: Questions, **parameters: Unpack[Neighbours]) -> Result:
    """Return the neighbours of several lexemes and phrases: rows of question, lexeme, similarity.

    questions: a sequence, each named by its own text, or a mapping from names. The answer is in this order, the
    nearest first. A repeated question is answered once.
    """
    given = dict(parameters)
    asked, rows = asked_in(each_as_read(session, questions, given))
    counted = wanted(given, "frequencies")
    query = f"{asked} FROM {call('neighbours_each', ['asked'], given)}"
    query = add_frequencies(session, query, given) if counted else query
    found = ask_weighed(session, query, given, {"questions": json.dumps(rows)}, asked=[rows])
    return warned_if_empty(found, no_neighbours(given), given) if rows else found


def contextualise(session: Session, phrase: Question, **parameters: Unpack[Contextualising]) -> Result:
    """Return the neighbours of each word of a phrase, alone and in its context (the paper's equation 11), side by side.

    Rows of anchor (the word's number), word, alone, similarity, in_context, similarity_there; parameters as in
    `neighbours`, without an anchor.
    """
    words = split_phrase(as_read(session, phrase, parameters))
    found = ask_weighed(session, f"FROM {call('contextualise', [words], parameters)}", parameters, asked=[words])
    return warned_if_empty(found, "no neighbours of any of the words", parameters)


def plausible(
    session: Session, phrase: Question, candidates: Sequence[str] | None = None, **parameters: Unpack[Plausible]
) -> Result:
    """Return likely fillers of a phrase's gap, a word with lemma `_`: rows of lexeme, similarity, the best first.

    Compares each candidate's APT with the rest of the phrase, composed and anchored at the gap (the paper's section
    7.2). Without candidates: the best `top` (10) of all lexemes with the gap's part of speech, as in `neighbours`. The
    parameters that choose these (top, pos, min_frequency) cannot be used together with candidates.
    """
    if isinstance(candidates, str):
        raise QuestionError(f"candidates is {candidates!r}; expected a list of lexemes")
    several = None if candidates is None else check_names("candidates", candidates)
    words = split_phrase(phrase)
    query = f"FROM {call('plausible', [words], {'candidates': several, **parameters})}"
    found = ask_weighed(session, query, parameters, asked=[words, *(several or [])])
    return warned_if_empty(found, "no candidate shares a feature with the rest of the phrase", parameters)


def similarity(session: Session, a: Question, b: Question, **parameters: Unpack[Comparing]) -> float | None:
    """Return the similarity of two lexemes or phrases, by the cosine (the paper's equation 6) or another measure.

    None if one of the vectors is empty.
    """
    both = [write_question(as_read(session, each, parameters)) for each in (a, b)]
    found = ask_weighed(session, f"SELECT {call('similarity', both, parameters)}", parameters, asked=both)
    if (value := found.rows[0][0]) is None:
        warn(f"no similarity: one of the two has no features{note_weights(parameters)}", IncompleteDataWarning)
        return None
    return float(value)


def similarity_each(
    session: Session,
    questions: Questions,
    pairs: Iterable[tuple[str, str]] | None = None,
    **parameters: Unpack[ComparingEach],
) -> Result:
    """Return the similarities of several lexemes and phrases: rows of a, b, similarity.

    questions: as in `neighbours_each`. pairs: pairs of their names; by default each is compared with all after it.
    """
    questions = each_as_read(session, questions, parameters)
    warn_of_unknown_relations(session, [list_questions(questions)], parameters)
    return similarity_under(session, questions, pairs, parameters, {})


def similarity_under(
    session: Session,
    questions: Questions,
    pairs: Iterable[tuple[str, str]] | None,
    parameters: Mapping[str, Any],
    weights: Mapping[str, str],
    found_neighbours: Sequence[Mapping[str, Any]] | None = None,
) -> Result:
    """Return the answer of `similarity_each` under given relations. weights: SELECTs by name.

    found_neighbours: neighbours for smoothing, from `neighbours_to_share` for the same questions.
    """
    asked, rows = asked_under(questions, weights)
    values = {"questions": json.dumps(rows)}
    shared = None
    if found_neighbours is not None:
        shared, table = "found_neighbours", statement("questions/found_neighbours")
        asked = f"{asked}, {shared} AS MATERIALIZED ({table})"
        values["found_neighbours"] = json.dumps(found_neighbours)
    if pairs is not None:
        table = statement("questions/pairs")
        asked = f"{asked}, pairs AS ({table})"
        values["pairs"] = json.dumps(pairs_of(pairs))
    own = {} if pairs is None else {"pairs": "pairs"}
    similarities = call(
        "similarity_each", [shared, "asked"], {**own, **parameters}, macro="_store.similarity_each_with"
    )
    return ask_weighed(session, f"{asked} FROM {similarities}", parameters, values, asked=[rows], tell_relations=False)


def neighbours_to_share(
    session: Session, questions: Questions, parameters: Mapping[str, Any], weights: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the neighbours that smoothing takes for these questions, for several `similarity_under`.

    parameters, weights: as there. Parameters of later steps make no difference.
    """
    asked, rows = asked_under(questions, weights)
    query = f"{asked} FROM {call('similarity_each', ['asked'], parameters, macro='_store.neighbours_to_share')}"
    values = {"questions": json.dumps(rows)}
    found = ask_weighed(session, query, parameters, values, asked=[rows], tell_relations=False)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def explain(session: Session, a: Question, b: Question, **parameters: Unpack[Explaining]) -> Result:
    """Return why two are similar: rows of path, context, weight_a, weight_b, contribution, the largest first.

    The weights are the values in the vectors. The last row, without path and context, sums up all other features; so
    the contributions add up to the similarity. In a space: rows of dimension, features (those behind the dimension that
    both share, as text), weight_a, weight_b, contribution.
    """
    both = [write_question(as_read(session, each, parameters)) for each in (a, b)]
    found = ask_weighed(session, f"FROM {call('explain', both, parameters)}", parameters, asked=both)
    return warned_if_empty(found, "the two share no feature", parameters)


def entails(session: Session, a: Question, b: Question, **parameters: Unpack[Entailing]) -> Result:
    """Return the features of one that another lacks: rows of path, context, weight, share, the heaviest first.

    share: of all weights of the first. The last row, without path and context, sums up all others; so the shares add up
    to 1 − weeds_precision. Where there is no row, all that the first occurs with the second has too.
    """
    both = [write_question(as_read(session, each, parameters)) for each in (a, b)]
    return ask_weighed(session, f"FROM {call('entails', both, parameters)}", parameters, asked=both)


def diff(session: Session, a: Question, b: Question, **parameters: Unpack[Differing]) -> Result:
    """Return how the contexts of two differ: rows of path, leans, context, weight_a, weight_b, by path.

    leans: `a` or `b` if its weight is at least `lean` times the other's, else `both`; the clearest first. per_path: the
    number of rows of each kind on each path; None for all. show_counts: for lexemes, also return count_a, count_b,
    direct_a and direct_b.
    """
    given = dict(parameters)
    both = [write_question(as_read(session, each, given)) for each in (a, b)]
    counted = wanted(given, "show_counts")
    query = SqlText(f"FROM {call('diff', both, given)}")
    if counted:
        subcorpus = subcorpus_of_question(session, given, "subcorpus")
        sides = {
            "subcorpus": subcorpus,
            "subcorpus_b": subcorpus_of_question(session, given, "subcorpus_b") or subcorpus,
        }
        query = statement("questions/counted/diff", query=query, a=one(both[0]), b=one(both[1]), **sides)
    return ask_weighed(session, query, given, asked=both)


def no_neighbours(parameters: Mapping[str, Any]) -> str:
    """Return why there are no neighbours."""
    among = {"entries": "entry", "all": "lexeme or entry"}.get(str(parameters.get("among")), "lexeme")
    if (space := parameters.get("space")) is not None:
        is_same = parameters.get("pos", "same") == "same"
        of_its_pos = " and has its part of speech; pos := 'any' takes all" if is_same else ""
        return f"no neighbours: no other lexeme of the space {space} is similar to it{of_its_pos}"
    return f"no neighbours: no other {among} shares a feature with it"


def warned_if_empty(found: Result, why: str, parameters: Mapping[str, Any]) -> Result:
    """Return an answer; warn if it is empty, with the filters and weights that were asked for."""
    if not found.rows and parameters.get("top") != 0:
        warn(f"{why}{note_weights(parameters)}", IncompleteDataWarning)
    return found


def none_of(asked: Iterable[Question], parameters: Mapping[str, Any]) -> str:
    """Return why an APT is empty."""
    names = ", ".join(str(each) if isinstance(each, str | Phrase) else "the phrase" for each in asked)
    passes = "passes your filters" if {*parameters} & {*FILTERS} else "is left"
    return f"no co-occurrence of {names} {passes}"


def rows_of_apt(
    session: Session, question: str, words: object, parameters: Mapping[str, Any], *, counted: bool = False
) -> Result:
    """Return the rows of an APT, path by path. counted: with counts, which are NULL for features of an entry."""
    given = dict(parameters)
    per_path = given.pop("per_path", None)
    asked = f"FROM {call(question, [words], given)} {only(per_path, 'path')}"
    query = SqlText(f"{asked} ORDER BY path, round(weight, 12) DESC, context")
    if counted:
        subcorpus = subcorpus_of_question(session, given, "subcorpus")
        query = statement("questions/counted/apt", query=query, lexeme=one(words), subcorpus=subcorpus)
    return ask_weighed(session, query, given, asked=[words])


def only(number: int | None, window: str) -> SqlText:
    """Return the clause that keeps the heaviest rows of each window; '' if number is None."""
    if number is None:
        return SqlText("")
    if not isinstance(number, int) or number < 1:
        raise QuestionError(f"per_path is {number}; expected a whole number, 1 or more")
    ranked = f"PARTITION BY {window} ORDER BY round(weight, 12) DESC, context"
    return SqlText(f"QUALIFY row_number() OVER ({ranked}) <= {number}")


def asked_under(questions: Questions, weights: Mapping[str, str]) -> tuple[str, list[dict[str, Any]]]:
    """Return the query of several questions, and relations that parameters can name, each as a SELECT."""
    asked, rows = asked_in(questions)
    return asked + "".join(f", {name} AS MATERIALIZED ({select})" for name, select in weights.items()), rows


def asked_in(questions: Questions) -> tuple[str, list[dict[str, Any]]]:
    """Return several questions as the table `asked` of a query, from the parameter $questions, and its rows."""
    table = statement("questions/asked")
    return f"WITH asked AS ({table})", list_questions(questions)


def sketch(session: Session, x: str, **parameters: Unpack[Sketching]) -> Result:
    """Return the word sketch of a lexeme: rows of path, relation, context, count, score; with examples, also example.

    relation: the path in words, for Universal Dependencies and Stanford Dependencies; other labels are shown as paths.
    The strongest paths come first, by how much their contexts tell about the lexeme; along each path, the best scores.
    ε, and contexts that serve grammar (DET, PUNCT, …), are left out unless everything is True. relations: labels, e.g.
    amod, or paths, e.g. <obj. example: the best sentence, with the [lexeme] and the {context} marked; None for corpora
    that came as counts. span: in place of paths, words within so many tokens on either side, along ~. Raises
    QuestionError.
    """
    return session.ask(f"FROM {call('sketch', [likeliest_lexeme(session, x)], as_sql(dict(parameters)))}")


def sketch_diff(session: Session, a: str, b: str | None = None, **parameters: Unpack[SketchingPair]) -> Result:
    """Return two word sketches: rows of path, relation, meets, context, count_a, count_b, score_a, score_b.

    b: another lexeme; None for the same one in another subcorpus, subcorpus_b. meets: `a` or `b` where only that one
    ever meets the context along the path, else `both`. Of each of the three, on each path, the best `top`; those of
    both are ordered from typical of a to typical of b. Raises QuestionError.
    """
    lexemes = [likeliest_lexeme(session, a), None if b is None else likeliest_lexeme(session, b)]
    return session.ask(f"FROM {call('sketch_diff', lexemes, as_sql(dict(parameters)))}")


def left_out_of_sketch(session: Session, *lexemes: str, **parameters: Unpack[Collocating]) -> Result:
    """Return what a sketch leaves out, without ε: a row of for_grammar, rare, least_count, counts, without_direct.

    for_grammar: the number of contexts that serve grammar (DET, PUNCT, …); rare: the number of others that are met
    fewer than least_count times, which is min_count or its default. counts: the counts that it shows, packed or direct.
    without_direct: the corpora whose direct counts are not known; None if there are none.
    """
    given = as_sql(dict(parameters))
    known = declared(Collocating)
    names = ("relations", "max_order", "min_count", "everything", "subcorpus", "counts")
    values = {name: given.get(name, known[name].default) for name in names}
    named = [likeliest_lexeme(session, each) for each in lexemes]
    refuse_uncounted(session, *named)
    return session.ask(statement("questions/sketch/left_out", lexemes=named, **values))


def likeliest_lexeme(session: Session, x: object) -> str:
    """Return the text of a lexeme; of a typed word the likeliest lexeme. Raise QuestionError for anything else."""
    if not isinstance(x, str):
        raise QuestionError(f"sketch takes one lexeme, as dog/NOUN, not {x!r:.60}")
    return as_lexeme(session, x)


def as_sql(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters with relations as a list in SQL. Raise QuestionError if they are not a list."""
    relations = parameters.get("relations")
    if relations is None:
        return parameters
    if not isinstance(relations, Sequence) or not all(isinstance(each, str) for each in relations):
        raise QuestionError(f"relations is {relations!r:.60}; expected a list, as ['amod', '<obj']")
    if isinstance(relations, str):
        raise QuestionError(f"relations is {relations!r:.60}; expected a list, as ['{relations:.40}']")
    return {**parameters, "relations": SqlText(f"{literal([*relations])}::VARCHAR[]")}


def most_similar(
    session: Session,
    positive: str | Iterable[str],
    negative: str | Iterable[str] = (),
    topn: int | None = None,
    **parameters: Unpack[MostSimilar],
) -> Result:
    """Return lexemes most like all of `positive` and least like `negative`: rows of lexeme, similarity, the best first.

    All vectors are scaled to one length; those of `positive` are added, those of `negative` subtracted, and all other
    lexemes are ranked by their similarity to the sum (gensim's `most_similar`; 3CosAdd of Levy & Goldberg 2014).
    Dimensions are features, path with context: so a lexeme is found by the contexts that it shares with the positive,
    and contexts that it shares with the negative count against it. Analogies that dense vectors are known for (king −
    man + woman) appear only where the corpus has such contexts, and seldom in a small one.

    positive, negative: a lexeme, or several. topn: gensim's name of top. pos: `same` is the part of speech of the first
    lexeme. Raises QuestionError; for an unknown lexeme it suggests similar ones.
    """
    if topn is not None:
        if "top" in parameters:
            raise QuestionError(f"topn is {topn} and top is {parameters['top']}; give only one of the two")
        parameters["top"] = topn
    words = [check_names("positive", positive), check_names("negative", negative)]
    return ask_weighed(
        session, f"FROM {call('most_similar', words, parameters)}", parameters, asked=[*words[0], *words[1]]
    )


def doesnt_match(session: Session, lexemes: Iterable[str], **parameters: Unpack[DoesntMatch]) -> str:
    """Return the lexeme that is least like the others: whose vector is least like the mean of all.

    All vectors are scaled to one length before (gensim's `doesnt_match`). SQL gives all similarities: `FROM
    doesnt_match(['dog/NOUN', 'cat/NOUN', 'tax/NOUN'])`. lexemes: three or more. Raises QuestionError, for an unknown
    lexeme with similar ones, and if a lexeme has no weights.
    """
    words = check_names("lexemes", lexemes)
    found = ask_weighed(session, f"FROM {call('doesnt_match', [words], parameters)}", parameters, asked=words)
    empty = [str(row["lexeme"]) for row in found if row["similarity"] is None]
    if empty and (parameters.get("missing", "error") == "error" or len(empty) == len(found)):
        raise QuestionError(f"{empty[0]} has no features under these weights, so it cannot be compared")
    return str(found[0]["lexeme"])


def check_names(name: str, lexemes: object) -> list[str]:
    """Return lexemes as a list. Raise QuestionError for anything else."""
    several = [lexemes] if isinstance(lexemes, str) else lexemes
    found = [*several] if isinstance(several, Iterable) else [None]
    if not all(isinstance(each, str) for each in found):
        raise QuestionError(f"{name} is {lexemes!r:.60}; expected a list of lexemes, e.g. ['dog/NOUN']")
    return [str(each) for each in found]
