"""A small lexicon with a byte that is wrong, and what must hold of each answer that it gives."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from support.corpora import COUNTS, DOGS
from support.processes import PATIENCE
from support.warm import Answer, Warm

HEADERS = 3 * 4096  # of a file of DuckDB: one of the file, two of its content, which take turns
CATS, COWS = (DOGS.replace("Dogs", f"{each}s").replace("dog\t", f"{each.lower()}\t") for each in ("Cat", "Cow"))
QUESTIONS: tuple[tuple[str, ...], ...] = (
    *(("info",), ("neighbours", "dog/NOUN"), ("apt", "big_dog"), ("sql", "FROM ppmi ORDER BY ALL"), ("stored",)),
    ("evidence", "dog/NOUN", "<nsubj", "bark/VERB"),
)
THEN: tuple[tuple[str, ...], ...] = (
    *(("verify",), ("add", "{cows}"), ("remove", "dogs"), ("compact",), ("weigh", "another", "--keep")),
)


@dataclass(frozen=True)
class Flip:
    """A byte that is changed: where it is, and which of its bits."""

    region: str
    position: int
    bits: int


class Flipped:
    """A lexicon, what it answers, and its copies with a wrong byte."""

    def __init__(self, folder: Path, server: Warm) -> None:
        self.server, self.made, self.file = server, folder / "made.duckdb", folder / "l.duckdb"
        self.cows = folder / "cows"
        for name, text in {"dogs": DOGS, "counts": COUNTS, "cats": CATS, "cows": COWS}.items():
            (folder / name).write_text(text, encoding="utf-8")
        made = self.made
        self.server.run(
            ("add", made, folder / "dogs", folder / "counts", folder / "cats"),
            ("weigh", made, "mine", "--scheme", "pmi", "--keep"),
            ("apt", made, "dog/NOUN", "--save", "big_dog"),
            ("compact", made),
        )
        self.content = made.read_bytes()
        self.regions = regions_of(made)
        self.right = {each: self.asked_of_sound(each) for each in (*QUESTIONS, *THEN)}

    def asked_of_sound(self, command: Sequence[str]) -> tuple[Answer, str]:
        """What a command answers, and what the lexicon holds then, where nothing is wrong."""
        self.file.write_bytes(self.content)
        found = self.server.run(self.on_file(command), ("contents", self.file))
        assert [each.status for each in found.answers] == [0, 0], found
        return found.answers[0], found.answers[1].said

    def on_file(self, command: Sequence[str]) -> list[str]:
        """A command on the lexicon."""
        return [command[0], str(self.file), *(each.format(cows=self.cows) for each in command[1:])]

    def flips(self, seed: int, size: int) -> list[Flip]:
        """Some bytes, as many of each region."""
        dice, names = random.Random(seed), [*self.regions]
        found = []
        for number in range(size):
            region = names[number % len(names)]
            begin, end = dice.choice(self.regions[region])
            found.append(Flip(region, dice.randrange(begin, end), dice.randint(1, 255)))
        return found

    def check(self, flip: Flip, commands: Sequence[tuple[str, ...]]) -> str:
        """Run commands on the lexicon with one wrong byte, of which the last may change it; says how it went."""
        self.file.with_name("l.duckdb.wal").unlink(missing_ok=True)
        self.file.write_bytes(with_wrong_byte(self.content, flip))
        found = self.server.run(*(self.on_file(each) for each in commands))
        assert not found.crashed, found
        refused = 0
        for each, answer in zip(commands, found.answers, strict=True):
            refused += self.is_refused(each, answer)
        if found.answers[-1].status == 0:
            held = self.server.run(("contents", self.file))
            assert not held.crashed, held
            told = held.answers[0]
            assert "Corrupt database" in told.wrote or told.said == self.right[commands[-1]][1], (commands[-1], told)
        return "right" if not refused else "refused" if refused == len(found.answers) else "partly refused"

    def is_refused(self, command: tuple[str, ...], answer: Answer) -> bool:
        """Whether a command was refused, in one line after its notes; otherwise its answer is right."""
        said = PATIENCE.sub("", answer.wrote)
        assert "Traceback" not in said, (command, answer)
        if answer.status == 0:
            right = self.right[command][0]
            assert (answer.said, said) == (right.said, PATIENCE.sub("", right.wrote)), (command, answer)
            return False
        assert answer.status == 1, (command, answer)
        *notes, refusal = said.splitlines()
        assert refusal.startswith("aptdb: "), (command, answer)
        assert notes == PATIENCE.sub("", self.right[command][0].wrote).splitlines()[: len(notes)], (command, answer)
        return True


def with_wrong_byte(content: bytes, flip: Flip) -> bytes:
    """The same with one byte changed."""
    return content[: flip.position] + bytes([content[flip.position] ^ flip.bits]) + content[flip.position + 1 :]


def regions_of(file: Path) -> dict[str, list[tuple[int, int]]]:
    """What a file consists of, as stretches of bytes: the headers, the catalog, and each table's blocks."""
    with duckdb.connect(str(file), read_only=True) as client:
        size = int(client.execute("SELECT block_size FROM pragma_database_size()").fetchall()[0][0])
        catalog = client.execute("SELECT DISTINCT block_id FROM pragma_metadata_info()").fetchall()
        tables = client.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY ALL").fetchall()
        blocks = {
            str(name): client.execute(
                f"SELECT DISTINCT block_id FROM pragma_storage_info('_store.{name}') WHERE block_id >= 0"
            ).fetchall()
            for (name,) in tables
        }
    stretches = {"catalog": catalog, **blocks}
    found = {"headers": [(4096 * number, 4096 * (number + 1)) for number in range(3)]}
    for name, numbers in stretches.items():
        if numbers:
            found[name] = [(HEADERS + number * size, HEADERS + (number + 1) * size) for (number,) in numbers]
    return found


def commands_of(number: int) -> list[tuple[str, ...]]:
    """A few questions by turn, and a look at all, or a change."""
    of_three = [question for place, question in enumerate(QUESTIONS) if place % 2 == number % 2]
    return [*of_three, THEN[number % len(THEN)]]


def check_flips(flipped: Flipped, flips: Iterable[Flip]) -> dict[str, Counter[str]]:
    """Check bytes; how many of each region went how."""
    found: dict[str, Counter[str]] = {}
    for number, flip in enumerate(flips):
        commands = commands_of(number)
        try:
            found.setdefault(flip.region, Counter())[flipped.check(flip, commands)] += 1
        except BaseException as error:
            error.add_note(f"{flip}: {commands}")
            raise
    return found
