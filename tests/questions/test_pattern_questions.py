"""Questions that take patterns: they say of the first node of each match what they say of a lexeme's tokens."""

import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from aptdb import Lexicon, NoMatchWarning, Phrase
from aptdb.core.errors import QuestionError
from support.commands import ask
from support.lexicons import new_lexicon
from support.parsed_gifts import TEXT
from support.runs import thorough


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of the two sentences."""
    with new_lexicon(tmp_path_factory.mktemp("gifts") / "gifts.duckdb", TEXT.encode(), name="gifts") as made:
        yield made


@pytest.mark.parametrize(
    "written", ["VERB", *thorough(["pattern { V [upos=VERB] }", '[upos="VERB"]']), '(?all) [upos="VERB"] []?']
)
def test_a_pattern_that_is_a_lexeme_answers_as_it_does(lexicon: Lexicon, written: str) -> None:
    pattern = "VERB{Tense}" if written == "VERB" else written
    assert lexicon.frames(pattern).rows == lexicon.frames("give/VERB").rows
    if "all" not in written:
        mine, whole = lexicon.observed(pattern, weights="raw_count"), lexicon.apt("give/VERB", weights="raw_count")
        assert Counter({row[:2]: row[3] for row in mine.rows}) == Counter({row[:2]: row[2] for row in whole.rows})
        assert mine.occurrences == 2


def test_other_nodes_of_a_pattern_are_not_observed(lexicon: Lexicon) -> None:
    found = lexicon.observed("VERB[obj NOUN]", weights="raw_count")
    assert ">obj" not in found.column("path")
    assert {(">iobj", "she/PRON"), (">obj>amod", "red/ADJ")} <= {row[:2] for row in found.rows}
    assert lexicon.frames("VERB[obj NOUN]").rows == [("iobj nsubj obj", 1, 1.0, "He [gave] her red apples")]


def test_frames_of_phrases_are_of_their_heads(lexicon: Lexicon) -> None:
    phrase = "give/VERB[obj apple/NOUN]"
    assert lexicon.frames(phrase).column("frame") == ["iobj nsubj obj"]
    assert lexicon.frames(Phrase.parse(phrase)) == lexicon.frames(phrase)


def test_sentences_with_a_match_are_a_subcorpus(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "gifts.duckdb", TEXT.encode(), name="gifts") as lexicon:
        lexicon.subcorpus("passive", where_matches="VERB[aux:pass *]")
        assert lexicon.counts_by(subcorpus="passive").column("tokens") == [4]


@pytest.mark.thorough
def test_they_are_kept_and_counted_again_as_other_subcorpora(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "gifts.duckdb", TEXT.encode(), name="gifts") as lexicon:
        lexicon.subcorpus("passive", where_matches="VERB[aux:pass *]")
        lexicon.subcorpus("other", "corpus = 'gifts' AND NOT matches('VERB[aux:pass *]')")
        for name, tokens in (("passive", 4), ("other", 5)):
            assert lexicon.counts_by(subcorpus=name).column("tokens") == [tokens]
        conditions = dict(
            zip(*(lexicon.stored.subcorpora().column(name) for name in ("subcorpus", "condition")), strict=True)
        )
        assert conditions["passive"] == "matches('VERB[aux:pass *]')"
        assert not lexicon.verify().rows
        lexicon.add(io.BytesIO(TEXT.encode()), name="again", again=True)
        assert lexicon.stored.refresh(kind="subcorpora") == {"subcorpora": ["other", "passive"]}
        assert lexicon.counts_by(subcorpus="passive").column("tokens") == [4, 4]
        for wrong, why in {"matches('VERB[objj *]')": "no token has deprel objj", "matches(3)": "a pattern is text",
                           "matches('VERB[obj VERB]')": "no sentence fits"}.items():  # fmt: skip
            with pytest.raises(QuestionError, match=why):
                lexicon.subcorpus("wrong", wrong)
        with pytest.raises(QuestionError, match="needs a condition"):
            lexicon.subcorpus("none")


def test_matches_are_written_in_misc(lexicon: Lexicon) -> None:
    (written,) = lexicon.matches_as_conllu("pattern { V -[obj|iobj]-> O }")
    lines = [line.split("\t") for line in written.splitlines() if not line.startswith("#")]
    assert {line[0]: line[9] for line in lines} == {
        "1": "_", "2": "Gloss=dedit|Match=1:V,2:V", "3": "Match=1:O", "4": "_", "5": "Gloss=mala|Number=2|Match=2:O",
    }  # fmt: skip
    stripped = [[*line[:9], line[9].partition("|Match=")[0] if "|" in line[9] else "_"] for line in lines]
    assert "\n".join(map("\t".join, stripped)) == TEXT.split("\n\n")[0].replace("Match=1:O", "_")
    (written,) = lexicon.matches_as_conllu('[upos="AUX"] x:[upos="VERB"]')
    assert [line.split("\t")[9] for line in written.splitlines() if "\t" in line] == [
        "_", "Match=1", "Match=1:x", "SpaceAfter=No",
    ]  # fmt: skip


def test_matches_on_the_command_line(lexicon: Lexicon) -> None:
    table = ask("evidence", lexicon.file, "pattern { V -[obj]-> O }", "--tokens", "--format", "csv").stdout.splitlines()
    assert table == [
        "corpus,document,sentence,match,V,V_lexeme,V_position,O,O_lexeme,O_position",
        "gifts,gifts,#1,1,gave,give/VERB,2,apples,apple/NOUN,5",
    ]
    shown = ask(
        "evidence", lexicon.file, '[upos="AUX"] x:[upos="VERB"]', "--tokens", "--format", "tsv"
    ).stdout.splitlines()
    assert shown[1] == "gifts\tgifts\t#2\t1\twere given\tgiven\tgive/VERB\t3"
    assert '"tokens"' in ask("evidence", lexicon.file, "VERB[obj *]", "--tokens", "--format", "jsonl").stdout
    assert "Match=1:2" in ask("evidence", lexicon.file, "VERB[obj *]", "--tokens", "--format", "conllu").stdout
    none = ask("evidence", lexicon.file, "VERB[obj VERB]", "--tokens")
    assert (none.stdout.count("\n"), "no sentence has it" in none.stderr) == (1, True)


@pytest.mark.thorough
@pytest.mark.filterwarnings(
    "ignore:.* (was counted with other settings|is annotated otherwise):aptdb.IncompleteDataWarning"
)
def test_what_one_lexicon_lacks_may_be_in_another(tmp_path: Path) -> None:
    """An alternative that no token has is noted, and the rest is counted; so it is in the other lexicon."""
    first, second = (f"{part}\n\n".encode() for part in TEXT.strip("\n").split("\n\n"))
    with new_lexicon(tmp_path / "second.duckdb", second, name="second"):
        pass
    with new_lexicon(tmp_path / "first.duckdb", first, name="first"):
        pass
    with Lexicon.open(tmp_path / "first.duckdb", attach={"other": tmp_path / "second.duckdb"}) as lexicon:
        for pattern, counts in {'[lemma="give" | lemma="red"]': (2, 1), "VERB[!* red/ADJ]": (1, 1)}.items():
            with pytest.warns(NoMatchWarning, match="no token has le"):
                (row,) = lexicon.phrase_keyness([pattern], None, other="other", dispersion=False)
            assert (row["count_a"], row["count_b"]) == counts
        with pytest.warns(NoMatchWarning, match="counted 0 times in .*: no token has "):
            (row,) = lexicon.phrase_keyness(["NOUN[* red/ADJ]"], None,
                                            other="other", dispersion=False)  # fmt: skip
        assert (row["count_a"], row["count_b"]) == (1, 0)
        with pytest.warns(NoMatchWarning, match="no token has lemma givx"):
            assert len(lexicon.matches('[lemma="give" | lemma="givx"]')) == 1
        with pytest.warns(NoMatchWarning, match="no token has upos FOO"):
            assert len(lexicon.matches("VERB|FOO[* *]")) == 3
        assert len(lexicon.matches("/give/[obj *]")) == 1
