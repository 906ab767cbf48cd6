"""A thousand crafted lexicons: whatever is changed in the catalog, the answers are right, or the lexicon is refused."""

import re
import shutil
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pytest

from aptdb import AptError, AptWarning, Lexicon, LexiconError
from aptdb.store import open_files
from support.commands import ask
from support.corpora import DOGS
from support.crafted import BROUGHT_BACK, EVIL, REFUSED, Catalog, Crafted, catalog, crafted
from support.farm import make_farm
from support.lexicons import Once, new_lexicon
from support.runs import draw_some

SEEDS = 1000  # of crafted lexicons
TRIED = 40  # of them, others for each commit
QUESTIONS = ("FROM ppmi ORDER BY ALL", "FROM lexemes ORDER BY ALL", "FROM cooccurrences ORDER BY ALL", "FROM corpora")


@pytest.fixture(scope="module")
def sound(once: Once, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lexicon with a weighting and metadata."""
    corpus = tmp_path_factory.mktemp("corpus") / "dogs"
    corpus.write_text(DOGS, encoding="utf-8")

    def make(file: Path) -> None:
        with new_lexicon(file, corpus, tags={"Full name": "dogs", "year": "1890"}) as lexicon:
            lexicon.weigh("mine", scheme="pmi", keep=True)
            lexicon.save("one", "dog/NOUN")
            lexicon.save("two", "one")

    return once("sound-dogs.duckdb", make)


@pytest.fixture(scope="module")
def found(sound: Path) -> Catalog:
    with duckdb.connect(str(sound), read_only=True) as client:
        return catalog(client)


def with_change(sound: Path, change: Crafted, folder: Path) -> Path:
    """A copy of the lexicon with a change."""
    file = Path(shutil.copy(sound, folder / "crafted.duckdb"))
    with duckdb.connect(str(file)) as client:
        for each in change.statements:
            client.execute(each)
    return file


@pytest.mark.thorough
def test_what_could_change_the_meaning_of_our_sql_is_refused(sound: Path, found: Catalog, tmp_path: Path) -> None:
    for seed in draw_some(range(SEEDS), TRIED, "refused"):
        change = crafted(seed, found, REFUSED)
        file = with_change(sound, change, tmp_path)
        with pytest.raises(LexiconError) as refusal:
            Lexicon.open(file).close()
        assert str(refusal.value).isprintable(), change
        assert not open_files.is_verified(file)


HIDES = r"crafted\.duckdb has a macro LN of its own, which hides DuckDB's; drop it .*: DROP MACRO \"LN\"$"


@pytest.mark.thorough
def test_a_macro_in_capitals_is_refused_wherever_a_lexicon_is_opened(sound: Path, tmp_path: Path) -> None:
    file = with_change(sound, Crafted("LN", ('CREATE MACRO "LN"(a) AS 1.0',)), tmp_path)
    own = Path(shutil.copy(sound, tmp_path / "own.duckdb"))
    open_files.record_verified(own)
    attaching: tuple[str | Path, ...] = ("sql", own, "FROM lexemes", "--attach", file)
    for command in (("info", file), attaching, ("migrate", file), ("add", own, file)):
        answer = ask(*command)
        assert answer.exit_code == 1
        assert re.search(HIDES, answer.stderr.strip()), command
    with pytest.raises(LexiconError, match=HIDES):
        Lexicon.open(own, attach=file)
    Lexicon.open(own).close()


@pytest.mark.thorough
def test_views_of_an_attached_lexicon_are_aptdbs(sound: Path, tmp_path: Path) -> None:
    file = with_change(sound, Crafted("", ("CREATE OR REPLACE VIEW \"Lexemes\" AS SELECT 'x' AS lexeme",)), tmp_path)
    with pytest.raises(LexiconError, match=r"in place of aptdb's \(main.lexemes\); restore aptdb's by: aptdb info"):
        Lexicon.open(sound, attach=file)
    with pytest.warns(match="which are back: main.lexemes"):
        Lexicon.open(file).close()
    with Lexicon.open(sound, attach=file) as lexicon:
        assert lexicon.sql("FROM crafted.lexemes ORDER BY ALL") == lexicon.sql("FROM lexemes ORDER BY ALL")


@pytest.mark.thorough
def test_other_types_of_metadata_are_refused(sound: Path, tmp_path: Path) -> None:
    """A list is none that aptdb makes, and neither is a name that a terminal obeys."""
    for column, said in (("more INTEGER[]", r"have the type INTEGER\[\]"), ('"a\x1b[31m" VARCHAR', r"'a\\x1b\[31m'")):
        change = Crafted("", (f"ALTER TABLE _store.document_metadata ADD COLUMN {column}",))
        with pytest.raises(LexiconError, match=said):
            Lexicon.open(with_change(sound, change, tmp_path))


WORD = '{"words": [{"lexeme": "$", "delta": ""}], "parameters": {}}'
DEEP = "repeat('[', 100000)"
NOT_READ = "the question of its entry one cannot be read"


def change_question(question: str) -> str:
    """Return a statement that changes the question of an entry, to an expression in SQL."""
    return (
        f"UPDATE _store.derived SET state = 'stale', asked = map_concat(asked, MAP {{'question': {question}}}) "
        "WHERE name = 'one'"
    )


# What is changed in a lexicon, a command, and its one line.
CRAFTED = [
    (change_question("''"), ["refresh", "--kind", "entries"], NOT_READ),
    (change_question("'{}'"), ["forget", "two"], NOT_READ),
    (change_question("'[]'"), ["refresh", "--kind", "entries"], NOT_READ),
    (change_question(DEEP), ["refresh", "--kind", "entries"], NOT_READ),
    (change_question(f"'{WORD.replace('$', 'two')}'"), ["refresh", "--kind", "entries"], "contains itself"),
    (change_question(f"'{WORD.replace('$', 'one')}'"), ["forget", "one"], "its entry one"),
    ("UPDATE _store.settings SET exclude_upos = ''", ["info"], "its settings cannot be read"),
    (f"UPDATE _store.settings SET exclude_upos = {DEEP}", ["info"], "its settings cannot be read"),
    ("UPDATE _store.settings SET relation_map = '[1]'", ["info"], "its settings cannot be read"),
    (
        "UPDATE _store.derived SET asked = MAP {'scheme': 'a OR 1', 'phi': 'constant'} WHERE kind = 'weighting'",
        ["forget", "two"],
        "has the scheme 'a OR 1'",
    ),
]


@pytest.mark.thorough
def test_crafted_values_are_told_in_one_line(sound: Path, tmp_path: Path) -> None:
    """Where nothing of the catalog is changed, so that the lexicon is opened."""
    for statement, (command, *arguments), said in CRAFTED:
        file = with_change(sound, Crafted("", (statement,)), tmp_path)
        open_files.record_verified(file)
        answer = ask(command, file, *arguments)
        assert answer.exit_code == 1, statement
        assert re.fullmatch(rf"aptdb: .*crafted\.duckdb was damaged, .*{said}.*", answer.stderr.splitlines()[-1]), (
            answer.output
        )


NULLS = "map_from_entries(list_transform(map_entries({0}), lambda each: {{'key': each.key, 'value': NULL::VARCHAR}}))"
# What reads how something derived was asked for, and what came out.
READS = (
    ["refresh", "mine"],
    ["neighbours", "dog/NOUN", "--weights", "mine", "--min-frequency", "1"],
    ["refresh", "--kind", "entries"],
    ["stored"],
    ["stored", "subcorpora"],
    ["refresh", "news"],
    ["subcorpus", "news", "--where", "kind = 'news'"],
    ["forget", "news"],
    ["stored", "spaces"],
    ["refresh", "words"],
    ["export", "--space", "words", "-o", "words.safetensors"],
    ["refresh", "bank/NOUN"],
    ["verify"],
)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::aptdb.AptWarning")
@pytest.mark.parametrize("column", ["asked", "made"])
@pytest.mark.parametrize("values", ["MAP {{}}", NULLS])
def test_what_is_missing_of_something_derived_ends_nothing(
    once: Once, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, column: str, values: str
) -> None:
    """Where another program took values away, each command answers, or says in one line what is wrong."""
    monkeypatch.chdir(tmp_path)
    whole, file = once("crafted-farm.duckdb", make_farm), tmp_path / "l.duckdb"
    for sign, (command, *arguments) in product(("=", "<>"), READS):
        shutil.copy(whole, file)
        with duckdb.connect(str(file)) as client:
            where = f"WHERE kind {sign} 'weighting'"
            client.execute(f"UPDATE _store.derived SET {column} = {values.format(column)} {where}")
        answer = ask(command, file, *arguments)
        assert answer.exception is None or isinstance(answer.exception, SystemExit), (command, answer.exception)
        assert answer.exit_code in (0, 1), answer.output


def answers(lexicon: Lexicon) -> list[Any]:
    """Answers that read all tables, and most macros and views."""
    asked = [lexicon.sql(each).rows for each in QUESTIONS]
    of_words = [lexicon.apt("dog/NOUN").rows, lexicon.explain("dog/NOUN", "bark/VERB").rows]
    return [*asked, *of_words, lexicon.similarity("dog/NOUN", "bark/VERB"), lexicon.verify().rows]


@pytest.mark.thorough
def test_crafted_lexicons(sound: Path, found: Catalog, tmp_path: Path) -> None:
    with Lexicon.open(sound) as lexicon:
        expected = answers(lexicon)
    for seed in draw_some(range(SEEDS), TRIED, "crafted"):
        change = crafted(seed, found)
        refused = change.name.split()[-1] in {each.__name__ for each in REFUSED}
        file = with_change(sound, change, tmp_path)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                with Lexicon.open(file) as lexicon:
                    assert answers(lexicon) == expected, change
            except AptError as error:
                assert refused, (change, error)
                assert str(error).isprintable()
                assert EVIL not in str(error).replace(f"error\"('{EVIL}')", "")  # named at most, never run
            else:
                assert not refused, change
                brought_back = change.name.split()[-1] in {each.__name__ for each in BROUGHT_BACK}
                ours = [
                    str(each.message)
                    for each in warned
                    if each.category is AptWarning and "are back" in str(each.message)
                ]
                assert bool(ours) == brought_back, (change, ours)
