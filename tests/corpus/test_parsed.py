"""Parsed sentences of Python values and of other libraries give the text, and the counts, of their CoNLL-U."""

import io
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given

from aptdb import CorpusError
from aptdb.corpus.parsed import ParsedText, conllu_lines, find_kind_of_source, place_in
from support.lexicons import Counted, new_lexicon, triples
from support.runs import examples
from support.strategies import corpora
from twins.counting import count
from twins.trees import Sentence, Token, conllu

pytestmark = pytest.mark.extra  # some of these tests need a package of an extra

few = examples(8)
FULL_TAGS = {"N": "NOUN", "V": "VERB", "PUNCT": "PUNCT"}
DOGS: list[dict[str, Any]] = [
    {"form": "Dogs", "lemma": "dog", "upos": "NOUN", "xpos": "NNS", "head": 2, "deprel": "nsubj"},
    {"form": "bark", "lemma": "bark", "upos": "VERB", "xpos": "VBP", "head": 0, "deprel": "root"},
]
TEXT = "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"


def text_of(source: Any) -> str:
    """The CoNLL-U text of parsed sentences."""
    return b"".join(conllu_lines(source, "here")).decode()


def mapping(number: int, token: Token) -> dict[str, Any]:
    """A token of the twin as a mapping."""
    return {"id": number, **token._asdict(), "deprel": token.relation}


# Plain values
@few
@given(corpora())
def test_mappings_objects_and_tuples(sentences: list[Sentence]) -> None:
    words = [[mapping(number, token) for number, token in enumerate(each, 1)] for each in sentences]
    text = conllu(sentences)
    assert text_of(words) == text
    assert text_of([{key: word[key] for key in word if key != "id"} for word in each] for each in words) == text
    assert text_of([SimpleNamespace(**word) for word in each] for each in words) == text
    order = ("id", "form", "lemma", "upos", "head", "deprel")
    untagged = [[token._replace(xpos="_") for token in each] for each in sentences]
    assert text_of([tuple(word[key] for key in order) for word in each] for each in words) == conllu(untagged)


def test_sentences_are_taken_one_by_one() -> None:
    taken = 0

    def endless() -> Iterator[list[dict[str, Any]]]:
        nonlocal taken
        while True:
            taken += 1
            yield DOGS

    stream = ParsedText(endless(), "here")
    assert stream.read(10) + stream.read(len(TEXT)) == (TEXT + TEXT).encode()[: 10 + len(TEXT)]
    assert taken == 2
    assert ParsedText([DOGS, DOGS], "here").read() == (TEXT + TEXT).encode()
    assert ParsedText([], "here").read(10) == b""


def test_what_is_missing_and_what_is_no_text() -> None:
    bare = {"form": " \t", "head": 0, "deprel": "ro\not", "lemma": "a\tb\x85c", "upos": "", "space_after": False}
    assert text_of([[bare]]) == "1\t_\ta b c\t_\t_\t_\t0\tro ot\t_\tSpaceAfter=No\n\n"
    nan = {"id": 1.0, "form": "\u2028é", "lemma": float("nan"), "head": 0.0, "deprel": "root"}
    nan |= {"misc": "A=b|SpaceAfter=No"}
    assert text_of([[nan]]) == "1\t\u2028é\t_\t_\t_\t_\t0\troot\t_\tA=b|SpaceAfter=No\n\n"


def test_empty_sentences_are_left_out() -> None:
    assert text_of([[], DOGS, iter(()), [{"id": (0, ".", 1), "form": "x"}]]) == TEXT


def test_errors_of_the_sentences_own_pass() -> None:
    def failing() -> Iterator[Any]:
        yield DOGS
        raise OSError("the parser is gone")

    with pytest.raises(OSError, match="the parser is gone"):
        ParsedText(failing(), "here").read(1 << 20)


def test_what_a_corpus_is_read_from() -> None:
    sources: list[Any] = ["x", Path("x"), io.BytesIO(), [], iter([])]
    assert [find_kind_of_source(each) for each in sources] == ["file", "file", "stream", "parsed", "parsed"]


def test_where_a_line_came_from() -> None:
    sentences = text_of([DOGS, DOGS]) + "# sent_id = weblog-3\n1-2\tDogsbark\t_\n" + TEXT + TEXT
    places = [place_in(sentences.encode(), line, 9) for line in range(10)]
    assert places == [
        "sentence 10, word 1", "sentence 10, word 2", "sentence 10, word 2",
        "sentence 11, word 1", "sentence 11, word 2", "sentence 11, word 2",
        "sentence 12 (sent_id weblog-3)", "sentence 12 (sent_id weblog-3), words 1-2",
        "sentence 12 (sent_id weblog-3), word 1", "sentence 12 (sent_id weblog-3), word 2",
    ]  # fmt: skip


# conllu and pyconll
RICH = (
    "# sent_id = weblog-3\n1-2\tDogsbark\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t2:nsubj|2.1:nsubj:xsubj\tGloss=canes|Typo\n"
    "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t0:root\t_\n2.1\tbark\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\t!\t!\tPUNCT\t_\t_\t2\tpunct\t_\tSpaceAfter=No\n\n"
)
AS_KEPT = RICH.replace("2.1\tbark\t_\t_\t_\t_\t_\t_\t_\t_\n", "")


@few
@given(corpora())
def test_sentences_of_conllu(sentences: list[Sentence]) -> None:
    library = pytest.importorskip("conllu", reason="conllu is not installed")
    text = conllu(sentences)
    assert text_of(library.parse(text)) == text
    assert text_of(library.parse_incr(io.StringIO(text))) == text
    assert text_of(library.parse(RICH)) == AS_KEPT


def test_sentences_of_pyconll() -> None:
    library = pytest.importorskip("pyconll", reason="pyconll is not installed")
    assert text_of(library.load_from_string(RICH)) == AS_KEPT


# Documents
BLOCKS = (
    "# meta::year = 1900\n# doc_title = First\n# newdoc id = A\n# newpar\n# speaker = Ann\n# mood =\n# text = x = y\n"
    f"{TEXT}# newpar id = p\n# speaker = Bo\n{TEXT}# newdoc\n# sent_id = s\n# meta::year = 2000\n{TEXT}"
    f"# newdoc id = C\n# meta::year = 2100\n{TEXT}"
)


def conllu_sentences(text: str) -> Any:
    """Sentences of the library conllu."""
    return pytest.importorskip("conllu", reason="conllu is not installed").parse(text)


def pyconll_sentences(text: str) -> Any:
    """Sentences of the library pyconll."""
    return pytest.importorskip("pyconll", reason="pyconll is not installed").load_from_string(text)


def stanza_document(text: str) -> Any:
    """A Document of Stanza."""
    return pytest.importorskip("stanza.utils.conll", reason="Stanza is not installed").CoNLL.conll2doc(input_str=text)


def as_stanza(text: str) -> Any:
    """Objects with what is read of Stanza's."""
    sentences = []
    for block in text.split("\n\n")[:-1]:
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        words = [SimpleNamespace(**mapping_of(row), misc=None) for row in rows]
        tokens = [SimpleNamespace(words=[each], misc=None, spaces_after=" ", text=each.form) for each in words]
        comments = [line for line in block.split("\n") if line.startswith("#")]
        sentences.append(SimpleNamespace(tokens=tokens, words=words, sent_id=None, comments=comments))
    return SimpleNamespace(sentences=sentences, num_words=1)


def mapping_of(row: list[str]) -> dict[str, Any]:
    """A line of CoNLL-U as a mapping."""
    return dict(zip(("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel"), row[:8], strict=True))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("parse", [conllu_sentences, pyconll_sentences, stanza_document, as_stanza])
def test_documents_and_metadata_are_those_of_the_file(tmp_path: Path, parse: Callable[[str], Any]) -> None:
    sources: dict[str, Any] = {"file": io.BytesIO(BLOCKS.encode()), "objects": parse(BLOCKS)}
    found: dict[str, Any] = {}
    for name, source in sources.items():
        with new_lexicon(
            tmp_path / f"{name}.duckdb", source, name="c", sentence_meta=["speaker", "newpar id"]
        ) as lexicon:
            documents = lexicon.sql("FROM documents ORDER BY document")
            speakers = lexicon.sql('SELECT document, speaker, "newpar id" FROM sentences ORDER BY sentence').rows
        found[name] = documents.columns, documents.rows, speakers
    assert found["objects"] == found["file"]
    assert found["file"][1] == [("c", "A", "First", 1900), ("c", "C", None, 2100), ("c", "c#2", None, 2000)]


class Commented(list[Any]):
    """A sentence with comments, as those of conllu."""

    def __init__(self, words: list[Any], **comments: Any) -> None:
        super().__init__(words)
        self.metadata = {name.replace("_id", " id"): value for name, value in comments.items()}


def test_comments_of_sentences_without_words_stand_above_the_next() -> None:
    """And the columns of a file are not those of what we write."""
    columns = {"global.columns": "ID FORM"}
    without_words = Commented([], newdoc_id="A"), Commented([], newdoc_id="B", year=1)
    source = [*without_words, Commented(DOGS, x="a\nb", **columns), DOGS, Commented([], last=None)]
    assert text_of(source) == f"# newdoc id = B\n# year = 1\n# x = a b\n{TEXT}{TEXT}# last\n\n"


# spaCy
@pytest.fixture(scope="session")
def spacy() -> Any:
    """The library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library = pytest.importorskip("spacy", reason="spaCy is not installed")
        return SimpleNamespace(Doc=library.tokens.Doc, vocab=library.blank("en").vocab)


def doc_of(spacy: Any, sentences: list[Sentence]) -> Any:
    """Sentences of the twin as one Doc."""
    tokens = [token for sentence in sentences for token in sentence]
    before = [sum(map(len, sentences[:number])) for number, each in enumerate(sentences) for _ in each]
    places = [at - start for at, start in enumerate(before)]
    heads = [t.head - 1 + start if t.head else start + at for t, start, at in zip(tokens, before, places, strict=True)]
    return spacy.Doc(
        spacy.vocab,
        words=[t.form for t in tokens],
        lemmas=[t.lemma for t in tokens],
        pos=[FULL_TAGS[t.upos] for t in tokens],
        tags=[t.xpos for t in tokens],
        deps=[t.relation for t in tokens],
        heads=heads,
    )


def whole_tags(sentences: list[Sentence]) -> list[Sentence]:
    """The same with parts of speech that spaCy knows."""
    return [[token._replace(upos=FULL_TAGS[token.upos]) for token in each] for each in sentences]


@pytest.mark.thorough
@few
@given(corpora())
def test_a_doc_has_the_counts_of_its_trees(spacy: Any, counted: Counted, sentences: list[Sentence]) -> None:
    """spaCy begins a sentence with each root, so the text may be of more sentences; trees cross no boundary."""
    doc = doc_of(spacy, sentences)
    tagged = whole_tags(sentences)
    text = text_of(doc)
    assert [line.split("\t")[1:6] for line in text.split("\n") if line] == [
        line.split("\t")[1:6] for line in conllu(tagged).split("\n") if line
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(io, "BytesIO", lambda _: ParsedText([doc], "here"))
        database = counted(sentences)
    assert triples(database) == count(tagged)


def doc(spacy: Any, words: list[str], heads: list[int], spaces: list[bool] | None = None) -> Any:
    """A Doc of words and heads."""
    deps = ["ROOT" if at == head else "dep" for at, head in enumerate(heads)]
    return spacy.Doc(spacy.vocab, words=words, heads=heads, deps=deps, spaces=spaces)


def columns(text: str) -> list[str]:
    """ID, FORM, HEAD and MISC of each line."""
    rows = [line.split("\t") for line in text.split("\n")]
    return [" ".join((row[0], row[1], row[6], row[9])) if len(row) == 10 else row[0] for row in rows]


def test_white_space_of_spacy(spacy: Any) -> None:
    words = ["\n", "Dogs", " ", "\n", "bark", ".", "\n\n", "So"]
    made = doc(spacy, words, [1, 4, 1, 2, 4, 4, 4, 7], [False, False, False, False, False, False, False, False])
    assert columns(text_of(made)) == ["1 Dogs 2 _", "2 bark 0 SpaceAfter=No", "3 . 2 _", "", "1 So 0 _", "", ""]
    assert text_of([made, made]) == 2 * text_of(made)
    assert text_of(made.sents) == text_of(made)
    hanging = doc(spacy, ["\n", "x"], [0, 0])
    assert columns(text_of(hanging))[:2] == ["1 _ 0 _", "2 x 1 _"]
    assert text_of([doc(spacy, ["\n"], [0]), spacy.Doc(spacy.vocab)]) == ""


def test_metadata_of_a_doc_is_in_its_user_data(spacy: Any) -> None:
    """Above its first sentence alone; what is not a comment of documents is not ours."""
    made = doc(spacy, ["Dogs", "bark", "So"], [1, 1, 2])
    text = text_of(made)
    made.user_data |= {"newdoc id": "a", "meta::year": 1900, "doc_title": "First", "other": 1, ("._.", "x"): 2}
    comments = "# newdoc id = a\n# meta::year = 1900\n# doc_title = First\n"
    assert text_of(made) == text_of(made.sents) == comments + text


def test_trees_that_cross_are_one_sentence(spacy: Any) -> None:
    crossing = doc(spacy, list("ABCDE"), [2, 3, 2, 3, 4])
    assert [len(sentence) for sentence in crossing.sents] != [4, 1]
    assert [line[:3] for line in columns(text_of(crossing))] == ["1 A", "2 B", "3 C", "4 D", "", "1 E", "", ""]


def test_a_doc_without_a_parse(spacy: Any) -> None:
    bare = spacy.Doc(spacy.vocab, words=["Dogs", "bark"])
    with pytest.raises(CorpusError, match=r"^here: sentence 2: this Doc has no parse; run a pipeline"):
        text_of([doc(spacy, ["x"], [0]), bare])
    with pytest.raises(CorpusError, match=r"sentence 1, word 1: has no head"):
        text_of([doc(spacy, ["x", "y"], [1, 1])[:1]])


# Stanza
@pytest.fixture(scope="session")
def document() -> Any:
    """Stanza's Document."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("stanza.models.common.doc", reason="Stanza is not installed").Document


@few
@given(corpora())
def test_documents_of_stanza(document: Any, sentences: list[Sentence]) -> None:
    words = [[mapping(number, token) for number, token in enumerate(each, 1)] for each in sentences]
    made = document([[{**word, "text": word["form"]} for word in each] for each in words])
    text = conllu(sentences).split("\n\n")
    expected = "".join(f"# sent_id = {number}\n{block}\n\n" for number, block in enumerate(text[:-1]))
    assert text_of(made) == expected
    assert text_of([made, made]) == expected + expected
    assert text_of(made.sentences) == expected


def test_tokens_of_stanza_that_are_several_words(document: Any) -> None:
    parts = [
        {"id": (1, 2), "text": "Dogsbark", "misc": "SpaceAfter=No"},
        {"id": 1, "text": "Dogs", "lemma": "dog", "upos": "NOUN", "head": 2, "deprel": "nsubj"},
        {"id": 2, "text": "bark", "lemma": "bark", "upos": "VERB", "xpos": "VBP", "head": 0, "deprel": "root"},
        {"id": 3, "text": "!", "lemma": "!", "upos": "PUNCT", "head": 2, "deprel": "punct", "misc": "SpaceAfter=No"},
    ]
    made = document([parts], comments=[["# sent_id = weblog-3"]])
    assert text_of(made) == AS_KEPT
    assert text_of(made.to_dict())
    with pytest.raises(CorpusError, match=r"sentence 1, word 2: has no head"):
        text_of(document([[{"id": 1, "text": "x", "head": 0, "deprel": "root"}, {"id": 2, "text": "y"}]]))
