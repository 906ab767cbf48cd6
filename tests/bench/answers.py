"""Many questions, with what a checkout answers to them: to show that a change of the code changes no answer.

PYTHON tests/bench/answers.py OUT.jsonl [--shared FOLDER] [--only TEXT]   ask, and write each answer as a line of JSON
PYTHON tests/bench/answers.py --compare BEFORE.jsonl AFTER.jsonl          say which answers differ; status 1 then

It needs PYTHONPATH=.:tests, because it shares the support of the tests. PYTHON is the interpreter of the checkout that
is asked: its own aptdb is imported, and makes the lexicons in a scratch folder. So two checkouts can be compared, also
with a newer file of questions than their own:

    (cd BEFORE && PYTHONPATH=.:tests .venv/bin/python AFTER/tests/bench/answers.py before.jsonl)
    (cd AFTER && PYTHONPATH=.:tests .venv/bin/python tests/bench/answers.py after.jsonl)
    PYTHONPATH=.:tests python tests/bench/answers.py --compare before.jsonl after.jsonl

A line holds the question, its exit status, what it wrote to stdout, and what the files that it made hold; these are
compared byte for byte, but for the last digits of sums, which differ from run to run of the same code. What it said on
stderr, and how long it took, is there to be read. Times, versions and folders have one name each. Treebanks and data
sets are looked for in FOLDER, else in `shared` beside the checkout; without them their questions are left out. --only
asks the questions that contain the text, --jobs in so many processes (2).
"""

import argparse
import json
import math
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import zip_longest
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import duckdb
from answers_lexicons import make_lexicons
from answers_questions import Question, every_question
from answers_written import contents, shown, without_places
from typer.main import get_command
from typer.testing import CliRunner

import aptdb
from aptdb import Lexicon, Names, Phrase, Result, Settings
from support.app import app

COPY = "work.duckdb"  # what a question may change: the lexicon's copy, made anew for each
WHEN = re.compile(r"\b20\d\d-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:\+00:00)?")
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")
TOLERANCE = 1e-12  # what a sum may differ by, as a share of it, that is made in another order
Answer = dict[str, Any]


def ask(question: Question) -> Answer:
    """The answer to a question, in the folder of the lexicons."""
    lexicon = f"{question.lexicon}.duckdb"
    before, begun = set(os.listdir()), time.monotonic()
    if question.of_copy:
        if Path(lexicon).exists():
            shutil.copy(lexicon, COPY)
        lexicon = COPY
    kinds = {"command": ask_command, "sql": ask_sql, "python": ask_python}
    status, stdout, stderr = kinds[question.kind](question, lexicon)
    made = sorted({*os.listdir()} - before)
    answer = {
        "question": question.text(),
        "status": status,
        "stdout": plain(question.but(stdout)),
        "written": {name: json.loads(plain(json.dumps(contents(Path(name))))) for name in made},
        "stderr": plain(stderr),
        "seconds": round(time.monotonic() - begun, 3),
    }
    for name in made:
        (shutil.rmtree if Path(name).is_dir() else os.remove)(name)
    return answer


def ask_command(question: Question, lexicon: str) -> tuple[Any, str, str]:
    """The commands of a question, a line each, one after another: their statuses, and what they wrote."""
    statuses, stdout, stderr = [], [], []
    for line in question.asked.splitlines():
        words = [lexicon if word == "L" else word for word in shlex.split(line)]
        answer = CliRunner().invoke(app, words, input=question.source, prog_name="aptdb")
        statuses.append(answer.exit_code)
        stdout.append(answer.stdout)
        broken = answer.exception is not None and not isinstance(answer.exception, SystemExit)
        stderr.append(answer.stderr + ("".join(traceback.format_exception(answer.exception)) if broken else ""))
    return statuses, "".join(stdout), "".join(stderr)


def ask_sql(question: Question, lexicon: str) -> tuple[Any, str, str]:
    """A query in a client that knows nothing of aptdb."""
    with duckdb.connect(lexicon, read_only=True) as client:
        client.execute("SET enable_progress_bar = false")
        try:
            found = client.execute(question.asked)
            columns = [(name, str(kind)) for name, kind, *_ in found.description or ()]
            return 0, shown([columns, *found.fetchall()]), ""
        except duckdb.Error as error:
            return 1, "", str(error)


def ask_python(question: Question, lexicon: str) -> tuple[Any, str, str]:
    """Lines of Python, the last of which is a value, with the lexicon open."""
    names: dict[str, Any] = {
        "Lexicon": Lexicon, "Names": Names, "Phrase": Phrase, "Result": Result, "Settings": Settings, "aptdb": aptdb,
        "Path": Path,
    }  # fmt: skip
    *lines, last = question.asked.splitlines()
    with warnings.catch_warnings(record=True) as warned, Lexicon.open(lexicon) as names["lexicon"]:
        warnings.simplefilter("always")
        try:
            exec("\n".join(lines), names)
            status, stdout, stderr = 0, shown(eval(last, names)), ""
        except Exception as error:
            status, stdout, stderr = 1, f"{type(error).__name__}\n", str(error)
    return status, stdout, "".join([stderr, *(f"\n{each.category.__name__}: {each.message}" for each in warned)])


def plain(text: str) -> str:
    """Text without what is another on every run: the folder, times, and the version."""
    text = without_places(text).replace(aptdb.__version__, "VERSION")
    return WHEN.sub("WHEN", text)


def answers(shared: Path | None, only: str, turn: int, turns: int) -> list[Answer]:
    """The answers to those questions that contain a text; of several turns, each takes a share of them."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="answers-") as folder:
        os.chdir(folder)
        try:
            made = make_lexicons(shared)
            questions = [each for each in every_question(made) if only in each.text()]
            texts = [each.text() for each in questions]
            assert len(texts) == len({*texts}), {text for text in texts if texts.count(text) > 1}
            lacking = unasked(questions)
            if lacking and not only and turn == 0:
                print(f"nothing is asked of: {', '.join(lacking)}", file=sys.stderr)
            return [ask(question) for question in questions[turn::turns]]
        finally:
            os.chdir(before)


def folder_of_corpora(named: str | None) -> Path | None:
    """Where treebanks and data sets are: the folder that is named, or `shared` beside the checkout."""
    places = [Path(named)] if named else [Path("../shared"), Path(__file__).parents[3] / "shared"]
    return next((place.resolve() for place in places if (place / "corpora").is_dir()), None)


def write(file: Path, shared: Path | None, only: str, jobs: int) -> None:
    """Ask, in as many processes, and write the answers, always in the same order."""
    begun = time.monotonic()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        turns = [pool.submit(answers, shared, only, turn, jobs) for turn in range(jobs)]
        found = [each for round_ in zip_longest(*(turn.result() for turn in turns)) for each in round_ if each]
    file.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in found), encoding="utf-8")
    refused = sum(any(as_list(each["status"])) for each in found)
    said = f"{len(found):,} questions, of which {refused:,} were refused, in {time.monotonic() - begun:.0f} s"
    print(f"{said}; asked of {Path(aptdb.__file__).parent}, with {shared or 'no treebanks'}", file=sys.stderr)


def as_list(status: Any) -> list[int]:
    """The statuses of the commands of a question."""
    return status if isinstance(status, list) else [status]


def compare(before: Path, after: Path) -> int:
    """Say which answers differ, and how; the number of them."""
    old, new = (
        {answer["question"]: answer for answer in map(json.loads, file.read_text(encoding="utf-8").splitlines())}
        for file in (before, after)
    )
    differ, of_sums = 0, 0
    for text in [*old, *(text for text in new if text not in old)]:
        if text not in old or text not in new:
            differ += 1
            print(f"only in {after if text in new else before}: {text}\n")
            continue
        parts = [(name, *map(as_text, (old[text][name], new[text][name]))) for name in ("status", "stdout", "written")]
        changed = [part for part in parts if part[1] != part[2]]
        of_sums += bool(changed) and all(same_but_for_sums(a, b) for _, a, b in changed)
        told = [part for part in changed if not same_but_for_sums(*part[1:])]
        differ += bool(told)
        if told:
            print("\n".join([text, *(difference(*part) for part in told), ""]))
    if of_sums:
        print(f"{of_sums:,} answers are the same but for last digits, which hang on the order in which sums are made")
    print(f"{differ:,} of {len({*old, *new}):,} answers differ")
    return differ


def as_text(part: Any) -> str:
    """A part of an answer as lines."""
    return part if isinstance(part, str) else json.dumps(part, indent=1, ensure_ascii=False)


def same_but_for_sums(a: str, b: str) -> bool:
    """Whether texts are the same but for the last digits of numbers, which differ from run to run of the same code."""
    if NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    pairs = zip(NUMBER.findall(a), NUMBER.findall(b), strict=True)
    return all(math.isclose(float(x), float(y), rel_tol=TOLERANCE) for x, y in pairs)


def difference(name: str, a: str, b: str) -> str:
    """What is different in a part of an answer: how many lines, and the first of them."""
    lines = [(x, y) for x, y in zip_longest(a.splitlines(), b.splitlines(), fillvalue="(nothing)") if x != y]
    x, y = lines[0]
    return f"  {name}: {len(lines):,} lines differ\n    - {x[:300]}\n    + {y[:300]}"


def unasked(questions: Sequence[Question]) -> list[str]:
    """The commands and options of which there is no question."""
    lines = [line for each in questions if each.kind == "command" for line in each.asked.splitlines()]
    found = []
    for command, options in commands(get_command(app)):
        of_command = [f"{line} " for line in lines if f"{line} ".startswith(command)]
        found += [command] if not of_command else []
        for names in options:
            if not any(f" {name} " in line or f"{name} " == line for name in names for line in of_command):
                found.append(f"{command}{names[0]}")
    return found


def commands(group: Any, before: str = "") -> Iterator[tuple[str, list[list[str]]]]:
    """Each command of a group and of those in it, with its options."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        else:
            options = [[*each.opts, *each.secondary_opts] for each in command.params]
            yield f"{before}{name} ", [names for names in options if names[0].startswith("-")]


if __name__ == "__main__":
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("out", nargs="?", type=Path, metavar="OUT.jsonl")
    told.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    told.add_argument("--shared", metavar="FOLDER")
    told.add_argument("--only", default="", metavar="TEXT")
    told.add_argument("--jobs", type=int, default=2, metavar="N")
    given = told.parse_args()
    if given.compare:
        sys.exit(1 if compare(*given.compare) else 0)
    if not given.out:
        told.error("name a file for the answers, or two to --compare")
    write(given.out.resolve(), folder_of_corpora(given.shared), given.only, given.jobs)
