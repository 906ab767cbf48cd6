"""What keyness compares, in which order, and how evenly that is spread, beside the twin; and its table."""

import io
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import IncompleteDataWarning, InterpretationWarning, Lexicon, NoMatchWarning, QuestionError
from aptdb.store.statements import literal
from support.clients import change_file
from support.commands import ask
from support.lexicons import Counted, copied, make_lexicon
from support.runs import THOROUGH, examples
from support.strategies import corpora, sentences
from twins import key_items, keyness
from twins.paths import steps
from twins.trees import Token, conllu

DOCUMENTS = ("p1", "p2", "q1", "r1", "")  # p, q, r: what their subcorpora are made of; "" is in none
KINDS = ("lexemes", "cooccurrences", "paths")
CASES: list[tuple[str, str | None, dict[str, Any]]] = [
    ("x", None, {}),
    ("x", None, {"pos": "any", "negative": True}),
    ("x", "r", {"pos": "any", "counts": "packed"}),
    ("x", "y", {"overlap": "difference", "pos": "N,PUNCT"}),
    ("x", "y", {"overlap": "difference", "pos": "any", "counts": "packed"}),
    ("y", "x", {"overlap": "difference", "min_count": 2}),
]


@pytest.fixture(scope="module")
def gum(genres: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """Some of GUM, with its genres as subcorpora, and two that share the news."""
    own = copied(genres, tmp_path_factory.mktemp("overlapping"))
    with Lexicon.open(own) as lexicon:
        lexicon.subcorpus("told", "genre IN ('fiction', 'news')")
        lexicon.subcorpus("written", "genre IN ('academic', 'news')")
        yield lexicon


def lexicon_of(folder: str, texts: dict[str, list[list[Token]]]) -> Lexicon:
    """A lexicon of documents of these names; with the subcorpora x of p and q, y of q and r, and r."""
    lexicon = Lexicon.open(Path(folder, "l.duckdb"), create=True)
    without = conllu(texts[""])
    named = "".join(f"# newdoc id = {name}\n{conllu(texts[name])}" for name in texts if name)
    lexicon.add(io.BytesIO((without + named).encode()), name="corpus")
    for name, has in (("x", "pq"), ("y", "qr"), ("r", "r")):
        lexicon.subcorpus(name, " OR ".join(f"document LIKE '{each}%'" for each in has))
    return lexicon


@pytest.mark.thorough
@examples(10)
@given(st.fixed_dictionaries({name: st.lists(sentences(6), min_size=1, max_size=3) for name in DOCUMENTS}))
def test_key_items_are_those_of_the_twin(texts: dict[str, list[list[Token]]]) -> None:
    """Their counts, their statistics, their order and their dispersion; of the rest, and of overlapping subcorpora."""
    of_subcorpus = {"x": "pq", "y": "qr", "r": "r"}
    with TemporaryDirectory() as folder, lexicon_of(folder, texts) as lexicon:
        for number, (a, b, given_) in enumerate(CASES):
            parts = {name: each for name, each in texts.items() if name[:1] in [*of_subcorpus[a]]}
            there = [*of_subcorpus[b]] if b else ["", "p", "q", "r"]
            rest = [tree for name in texts if name not in parts and name[:1] in there for tree in texts[name]]
            for of in KINDS if THOROUGH else [KINDS[(number + len(texts["p1"])) % len(KINDS)]]:
                asked: dict[str, Any] = {"pos": "content", "min_count": 1, "negative": False, **given_}
                tags = {tag for tag in asked["pos"].split(",") if tag in ("N", "PUNCT")}
                if not tags <= {token.upos for trees in texts.values() for tree in trees for token in tree}:
                    continue
                asked.pop("overlap", None)
                asked["direct"] = asked.pop("counts", "direct") == "direct"
                wanted = key_items.key_items(parts, rest, of, **asked)
                shown: dict[str, Any] = {"of": of, "min_count": 1, **given_}
                found = [
                    key_items.Row((row[0], row[1], row[2]), *row[3:5], *row[7:-1])
                    for row in lexicon.keyness(a, b, **shown).rows
                ]
                assert [row.item for row in found] == [row.item for row in wanted]
                for row, expected in zip(found, wanted, strict=True):
                    assert row == (row.item, *(pytest.approx(each, abs=1e-9) for each in expected[1:]))


@pytest.mark.thorough
@examples(30)
@given(
    st.lists(corpora(6, 3), min_size=1, max_size=3),
    st.sampled_from(("lexemes", "cooccurrences", "paths")),
    st.booleans(),
)
def test_dispersion_is_that_of_the_twin(
    counted: Counted, parts: list[list[list[Token]]], of: str, direct: bool
) -> None:
    """Over corpora without documents, each of which is one."""
    database = counted(*parts)
    in_part = {
        str(n): key_items.summed(key_items.items_of(each, of, "any", direct=direct) for each in part)
        for n, part in enumerate(parts)
    }
    sizes = {str(n): sum(map(len, part)) for n, part in enumerate(parts)}
    items = [*key_items.summed(in_part.values())]
    rows = ", ".join(f"({n}, {', '.join(map(literal, item))}, 1)" for n, item in enumerate(items))
    if not items:
        return
    found = database.rows(
        f"WITH _items AS (FROM (VALUES {rows}) AS item (place, lexeme, path, context, count_a)) "
        f"FROM _store.dispersion_of('_items', '{of}', 'any', NULL, '{'direct' if direct else 'packed'}', 'document') "
        "ORDER BY place"
    )
    for (place, documents, dp), item in zip(found, items, strict=True):
        where = {part: counts[item] for part, counts in in_part.items() if item in counts}
        assert (items[place], documents) == (item, len(where))
        assert dp == pytest.approx(key_items.dp(where, sizes), abs=1e-12)


@pytest.mark.thorough
@pytest.mark.parametrize("of", ["lexemes", "cooccurrences", "paths"])
@pytest.mark.parametrize("pos", ["content", "any", "NOUN"])
def test_overlapping_subcorpora_of_a_treebank(gum: Lexicon, of: Any, pos: str) -> None:
    """Beside what another has without the shared sentences is beside the subcorpus of just that."""
    asked: dict[str, Any] = {"of": of, "pos": pos, "min_count": 2}
    found = gum.keyness("told", "written", overlap="difference", **asked)
    assert found.rows == gum.keyness("told", "academic", **asked).rows
    assert found.rows


@pytest.mark.thorough
def test_dispersion_in_a_treebank(gum: Lexicon) -> None:
    """By hand from the tokens and the evidence, document by document."""
    tokens = "SELECT document, count(*) FROM tokens JOIN documents USING (document) WHERE genre = 'news' GROUP BY ALL"
    sizes = dict(gum.sql(tokens).rows)
    for of in ("lexemes", "cooccurrences"):
        for row in gum.keyness("news", "fiction", of=of, top=5):
            item = (row["lexeme"], row["path"], row["context"])
            where: dict[str, int] = defaultdict(int)
            for each in gum.evidence(*item, subcorpus="news"):
                where[each["document"]] += 1
            assert sum(where.values()) == row["count_a"]
            assert len(where) == row["documents_a"]
            assert row["dp_a"] == pytest.approx(key_items.dp(where, sizes))


PHRASES = ("year/NOUN[amod last/ADJ]", "*ness", "form:the", '[lemma="be"] []{0,1} [upos="ADJ"]', "be/AUX")


@pytest.mark.thorough
@pytest.mark.parametrize(("a", "b"), [("news", None), ("told", "written")])
def test_key_phrases_are_those_of_evidence(gum: Lexicon, a: str, b: str | None) -> None:
    """Their counts are those of evidence, and their statistics those of the twin; in SQL each by itself is the same."""
    found = gum.phrase_keyness(PHRASES, a, b, overlap="difference")
    sizes = dict(gum.sql("SELECT subcorpus, tokens FROM subcorpora UNION ALL SELECT '', sum(tokens) FROM corpora").rows)
    there = {"written": "academic", None: ""}[b]  # what is beside a
    sides: list[Any] = [{"subcorpus": each} if each else {} for each in (a, there)]
    outside = sizes[there] - (sizes[a] if b is None else 0)
    assert {*found.column("phrase")} == {*PHRASES}
    for row in found:
        hits = [gum.evidence(row["phrase"], **in_) for in_ in sides]
        counts = [len(hits[0]), len(hits[1]) - (len(hits[0]) if b is None else 0)]
        assert [row["count_a"], row["count_b"]] == counts
        assert row["g2"] == pytest.approx(keyness.g2(counts[0], counts[1], sizes[a], outside))
        assert row["documents_a"] == len({*hits[0].column("document")})
    assert found.column("g2")[0] > 0
    ordered = sorted(found, key=lambda row: (row["per_million_a"] < row["per_million_b"], -row["g2"]))
    assert found.column("phrase") == [row["phrase"] for row in ordered]
    alone = gum.sql(f"FROM phrase_keyness('*ness', {literal(a)}, {literal(b)}, overlap := 'difference')").rows[0]
    together = next(row for row in found.rows if row[0] == "*ness")
    assert (alone[:7], alone[8:]) == (together[1:8], together[9:])  # all but q_value


@pytest.mark.thorough
def test_the_command_of_key_phrases(gum: Lexicon) -> None:
    shown = ask("keyness", gum.file, "news", "--phrase", "*ness", "--phrase", "say/VERB").stdout.splitlines()
    assert shown[0].split("\t")[:3] == ["phrase", "count_a", "count_b"]
    assert {line.split("\t")[0] for line in shown[1:]} == {"*ness", "say/VERB"}


@pytest.mark.thorough
def test_documents_are_told_apart_by_metadata(gum: Lexicon) -> None:
    """By genre, told has two texts, and fiction one."""
    sizes = dict(gum.sql("SELECT subcorpus, tokens FROM subcorpora").rows)
    whole = sum(sizes[each] for each in ("fiction", "news"))
    rows = gum.keyness("told", "academic", documents="genre", top=5)
    for row in rows:
        counted = dict(gum.sql(f"SELECT value, count FROM counts_by({literal(row['lexeme'])}, by := 'genre')").rows)
        where = {genre: counted[genre] for genre in ("fiction", "news") if counted.get(genre)}
        assert row["documents_a"] == len(where)
        shares = {genre: sizes[genre] / whole for genre in ("fiction", "news")}
        expected = sum(abs(where.get(genre, 0) / row["count_a"] - share) for genre, share in shares.items()) / 2
        assert row["dp_a"] == pytest.approx(expected)
    assert {*gum.keyness("fiction", "news", documents="genre", top=3).column("dp_a")} == {None}


@pytest.mark.thorough
def test_dispersion_worked_by_hand(tmp_path: Path) -> None:
    """Two texts of 3 tokens and 1: an item twice in the first has DP ½ (|1 − ¾| + |0 − ¼|) = ¼; without texts, none."""
    word = Token("w", "w", "N", "_", 0, "root")
    with Lexicon.open(tmp_path / "l.duckdb", create=True) as lexicon:
        first, more, rest = (conllu([[word._replace(lemma=each)] for each in lemmas]) for lemmas in ("wwv", "v", "vv"))
        lexicon.add(io.BytesIO(f"{first}# newdoc id = two\n{more}# newdoc id = other\n{rest}".encode()), name="one")
        lexicon.subcorpus("both", "document IN ('one', 'two')")
        lexicon.subcorpus("single", "document = 'one'")
        rows = {row["lexeme"]: row for row in lexicon.keyness("both", min_count=1)}
        assert (rows["w/N"]["documents_a"], rows["w/N"]["dp_a"]) == (1, pytest.approx(1 / 4))
        assert (rows["v/N"]["documents_a"], rows["v/N"]["dp_a"]) == (2, pytest.approx(1 / 4))
        assert {(row["documents_a"], row["dp_a"]) for row in lexicon.keyness("single", min_count=1)} == {(1, None)}
        assert {row[-3:] for row in lexicon.keyness("both", min_count=1, dispersion=False).rows} == {(None, None, True)}


def alone(folder: str | Path, name: str, trees: list[list[Token]]) -> Path:
    """A lexicon of these sentences."""
    file = Path(folder, f"{name}.duckdb")
    return make_lexicon(file, conllu(trees).encode(), name=name)


@pytest.mark.thorough
@pytest.mark.filterwarnings(
    "ignore:.* (was counted with other settings|is annotated otherwise):aptdb.IncompleteDataWarning"
)
@examples(15)
@given(corpora(5, 3), corpora(5, 3), st.sampled_from(KINDS), st.sampled_from((None, 1)))
def test_what_two_lexicons_cannot_compare_is_what_the_twin_finds(
    first: list[list[Token]], second: list[list[Token]], of: Any, max_order: int | None
) -> None:
    """Words of other tags, and labels that one lacks; these come last."""
    a, b = first * 12, second * 12
    with TemporaryDirectory() as folder:
        files = alone(folder, "a", a), alone(folder, "b", b)
        asked: dict[str, Any] = {} if of == "lexemes" else {"max_order": max_order}
        with Lexicon.open(files[0], attach={"there": files[1]}) as lexicon:
            found = lexicon.keyness(other="there", of=of, min_count=1, pos="any", **asked)
    words, tags, relations = key_items.incomparable(a, b)
    expected = key_items.key_items({"": a}, b, of, "any", 1, negative=False, direct=True)
    every = {row.item for row in expected if of == "lexemes" or len(steps(row.item[1] or "")) <= (max_order or 99)}
    assert {(row["lexeme"], row["path"], row["context"]) for row in found} == every
    for row in found:
        ends = {row["lexeme"], row["context"]} - {None}
        has = {step[1:] for step in steps(row["path"] or "")}
        wrong = ends & words or {end.rpartition("/")[2] for end in ends} & tags or has & relations
        assert row["comparable"] == (not wrong)
    assert found.column("comparable") == sorted(found.column("comparable"), reverse=True)


def of_be(tag: str, relation: str, dogs: int, cats: int) -> list[list[Token]]:
    """Dogs are small, of which be has this tag; cats eat mice, along this relation."""
    dog = [Token("dogs", "dog", "NOUN", "_", 3, "nsubj"), Token("are", "be", tag, "_", 3, "cop")]
    cat = [Token("cats", "cat", "NOUN", "_", 2, "nsubj"), Token("eat", "eat", "VERB", "_", 0, "root")]
    last = [Token("small", "small", "ADJ", "_", 0, "root")], [Token("mice", "mouse", "NOUN", "_", 2, relation)]
    return [[*dog, *last[0]]] * dogs + [[*cat, *last[1]]] * cats


@pytest.mark.thorough
def test_names_are_compared_with_what_is_called_so(tmp_path: Path) -> None:
    """A county that is a name in one lexicon is no other way to annotate; be/VERB beside be/AUX is."""
    name, noun = (
        [Token("county", "county", tag, "_", 2, "nsubj"), Token("is", "be", be, "_", 0, "root")]
        for tag, be in (("PROPN", "VERB"), ("NOUN", "AUX"))
    )
    here = alone(tmp_path, "here", [name] * 30 + [noun] * 1)
    there = alone(tmp_path, "there", [noun] * 30 + [name] * 1)
    query = "SELECT lexeme FROM keyness(NULL, other := 'there', min_count := 1, pos := 'any') WHERE NOT comparable"
    with Lexicon.open(here, attach={"there": there}) as lexicon:
        assert {row[0] for row in lexicon.sql(query).rows} == {"be/VERB", "be/AUX"}


@pytest.mark.thorough
def test_lexicons_that_are_annotated_differently(tmp_path: Path) -> None:
    """*be* is rarer here, and be/VERB is not first; SQL, Python and the command say what is not compared."""
    here = alone(tmp_path, "here", of_be("VERB", "dobj", 20, 30))
    there = alone(tmp_path, "there", of_be("AUX", "obj", 30, 20))
    said = r"there is annotated otherwise \(AUX 0.00% here, 20.00% there; be/AUX 0.00% here, 100.00% there; be/VERB 100"
    asked: dict[str, Any] = {"other": "there", "min_count": 1, "pos": "any"}
    with Lexicon.open(here, attach={"there": there}) as lexicon:
        with pytest.warns(IncompleteDataWarning, match=said):
            found = lexicon.keyness(**asked)
        assert [*zip(found.column("lexeme"), found.column("comparable"), strict=True)][-2:] == [
            ("be/VERB", False), ("be/AUX", False)
        ]  # fmt: skip
        assert found.column("comparable")[:-2] == [True] * 5
        in_sql = "FROM keyness(NULL, other := 'there', of := 'cooccurrences', relations := ['<nsubj'], max_order := 1)"
        assert {row[1] for row in lexicon.sql(in_sql).rows} == {"<nsubj"}
        with pytest.warns(IncompleteDataWarning, match=r"dobj 30.00% here, 0.00% there.*obj 0.00% here"):
            found = lexicon.keyness(of="paths", relations=["obj", "dobj"], **asked)
        assert {*found.column("path")} == {"<dobj", "<obj", "<dobj>nsubj", "<nsubj>obj"}
        assert {*found.column("comparable")} == {False}
        phrases = ["be/VERB", "eat/VERB[nsubj cat/NOUN]", '[form="mice"]', "*at/VERB"]
        with (
            pytest.warns(IncompleteDataWarning, match="is annotated otherwise"),
            pytest.warns(NoMatchWarning, match="counted 0 times in .*there.duckdb: no lexeme be/VERB"),
        ):
            compared = lexicon.phrase_keyness(phrases, other="there")
        counts = {row["phrase"]: (row["count_a"], row["count_b"]) for row in compared}
        assert counts == {"be/VERB": (20, 0), **dict.fromkeys(phrases[1:], (30, 20))}
        for row in compared:
            assert row["g2"] == pytest.approx(keyness.g2(row["count_a"], row["count_b"], 150, 150))
        for wrong, message in (
            ({"of": "lexemes", "relations": ["nsubj"]}, "relations has an effect only"),
            ({"of": "paths", "relations": []}, "relations is empty"),
            ({"of": "paths", "relations": ["nsubjj"]}, "no relation nsubjj; did you mean nsubj"),
            ({"of": "lexemes", "max_order": 1}, "max_order has an effect only"),
        ):
            with pytest.raises(QuestionError, match=message):
                lexicon.keyness(**{**asked, **wrong})
    noted = ask("keyness", here, "--other", there, "--pos", "any", "--format", "table").stderr
    assert "from row 6 on: not comparable" in noted
    assert "is annotated otherwise" in noted
    shown = ask("keyness", here, "--other", there, "--phrase", "cat/NOUN", "--phrase", "eat/VERB", "--format", "csv")
    assert {line.split(",")[0] for line in shown.stdout.splitlines()} == {"phrase", "cat/NOUN", "eat/VERB"}
    shown = ask("keyness", here, "--other", there, "--of", "paths", "--relations", "nsubj", "--max-order", "1")
    assert [line.split("\t")[1] for line in shown.stdout.splitlines()][1:] == ["<nsubj"]


def said(word: str, *tags: str) -> list[list[Token]]:
    """A sentence for each tag, of one word."""
    return [[Token(word, word, tag, "_", 0, "root")] for tag in tags]


@pytest.mark.thorough
def test_typed_words_are_read_once_for_two_lexicons(tmp_path: Path) -> None:
    """*dance* is a verb here, and mostly a noun there: verbs are compared. Only what a phrase names is warned of."""
    tags = "VERB " * 9 + "NOUN " * 2, "NOUN " * 15 + "VERB " * 3
    here, there = (
        alone(tmp_path, name, [*said("dance", *each.split()), *said("cat", "NOUN")])
        for name, each in zip(("here", "there"), tags, strict=True)
    )
    with Lexicon.open(here, attach={"there": there}) as lexicon:
        warned = "there is annotated otherwise .dance/VERB 81.82% here, 16.67% there.; items"
        with (
            pytest.warns(IncompleteDataWarning, match=warned),
            pytest.warns(InterpretationWarning, match="dance → ") as read,
        ):
            (row,) = lexicon.phrase_keyness(["dance"], other="there")
        assert (row["count_a"], row["count_b"]) == (9, 3)
        assert sum(str(each.message).startswith("dance → dance/VERB") for each in read) == 1
        with pytest.warns(IncompleteDataWarning, match=warned):
            lexicon.phrase_keyness(['[lemma="dance" & upos="VERB"]'], other="there")
        (row,) = lexicon.phrase_keyness(["cat/NOUN"], other="there")  # of which there is no warning
        assert (row["count_a"], row["count_b"]) == (1, 1)
    shown = ask("keyness", here, "--other", there, "--phrase", "dance", "--format", "csv")
    assert shown.stdout.splitlines()[1].startswith("dance,9,3,")
    change_file(there, "UPDATE _store.settings SET definitions = 'of another version'")
    refused = ask("keyness", here, "--other", there, "--phrase", "cat/NOUN")
    assert "there.duckdb cannot be read while it is attached; open it once: aptdb info" in refused.stderr


@pytest.mark.thorough
def test_forms_that_two_lexicons_lemmatise_differently(tmp_path: Path) -> None:
    """*people* is person/NOUN here, and people/NOUN there; dogs are compared, of which there are more here."""
    dogs, cats = [Token("dogs", "dog", "NOUN", "_", 0, "root")], [Token("cats", "cat", "NOUN", "_", 0, "root")]
    here, there = (
        alone(tmp_path, lemma, [[Token("People", lemma, "NOUN", "_", 0, "root")]] * 12 + [dogs] * n + [cats] * (40 - n))
        for lemma, n in (("person", 30), ("people", 10))
    )
    with Lexicon.open(here, attach={"there": there}) as lexicon:
        with pytest.warns(
            IncompleteDataWarning, match=r"otherwise .people lemmatised person 100.00% here, 0.00% there.; items"
        ):
            found = lexicon.keyness(other="there", min_count=1)
        assert [*zip(found.column("lexeme"), found.column("comparable"), strict=True)] == [
            ("dog/NOUN", True), ("cat/NOUN", True), ("person/NOUN", False), ("people/NOUN", False)
        ]  # fmt: skip
        assert lexicon.sql("FROM keyness(NULL, other := 'there', min_count := 1)").rows == found.rows
    assert "from row 3 on: not comparable" in ask("keyness", here, "--other", there, "--format", "table").stderr


def test_only_what_is_asked_for(gum: Lexicon) -> None:
    """The limits cut the ordered rows, and change nothing in them; rows that pass no limit are named in a warning."""
    every = gum.keyness("fiction", "news")
    positive = [row["per_million_a"] > row["per_million_b"] for row in every]
    assert positive == sorted(positive, reverse=True)
    assert {*positive} == {True, False}
    assert gum.keyness("fiction", "news", top=7).rows == every.rows[:7]
    assert gum.sql("FROM keyness('fiction', 'news', top := 7)").rows == every.rows[:7]
    negative = gum.keyness("fiction", "news", negative=True).rows
    assert negative == [row for row in every.rows if row[5] < row[6]]
    tags = {lexeme.rpartition("/")[2] for lexeme in every.column("lexeme")}
    assert not tags & (key_items.GRAMMAR | key_items.NUMBERS)
    verbs = gum.keyness("fiction", "news", pos="VERB , AUX")
    assert {lexeme.rpartition("/")[2] for lexeme in verbs.column("lexeme")} == {"VERB", "AUX"}
    assert not gum.keyness("fiction", "news", top=0).rows


@pytest.mark.sampled(3)
@pytest.mark.parametrize("of", ["cooccurrences", "lexemes", "paths"])
def test_a_table_fits_a_terminal(gum: Lexicon, of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """80 columns, no column without a value, small probabilities as such; other formats have everything."""
    for columns in (60, 80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown = ask("keyness", gum.file, "fiction", "--of", of, "--format", "table", "--top", "20")
        lines = shown.stdout.splitlines()
        assert max(map(len, lines)) <= columns
        heading = lines[0].split()
        assert ("lexeme" in heading, "path" in heading) == (of != "paths", of != "lexemes")
        assert "count_a" in heading
        assert ("dp_a" in heading, "per_million_b" in heading) == (columns > 60, columns > 80)
    assert ("< 1e-6" in shown.stdout) == (of != "cooccurrences")  # of which none is so sure
    assert "left out: " in shown.stderr
    assert ("ε" in shown.stderr) == (of != "lexemes")
    whole = ask("keyness", gum.file, "fiction", "--of", of, "--format", "csv", "--top", "20").stdout
    assert whole.splitlines()[0].startswith("lexeme,path,context,count_a,count_b,")
    assert "< 1e-6" not in whole


def test_notes_beside_a_table(gum: Lexicon) -> None:
    shown = ask("keyness", gum.file, "fiction", "news", "--of", "cooccurrences", "--format", "table")
    assert "less frequent in fiction" in shown.stderr


def test_ties_are_in_the_order_of_their_texts(gum: Lexicon) -> None:
    """Items alike in all that ranks them stand by lexeme, path and context, wherever they come from."""
    texts = [(lexeme, path, context) for lexeme in "ba" for path in ("<x", ">x") for context in "dc"]
    values = ", ".join(f"(true, 2.0, 1.0, 5.0, '{lexeme}', '{path}', '{context}')" for lexeme, path, context in texts)
    columns = "comparable, per_million_a, per_million_b, g2, lexeme, path, context"
    placed = gum.sql(
        f"WITH item AS (FROM (VALUES {values}) AS item ({columns})) "
        "SELECT lexeme, path, context FROM _store.placed_item('item', false, NULL) ORDER BY place"
    )
    assert placed.rows == sorted(texts)
