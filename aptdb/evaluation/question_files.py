"""Questions of multiple choice: a sentence with a gap, or a phrase, its candidates, and the right one; from files."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aptdb.core.errors import DataSetError
from aptdb.evaluation.dataset_columns import at_fault
from aptdb.evaluation.datasets import bytes_of

GAP = re.compile(r"(?<![\w/|])_+(?![\w/|])")  # a gap in running text
IN_TREE = re.compile(r"(?<!\w)_/")
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
WITHOUT_MEANING = {"id", "number", "#"}  # columns that are no candidates
COLUMNS_OF_CONLLU = 10


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


def read_questions(source: str | Path) -> list[Choice]:
    """Return the questions of a CSV or TSV file with a header; `-` is standard input.

    Columns: question; answer, a candidate or the name of its column; candidates with | between them, or a column for
    each. Raises DataSetError, as file:line.
    """
    name, text = name_source(source), read_source_text(source)
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in first else ",", strict=True)
    try:
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(row)]
    except csv.Error as error:
        raise at_fault(name, reader.line_num, f"{error}; a column is text, in quotes where it has commas") from error
    head = [cell.lower() for cell in rows[0][1]] if rows else []
    for needed in ("question", "answer"):
        if head.count(needed) != 1:
            raise at_fault(name, 1, f"{head.count(needed)} columns are called {needed}; expected a header with one")
    found = [choice_in(name, place, head, cells) for place, cells in rows[1:]]
    if not found:
        raise DataSetError(f"{name} has no questions below its header")
    return found


def name_source(source: str | Path) -> str:
    """Return the name of a source in messages."""
    return "stdin" if str(source) == "-" else Path(source).name


def read_source_text(source: str | Path) -> str:
    """Return the text of a source. Raise DataSetError if it is not UTF-8."""
    try:
        return bytes_of(source).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataSetError(f"{name_source(source)} is not UTF-8 at byte {error.start}; save it as UTF-8") from error


def choice_in(name: str, place: int, head: Sequence[str], cells: Sequence[str]) -> Choice:
    """Return the question of a line. Raise DataSetError."""
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
        raise at_fault(name, place, f"the answer {row['answer']!r} is none of the candidates: {', '.join(candidates)}")
    if IN_TREE.search(choice.question):
        raise at_fault(name, place, "a gap of a tree, as _/NOUN, is asked for by plausible; write the sentence with _")
    if len(GAP.findall(choice.question)) > 1:
        raise at_fault(name, place, "the sentence has several gaps; expected one _")
    return choice


def parsed_sentences(file: str | Path) -> list[list[tuple[str, str, str]]]:
    """Return the sentences of a CoNLL-U file: form, lemma and part of speech of each word. Raise DataSetError."""
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


def as_choices(questions: str | Path | Sequence[Mapping[str, object]]) -> list[Choice]:
    """Return questions from a file, or from dictionaries of question, candidates and answer. Raise DataSetError."""
    if isinstance(questions, str | Path):
        return read_questions(questions)
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
