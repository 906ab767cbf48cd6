"""Choose among candidates: what fills the gap of a sentence, or is most like a phrase; and how often that is right.

Questions of multiple choice come from files: a sentence with a gap, or a phrase, its candidates, and the right one.
"""

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mode
from typing import Any, Unpack

from aptdb.core.display import how_many
from aptdb.core.errors import DataSetError, InterpretationWarning, QuestionError, warn
from aptdb.core.phrase import Phrase
from aptdb.core.question_parameters import ComparingEach, refuse_other_parameters
from aptdb.core.result import Result
from aptdb.core.settings import lower_letters
from aptdb.core.vector_parameters import CONTENT
from aptdb.evaluation.dataset_columns import COLUMNS_OF_CONLLU, Row, at_fault, name_source, read_source_text
from aptdb.evaluation.resampling import mean_with_interval, refuse_seed
from aptdb.evaluation.task import SEED, read_typed, write_readings
from aptdb.questions.calls import Questions
from aptdb.questions.query import similarity_each, subcorpus_of_question
from aptdb.questions.readings import each_as_read
from aptdb.store.session import Session
from aptdb.store.statements import statement

COLUMNS = {
    "question": "VARCHAR", "chosen": "VARCHAR", "score": "DOUBLE", "answer": "VARCHAR", "answer_score": "DOUBLE",
    "right": "DOUBLE", "because": "VARCHAR",
}  # fmt: skip
SHOWN = 4  # words that explain a choice
DIGITS = 9  # of scores that are compared
MOST_EXPONENT = 10  # of the logarithm of a frequency

GAP = re.compile(r"(?<![\w/|])_+(?![\w/|])")  # a gap in running text
IN_TREE = re.compile(r"(?<!\w)_/")
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
WITHOUT_MEANING = {"id", "number", "#"}  # columns that are no candidates


@dataclass(frozen=True)
class Choice:
    """A question with its candidates, and which of them is right. place: its line in the file."""

    question: str
    candidates: tuple[str, ...]
    answer: str
    place: int = 0

    def has_gap(self) -> bool:
        """Return whether the question is a sentence with a gap; else it is a word or a phrase."""
        return GAP.search(self.question) is not None

    def words(self) -> list[str]:
        """Return the words of a sentence around its gap."""
        return WORD.findall(GAP.sub(" ", self.question))


def read_questions(source: str | Path, answers: str | Path | None = None) -> list[Choice]:
    """Return the questions of a CSV or TSV file with a header; `-` is standard input.

    Columns: question; answer, a candidate or the name of its column; candidates with | between them, or a column for
    each. answers: a file with the columns id and answer instead, for questions with the column id. Without a header, a
    line is a phrase, its answer and wrong choices, with | between them. Raises DataSetError, as file:line.
    """
    name, text = name_source(source), read_source_text(source)
    lines = [(place, line) for place, line in enumerate(text.splitlines(), 1) if line.strip() and line[0] != "#"]
    if "question" not in text.partition("\n")[0].lower() and lines and "|" in lines[0][1]:
        if answers is not None:
            raise at_fault(name, lines[0][0], "a line has its answer between |; leave out the file of answers")
        return read_lines_with_bars(name, [(place, line.split("|")) for place, line in lines])
    rows = read_table(name, text)
    head = [cell.lower() for cell in rows[0][1]] if rows else []
    needed = ("question", "answer") if answers is None else ("question", "id")
    for column in needed:
        if head.count(column) != 1:
            also = "; or name a file of answers by id (answers)" if column == "answer" and "id" in head else ""
            raise at_fault(name, 1, f"{head.count(column)} columns have the name {column}; expected one{also}")
    if answers is None:
        found = [choice_in(name, place, head, cells) for place, cells in rows[1:]]
    else:
        found = read_answered_choices(name, head, rows[1:], answers)
    if not found:
        raise DataSetError(f"{name} has no questions below its header")
    return found


def read_table(name: str, text: str) -> list[Row]:
    """Return the lines of CSV or TSV, which its first line decides. Raise DataSetError."""
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in first else ",", strict=True)
    try:
        return [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(row)]
    except csv.Error as error:
        raise at_fault(name, reader.line_num, f"{error}; a column is text, in quotes where it has commas") from error


def read_lines_with_bars(name: str, rows: Sequence[Row]) -> list[Choice]:
    """Return questions of lines that are a phrase, its answer and wrong choices. Warn of that; raise DataSetError."""
    usual = mode(len(cells) for _, cells in rows)
    what = f"a phrase, its answer and {how_many(usual - 2, 'wrong choice')}"
    found = []
    for place, cells in rows:
        if len(cells) != usual:
            raise at_fault(name, place, f"{len(cells)} columns between |; most lines have {usual}: {what}")
        question, answer, *_ = row = [cell.strip() for cell in cells]
        found.append(
            choice_in(name, place, ["question", "candidates", "answer"], [question, "|".join(row[1:]), answer])
        )
    warn(f"{name} has no header; a line is read as {what}", InterpretationWarning)
    return found


def read_answered_choices(name: str, head: Sequence[str], rows: Sequence[Row], answers: str | Path) -> list[Choice]:
    """Return questions with the answers that a file has by their ids. Raise DataSetError, also for other answers."""
    file = name_source(answers)
    table = read_table(file, read_source_text(answers))
    if "answer" in head or not table or sorted(cell.lower() for cell in table[0][1]) != ["answer", "id"]:
        what = f"{name} has answers; leave out this file" if "answer" in head else "expected the columns id and answer"
        raise at_fault(file, 1, what)
    at, given = [cell.lower() for cell in table[0][1]].index("id"), {}
    for place, cells in table[1:]:
        if len(cells) != 2 or cells[at] in given:  # noqa: PLR2004
            raise at_fault(file, place, "expected an id, once, and its answer")
        given[cells[at]] = (place, cells[1 - at])
    found = []
    for place, cells in rows:
        if len(cells) != len(head):
            raise at_fault(name, place, f"{len(cells)} columns, but the header has {len(head)}")
        if (key := cells[head.index("id")]) not in given:
            raise at_fault(name, place, f"question {key!r} has no answer in {file}, or stands here twice")
        line, answer = given.pop(key)
        found.append(choice_in(name, place, [*head, "answer"], [*cells, answer], (file, line)))
    for key, (line, _) in given.items():
        raise at_fault(file, line, f"no question of {name} has the id {key!r}")
    return found


def choice_in(
    name: str, place: int, head: Sequence[str], cells: Sequence[str], answered: tuple[str, int] | None = None
) -> Choice:
    """Return the question of a line. answered: where its answer stands, if in another file. Raise DataSetError."""
    if len(cells) != len(head):
        raise at_fault(name, place, f"{len(cells)} columns, but the header has {len(head)}")
    row = dict(zip(head, cells, strict=True))
    others = {
        column: text for column, text in row.items() if column not in {"question", "answer", *WITHOUT_MEANING} and text
    }
    candidates = [each.strip() for each in row["candidates"].split("|")] if "candidates" in row else [*others.values()]
    by_column = {} if "candidates" in row else {re.sub(r"\W+$", "", column): text for column, text in others.items()}
    answer = row["answer"] if row["answer"] in candidates else by_column.get(re.sub(r"\W+$", "", row["answer"].lower()))
    choice = Choice(row["question"], tuple(candidates), answer or "", place)
    if len(set(candidates)) < max(len(candidates), 2) or not all(candidates):
        raise at_fault(name, place, "expected two candidates or more, all different")
    if answer is None:
        wrong = f"the answer {row['answer']!r} is not a candidate: {', '.join(candidates)}"
        raise at_fault(*(answered or (name, place)), wrong)
    if IN_TREE.search(choice.question):
        raise at_fault(name, place, "a tree with a gap, as _/NOUN, is for aptdb fill; write the sentence with _")
    if len(GAP.findall(choice.question)) > 1:
        raise at_fault(name, place, "the sentence has several gaps; expected one _")
    return choice


def parsed_sentences(file: str | Path) -> list[list[tuple[str, str, str]]]:
    """Return form, lemma and part of speech of each word of a CoNLL-U file's sentences, without the gap (_).

    Raises DataSetError.
    """
    name = Path(file).name
    sentences: list[list[tuple[str, str, str]]] = [[]]
    for place, line in enumerate(read_source_text(file).splitlines(), 1):
        if not line.strip():
            sentences.append([])
        elif line[0] != "#":
            cells = line.split("\t")
            if len(cells) != COLUMNS_OF_CONLLU:
                raise at_fault(name, place, f"{len(cells)} columns; a line of CoNLL-U has {COLUMNS_OF_CONLLU}")
            if cells[0].isdecimal() and not re.fullmatch(r"_+", cells[1]):
                sentences[-1].append((cells[1], cells[2], cells[3]))
    return [each for each in sentences if each]


def as_choices(
    questions: str | Path | Sequence[Mapping[str, object]], answers: str | Path | None = None
) -> list[Choice]:
    """Return questions from a file, or from dictionaries of question, candidates and answer. Raise DataSetError."""
    if isinstance(questions, str | Path):
        return read_questions(questions, answers)
    if answers is not None:
        raise DataSetError("answers is for questions from a file; leave it out")
    if not isinstance(questions, Sequence):
        raise DataSetError(
            f"questions is {questions!r:.80}; expected a file, or dictionaries of question, candidates and answer"
        )
    found = []
    for number, each in enumerate(questions, 1):
        if not isinstance(each, Mapping) or not {"question", "candidates", "answer"} <= each.keys():
            raise DataSetError(f"question {number} is {each!r:.80}; expected question, candidates and answer")
        candidates = each["candidates"]
        if isinstance(candidates, str) or not isinstance(candidates, Sequence):
            raise DataSetError(f"question {number}: candidates is {candidates!r:.80}; expected a list")
        row = {"question": str(each["question"]), "candidates": "|".join(map(str, candidates))}
        found.append(choice_in("questions", number, [*row, "answer"], [*row.values(), str(each["answer"])]))
    if not found:
        raise DataSetError("there are no questions; expected dictionaries of question, candidates and answer")
    return found


# Scores
@dataclass(frozen=True, eq=False, repr=False)
class Chosen(Result):
    """Rows of questions, with the accuracy over all, its 95 % interval, and that of a guess.

    unknown: candidates without a score, which the lexicon lacks. left_out: words of sentences that it lacks.
    """

    accuracy: float = 0.0
    low: float | None = None
    high: float | None = None
    chance: float = 0.0
    unknown: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scored:
    """A candidate's score, and what it is made of: words with what each adds. is_known: the lexicon has it."""

    score: float
    parts: Mapping[str, float]
    is_known: bool = True


def choose(
    session: Session,
    questions: str | Path | Sequence[Mapping[str, object]],
    *,
    answers: str | Path | None = None,
    sentences: str | Path | None = None,
    frequency_exponent: float = 0.0,
    seed: int = SEED,
    **parameters: Unpack[ComparingEach],
) -> Chosen:
    """Return which candidate answers each question.

    Rows of question, chosen, score, answer, answer_score, right, because.

    questions, answers: files (see `read_questions`), or dictionaries of question, candidates and answer. A question
    with a gap (`_`) is a sentence: a candidate scores the sum of its ppmi with the content words of the sentence,
    counted over the stored sentences, whatever the paths between them. Any other is a word or a phrase: a candidate
    scores its similarity to it, under the parameters of `similarity_each`, e.g. space. sentences: a CoNLL-U file with
    the parsed sentences of the questions with a gap, in their order; without it, a word is its most frequent lexeme.
    frequency_exponent: E divides a similarity by ln(1 + the candidate's frequency)ᴱ, as frequent words are like
    many others; 0 does not.

    right: 1 or 0, or the share of a guess among candidates that score alike. because: the words that add most, or the
    runner-up. The answer also has accuracy, low, high (its 95 % interval over resamples of the questions, by the seed)
    and chance. Raises DataSetError and QuestionError.
    """
    refuse_seed(seed)
    if not 0 <= frequency_exponent <= MOST_EXPONENT:
        raise QuestionError(f"frequency_exponent is {frequency_exponent}; expected a number from 0 to {MOST_EXPONENT}")
    refuse_other_parameters("similarity_each", parameters)
    choices = as_choices(questions, answers)
    gaps = [each for each in choices if each.has_gap()]
    scores: dict[int, dict[str, Scored]] = {}
    left_out: set[str] = set()
    if gaps:
        scores |= scores_of_gaps(session, gaps, sentences, left_out)
    elif sentences is not None:
        raise QuestionError("no question has a gap, so no sentence is needed; leave out sentences")
    if phrases := [each for each in choices if not each.has_gap()]:
        scores |= scores_of_phrases(session, phrases, dict(parameters), frequency_exponent)
    elif others := [*parameters, *(["frequency_exponent"] if frequency_exponent else [])]:
        raise QuestionError(f"all questions are sentences with a gap, which take no {others[0]}")
    rows = [row_of_choice(each, scores[each.place]) for each in choices]
    rights = [float(row[5]) for row in rows]
    _, low, high = mean_with_interval(rights, seed)
    chance = sum(1 / len(each.candidates) for each in choices) / len(choices)
    mean = sum(rights) / len(rights)
    unknown = sorted({name for of in scores.values() for name, each in of.items() if not each.is_known})
    return Chosen(
        tuple(COLUMNS), tuple(COLUMNS.values()), rows, mean, low, high, chance, tuple(unknown), tuple(sorted(left_out))
    )


def row_of_choice(choice: Choice, scores: Mapping[str, Scored]) -> tuple[Any, ...]:
    """Return the row of a question."""
    ordered = sorted(choice.candidates, key=lambda each: -round(scores[each].score, DIGITS))
    best = ordered[0]
    alike = [each for each in ordered if round(scores[each].score - scores[best].score, DIGITS) == 0]
    right = 1 / len(alike) if choice.answer in alike else 0.0
    parts = sorted(scores[best].parts.items(), key=lambda part: -part[1])[:SHOWN]
    because = ", ".join(f"{name} {value:.2f}" for name, value in parts)
    if len(alike) > 1:
        because = f"{', '.join(alike)} score alike"
    found = scores[best].score, choice.answer, scores[choice.answer].score
    return choice.question, best, *found, right, because


def scores_of_phrases(
    session: Session, choices: Sequence[Choice], parameters: dict[str, Any], exponent: float
) -> dict[int, dict[str, Scored]]:
    """Return the similarity of each candidate to its question, by the places of questions.

    exponent: that of the logarithm of frequencies which similarities are divided by.
    """
    names = dict.fromkeys(text for each in choices for text in (each.question, *each.candidates))
    pairs = dict.fromkeys((each.question, candidate) for each in choices for candidate in each.candidates)
    asked = {"missing": "skip_unknown", **parameters}
    if typed := read_typed(session, [*names]):
        said = how_many(len(typed), "typed word or phrase", "typed words or phrases")
        warn(f"{said}, {write_readings(typed)}", InterpretationWarning)
    read = each_as_read(session, {name: typed.get(name, name) for name in names}, asked)
    found = similarity_each(session, read, [*pairs], **asked)
    likeness = {(a, b): value for a, b, value in found.rows}
    candidates = {b for (_, b), value in likeness.items() if value is not None}
    divisors = divisors_by_frequency(session, read, candidates, asked, exponent) if exponent else {}

    def scored(question: str, candidate: str) -> Scored:
        value = likeness[question, candidate]
        if value is None:
            return Scored(0.0, {}, is_known=False)
        return Scored(value / divisors.get(candidate, 1.0), {"similarity": value})

    return {each.place: {text: scored(each.question, text) for text in each.candidates} for each in choices}


def divisors_by_frequency(
    session: Session, read: Questions, candidates: Iterable[str], parameters: Mapping[str, Any], exponent: float
) -> dict[str, float]:
    """Return the power of the logarithm of each candidate's frequency. Raise QuestionError if it has none."""
    meant = dict(read) if isinstance(read, Mapping) else {}
    lexemes = {
        text: each.lexeme if isinstance(each, Phrase) and not each.dependents else str(each)
        for text, each in meant.items()
    }
    subcorpus = subcorpus_of_question(session, parameters, "subcorpus")
    query = statement("evaluation/choose/frequencies", subcorpus=subcorpus)
    frequencies = dict(session.reading().rows(query, {"lexemes": [*{lexemes[each] for each in candidates}]}))
    for each in sorted(candidates):
        if lexemes[each] not in frequencies:
            raise QuestionError(
                f"{each} is no counted lexeme, so it has no frequency to divide by; leave out frequency_exponent"
            )
    return {each: math.log1p(frequencies[lexemes[each]]) ** exponent for each in candidates}


def scores_of_gaps(
    session: Session, choices: Sequence[Choice], sentences: str | Path | None, left_out: set[str]
) -> dict[int, dict[str, Scored]]:
    """Return the sum of each candidate's ppmi with the content words of its sentence, by the places of questions.

    left_out: words of the sentences that the lexicon lacks are added to it.
    """
    database = session.reading()
    if not database.value(statement("evaluation/choose/sentences")):
        raise QuestionError("gaps are filled from stored sentences, but this lexicon has only counts")
    contexts = (
        words_of_parsed(session, choices, sentences, left_out)
        if sentences
        else words_of_plain(session, choices, left_out)
    )
    known = lexemes_of(session, {text for each in choices for text in each.candidates})
    wanted = {
        (known[text][0], context)
        for each in choices
        for text in each.candidates
        if text in known
        for context in contexts[each.place]
        if context != known[text][0]
    }
    pairs = json.dumps([{"one": one, "other": other} for one, other in sorted(wanted)])
    rows = database.rows(statement("evaluation/choose/together"), {"pairs": pairs})
    ppmi = {(one, other): float(value) for one, other, value in rows}

    def scored(text: str, around: Mapping[int, str]) -> Scored:
        own = known[text][0] if text in known else None
        parts = {name: ppmi[own, context] for context, name in around.items() if (own, context) in ppmi}
        return Scored(sum(parts.values()), parts, own is not None)

    return {each.place: {text: scored(text, contexts[each.place]) for text in each.candidates} for each in choices}


def lexemes_of(session: Session, words: set[str]) -> dict[str, tuple[int, str, bool]]:
    """Return the likeliest lexeme of each word: its id and name, and whether it is a content word."""
    rows = session.reading().rows(statement("questions/readings/analysis"), {"words": sorted(words)})
    found: dict[str, tuple[int, str, bool]] = {}
    for word, own, name, tag, _, _ in rows:  # the likeliest comes first
        if own is not None:
            found.setdefault(word, (own, name, tag is None or tag in CONTENT.split(",")))
    return found


def words_of_plain(session: Session, choices: Sequence[Choice], left_out: set[str]) -> dict[int, dict[int, str]]:
    """Return the content words around each gap, lexemes by their ids, of sentences without trees."""
    words = {word for each in choices for word in each.words()}
    known = lexemes_of(session, words)
    left_out |= words - known.keys()
    return {
        each.place: {known[word][0]: known[word][1] for word in each.words() if word in known and known[word][2]}
        for each in choices
    }


def words_of_parsed(
    session: Session, choices: Sequence[Choice], file: str | Path, left_out: set[str]
) -> dict[int, dict[int, str]]:
    """Return the same of parsed sentences. Raise DataSetError if they are not those of the questions with a gap."""
    sentences = parsed_sentences(file)
    if len(sentences) != len(choices):
        raise DataSetError(f"{file} has {len(sentences)} sentences, and {len(choices)} questions have a gap")
    for number, (choice, each) in enumerate(zip(choices, sentences, strict=True), 1):
        own = {lower_letters(word) for word in choice.words()}
        if own and own.isdisjoint(lower_letters(form) for form, _, _ in each):
            raise DataSetError(
                f"sentence {number} of {file} has no word of its question, {choice.question!r:.60}; sentences come in "
                "the order of the questions"
            )
    places = [
        (choice.place, lemma, pos) for choice, each in zip(choices, sentences, strict=True) for _, lemma, pos in each
    ]
    words = [{"number": number, "lemma": lemma, "pos": pos} for number, (_, lemma, pos) in enumerate(places)]
    query = statement("evaluation/choose/lexemes", content=CONTENT.split(","))
    found: dict[int, dict[int, str]] = {choice.place: {} for choice in choices}
    rows = session.reading().rows(query, {"words": json.dumps(words)})
    for number, own, name, is_content in rows:
        if is_content:
            found[places[number][0]][own] = name
    known = {number for number, *_ in rows}
    content = CONTENT.split(",")
    left_out |= {f"{lemma}/{pos}" for at, (_, lemma, pos) in enumerate(places) if pos in content and at not in known}
    return found
