"""Processes that begin warm: a server has imported all, and forks a child for each request, which may even crash.

Run as a program it is the server: it reads requests as lines of JSON, and writes what became of them in the same way.
"""

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?")
SECONDS = 60  # past which a child hangs


@dataclass(frozen=True)
class Answer:
    """What became of one command."""

    status: int
    said: str
    wrote: str


@dataclass(frozen=True)
class Outcome:
    """What became of a request.

    crashed: the signal that ended the child, or 0. seen: how many calls could have failed; failed: which one did.
    """

    answers: list[Answer] = field(default_factory=list)
    crashed: int = 0
    wrote: str = ""
    seen: int = 0
    failed: str = ""


class Warm:
    """A server of warm processes."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def run(self, *commands: Sequence[str | Path], fault: tuple[int, bool, int] | None = None, **given: Any) -> Outcome:
        """Run commands one after another in one process of their own; see `act` for what else can be given.

        fault: which call fails, whether all after it do, and by which number of an error.
        """
        request = {"commands": [[*map(str, each)] for each in commands], "fault": fault, **given}
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        return Outcome(**found | {"answers": [Answer(**each) for each in found["answers"]]})


@contextmanager
def warm(**variables: str) -> Iterator[Warm]:
    """A server, with variables of its environment."""
    environment = {**os.environ, "PYTHONPATH": f"{TESTS.parent}{os.pathsep}{TESTS}", **variables}
    with subprocess.Popen(
        [sys.executable, "-m", "support.warm"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        yield Warm(process)
        assert process.stdin
        process.stdin.close()
        assert process.wait(SECONDS) == 0


def serve() -> None:
    """Answer requests until there are no more. What is imported here need not be imported by each child."""
    import alembic.command
    import duckdb_engine
    import numpy
    import scipy.sparse

    from aptdb import evaluation  # noqa: F401
    from aptdb.questions import verify  # noqa: F401
    from aptdb.store.integrity import read_known_lexicon
    from aptdb.store.schema import known_revisions
    from support.app import app

    assert all([app, alembic.command, duckdb_engine, numpy, scipy.sparse, read_known_lexicon(), known_revisions()])
    for line in sys.stdin:
        print(json.dumps(in_a_child(json.loads(line))), flush=True)


def in_a_child(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """What became of a request, which a child of its own has run."""
    with tempfile.TemporaryDirectory() as folder:
        outcome = Path(folder, "outcome")
        child = os.fork()
        if not child:
            with open(os.devnull) as nothing:
                os.dup2(nothing.fileno(), 0)
            os._exit(act(request, Path(folder), outcome))
        crashed = ended(child)
        found = json.loads(outcome.read_text(encoding="utf-8")) if outcome.exists() else {"answers": []}
        last = Path(folder, "stderr")
        wrote = last.read_text(encoding="utf-8", errors="replace") if crashed and last.exists() else ""
        return {**found, "crashed": crashed, "wrote": wrote}


def ended(child: int) -> int:
    """The signal that ended a child, or 0; one that hangs is killed."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return signal.SIGALRM


def act(request: Mapping[str, Any], folder: Path, outcome: Path) -> int:
    """Run commands, and note what became of those that ended. content: a lexicon whose content is told instead."""
    found: dict[str, Any] = {"answers": []}
    library = ctypes.CDLL(None)
    if request["fault"]:
        library.failing_begin(*request["fault"])
    for arguments in request["commands"]:
        found["answers"].append(answer_to(arguments, folder))
        outcome.write_text(json.dumps(found), encoding="utf-8")
    if request["fault"]:
        library.failing_which.restype = ctypes.c_char_p
        found |= {"seen": library.failing_seen(), "failed": library.failing_which().decode()}
        outcome.write_text(json.dumps(found), encoding="utf-8")
    return 0


def answer_to(arguments: Sequence[str], folder: Path) -> Mapping[str, Any]:
    """Run one command in this process, as the program does; what it writes goes through files.

    The command `contents` is one of ours, which tells what a lexicon holds; `migrate tables` is the first half of
    `migrate`.
    """
    from aptdb.store.session import migrate_tables
    from support.app import app

    status: Any = 0
    texts = [folder / "stdout", folder / "stderr"]
    for number, text in enumerate(texts, start=1):
        descriptor = os.open(text, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(descriptor, number)
        os.close(descriptor)
    try:
        if arguments[0] == "contents":
            print(contents(Path(arguments[1])))
        elif arguments[0] == "migrate tables":
            migrate_tables(Path(arguments[1]))
        else:
            app(arguments, prog_name="aptdb")
    except SystemExit as ending:
        status = ending.code
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    said, wrote = (text.read_text(encoding="utf-8", errors="replace") for text in texts)
    return {"status": status or 0, "said": said, "wrote": wrote}


def contents(file: Path) -> str:
    """All that a lexicon holds, as text, but for its stamps and times."""
    import duckdb

    with duckdb.connect(str(file), read_only=True) as client:
        kinds = "SELECT table_schema, table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE'"
        tables = sorted(client.execute(kinds).fetchall())
        rows = {
            f"{schema}.{table}": sorted(
                str(row) for row in client.execute(f'SELECT t::VARCHAR FROM "{schema}"."{table}" AS t').fetchall()
            )
            for schema, table in tables
        }
        views = client.execute("SELECT sql FROM duckdb_views() WHERE NOT internal ORDER BY ALL").fetchall()
        macros = "SELECT function_name, parameters, macro_definition FROM duckdb_functions() WHERE NOT internal"
        definitions = str([*views, *client.execute(f"{macros} ORDER BY ALL").fetchall()])
    text = "\n".join(f"{name}: {row}" for name, found in rows.items() for row in found)
    for number, stamp in enumerate(re.findall(UUID, "\n".join(rows.get("_store.settings", [])))):
        text, definitions = (each.replace(stamp, f"@{number}@") for each in (text, definitions))
    return f"{TIME.sub('@time@', text)}\ndefinitions: {sha256(definitions.encode()).hexdigest()}"


if __name__ == "__main__":
    serve()
