"""Terms: their C-values are those of the definition; what is compared with another lexicon is what a subcorpus has."""

import io
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from aptdb import Lexicon
from aptdb.core.errors import QuestionError
from support.commands import ask
from support.lexicons import new_lexicon
from support.parsed_gifts import TEXT

NOUNS = """\
1\ta\ta\tDET\t_\t_\t3\tdet\t_\t_
2\tsoft\tsoft\tADJ\t_\t_\t3\tamod\t_\t_
3\tlens\tlens\tNOUN\t_\t_\t0\troot\t_\t_
4\tof\tof\tADP\t_\t_\t5\tcase\t_\t_
5\tParis\tParis\tPROPN\t_\t_\t3\tnmod\t_\t_

1\tsoft\tsoft\tADJ\t_\t_\t3\tamod\t_\t_
2\tcontact\tcontact\tNOUN\t_\t_\t3\tcompound\t_\t_
3\tlens\tlens\tNOUN\t_\t_\t0\troot\t_\t_

"""
FRENCH = """\
1\tlentille\tlentille\tNOUN\t_\t_\t0\troot\t_\t_
2\tmolle\tmou\tADJ\t_\t_\t1\tamod\t_\t_
3\tde\tde\tADP\t_\t_\t4\tcase\t_\t_
4\tParis\tParis\tPROPN\t_\t_\t1\tnmod\t_\t_

"""


@pytest.fixture(scope="module")
def lenses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    """A lexicon of terms and of a corpus without them."""
    with new_lexicon(tmp_path_factory.mktemp("lenses") / "both.duckdb", (NOUNS * 2).encode(), name="lenses") as lexicon:
        lexicon.add(io.BytesIO((TEXT + NOUNS).encode()), name="others")
        lexicon.subcorpus("field", "corpus = 'lenses'")
        yield lexicon


def test_terms_are_noun_groups_with_their_c_values(lenses: Lexicon) -> None:
    found = {row["item"]: row for row in lenses.pattern_keyness(a="field", min_count=1)}
    counts = {"lens": 4, "soft lens": 2, "Paris": 2, "contact": 2, "soft contact": 2, "contact lens": 2,
              "soft contact lens": 2}  # fmt: skip
    assert {name: row["count_a"] for name, row in found.items() if row["count_a"]} == counts
    for name, count in counts.items():
        longer = [other for each, other in counts.items() if f" {name} " in f" {each} " and each != name]
        mean = sum(longer) / len(longer) if longer else 0
        assert found[name]["c_value"] == pytest.approx((1 + math.log2(len(name.split()))) * (count - mean))
    assert found["apple"]["c_value"] is None  # which is not in the field
    named = lenses.pattern_keyness("NOUN[amod ADJ]", "2.lemma", "field", min_count=1)
    assert set(named.column("c_value")) == {None}


@pytest.mark.thorough
def test_terms_follow_the_order_of_words(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "fr.duckdb", FRENCH.encode(), name="fr") as lexicon:
        lexicon.add(io.BytesIO(FRENCH.encode()), name="again", again=True)
        lexicon.subcorpus("one", "corpus = 'fr'")
        found = lexicon.pattern_keyness(a="one", min_count=1).column("item")
        assert set(found) == {"lentille", "lentille mou", "lentille mou de Paris", "Paris"}


@pytest.mark.thorough
def test_another_lexicon_is_as_a_subcorpus(lenses: Lexicon, tmp_path: Path) -> None:
    with (
        new_lexicon(tmp_path / "lenses.duckdb", (NOUNS * 2).encode(), name="lenses") as own,
        new_lexicon(tmp_path / "others.duckdb", (TEXT + NOUNS).encode(), name="others") as other,
    ):
        files = own.file, other.file
    with Lexicon.open(files[0], attach={"b": files[1]}) as lexicon:
        assert lexicon.pattern_keyness(other="b", min_count=1) == lenses.pattern_keyness(a="field", min_count=1)
        by_tag = lexicon.pattern_keyness("NOUN[amod ADJ]", "2.upos,1.lemma", other="b", min_count=1)
        assert [row[:3] for row in by_tag.rows] == [("ADJ lens", 4, 2), ("ADJ apple", 0, 1)]
        with pytest.raises(QuestionError, match="no attached lexicon c; available: b"):
            lexicon.pattern_keyness(other="c")
    shown = ask("keyness", files[0], "--other", files[1], "--of", "terms", "--min-count", "1", "--show-sql").stdout
    assert "ATTACH" in shown
    assert "_store.key_match(" in shown


@pytest.mark.thorough
def test_terms_on_the_command_line(lenses: Lexicon) -> None:
    shown = ask("keyness", lenses.file, "field", "--of", "terms", "--min-count", "1").stdout.splitlines()
    assert shown[0].endswith("\tc_value")
    assert len(shown) == len(lenses.pattern_keyness(a="field", min_count=1)) + 1
    forms = ask("keyness", lenses.file, "field", "--of", "terms", "--phrase", '[upos="ADJ"] []', "--group",
                "match.form", "--min-count", "1", "--format", "table").stdout  # fmt: skip
    assert "soft contact" in forms
    for wrong, why in {("--pos", "NOUN"): "terms take no --pos", ("--group", "corpus"): "is not a value of a token",
                       ("--phrase", "a", "--phrase", "b"): "it needs one --phrase"}.items():  # fmt: skip
        assert why in ask("keyness", lenses.file, "field", "--of", "terms", *wrong).stderr.replace("\n", " ")


@pytest.mark.thorough
def test_terms_of_other_tags_want_a_pattern(tmp_path: Path) -> None:
    with new_lexicon(tmp_path / "tags.duckdb", TEXT.replace("NOUN", "NN").encode(), name="tags") as lexicon:
        lexicon.subcorpus("all", "corpus = 'tags'")
        with pytest.raises(QuestionError, match="no token has the tag NOUN or PROPN, so there are no noun groups"):
            lexicon.pattern_keyness(a="all")
