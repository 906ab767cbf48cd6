"""The paper's eight trees (its figure 1), as CoNLL-U: words with their tags, and arcs: head, dependent, relation."""

TREES = (
    (
        "we/PRP bought/VBD the/DT slightly/RB fizzy/JJ dry/JJ white/JJ wine/NN",
        "2 1 nsubj, 2 8 dobj, 8 3 det, 5 4 advmod, 8 5 amod, 8 6 amod, 8 7 amod",
    ),
    ("your/PRP$ dry/JJ joke/NN caused/VBD laughter/NN", "3 1 poss, 3 2 amod, 4 3 nsubj, 4 5 dobj"),
    (
        "he/PRP folded/VBD the/DT clean/JJ dry/JJ clothes/NNS",
        "2 1 nsubj, 2 6 dobj, 6 3 det, 6 4 amod, 6 5 amod",
    ),
    ("your/PRP$ clothes/NNS look/VBP great/JJ", "2 1 poss, 3 2 nsubj, 3 4 xcomp"),
    (
        "the/DT man/PRP hung/VBD up/RP the/DT wet/JJ clothes/NNS",
        "2 1 det, 3 2 nsubj, 3 4 prt, 3 7 dobj, 7 5 det, 7 6 amod",
    ),
    (
        "a/DT boy/PRP bought/VBD some/DT very/RB expensive/JJ clothes/NNS yesterday/NN",
        "2 1 det, 3 2 nsubj, 7 4 det, 6 5 advmod, 7 6 amod, 3 7 dobj, 3 8 tmod",
    ),
    (
        "she/PRP folded/VBD up/RP all/DT of/IN the/DT laundry/NNS",
        "2 1 nsubj, 2 3 prt, 2 4 dobj, 7 5 case, 7 6 det, 4 7 nmod",
    ),
    ("he/PRP folded/VBD under/IN pressure/NN", "2 1 nsubj, 4 3 case, 2 4 nmod"),
)


def corpus() -> str:
    """Return the text of the file. Words are their own lemmas; the paper's tags are XPOS."""
    return "".join(f"# sent_id = {letter}\n{sentence(*tree)}\n" for letter, tree in zip("abcdefgh", TREES, strict=True))


def sentence(words: str, arcs: str) -> str:
    """Return the lines of the words of a tree."""
    heads = {dependent: (head, relation) for head, dependent, relation in map(str.split, arcs.split(", "))}
    lines = []
    for number, word in enumerate(words.split(), 1):
        form, _, tag = word.partition("/")
        head, relation = heads.get(str(number), ("0", "root"))
        lines.append("\t".join([str(number), form, form, "_", tag, "_", head, relation, "_", "_"]) + "\n")
    return "".join(lines)
