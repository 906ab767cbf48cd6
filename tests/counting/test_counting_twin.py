"""The twin of the counting settings, by examples worked by hand and by what must hold of all settings."""

from functools import partial
from typing import Any

import pytest
from hypothesis import given

from support.cases import read_cases
from support.corpora import tree
from support.strategies import RELATIONS, normalisations, spelt_corpora
from twins.counting import count, evidence, frequencies
from twins.paths import inverse
from twins.trees import Token

sentence = partial(tree, xpos="x")
# a chain of joins: New -> York -> City
CITY = sentence(
    "He he PRON 2 nsubj, lives live VERB 0 root, in in ADP 6 case, New New PROPN 5 compound, York York PROPN 6 "
    "compound, City City PROPN 2 obl"
)
YORK = sentence(
    "Old old ADJ 3 amod, New New PROPN 3 compound, York York PROPN 0 root, City City PROPN 3 compound:prt, big "
    "big ADJ 4 amod"
)
FLAT = sentence(
    "Dr Dr PROPN 4 nsubj, Martin Martin PROPN 1 flat, King King PROPN 1 flat, spoke speak VERB 0 root, the the "
    "DET 3 det"
)
NAMES = sentence("New new PROPN 2 compound, York york PROPN 3 compound, Cities city PROPN 0 root")
WINE = sentence(
    "dry dry ADJ 3 amod, white white ADJ 3 amod, wine wine NOUN 0 root, sold sell VERB 3 acl, shops shop NOUN 4 "
    "obl, markets market NOUN 4 obl"
)


def test_a_chain_of_joins_is_one_node() -> None:
    counts = count([CITY], join=["compound"], order=3)
    assert frequencies([CITY], join=["compound"]) == dict.fromkeys(
        ("he/PRON", "live/VERB", "in/ADP", "new_york_city/PROPN"), 1
    )
    assert counts["live/VERB", ">obl", "new_york_city/PROPN"] == 1
    assert counts["he/PRON", "<nsubj>obl>case", "in/ADP"] == 1
    assert len(counts) == counts.total() == 16
    assert evidence([CITY], "new_york_city/PROPN", "ε", "new_york_city/PROPN", join=["compound"]) == [(0, 6, 6)]
    assert evidence([[], CITY], "live/VERB", ">obl", "new_york_city/PROPN", join=["compound"]) == [(1, 2, 6)]


def test_a_joined_head_in_the_middle_takes_its_members_dependents() -> None:
    settings: dict[str, Any] = {"relations": "universal", "join": {"compound"}, "lexeme": "{form}/{xpos}"}
    counts = count([YORK], **settings)
    assert frequencies([YORK], **settings) == {"old/x": 1, "new_york_city/x": 1, "big/x": 1}
    assert counts["big/x", "<amod", "new_york_city/x"] == 1  # big hung from City
    assert counts["big/x", "", "old/x"] == 1  # and is now Old's sibling
    assert evidence([YORK], "big/x", "<amod", "new_york_city/x", **settings) == [(0, 5, 3)]


def test_join_goes_by_the_label_as_it_is_written_where_it_is_not_universal() -> None:
    counts = count([YORK], join=["compound"])
    assert counts["new_york/PROPN", ">compound:prt", "city/PROPN"] == 1
    assert counts["new_york/PROPN", ">compound:prt>amod", "big/ADJ"] == 1


def test_flat_with_two_dependents() -> None:
    counts = count([FLAT], join=["flat"])
    assert counts["speak/VERB", ">nsubj", "dr_martin_king/PROPN"] == 1
    assert counts["the/DET", "<det<nsubj", "speak/VERB"] == 1
    assert counts.total() == 9


def test_members_far_apart_are_joined_in_token_order_and_a_root_is_never_joined_upwards() -> None:
    rows = sentence("up up ADP 3 prt, he he PRON 3 nsubj, gave give VERB 0 prt")
    assert frequencies([rows], join=["prt"]) == {"up_give/VERB": 1, "he/PRON": 1}


def test_a_join_whose_top_is_left_out_is_left_out_whole_and_paths_run_through_it() -> None:
    counts = count([CITY], join=["compound"], exclude_upos=["PROPN"])
    assert {word for word, _, _ in counts} == {"he/PRON", "live/VERB", "in/ADP"}
    assert counts["live/VERB", ">obl>case", "in/ADP"] == 1
    rows = sentence("at at ADP 0 root, all all DET 1 fixed")
    assert not count([rows], join=["fixed"], exclude_upos=["ADP"])
    assert set(frequencies([rows], join=["fixed"], exclude_upos=["DET"])) == {"at_all/ADP"}


def test_an_excluded_relation_splits_a_tree() -> None:
    whole, split = count([WINE], order=3), count([WINE], order=3, exclude_relations=["acl"])
    assert whole["wine/NOUN", ">acl>obl", "shop/NOUN"] == 1
    assert len(whole) == whole.total() == 36
    assert split.total() == 9 + 9  # two trees of three
    assert split["shop/NOUN", "", "market/NOUN"] == 1  # below the edge all is as it was
    assert not any("acl" in path for _, path, _ in split)


def test_dependents_whose_own_edge_is_excluded_no_longer_meet() -> None:
    assert count([WINE])["dry/ADJ", "", "white/ADJ"] == 1
    split = count([WINE], exclude_relations=["amod"])
    assert split["dry/ADJ", "", "white/ADJ"] == 0
    assert split["dry/ADJ", "", "dry/ADJ"] == 1
    assert frequencies([WINE], exclude_relations=["amod"]) == frequencies([WINE])


def test_an_excluded_edge_of_a_group_is_that_of_its_top() -> None:
    counts = count([CITY], join=["compound"], exclude_relations=["obl"])
    assert counts["in/ADP", "<case", "new_york_city/PROPN"] == 1
    assert counts.total() == 4 + 4


def test_the_map_is_looked_up_after_universal_once_and_exactly() -> None:
    settings: dict[str, Any] = {"relations": "universal", "relation_map": {"obl": "a:b", "a": "c", "acl:x": "d"}}
    rows = sentence("a a N 0 root, b b N 1 obl:in, c c N 1 a:b, d d N 1 acl:x")
    found = {path: context for _, path, context in count([rows], **settings) if path in {">a:b", ">c", ">acl"}}
    assert found == {">a:b": "b/N", ">c": "c/N", ">acl": "d/N"}
    full = count([rows], relation_map={"obl": "x", "a:b": "obl"})
    assert full["a/N", ">obl:in", "b/N"] == full["a/N", ">obl", "c/N"] == 1


def test_join_and_exclusion_see_mapped_labels() -> None:
    mapped = frequencies([FLAT], relation_map={"flat": "name", "det": "flat"}, join=["name"])
    assert mapped == {"dr_martin_king/PROPN": 1, "speak/VERB": 1, "the/DET": 1}
    assert count([FLAT], relation_map={"nsubj": "cut"}, exclude_relations=["cut"]).total() == 1 + 16


def test_tags_are_mapped_alike_and_never_lower_cased() -> None:
    settings: dict[str, Any] = {"pos_map": {"PROPN": "NOUN", "x": "Z", "verb": "V"}, "lexeme": "{lemma}/{xpos}/{upos}"}
    assert set(frequencies([CITY[:2]], **settings)) == {"he/Z/PRON", "live/Z/VERB"}
    assert frequencies([FLAT], **settings, exclude_upos=["PROPN"])["king/Z/NOUN"] == 1
    assert not frequencies([FLAT[1:2]], **settings, exclude_upos=["NOUN"])


def test_minimum_length_is_of_the_whole_form() -> None:
    assert set(frequencies([CITY], min_token_length=4)) == {"live/VERB", "york/PROPN", "city/PROPN"}
    assert set(frequencies([CITY], min_token_length=6, join=["compound"])) == {"new_york_city/PROPN"}
    decomposed = [Token("e\u0301", "e\u0301", "N", "x", 0, "root")]
    assert frequencies([decomposed], min_token_length=2) == {"e\u0301/N": 1}
    assert not frequencies([decomposed], min_token_length=2, nfc=True)


def test_nfc_makes_two_spellings_one_lexeme() -> None:
    rows = [Token("É", "É", "N", "x", 0, "root"), Token("E\u0301", "E\u0301", "N", "x", 1, "r")]
    assert len(frequencies([rows])) == 2
    assert frequencies([rows], nfc=True) == {"é/N": 2}
    assert frequencies([rows], nfc=True, lowercase=False) == {"É/N": 2}


@pytest.mark.parametrize(*read_cases("counting/stop_list"))
def test_the_stop_list(stop_list: list[str], settings: dict[str, Any], left: set[str]) -> None:
    assert set(frequencies([NAMES], stop_list=stop_list, **settings)) == left


def test_the_slash_of_a_lexeme_without_a_tag_is_its_own() -> None:
    rows = sentence("a/b A/B N 0 root")
    assert frequencies([rows], lexeme="{lemma}", stop_list=["a", "b"]) == {"a/b": 1}
    assert not frequencies([rows], lexeme="{lemma}", stop_list=["A/B"])
    assert not frequencies([rows], stop_list=["A/B"])
    assert frequencies([rows], stop_list=["a"]) == {"a/b/N": 1}


def test_stems_are_of_the_form() -> None:
    rows = sentence("Ponies pony N 2 nsubj, RUNNING be V 0 root, Thickets x N 2 obj")
    assert set(frequencies([rows], lexeme="{stem}/{upos}")) == {"poni/N", "run/V", "thicket/N"}
    assert set(frequencies([rows], lexeme="{stem}", lowercase=False)) == {"Poni", "RUNNING", "Thicket"}
    assert set(frequencies([NAMES], lexeme="{stem}", join=["compound"])) == {"new_york_c"}  # of the whole
    german = sentence("Häusern Haus N 0 root")
    assert set(frequencies([german], lexeme="{stem}", stemmer="german")) == {"haus"}


def test_what_is_not_a_setting_is_refused() -> None:
    with pytest.raises(TypeError):
        count([CITY], joins=["compound"])


@given(spelt_corpora(6, 3), normalisations())
def test_counts_are_symmetric_and_every_one_has_its_evidence(
    corpus: list[list[Token]], settings: dict[str, Any]
) -> None:
    counts = count(corpus, **settings)
    for (word, path, context), n in counts.items():
        assert counts[context, inverse(path), word] == n
        pairs = evidence(corpus, word, path, context, **settings)
        assert len(set(pairs)) == len(pairs) == n
        back = evidence(corpus, context, inverse(path), word, **settings)
        assert sorted((number, y, x) for number, x, y in back) == pairs


@pytest.mark.thorough
@given(spelt_corpora(), normalisations())
def test_each_node_meets_itself_once(corpus: list[list[Token]], settings: dict[str, Any]) -> None:
    found = frequencies(corpus, **settings)
    itself = {word: evidence(corpus, word, "", word, **settings) for word in found}
    assert found == {word: sum(x == y for _, x, y in pairs) for word, pairs in itself.items()}


@given(normalisations())
def test_the_settings_drawn_are_valid(settings: dict[str, Any]) -> None:
    assert not set(settings.get("join", ())) & set(settings.get("exclude_relations", ()))
    written = {r.split(":")[0] if settings.get("relations") == "universal" else r for r in RELATIONS}
    labels = {settings.get("relation_map", {}).get(r, r) for r in written}
    assert {*settings.get("join", ()), *settings.get("exclude_relations", ())} <= labels
