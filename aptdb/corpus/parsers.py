"""Parsers of raw text: spaCy, Stanza and UDPipe, each in one way. They are imported when they are named."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from aptdb.corpus.parsed import sentence_text, sentences_in
from aptdb.errors import CorpusError, QuestionError

SHOWN = 120  # characters of what another program says
AT_ONCE = 64  # texts that a process is given at once
PROCESSORS = "tokenize,pos,lemma,depparse"  # Stanza itself adds mwt for languages that need it
KINDS = "write spacy:MODEL, stanza:LANGUAGE or udpipe:FILE"

Lines = list[str]  # a sentence in CoNLL-U, without comments


class Parser(Protocol):
    """What makes sentences of texts."""

    def sentences(self, texts: Iterable[str]) -> Iterator[list[Lines]]:
        """The sentences of each text, in order. Raises CorpusError for a text that cannot be parsed."""


def parser_called(written: str, processes: int = 1) -> Parser:
    """The parser that is written as KIND:MODEL. Raises QuestionError if it is not there.

    processes: how many may parse at once, where the library can.
    """
    kind, sign, model = written.partition(":")
    if kind not in PARSERS:
        raise QuestionError(f"no parser {written}; {KINDS}")
    if not (sign and model):
        raise QuestionError(f"{written} names no model; {KINDS}")
    return PARSERS[kind](model, processes)


class Spacy:
    """A pipeline of spaCy, by the name of its package or by its folder."""

    def __init__(self, model: str, processes: int) -> None:
        spacy = library("spacy", "spacy")
        try:
            self._pipeline = spacy.load(model, exclude=["ner"])
        except (OSError, ValueError) as error:
            mend = f"install it (python -m spacy download {model}), or name the folder of one"
            raise QuestionError(f"spaCy cannot load a model {model} ({in_short(error)}); {mend}") from error
        self._processes = processes

    def sentences(self, texts: Iterable[str]) -> Iterator[list[Lines]]:
        """The sentences of each text."""
        for document in self._pipeline.pipe(texts, n_process=self._processes):
            yield sentences_of(document)


class Stanza:
    """A pipeline of Stanza, by the code of its language. It parses all texts that it is given at once together."""

    def __init__(self, language: str, processes: int) -> None:
        stanza = library("stanza", "stanza")
        try:
            self._pipeline = stanza.Pipeline(language, processors=PROCESSORS, download_method=None, verbose=False)
        except (OSError, ValueError, KeyError) as error:
            mend = f'fetch one with: python -c "import stanza; stanza.download({language!r})"'
            raise QuestionError(f"Stanza has no model for {language} here ({in_short(error)}); {mend}") from error

    def sentences(self, texts: Iterable[str]) -> Iterator[list[Lines]]:
        """The sentences of each text."""
        for some in batches(texts, AT_ONCE):
            for document in self._pipeline.bulk_process(some):
                yield sentences_of(document)


class Udpipe:
    """A model of UDPipe 1, by its file."""

    def __init__(self, file: str, processes: int) -> None:
        library("ufal.udpipe", "udpipe")
        if not Path(file).is_file():
            raise QuestionError(f"{file}: no such file; udpipe:FILE names a model of UDPipe 1")
        udpipe_pipeline(file)  # so that a file that is no model is told before processes begin
        self._file = file
        self._processes = processes

    def sentences(self, texts: Iterable[str]) -> Iterator[list[Lines]]:
        """The sentences of each text."""
        from multiprocessing import Pool

        parse = partial(udpipe_sentences, self._file)
        if self._processes == 1:
            yield from map(parse, texts)
            return
        with Pool(self._processes) as pool:
            for some in batches(texts, AT_ONCE * self._processes):
                yield from pool.map(parse, some)


PARSERS: dict[str, Callable[[str, int], Parser]] = {"spacy": Spacy, "stanza": Stanza, "udpipe": Udpipe}


@cache
def udpipe_pipeline(file: str) -> Any:
    """The model in a file, as a pipeline from text to CoNLL-U. Raises QuestionError if it is none.

    The pipeline does not keep its model, which must live as long.
    """
    udpipe = library("ufal.udpipe", "udpipe")
    model = udpipe.Model.load(file)
    if not model:
        raise QuestionError(f"{file} is no model of UDPipe 1")
    pipeline = udpipe.Pipeline(model, "tokenize", udpipe.Pipeline.DEFAULT, udpipe.Pipeline.DEFAULT, "conllu")
    pipeline.model = model
    return pipeline


def udpipe_sentences(file: str, text: str) -> list[Lines]:
    """The sentences of a text by the model in a file. Raises CorpusError."""
    error = library("ufal.udpipe", "udpipe").ProcessingError()
    parsed = udpipe_pipeline(file).process(text, error)
    if error.occurred():
        raise CorpusError(f"UDPipe cannot parse {text[:40]!r}: {in_short(error.message)}")
    return [lines for block in parsed.split("\n\n") if (lines := without_comments(block))]


def sentences_of(document: Any) -> list[Lines]:
    """The sentences of a document of spaCy or Stanza. Raises CorpusError if it has no trees."""
    found = (sentence_text(None, words, "the text") for _, words in sentences_in(document, "the text"))
    return [lines for block in found if (lines := without_comments(block))]


def without_comments(block: str) -> Lines:
    """The lines of a sentence that are words."""
    return [line for line in block.split("\n") if line and not line.startswith("# ")]


def batches(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    """Texts in lists of at most so many."""
    rest = iter(texts)
    while some := list(islice(rest, size)):
        yield some


def library(name: str, extra: str) -> Any:
    """A library that is installed beside aptdb. Raises QuestionError if it is not."""
    try:
        return import_module(name)
    except ImportError as error:
        raise QuestionError(f"{name} is not installed; install it with: pip install 'aptdb[{extra}]'") from error


def in_short(problem: object) -> str:
    """What another program says, as a part of one line."""
    said = " ".join(str(problem).split())
    return said if len(said) <= SHOWN else said[: SHOWN - 1] + "…"
