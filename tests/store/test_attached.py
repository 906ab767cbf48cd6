"""A finished file in a DuckDB client that has never heard of aptdb: alone, attached, attached and used, and copied."""

import re
from pathlib import Path

import duckdb
import pytest

from aptdb import Lexicon
from support.clients import ask_file
from support.commands import ask
from support.lexicons import copied, make_lexicon
from twins.trees import Token, conllu

PHRASE = "[{'lexeme': 'floor/NOUN', 'delta': ''}, {'lexeme': 'wooden/ADJ', 'delta': '<amod'}]"


def noun_phrase(noun: str, adjective: str) -> list[Token]:
    """A noun with an adjective."""
    return [Token(adjective, adjective, "ADJ", "_", 2, "amod"), Token(noun, noun, "NOUN", "_", 0, "root")]


def lexicon_of(file: Path, *pairs: tuple[str, str]) -> Path:
    """A lexicon of such phrases."""
    source = file.with_suffix(".conllu")
    source.write_text(conllu([noun_phrase(*pair) for pair in pairs]), encoding="utf-8")
    return make_lexicon(file, source)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two lexicons, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    lexicon_of(folder / "dogs.duckdb", ("dog", "brown"), ("dog", "brown"), ("dog", "small"), ("cat", "small"))
    lexicon_of(folder / "cats.duckdb", ("dog", "loud"), ("cat", "quiet"), ("cat", "small"))
    return folder


@pytest.fixture
def dogs(made: Path, tmp_path: Path) -> Path:
    """A lexicon in which dogs are brown."""
    return copied(made / "dogs.duckdb", tmp_path)


@pytest.fixture
def cats(made: Path, tmp_path: Path) -> Path:
    """A lexicon in which dogs are loud."""
    return copied(made / "cats.duckdb", tmp_path)


def test_questions_of_a_plain_client(english: Path) -> None:
    with duckdb.connect(str(english), read_only=True) as client:
        good = client.sql("FROM ppmi(shift := 5) WHERE lexeme = 'good/ADJ' ORDER BY weight DESC").fetchall()
        assert len(good) > 1000
        assert all(row[0] == "good/ADJ" and row[3] > 0 for row in good)
        floor = client.sql(f"FROM compose({PHRASE}, merge := 'min')").fetchall()
        assert {row[0] for row in floor} <= {">case", ">det", ">punct", ">cc"}
        near = "FROM neighbours('dog/NOUN', shift := 5, min_feature_count := 5, min_frequency := 20)"
        dog = [lexeme.removesuffix("/NOUN") for lexeme, *_ in client.sql(near).fetchall()]
        assert len(dog) == 10
        assert dog[0] == "cat"
        assert len({*dog} & {"cat", "rabbit", "kitten", "bird", "pet", "hamster", "horse", "puppy"}) >= 4
        assert client.sql(f"FROM neighbours({PHRASE})").fetchall()[0][0] == "floor/NOUN"
        assert 0 < client.sql("SELECT similarity('dog/NOUN', 'cat/NOUN')").fetchall()[0][0] < 1


@pytest.mark.thorough
def test_a_client_that_sorts_the_other_way(dogs: Path) -> None:
    """DuckDB has a setting for the order of ORDER BY where it says none."""
    phrase = "[{'lexeme': 'dog/NOUN', 'delta': ''}, {'lexeme': 'brown/ADJ', 'delta': '<amod'}]"
    questions = [
        "neighbours('dog/NOUN', pos := 'any', top := 2)",
        f"contextualise({phrase}, pos := 'any', top := 1)",
        "explain('dog/NOUN', 'dog/NOUN', top := 1)",
        "diff('dog/NOUN', 'brown/ADJ', per_path := 1)",
        "apt('dog/NOUN', weights := 'raw_count', top_features := 1)",
        "weightings",
    ]
    with duckdb.connect(str(dogs), read_only=True) as client:
        expected = [client.sql(f"FROM {question}").fetchall() for question in questions]
        client.execute("SET default_order = 'desc'")
        assert [client.sql(f"FROM {question}").fetchall() for question in questions] == expected


@pytest.mark.thorough
def test_attached_and_used(dogs: Path, cats: Path) -> None:
    with duckdb.connect(str(dogs), read_only=True) as client:
        client.execute(f"ATTACH '{cats}' AS other (READ_ONLY)")
        client.execute("USE other")
        assert client.sql("FROM apt('dog/NOUN', weights := 'raw_count') WHERE path = '>amod'").fetchall() == [
            (">amod", "loud/ADJ", 1.0)
        ]
        assert client.sql("FROM neighbours('dog/NOUN', min_frequency := 1)").fetchall() == []
        assert len(client.sql("FROM ppmi").fetchall()) == len(client.sql("FROM ppmi()").fetchall())


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "question",
    [
        "FROM other.ppmi(shift := 1)",
        "FROM other.raw_count() LIMIT 1",
        "FROM other.phrase_keyness('dog/NOUN', 'a')",
        "FROM other.sense_features('dog/NOUN')",
        "FROM other.apt('dog/NOUN')",
        "FROM other.apt('dog/NOUN', shift := 1000)",
        "FROM other.compose([{'lexeme': 'dog/NOUN', 'delta': ''}])",
        "FROM other.compose([{'lexeme': 'dog/NOUN', 'delta': ''}], smooth := 'static:3')",
        "FROM other.compose_each('lexemes')",
        "FROM other.similarity_each('lexemes')",
        "FROM other.contextualise([{'lexeme': 'dog/NOUN', 'delta': ''}])",
        "FROM other.plausible([{'lexeme': 'dog/NOUN', 'delta': ''}, {'lexeme': '_/ADJ', 'delta': '<amod'}])",
        "FROM other.most_similar(['dog/NOUN'])",
        "FROM other.doesnt_match(['dog/NOUN', 'cat/NOUN', 'small/ADJ'])",
        "FROM other.neighbours('dog/NOUN')",
        "FROM other.neighbours([{'lexeme': 'dog/NOUN', 'delta': ''}]) LIMIT 1",
        "SELECT other.similarity('dog/NOUN', 'cat/NOUN')",
        "SELECT other.similarity('dog/NOUN', [{'lexeme': 'cat/NOUN', 'delta': ''}])",
    ],
)
def test_attached_and_not_used_refuses(dogs: Path, cats: Path, question: str) -> None:
    if "'a'" in question:  # a subcorpus, with something beside it
        cats.with_name("more.conllu").write_text(conllu([noun_phrase("dog", "old")]), encoding="utf-8")
        with Lexicon.open(dogs) as lexicon:
            lexicon.add(cats.with_name("more.conllu"), name="more")
            lexicon.subcorpus("a", "corpus = 'more'")
    with duckdb.connect(str(dogs), read_only=True) as client:
        client.execute(f"ATTACH '{cats}' AS other (READ_ONLY)")
        with pytest.raises(duckdb.Error, match="attached but not in use"):
            client.execute(question).fetchall()


def test_no_lexicon_in_use(dogs: Path) -> None:
    """In an ordinary database each function refuses by the name of the first that it looks up."""
    examples = dict(ask_file(dogs, "SELECT name, example FROM aptdb_help WHERE kind <> 'view'"))
    examples |= {"trend": "FROM trend('dog/NOUN')", "keyness": "FROM keyness('a')"}  # the help names no subcorpus
    examples |= {"phrase_keyness": "FROM phrase_keyness('dog/NOUN', 'a')"}
    examples |= {"pattern_keyness": "FROM pattern_keyness(pattern('{\"nodes\": [{\"name\": \"N\"}]}'), 'N.upos', 'a')"}
    called = re.compile(rf"\b({'|'.join(examples)})\(")
    with duckdb.connect() as client:
        client.execute(f"ATTACH '{dogs}' AS other (READ_ONLY)")
        for name, example in examples.items():
            there = re.sub(r"\bFROM (\w+)(?= |$)", r"FROM other.\1", called.sub(r"other.\1(", example))
            if name == "path_is_valid":  # it looks up nothing
                assert client.sql(there).fetchall() == [(True,)]
                continue
            with pytest.raises(duckdb.Error) as refused:
                client.execute(there).fetchall()
            assert "attached_but_not_in_use_run_use_with_its_name_first" in str(refused.value), there


@pytest.mark.thorough
def test_attached_views_answer_from_their_own_file(dogs: Path, cats: Path) -> None:
    """Whatever database is in use, another lexicon or none."""
    for file in (dogs, cats):
        with Lexicon.open(file) as lexicon:
            lexicon.weigh("mine", shift=2)
    relations = ("cooccurrences", "ppmi", "raw_count", "mine")
    with duckdb.connect(str(cats), read_only=True) as client:
        own = {each: client.sql(f"FROM {each} ORDER BY ALL").fetchall() for each in relations}
        assert "loud/ADJ" in str(own["mine"])
    for used in (str(dogs), ":memory:"):
        with duckdb.connect(used, read_only=used != ":memory:") as client:
            client.execute(f"ATTACH '{cats}' AS other (READ_ONLY)")
            assert {each: client.sql(f"FROM other.{each} ORDER BY ALL").fetchall() for each in relations} == own


@pytest.mark.thorough
def test_copies_that_have_grown_apart_are_told_apart(dogs: Path, tmp_path: Path) -> None:
    """Yesterday's backup beside today's lexicon: the same lexicon, another content."""
    yesterday = tmp_path / "yesterday.duckdb"
    copied(dogs, yesterday)
    more = tmp_path / "more.conllu"
    more.write_text(conllu([noun_phrase("dog", "old")]), encoding="utf-8")
    with Lexicon.open(dogs) as lexicon:
        lexicon.add(more)
    with duckdb.connect(str(dogs), read_only=True) as client:
        client.execute(f"ATTACH '{yesterday}' AS yesterday (READ_ONLY)")
        with pytest.raises(duckdb.Error, match="attached but not in use"):
            client.execute("FROM yesterday.apt('dog/NOUN')").fetchall()
        client.execute("USE yesterday")
        assert "old/ADJ" not in str(client.sql("FROM apt('dog/NOUN', weights := 'raw_count')").fetchall())


@pytest.mark.thorough
def test_weights_may_be_a_view_or_table_in_the_file(dogs: Path) -> None:
    with duckdb.connect(str(dogs)) as client:
        client.execute("CREATE VIEW doubled AS SELECT lexeme, path, context, 2 * weight AS weight FROM ppmi")
        client.execute('CREATE TABLE "my weights" AS FROM doubled')
    with Lexicon.open(dogs) as lexicon:
        plain = lexicon.apt("dog/NOUN").rows
        for name in ("doubled", '"my weights"'):
            assert [row[2] / 2 for row in lexicon.apt("dog/NOUN", weights=name).rows] == [row[2] for row in plain]


# A question a line; @ stands for the lexicon.
SAME_ELSEWHERE = Path(__file__).with_name("same_elsewhere.sql").read_text(encoding="utf-8").splitlines()


@pytest.mark.thorough
def test_functions_for_another_database(dogs: Path, cats: Path, tmp_path: Path) -> None:
    """Those of two lexicons at once answer as in the lexicons; those of one that has changed refuse."""
    with duckdb.connect(str(tmp_path / "mine.duckdb")) as mine:
        for name, file in (("dogs", dogs), ("Katzen_2", cats)):
            with Lexicon.open(file) as lexicon:
                lexicon.weigh("strict", shift=1.5)
                lexicon.subcorpus("half", f"corpus = '{file.stem}.conllu'")
                script = lexicon.definitions(name)
            assert name != "dogs" or ask("sql", file, "--definitions", "--as", name).stdout == script + "\n"
            mine.execute(f"ATTACH '{file}' AS {name} (READ_ONLY)")
            mine.execute(script)
        for name, file in (("dogs", dogs), ("Katzen_2", cats)):
            for question in SAME_ELSEWHERE:
                expected = ask_file(file, question.replace("@.", ""))
                assert mine.sql(question.replace("@", f"in_{name}")).fetchall() == expected
                assert expected or name != "dogs", question
        mine.execute("DETACH dogs")
    with Lexicon.open(dogs) as lexicon:
        lexicon.remove("dogs.conllu")
    with duckdb.connect(str(tmp_path / "mine.duckdb")) as mine:
        mine.execute(f"ATTACH '{dogs}' AS dogs (READ_ONLY)")
        with pytest.raises(
            duckdb.Error, match=r"dogs is another lexicon .*: aptdb sql LEXICON --definitions --as dogs"
        ):
            mine.sql("FROM in_dogs.ppmi()").fetchall()


@pytest.mark.thorough
def test_each_example_in_another_database(demo: Path, tmp_path: Path) -> None:
    """All public functions are there, and the example of each answers, or is refused, as in the lexicon."""

    def answer(client: duckdb.DuckDBPyConnection, query: str) -> list[str]:
        try:
            return sorted(map(repr, client.sql(query).fetchall()))
        except duckdb.InvalidInputException as error:
            return [str(error)]

    with Lexicon.open(demo) as lexicon:
        script = lexicon.definitions("own")
    with duckdb.connect(str(demo), read_only=True) as native, duckdb.connect(str(tmp_path / "mine.duckdb")) as mine:
        mine.execute(f"ATTACH '{demo}' AS own (READ_ONLY)")
        mine.execute(script)
        shown = "SELECT function_name FROM duckdb_functions() WHERE NOT internal AND schema_name = '{}'"
        functions, theirs = (
            {*client.sql(shown.format(name)).fetchall()} for client, name in ((native, "main"), (mine, "in_own"))
        )
        assert functions == theirs
        called, relations = (
            "|".join(name for (name,) in {*names}) for names in (functions, native.sql("SHOW TABLES").fetchall())
        )
        examples = native.sql("SELECT regexp_replace(example, ' LIMIT .*', '') FROM aptdb_help").fetchall()
        for (example,) in examples:
            there = re.sub(rf"\b({called})\(", r"in_own.\1(", example)
            there = re.sub(rf"\bFROM ({relations})\b(?!\()", r"FROM own.\1", there)
            assert answer(mine, there) == answer(native, example)
