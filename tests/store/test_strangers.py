"""A lexicon from a stranger is data: nothing in it is run, and nothing in it reaches another file."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from aptdb import CorpusError, Lexicon, LexiconError, QuestionError
from aptdb.core.errors import AptWarning
from aptdb.store import integrity
from aptdb.store.database import Database
from aptdb.store.integrity import BEGINS, exported
from support.clients import change_file, no_warnings
from support.commands import ask
from support.corpora import COUNTS, DOGS
from support.lexicons import make_lexicon, new_lexicon
from support.runs import draw_some, thorough

SECRET = "what nobody else may read"
WRITES = "1); COPY (SELECT 42) TO '{canary}'; SELECT (1"
BREAKS_OUT = "x''' THEN 1 END); COPY (SELECT 42) TO '{canary}'; --"
STOLEN = "(SELECT content FROM read_text('{secret}'))"

NAMED = "UPDATE _store.derived SET name = $1 WHERE kind = 'weighting'"
# How what something derived was asked by is changed.
OTHERWISE = "UPDATE _store.derived SET asked = map_concat(asked, MAP {{'{field}': $1}}) WHERE kind = '{kind}'"

# What a stranger does to a file, as SQL; {canary} is a file to write, {secret} one to read.
ATTACKS: dict[str, list[str]] = {
    # Text that becomes part of macros and views
    "name of a weighting": [NAMED, BREAKS_OUT],
    "quote in the name of a weighting": [NAMED, "a'b"],
    "name of a view": [NAMED, "x\" AS SELECT 1; COPY (SELECT 1) TO '{canary}'; --"],
    "scheme of a weighting": [OTHERWISE.format(kind="weighting", field="scheme"), BREAKS_OUT],
    "phi of a weighting": [OTHERWISE.format(kind="weighting", field="phi"), BREAKS_OUT],
    "scope of a weighting": [OTHERWISE.format(kind="weighting", field="scope"), BREAKS_OUT],
    "cds_total of a weighting": [OTHERWISE.format(kind="weighting", field="cds_total"), BREAKS_OUT],
    "state of a weighting": ["UPDATE _store.derived SET state = $1 WHERE kind = 'weighting'", BREAKS_OUT],
    "stamp": ["UPDATE _store.settings SET stamp = $1", BREAKS_OUT],
    "empty stamp": ["UPDATE _store.settings SET stamp = ''"],
    "digest of definitions": ["UPDATE _store.settings SET definitions = $1", BREAKS_OUT],
    # Text that statements take as values
    "name of an entry": ["UPDATE _store.derived SET name = $1 WHERE kind = 'entry'", BREAKS_OUT],
    "phrase of an entry": [OTHERWISE.format(kind="entry", field="phrase"), WRITES],
    "question of an entry": [OTHERWISE.format(kind="entry", field="question"), WRITES],
    "weighting of an entry": [
        "UPDATE _store.derived SET made = map_concat(made, MAP {'weighting': $1}) WHERE kind = 'entry'",
        WRITES,
    ],
    "name of a corpus": ["UPDATE _store.corpus SET name = $1", BREAKS_OUT],
    "kind of a corpus": ["UPDATE _store.corpus SET kind = $1", WRITES],
    "text of a lexeme": ["UPDATE _store.lexeme SET text = $1, lemma = $1 WHERE id = 1", BREAKS_OUT],
    "text of a path": ["UPDATE _store.path SET text = $1 WHERE id = 1", BREAKS_OUT],
    "label of a relation": ["UPDATE _store.relation SET label = $1 WHERE id = 1", WRITES],
    "form of a word": ["UPDATE _store.word SET form = $1 WHERE id = 1", WRITES],
    # Settings
    "template of lexemes": ["UPDATE _store.settings SET lexeme = $1", "{lemma}' || " + STOLEN + " || '"],
    "stemmer": ["UPDATE _store.settings SET stemmer = $1", WRITES],
    "list of tags": ["UPDATE _store.settings SET exclude_upos = $1", "[" + WRITES],
    "no settings": ["DELETE FROM _store.settings"],
    "two rows of settings": ["INSERT INTO _store.settings FROM _store.settings"],
    "version of the schema": ["UPDATE _store.alembic_version SET version_num = $1", WRITES],
    # Macros and views in place of ours
    "a question": ["CREATE OR REPLACE MACRO neighbours(x) AS TABLE SELECT " + STOLEN + " AS lexeme, 1.0 AS similarity"],
    "a scalar question": ["CREATE OR REPLACE MACRO similarity(a, b) AS length(" + STOLEN + ")"],
    "a view": [f"CREATE OR REPLACE VIEW ppmi AS SELECT {STOLEN} AS lexeme, '' AS path, 'x' AS context, 1. AS weight"],
    "a view of corpora": ["CREATE OR REPLACE VIEW lexemes AS SELECT " + STOLEN + " AS lexeme, 1 AS frequency"],
    "a private macro": ["CREATE OR REPLACE MACRO _store.admitted(own_stamp, fine) AS length(" + STOLEN + ") > 0"],
    "one private macro more": ["CREATE MACRO _store.more(x) AS " + STOLEN],
    "a function of DuckDB": ["CREATE MACRO lower(x) AS " + STOLEN],
    "a function of DuckDB, in an older file": [
        "CREATE MACRO lower(x) AS " + STOLEN + "; UPDATE _store.settings SET definitions = 'older'"
    ],
    "a stamp that hides SQL": [
        "CREATE OR REPLACE MACRO similarity(a, b) AS length(" + STOLEN + "); "
        "UPDATE _store.settings SET stamp = (SELECT macro_definition FROM duckdb_functions() "
        "WHERE function_name = 'similarity')"
    ],
    "a view that renames columns": [
        "CREATE OR REPLACE VIEW lexemes (frequency, lexeme) AS SELECT * FROM (SELECT lexeme, frequency FROM lexemes)"
    ],
    "a table function of DuckDB": ["CREATE MACRO duckdb_functions() AS TABLE SELECT " + STOLEN + " AS schema_name"],
    "the name of the database": ["CREATE MACRO current_database() AS " + STOLEN],
    "a table that is a view": [
        "DROP VIEW IF EXISTS lexemes; ALTER TABLE _store.evaluation RENAME TO evaluations_before; "
        "CREATE VIEW _store.evaluation AS SELECT *, " + STOLEN + " AS stolen FROM _store.evaluations_before"
    ],
    "a view that is a table": ["DROP VIEW ppmi; CREATE TABLE ppmi AS SELECT 'evil' AS lexeme"],
    "weights of one's own": [
        "CREATE VIEW evil AS SELECT " + STOLEN + " AS lexeme, '' AS path, 'dog/NOUN' AS context, 1.0 AS weight"
    ],
    "an index": ["CREATE UNIQUE INDEX evil ON _store.corpus (kind)"],
    "a trigger": [
        "CREATE TRIGGER evil AFTER INSERT ON _store.corpus FOR EACH STATEMENT DELETE FROM _store.token"
    ],
    "a trigger that copies what is asked": [
        "CREATE TABLE stolen AS SELECT '' AS said; CREATE TRIGGER evil AFTER UPDATE ON _store.settings "
        "FOR EACH STATEMENT INSERT INTO stolen SELECT current_query() || " + STOLEN
    ],
    "a default": ["ALTER TABLE _store.corpus ALTER COLUMN name SET DEFAULT ('x' || now()::VARCHAR)"],
}  # fmt: skip
COMMANDS = [
    ["info", "{file}"],
    ["sql", "{file}", "FROM ppmi LIMIT 3"], ["add", "{file}", "{more}"], ["apt", "{file}", "dog/NOUN"],
    ["neighbours", "{file}", "dog/NOUN"], ["similarity", "{file}", "dog/NOUN", "dog/NOUN"],
    ["stored", "{file}"], ["stored", "{file}", "entries"], ["stored", "{file}", "evaluations"], ["verify", "{file}"],
    ["weigh", "{file}", "another", "--keep"],
    ["refresh", "{file}"], ["remove", "{file}", "dogs"],
    ["compact", "{file}"], ["migrate", "{file}"], ["export", "{file}", "-o", "{out}.parquet"],
    ["neighbours", "{file}", "--all", "-o", "{out}.tsv"], ["rebuild", "{file}", "-o", "{out}.duckdb"],
    ["add", "{out}.duckdb", "{file}"],
]  # fmt: skip
# Every attack meets `info`, and two other commands, drawn by the seed.
PAIRS = [
    (attack, command) for attack in ATTACKS for command in (COMMANDS[0], *draw_some(COMMANDS[1:], 2, f"on {attack}"))
]
OF_EVIL = [
    ["apt", "{file}", "dog/NOUN", "--weights", "evil"],
    ["export", "{file}", "-o", "{out}.parquet", "--weights", "evil"],
    ["sql", "{file}", "FROM evil"], ["neighbours", "{file}", "dog/NOUN", "--weights", "evil"],
]  # fmt: skip


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon with everything that a lexicon can have."""
    folder = tmp_path_factory.mktemp("sound")
    (folder / "dogs").write_text(DOGS, encoding="utf-8")
    (folder / "counts").write_text(COUNTS, encoding="utf-8")
    with new_lexicon(folder / "sound.duckdb", folder / "dogs") as lexicon:
        lexicon.add(folder / "counts")
        lexicon.weigh("mine", scheme="pmi", cds=0.5, keep=True)
        lexicon.save("big_dog", "dog/NOUN")
    return folder / "sound.duckdb"


@dataclass
class Attacked:
    """A lexicon after each attack, made when it is asked for."""

    sound: Path
    folder: Path

    def __getitem__(self, attack: str) -> Path:
        file = self.folder / f"{[*ATTACKS].index(attack)}.duckdb"
        if not file.exists():
            shutil.copy(self.sound, file)
            places = {"canary": self.folder / "canary", "secret": self.folder / "secret"}
            statement, *values = ATTACKS[attack]
            change_file(file, put(statement, places), [put(value, places) for value in values])
        return file


@pytest.fixture(scope="module")
def attacked(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """The same after each attack."""
    folder = tmp_path_factory.mktemp("attacked")
    (folder / "secret").write_text(SECRET, encoding="utf-8")
    yield Attacked(sound, folder)
    assert not (folder / "canary").exists()


def put(text: str, places: dict[str, Path]) -> str:
    """Text with the places of files in it; other braces stay."""
    for name, place in places.items():
        text = text.replace(f"{{{name}}}", str(place))
    return text


@pytest.mark.thorough
@pytest.mark.parametrize(("attack", "command"), draw_some(PAIRS, 80, "pairs"))
def test_nothing_is_run_and_nothing_is_read(
    attacked: Attacked, attack: str, command: list[str], tmp_path: Path
) -> None:
    """Every command gives an answer or one line, writes no file that it was not asked for, and shows no other."""
    file = Path(shutil.copy(attacked[attack], tmp_path / "l.duckdb"))
    (tmp_path / "more").write_text(DOGS.replace("bark", "run"), encoding="utf-8")
    places = {"file": file, "more": tmp_path / "more", "out": tmp_path / "out"}
    answer = ask(*(put(each, places) for each in command))
    assert answer.exit_code in (0, 1)
    assert SECRET not in answer.output
    if answer.exit_code:
        assert answer.stderr.startswith("aptdb: ")
    assert not (attacked[attack].parent / "canary").exists()
    allowed = {"l.duckdb", "more", "out.parquet", "out.tsv", "out.duckdb"}
    assert {each.name for each in tmp_path.iterdir()} <= allowed
    for written in (tmp_path / "out.parquet", tmp_path / "out.tsv", file):
        assert not written.exists() or SECRET.encode() not in written.read_bytes()


@pytest.mark.thorough
@pytest.mark.parametrize("command", OF_EVIL, ids=" ".join)
def test_views_of_a_strangers_reach_no_file(attacked: Attacked, command: list[str], tmp_path: Path) -> None:
    test_nothing_is_run_and_nothing_is_read(attacked, "weights of one's own", command, tmp_path)


@pytest.mark.thorough
def test_others_in_place_of_ours_are_brought_back(sound: Path, attacked: Attacked, tmp_path: Path) -> None:
    with Lexicon.open(sound) as lexicon:
        expected = lexicon.neighbours("dog/NOUN").rows, lexicon.sql("FROM ppmi ORDER BY ALL").rows
    for attack in (
        "a question",
        "a scalar question",
        "a view",
        "a private macro",
        "one private macro more",
        "a stamp that hides SQL",
    ):
        file = Path(shutil.copy(attacked[attack], tmp_path / "l.duckdb"))
        with pytest.warns(AptWarning, match=r"l\.duckdb had other macros or views in place of aptdb's"):
            lexicon = Lexicon.open(file)
        with lexicon:
            assert (lexicon.neighbours("dog/NOUN").rows, lexicon.sql("FROM ppmi ORDER BY ALL").rows) == expected
        with no_warnings():
            Lexicon.open(file).close()


LOOKALIKES = [
    ("neighbours", "pos VARCHAR := 'same'", "pos VARCHAR := 'any'"),
    ("similarity", "weights VARCHAR := 'ppmi'", "weights VARCHAR := 'raw_count'"),
    ("path_order", "(p VARCHAR) AS", "(p BIGINT) AS (77), (p VARCHAR) AS"),
    ("_store.round_similarity", '("similarity") AS', '("similarity" DOUBLE) AS (0.5), ("similarity") AS'),
    ("_store.shift", "(weights, given) AS", "(weights VARCHAR, given) AS (5), (weights, given) AS"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "ours", "theirs"), LOOKALIKES)
def test_defaults_and_overloads_are_part_of_a_macro(
    sound: Path, tmp_path: Path, name: str, ours: str, theirs: str
) -> None:
    """The catalog shows the body alone."""
    file = Path(shutil.copy(sound, tmp_path / "l.duckdb"))
    with closing(Database(file, read_only=True, scratch=tmp_path / "scratch")) as database:
        texts = BEGINS.split(exported(database))
    [text] = [each for each in texts if re.match(rf'CREATE MACRO "?{re.escape(name)}"? \(', each)]
    assert text.count(ours) == 1
    change_file(file, f"CREATE OR REPLACE{text.removeprefix('CREATE').replace(ours, theirs)}")
    with pytest.warns(AptWarning, match=f"are back: {name if '.' in name else f'main.{name}'}$"):
        Lexicon.open(file).close()
    with closing(Database(file, read_only=True, scratch=tmp_path / "scratch")) as database:
        assert integrity.strangers(database) == []


OTHER_COUNTS = {
    "asymmetric": ("UPDATE _store.given_count SET count = 7 WHERE lexeme_id < context_id", "must be symmetric"),
    "negative": ("UPDATE _store.given_count SET count = -3", "count is '-3'; expected a whole number, 1 or more"),
    "huge": (f"UPDATE _store.given_count SET count = {2**63 - 1}", "more than 2⁶³ − 1"),
    "no path": ("UPDATE _store.path SET text = '<r<<>x' WHERE text = '<nsubj'", "path is '<r<<>x'"),
    "no lexeme": ("DELETE FROM _store.lexeme WHERE text = 'bark/VERB'", "is empty"),
    "there twice": (
        "INSERT INTO _store.given_count FROM _store.given_count ORDER BY rowid DESC",
        "bark/VERB  bark/VERB occurs 2",
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("attack", OTHER_COUNTS)
def test_counts_of_a_strangers_are_checked(tmp_path: Path, attack: str) -> None:
    """As they are when a file of counts is added."""
    (tmp_path / "counts.tsv").write_text(COUNTS, encoding="utf-8")
    make_lexicon(tmp_path / "other.duckdb", tmp_path / "counts.tsv")
    statement, said = OTHER_COUNTS[attack]
    change_file(tmp_path / "other.duckdb", statement)
    with Lexicon.open(tmp_path / "own.duckdb", create=True) as own:
        with pytest.raises(CorpusError, match=said) as refusal:
            own.merge(tmp_path / "other.duckdb")
        assert "other.duckdb: corpus counts.tsv" in str(refusal.value)
    assert not (tmp_path / "own.duckdb").exists()


@pytest.mark.thorough
def test_relations_of_a_strangers_are_names(sound: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(sound, tmp_path / "other.duckdb"))
    change_file(file, "UPDATE _store.relation SET text = 'a<b' WHERE text = 'nsubj'")
    with (
        Lexicon.open(tmp_path / "own.duckdb", create=True) as own,
        pytest.raises(LexiconError, match=r"other\.duckdb has a relation 'a<b'; a relation is a name without < or >"),
    ):
        own.merge(file)


@pytest.mark.thorough
@pytest.mark.parametrize("job", ["merge", "rebuild", "verify"])
def test_sentences_of_a_strangers_are_measured(sound: Path, tmp_path: Path, job: str) -> None:
    """As they are when a corpus is added: one of 60,000 words has billions of pairs."""
    file = Path(shutil.copy(sound, tmp_path / "long.duckdb"))
    with Lexicon.open(file) as lexicon:
        lexicon.remove("counts")
    change_file(
        file,
        "INSERT INTO _store.token SELECT sentence_id, position + more, word_id, position, relation_id, space_after, "
        "misc_id, deps_id FROM _store.token, range(100, 60000) AS new (more) WHERE sentence_id = 1 AND head = 0",
    )
    jobs: dict[str, Callable[[Lexicon, Lexicon], object]] = {
        "merge": lambda _, own: own.merge(file),
        "rebuild": lambda lexicon, _: lexicon.rebuild(tmp_path / "new.duckdb"),
        "verify": lambda lexicon, _: lexicon.verify(),
    }
    said = "words to count; .* raise this with --max-sentence|the stored trees of corpus .* are damaged"
    refused = pytest.raises(LexiconError, match=said)
    with Lexicon.open(file) as lexicon, Lexicon.open(tmp_path / "own.duckdb", create=True) as own, refused:
        jobs[job](lexicon, own)


@pytest.mark.thorough
@pytest.mark.parametrize("attack", ["a trigger", *thorough(["an index"])])
def test_triggers_and_indexes_on_our_tables_are_dropped(attacked: Attacked, tmp_path: Path, attack: str) -> None:
    (tmp_path / "more").write_text(DOGS.replace("bark", "run"), encoding="utf-8")
    file = Path(shutil.copy(attacked[attack], tmp_path / "l.duckdb"))
    with pytest.warns(AptWarning, match=f"are back: {attack.split()[1]} evil on _store.corpus"):
        lexicon = Lexicon.open(file)
    with lexicon:
        lexicon.add(tmp_path / "more")
        assert lexicon.verify().rows == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("attack", "said"),
    [
        ("a function of DuckDB", "has a macro lower of its own, which hides DuckDB's"),
        ("a function of DuckDB, in an older file", "has a macro lower of its own, which hides DuckDB's"),
        ("a table that is a view", "it has no table _store.evaluation"),
        ("a view that is a table", "ppmi"),
        ("no settings", "it has no rows of settings"),
        ("two rows of settings", "it has 2 rows of settings"),
    ],
)
def test_what_cannot_be_brought_back_is_refused(attacked: Attacked, attack: str, said: str) -> None:
    with pytest.raises(LexiconError, match=said):
        Lexicon.open(attacked[attack])


@pytest.mark.parametrize(
    "query", ["FROM '{0}'", "FROM read_text('{0}')", "FROM glob('{0}*')", "FROM parquet_scan('{0}')"]
)
def test_questions_reach_no_other_file(sound: Path, tmp_path: Path, query: str) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a\n1\n", encoding="utf-8")
    with Lexicon.open(sound) as lexicon, pytest.raises(QuestionError):
        lexicon.sql(query.format(other))
    if "parquet" not in query:
        with Lexicon.open(sound, confined=False) as lexicon:
            assert len(lexicon.sql(query.format(other))) == 1
