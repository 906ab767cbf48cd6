"""What a person sees on a terminal: pages, colours, a concordance that fits; and how a command is stopped there."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from aptdb.commands.notes import as_options
from aptdb.commands.sentences import end_of, first_of, last_of, to_the_right, whole_words
from support.cases import read_cases
from support.processes import PATIENCE, PROGRAM
from support.terminals import shown

PAGER = "sed s/^/paged:/"


@pytest.fixture(scope="module")
def demo(demo: Path) -> Path:
    """The folder of the lexicon of the demo."""
    return demo.parent


def seen(demo: Path, *arguments: str, **looks: str) -> list[str]:
    """The lines that a command shows on a terminal that knows colours."""
    told = {"TERM": "xterm-256color", "COLORTERM": "", "NO_COLOR": "", "LINES": "24", "APTDB_PAGER": PAGER, **looks}
    return shown([*arguments], demo, **told).splitlines()


LONG = ("sql", "demo.duckdb", "FROM range(50) AS t(n)")
SHORT = ("sql", "demo.duckdb", "FROM range(5) AS t(n)")


@pytest.mark.thorough
def test_a_long_answer_is_shown_page_by_page(demo: Path) -> None:
    assert all(line.startswith("paged:") for line in seen(demo, *LONG))
    assert not any("paged:" in line for line in seen(demo, *SHORT))
    assert all(line.startswith("paged:") for line in seen(demo, *SHORT, LINES="5"))
    assert all(line.startswith("paged:") for line in seen(demo, *LONG, "--format", "csv"))


@pytest.mark.thorough
@pytest.mark.parametrize(*read_cases("commands/pagers"))
def test_nobody_is_made_to_page(demo: Path, option: tuple[str, ...], looks: dict[str, str]) -> None:
    lines = seen(demo, *LONG, *option, **looks)
    assert [line.strip() for line in lines][-1] == "49"
    assert not any("paged:" in line for line in lines)


@pytest.mark.thorough
def test_keyword_and_context_are_in_colour(demo: Path) -> None:
    sentence = ("evidence", "demo.duckdb", "shoot/NOUN", ">amod", "green/ADJ", "--top", "1")
    assert "\x1b[1;31m[shoot" in "".join(seen(demo, *sentence))
    assert "\x1b[1;35m{green}" in "".join(seen(demo, *sentence))
    concordance = ("evidence", "demo.duckdb", "shoot/NOUN", ">amod", "--top", "3")
    assert "\x1b[1;31mshoot" in "".join(seen(demo, *concordance))
    for looks in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b[1;3" not in "".join(seen(demo, *concordance, **looks))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("columns", [80, 120, 200])
def test_a_concordance_fits_the_terminal(demo: Path, columns: int) -> None:
    lines = seen(demo, "evidence", "demo.duckdb", "shoot/NOUN", "--top", "9", COLUMNS=str(columns), TERM="dumb")
    assert len(lines) == 2 + 9
    assert max(map(len, lines)) <= columns
    keyword = lines[0].index("keyword")
    assert all(line[keyword:].startswith("shoot") for line in lines[2:])


def test_text_is_cut_by_the_columns_that_it_takes() -> None:
    for text in ("dog", "静静静", "a静b静", "e\u0301e\u0301", ""):
        for width in range(7):
            for part in (first_of(text, width), end_of(text, width)):
                assert cell_len(part) <= width
                assert cell_len(text) > width or part == text
            assert text.startswith(first_of(text, width))
            assert text.endswith(end_of(text, width))
    assert last_of("GUM_bio_marbles-22", 10) == "…arbles-22"


@pytest.mark.parametrize(*read_cases("commands/cut_words"))
def test_a_word_that_is_cut_has_an_ellipsis(text: str, width: int, beginning: str, end: str) -> None:
    """But not a text that is cut between two words."""
    assert whole_words(text, width) == beginning
    assert to_the_right(text, width).lstrip() == end
    assert cell_len(to_the_right(text, width)) == width


@pytest.mark.parametrize(*read_cases("commands/options_in_messages"))
def test_messages_have_options_in_place_of_parameters(text: str, said: str) -> None:
    assert as_options(text) == said


@pytest.mark.thorough
def test_ctrl_c_on_a_terminal(demo: Path) -> None:
    """The status is that of shells, and one line says it."""
    asked = "SELECT sum(a.range * b.range) AS n FROM range(10000000) AS a, range(1000000) AS b"
    command, main = [*PROGRAM, "sql", str(demo / "demo.duckdb"), asked], pty.fork()
    if main[0] == 0:
        os.execv(command[0], command)
    written = b""
    while b"running" not in written:  # it says so after a second
        written += os.read(main[1], 1024)
    os.write(main[1], b"\x03")
    while True:
        try:
            written += os.read(main[1], 1024)
        except OSError:
            break
    assert os.waitstatus_to_exitcode(os.waitpid(main[0], 0)[1]) == 128 + signal.SIGINT
    assert b"stopped; nothing is left half done" in written
    assert b"Traceback" not in written


@pytest.mark.thorough
def test_a_reader_that_goes_away(demo: Path) -> None:
    asked = [*PROGRAM, "sql", str(demo / "demo.duckdb"), "FROM range(200000)"]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.readline()
        program.stdout.close()
        assert PATIENCE.sub("", program.stderr.read().decode()) == ""


def test_what_is_left_for_the_end_is_done(demo: Path) -> None:
    """A command ends at once, but not before functions for the end of the program, and what they print."""
    code = "import atexit; atexit.register(print, 'at the end'); from aptdb.__main__ import run; run()"
    command = [sys.executable, "-c", code, "sql", "demo.duckdb", "SELECT 1 AS one"]
    done = subprocess.run(command, cwd=demo, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["one", "1", "at the end"]
