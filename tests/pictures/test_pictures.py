"""Pictures: what is drawn of an APT, beside twins and the paper's figures; where it stands; and what it may contain."""

import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Sequence
from math import hypot
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb import IncompleteDataWarning, Lexicon, Phrase
from aptdb.core.errors import NoMatchWarning
from aptdb.core.one_line import on_one_line
from aptdb.pictures.arcs import arrange_words, lefts_of, levels_of
from aptdb.pictures.choice import with_usual_parameters
from aptdb.pictures.draw import draw
from aptdb.pictures.layout import LABEL, Block, Context, Node, lay_out_tree, tree_of
from aptdb.pictures.svg_tree import BETWEEN, Part, as_page, box_height, measure_box
from support.commands import ask
from support.lexicons import lexicon_of
from support.paper import FIGURE_2, FIGURE_6, SETTINGS
from support.paper import TREES as FIGURE_1
from support.processes import PATIENCE
from support.runs import examples
from twins.paths import inverse, offset
from twins.trees import conllu

PAGE = Path(__file__).parents[2] / "aptdb" / "docs" / "pictures.md"
SVG = "{http://www.w3.org/2000/svg}"
DRY_CLOTHES = "folded/VBD[dobj clothes/NNS[amod dry/JJ]]"
ALL: dict[str, Any] = {"weights": "raw_count", "max_nodes": 99, "top": 99}
NEAR = 1e-6

steps = st.tuples(st.sampled_from("<>"), st.sampled_from(("amod", "nsubj", "o", "obl:agent", "a very long relation")))
paths = st.lists(steps, max_size=4).map(lambda found: "".join(map("".join, sorted(found, key=lambda step: step[0]))))
nodes = st.builds(
    lambda found, contexts, more: [
        Node(path, [Context(word, 1.0) for word in contexts], more)
        for path in sorted({path[:end] for path in found for end in ends(path)} | {""}, key=len)
    ],
    st.lists(paths, min_size=1, max_size=40),
    st.lists(st.text(max_size=30), max_size=5),
    st.integers(0, 10**6),
)


def ends(path: str) -> list[int]:
    """Where the steps of a path end."""
    return [match.end() for match in re.finditer("[<>][^<>]+", path)]


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The paper's eight trees."""
    folder = tmp_path_factory.mktemp("paper")
    (folder / "paper.conllu").write_text(conllu(FIGURE_1.values()), encoding="utf-8")
    return lexicon_of(folder / "paper.duckdb", {"paper": list(FIGURE_1.values())}, **SETTINGS)


# What is drawn


def told(text: str) -> dict[str, dict[str, float]]:
    """The nodes of a drawing as text: what stands at each, and its weight."""
    found: dict[str, dict[str, float]] = {}
    above: list[str] = []
    for line in text.splitlines():
        told = re.fullmatch(r"([│├└─ ]*)(anchor|[↑↓]\S+)(?:  (.*))?", line)
        assert told is not None, line
        depth = len(told[1]) // 3
        step = "" if told[2] == "anchor" else f"{'<' if told[2][0] == '↑' else '>'}{told[2][1:]}"
        above[depth:] = [(above[depth - 1] if depth else "") + step]
        pairs = (each.rpartition(" ") for each in (told[3] or "").split(", ") if each and not re.match(r"\+\d", each))
        found[above[depth]] = {word: float(weight) for word, _, weight in pairs}
    return found


def columns(figure: dict[str, str]) -> dict[str, dict[str, float]]:
    """The nodes of a figure of the paper, as counts."""
    counted: dict[str, dict[str, float]] = {}
    for path, column in figure.items():
        words = column.split()
        if words:
            counted[path] = {word: float(words.count(word)) for word in words}
    return counted


@pytest.mark.thorough
@pytest.mark.parametrize("lexeme", FIGURE_2)
def test_figure_2(paper: Path, lexeme: str) -> None:
    with Lexicon.open(paper) as lexicon:
        assert told(str(lexicon.plot.apt(lexeme, **ALL))) == columns(FIGURE_2[lexeme])


@pytest.mark.thorough
def test_figures_3_and_6(paper: Path) -> None:
    """Each word's APT, the same moved, and all of them merged, each drawn at the nodes of the whole."""
    with Lexicon.open(paper) as lexicon:
        text = str(lexicon.plot.apt(DRY_CLOTHES, steps=True, **ALL))
    drawn = {caption: told(tree) for caption, _, tree in (each.partition("\n") for each in text.split("\n\n"))}
    captions = ("folded/VBD, as it is", "clothes/NNS, moved along <dobj", "dry/JJ, moved along <amod<dobj")
    assert [*drawn] == ["folded/VBD", "clothes/NNS", "dry/JJ", *captions, "merged"]
    for lexeme in ("folded/VBD", "clothes/NNS", "dry/JJ"):
        assert drawn[lexeme] == columns(FIGURE_2[lexeme])
    # figure 6 has the words from top to bottom: dry, clothes, folded
    for which, caption in enumerate(reversed(captions)):
        shown = {path: contexts for path, contexts in drawn[caption].items() if contexts}
        assert shown == columns({path: column[which] for path, column in FIGURE_6.items()})
        assert {*drawn[caption]} == {*drawn["merged"]}
    assert drawn["merged"] == columns({path: " ".join(column) for path, column in FIGURE_6.items()})


@pytest.mark.thorough
def test_figure_1(paper: Path) -> None:
    with Lexicon.open(paper) as lexicon:
        phrases = lexicon.phrases(paper.with_name("paper.conllu"))
        drawing = lexicon.plot.trees(phrases)
    assert drawing.nodes == sum(map(len, FIGURE_1.values()))
    texts = [text for text in shown_texts(drawing.svg) if not re.fullmatch(r"\(\w\)", text)]
    wanted = [f"{token.form}/{token.xpos}" for tree in FIGURE_1.values() for token in tree]
    assert [text for text in texts if "/" in text] == wanted
    relations = [token.relation for tree in FIGURE_1.values() for token in tree if token.head]
    assert sorted(text for text in texts if "/" not in text) == sorted(relations)


def shown_texts(svg: str) -> list[str]:
    """The texts of a picture, without what is only shown to who points at them."""
    found = []
    for text in ET.fromstring(svg).iter(f"{SVG}text"):
        for title in text.findall(f"{SVG}title"):
            title.text = ""
        found.append("".join(text.itertext()))
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("most", [1, 2, 5, 30])
@pytest.mark.parametrize("x", ["dog/NOUN", "dog/NOUN[amod small/ADJ]"])
def test_the_nodes_that_reach_most(animals: Path, x: str, most: int) -> None:
    """The twin: add up what each node leads to, and take the heaviest; those of the phrase itself in any case."""
    with Lexicon.open(animals) as lexicon:
        rows = lexicon.apt(x, weights="lmi").rows
        drawn = told(str(lexicon.plot.apt(x, weights="lmi", max_nodes=most, top=2)))
    reach: dict[str, float] = defaultdict(float)
    contexts: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for path, context, weight in rows:
        contexts[path].append((-abs(round(weight, 12)), context))
        for end in [0, *ends(path)]:
            reach[path[:end]] += abs(weight)
    own = ["", ">amod"] if x.endswith("]") else [""]
    others = sorted((path for path in reach if path not in own), key=lambda path: -round(reach[path], 9))
    wanted = [*own, *others[: max(0, most - len(own))]]
    if len({round(reach[path], 6) for path in others}) == len(others):  # else others may be drawn as well
        assert {*drawn} == {*wanted}
    for path, shown in drawn.items():
        assert [*shown] == [f"{word}" for _, word in sorted(contexts[path])[:2]] or not shown
        assert all(path[:end] in drawn for end in ends(path))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("x", "how"),
    [
        (DRY_CLOTHES, {}),
        (DRY_CLOTHES, {"anchor": 2}),
        (DRY_CLOTHES, {"anchor": 3}),
        (DRY_CLOTHES, {"aligned": False}),
        (DRY_CLOTHES, {"weights": "ppmi"}),
        (DRY_CLOTHES, {"head_weight": 0.9}),
        (DRY_CLOTHES, {"unit": True, "anchor": 2}),
        ("clothes/NNS[amod dry/JJ, amod dry/JJ]", {}),
    ],
)
def test_what_words_bring(paper: Path, x: str, how: dict[str, Any]) -> None:
    """What they bring adds up, where they are merged by sum; and it is the word's own APT, moved by a twin."""
    taken = {**ALL, **how}
    weights = {name: taken[name] for name in ("weights",)}
    with Lexicon.open(paper) as lexicon:
        svg = lexicon.plot.apt(x, **taken).svg
        phrase = Phrase.parse(x).words()
        own = {word["lexeme"]: lexicon.apt(word["lexeme"], **weights).rows for word in phrase}
    anchor = int(how.get("anchor", 1))
    to_anchor = inverse(phrase[anchor - 1]["delta"])
    expected: dict[tuple[str, int], set[str]] = defaultdict(set)
    for number, word in enumerate(phrase, 1):
        arriving = []
        for path, context, weight in own[word["lexeme"]]:
            moved = path
            if how.get("aligned", True):
                at_root = offset(path, word["delta"])
                moved = None if at_root is None else offset(at_root, to_anchor)
            if moved is not None:
                arriving.append((context, weight))
        size = hypot(*(weight for _, weight in arriving)) if how.get("unit") else 1
        for context, weight in arriving:
            of_head = how.get("head_weight", 0.5)
            factor = 2 * (of_head if word["delta"] == "" else 1 - of_head)
            expected[context, number].add(f"{weight / size * factor:.3f}")
    brought: dict[tuple[str, int], set[str]] = defaultdict(set)
    for title in ET.fromstring(svg).iter(f"{SVG}title"):
        if not (said := re.fullmatch(r"(.*?): ([-\d.]+)((?:; word \d+: [-\d.]+)+)", title.text or "")):
            continue
        shares = re.findall(r"word (\d+): ([-\d.]+)", said[3])
        assert sum(float(share) for _, share in shares) == pytest.approx(float(said[2]), abs=2e-3)
        for number, share in shares:
            brought[said[1], int(number)].add(share)
    assert brought == expected


@pytest.mark.thorough
def test_no_colours_where_nobody_can_tell(animals: Path) -> None:
    """Offset inference asks about the phrase's root, which a word by itself is not."""
    with Lexicon.open(animals) as lexicon, pytest.warns(IncompleteDataWarning, match="no colours"):
        svg = lexicon.plot.apt("dog/NOUN[amod small/ADJ]", smooth="offset:2").svg
    assert not re.search(r'class="word\d', svg)


PHRASES_WITH_HOLES: list[tuple[list[dict[str, str]], dict[str, Any]]] = [
    ([{"lexeme": "folded/VBD", "delta": ""}, {"lexeme": "dry/JJ", "delta": "<amod<dobj"}], {"max_nodes": 1}),
    ([{"lexeme": "folded/VBD", "delta": "ε"}, {"lexeme": "dry/JJ", "delta": "<amod<dobj"}], {"order": 0}),
    (
        [
            {"lexeme": "clothes/NNS", "delta": ""},
            {"lexeme": "dry/JJ", "delta": "<dobj>nsubj"},
            {"lexeme": "he/PRP", "delta": "<dobj>amod"},
        ],
        {"anchor": 2},
    ),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("words", "how"), PHRASES_WITH_HOLES)
def test_words_that_are_no_whole_tree(paper: Path, words: list[dict[str, str]], how: dict[str, Any]) -> None:
    """Nodes between words, where no word stands, are drawn; words that no path leads to are not."""
    with Lexicon.open(paper) as lexicon:
        drawn = told(str(lexicon.plot.apt(words, weights="raw_count", **how)))
    assert all(path[:end] in drawn for path in drawn for end in ends(path))


@pytest.mark.thorough
def test_two_words_at_one_node(paper: Path) -> None:
    """Both are the phrase's own."""
    with Lexicon.open(paper) as lexicon:
        svg = lexicon.plot.apt("wine/NN[amod dry/JJ, amod white/JJ]", **ALL).svg
    bold = {text[0].text or "" for text in ET.fromstring(svg).iter(f"{SVG}text") if text.get("font-weight")}
    assert {each.partition(":")[0] for each in bold} >= {"wine/NN", "dry/JJ", "white/JJ"}


@pytest.mark.thorough
def test_how_words_are_moved(paper: Path) -> None:
    """Captions say how far each word goes, on to an anchor too, and nothing where words are not aligned."""
    with Lexicon.open(paper) as lexicon:
        seen = str(lexicon.plot.apt(DRY_CLOTHES, steps=True, anchor=3, **ALL))
        unmoved = str(lexicon.plot.apt(DRY_CLOTHES, steps=True, aligned=False, **ALL))
    assert "folded/VBD, moved along >dobj>amod\n" in seen
    assert "dry/JJ, moved along <amod<dobj and on along >dobj>amod\n" in seen
    assert "moved" not in unmoved


@pytest.mark.thorough
def test_bars_stay_in_their_boxes(paper: Path) -> None:
    """With weights below zero, too."""
    with Lexicon.open(paper) as lexicon:
        svg = lexicon.plot.apt(DRY_CLOTHES, weights="pmi", shift=2, top=8, max_nodes=30).svg
    rectangles: list[tuple[Any, ...]] = [
        (element.get("class") or "", *(float(element.get(name) or 0) for name in ("x", "y", "width", "height")))
        for element in ET.fromstring(svg).iter(f"{SVG}rect")
    ]
    boxes_drawn = [each for each in rectangles if each[0].startswith("box")]
    bars = [each for each in rectangles if "word" in each[0] and each[4] > 10]
    assert any("minus" in each[0] for each in bars)
    for _, x, y, width, height in bars:
        assert any(
            box[1] <= x and x + width <= box[1] + box[3] + 0.2 and box[2] <= y and y + height <= box[2] + box[4]
            for box in boxes_drawn
        )


@pytest.mark.thorough
def test_a_warning_is_given_once(animals: Path) -> None:
    with Lexicon.open(animals) as lexicon:
        phrase = Phrase("dog/NOUN", (("nosuch", Phrase("small/ADJ")),))
        with pytest.warns(NoMatchWarning) as given_warnings:
            lexicon.plot.apt(phrase, steps=True, missing="empty")
    assert len(given_warnings) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["top", "max_nodes", "order"])
def test_as_many_as_one_likes(animals: Path, name: str) -> None:
    huge: dict[str, Any] = {name: 10**30}
    large: dict[str, Any] = {name: 10**5}
    with Lexicon.open(animals) as lexicon:
        assert str(lexicon.plot.apt("dog/NOUN", **huge)) == str(lexicon.plot.apt("dog/NOUN", **large))


def test_a_lexeme_has_no_colours(paper: Path) -> None:
    with Lexicon.open(paper) as lexicon:
        svg = lexicon.plot.apt("dry/JJ", **ALL).svg
    assert 'class="bar"' in svg
    assert not re.search(r'class="word\d', svg)


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({}, {"weights": "lmi", "min_count": 3}),
        ({"weights": "log_dice"}, {"weights": "log_dice", "min_count": 3}),
        ({"min_count": 1}, {"weights": "lmi", "min_count": 1}),
        ({"weights": "mine"}, {"weights": "mine"}),
    ],
)
def test_contexts_that_are_met_seldom(given: dict[str, Any], taken: dict[str, Any]) -> None:
    """In a large lexicon they are left out as in sketches, unless something is said of it or weights are one's own."""
    session = Mock(**{"reading.return_value.value.return_value": 3})
    with_usual_parameters(session, given)
    assert given == taken


@pytest.mark.thorough
def test_all_contexts_of_a_small_lexicon(animals: Path) -> None:
    with Lexicon.open(animals) as lexicon:
        plain = str(lexicon.plot.apt("dog/NOUN"))
        assert plain == str(lexicon.plot.apt("dog/NOUN", min_count=1))
        assert plain != str(lexicon.plot.apt("dog/NOUN", min_count=2))


@pytest.mark.thorough
def test_relations_and_order(animals: Path) -> None:
    with Lexicon.open(animals) as lexicon:
        drawn = told(str(lexicon.plot.apt("dog/NOUN", weights="raw_count", max_nodes=99)))
        by_order = told(str(lexicon.plot.apt("dog/NOUN", weights="raw_count", max_nodes=99, order=1)))
        assert {*by_order} == {path for path in drawn if len(ends(path)) <= 1} < {*drawn}
        of_amod = told(str(lexicon.plot.apt("dog/NOUN", weights="raw_count", max_nodes=99, relations=["amod", "<obj"])))
        assert {*of_amod} == {path for path in drawn if {*re.findall("[<>][^<>]+", path)} <= {"<amod", ">amod", "<obj"}}
        assert len(of_amod) > 1


# Where it stands


def boxes(block: Block) -> list[tuple[float, float, float, float]]:
    """The boxes of a layout, without labels: left, top, right, bottom."""
    found = []
    for placed in block.placed:
        label = LABEL if placed.node.step else 0.0
        top = placed.y + (0.0 if placed.node.step.startswith("<") else label)
        found.append((placed.x, top, placed.x + placed.width, top + placed.height - label))
    return found


def meet(a: Sequence[float], b: Sequence[float]) -> bool:
    """Whether the insides of two rectangles have something in common."""
    return a[0] < b[2] - NEAR and b[0] < a[2] - NEAR and a[1] < b[3] - NEAR and b[1] < a[3] - NEAR


@pytest.mark.thorough
@given(nodes)
@examples(200)
def test_layout(found: list[Node]) -> None:
    """No box or label is over another, no edge goes through a box, no two edges cross, and all is in the picture."""
    block = lay_out_tree(tree_of(found), measure_box)
    assert sorted(placed.node.path for placed in block.placed) == sorted(node.path for node in found)
    whole = [(each.x, each.y, each.x + each.width, each.y + each.height) for each in block.placed]
    for place, one in enumerate(whole):
        assert min(one[:2]) >= -NEAR
        assert one[2] <= block.width + NEAR
        assert one[3] <= block.height + NEAR
        assert not any(meet(one, other) for other in whole[place + 1 :])
    lines = [(min(a.x1, a.x2), min(a.y1, a.y2), max(a.x1, a.x2), max(a.y1, a.y2)) for a in block.lines]
    for line in lines:
        assert line[0] == line[2] or line[1] == line[3]
        assert line[0] >= -NEAR
        assert line[2] <= block.width + NEAR
        assert not any(crosses(line, box) for box in boxes(block))
    uprights, levels = ([line for line in lines if line[axis] == line[axis + 2]] for axis in (0, 1))
    for upright in uprights:
        for level in levels:
            inside = level[0] + NEAR < upright[0] < level[2] - NEAR and upright[1] + NEAR < level[1] < upright[3] - NEAR
            assert not inside, (upright, level)


def crosses(line: Sequence[float], box: Sequence[float]) -> bool:
    """Whether a line goes through the inside of a box."""
    return (
        line[0] < box[2] - NEAR and box[0] < line[2] - NEAR and box[1] + NEAR < line[1] < box[3] - NEAR
        if line[1] == line[3]
        else line[1] < box[3] - NEAR and box[1] < line[3] - NEAR and box[0] + NEAR < line[0] < box[2] - NEAR
    )


@given(nodes)
@examples(50)
def test_edges_join_all(found: list[Node]) -> None:
    """From the anchor one comes to each node along the edges."""
    block = lay_out_tree(tree_of(found), measure_box)
    ends_of = [{(line.x1, line.y1), (line.x2, line.y2)} for line in block.lines]
    assert len(block.lines) == 0 or len(found) > 1
    reached = {block.placed[0].node.path} if len(found) == 1 else touching(block, ends_of)
    assert reached == {node.path for node in found}


def touching(block: Block, _: Sequence[set[tuple[float, float]]]) -> set[str]:
    """The nodes that hang together with the anchor by lines that touch."""

    def touch(a: Sequence[float], b: Sequence[float]) -> bool:
        return a[0] <= b[2] + NEAR and b[0] <= a[2] + NEAR and a[1] <= b[3] + NEAR and b[1] <= a[3] + NEAR

    shapes = {each.node.path: (each.x, each.y, each.x + each.width, each.y + each.height) for each in block.placed}
    lines = [(min(a.x1, a.x2), min(a.y1, a.y2), max(a.x1, a.x2), max(a.y1, a.y2)) for a in block.lines]
    seen, left, new = {""}, [*lines], [shapes[""]]
    while new:
        one = new.pop()
        met = [line for line in left if touch(line, one)]
        left = [line for line in left if line not in met]
        nodes_met = [path for path, shape in shapes.items() if path not in seen and touch(shape, one)]
        seen |= {*nodes_met}
        new += [*met, *(shapes[path] for path in nodes_met)]
    return seen


@given(nodes)
@examples(30)
def test_an_anchor_of_one_tree(found: list[Node]) -> None:
    """A tree is built anew each time, so that nodes can be in several."""
    assert [each.path for each in tree_of(found)] == [each.path for each in tree_of(found)]
    assert all(not node.ups and not node.downs for node in found)


phrases = st.recursive(
    st.builds(Phrase, st.text("abc", min_size=1, max_size=9)),
    lambda below: st.builds(
        Phrase,
        st.text("abc", min_size=1, max_size=9),
        st.lists(st.tuples(st.sampled_from(("amod", "nsubj:pass", "o")), below), max_size=3).map(tuple),
    ),
    max_leaves=12,
)


@given(phrases, st.randoms())
@examples(100)
def test_arcs(phrase: Phrase, dice: Any) -> None:
    """Of arcs that overlap no two are on one level, those within others are below, and each label has room."""
    numbers = list(range(1, sum(1 for _ in walk(phrase)) + 1))
    dice.shuffle(numbers)
    words, arcs = arrange_words(numbered(phrase, iter(numbers)))
    assert len(arcs) == len(words) - 1
    levels, lefts = levels_of(arcs), lefts_of(words, arcs)
    assert lefts == sorted(lefts)
    for one in arcs:
        for other in arcs:
            if one is not other and one.ends[0] < other.ends[1] and other.ends[0] < one.ends[1]:
                assert levels[one] != levels[other]
                if other.ends[0] <= one.ends[0] and one.ends[1] <= other.ends[1] and one.ends != other.ends:
                    assert levels[one] < levels[other]


def walk(phrase: Phrase) -> Any:
    """A phrase and all below it."""
    yield phrase
    for _, each in phrase.dependents:
        yield from walk(each)


def numbered(phrase: Phrase, numbers: Any) -> Phrase:
    """The same phrase with other numbers."""
    number = next(numbers)
    return Phrase(phrase.lexeme, tuple((name, numbered(each, numbers)) for name, each in phrase.dependents), number)


# What it may contain

OF_ODD = "&amp;"  # one of their relations
ODD = (
    "<script>alert(1)</script>",
    "&amp;",
    "\"'",
    "]]>",
    "كلب",
    "שלום",
    "犬" * 40,
    "naïve",
    "a\u0301" * 20,
    "\u202egnp",
    "\ufffe",
    "x" * 500,
    "👩\u200d🔬",
)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Words and relations that are no plain letters."""
    lines = [
        f"{number}\t{word}\t{word}\tX\t_\t_\t{number - 1}\t{word.replace('<', '').replace('>', '')}\t_\t_"
        for number, word in enumerate(ODD, 1)
    ]
    folder = tmp_path_factory.mktemp("odd")
    return lexicon_of(folder / "odd.duckdb", {"odd": ("\n".join(lines) + "\n\n").encode()}, order=3)


@pytest.mark.thorough
@pytest.mark.parametrize("word", ODD)
def test_odd_words(odd: Path, word: str) -> None:
    """They stand in the picture as they are, and nothing of them is more than text."""
    with Lexicon.open(odd) as lexicon:
        drawing = lexicon.plot.apt(f"{word}/X", max_nodes=50)
        phrase = Phrase(f"{word}/X", ((OF_ODD, Phrase("\"'/X")),))
        others = [lexicon.plot.apt(phrase, steps=True, missing="empty"), lexicon.plot.trees([phrase])]
    for each in (drawing, *others):
        picture = ET.fromstring(each.svg)
        assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= {
            "svg", "title", "desc", "style", "rect", "g", "path", "text", "tspan",
        }  # fmt: skip
        assert not any(name.startswith("on") or "href" in name for element in picture.iter() for name in element.attrib)
        assert "<script" not in each.content(".html").decode().replace("&lt;script", "")
    titles = {title.text or "" for title in ET.fromstring(drawing.svg).iter(f"{SVG}title")}
    seen = on_one_line(word).replace("\ufffe", "\ufffd")  # a mark that would turn the text is escaped
    assert any(title.startswith(f"{seen}/X: ") for title in titles)


@pytest.mark.thorough
def test_a_drawing_is_the_same_again(animals: Path) -> None:
    with Lexicon.open(animals) as lexicon:
        assert lexicon.plot.apt("dog/NOUN").svg == lexicon.plot.apt("dog/NOUN").svg
        assert draw(lexicon._session, "dog/NOUN").svg == lexicon.plot.apt("dog/NOUN").svg


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MEASURE = """
<script>
const out = [];
for (const text of document.querySelectorAll('text')) {
  const b = text.getBoundingClientRect();
  out.push([text.getAttribute('class'), b.left, b.top, b.right, b.bottom, text.lastChild.textContent]);
}
const rectangles = [...document.querySelectorAll('rect.box')].map(r => r.getBoundingClientRect());
const boxes = rectangles.map(b => [b.left, b.top, b.right, b.bottom]);
document.body.innerHTML = '';
document.body.textContent = JSON.stringify([out, boxes]);
</script>
"""


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("made", ["animals", "odd", "paper"])
def test_texts_in_a_browser(request: pytest.FixtureRequest, tmp_path: Path, made: str) -> None:
    """With the fonts that are there, no two texts are over one another, and those of boxes are in boxes."""
    with Lexicon.open(request.getfixturevalue(made)) as lexicon:
        first = next(iter(lexicon))
        head, *below = lexicon.sql(
            "SELECT head, relation, dependent FROM arcs ORDER BY count DESC, head, relation, dependent LIMIT 1"
        ).rows[0]
        drawings = [
            lexicon.plot.apt(first, max_nodes=60),
            lexicon.plot.apt(Phrase(head, ((below[0], Phrase(below[1])),)), steps=True),
        ]
        if made == "paper":
            drawings.append(
                lexicon.plot.trees(lexicon.phrases(request.getfixturevalue("paper").with_name("paper.conllu")))
            )
    for number, each in enumerate(drawings):
        page = tmp_path / f"{number}.html"
        page.write_bytes(each.content(".html") + MEASURE.encode())
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"--user-data-dir={tmp_path / 'browser'}"]
        quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
        shown = subprocess.run(
            [str(CHROMIUM), *flags, *quiet, page.as_uri()], capture_output=True, check=True, text=True
        )
        body = re.search(r"<body[^>]*>(.*)</body>", shown.stdout, re.DOTALL)
        assert body is not None
        texts, rectangles = json.loads(body[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        assert texts
        for place, (kind, *one, word) in enumerate(texts):
            for _, *other, beside in texts[place + 1 :]:
                assert not meet(shrunk(one), shrunk(other[:4])), (word, beside)
            if "lexeme" in kind and rectangles and made != "paper":
                within = [
                    box for box in rectangles if box[0] <= one[0] and box[1] <= one[1] + 2 and one[3] <= box[3] + 2
                ]
                assert any(one[2] <= box[2] + 1 for box in within) or not within, word


def shrunk(box: Sequence[float]) -> list[float]:
    """The same without the room above and below letters."""
    return [box[0], box[1] + 2, box[2], box[3] - 2]


# The command

NOTE = "aptdb: lmi of packed counts\n"


@pytest.mark.thorough
def test_draw(animals: Path, tmp_path: Path) -> None:
    text = ask("draw", animals, "dog/NOUN")
    assert (text.exit_code, PATIENCE.sub("", text.stderr)) == (0, NOTE)
    assert text.stdout.startswith("anchor  dog/NOUN ")
    for ending in ("svg", "html"):
        file = tmp_path / f"dog.{ending}"
        answer = ask("draw", animals, "dog/NOUN[amod small/ADJ]", "--steps", "-o", file)
        assert (answer.exit_code, answer.stdout) == (0, "")
        told = rf"aptdb: \S+dog\.{ending} shows dog/NOUN\[amod small/ADJ\], \d+ nodes\n{NOTE}"
        assert re.fullmatch(told, PATIENCE.sub("", answer.stderr))
        assert "<svg" in file.read_text(encoding="utf-8")


@pytest.mark.extra
@pytest.mark.sampled(2)
@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG"), ("pdf", b"%PDF-")])
def test_printed(animals: Path, tmp_path: Path, ending: str, begins: bytes) -> None:
    pytest.importorskip("typst")
    file = tmp_path / f"dog.{ending}"
    assert ask("draw", animals, "dog/NOUN", "-o", file).exit_code == 0
    assert file.read_bytes().startswith(begins)


@pytest.mark.thorough
def test_without_typst(animals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "typst", None)
    answer = ask("draw", animals, "dog/NOUN", "-o", tmp_path / "dog.png")
    assert (answer.exit_code, PATIENCE.sub("", answer.stderr)) == (
        1, "aptdb: .png needs typst; install it with: pip install 'aptdb[draw]', or write .svg or .html\n",
    )  # fmt: skip
    assert not [*tmp_path.iterdir()]


def test_a_phrase_as_a_tree(animals: Path) -> None:
    assert ask("draw", animals, "dog/NOUN[amod small/ADJ]", "--tree").stdout == "dog/NOUN 1\n└─ amod small/ADJ 2\n"


def test_as_wide_as_is_said(animals: Path) -> None:
    with Lexicon.open(animals) as lexicon:
        drawing = lexicon.plot.apt("dog/NOUN", top=30)
    for width in (20, 80):
        lines = drawing.as_text(width).splitlines()
        assert all(len(line) <= width or line.count(",") <= 1 for line in lines)
    assert len(drawing.as_text(20)) < len(drawing.as_text(80)) <= len(str(drawing))


def test_in_a_notebook(animals: Path) -> None:
    with Lexicon.open(animals) as lexicon:
        drawing = lexicon.plot.apt("dog/NOUN")
        assert drawing._repr_svg_() == drawing.svg
        assert repr(drawing) == "<Drawing of dog/NOUN>"


def test_box_height() -> None:
    """A box without contexts is as high as a line."""
    assert box_height(Node("")) == box_height(Node("", [Context("dog/NOUN", 1.0)]))


# The page


def made_of_page(folder: Path, run: Any) -> dict[str, str]:
    """The pictures that the page of pictures makes, by their names."""
    for line in re.findall(r"^\$ (aptdb .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        run(folder, line)
    return {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.svg")}


def run_line(folder: Path, line: str) -> None:
    """Run a command as the page has it, in a folder."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        answer = ask(*shlex.split(line)[1:])
    finally:
        os.chdir(here)
    assert answer.exit_code == 0, answer.output


@pytest.mark.thorough
def test_pictures_of_the_page(tmp_path: Path) -> None:
    """They are as they are made now; to renew them, run this file as a program."""
    pytest.importorskip("matplotlib")
    made = made_of_page(tmp_path, run_line)
    kept = {file.name: file.read_text(encoding="utf-8") for file in (PAGE.parent / "pictures").glob("*.svg")}
    assert shown_texts(made.pop("map.svg")) == shown_texts(kept.pop("map.svg"))  # all else may change with matplotlib
    assert made == kept
    assert all(f"(pictures/{name})" in PAGE.read_text(encoding="utf-8") for name in made)


@pytest.mark.thorough
def test_the_site_is_not_built_without_a_picture(tmp_path: Path) -> None:
    """Pictures of the site come from the commands of its pages, none from what is kept."""
    draw_page = runpy.run_path(str(PAGE.parents[2] / ".ci" / "site" / "drawings.py"))["draw"]
    page, pictures = tmp_path / "page.md", tmp_path / "pictures"
    make = "$ aptdb demo --paper --write p.conllu\n$ aptdb add p p.conllu\n$ aptdb draw p dry/_ -o trees.svg\n"
    page.write_text(f"```console\n{make}```\n![trees](pictures/trees.svg)\n", encoding="utf-8")
    draw_page(page, pictures)
    assert (pictures / "trees.svg").read_text(encoding="utf-8").startswith("<svg")
    for text, said in (
        ("![a figure](pictures/figure-1.svg)\n", "page.md shows figure-1.svg, and none of its commands draws it"),
        ("$ aptdb draw nothing\n![trees](pictures/trees.svg)\n", "page.md: aptdb draw nothing ended with 2"),
    ):
        page.write_text(text, encoding="utf-8")
        with pytest.raises(SystemExit, match=re.escape(said)):
            draw_page(page, pictures)


def test_the_papers_sentences(tmp_path: Path) -> None:
    """`aptdb demo --paper` writes figure 1, as the tests of the paper have it."""
    file = tmp_path / "paper.conllu"
    assert ask("demo", "--paper", "--write", file).exit_code == 0
    words = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert words == [line for line in conllu(FIGURE_1.values()).splitlines() if not line.startswith("#")]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made_in:
        for name, picture in made_of_page(Path(made_in), run_line).items():
            (PAGE.parent / "pictures" / name).write_text(picture, encoding="utf-8")


@given(
    st.lists(
        st.lists(st.tuples(st.floats(50, 900), st.floats(50, 800)), min_size=1, max_size=6), min_size=1, max_size=3
    )
)
@examples(50)
def test_rows_are_cut_to_fit_a_page(sizes: list[list[tuple[float, float]]]) -> None:
    """Parts stay in order, and in rows of their own; the result is as high as a page at most, where that can be."""
    rows = [[Part(f"{place} {n}", *size) for n, size in enumerate(row)] for place, row in enumerate(sizes)]
    cut = as_page(rows)
    assert [part for row in cut for part in row] == [part for row in rows for part in row]
    assert all(len({part.text.split()[0] for part in row}) == 1 for row in cut)

    def shape(some: list[list[Part]]) -> tuple[float, float]:
        width = max(sum(part.width + BETWEEN for part in row) - BETWEEN for row in some)
        return width, sum(max(part.height for part in row) + BETWEEN for row in some)

    width, height = shape(cut)
    assert width <= shape(rows)[0] + 1e-6
    assert height <= width * 2**0.5 + 1e-6 or cut == rows


@pytest.mark.thorough
def test_steps_of_five_words_fit_a_page(animals: Path) -> None:
    phrase = "see/VERB[nsubj dog/NOUN[amod small/ADJ], obj cat/NOUN[amod small/ADJ]]"
    with Lexicon.open(animals) as lexicon:
        svg = lexicon.plot.apt(phrase, steps=True, missing="empty").svg
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found is not None
    assert float(found[2]) <= 1.45 * float(found[1])
