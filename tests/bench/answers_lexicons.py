"""The lexicons that answers.py asks, and the files that its questions name: all made by the code that is asked."""

import bz2
import gzip
import json
import lzma
from itertools import islice
from pathlib import Path

import duckdb
from typer.testing import CliRunner

from support.app import app
from support.clients import change_file

OLD = Path(__file__).parents[1] / "old"
SENTENCES = 2500  # of the second treebank
OTHER_SETTINGS = (
    "--order", "3", "--join", "compound,fixed,flat", "--exclude-upos", "PUNCT", "--relations", "universal",
    "--no-lowercase", "--lexeme",
)  # fmt: skip

FILES = {
    "words.txt": "a\nthe/DET\nwell\n",
    "tags.txt": "PROPN\tNOUN\nAUX\tVERB\n",
    "relations.txt": "nsubj:pass\tobj\nobl:agent\tnsubj\n",
    "variants.txt": "colour\tcolor\nleaf\tleafe\n",
    "demo.phrases": "leaf/NOUN\nshoot/NOUN[amod green/ADJ]\n\ngroup/NOUN[amod ethnic/ADJ]\n",
    "empty.conllu": "",
    "bad.conllu": (
        "# sent_id = good\n1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
        "# sent_id = circle\n1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t1\tobj\t_\t_\n\n"
        "1\tx\n\n# sent_id = head\n1\tA\ta\tDET\tDT\t_\t7\tdet\t_\t_\n\n"
        "# sent_id = long\n1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n"
        "3\tbarks\tbark\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"
    ),
    "demo.conllu": (
        "1\tThe\tthe\tDET\t_\t_\t3\tdet\t_\t_\n2\tyoung\tyoung\tADJ\t_\t_\t3\tamod\t_\t_\n"
        "3\tleaf\tleaf\tNOUN\t_\t_\t4\tnsubj\t_\t_\n4\tgrows\tgrow\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
        "5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_\n\n"
    ),
    "demo.pairs": "leaf\tshoot\t9.1\nleaf\tband\t1.5\nband\tgroup\t8\ncouncil\tbody\t5.5\nleaf\tnothingness\t2\n",
    "demo.ml2010": (
        "participant1 adjectivenouns 1 green shoot young leaf 7\n"
        "participant1 adjectivenouns 1 musical group old band 6\n"
        "participant1 adjectivenouns 1 green shoot old council 1\n"
        "participant2 adjectivenouns 1 green shoot young leaf 5\n"
        "participant2 adjectivenouns 1 musical group old band 7\n"
        "participant2 adjectivenouns 1 green shoot old council 2\n"
        "participant1 verbobjects 1 leaf prune shoot cut 7\n"
        "participant1 verbobjects 1 leaf prune book write 1\n"
        "participant1 verbobjects 1 show see tour want 3\n"
        "participant2 verbobjects 1 leaf prune shoot cut 6\n"
        "participant2 verbobjects 1 leaf prune book write 2\n"
        "participant2 verbobjects 1 show see tour want 4\n"
    ),
    "demo.ml2008": (
        "participant verb noun landmark input hilo\nparticipant1 cut gardener prune 6 high\n"
        "participant1 cut child see 2 low\nparticipant1 grow leaf sprout 7 high\n"
        "participant2 cut gardener prune 7 high\nparticipant2 cut child see 1 low\n"
        "participant2 grow leaf change 3 low\n"
    ),
}


def make_lexicons(shared: Path | None) -> set[str]:
    """Make the files and lexicons in this folder; the names of the lexicons, and of what else is there."""
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    for name in ("corpus.conllu", "more.conllu"):
        Path(name).write_bytes((OLD / name).read_bytes())
    run("demo", "--keep", "demo.duckdb")
    run("apt", "demo.duckdb", "shoot/NOUN[amod green/ADJ]", "--merge", "min", "--save", "green_shoot")
    run("add", "small.duckdb", "corpus.conllu")
    made = {"", "demo", "small", "other"}
    if shared is None:
        run("rebuild", "demo.duckdb", *OTHER_SETTINGS, "{form}/{upos}", "-o", "other.duckdb")
    else:
        make_of_treebanks(shared)
        made |= {"english", "gum"}
    make_corpora()
    return made


def make_of_treebanks(shared: Path) -> None:
    """Make the lexicon of a treebank, with all that can be stored in one; and the other, of a part of another."""
    for name in ("ml2010.txt", "ml2008.txt", "ws353.txt"):
        Path(name).symlink_to(shared / "datasets" / name)
    Path("en_ewt.conllu.gz").symlink_to(shared / "corpora" / "en_ewt.conllu.gz")
    run("add", "english.duckdb", "en_ewt.conllu.gz")
    run("weigh", "english.duckdb", "ppmi_10", "--shift", "10", "--set", "cds=0.75", "--keep")
    run("weigh", "english.duckdb", "tight", "--scheme", "lmi", "--min-count", "2", "--set", "phi=harmonic")
    run("apt", "english.duckdb", "service/NOUN[amod good/ADJ]", "--merge", "min", "--save", "good_service")
    run(
        "apt",
        "english.duckdb",
        "tea/NOUN[amod hot/ADJ]",
        "--smooth",
        "static:3",
        "--shift",
        "2",
        "--save",
        "hot_tea",
    )
    run("eval", "ratings", "english.duckdb", "ws353.txt", "--pos", "NOUN")
    change_file(
        "english.duckdb",
        "CREATE VIEW often AS SELECT lexeme, path, context, ln(count) AS weight FROM cooccurrences WHERE count > 1",
    )
    with gzip.open(shared / "corpora" / "en_gum.conllu.gz", "rt", encoding="utf-8") as opened:
        sentences = islice("".join(opened).split("\n\n"), SENTENCES)
        Path("gum.conllu").write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")
    run("add", "other.duckdb", "gum.conllu", *OTHER_SETTINGS, "{form}/{xpos}")


def make_corpora() -> None:
    """Make the small corpus in all forms that a corpus may have."""
    text = Path("corpus.conllu").read_bytes()
    rows = [line.split("\t") for line in text.decode().splitlines() if not line.startswith("#")]
    words = [row for row in rows if len(row) == 1 or row[0].isdigit()]
    Path("packed.conllu.gz").write_bytes(gzip.compress(text))
    Path("packed.conllu.bz2").write_bytes(bz2.compress(text))
    Path("packed.conllu.xz").write_bytes(lzma.compress(text))
    Path("two.conllu.gz").write_bytes(gzip.compress(text) + gzip.compress(Path("more.conllu").read_bytes()))
    conllx = ["\t".join([*row[:6], *row[6:8], "_", "_"]) if len(row) > 1 else "" for row in words]
    Path("corpus.conllx").write_text("\n".join(conllx) + "\n", encoding="utf-8")
    conll09 = [
        "\t".join([*row[:2], row[2], "_", row[3], "_", "_", "_", row[6], "_", row[7], "_", "_", "_"])
        if len(row) > 1
        else ""
        for row in words
    ]
    Path("corpus.conll09").write_text("\n".join(conll09) + "\n", encoding="utf-8")
    folder = Path("corpora")
    (folder / "below").mkdir(parents=True)
    (folder / "a.conllu").write_bytes(text)
    (folder / "below" / "b.conllu").write_bytes(Path("more.conllu").read_bytes())
    make_tables(words)


def make_tables(words: list[list[str]]) -> None:
    """The same as tables of words, and its counts without any."""
    sentence, table = 1, []
    for row in words:
        if len(row) == 1:
            sentence += 1
        else:
            names = ("id", "form", "lemma", "upos", "xpos", "head", "deprel")
            numbered = {"sentence": sentence, **dict(zip(names, (*row[:5], *row[6:8]), strict=True))}
            table.append({**numbered, "id": int(row[0]), "head": int(row[6])})
    Path("corpus.json").write_text(json.dumps(table), encoding="utf-8")
    with duckdb.connect() as client:
        client.execute("COPY (FROM read_json('corpus.json')) TO 'corpus.parquet'")
        client.execute("COPY (FROM read_json('corpus.json') WHERE sentence < 4) TO 'part.parquet'")
        client.execute("ATTACH 'small.duckdb' AS small (READ_ONLY); USE small")
        counts = "SELECT lexeme, path, context, count FROM cooccurrences WHERE count > 1 ORDER BY ALL"
        client.execute(f"COPY ({counts}) TO 'counts.tsv' (DELIMITER '\t', HEADER, QUOTE '')")
        client.execute(f"COPY ({counts}) TO 'counts.parquet'")
    Path("corpus.json").unlink()


def run(*arguments: str) -> None:
    """Run a command that must succeed."""
    answer = CliRunner().invoke(app, list(arguments))
    assert answer.exit_code == 0, (arguments, answer.output)
