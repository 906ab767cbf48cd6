"""A corpus to try aptdb with. It is synthetic: a small seeded grammar makes it up, so it says nothing about English.

It stands in for the 600 million words behind the paper's tables 2 to 4 (section 5.2, disambiguation). Five nouns are
ambiguous on purpose: each belongs to two topics, and shares the verbs, adjectives and modifiers of their other nouns.
General words go with everything, and sometimes a word comes from another topic. Nothing marks a sense. All chance is
`Random(seed).random()`, weighted by plain quotients, so the text is the same everywhere.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random

# A noun, and an adjective for each of its two senses.
EXAMPLES: tuple[tuple[str, str, str], ...] = (
    ("shoot/NOUN", "green/ADJ", "six-week/ADJ"),
    ("group/NOUN", "musical/ADJ", "ethnic/ADJ"),
    ("body/NOUN", "human/ADJ", "legislative/ADJ"),
    ("work/NOUN", "social/ADJ", "literary/ADJ"),
    ("field/NOUN", "magnetic/ADJ", "athletic/ADJ"),
)


@dataclass(frozen=True)
class Topic:
    """Words that belong together, by their role in a sentence, the more frequent first.

    things: nouns, with irregular plurals after a slash, or `-` if there is no plural. agents: who acts.
    acts: verbs that agents do to things; does: verbs of things alone; both with irregular pasts (and participles).
    modifiers: nouns before things. places: preposition and noun, after verbs and things.
    """

    things: str
    agents: str
    acts: str
    does: str
    adjectives: str
    modifiers: str
    places: str


GENERAL = Topic(
    things="thing part example kind/- piece result place problem name question life/lives",
    agents="man/men woman/women child/children friend team visitor student expert neighbour family",
    acts="see/saw/seen have/had find/found like/liked use know/knew/known need show/showed/shown describe want discuss",
    does="change come/came/come appear remain begin/began/begun go/went/gone stay disappear",
    adjectives="big new small old good other important strange famous whole different similar modern early beautiful",
    modifiers="world summer test night country",
    places="in:morning after:week in:city during:year at:end before:winter in:country",
)
TOPICS: tuple[Topic, ...] = (
    Topic(
        things="leaf/leaves shoot flower branch bud stem root fruit twig stalk sprout seedling shrub blossom vine fern",
        agents="gardener farmer botanist grower child/children insect neighbour",
        acts="water prune plant cut/cut trim/trimmed pick tend damage graft eat/ate/eaten clip/clipped pollinate",
        does="grow/grew/grown wither bloom sprout emerge thrive wilt ripen droop rot/rotted",
        adjectives="green tender young fresh leafy wild healthy woody fragile dry bitter slender",
        modifiers="rose apple bean tomato willow garden bamboo",
        places="in:garden in:spring in:greenhouse near:hedge on:hill during:drought",
    ),
    Topic(
        things="show tour shoot session concert rehearsal interview filming/- festival broadcast audition taping",
        agents="director producer actor crew photographer studio singer manager",
        acts="plan/planned schedule attend cancel/cancelled postpone finish film organize interrupt sponsor",
        does="start end last resume overrun/overran/overrun fail drag/dragged succeed",
        adjectives="six-week live long final outdoor exhausting promotional expensive televised public musical",
        modifiers="film video fashion television stage photo",
        places="in:studio at:theatre in:desert on:stage during:summer on:island",
    ),
    Topic(
        things="band orchestra group singer choir ensemble musician quartet trio troupe duo soloist",
        agents="conductor audience fan composer manager critic producer drummer",
        acts="hear/heard record join applaud conduct admire form lead/led hire book reunite/reunited promote",
        does="perform play sing/sang/sung rehearse tour improvise disband drum/drummed split/split",
        adjectives="musical popular talented acoustic amateur classical young loud live local virtuosic",
        modifiers="jazz rock folk string gospel brass",
        places="at:festival in:hall on:stage at:club on:album during:tour",
    ),
    Topic(
        things="community group minority tribe population nation clan movement faction caste ethnicity diaspora",
        agents="government historian army anthropologist settler empire activist minister",
        acts="protect persecute recognize represent displace exclude study/studied oppress expel/expelled resettle",
        does="settle migrate protest survive flee/fled rebel/rebelled vanish vote suffer",
        adjectives="ethnic large indigenous religious oppressed social rural tribal nomadic marginal political",
        modifiers="minority border language hill refugee",
        places="in:province across:border in:village on:coast after:war during:famine",
    ),
    Topic(
        things="brain heart body skin/- muscle organ bone lung liver tissue skull embryo organism",
        agents="doctor surgeon nurse scientist virus patient pathologist",
        acts="examine treat heal scan/scanned injure affect study/studied dissect damage weaken infect transplant",
        does="heal age recover ache bleed/bled swell/swelled/swollen decay shrink/shrank/shrunk",
        adjectives="human sick living healthy injured athletic delicate muscular dead young infected fragile",
        modifiers="adult infant animal cancer whale",
        places="in:hospital in:laboratory after:accident during:operation with:scanner in:clinic",
    ),
    Topic(
        things="council committee body assembly parliament commission board legislature senate authority agency",
        agents="voter president minister lobbyist citizen king party governor",
        acts="elect address dissolve chair advise convene appoint summon abolish petition reform",
        does="vote meet/met debate adjourn act rule legislate deliberate resign",
        adjectives="legislative federal regional independent elected powerful political advisory public constitutional",
        modifiers="city state party trade parish",
        places="in:capital in:chamber after:election during:crisis before:vote in:province",
    ),
    Topic(
        things="project work/- research/- programme service training/- care/- therapy/- teaching/- counselling/-",
        agents="charity volunteer manager government counsellor hospital nurse foundation",
        acts="support fund supervise organize deliver evaluate coordinate undertake/undertook/undertaken expand",
        does="continue help expand improve stop/stopped suffer matter succeed end",
        adjectives="social voluntary professional clinical public essential unpaid therapeutic educational practical",
        modifiers="youth family prison community health",
        places="in:community at:clinic in:school during:crisis in:prison with:grant",
    ),
    Topic(
        things="book work novel story poem essay text play memoir treatise poetry/- monograph sonnet",
        agents="author critic poet editor reader publisher scholar translator",
        acts="write/wrote/written read/read publish review translate edit quote praise finish print illustrate censor",
        does="appear sell/sold circulate endure survive succeed offend",
        adjectives="literary poetic fictional unfinished lyrical satirical celebrated classical long political",
        modifiers="prose crime history travel war",
        places="in:library in:magazine during:war in:journal at:university in:verse",
    ),
    Topic(
        things="stadium field gym pool track arena court pitch gymnasium rink facility ballpark",
        agents="coach player school club athlete council university referee",
        acts="build/built open renovate visit share leave/left upgrade clean repair enlarge resurface enter",
        does="open close flood crumble empty reopen",
        adjectives="athletic indoor outdoor crowded muddy olympic public green grassy floodlit local spacious",
        modifiers="football hockey tennis school practice",
        places="near:campus after:match before:game beside:river during:tournament in:suburb",
    ),
    Topic(
        things="wave field current beam particle vector flux/- charge radiation/- voltage spectrum/spectra plasma/-",
        agents="physicist engineer scientist detector researcher satellite instrument",
        acts="measure generate detect compute amplify/amplified deflect observe calculate weaken disturb absorb",
        does="vary/varied oscillate decay weaken fluctuate spread/spread rotate interact",
        adjectives="magnetic electric strong weak stable solar uniform quantum external rotating",
        modifiers="plasma laser neutron photon radio",
        places="in:laboratory near:surface inside:reactor around:coil during:experiment in:vacuum",
    ),
    Topic(
        things="soup cake meal bread/- sauce fish/fish pie cheese salad egg pasta/- rice/- dessert",
        agents="cook waiter guest baker chef mother customer",
        acts="cook eat/ate/eaten serve bake taste order prepare share burn buy/bought",
        does="cool boil rise/rose/risen burn smell melt rot/rotted",
        adjectives="fresh hot sweet cold delicious bitter spicy cheap warm dry",
        modifiers="chicken potato lemon chocolate tomato",
        places="in:kitchen at:restaurant in:oven for:dinner with:spoon on:plate",
    ),
    GENERAL,
)

# The patterns of sentences: the kind of each part, its relation, and the number of its head; parts in brackets may be
# left out. The number before a pattern is its weight.
PATTERNS: tuple[tuple[int, str], ...] = (
    (20, "agent nsubj 3 | (adverb advmod 3) | act root 0 | theme obj 3 | (place obl 3)"),
    (10, "pronoun nsubj 2 | act root 0 | theme obj 2 | (place obl 2)"),
    (3, "name nsubj 2 | act root 0 | theme obj 2 | (place obl 2)"),
    (12, "theme nsubj:pass 3 | be aux:pass 3 | acted root 0 | (by_agent obl:agent 3) | (place obl 3)"),
    (14, "theme nsubj 2 | does root 0 | (adverb advmod 2) | (place obl 2)"),
    (8, "theme nsubj 4 | be cop 4 | (degree advmod 4) | adjective root 0"),
    (4, "theme nsubj 3 | be cop 3 | adjective root 0 | and cc 5 | adjective conj 3"),
    (4, "it nsubj 3 | be cop 3 | theme root 0 | (place nmod 3)"),
    (8, "agent nsubj 2 | act root 0 | theme obj 2 | and cc 5 | thing conj 3 | (place obl 2)"),
    (6, "agent nsubj 2 | act root 0 | theme obj 2 | and cc 5 | act conj 2 | thing obj 5"),
    (6, "agent nsubj 2 | ventured root 0 | to mark 4 | do xcomp 2 | theme obj 4"),
    (5, "theme nsubj 5 | that obj 4 | agent nsubj 4 | act acl:relcl 1 | does root 0"),
    (5, "place obl 4 | , punct 4 | agent nsubj 4 | act root 0 | theme obj 4"),
    (4, "agent nsubj 2 | act root 0 | theme obj 2 | , punct 7 | but cc 7 | thing nsubj 7 | does conj 2"),
)
NOUNS = {"theme": "things", "thing": "things", "agent": "agents", "by_agent": "agents", "place": "places"}
# Words of the topic: their place in its table, and which of their forms is used.
OPEN = {
    "do": ("acts", "VERB", 0),
    "act": ("acts", "VERB", 1),
    "acted": ("acts", "VERB", 2),
    "does": ("does", "VERB", 1),
    "adjective": ("adjectives", "ADJ", 0),
    "modifier": ("modifiers", "NOUN", 0),
}
# Words of all topics: the tag of each kind, and its forms, with the lemma if it differs.
CLOSED = {
    "pronoun": ("PRON", "she he they we I you"),
    "name": ("PROPN", "Maria Thomas Anna"),
    "adverb": ("ADV", "slowly soon quickly again suddenly often quietly"),
    "degree": ("ADV", "very quite too rather"),
    "ventured": ("VERB", "wanted/want began/begin tried/try decided/decide refused/refuse hoped/hope"),
    "quality": ("ADJ", "old young new small other good tall"),
}
MARKS = {"it": "PRON", "that": "PRON", "to": "PART", "and": "CCONJ", "but": "CCONJ", ",": "PUNCT"}
DETERMINERS, PLACING = "the a the this his her their that", "the this the"
POSSESSIVES, MANY = ("his", "her", "their"), {"this": "these", "that": "those"}

STRAY, COMMON = 0.07, 0.13  # how often a word comes from another topic, and how often it is a general one
LEANING = 6.0  # how much the preferred words of a noun differ from the order of the table
PLURAL, PLACED, OPTION = 0.3, 0.1, 0.4
# What can come before a noun, and how often; less often before persons and places.
MODIFIED = (("adjective", "amod", 0.45), ("adjective", "amod", 0.05), ("modifier", "compound", 0.1))
PLAIN = (("quality", "amod", 0.15),)


@dataclass(eq=False)
class Word:
    """A future token. A phrase is a list of them; one of them, its head, has no head yet."""

    form: str
    lemma: str
    upos: str
    relation: str = "root"
    head: "Word | None" = None


class Speaker:
    """Says sentences. Each has a topic and a noun that it is about, on which the choice of its other words leans."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random
        self.leanings: dict[tuple[str, str], list[str]] = {}
        self.topic, self.about, self.plural, self.said = GENERAL, "", False, set[str]()

    def sentence(self) -> list[Word]:
        """Say the next sentence, its full stop included."""
        self.topic = TOPICS[self.weighted([1 / (rank + 12) for rank in range(len(TOPICS))])]
        self.about, self.plural, self.said = "", False, set()
        self.about = self.chosen("things")
        pattern = PATTERNS[self.weighted([often for often, _ in PATTERNS])][1]
        items = [(str(number), item) for number, item in enumerate(pattern.split(" | "), 1)]
        kept = {number: item.strip("()").split() for number, item in items if item[0] != "(" or self.random() < OPTION}
        parts = {number: self.part(kind) for number, (kind, _, _) in kept.items()}
        heads = {"0": None} | {number: head_of(part) for number, part in parts.items()}
        for number, (_, relation, head) in kept.items():
            hang(parts[number], relation, heads[head])
        words = [word for part in parts.values() for word in part]
        return [*words, Word(".", ".", "PUNCT", "punct", head_of(words))]

    def part(self, kind: str) -> list[Word]:
        """Say one part of a pattern."""
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
        upos, entries = CLOSED.get(kind) or (MARKS[kind], kind)
        said, _, lemma = self.likely(entries.split()).partition("/")
        return [Word(said, lemma or said, upos)]

    def noun_phrase(self, entry: str, plain: bool) -> list[Word]:
        """Say a noun with what belongs to it; a plain one has a determiner and at most one, general, adjective."""
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
            phrase.insert(0, determined(determiner, phrase[0].form, plural, head))
        if preposition:
            phrase.insert(0, Word(preposition, preposition, "ADP", "case", head))
        if not plain and self.random() < PLACED:
            phrase += hang(self.part("place"), "nmod", head)
        self.plural = plural
        return phrase

    def chosen(self, kind: str) -> str:
        """Choose a word that was not in the sentence yet: the topic's, a general one, or another topic's."""
        while True:
            chance, source = self.random(), self.topic
            if chance < STRAY + COMMON:
                source = GENERAL if chance < COMMON else TOPICS[int(self.random() * len(TOPICS))]
            entry = self.likely(self.leaning(getattr(source, kind)))
            if entry not in self.said:
                self.said.add(entry)
                return entry

    def leaning(self, entries: str) -> list[str]:
        """Put words in the order of the table, more or less: each noun has its own favourites."""
        words, key = entries.split(), (self.about, entries)
        if self.about and key not in self.leanings:
            places = {word: place + self.random() * LEANING for place, word in enumerate(words)}
            self.leanings[key] = sorted(words, key=lambda word: places[word])
        return self.leanings.get(key, words)

    def likely(self, words: list[str]) -> str:
        """Choose one of some words, the earlier ones more often, after Zipf."""
        return words[self.weighted([1 / (rank + 2) for rank in range(len(words))])]

    def weighted(self, weights: Sequence[float]) -> int:
        """Choose a position at random, by weight."""
        reached = list(accumulate(weights))
        return bisect(reached, self.random() * reached[-1])


def head_of(phrase: list[Word]) -> Word:
    """Find the word of a phrase that has no head."""
    return next(word for word in phrase if word.head is None)


def hang(phrase: list[Word], relation: str, head: Word | None) -> list[Word]:
    """Make a phrase depend on a word."""
    own = head_of(phrase)
    own.relation, own.head = relation, head
    return phrase


def determined(lemma: str, following: str, plural: bool, head: Word) -> Word:
    """Make a determiner for the word that follows."""
    if lemma in POSSESSIVES:
        return Word(lemma, lemma, "PRON", "nmod:poss", head)
    vowel = following[0] in "aeiou" and not following.startswith("uni")
    form = "an" if lemma == "a" and vowel else MANY.get(lemma, lemma) if plural else lemma
    return Word(form, lemma, "DET", "det", head)


def plural_form(noun: str) -> str:
    """Make the regular plural."""
    if noun.endswith("y") and noun[-2] not in "aeou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def conllu(words: list[Word], number: int) -> str:
    """Write a sentence as CoNLL-U."""
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
    """Make sentences, as CoNLL-U, until there are so many tokens. The same seed gives the same sentences."""
    speaker, said, number = Speaker(seed), 0, 0
    while said < tokens:
        words, number = speaker.sentence(), number + 1
        said += len(words)
        yield conllu(words, number)
