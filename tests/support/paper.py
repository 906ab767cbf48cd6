"""The paper's figures: its eight trees, and the APTs that it draws of them."""

from typing import Any

from twins.trees import Token

SETTINGS: dict[str, Any] = {"order": 6, "lexeme": "{form}/{xpos}"}  # no two words here are more than 5 steps apart


def tree(words: str, edges: str) -> list[Token]:
    """A sentence from form/tag words and the depedge lines of figure 1: head, dependent, label."""
    heads = {int(dependent): (int(head), label) for head, dependent, label in map(str.split, edges.split(", "))}
    rows = [(word.split("/"), heads.get(position, (0, "root"))) for position, word in enumerate(words.split(), 1)]
    return [Token(form, form, "_", tag, head, label) for (form, tag), (head, label) in rows]


# Figure 1, as printed.
TREES = {
    # bought ─┬─ nsubj ─ we
    #         └─ dobj ── wine ─┬─ det ── the
    #                          ├─ amod ─ fizzy ─── advmod ─ slightly
    #                          ├─ amod ─ dry
    #                          └─ amod ─ white
    "a": tree(
        "we/PRP bought/VBD the/DT slightly/RB fizzy/JJ dry/JJ white/JJ wine/NN",
        "2 1 nsubj, 2 8 dobj, 8 3 det, 5 4 advmod, 8 5 amod, 8 6 amod, 8 7 amod",
    ),
    # caused ─┬─ nsubj ─ joke ─┬─ poss ─ your
    #         │                └─ amod ─ dry
    #         └─ dobj ── laughter
    "b": tree("your/PRP$ dry/JJ joke/NN caused/VBD laughter/NN", "3 1 poss, 3 2 amod, 4 3 nsubj, 4 5 dobj"),
    # folded ─┬─ nsubj ─ he
    #         └─ dobj ── clothes ─┬─ det ── the
    #                             ├─ amod ─ clean
    #                             └─ amod ─ dry
    "c": tree(
        "he/PRP folded/VBD the/DT clean/JJ dry/JJ clothes/NNS", "2 1 nsubj, 2 6 dobj, 6 3 det, 6 4 amod, 6 5 amod"
    ),
    # look ─┬─ nsubj ─ clothes ─── poss ─ your
    #       └─ xcomp ─ great
    "d": tree("your/PRP$ clothes/NNS look/VBP great/JJ", "2 1 poss, 3 2 nsubj, 3 4 xcomp"),
    # hung ─┬─ nsubj ─ man ─── det ─ the
    #       ├─ prt ─── up
    #       └─ dobj ── clothes ─┬─ det ── the
    #                           └─ amod ─ wet
    "e": tree(
        "the/DT man/PRP hung/VBD up/RP the/DT wet/JJ clothes/NNS",
        "2 1 det, 3 2 nsubj, 3 4 prt, 3 7 dobj, 7 5 det, 7 6 amod",
    ),
    # bought ─┬─ nsubj ─ boy ─── det ─ a
    #         ├─ dobj ── clothes ─┬─ det ── some
    #         │                   └─ amod ─ expensive ─── advmod ─ very
    #         └─ tmod ── yesterday
    "f": tree(
        "a/DT boy/PRP bought/VBD some/DT very/RB expensive/JJ clothes/NNS yesterday/NN",
        "2 1 det, 3 2 nsubj, 7 4 det, 6 5 advmod, 7 6 amod, 3 7 dobj, 3 8 tmod",
    ),
    # folded ─┬─ nsubj ─ she
    #         ├─ prt ─── up
    #         └─ dobj ── all ─── nmod ─ laundry ─┬─ case ─ of
    #                                            └─ det ── the
    "g": tree(
        "she/PRP folded/VBD up/RP all/DT of/IN the/DT laundry/NNS",
        "2 1 nsubj, 2 3 prt, 2 4 dobj, 7 5 case, 7 6 det, 4 7 nmod",
    ),
    # folded ─┬─ nsubj ─ he
    #         └─ nmod ── pressure ─── case ─ under
    "h": tree("he/PRP folded/VBD under/IN pressure/NN", "2 1 nsubj, 4 3 case, 2 4 nmod"),
}

# Figure 2: the columns of each APT from left to right, each read downwards. Three times dry is three lines of it.
FIGURE_2 = {
    "dry/JJ": {  # trees a, b, c
        "<amod<dobj>nsubj": "we/PRP he/PRP",
        "<amod<dobj": "bought/VBD folded/VBD",
        "<amod>poss": "your/PRP$",
        "<amod>det": "the/DT the/DT",
        ">advmod": "slightly/RB",
        "": "fizzy/JJ dry/JJ white/JJ dry/JJ clean/JJ dry/JJ",
        "<amod": "wine/NN joke/NN clothes/NNS",
        "<amod<nsubj": "caused/VBD",
        "<amod<nsubj>dobj": "laughter/NN",
    },
    "clothes/NNS": {  # trees c, d, e, f
        "<dobj>nsubj>det": "the/DT a/DT",
        "<dobj>nsubj": "he/PRP man/PRP boy/PRP",  # man/NN and boy/NN in the figure's source
        "<dobj": "folded/VBD hung/VBD bought/VBD",  # folded/VDB in the figure's source
        "<dobj>prt": "up/RP",  # prp in the figure
        ">poss": "your/PRP$",
        ">det": "the/DT the/DT some/DT",
        ">amod>advmod": "very/RB",
        ">amod": "clean/JJ dry/JJ wet/JJ expensive/JJ",
        "": "clothes/NNS clothes/NNS clothes/NNS clothes/NNS",
        "<nsubj": "look/VBP",
        "<nsubj>xcomp": "great/JJ",
        "<dobj>tmod": "yesterday/NN",
    },
    "folded/VBD": {  # trees c, g, h
        ">nsubj": "he/PRP she/PRP he/PRP",
        "": "folded/VBD folded/VBD folded/VBD",  # the first folded/VDB in the figure's source
        ">prt": "up/RP",  # prp in the figure
        ">nmod>case": "under/IN",
        ">nmod": "pressure/NN",
        ">dobj>det": "the/DT",
        ">dobj>amod": "clean/JJ dry/JJ",
        ">dobj": "clothes/NNS all/DT",
        ">dobj>nmod>case": "of/IN",
        ">dobj>nmod>det": "the/DT",
        ">dobj>nmod": "laundry/NNS",
    },
}

# Figure 6, folded dry clothes: a column for each path from folded, and in it the node of dry, of clothes and of folded.
# The upper APT of figure 3 is dry's, the lower one clothes'. What is faded in both figures is in FADED.
FIGURE_6 = {
    ">nsubj>det": ("", "the/DT a/DT", ""),
    ">nsubj": ("we/PRP he/PRP", "he/PRP man/PRP boy/PRP", "he/PRP she/PRP he/PRP"),
    "": ("bought/VBD folded/VBD", "folded/VBD hung/VBD bought/VBD", "folded/VBD folded/VBD folded/VBD"),
    ">prt": ("", "up/RP", "up/RP"),  # prp in the figure
    ">nmod>case": ("", "", "under/IN"),
    ">nmod": ("", "", "pressure/NN"),
    ">dobj>poss": ("your/PRP$", "your/PRP$", ""),
    ">dobj>det": ("the/DT the/DT", "the/DT the/DT some/DT", "the/DT"),
    ">dobj>amod>advmod": ("slightly/RB", "very/RB", ""),
    ">dobj>amod": (
        "fizzy/JJ dry/JJ white/JJ dry/JJ clean/JJ dry/JJ",
        "clean/JJ dry/JJ wet/JJ expensive/JJ",
        "clean/JJ dry/JJ",
    ),
    ">dobj": ("wine/NN joke/NN clothes/NNS", "clothes/NNS clothes/NNS clothes/NNS clothes/NNS", "clothes/NNS all/DT"),
    ">dobj>nmod>case": ("", "", "of/IN"),
    ">dobj>nmod>det": ("", "", "the/DT"),
    ">dobj>nmod": ("", "", "laundry/NNS"),
    ">tmod": ("", "yesterday/NN", ""),
}
FADED = {
    "dry/JJ": {"<amod<nsubj": "caused/VBD", "<amod<nsubj>dobj": "laughter/NN"},
    "clothes/NNS": {"<nsubj": "look/VBP", "<nsubj>xcomp": "great/JJ"},
}
DELTAS = {"dry/JJ": "<amod<dobj", "clothes/NNS": "<dobj", "folded/VBD": ""}
PHRASE = "folded/VBD[dobj clothes/NNS[amod dry/JJ]]"
