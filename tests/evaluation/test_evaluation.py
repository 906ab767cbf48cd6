"""A lexicon beside people's judgements: words as lexemes, ρ as scipy has it, grids, and what is written down."""

import io
import re
import subprocess
import sys
import unicodedata
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from aptdb import Lexicon, Names, OldNameWarning
from aptdb.core.errors import IncompleteDataWarning, NoMatchWarning
from aptdb.core.phrase import Phrase
from aptdb.core.settings import Settings
from aptdb.evaluation import compare, task
from aptdb.evaluation.datasets import DataSet, Item, read_dataset
from aptdb.evaluation.lexeme_mapping import LexemeMapping
from aptdb.evaluation.scoring import WAYS_WITH_MISSING
from aptdb.evaluation.views import notes_on
from aptdb.store.session import Session
from aptdb.store.statements import literal
from support.cases import read_cases, read_table
from support.clients import change_file
from support.corpora import tree
from support.judgements import EXPECTED, TYPES, shared_dataset
from support.lexicons import lexicon_of
from support.processes import PROGRAM
from support.runs import draw_some, thorough
from twins.trees import Token, conllu


@pytest.fixture
def ml2010() -> DataSet:
    return read_dataset(shared_dataset("ml2010.txt"))


def rhos(answer: Any) -> dict[str, float]:
    """ρ by part."""
    return {row["part"]: row["rho"] for row in answer}


# On the treebanks
@pytest.mark.thorough
@pytest.mark.parametrize(
    "missing", ["skip_unknown", *thorough(way for way in WAYS_WITH_MISSING if way != "skip_unknown")]
)
def test_what_a_prototype_measured(english: Path, ml2010: DataSet, missing: str) -> None:
    with Lexicon.open(english) as lexicon:
        answer = lexicon.eval.evaluate(ml2010, merge=["sum", "min"], shift=[1, 10], missing=missing, record=False)
        for (merge, shift, way), expected in EXPECTED.items():
            rows = [row for row in answer if (row["merge"], row["shift"], way) == (merge, shift, missing)]
            if rows:
                found = rhos(rows)
                assert [found[part] for part in TYPES] == pytest.approx(expected, abs=0.001)
                assert found["average"] == pytest.approx(sum(found[part] for part in TYPES) / 3)
                items = {row["part"]: (row["items"], row["missing"]) for row in rows}
                assert items["adjectivenouns"] == (99 if missing == "skip_item" else 108, 9)
                assert items["all"][0] == items["average"][0] == (306 if missing == "skip_item" else 324)
                assert all(row["low"] < row["rho"] < row["high"] for row in rows if (merge, shift) != ("min", 10))


@pytest.mark.thorough
@pytest.mark.parametrize("smooth", ["static:30", "offset:30"])
def test_smoothing_brings_min_nearer_to_peoples_judgements(english: Path, ml2010: DataSet, smooth: str) -> None:
    """The rank correlation rises for each type of phrase."""
    with Lexicon.open(english) as lexicon:
        before, after = (
            rhos(lexicon.eval.evaluate(ml2010, merge="min", smooth=how, record=False)) for how in ("none", smooth)
        )
    assert all(after[part] > before[part] for part in TYPES)


@pytest.mark.parametrize("manner", [{}, *thorough([{"merge": "min", "measure": "lin"}])])
def test_rho_is_scipys_on_the_same_points(english: Path, tmp_path: Path, manner: dict[str, Any]) -> None:
    """The points are made here from the file's lines and from similarities that are asked for one by one."""
    lines = shared_dataset("ml2010.txt").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split() for line in lines if " compoundnouns " in line]
    few = sorted({tuple(row[3:7]) for row in rows})[:25]
    rows = [row for row in rows if tuple(row[3:7]) in few]
    file = tmp_path / "compounds.txt"
    file.write_text("".join(" ".join(row) + "\n" for row in rows), encoding="utf-8")
    with Lexicon.open(english) as lexicon:
        known = set(lexicon.sql("FROM lexemes").column("lexeme"))

        def similarity(words: tuple[str, ...]) -> float:
            placed = zip(words, ("<compound", "", "<compound", ""), strict=True)
            a1, a2, b1, b2 = ({"lexeme": f"{word}/NOUN", "delta": delta} for word, delta in placed)
            a, b = ([word for word in side if word["lexeme"] in known] for side in ((a1, a2), (b1, b2)))
            return (lexicon.similarity(a, b, missing="skip", **manner) if a and b else None) or 0.0

        scores = {words: similarity(words) for words in few}
        answer = lexicon.eval.evaluate(file, record=False, **manner)
    scored, ratings = [scores[tuple(row[3:7])] for row in rows], [float(row[7]) for row in rows]
    assert rhos(answer)["compoundnouns"] == pytest.approx(float(spearmanr(scored, ratings).statistic))


@pytest.mark.parametrize("most", [4, *thorough([40])])
def test_the_untyped_baseline_is_similarity_without_paths(english: Path, ml2010: DataSet, most: int) -> None:
    items = tuple(item for item in ml2010.items if item.part == "adjectivenouns")[:most]
    few = DataSet("few", "ml2010", items)
    with Lexicon.open(english) as lexicon:
        found = rhos(lexicon.eval.evaluate(few, untyped=True, merge="mult", shift=2, record=False))["all"]
        known = set(lexicon.sql("FROM lexemes").column("lexeme"))
        scored, ratings = [], []
        for item in items:
            sides = [[word for word in side.words() if word["lexeme"] in known] for side in (item.a, item.b)]
            asked = ", ".join(literal([{"lexeme": word["lexeme"], "delta": ""} for word in side]) for side in sides)
            similarity = lexicon.sql(
                "WITH flat AS MATERIALIZED (FROM untyped(shift := 2)) "
                f"SELECT similarity({asked}, weights := 'flat', merge := 'mult', aligned := false, missing := 'skip')"
            ).rows[0][0]
            ratings += [value for _, value in item.ratings]
            scored += [similarity or 0.0] * len(item.ratings)
    assert found == pytest.approx(float(spearmanr(scored, ratings).statistic))


def test_word_pairs_and_verbs_in_context(english: Path) -> None:
    with Lexicon.open(english) as lexicon:
        (words,) = lexicon.eval.evaluate(shared_dataset("ws353.txt"), record=False)
        (alone,) = lexicon.eval.evaluate(shared_dataset("ml2008.txt"), record=False)
        (both,) = lexicon.eval.evaluate(shared_dataset("ml2008.txt"), landmark_in_context=True, record=False)
    assert (words["part"], words["merge"], words["items"]) == ("all", None, 352)
    assert (alone["items"], alone["missing"]) == (both["items"], both["missing"]) == (120, 77)
    assert alone["rho"] != both["rho"]
    assert "landmark_in_context := true" in both["parameters"]


# On a few sentences
def sentence(adjective: str, noun: str, verb: str = "be") -> list[Token]:
    return tree(f"{adjective} {adjective} ADJ 2 amod, {noun} {noun} NOUN 3 nsubj, {verb} {verb} VERB 0 root")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A lexicon of a few sentences."""
    said = [("green", "leaf"), ("green", "shoot"), ("long", "shoot"), ("long", "tour"), ("colour", "leaf")]
    verbs = ("grow", "fall", "grow", "begin", "fall")
    return lexicon_of(
        tmp_path / "small", {"said": [sentence(*pair, verb) for pair, verb in zip(said, verbs, strict=True)]}
    )


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A data set of a few pairs."""
    file = tmp_path / "pairs.txt"
    file.write_text("leaf-n shoot-n 5\nleaf-n tour-n 1\nshoot-n tour-n 4\ntree-n leaf-n 6\n", encoding="utf-8")
    return file


@pytest.fixture
def phrases(tmp_path: Path) -> Path:
    """Phrases in the form of Mitchell & Lapata 2010."""
    file = tmp_path / "phrases.txt"
    file.write_text(
        "p1 adjectivenouns 1 green leaf green shoot 6\np2 adjectivenouns 1 green leaf green shoot 5\n"
        "p1 adjectivenouns 1 green leaf long tour 1\np2 adjectivenouns 1 green leaf long tour 2\n"
        "p1 adjectivenouns 1 long shoot long tour 5\np2 adjectivenouns 1 long shoot long tour 3\n",
        encoding="utf-8",
    )
    return file


@pytest.mark.thorough
def test_a_constant_model_is_undefined_and_says_why(small: Path, phrases: Path) -> None:
    with Lexicon.open(small) as lexicon, warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = lexicon.eval.evaluate(phrases, max_order=0, context="external")
        hidden = lexicon.eval.evaluate(phrases, min_feature_count=99)
    assert [(row["part"], row["rho"], row["low"]) for row in answer] == [
        ("adjectivenouns", None, None),
        ("all", None, None),
        ("average", None, None),
    ]
    assert answer.column("undefined") == [
        *["the model gives all 3 items the same score, 0, so nothing is ranked"] * 2,
        "ρ of adjectivenouns is undefined",
    ]
    assert [(row["missing"], row["rho"]) for row in hidden] == [(3, None)] * 3
    assert hidden.column("undefined")[0] == (
        "all 3 items have a word that the lexicon lacks or that has no features under these weights"
    )


@pytest.mark.thorough
def test_items_that_miss_a_word(small: Path, pairs: Path) -> None:
    with Lexicon.open(small) as lexicon:
        counted = {
            missing: [
                (row["items"], row["missing"], row["empty"]) for row in lexicon.eval.evaluate(pairs, missing=missing)
            ]
            for missing in WAYS_WITH_MISSING
        }
        assert lexicon.eval.missing_words(pairs).rows == [("all", "tree/NOUN", "leaf/NOUN", "tree/NOUN")]
    assert counted == {"skip_unknown": [(4, 1, 1)], "zero": [(4, 1, 0)], "skip_item": [(3, 1, 0)]}


# Grids, and what is written down
@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The models whose scores were computed, in order."""
    seen: list[dict[str, Any]] = []
    scores = compare.score_items

    def note(session: Session, task: Any, model: Any, neighbours: Any) -> Any:
        seen.append(dict(model))
        return scores(session, task, model, neighbours)

    monkeypatch.setattr(compare, "score_items", note)
    return seen


@pytest.fixture
def sought(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The models for which a grid looked for the neighbours that smoothing takes, in order."""
    seen: list[dict[str, Any]] = []
    find = compare.find_neighbours_of_sides

    def note(session: Session, task: Any, model: Any) -> Any:
        seen.append(dict(model))
        return find(session, task, model)

    monkeypatch.setattr(compare, "find_neighbours_of_sides", note)
    return seen


@pytest.mark.thorough
def test_a_grid(small: Path, phrases: Path, computed: list[dict[str, Any]]) -> None:
    told: list[tuple[int, int]] = []
    with Lexicon.open(small) as lexicon:
        answer = lexicon.eval.evaluate(
            phrases,
            merge=["sum", "min"],
            shift=[1, 1.5],
            method=["all", "mean"],
            missing=["skip_unknown", "skip_item"],
            progress=lambda done, total: told.append((done, total)),
        )
        one = lexicon.eval.evaluate(phrases, merge="min", shift=1.5, method="mean", missing="skip_item")
    assert computed == [
        *({"merge": merge, "shift": shift} for merge in ("sum", "min") for shift in (1, 1.5)),
        {"merge": "min", "shift": 1.5},
    ]
    assert told == [(done, 16) for done in range(17)]
    assert answer.columns[-3:] == ("shift", "missing_as", "best")
    assert len(answer) == 16 * 3
    same = [
        row
        for row in answer
        if (row["merge"], row["shift"], row["method"], row["missing_as"]) == ("min", 1.5, "mean", "skip_item")
    ]
    assert [{name: row[name] for name in one.columns} for row in same] == [*one]
    for part, method, missing in {(row["part"], row["method"], row["missing_as"]) for row in answer}:
        alike = [row for row in answer if (row["part"], row["method"], row["missing_as"]) == (part, method, missing)]
        best = max(row["rho"] for row in alike if row["rho"] is not None)
        assert [row["rho"] == best for row in alike] == [row["best"] for row in alike]


AFTER_SMOOTHING: dict[str, list[Any]] = read_table("evaluation/axes_after_smoothing")
BEFORE_SMOOTHING: dict[str, list[Any]] = read_table("evaluation/axes_before_smoothing")
WITHOUT_PATHS = ("merge", "alpha", "measure", "shift", "cds")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("axis", "untyped", "smooth"),
    draw_some(
        [
            *((axis, False, ["static:2", "offset:2"]) for axis in (*AFTER_SMOOTHING, *BEFORE_SMOOTHING)),
            *((axis, True, ["static:2", "offset:2"]) for axis in WITHOUT_PATHS),
            ("merge", False, ["window:0.2", "none"]),
            ("shift", False, ["window:0.2", "none"]),
        ],
        8,
        "axes",
    ),
)
def test_a_grid_finds_neighbours_once(
    small: Path, phrases: Path, sought: list[dict[str, Any]], axis: str, untyped: bool, smooth: list[str]
) -> None:
    """Settings that differ in what comes after smoothing share them, and answer as they do one by one."""
    values: Any = (AFTER_SMOOTHING | BEFORE_SMOOTHING)[axis]
    asked: dict[str, Any] = {"record": False, "untyped": untyped, "missing": "skip_unknown"}
    with Lexicon.open(small) as lexicon:
        every: dict[str, Any] = {axis: values, "smooth": smooth, **asked}
        grid = lexicon.eval.evaluate(phrases, **every)
        times = 1 if axis in AFTER_SMOOTHING else len(values)
        assert len(sought) == times * sum(how != "none" for how in smooth)
        one_by_one = [
            row
            for value in values
            for how in smooth
            for row in lexicon.eval.evaluate(phrases, **{**every, axis: value, "smooth": how})
        ]
    assert any(row["rho"] is not None for row in grid)
    assert [{name: row[name] for name in one_by_one[0]} for row in grid] == one_by_one


@pytest.mark.thorough
def test_a_word_that_the_lexicon_has_merges_even_if_nothing_is_left_of_it(small: Path, phrases: Path) -> None:
    """Under these weights nothing is left of *green*: min keeps nothing of its phrases, as of an empty APT."""
    with Lexicon.open(small) as lexicon:
        bare = lexicon.sql("SELECT count(*) FROM raw_count(min_count := 2) WHERE lexeme = 'green/ADJ' AND path <> ''")
        (row, *_) = lexicon.eval.evaluate(phrases, merge="min", weights="raw_count", min_feature_count=99)
        lacking = lexicon.eval.missing_words(phrases, weights="raw_count", min_feature_count=99)
        none = lexicon.eval.missing_words(phrases, weights="raw_count")
    assert bare.rows == [(0,)]
    assert (row["items"], row["missing"], row["empty"], row["rho"]) == (3, 3, 3, None)
    assert "green/ADJ" in lacking.column("lexeme")
    assert none.rows == []


@pytest.mark.thorough
def test_weights_of_ones_own_by_any_name(small: Path, pairs: Path, tmp_path: Path) -> None:
    """Also with its schema."""
    file = tmp_path / "own.duckdb"
    file.write_bytes(small.read_bytes())
    change_file(file, "CREATE VIEW mine AS FROM ppmi; CREATE VIEW few AS FROM ppmi WHERE lexeme = 'leaf/NOUN'")
    with Lexicon.open(file) as lexicon:
        known = lexicon.eval.evaluate(pairs, record=False).column("rho")
        for name in ("mine", "main.mine", "PPMI"):
            assert lexicon.eval.evaluate(pairs, weights=name, record=False).column("rho") == known
        assert len(lexicon.eval.missing_words(pairs, weights="few")) > len(
            lexicon.eval.missing_words(pairs, weights="main.mine")
        )


@pytest.mark.thorough
def test_most_items_miss_a_word(small: Path, tmp_path: Path) -> None:
    """That is said before all else; where all do there is no ρ, whatever becomes of such items."""
    few, none = tmp_path / "few.txt", tmp_path / "none.txt"
    few.write_text("leaf shoot 5\nmoon leaf 2\nmoon shoot 1\n")
    none.write_text("moon leaf 2\nmoon shoot 1\nmoon moon 3\n")
    with Lexicon.open(small) as lexicon:
        for missing in WAYS_WITH_MISSING:
            (row,) = lexicon.eval.evaluate(none, missing=missing, names=Names(pos="NOUN"))
            assert (row["rho"], row["missing"]) == (None, 3)
            assert row["undefined"].startswith("the lexicon lacks words of all 3 items; if it has other tags")
        for missing in WAYS_WITH_MISSING:
            notes = notes_on(lexicon.eval.evaluate(few, missing=missing, names=Names(pos="NOUN")))
            assert re.match("(do not trust ρ: )?2 of 3 items lack a word; --verbose lists them", notes[0])


@pytest.mark.thorough
def test_entries_are_words_that_are_there(small: Path, pairs: Path) -> None:
    with Lexicon.open(small) as lexicon:
        lexicon.save("tree/NOUN", "leaf/NOUN[amod green/ADJ]")
        assert lexicon.eval.missing_words(pairs).rows == []
        (row,) = lexicon.eval.evaluate(pairs, missing="skip_item")
        assert (row["items"], row["missing"], row["empty"]) == (4, 0, 0)


@pytest.mark.thorough
def test_two_that_evaluate_at_once(small: Path, phrases: Path) -> None:
    """Neither is stopped by the other's writing; what cannot be written down is said."""
    asked = ["eval", "ratings", str(small), str(phrases), "--shift", "1,1.1,1.2,1.3,1.4", "--merge"]
    running = [
        subprocess.Popen([*PROGRAM, *asked, merge], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for merge in ("sum,min", "max,mult")
    ]
    for each in running:
        answer, said = each.communicate(timeout=120)
        assert each.returncode == 0, said
        assert len(answer.splitlines()) == 1 + 10 * 3
    with Lexicon.open(small) as lexicon:
        assert lexicon.verify().rows == []


@pytest.mark.thorough
def test_what_a_grid_cannot_evaluate_has_a_row_that_says_why(small: Path, phrases: Path) -> None:
    with Lexicon.open(small) as lexicon:
        answer = lexicon.eval.evaluate(phrases, weights=["ppmi", "raw_count"], shift=[1, 1.5])
        assert [(row["weights"], row["shift"], row["rho"] is None) for row in answer if row["part"] == "all"] == [
            ("ppmi", 1, False), ("ppmi", 1.5, False), ("raw_count", 1, True), ("raw_count", 1.5, True),
        ]  # fmt: skip
        assert answer.rows[-1][answer.columns.index("undefined")].startswith("raw_count takes no shift")
        assert len(lexicon.eval.evaluations()) == 2 * 3


@pytest.mark.thorough
def test_the_old_name_of_format_still_works(small: Path, phrases: Path) -> None:
    with Lexicon.open(small) as lexicon:
        new = lexicon.eval.evaluate(phrases, format="ml2010", record=False)
        with pytest.warns(OldNameWarning, match="form of Lexicon.eval.evaluate is an old name.*write: format"):
            assert lexicon.eval.evaluate(phrases, form="ml2010", record=False) == new


@pytest.mark.thorough
def test_values_of_any_kind_of_list(small: Path, pairs: Path) -> None:
    with Lexicon.open(small) as lexicon:
        expected = lexicon.eval.evaluate(pairs, min_count=[1, 2]).column("rho")
        for values in (range(1, 3), np.array([1, 2]), (np.int64(1), 2.0), {1: "one", 2: "two"}):
            assert lexicon.eval.evaluate(pairs, min_count=values).column("rho") == expected
        assert lexicon.eval.evaluate(pairs, min_count=np.int64(2)).column("rho") == expected[1:]


@pytest.mark.thorough
def test_a_grid_goes_on_where_it_was(
    small: Path, phrases: Path, computed: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {"merge": ["sum", "min", "max"], "shift": [1, 2]}

    def stop(done: int, _: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with Lexicon.open(small) as lexicon:
        with pytest.raises(KeyboardInterrupt):
            lexicon.eval.evaluate(phrases, progress=stop, **asked)
        assert len(computed) == 4
        whole = lexicon.eval.evaluate(phrases, **asked)
        assert len(computed) == 6
        assert lexicon.eval.evaluate(phrases, **asked) == whole
        assert (
            lexicon.eval.evaluate(phrases, merge=["sum", "min"], shift=[1.0, 2.0]).column("rho")
            == whole.column("rho")[:12]
        )
        assert len(computed) == 6
        assert len(lexicon.eval.evaluations()) == 6 * 3
        lexicon.eval.evaluate(phrases, merge="sum", shift=2)  # by itself it is evaluated anew, and is no second row
        assert len(computed) == 7
        assert len(lexicon.eval.evaluations()) == 6 * 3
        lexicon.eval.evaluate(phrases, seed=2, **asked)
        assert len(computed) == 13
        red = conllu([tree("red red ADJ 2 amod, leaf leaf NOUN 0 root")])
        lexicon.add(io.BytesIO(red.encode()), name="red")
        lexicon.eval.evaluate(phrases, **asked)
        assert len(computed) == 19
        tokens = lexicon.eval.evaluations().column("tokens")
        assert sorted(set(tokens)) == [15, 17]


@pytest.mark.thorough
def test_what_tells_an_evaluation_from_others(
    small: Path, phrases: Path, computed: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Lexicon.open(small) as lexicon:
        lexicon.eval.evaluate(phrases, shift=[1, 2])
        lexicon.eval.evaluate(phrases, merge="sum", shift=[1, 2])  # the default, said
        other = phrases.rename(phrases.with_name("other.txt"))
        assert set(lexicon.eval.evaluate(other, shift=[1, 2]).column("dataset")) == {"other.txt"}
        assert len(computed) == 2
        (row, *_) = lexicon.eval.evaluate(other, seed=3, names=Names(spellings=[["green", "grey"]]))
        assert row["parameters"].startswith("variants := '1 words, ")
        assert row["parameters"].endswith("', seed := 3, missing := 'skip_unknown'")
        monkeypatch.setattr(task, "__version__", "9.9")
        lexicon.eval.evaluate(other, shift=[1, 2])
        assert len(computed) == 5
        monkeypatch.undo()


@pytest.mark.thorough
def test_a_corpus_that_came_in_again_otherwise(tmp_path: Path, phrases: Path, computed: list[dict[str, Any]]) -> None:
    """Its name, id and content are the same; what was counted of it is not."""
    pairs = (("green", "leaf"), ("green", "shoot"), ("long", "shoot"), ("long", "tour"), ("long", "leaf"))
    short = [[Token(a, a, "ADJ", "_", 2, "amod"), Token(n, n, "NOUN", "_", 0, "root")] for a, n in pairs[:3]]
    content = conllu([*(sentence(*pair) for pair in pairs), *short]).encode()
    with Lexicon.open(tmp_path / "again", create=True) as lexicon:
        for longest in (9, 2):
            lexicon.add(io.BytesIO(content), name="said", skip_invalid=True, max_sentence=longest)
            lexicon.eval.evaluate(phrases, shift=[1, 1.1])
            lexicon.remove("said")
        assert len(computed) == 4
        assert sorted(set(lexicon.eval.evaluations().column("tokens"))) == [6, 21]


@pytest.mark.thorough
def test_weights_of_ones_own_are_never_taken_for_known(
    small: Path, phrases: Path, computed: list[dict[str, Any]]
) -> None:
    change_file(small, "CREATE VIEW mine AS FROM ppmi WHERE weight > 1")
    with Lexicon.open(small) as lexicon:
        for _ in range(2):
            lexicon.eval.evaluate(phrases, weights="mine", merge=["sum", "min"])
        assert len(lexicon.eval.evaluations()) == 4 * 3  # nobody knows whether the view is still the same
    assert len(computed) == 4


@pytest.mark.thorough
def test_what_is_written_down(small: Path, phrases: Path) -> None:
    with Lexicon.open(small) as lexicon:
        answer = lexicon.eval.evaluate(phrases, shift=1.5)
        assert lexicon.eval.evaluations().but("sha256", "tokens", "evaluated_at", "version") == answer
        lexicon.eval.evaluate(phrases, record=False, merge="min")
        assert len(lexicon.eval.evaluations()) == len(answer)
        assert lexicon.sql("SELECT DISTINCT tokens FROM evaluations").rows == [(15,)]
        assert lexicon.verify().rows == []
        lexicon.compact()
        assert len(lexicon.eval.evaluations()) == len(answer)


@pytest.mark.thorough
def test_a_lexicon_that_cannot_be_written_to_is_evaluated_all_the_same(small: Path, phrases: Path) -> None:
    """Root heeds no rights: what stands in the way here is the file's being open elsewhere."""
    hold = f"import duckdb, time; c = duckdb.connect({str(small)!r}, read_only=True); print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", hold], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        try:
            with Lexicon.open(small) as lexicon:
                with pytest.warns(IncompleteDataWarning, match="is in use by process") as told:
                    answer = lexicon.eval.evaluate(phrases, merge=["sum", "min"])
                assert (len(answer), len(told)) == (6, 1)
                assert lexicon.eval.evaluations().rows == []
        finally:
            holder.kill()


# Names
KNOWN = [
    ("colour/NOUN", 2), ("color/NOUN", 9), ("color/VERB", 1), ("drink/VERB", 8), ("drink/NOUN", 5), ("eat/VERB", 6),
    ("tea/NOUN", 7), ("café/NOUN", 1), ("red/ADJ", 4), ("tiger/NOUN", 1), ("israel/PROPN", 2), ("good/JJ", 3),
]  # fmt: skip


def naming(
    items: list[Item], names: Names | None = None, known: list[tuple[str, int]] = KNOWN, **settings: Any
) -> LexemeMapping:
    rows = [(text, text.rpartition("/")[0] or text, text.rpartition("/")[2], number) for text, number in known]

    def ask(lexemes: Any, lemmas: Any) -> list[tuple[str, str, str, int]]:
        return [row for row in rows if row[0] in lexemes or row[1] in lemmas]

    def normal(words: Any) -> dict[str, str]:
        composed = {word: unicodedata.normalize("NFC", word) if settings.get("nfc") else word for word in words}
        return {word: each.lower() if settings.get("lowercase", True) else each for word, each in composed.items()}

    return LexemeMapping(names or Names(), Settings(**settings), items, normal=normal, known=ask)


def pair_of(a: str, b: str) -> Item:
    return Item("all", Phrase(a), Phrase(b), ())


@pytest.mark.parametrize(*read_cases("evaluation/words_as_lexemes"))
def test_words_as_lexemes(a: str, b: str, names: dict[str, Any], expected: tuple[str, str, list[str]]) -> None:
    item = pair_of(a, b)
    made = naming([item], Names(**names))
    named = made.named(item)
    assert (named.a.lexeme, named.b.lexeme, made.lacking(named)) == expected


@pytest.mark.parametrize(*read_cases("evaluation/lexemes_by_template"))
def test_lexemes_by_template(settings: dict[str, Any], word: str, expected: str) -> None:
    item = pair_of(word, word)
    assert naming([item], known=[(expected, 3)], **settings).named(item).a.lexeme == expected


@pytest.mark.thorough
def test_words_are_lower_cased_as_the_lexicons_are(tmp_path: Path, pairs: Path) -> None:
    """By DuckDB, whose ς is not Python's."""
    pairs.write_text("ΟΔΟΣ-n leaf-n 5\nleaf-n ΟΔΟΣ-n 1\n", encoding="utf-8")
    with Lexicon.open(
        lexicon_of(tmp_path / "greek", {"said": [sentence("green", "leaf"), sentence("ΟΔΟΣ", "ΟΔΟΣ")]})
    ) as lexicon:
        assert lexicon.eval.missing_words(pairs).rows == []


def test_relations_by_other_names() -> None:
    phrase = Phrase("eat/VERB", (("obj", Phrase("tea/NOUN", (), 2)), ("nsubj", Phrase("tiger/NOUN", (), 3))))
    item = Item("all", phrase, phrase, ())
    names = Names(relations={"obj": "dobj"})
    assert str(naming([item], names).named(item).a) == "eat/VERB[dobj tea/NOUN, nsubj tiger/NOUN]"
    mapped = naming([item], relation_map={"nsubj": "subj"})
    assert str(mapped.named(item).a) == "eat/VERB[obj tea/NOUN, subj tiger/NOUN]"


@pytest.mark.thorough
def test_names_serve_in_an_evaluation(tmp_path: Path, phrases: Path) -> None:
    """A lexicon whose tags and relations are otherwise gives the same, once they are named or where it was told so."""
    said = [("green", "leaf"), ("green", "shoot"), ("long", "shoot"), ("long", "tour"), ("long", "leaf")]
    sentences = [sentence(*pair) for pair in said]
    tags, relations = {"NOUN": "N", "ADJ": "J"}, {"amod": "mod"}
    renamed = [
        [
            token._replace(
                upos=tags.get(token.upos, token.upos), relation=relations.get(token.relation, token.relation)
            )
            for token in each
        ]
        for each in sentences
    ]
    ours = lexicon_of(tmp_path / "ours", {"said": sentences})
    mapped = lexicon_of(tmp_path / "mapped", {"said": sentences}, relation_map=relations, pos_map=tags)
    theirs = lexicon_of(tmp_path / "theirs", {"said": renamed})
    found = []
    for file, names in ((ours, None), (mapped, None), (theirs, Names(relations=relations, tags=tags))):
        with Lexicon.open(file) as lexicon:
            found.append(lexicon.eval.evaluate(phrases, names=names).column("rho"))
    assert found[0] == found[1] == found[2]
    assert found[0][0] is not None
    with (
        Lexicon.open(theirs) as lexicon,
        pytest.warns(NoMatchWarning, match="this lexicon has no relation amod, .*--relations amod="),
    ):
        unnamed = lexicon.eval.evaluate(phrases)
    assert unnamed.rows[0][unnamed.columns.index("undefined")].startswith("the lexicon lacks words of all 3 items; ")
