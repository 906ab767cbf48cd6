"""Parse raw text: files as paragraphs, parsers (spaCy, Stanza, UDPipe), and their sentences as CoNLL-U."""

import glob
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache, partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from aptdb.core.errors import CorpusError, QuestionError
from aptdb.corpus.compression import unpack_stream
from aptdb.corpus.corpus_files import (
    PACKED,
    File,
    full_name,
    match_files,
    name_corpus_of_file,
    refuse_alike,
    refuse_same_file_twice,
)
from aptdb.corpus.parsed import RANGE, clean_field, sentence_text, sentences_in

SHOWN = 120  # characters of what another program says
AT_ONCE = 64  # texts that a process is given at once
PROCESSORS = "tokenize,pos,lemma,depparse"  # Stanza itself adds mwt for languages that need it
KINDS = "write spacy:MODEL, stanza:LANGUAGE or udpipe:FILE"

Lines = list[str]  # a sentence in CoNLL-U, without comments


class Parser(Protocol):
    """A parser: from texts to sentences."""

    def sentences(self, texts: Iterable[str]) -> Iterator[list[Lines]]:
        """Return the sentences of each text, in order. Raise CorpusError for a text that cannot be parsed."""


def parser_called(written: str, processes: int = 1, *, tokenised: bool = False) -> Parser:
    """Return the parser written as KIND:MODEL. Raise QuestionError if it is not installed.

    processes: how many may parse at once, where the library can. tokenised: whether each text is one sentence, with
    spaces between its tokens, so that the model needs no tokenizer.
    """
    kind, sign, model = written.partition(":")
    if kind not in PARSERS:
        raise QuestionError(f"no parser {written}; {KINDS}")
    if not (sign and model):
        raise QuestionError(f"{written} needs a model; {KINDS}")
    return PARSERS[kind](model, processes, tokenised)


class Spacy:
    """A pipeline of spaCy, by the name of its package or by its folder."""

    def __init__(self, model: str, processes: int, tokenised: bool) -> None:
        spacy = import_parser("spacy", "spacy")
        try:
            self._pipeline = spacy.load(model, exclude=["ner"])
        except (OSError, ValueError) as error:
            mend = f"install it (python -m spacy download {model}), or name the folder of one"
            raise QuestionError(f"spaCy cannot load a model {model} ({in_short(error)}); {mend}") from error
        self._processes = processes
        self._tokenised = tokenised

    def sentences(self, texts: Iterable[str]) -> Iterator[list[Lines]]:
        """Yield the sentences of each text."""
        documents = map(self._of_tokens, texts) if self._tokenised else texts
        for document in self._pipeline.pipe(documents, n_process=self._processes):
            yield split_parsed_document(document)

    def _of_tokens(self, text: str) -> Any:
        """Return one sentence as a document of its tokens."""
        tokens = text.split()
        starts = [place == 0 for place in range(len(tokens))]
        return import_parser("spacy.tokens", "spacy").Doc(self._pipeline.vocab, words=tokens, sent_starts=starts)


class Stanza:
    """A pipeline of Stanza, by its language code. It parses all texts of a call together."""

    def __init__(self, language: str, processes: int, tokenised: bool) -> None:
        stanza = import_parser("stanza", "stanza")
        try:
            self._pipeline = stanza.Pipeline(
                language, processors=PROCESSORS, download_method=None, verbose=False, tokenize_pretokenized=tokenised
            )
        except (OSError, ValueError, KeyError) as error:
            mend = f'fetch one with: python -c "import stanza; stanza.download({language!r})"'
            raise QuestionError(f"Stanza has no model for {language} here ({in_short(error)}); {mend}") from error

    def sentences(self, texts: Iterable[str]) -> Iterator[list[Lines]]:
        """Yield the sentences of each text."""
        for some in batch_texts(texts, AT_ONCE):
            for document in self._pipeline.bulk_process(some):
                yield split_parsed_document(document)


class Udpipe:
    """A model of UDPipe 1, by file."""

    def __init__(self, file: str, processes: int, tokenised: bool) -> None:
        import_parser("ufal.udpipe", "udpipe")
        if not Path(file).is_file():
            raise QuestionError(f"{file}: no such file; udpipe:FILE names a model of UDPipe 1")
        self._input = "horizontal" if tokenised else "tokenize"
        udpipe_pipeline(file, self._input)  # so that a file that is not a model is reported before processes begin
        self._file = file
        self._processes = processes

    def sentences(self, texts: Iterable[str]) -> Iterator[list[Lines]]:
        """Yield the sentences of each text."""
        from multiprocessing import Pool

        parse = partial(udpipe_sentences, self._file, self._input)
        if self._processes == 1:
            yield from map(parse, texts)
            return
        with Pool(self._processes) as pool:
            for some in batch_texts(texts, AT_ONCE * self._processes):
                yield from pool.map(parse, some)


PARSERS: dict[str, Callable[[str, int, bool], Parser]] = {"spacy": Spacy, "stanza": Stanza, "udpipe": Udpipe}


@cache
def udpipe_pipeline(file: str, reading: str) -> Any:
    """Return the model in a file, as a pipeline from text to CoNLL-U. Raise QuestionError if it is not a model.

    reading: how text is read: tokenize, or horizontal for one sentence a line. The pipeline does not keep its model,
    which must live as long.
    """
    udpipe = import_parser("ufal.udpipe", "udpipe")
    model = udpipe.Model.load(file)
    if not model:
        raise QuestionError(f"{file} is not a model of UDPipe 1")
    if reading == "tokenize" and not model.newTokenizer(model.DEFAULT):
        raise QuestionError(
            f"the model {file} has no tokenizer; give it tokenised text with --tokenised, one sentence a line"
        )
    pipeline = udpipe.Pipeline(model, reading, udpipe.Pipeline.DEFAULT, udpipe.Pipeline.DEFAULT, "conllu")
    pipeline.model = model
    return pipeline


def udpipe_sentences(file: str, reading: str, text: str) -> list[Lines]:
    """Return the sentences of a text by a UDPipe model. Raise CorpusError. reading: see `udpipe_pipeline`."""
    error = import_parser("ufal.udpipe", "udpipe").ProcessingError()
    parsed = udpipe_pipeline(file, reading).process(text, error)
    if error.occurred():
        raise CorpusError(f"UDPipe cannot parse {text[:40]!r}: {in_short(error.message)}")
    return [lines for block in parsed.split("\n\n") if (lines := without_comments(block))]


def split_parsed_document(document: Any) -> list[Lines]:
    """Return the sentences of a document of spaCy or Stanza. Raises CorpusError if it has no trees."""
    found = (sentence_text(words, "the text") for _, words in sentences_in(document, "the text"))
    return [lines for block in found if (lines := without_comments(block))]


def without_comments(block: str) -> Lines:
    """Return the lines of a sentence that are words."""
    return [line for line in block.split("\n") if line and not line.startswith("# ")]


def batch_texts(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield texts in lists of limited length."""
    rest = iter(texts)
    while some := list(islice(rest, size)):
        yield some


def import_parser(name: str, extra: str) -> Any:
    """Return an installed library. Raise QuestionError if it is missing."""
    try:
        return import_module(name)
    except ImportError as error:
        raise QuestionError(f"{name} is not installed; install it with: pip install 'aptdb[{extra}]'") from error


def in_short(problem: object) -> str:
    """Return the message of another program on one line."""
    message = " ".join(str(problem).split())
    return message if len(message) <= SHOWN else message[: SHOWN - 1] + "…"


ENDINGS = tuple(f".txt{packed}" for packed in ("", *PACKED))
LONGEST = 100_000  # characters that are parsed at once: parsers need much memory for each
STOPPED = b"aptdb parse stopped here, before the end of the text\n\n"  # what no reader of CoNLL-U takes for a sentence
BOM = "\ufeff"
READ_BYTES = 1 << 20


class Paragraph(NamedTuple):
    """A paragraph of a document. first: whether the document begins with it. end: its last byte in the file."""

    document: str
    first: bool
    text: str
    end: int


def text_files(arguments: Sequence[str]) -> list[File]:
    """Return text files in order, each with the name of its document.

    `-` is standard input. A folder stands for all files below it whose names end with .txt, also packed; a pattern for
    the matching files. A document has the name of its file without the ending, or with it where two names would be
    equal. Raises CorpusError if an argument matches nothing.
    """
    found = [each for argument in arguments for each in find_text_files(argument)]
    refuse_same_file_twice([file for file, _ in found])
    short = [(file, without_ending(name_corpus_of_file((file, name)))) for file, name in found]
    often = Counter(name for _, name in short)
    named: list[File] = [(file, full_name(file) if often[name] > 1 else name) for file, name in short]
    refuse_alike(named)
    return named


def find_text_files(argument: str) -> list[File]:
    """Return the files that one argument stands for."""
    path = Path(argument)
    if argument == "-":
        return [("-", "stdin")]
    if path.is_dir():
        below = sorted(file.relative_to(path) for file in path.rglob("*") if file.name.lower().endswith(ENDINGS))
        names = [name for name in below if not any(part.startswith(".") for part in name.parts)]
        if not names:
            raise CorpusError(f"{path}: no text in this folder; its files end with .txt")
        return [(str(path / name), name.as_posix()) for name in names]
    if not path.exists():
        if glob.has_magic(argument):
            return match_files(argument)
        raise CorpusError(f"{argument}: no such file")
    return [(argument, None)]


def without_ending(name: str) -> str:
    """Return the name of a text file without its ending."""
    ending = next((each for each in sorted(ENDINGS, key=len, reverse=True) if name.lower().endswith(each)), "")
    return name[: len(name) - len(ending)] or name


def refuse_unreadable(files: Iterable[File]) -> None:
    """Raise CorpusError for an empty or unreadable file, before anything is parsed."""
    for _ in paragraphs(each for each in files if each[0] != "-"):
        pass


def paragraphs(files: Iterable[File], *, by_line: bool = False) -> Iterator[Paragraph]:
    """Yield the paragraphs of files, or each line; paragraphs that are too long are cut between words.

    Raises CorpusError for a file without text.
    """
    for file, name in files:
        first = True
        for gathered, end in join_lines(read_text_lines(file, str(name)), by_line=by_line):
            for text in cut_text(gathered):
                yield Paragraph(str(name), first, text, end)
                first = False
        if first:
            raise CorpusError(f"{name if file == '-' else file}: it has no text")


def join_lines(lines: Iterable[tuple[str, int]], *, by_line: bool) -> Iterator[tuple[str, int]]:
    """Yield consecutive lines as one text, each with the position of its end."""
    gathered: list[str] = []
    size = end = 0
    for line, end in lines:
        gathered.append(line)
        size += len(line)
        if by_line or not line.strip() or size >= LONGEST:
            yield "".join(gathered), end
            gathered, size = [], 0
    yield "".join(gathered), end


def cut_text(text: str) -> Iterator[str]:
    """Yield a text in short enough pieces, cut at white space; nothing if it is empty."""
    while len(text) > LONGEST:
        at = max(text.rfind(space, 1, LONGEST) for space in " \n\t")
        yield text[: at if at > 0 else LONGEST]
        text = text[at if at > 0 else LONGEST :]
    if text.strip():
        yield text


def read_text_lines(file: str, name: str) -> Iterator[tuple[str, int]]:
    """Yield the lines of a file, each with the bytes read so far. Raise CorpusError, with file and line."""
    place = name if file == "-" else file
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as raw:
            text, rest, number = unpack_stream(raw, place), b"", 0  # type: ignore[arg-type]
            while block := text.read(READ_BYTES):
                *lines, rest = (rest + block).split(b"\n")
                for line in lines:
                    number += 1
                    yield decode_line(line + b"\n", place, number), 0 if file == "-" else raw.tell()
            if rest:
                yield decode_line(rest, place, number + 1), 0 if file == "-" else raw.tell()
    except OSError as error:
        raise CorpusError(f"{place}: cannot be read: {error.strerror or error}") from error


def decode_line(line: bytes, place: str, number: int) -> str:
    """Return a line as text. Raise CorpusError, with file and line, if it is not UTF-8."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{place}:{number}: byte {error.start + 1} of the line (0x{line[error.start]:02x}) is not UTF-8; convert "
            "the file, e.g. with iconv"
        ) from error
    return (text.removeprefix(BOM) if number == 1 else text).replace("\r\n", "\n")


def as_conllu(
    texts: Iterable[Paragraph], parser: Parser, follow: Callable[[Paragraph, int], None] = lambda *_: None
) -> Iterator[bytes]:
    """Yield parsed paragraphs as CoNLL-U, with comments: document, paragraph, the sentence's id and text.

    follow: called with each parsed paragraph and the number of words so far.
    """
    waiting: deque[Paragraph] = deque()
    sentence = words = 0

    def given() -> Iterator[str]:
        for paragraph in texts:
            waiting.append(paragraph)
            yield paragraph.text

    for parsed in parser.sentences(given()):
        paragraph = waiting.popleft()
        begun = [f"# newdoc id = {clean_field(paragraph.document)}"] if paragraph.first else []
        sentence = 0 if paragraph.first else sentence
        for number, lines in enumerate(parsed):
            sentence += 1
            words += len(lines)
            comments = [*begun, *(["# newpar"] if number == 0 else [])]
            comments += [f"# sent_id = {clean_field(paragraph.document)}-{sentence}", f"# text = {rebuild_text(lines)}"]
            yield ("\n".join([*comments, *lines]) + "\n\n").encode(errors="replace")
            begun = []
        follow(paragraph, words)


def rebuild_text(lines: Iterable[str]) -> str:
    """Return the text of a sentence from its CoNLL-U words, with spaces as far as SpaceAfter tells."""
    parts, covered = [], 0
    for line in lines:
        number, form, *_, misc = line.split("\t")
        if RANGE.fullmatch(number):
            covered = int(number.partition("-")[2])
        elif not number.isdigit() or int(number) <= covered:
            continue
        parts += [form, "" if "SpaceAfter=No" in misc.split("|") else " "]
    return "".join(parts).strip()
