"""Map the words of a data set to the lexemes of a lexicon: by its template, its tags and relations, and spellings."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from aptdb.core.errors import QuestionError
from aptdb.core.phrase import Phrase
from aptdb.core.settings import FEATURE, FIELDS, Settings
from aptdb.counting.reading import stems_of
from aptdb.evaluation.datasets import Item

UNKNOWN = "?"  # the tag of a word that the lexicon does not have under any tag


@dataclass(frozen=True)
class Names:
    """Names in a lexicon that differ from those of Universal Dependencies, and from those of a data set.

    relations: the lexicon's names by those of Universal Dependencies, e.g. nn by compound. tags: in the same way, e.g.
    NN by NOUN. spellings: sets of spellings of one word; the one that is most frequent in the lexicon is used. pos: the
    part of speech of words without one. If it is None, two words that are compared get the part of speech that they
    share; of several, the one in which the rarer of the two is most frequent; without one, each is its most frequent
    lexeme.

    >>> lexicon.eval.table_5("ml2010.txt", names=Names(relations={"compound": "nn"}, tags={"NOUN": "NN"}))
    """

    relations: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    spellings: Sequence[Sequence[str]] = ()
    pos: str | None = None

    def __post_init__(self) -> None:
        for name in ("relations", "tags"):
            if not isinstance(getattr(self, name), Mapping):
                raise QuestionError(f"{name} is {getattr(self, name)!r}; expected a dictionary, e.g. {{'obj': 'dobj'}}")
        for each in self.spellings:
            if isinstance(each, str) or not all(isinstance(word, str) for word in each):
                raise QuestionError(f"spellings has {each!r}; expected a list of lists, e.g. [['colour', 'color']]")

    def shown(self) -> dict[str, str]:
        """Return the differing names as short texts."""
        digest = sha256(json.dumps(self.spellings).encode()).hexdigest()[:8]
        shown = {
            "relations": ",".join(f"{name}={own}" for name, own in self.relations.items()),
            "tags": ",".join(f"{name}={own}" for name, own in self.tags.items()),
            "variants": f"{len(self.spellings)} words, {digest}" if self.spellings else "",
            "pos": self.pos or "",
        }
        return {name: value for name, value in shown.items() if value}


@dataclass(frozen=True)
class Lexeme:
    """A lexeme of the lexicon, with its part of speech and the number of its tokens."""

    text: str
    pos: str
    frequency: int


Known = Callable[[Sequence[str], Sequence[str]], Iterable[tuple[str, str, str, int]]]
Normal = Callable[[Sequence[str]], Mapping[str, str]]


class LexemeMapping:
    """Maps the items of a data set to the lexemes and relations of a lexicon.

    settings: those of the lexicon. normal: a function that normalises words as `evaluation/normal` does. known: a
    function that returns, for lexemes and lemmas, the rows of `evaluation/known`. Phrases as people type
    them are in `typed` by their texts, None until `take_readings` brings how they are read.
    """

    def __init__(
        self, names: Names, settings: Settings, items: Sequence[Item], *, normal: Normal, known: Known
    ) -> None:
        self.names = names
        self.settings = settings
        self.spelt = join_spellings(names.spellings)
        words = {each.lexeme for item in items for side in (item.a, item.b) for each in with_dependents(side)}
        every = sorted({spelling for word in words for spelling in self.spellings(split_word_of_set(word)[0])})
        self.normal = normal(every)
        stems = stems_of(settings.stemmer, [self.normal[word] for word in every]) if settings.has_stem() else every
        self.stems = dict(zip(every, stems, strict=True))
        lexemes = {text for word in words for text in self.candidates(*split_word_of_set(word))}
        lemmas = {text for word in words for text in self.lemmas(split_word_of_set(word)[0])}
        self.by_text: dict[str, Lexeme] = {}
        self.by_lemma: dict[str, list[Lexeme]] = {}
        for text, lemma, pos, frequency in known(sorted(lexemes), sorted(lemmas)):
            self.by_text[text] = Lexeme(text, pos, frequency)
            self.by_lemma.setdefault(lemma, []).append(self.by_text[text])
        self.typed: dict[str, Phrase | None] = {
            split_word_of_set(word)[0]: None for word in sorted(words) if self.is_typed(word)
        }

    def take_readings(self, read: Mapping[str, Phrase]) -> None:
        """Take how typed phrases are read, whose lexemes the lexicon has."""
        self.typed |= read
        for lexeme in {each.lexeme for phrase in read.values() for each in with_dependents(phrase)}:
            self.by_text.setdefault(lexeme, Lexeme(lexeme, "", 0))

    def is_typed(self, lexeme: str) -> bool:
        """Return whether this is several words that are no lexeme of the lexicon together."""
        word, tag = split_word_of_set(lexeme)
        if len(word.split()) <= 1 or (not tag and self.by_pos(word)):
            return False
        return self.by_text.keys().isdisjoint(self.candidates(word, tag))

    def named(self, item: Item) -> Item:
        """Return an item in the lexicon's lexemes and relations."""
        if all(self.is_untagged(each) and not self.reading(each) for each in (item.a, item.b)):
            a, b = self.in_common(split_word_of_set(item.a.lexeme)[0], split_word_of_set(item.b.lexeme)[0])
            return replace(item, a=Phrase(a), b=Phrase(b))
        return replace(item, a=self.named_phrase(item.a), b=self.named_phrase(item.b))

    def lacking(self, item: Item) -> list[str]:
        """Return the lexemes of a mapped item that are not in the lexicon, in order."""
        lexemes = [each.lexeme for side in (item.a, item.b) for each in with_dependents(side)]
        return [lexeme for lexeme in dict.fromkeys(lexemes) if lexeme not in self.by_text]

    def reading(self, phrase: Phrase) -> Phrase | None:
        """Return how a phrase that was typed is read; None for others, and for one that cannot be read."""
        return self.typed.get(split_word_of_set(phrase.lexeme)[0])

    def named_phrase(self, phrase: Phrase) -> Phrase:
        """Return a data set's phrase with the names that this lexicon has for its lexemes and relations."""
        if read := self.reading(phrase):
            return read
        if self.is_untagged(phrase):  # beside a phrase
            word = split_word_of_set(phrase.lexeme)[0]
            return Phrase(self.most_frequent(word, self.by_pos(word)))
        dependents = tuple((self.relation(name), self.named_phrase(each)) for name, each in phrase.dependents)
        return replace(phrase, lexeme=self.lexeme(*split_word_of_set(phrase.lexeme)), dependents=dependents)

    def lexeme(self, word: str, tag: str) -> str:
        """Return the lexeme of a word with this tag, in its most frequent spelling, or as it is written."""
        return max(self.candidates(word, tag), key=self.frequency)

    def in_common(self, word: str, other: str) -> tuple[str, str]:
        """Return the lexemes of two words without parts of speech."""
        one, two = self.by_pos(word), self.by_pos(other)
        shared = sorted(one.keys() & two.keys())
        if shared:
            pos = max(shared, key=lambda each: sorted((one[each].frequency, two[each].frequency)))
            return one[pos].text, two[pos].text
        return self.most_frequent(word, one), self.most_frequent(other, two)

    def most_frequent(self, word: str, by_pos: Mapping[str, Lexeme]) -> str:
        """Return the most frequent lexeme of a word; without one, the word with the tag for unknown."""
        if not by_pos:
            return self.lexeme(word, UNKNOWN)
        return max(by_pos.values(), key=lambda each: (each.frequency, each.pos)).text

    def by_pos(self, word: str) -> dict[str, Lexeme]:
        """Return the lexemes of a word by part of speech, each in its most frequent spelling."""
        found: dict[str, Lexeme] = {}
        for lemma in self.lemmas(word):
            for lexeme in self.by_lemma.get(lemma, []):
                if lexeme.pos not in found or lexeme.frequency > found[lexeme.pos].frequency:
                    found[lexeme.pos] = lexeme
        return found

    def is_untagged(self, phrase: Phrase) -> bool:
        """Return whether this is a single word without a part of speech."""
        return not phrase.dependents and not split_word_of_set(phrase.lexeme)[1] and not self.names.pos

    def frequency(self, lexeme: str) -> int:
        """Return the number of a lexeme's tokens; 0 if it is not in the lexicon."""
        return self.by_text[lexeme].frequency if lexeme in self.by_text else 0

    def candidates(self, word: str, tag: str) -> list[str]:
        """Return the possible lexemes of a word, one for each spelling; the first is as it is written."""
        return [self.filled(self.settings.lexeme_parts(), each, self.tag(tag)) for each in self.spellings(word)]

    def lemmas(self, word: str) -> list[str]:
        """Return the possible lemmas of a word's lexemes: the whole lexeme, or the part before the last slash."""
        texts = [self.filled(self.settings.lexeme_parts(), each, "") for each in self.spellings(word)]
        return [text.rpartition("/")[0] if self.settings.has_pos() else text for text in texts]

    def spellings(self, word: str) -> list[str]:
        """Return a word as it is written, and its other spellings."""
        return list(dict.fromkeys([word, *self.spelt.get(word, ())]))

    def filled(self, parts: Sequence[str], word: str, tag: str) -> str:
        """Return a lexeme made from the items of a template, of a word without features: a data set has none."""
        values = {**dict.fromkeys(FIELDS, self.normal[word]), "{stem}": self.stems[word], "{upos}": tag, "{xpos}": tag}
        return "".join("_" if FEATURE.fullmatch(part) else values.get(part, part) for part in parts)

    def tag(self, tag: str) -> str:
        """Return the lexicon's name for a tag."""
        tag = tag or self.names.pos or UNKNOWN
        return self.names.tags.get(tag, self.settings.pos_map.get(tag, tag))

    def relation(self, name: str) -> str:
        """Return the lexicon's name for a relation."""
        return self.names.relations.get(name, self.settings.relation_map.get(name, name))


def join_spellings(spellings: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Return the spellings of each word. Sets that share a word become one."""
    found: dict[str, list[str]] = {}
    for each in spellings:
        whole = list(dict.fromkeys([*each, *(word for one in each for word in found.get(one, []))]))
        found |= dict.fromkeys(whole, whole)
    return found


def split_word_of_set(lexeme: str) -> tuple[str, str]:
    """Return a word of a data set and its tag, which may be ''."""
    word, _, tag = lexeme.rpartition("/")
    return word, tag


def with_dependents(phrase: Phrase) -> list[Phrase]:
    """Return the words of a phrase, the head first."""
    return [phrase, *(below for _, each in phrase.dependents for below in with_dependents(each))]
