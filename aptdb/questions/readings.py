"""Read phrases as people type them: the lexemes of the words, and the likeliest tree over them.

The likelihood of a reading is that of its words (the share of tokens with this spelling that are of the lexeme) times,
for each arc, the count of its two lexemes along its relation over the frequencies of both. Each count is smoothed by
the count expected by chance, so that words can be read that were never seen together, and weighted by the share of such
dependents on this side of their heads. (meaning.md 7.6)
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar
from unicodedata import is_normalized

from aptdb.core.display import how_many
from aptdb.core.errors import InterpretationWarning, PhraseError, QuestionError, warn
from aptdb.core.phrase import Phrase
from aptdb.core.settings import Settings, lower_letters, name_letters, normalise_lexeme
from aptdb.counting.patterns import SEQUENCE, is_written_pattern
from aptdb.questions.calls import Question, Questions, name_question, refuse_single_question
from aptdb.questions.phrase_parser import EXAMPLE, Found, Grammar, ScoredArcs, Tree, TypedWord, likeliest, typed_words
from aptdb.store.session import Session
from aptdb.store.statements import refuse_no_text, statement

if TYPE_CHECKING:
    from aptdb.corpus.sources import Source

AnyText = TypeVar("AnyText", str, str | None)

WORDS = 12  # of a phrase, at most
LEAST = 0.05  # the share of a reading that is shown
SHOWN = 5  # readings, at most
PATTERN = re.compile(r"form:.*|/.+/|\S*[*?]\S*|\[\]", re.DOTALL)  # what is asked for beside lexemes; [] is any


@dataclass(frozen=True)
class Reading:
    """A possible reading of a text. share: its likelihood among all readings. counts: the counts behind it.

    >>> lexicon.read("green shoot")[0].phrase
    """

    phrase: Phrase
    share: float
    counts: str
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the phrase as messages show it."""
        without = f", without {', '.join(self.left_out)}" if self.left_out else ""
        return f"{self.phrase} ({self.counts}{without})"


# What may be asked
def as_read(session: Session, x: Question, parameters: Mapping[str, Any]) -> Question:
    """Return a question; for typed words the phrase that they are read as, with an InterpretationWarning."""
    if isinstance(x, Phrase):
        return normalise_phrases(session, {str(x): x}).get(str(x), x)
    return x if not isinstance(x, str) else all_read(session, [x], parameters)[x]


def each_as_read(session: Session, questions: Questions, parameters: Mapping[str, Any]) -> Questions:
    """Return several questions, each read as by `as_read`, under its own name."""
    if not isinstance(questions, Mapping):
        questions = list(refuse_single_question(questions))
    given = list(questions.values() if isinstance(questions, Mapping) else questions)
    found = all_read(session, [each for each in given if isinstance(each, str)], parameters)
    lower = normalise_phrases(session, {str(each): each for each in given if isinstance(each, Phrase)})
    if not lower and all(text == meant for text, meant in found.items()):
        return questions
    meant = [
        found[each] if isinstance(each, str) else lower.get(str(each), each) if isinstance(each, Phrase) else each
        for each in given
    ]
    numbered = enumerate(given, 1)
    names = questions if isinstance(questions, Mapping) else [name_question(each, number) for number, each in numbered]
    return dict(zip(names, meant, strict=True))


def as_lexeme(session: Session, text: AnyText) -> AnyText:
    """Return a lexeme; for a typed word its likeliest lexeme, with an InterpretationWarning.

    A pattern is in lower case if the lexicon is. Text that cannot be read is returned unchanged: the question answers
    it, or reports what is wrong. Raises QuestionError for words that are a phrase.
    """
    if not isinstance(text, str) or asks_for_matches(session, text):
        return text
    if is_pattern(session, text):
        return normalise_pattern(session, text)
    read = all_read(session, [text], {"missing": "ignore"})[text]
    if isinstance(read, str):
        return read
    if read.dependents:
        raise QuestionError(f"{text!r} is a phrase; this question takes one lexeme, as {read.lexeme}")
    return read.lexeme


def all_read(session: Session, texts: Sequence[str], parameters: Mapping[str, Any]) -> dict[str, str | Phrase]:
    """Return some texts, typed words replaced by their readings. Warn of these.

    Where `missing` allows unknown words, a text with such a word is not changed.
    """
    for text in texts:
        if asks_for_matches(session, text):
            raise QuestionError(
                f"{text:.60} is a pattern; this question takes lexemes and phrases (patterns are taken by matches, "
                "evidence, counts-by, trend, frames, apt --observed and keyness --phrase)"
            )
    found: dict[str, str | Phrase] = {text: text for text in texts}
    bracketed = {text: parsed for text in texts if (parsed := read_brackets(text)) is not None}
    found |= {
        text: each if each.dependents else each.lexeme for text, each in normalise_phrases(session, bracketed).items()
    }
    for text in list_typed_texts(session, [*found]):
        try:
            read = readings(session, text)
        except QuestionError:
            if len(text.split()) == 1 or parameters.get("missing", "error") != "error":
                continue
            raise
        tell(text, read)
        found[text] = read[0].phrase
    return found


def normalise_phrases(session: Session, phrases: Mapping[str, Phrase]) -> dict[str, Phrase]:
    """Return, by text, the phrases that a lexicon has in lower case or in Unicode's NFC. Warn of these."""
    settings = session.settings
    asked = {text: phrase for text, phrase in phrases.items() if needs_normalising(settings, text)}
    names = {word["lexeme"] for phrase in asked.values() for word in phrase.words()}
    normal = {name: other for name in names if (other := normalise_lexeme(settings, name)) != name}
    known = known_names(session, [*normal, *normal.values()]) if normal else set()
    normal = {name: other for name, other in normal.items() if name not in known and other in known}
    found = {text: meant for text, phrase in asked.items() if (meant := rename_lexemes(phrase, normal)) != phrase}
    for text, meant in found.items():
        letters = name_letters(settings, [name for name in normal if name in text])
        warn(f"{text} → {meant} (this lexicon is {letters})", InterpretationWarning)
    return found


def needs_normalising(settings: Settings, text: str) -> bool:
    """Return whether normalisation by these settings may change a text."""
    return (settings.lowercase and text != lower_letters(text)) or (settings.nfc and not is_normalized("NFC", text))


def asks_for_matches(session: Session, text: str) -> bool:
    """Return whether a text is a pattern of trees or a sequence, and not a phrase of lexemes that the lexicon has."""
    if not is_written_pattern(text) or known_names(session, [text]):
        return False
    if SEQUENCE.fullmatch(text):
        return True
    try:
        words = {word["lexeme"] for word in Phrase.parse(text).words()}
    except PhraseError:
        return True
    plain = not session.settings.has_pos() and not set(text) & set("*?{!|<>")
    return not (plain or words <= known_names(session, [*words]))


def read_brackets(text: str) -> Phrase | None:
    """Return a lexeme with its part of speech, or a phrase in brackets, as a phrase; None for other text."""
    if text.endswith("]"):
        try:
            return Phrase.parse(text)
        except PhraseError:
            return None
    return Phrase(text) if "/" in text and not PATTERN.fullmatch(text) else None


def normalise_pattern(session: Session, text: str) -> str:
    """Return a pattern for lexemes, its lemma in lower case and in NFC if the lexicon is. Warn of that."""
    if text.startswith(("form:", "/")):
        return text
    if (normal := normalise_lexeme(session.settings, text)) != text:
        warn(f"{text} → {normal} (this lexicon is {name_letters(session.settings, [text])})", InterpretationWarning)
    return normal


def rename_lexemes(phrase: Phrase, names: Mapping[str, str]) -> Phrase:
    """Return a phrase with some of its lexemes under other names."""
    below = tuple((relation, rename_lexemes(each, names)) for relation, each in phrase.dependents)
    return Phrase(names.get(phrase.lexeme, phrase.lexeme), below, phrase.number)


def list_typed_texts(session: Session, texts: Sequence[str]) -> list[str]:
    """Return the texts that are neither in brackets, nor a pattern, nor a known name, nor a word with its POS."""
    plain = [text for text in texts if text.strip() and not {*text} & {"[", "\0"} and not PATTERN.fullmatch(text)]
    plain = [text for text in plain if len(text.split()) > 1 or "/" not in text]
    if not plain:
        return []
    for text in plain:
        refuse_no_text(text)
    known = known_names(session, plain)
    return [text for text in plain if text not in known]


def known_names(session: Session, texts: Sequence[str]) -> set[str]:
    """Return the texts that are lexemes or names of entries."""
    return {name for (name,) in session.reading().rows(statement("questions/readings/known"), {"texts": texts})}


def is_pattern(session: Session, text: str | None) -> bool:
    """Return whether a text asks for lexemes or forms like it: a pattern that is not itself a lexeme."""
    return text is not None and bool(PATTERN.fullmatch(text)) and not known_names(session, [text])


def tell(text: str, read: Sequence[Reading]) -> None:
    """Warn of the reading of a text, with alternatives."""
    others = "".join(f"\nor {each}" for each in read[1:])
    warn(f"{text} → {read[0]}{others}", InterpretationWarning)


# Readings
def readings(
    session: Session, text: str, grammar: Grammar | None = None, looked_up: Found | None = None
) -> list[Reading]:
    """Return possible readings of typed words, the likeliest first. Raise QuestionError for unreadable words.

    grammar, looked_up: that of the lexicon, and what `look_up` has of many texts.
    """
    words = typed_words(session, text, looked_up)
    left_out = tuple(word.text for word in words if not word.lexemes)
    counted = [word for word in words if word.lexemes]
    if not counted:
        raise QuestionError(f"{text!r} has no word that this lexicon counts; {EXAMPLE}")
    if len(counted) > WORDS:
        raise QuestionError(
            f"{text!r} has {len(counted)} words; at most {WORDS} are read as a phrase; choose a parser, or name a "
            "file with the parsed sentence: @FILE"
        )
    if len(counted) == 1:
        return of_one_word(counted[0], left_out)
    arcs = ScoredArcs(session, counted, grammar or Grammar(session))
    weights = [[log(lexeme.tokens) for lexeme in word.lexemes] for word in counted]
    roots = [[arcs.root((place, number)) for number in range(len(word.lexemes))] for place, word in enumerate(counted)]
    trees = likeliest(weights, roots, arcs.between)
    if not trees:
        raise QuestionError(f"{text!r}: no relation in this lexicon connects these words; {EXAMPLE}")
    odds = [exp(tree.score - trees[0].score) for tree in trees]
    found = [
        Reading(tree_as_phrase(counted, tree), share / sum(odds), count_arcs(tree, arcs), left_out)
        for tree, share in zip(trees, odds, strict=True)
    ]
    return [each for each in found[:SHOWN] if each.share >= LEAST]


def of_one_word(word: TypedWord, left_out: tuple[str, ...]) -> list[Reading]:
    """Return the lexemes of a word by itself, those with the most tokens that are written so first."""
    found = sorted(word.lexemes, key=lambda lexeme: (-lexeme.tokens, -lexeme.frequency, lexeme.text))
    tokens = sum(lexeme.tokens for lexeme in found)
    return [
        Reading(Phrase(each.text), each.tokens / tokens, f"{how_many(each.tokens, 'token')} written so", left_out)
        for each in found
    ]


def tree_as_phrase(words: Sequence[TypedWord], tree: Tree) -> Phrase:
    """Return a tree as a phrase, its words numbered in the typed order."""
    above = {arc.dependent: (arc.head[0] + 1, arc.relation) for arc in tree.arcs} | {tree.root: (0, "root")}
    rows = [(place + 1, words[place].lexemes[number].text, *above[place, number]) for place, number in sorted(above)]
    return Phrase.from_rows(rows)


def count_arcs(tree: Tree, arcs: ScoredArcs) -> str:
    """Return the count of each arc of a tree, by dependent."""
    return ", ".join(f"{arc.relation} {arcs.count(arc):,}" for arc in sorted(tree.arcs, key=lambda arc: arc.dependent))


def phrases(session: Session, source: str | Path | BinaryIO) -> list[Phrase]:
    """Return the sentences of a CoNLL-U source as phrases, with lexemes and relations as this lexicon makes them.

    Words are numbered by token order. Words that the lexicon excludes are left out if they have no dependents. Raises
    CorpusError, as file:line if a line is wrong, and PhraseError for a sentence that is not one tree.
    """
    from aptdb.corpus.sources import Source

    found = []
    with Source(source) as opened:
        for number, rows in sentence_rows(session.settings, opened):
            try:
                found.append(Phrase.from_rows(rows))
            except PhraseError as error:
                raise PhraseError(f"{opened.place}, sentence {number}: {error}") from error
    if not found:
        raise PhraseError(f"{opened.place}: no sentence in it")
    return found


def read(session: Session, text: str, *, parser: str | None = None) -> list[Reading]:
    """Return the phrases that typed words may mean, e.g. `small dog`, the likeliest first, each with its share.

    parser: a parser to use instead, as spacy:MODEL, stanza:LANGUAGE or udpipe:FILE; it gives one reading. Raises
    QuestionError for an unknown word, or for words that form no tree.
    """
    if not isinstance(text, str):
        raise QuestionError(f"the text is {text!r:.60}; expected words, e.g. 'small dog'")
    if parser is None:
        return readings(session, text)
    return [Reading(parse_typed(session, text, parser), 1.0, f"by {parser}")]


def as_parsed(session: Session, text: str, parser: str) -> Phrase | str:
    """Return a question as a parser reads it, with an InterpretationWarning.

    Return the text itself if it names a lexeme or an entry.
    """
    if not list_typed_texts(session, [text]):
        return text
    found = read(session, text, parser=parser)
    tell(text, found)
    return found[0].phrase


def parse_typed(session: Session, text: str, parser: str) -> Phrase:
    """Return a text as a parser reads it. Raises QuestionError if it is not one sentence."""
    from aptdb.corpus.raw_text import parser_called

    sentences = [each for some in parser_called(parser).sentences([text]) for each in some]
    if len(sentences) != 1:
        raise QuestionError(f"{parser} finds {len(sentences)} sentences in {text!r}; expected one phrase")
    return phrases(session, BytesIO("\n".join([*sentences[0], "", ""]).encode()))[0]


def sentence_rows(settings: Settings, source: "Source") -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """Yield the sentences of a source as a lexicon with these settings reads them.

    Yields the number of each sentence, and a row for each of its words: position, lexeme (None if it is left out),
    position of the head, relation. Raises CorpusError, which names file and line.
    """
    from aptdb.counting.reading import chunks_as_tokens
    from aptdb.store import schema
    from aptdb.store.database import in_memory

    sentences = 0
    with closing(in_memory()) as scratch, scratch.transaction():
        schema.create(scratch, settings)
        for _ in chunks_as_tokens(scratch, settings, source):
            by_sentence: dict[int, list[tuple[Any, ...]]] = {}
            for sentence, *row in scratch.rows(statement("counting/read/token_rows")):
                by_sentence.setdefault(sentence, []).append(tuple(row))
            for rows in by_sentence.values():
                sentences += 1
                yield sentences, rows
