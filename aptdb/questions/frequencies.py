"""Questions about frequencies: by kind of text, over time, and in one subcorpus compared with another."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from typing import Any, Unpack

from aptdb.core.count_parameters import Keyness, PhraseKeyness
from aptdb.core.display import how_many
from aptdb.core.errors import (
    IncompleteDataWarning,
    InterpretationWarning,
    LexiconError,
    NoMatchWarning,
    QuestionError,
    StaleDataWarning,
    warn,
)
from aptdb.core.one_line import name_first
from aptdb.core.parameters import declared
from aptdb.core.question_parameters import Counted, Trend
from aptdb.core.result import Result
from aptdb.counting.metadata import read_metadata_columns
from aptdb.counting.patterns import SEQUENCE
from aptdb.questions.breakdowns import break_down, is_breakdown
from aptdb.questions.calls import Question, call, name_question, refuse_single_question
from aptdb.questions.execute import (
    as_asked,
    ask_of_words,
    lexemes_like,
    refuse_expressions,
    senses_in,
    warn_of_counts,
)
from aptdb.questions.query import as_sql
from aptdb.questions.readings import asks_for_matches, is_pattern
from aptdb.store.counts_location import find_counts_folder, refuse_counts_elsewhere
from aptdb.store.question_sql import raising_sql
from aptdb.store.session import Session
from aptdb.store.statements import SqlText, identifier, statement

FEWEST_TOKENS = 1_000  # of a period, before it is noted
VALUES = re.compile(r'"(?:value|relation)": "((?:[^"\\]|\\.)*)"')  # in the JSON of a pattern
SHOWN_PERIODS = 3  # small ones that a note names
SHARES = ("other_count", "share", "share_low", "share_high")
MOST_NAMED = 8  # parts of speech, relations and words that a warning names
NOT_COMPARABLE = (
    "; items with a label that one of the two lacks, or a word that they tag or lemmatise differently, come last: they "
    "may differ by annotation, not by use"
)
AT_ONCE = 10  # periods in one query: the time to plan one grows with their square


def counts_by(
    session: Session,
    lexeme: Question | None = None,
    path: str | None = None,
    context: str | None = None,
    **parameters: Unpack[Counted],
) -> Result:
    """Return the frequency of an item in each corpus, document, or kind of text, or by what it is.

    Rows of value, count, tokens (of the whole kind), per_million, lexeme_count, context_count; sentences without a
    value are one row (None). lexeme and context may be patterns, forms or stored senses, as in `evidence`: all that is
    like them is counted together. path and context may be None, which stands for any; so may the lexeme if both are
    given. A lexeme alone is counted by its tokens. Corpora that came as counts have no sentences, and are not counted.
    by may be a function of a column: of dates year and month; of dates and years decade (1890 of 1893) and century (19
    of 1801 to 1900); of numbers bin(age, 12), round(age, 1), age::INTEGER and age::DOUBLE. Sentences whose value is no
    such thing are in the row None, of which there is a warning.

    by may also name values of tokens, or several things with commas: "V.lemma, O.Case, genre". Tokens are called as a
    pattern calls them, else 1 (the lexeme) and 2 (its context); match is all of them: "match" their forms,
    "match.lemma" their lemmas. Then, and with dispersion, rows are columns of those names and count, share, tokens,
    per_million, the most frequent first; with dispersion also documents, dp (Gries' DP) and arf (the average reduced
    frequency). Raises QuestionError.
    """
    if is_breakdown(session, parameters):
        return break_down(session, lexeme, path, context, parameters)
    named, asked, context = as_asked(session, lexeme, path, context)
    found = ask_of_words(session, f"FROM {call('counts_by', [asked, path, context], parameters)}", named, context)
    if parameters.get("subcorpus") is None and (named, path, context) != (None, None, None):
        warn_of_counts(session, named, path, context)
    warn_of_values(session, parameters.get("by"), parameters.get("subcorpus"), found, are_times=False)
    return found


def trend(
    session: Session,
    lexeme: Question | None,
    path: str | None = None,
    context: str | None = None,
    against: Question | None = None,
    **parameters: Unpack[Trend],
) -> Result:
    """Return the frequency of an item over time: a row for each period, in order.

    lexeme, path and context as in `counts_by`. against: an alternative, a lexeme, phrase, pattern or sequence with the
    same path and context; then the share of the first among both is shown too, and followed.

    Columns: value, period (as a number), count, tokens, per_million; and, the same in each row, slope (the rise per
    unit of time, per million, or of the share; Theil and Sen), tau and p_value (Mann and Kendall), growth (the part of
    itself by which it grows per unit of time) and growth_p (of no growth, by quasi-Poisson regression, where a period
    weighs as much as its tokens, or as both alternatives). With against also other_count, share, share_low and
    share_high (95 %, Wilson). If two periods or more are kept subcorpora (`subcorpora_by`), of a lexeme alone also
    to_before and to_first: the similarity of the lexeme to itself in the period before, and in the first; None where
    one of the two is no kept subcorpus, of which there is a warning.

    by may be a function of a column, as in `counts_by`, e.g. century(year), bin(age, 12), or chapter::INTEGER for text
    with numbers in it; without by, and without a column year, it is the year of the only date that the lexicon has.
    Values that are not times are left out; warnings say so, and which periods have fewer than 1,000 tokens.
    Raises QuestionError.
    """
    if "by" not in parameters and (found_by := year_of_date(session)):
        parameters["by"] = found_by
        warn(f"there is no column year; the periods are {found_by}", InterpretationWarning)
    named, asked, context = as_asked(session, lexeme, path, context)
    other, asked_other, _ = as_asked(session, against, path, context)
    arguments = [asked, path, context, asked_other]
    found = ask_of_words(session, f"FROM {call('trend', arguments, parameters)}", named, context, other)
    if parameters.get("subcorpus") is None:
        warn_of_counts(session, named, path, context)
    by = parameters.get("by", "year")
    warn_of_values(session, by, parameters.get("subcorpus"), found, are_times=True)
    warn_of_small(found)
    if against is None:
        found = found.but(*SHARES)
    is_alone = isinstance(asked, str) and (path, context, against) == (None, None, None)
    is_one = is_alone and not is_pattern(session, named) and not senses_in(session, named)
    if parameters.get("subcorpus") is not None or not is_one:
        return found
    subcorpora = find_subcorpora_of_periods(session, by, found.column("value"))
    if sum(each is not None for each in subcorpora) < 2:  # noqa: PLR2004
        return found
    alike = likeness(session, str(named), subcorpora)
    rows = [(*row, alike.get((n, n - 1)), alike.get((n, 0))) for n, row in enumerate(found.rows)]
    return Result((*found.columns, "to_before", "to_first"), (*found.types, "DOUBLE", "DOUBLE"), rows)


def warn_of_values(session: Session, by: str | None, subcorpus: str | None, found: Result, *, are_times: bool) -> None:
    """Warn of sentences whose values are not times, or not what a function takes; and say what a century is.

    A column by itself is left out of nothing but times.
    """
    if by is None or not (are_times or "(" in by or "::" in by):
        return
    rows = session.reading().rows(
        statement("questions/values_left_out", kind=by, subcorpus=subcorpus, are_times=are_times)
    )
    ((sentences, example, function),) = rows
    if sentences:
        where = "left out" if are_times else "in the row without a value"
        are, meant = ("is" if sentences == 1 else "are"), ("a time" if are_times else f"what {function} takes")
        warn(f"{how_many(sentences, 'sentence')} {are} {where}: {example:.40} is not {meant}", IncompleteDataWarning)
    centuries = [int(each) for each in found.column("value") if each is not None] if function == "century" else []
    if centuries and centuries[-1] > 0:
        last = centuries[-1]
        warn(f"by the calendar, century {last} is {100 * last - 99} to {100 * last}", InterpretationWarning)


def warn_of_small(found: Result) -> None:
    """Warn of periods with few tokens, in which a frequency is hardly one."""
    small = [f"{row['value']} ({row['tokens']:,})" for row in found if row["tokens"] < FEWEST_TOKENS]
    if small:
        named = name_first(small, SHOWN_PERIODS)
        warn(f"fewer than {FEWEST_TOKENS:,} tokens in {named}", IncompleteDataWarning)


def find_subcorpora_of_periods(session: Session, by: str, periods: Sequence[str]) -> list[str | None]:
    """Return the kept subcorpus of each period, None where there is none; warn if some are stale or lacking."""
    rows = session.reading().rows(statement("questions/subcorpora_of_values", kind=by))
    kept = {value: subcorpus for value, subcorpus, _ in rows if subcorpus is not None}
    stale = [subcorpus for value, _, subcorpus in rows if subcorpus is not None and value not in kept]
    lacking = [period for period in periods if period not in kept]
    if stale:
        why = f"periods with stale subcorpora are not compared: {name_first(stale, SHOWN_PERIODS)}; count them again:"
        warn(f"{why} aptdb refresh {session.file} --kind subcorpora", StaleDataWarning)
    elif lacking and len(kept) > 1:
        why = f"periods without a subcorpus are not compared: {name_first(lacking, SHOWN_PERIODS)}; make them:"
        warn(f"{why} aptdb subcorpus {session.file} --by '{by}'", IncompleteDataWarning)
    return [kept.get(period) for period in periods]


def year_of_date(session: Session) -> str | None:
    """Return the years of the only column of dates, e.g. year(date), if no column is called year; else None."""
    kinds = {
        name: kind for columns in read_metadata_columns(session.reading()).values() for name, kind in columns.items()
    }
    dates = [name for name, kind in kinds.items() if kind == "DATE"]
    return f"year({dates[0]})" if len(dates) == 1 and "year" not in map(str.lower, kinds) else None


def likeness(session: Session, lexeme: str, subcorpora: Sequence[str | None]) -> dict[tuple[int, int], float]:
    """Return the similarity of a lexeme to itself in two subcorpora: the one before, the first; by numbers.

    It is the similarity of the two, of which a single query of all would be planned for a minute. Nothing is compared
    with None.
    """
    alike: dict[tuple[int, int], float] = {}
    for begin in range(1, len(subcorpora), AT_ONCE):
        asked = sorted({0, begin - 1, *range(begin, min(begin + AT_ONCE, len(subcorpora)))})
        weights = [
            statement("questions/change/weights", period=n, subcorpus=subcorpora[n], lexeme=lexeme)
            for n in asked
            if subcorpora[n] is not None
        ]
        if not weights:
            continue
        query = statement("questions/change/likeness", weights=SqlText(f"({' UNION ALL '.join(weights)})"), first=0)
        alike |= {(period, other): value for period, other, value in session.reading().rows(query)}
    return alike


def keyness(session: Session, a: str | None = None, b: str | None = None, **parameters: Unpack[Keyness]) -> Result:
    """Return what is typical of a subcorpus compared with another, or with all the rest.

    Items that are more frequent in a come first, the surest first; then those less frequent. negative: only the latter.
    Rows of lexeme, path, context, count_a, count_b, per_million_a, per_million_b (of tokens), g2 (log-likelihood),
    log_ratio (above 0 where it is more frequent in a; a count of 0 is taken for ½, and None where ½ would turn it
    round), p_value and q_value (false discovery rate); documents_a, in how many documents of a it is, and dp_a, how
    unevenly (Gries' DP, from 0; None where a is a single document). Without documents a corpus counts as one;
    documents: a column of metadata, e.g. work, that tells them apart instead.

    Left out are ε, what is rarer than min_count, and words for grammar, punctuation, numbers and symbols, on both ends
    of co-occurrences and paths; pos takes other words. A warning says if min_count leaves nothing. of: lexemes,
    co-occurrences or paths. Subcorpora that share sentences are refused; overlap="difference" compares a with what of b
    is not in a. other: another lexicon, attached when this one was opened, in place of b; then a may be None, for all
    of this one; a warning says if it counts or is annotated differently. comparable: False, and last, where one of
    the two lacks a part of speech or a relation of the item, or has most tokens of a word or a form under another part
    of speech or lemma (be/VERB, be/AUX; person/NOUN, people/NOUN). relations, max_order: only co-occurrences and paths
    of these relations or paths, and of so many steps, as in `sketch`. dispersion: False saves its time, which is long
    for all co-occurrences or paths of a large a. Raises QuestionError.
    """
    asked: dict[str, Any] = as_sql(dict(parameters))
    refuse_no_names(a=a, b=b)
    if asked.get("other") is not None:
        refuse_other_lexicon(session, asked["other"])
    found = session.ask(f"FROM {call('keyness', [a, b], asked)}")
    if not found.rows and asked.get("top") != 0:
        warn_of_limits(session, a, b, asked)
    if other := asked.get("other"):
        warn_of_settings(session, other)
        warn_of_annotation(session, a, asked)
    return found


def phrase_keyness(
    session: Session,
    phrases: Iterable[Question],
    a: str | None = None,
    b: str | None = None,
    *,
    other: str | None = None,
    **parameters: Unpack[PhraseKeyness],
) -> Result:
    """Return how typical phrases are of a subcorpus compared with another, or with all the rest.

    phrases: lexemes, patterns, forms, phrases or queries for sequences of tokens, as `evidence` takes them; of a phrase
    the occurrences of its head with its dependents directly below it are counted, of a sequence each stretch that
    matches. Rows of phrase and the numbers of `keyness`, in its order; q_value is the false discovery rate among these
    phrases. A repeated phrase is answered once. other: another lexicon, attached when this one was opened, in place of
    b, whose sentences are searched for the same, typed words as they are read in this one; then a may be None, for all
    of this one. A warning says what it annotates differently in these phrases. Raises QuestionError.
    """
    refuse_no_names(a=a, b=b)
    if other is not None:
        refuse_other_lexicon(session, other)
    answers: dict[str, SqlText] = {}
    labels: set[str] = set()
    with nullcontext() if other is None else closing(open_attached_session(session, other)) as there:
        for number, phrase in enumerate(refuse_single_question(phrases), 1):
            named, asked, _ = as_asked(session, phrase, None, None)
            refuse_expressions(session, named)
            query = call("phrase_keyness", [asked, a, b], parameters)
            if there is not None:  # words as they are read here; a pattern in the letters of each lexicon
                again = asked if isinstance(asked, list) or not is_pattern(session, named) else phrase
                query = beside_lexicon(asked, a, b, parameters, other, occurrences_in(there, again))
                labels |= labels_in(session, named, asked)
            name = name_question(phrase, number)
            answers[name] = statement("questions/named_answer", phrase=name, answer=query)
    if not answers:
        raise QuestionError("no phrase is given; give one or more, e.g. ['dry/ADJ', '*ness']")
    if other is not None:
        warn_of_settings(session, other)
        warn_of_annotation(session, a, {"other": other}, labels)
    asked = SqlText(f"({' UNION ALL '.join(answers.values())})")
    return session.ask(statement("questions/phrase_keyness", asked=asked))


def beside_lexicon(
    asked: Any, a: str | None, b: str | None, parameters: Mapping[str, Any], other: str | None, count_there: int
) -> SqlText:
    """Return the answer about a phrase beside an attached lexicon, which has it so often, as a subquery."""
    given = {name: parameters.get(name, each.default) for name, each in declared(PhraseKeyness).items()}
    beside = {"phrase": asked, "a": a, "b": b, **given, "other": other, "count_there": count_there}
    answer = statement("questions/phrase_beside", **beside)
    return SqlText(f"({answer})")


def labels_in(session: Session, named: str | None, asked: Any) -> set[str]:
    """Return the lexemes, parts of speech and relations that a phrase names, or that a pattern stands for."""
    words = asked
    if not isinstance(asked, list):
        if isinstance(asked, SqlText) and named == "[]":  # a pattern
            said = VALUES.findall(str(asked))
            values = {each for text in said for each in text.split("|")}
            return values | {f"{lemma}/{tag}" for lemma in values for tag in values}
        words = [{"lexeme": each} for each in lexemes_like(session, named) or ()]
    lexemes = {word["lexeme"] for word in words}
    relations = {step for word in words for step in re.split("[<>]", word.get("delta", ""))}
    return lexemes | {lexeme.rpartition("/")[2] for lexeme in lexemes} | relations


def open_attached_session(session: Session, other: str) -> Session:
    """Return a session of an attached lexicon. Raise LexiconError if it cannot be opened beside this one."""
    file = session.attached[other]
    try:
        return Session(file, create=False, confined=True, given={}, limits=session.limits)
    except LexiconError as error:
        raise LexiconError(f"{file} cannot be read while it is attached; open it once: aptdb info {file}") from error


def occurrences_in(session: Session, phrase: Question) -> int:
    """Return how often a phrase occurs in a lexicon; 0 with a warning if it has no such words."""
    try:
        named, asked, _ = as_asked(session, phrase, None, None)
        answer = call("evidence", [asked, None, None], {})
        with raising_sql(wanted=False):
            found = ask_of_words(session, statement("questions/number_of_rows", answer=answer), named)
    except QuestionError as error:
        if isinstance(phrase, str) and asks_for_matches(session, phrase) and not needs_all(phrase):
            raise QuestionError(f"{phrase:.60} cannot be counted in {session.file}: {error}") from error
        warn(f"counted 0 times in {session.file}: {error}", NoMatchWarning)
        return 0
    return int(found.rows[0][0])


def needs_all(pattern: str) -> bool:
    """Return whether nothing in a pattern may be missing, so that what a lexicon lacks means that there is no match."""
    may_miss = set("?*{|(!") if SEQUENCE.fullmatch(pattern) else set("!")
    return not set(pattern) & may_miss and "without" not in pattern


def refuse_no_names(**subcorpora: object) -> None:
    """Raise QuestionError for a value that is not the name of a subcorpus."""
    for side, subcorpus in subcorpora.items():
        if subcorpus is not None and not isinstance(subcorpus, str):
            raise QuestionError(f"{side} is {subcorpus!r:.60}; expected the name of a subcorpus")


def refuse_other_lexicon(session: Session, other: Any) -> None:
    """Raise QuestionError if a lexicon to compare with is not attached, is older, or reads a folder of counts."""
    if other not in session.attached:
        known = f"available: {', '.join(session.attached)}" if session.attached else "attach one: --other FILE"
        raise QuestionError(f"no attached lexicon {other}; {known}")
    file = session.attached[other]
    refuse_counts_elsewhere(file, find_counts_folder(file), "they cannot be compared with")
    rows = session.reading().rows(statement("questions/is_current"), {"other": other})
    if not rows:
        raise QuestionError(f"{file} was made by an older version; update it: aptdb migrate {file}")


def warn_of_limits(session: Session, a: str | None, b: str | None, asked: Mapping[str, Any]) -> None:
    """Warn that no item is left, and why: all are too rare, or there are none of this part of speech."""
    every = {**asked, "min_count": 1, "top": None, "dispersion": False}
    ((items, most),) = session.ask(statement("questions/counted/key_items", query=call("keyness", [a, b], every))).rows
    side = " that are less frequent in a" if asked.get("negative") else ""
    if items:
        least = asked.get("min_count", declared(Keyness)["min_count"].default)
        warn(
            f"all {items:,} items{side} are left out: the most frequent occurs {most:,} times in both together, fewer "
            f"than {least:,}; lower min_count",
            IncompleteDataWarning,
        )
    else:
        words = asked.get("pos", declared(Keyness)["pos"].default)
        warn(f"no item{side} has a part of speech of {words}; pos := 'any' takes all", IncompleteDataWarning)


def warn_of_settings(session: Session, other: str) -> None:
    """Warn if an attached lexicon was counted with other settings; name the differences."""
    there = SqlText(f"{identifier(other)}.main.settings")
    differing = [
        f"{setting} {here} here, {elsewhere} there"
        for setting, here, elsewhere in session.reading().rows(statement("questions/settings_elsewhere", other=there))
    ]
    if differing:
        text = f"{other} was counted with other settings ({'; '.join(differing)}); so differences may come from them"
        warn(text, IncompleteDataWarning)


def warn_of_annotation(
    session: Session, a: str | None, asked: Mapping[str, Any], labels: Collection[str] | None = None
) -> None:
    """Warn of parts of speech, relations and words that an attached lexicon annotates otherwise, and name them.

    labels: those that matter; None for all.
    """
    kind = asked.get("of", "lexemes")
    given = {"a": a, "other": asked["other"], "counts": asked.get("counts", declared(Keyness)["counts"].default)}
    rows = session.reading().rows(statement("questions/annotation_beside", **given))
    apart = {"relation": kind == "lexemes", "pos": kind == "paths", "lexeme": kind == "paths"}
    rows = [row for row in rows if (not apart[row[0]] if labels is None else row[1] in labels)]
    if all(is_comparable for *_, is_comparable in rows):
        return
    texts = [*dict.fromkeys(f"{name} {here:.2%} here, {there:.2%} there" for _, _, name, here, there, _ in rows)]
    more = f"; and {len(texts) - MOST_NAMED:,} more" if len(texts) > MOST_NAMED else ""
    named = "; ".join(texts[:MOST_NAMED])
    warn(f"{asked['other']} is annotated otherwise ({named}{more}){NOT_COMPARABLE}", IncompleteDataWarning)
