"""A synthetic corpus to try aptdb with, made by a small seeded grammar. It shows nothing about English.

It stands in for the 600 million words behind the paper's tables 2 to 4 (section 5.2, disambiguation). Five nouns are
ambiguous on purpose: each belongs to two topics, and shares the verbs, adjectives and modifiers of their other nouns.
General words occur with everything, and sometimes a word comes from another topic. Senses are not marked. Randomness is
`Random(seed).random()` alone, so the text is the same on every machine.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

# A noun, and an adjective for each of its two senses.
EXAMPLES: tuple[tuple[str, str, str], ...] = (
    ("shoot/NOUN", "green/ADJ", "six-week/ADJ"),
    ("group/NOUN", "musical/ADJ", "ethnic/ADJ"),
    ("body/NOUN", "human/ADJ", "legislative/ADJ"),
    ("work/NOUN", "social/ADJ", "literary/ADJ"),
    ("field/NOUN", "magnetic/ADJ", "athletic/ADJ"),
)

# The words and the patterns of sentences are in demo_grammar.toml. Nouns by the kind of a part: their role in a topic.
NOUNS = {"theme": "things", "thing": "things", "agent": "agents", "by_agent": "agents", "place": "places"}
# Words of the topic: their role, and which of their forms is used.
OPEN = {
    "do": ("acts", "VERB", 0),
    "act": ("acts", "VERB", 1),
    "acted": ("acts", "VERB", 2),
    "does": ("does", "VERB", 1),
    "adjective": ("adjectives", "ADJ", 0),
    "modifier": ("modifiers", "NOUN", 0),
}
DETERMINERS, PLACING = "the a the this his her their that", "the this the"
POSSESSIVES, MANY = ("his", "her", "their"), {"this": "these", "that": "those"}

STRAY, COMMON = 0.07, 0.13  # how often a word comes from another topic, and how often it is a general one
LEANING = 6.0  # how much the preferred words of a noun differ from the order of the table
PLURAL, PLACED, OPTION = 0.3, 0.1, 0.4
# What can come before a noun, and how often; less often before persons and places.
MODIFIED = (("adjective", "amod", 0.45), ("adjective", "amod", 0.05), ("modifier", "compound", 0.1))
PLAIN = (("quality", "amod", 0.15),)


@cache
def read_grammar() -> tuple[list[tuple[int, str]], dict[str, tuple[str, str]], list[dict[str, str]]]:
    """Return patterns of sentences, words of all topics, and the topics; the last topic is the general one."""
    import tomllib

    read = tomllib.loads((Path(__file__).parent / "demo_grammar.toml").read_text(encoding="utf-8"))
    return read["patterns"], read["words"], read["topics"]


@dataclass(eq=False)
class Word:
    """A future token. A phrase is a list of words; its head has no head yet."""

    form: str
    lemma: str
    upos: str
    relation: str = "root"
    head: "Word | None" = None


class Speaker:
    """Generator of sentences. Each has a topic and a main noun, on which the choice of its other words depends."""

    def __init__(self, seed: int) -> None:
        self.patterns, self.words, self.topics = read_grammar()
        self.general = self.topics[-1]
        self.random = Random(seed).random
        self.leanings: dict[tuple[str, str], list[str]] = {}
        self.topic, self.about, self.plural, self.used = self.general, "", False, set[str]()

    def sentence(self) -> list[Word]:
        """Say the next sentence, its full stop included."""
        self.topic = self.topics[self.weighted([1 / (rank + 12) for rank in range(len(self.topics))])]
        self.about, self.plural, self.used = "", False, set()
        self.about = self.chosen("things")
        pattern = self.patterns[self.weighted([often for often, _ in self.patterns])][1]
        items = [(str(number), item) for number, item in enumerate(pattern.split(" | "), 1)]
        kept = {number: item.strip("()").split() for number, item in items if item[0] != "(" or self.random() < OPTION}
        parts = {number: self.part(kind) for number, (kind, _, _) in kept.items()}
        heads = {"0": None} | {number: find_head_of_phrase(part) for number, part in parts.items()}
        for number, (_, relation, head) in kept.items():
            hang(parts[number], relation, heads[head])
        words = [word for part in parts.values() for word in part]
        return [*words, Word(".", ".", "PUNCT", "punct", find_head_of_phrase(words))]

    def part(self, kind: str) -> list[Word]:
        """Return the words of one part of a pattern."""
        if kind in NOUNS:
            entry = self.about if kind == "theme" else self.chosen(NOUNS[kind])
            return self.noun_phrase("by:" + entry if kind == "by_agent" else entry, plain=NOUNS[kind] != "things")
        if kind in OPEN:
            words, upos, form = OPEN[kind]
            lemma, *past = self.chosen(words).split("/")
            past = past or [lemma + ("d" if lemma[-1] == "e" else "ed")]
            return [Word((lemma, past[0], past[-1])[form], lemma, upos)]
        if kind == "be":
            return [Word("were" if self.plural else "was", "be", "AUX")]
        upos, entries = self.words[kind]
        word, _, lemma = self.likely(entries.split()).partition("/")
        return [Word(word, lemma or word, upos)]

    def noun_phrase(self, entry: str, plain: bool) -> list[Word]:
        """Return a noun with its dependents; a plain one has a determiner and at most one, general, adjective."""
        preposition, _, noun = entry.rpartition(":")
        lemma, _, many = noun.partition("/")
        plural = many != "-" and not preposition and self.random() < PLURAL
        head = Word((many or plural_form(lemma)) if plural else lemma, lemma, "NOUN")
        phrase = [head]
        for kind, relation, chance in PLAIN if plain else MODIFIED:
            if self.random() < chance:
                phrase[-1:-1] = hang(self.part(kind), relation, head)
        determiner = self.likely((PLACING if preposition else DETERMINERS).split())
        if determiner != "a" or not (plural or many == "-"):
            phrase.insert(0, choose_determiner(determiner, phrase[0].form, plural, head))
        if preposition:
            phrase.insert(0, Word(preposition, preposition, "ADP", "case", head))
        if not plain and self.random() < PLACED:
            phrase += hang(self.part("place"), "nmod", head)
        self.plural = plural
        return phrase

    def chosen(self, kind: str) -> str:
        """Return a word that is new in the sentence: the topic's, a general one, or another topic's."""
        while True:
            chance, source = self.random(), self.topic
            if chance < STRAY + COMMON:
                source = self.general if chance < COMMON else self.topics[int(self.random() * len(self.topics))]
            entry = self.likely(self.leaning(source[kind]))
            if entry not in self.used:
                self.used.add(entry)
                return entry

    def leaning(self, entries: str) -> list[str]:
        """Return words roughly in the order of the table: each noun has its own favourites."""
        words, key = entries.split(), (self.about, entries)
        if self.about and key not in self.leanings:
            places = {word: place + self.random() * LEANING for place, word in enumerate(words)}
            self.leanings[key] = sorted(words, key=lambda word: places[word])
        return self.leanings.get(key, words)

    def likely(self, words: list[str]) -> str:
        """Return one of some words, the earlier ones more often, after Zipf."""
        return words[self.weighted([1 / (rank + 2) for rank in range(len(words))])]

    def weighted(self, weights: Sequence[float]) -> int:
        """Return a random position, by weight."""
        reached = list(accumulate(weights))
        return bisect(reached, self.random() * reached[-1])


def find_head_of_phrase(phrase: list[Word]) -> Word:
    """Return the word of a phrase that has no head."""
    return next(word for word in phrase if word.head is None)


def hang(phrase: list[Word], relation: str, head: Word | None) -> list[Word]:
    """Make a phrase depend on a word."""
    own = find_head_of_phrase(phrase)
    own.relation, own.head = relation, head
    return phrase


def choose_determiner(lemma: str, following: str, plural: bool, head: Word) -> Word:
    """Return a determiner for the word that follows."""
    if lemma in POSSESSIVES:
        return Word(lemma, lemma, "PRON", "nmod:poss", head)
    vowel = following[0] in "aeiou" and not following.startswith("uni")
    form = "an" if lemma == "a" and vowel else MANY.get(lemma, lemma) if plural else lemma
    return Word(form, lemma, "DET", "det", head)


def plural_form(noun: str) -> str:
    """Return the regular plural of a noun."""
    if noun.endswith("y") and noun[-2] not in "aeou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def write_demo_sentence(words: list[Word], number: int) -> str:
    """Return a sentence as CoNLL-U."""
    words[0].form = words[0].form[0].upper() + words[0].form[1:]
    places = {id(word): str(place) for place, word in enumerate(words, 1)}
    lines, text = [], ""
    for word, after in zip(words, [*words[1:], None], strict=True):
        glued = after is not None and after.upos == "PUNCT"
        text += word.form if glued or after is None else word.form + " "
        columns = [places[id(word)], word.form, word.lemma, word.upos, "_", "_", places.get(id(word.head), "0")]
        lines.append("\t".join([*columns, word.relation, "_", "SpaceAfter=No" if glued else "_"]))
    return "\n".join([f"# sent_id = demo-{number}", f"# text = {text}", *lines, "", ""])


def corpus(seed: int = 1, tokens: int = 60_000) -> Iterator[str]:
    """Yield sentences as CoNLL-U, until there are enough tokens. The same seed gives the same sentences."""
    speaker, made, number = Speaker(seed), 0, 0
    while made < tokens:
        words, number = speaker.sentence(), number + 1
        made += len(words)
        yield write_demo_sentence(words, number)


TREES = (
    (
        "we/PRP bought/VBD the/DT slightly/RB fizzy/JJ dry/JJ white/JJ wine/NN",
        "2 1 nsubj, 2 8 dobj, 8 3 det, 5 4 advmod, 8 5 amod, 8 6 amod, 8 7 amod",
    ),
    ("your/PRP$ dry/JJ joke/NN caused/VBD laughter/NN", "3 1 poss, 3 2 amod, 4 3 nsubj, 4 5 dobj"),
    ("he/PRP folded/VBD the/DT clean/JJ dry/JJ clothes/NNS", "2 1 nsubj, 2 6 dobj, 6 3 det, 6 4 amod, 6 5 amod"),
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


def paper_sentences() -> str:
    """Return the paper's eight sentences as CoNLL-U. Words are their own lemmas; the paper's tags are XPOS."""
    return "".join(
        f"# sent_id = {letter}\n{make_demo_sentence(*tree)}\n" for letter, tree in zip("abcdefgh", TREES, strict=True)
    )


def make_demo_sentence(words: str, arcs: str) -> str:
    """Return the next sentence, with its full stop."""
    heads = {dependent: (head, relation) for head, dependent, relation in map(str.split, arcs.split(", "))}
    lines = []
    for number, word in enumerate(words.split(), 1):
        form, _, tag = word.partition("/")
        head, relation = heads.get(str(number), ("0", "root"))
        lines.append("\t".join([str(number), form, form, "_", tag, "_", head, relation, "_", "_"]) + "\n")
    return "".join(lines)
