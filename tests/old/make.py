"""How the lexicons in this folder were made: each by the last commit that had its schema as the newest.

    git worktree add --detach BEFORE d81bdb7        (0001; a2dbcd0 has 0002, 823f44d 0003, 25599b2 0004, ffc7117 0005,
    dac395f 0006, 648b198 0007, 71483d5 0008, c25d5d1 0009, 8aa9e4c 0010, e480dbf 0011, 0fc2bbd 0012, fe7683a
    0013, 5cf3c32 0014, 864acc8 0015, c2fdf5f 0016, ca19202 0017, 6014dd0a 0018)
    cd BEFORE && PYTHON …/tests/old/make.py 0001

PYTHON has aptdb's dependencies; aptdb itself is that of the folder where it runs. Beside this file that makes
0001.duckdb.xz, and 0001.json, what that version answered. It is done once for each schema, when the next one comes: a
lexicon that was made anew by other code would prove nothing.
"""

import json
import lzma
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SETTINGS = {
    "0001": ["--exclude-upos", "PUNCT"],
    "0002": ["--relations", "universal", "--order", "1"],
    "0003": ["--lexeme", "{form}/{upos}", "--order", "3"],
    "0004": ["--join", "compound,flat,fixed", "--stop-list", "stop.txt", "--relation-map", "relations.tsv", "--nfc"],
    "0005": ["--min-token-length", "2", "--exclude-relations", "det"],
    "0006": ["--lowercase"],
    "0007": ["--nfc"],
    "0008": ["--order", "2"],
    "0009": ["--exclude-upos", "PUNCT", "--order", "1"],
    "0010": ["--lexeme", "{lemma}/{upos}", "--relations", "universal"],
    "0011": ["--order", "3", "--exclude-relations", "det"],
    "0012": ["--nfc", "--order", "1"],
    "0013": ["--order", "3", "--relations", "universal"],
    "0014": ["--order", "2", "--nfc"],
    "0015": ["--order", "2", "--lowercase"],
    "0016": ["--order", "2", "--relations", "universal"],
    "0017": ["--order", "1", "--min-token-length", "2"],
    "0018": ["--order", "2", "--nfc", "--lowercase"],
}
# What is stored, by the schema that it came with; then what is asked.
STORED = (
    ("0001", "add L corpus.conllu"),
    ("0004", "add L counts.tsv --name counted"),
    ("0002", "weigh L shifted --shift 1.5 --cds 0.75 --keep"),
    ("0002", "weigh L tight --scheme lmi --phi harmonic"),
    ("0003", "compose L clothes/NOUN[amod dry/ADJ] --merge min --save dry_clothes"),
    ("0003", "compose L wine/NOUN[amod red/ADJ] --weights shifted --save red_wine"),
    ("0005", "evaluate L pairs.tsv"),
    ("0005", "evaluate L pairs.tsv --measure lin,jaccard --weights shifted"),
    ("0006", "weigh L few --top-features-per-path 2 --cds 0.5"),
    ("0006", "compose L wine/NOUN[amod red/ADJ] --cds 0.75 --save light_wine"),
    ("0006", "evaluate L pairs.tsv --cds 0.75,1 --missing skip"),
    ("0011", "part L read --where corpus='corpus.conllu'"),
    ("0016", "reduce L small --dimensions 2 --min-frequency 1 --min-feature-count 1 --shift 1"),
    ("0016", "senses L dog/NOUN --save --space small --groups 2"),
)
# What a schema calls otherwise, and where its default is another.
OTHERWISE: dict[str, dict[str, str]] = {
    "0007": {" --missing skip": " --missing skip_item", " --cds-total power_of_sum": ""},
    "0013": {"part L": "subcorpus L", " --part ": " --subcorpus "},
    "0018": {
        " --cds ": " --set cds=",
        " --cds-total ": " --set cds_total=",
        " --phi ": " --set phi=",
        " --top-features-per-path ": " --set top_features_per_path=",
        "compose L": "apt L",
        "evaluate L": "eval ratings L",
        "weightings L": "stored L weightings",
        "entries L": "stored L entries",
        "spaces L": "stored L spaces",
        "evaluations L": "stored L evaluations",
    },
}
ASKED = (
    ("0001", "apt L clothes/NOUN[amod dry/ADJ]"),
    ("0001", "neighbours L dog/NOUN"),
    ("0001", "neighbours L wine/NOUN --shift 1.2 --phi harmonic --pos any"),
    ("0001", "similarity L dog/NOUN cat/NOUN"),
    ("0002", "weightings L"),
    ("0002", "neighbours L dog/NOUN --weights shifted"),
    ("0002", "neighbours L dog/NOUN --weights tight --measure cosine"),
    ("0002", "explain L dog/NOUN cat/NOUN --weights shifted --top 3"),
    ("0003", "entries L"),
    ("0003", "apt L dry_clothes"),
    ("0003", "apt L red_wine --weights shifted"),
    ("0003", "neighbours L clothes/NOUN --among all --top 3"),
    ("0004", "verify L --format tsv"),
    ("0005", "evaluations L --format json"),
    ("0006", "neighbours L wine/NOUN --weights few --pos any"),
    ("0006", "apt L light_wine --cds 0.75 --cds-total power_of_sum"),
    ("0011", "apt L dog/NOUN --part read"),
    ("0011", "counts-by L dog/NOUN --by corpus"),
    ("0016", "spaces L"),
    ("0016", "neighbours L dog/NOUN --space small --pos any"),
    ("0016", "senses L dog/NOUN"),
    ("0016", "sketch L dog/NOUN#1"),
)


def aptdb(folder: Path, version: str, line: str) -> str:
    """What a command writes, run in a folder that has the lexicon."""
    arguments = [f"{version}.duckdb" if word == "L" else word for word in words_of(line)]
    code = f"import sys; sys.path.insert(0, {str(Path.cwd())!r}); from aptdb.__main__ import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{line}: {done.stderr}")
    return done.stdout


def words_of(line: str) -> list[str]:
    """The words of a command; a space within brackets separates none."""
    words = [""]
    for sign in line:
        inside = words[-1].count("[") > words[-1].count("]")
        if sign == " " and not inside:
            words.append("")
        else:
            words[-1] += sign
    return words


def lines_of(lines: tuple[tuple[str, str], ...], version: str) -> list[str]:
    """The lines that a version knows, in its words."""
    known = [line for since, line in lines if since <= version]
    for since, changes in OTHERWISE.items():
        if since <= version:
            for before, after in changes.items():
                known = [line.replace(before, after) for line in known]
    return known


def make(version: str) -> None:
    """Make the lexicon of a schema, and note what it answers."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for file in HERE.glob("*.[ct]*"):
            (folder / file.name).write_bytes(file.read_bytes())
        for number, line in enumerate(lines_of(STORED, version)):
            settings = SETTINGS[version] if number == 0 else []
            aptdb(folder, version, " ".join([line, *settings]))
        answers = {line: aptdb(folder, version, line) for line in lines_of(ASKED, version)}
        content = (folder / f"{version}.duckdb").read_bytes()
    (HERE / f"{version}.duckdb.xz").write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    told = json.dumps(answers, indent=1, ensure_ascii=False)
    (HERE / f"{version}.json").write_text(f"{told}\n", encoding="utf-8")


if __name__ == "__main__":
    make(sys.argv[1])
