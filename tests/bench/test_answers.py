"""The questions of answers.py: that each command and option is asked about, and that answers hang on nothing else.

pytest -n 0 -m bench -s tests/bench/test_answers.py
"""

from pathlib import Path

import pytest
from answers import compare, folder_of_corpora, unasked, write
from answers_questions import every_question

pytestmark = pytest.mark.bench


def test_every_command_and_option_is_asked_about() -> None:
    questions = every_question({"", "demo", "small", "other", "english", "gum"})
    assert len(questions) >= 200
    assert unasked(questions) == []


def test_the_same_code_answers_the_same_twice(tmp_path: Path) -> None:
    once, again = tmp_path / "once.jsonl", tmp_path / "again.jsonl"
    for file in (once, again):
        write(file, folder_of_corpora(None), "", 2)
    assert compare(once, again) == 0
