"""Choosing what fills a gap, or is most like a phrase: beside its twin, from files, and what is refused."""

from collections.abc import Iterator
from math import log
from pathlib import Path
from random import Random

import pytest

from aptdb import DataSetError, InterpretationWarning, Lexicon, QuestionError
from aptdb.evaluation.choose import read_questions
from support.commands import ask
from support.lexicons import lexicon_of
from twins.choosing import score
from twins.trees import Token, conllu

NOUNS = ("ant", "bee", "cow", "dog", "elk", "fox")
RANDOM = Random(5)
SAID = [RANDOM.choices(NOUNS, weights=(6, 5, 4, 3, 2, 1), k=4) for _ in range(60)]


def sentence(words: list[str]) -> list[Token]:
    """Nouns below a verb, and a determiner, which is no content word."""
    nouns = [Token(word, word, "NOUN", "_", len(words) + 1, "obj") for word in words]
    end = [Token("see", "see", "VERB", "_", 0, "root"), Token("the", "the", "DET", "_", len(words) + 1, "det")]
    return [*nouns, *end]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lexicon_of(tmp_path_factory.mktemp("said") / "said", {"said": [sentence(words) for words in SAID]})


@pytest.fixture(scope="module")
def opened(said: Path) -> Iterator[Lexicon]:
    with Lexicon.open(said) as lexicon:
        yield lexicon


def test_scores_of_gaps_are_those_of_the_twin(opened: Lexicon, tmp_path: Path) -> None:
    """By plain words, and by parsed sentences."""
    around = [["ant", "cow"], ["dog", "see"], ["bee", "elk", "the"]]
    questions = [{"question": f"{' '.join(words)} _.", "candidates": [*NOUNS], "answer": "fox"} for words in around]
    held = [{*words, "see"} for words in SAID]
    file = tmp_path / "around.conllu"
    trees = [
        [
            *(Token(word, word, {"see": "VERB", "the": "DET"}.get(word, "NOUN"), "_", 0, "root") for word in words),
            Token("_", "_", "NOUN", "_", 1, "obj"),
        ]
        for words in around
    ]
    file.write_text(conllu(trees), encoding="utf-8")
    plain, parsed = opened.eval.choose(questions), opened.eval.choose(questions, sentences=file)
    assert plain.rows == parsed.rows
    rights = []
    for words, row in zip(around, plain, strict=True):
        expected = {noun: score(held, noun, [word for word in words if word != "the"]) for noun in NOUNS}
        best = [noun for noun, value in expected.items() if value == pytest.approx(max(expected.values()))]
        assert row["chosen"] in best
        assert row["score"] == pytest.approx(max(expected.values()))
        assert row["answer_score"] == pytest.approx(expected["fox"])
        rights.append(1 / len(best) if "fox" in best else 0)
        assert row["right"] == rights[-1]
    assert plain.accuracy == pytest.approx(sum(rights) / 3)
    assert plain.chance == pytest.approx(1 / 6)


def test_phrases_choose_what_is_most_similar(opened: Lexicon) -> None:
    question = {"question": "ant/NOUN", "candidates": ["bee/NOUN", "see/VERB", "yak/NOUN"], "answer": "bee/NOUN"}
    answer = opened.eval.choose([question])
    (row,) = answer
    assert row["answer_score"] == opened.similarity("ant/NOUN", "bee/NOUN")
    others = [opened.similarity("ant/NOUN", other) or 0.0 for other in ("see/VERB",)]
    assert row["score"] == max(row["answer_score"], *others, 0.0)
    assert answer.unknown == ("yak/NOUN",)


@pytest.mark.filterwarnings("ignore::aptdb.InterpretationWarning")
def test_similarities_are_divided_by_logarithms_of_frequencies(opened: Lexicon) -> None:
    """Typed words have the frequency of what they are read as."""
    question = {"question": "dog/NOUN", "candidates": ["ant", "Bee/NOUN", "fox/NOUN"], "answer": "fox/NOUN"}
    frequency = {each["lexeme"]: each["frequency"] for each in opened.lexemes()}
    for exponent in (0.5, 10):
        (row,) = opened.eval.choose([question], frequency_exponent=exponent)
        scores = {
            each: (opened.similarity("dog/NOUN", lexeme) or 0) / log(1 + frequency[lexeme]) ** exponent
            for each, lexeme in (("ant", "ant/NOUN"), ("Bee/NOUN", "bee/NOUN"), ("fox/NOUN", "fox/NOUN"))
        }
        assert row["score"] == pytest.approx(max(scores.values()))
        assert row["answer_score"] == pytest.approx(scores["fox/NOUN"])
        assert row["chosen"] == max(scores, key=scores.__getitem__)
    assert opened.eval.choose([question], frequency_exponent=0).rows == opened.eval.choose([question]).rows
    phrase = question | {"candidates": ["dog/NOUN[obj fox/NOUN]", "fox/NOUN"]}
    with pytest.raises(QuestionError, match=r"^dog/NOUN\[obj fox/NOUN\] is no counted lexeme, so it has no frequency"):
        opened.eval.choose([phrase], frequency_exponent=2)
    with pytest.raises(QuestionError, match="is -1; expected a number from 0 to 10"):
        opened.eval.choose([question], frequency_exponent=-1)
    with pytest.raises(QuestionError, match="which take no frequency_exponent"):
        opened.eval.choose([{"question": "ant _", "candidates": ["bee", "cow"], "answer": "cow"}], frequency_exponent=2)


def test_questions_of_files(tmp_path: Path) -> None:
    file = tmp_path / "questions.csv"
    file.write_text('id,question,a),b),answer\n1,"An ant, a ___ .",bee,cow,b\n')
    (one,) = read_questions(file)
    assert (one.candidates, one.answer, one.has_gap()) == (("bee", "cow"), "cow", True)
    assert one.words() == ["An", "ant", "a"]
    file.write_text("question\tcandidates\tanswer\nbig dog\tcow|ox\tox\n")
    (other,) = read_questions(file)
    assert (other.candidates, other.answer, other.has_gap()) == (("cow", "ox"), "ox", False)


def test_questions_between_bars_and_answers_in_another_file(opened: Lexicon, said: Path, tmp_path: Path) -> None:
    file, answers = tmp_path / "questions.txt", tmp_path / "answers.csv"
    file.write_text("#\ta phrase | answer | wrong\nsee bee | cow | dog | elk\nbee | fox | ant | yak\n")
    with pytest.warns(InterpretationWarning) as told:
        answer = opened.eval.choose(file)
    assert "a line is read as a phrase, its answer and 2 wrong choices" in str(told[0].message)
    assert str(told[1].message).startswith("7 typed words or phrases, read as see bee → ")
    assert (answer.column("question"), answer.column("answer")) == (["see bee", "bee"], ["cow", "fox"])
    assert answer[1]["answer_score"] == opened.similarity("bee/NOUN", "fox/NOUN")
    file.write_text('id,question,a),b)\n1,"An ant, a ___ .",bee,cow\n2,A ___ .,dog,elk\n')
    answers.write_text("id,answer\n2,a\n1,b\n")
    assert [each.answer for each in read_questions(file, answers)] == ["cow", "dog"]
    done = ask("eval", "choose", said, file, "--answers", answers)
    assert "of 2 questions right; a guess is 0.500" in done.stderr


@pytest.mark.thorough
def test_what_is_refused(opened: Lexicon, said: Path, tmp_path: Path) -> None:
    gap = {"question": "ant _", "candidates": ["bee", "cow"], "answer": "cow"}
    phrase = {"question": "ant/NOUN", "candidates": ["bee/NOUN", "cow/NOUN"], "answer": "cow/NOUN"}
    file = tmp_path / "one.conllu"
    file.write_text(conllu([sentence(["ant"])] * 2), encoding="utf-8")
    with pytest.raises(QuestionError, match="which take no shift"):
        opened.eval.choose([gap], shift=2)
    with pytest.raises(DataSetError, match="has 2 sentences, and 1 questions have a gap"):
        opened.eval.choose([gap], sentences=file)
    with pytest.raises(QuestionError, match="leave out sentences"):
        opened.eval.choose([phrase], sentences=file)
    questions = tmp_path / "questions.csv"
    questions.write_text("question,candidates,answer\nant dog _,bee|fox,fox\n")
    done = ask("eval", "choose", said, questions)
    assert done.stdout.startswith("question\tchosen\tscore")
    assert "of 1 question right; a guess is 0.500" in done.stderr


def test_sentences_of_other_questions_are_refused_and_unknown_words_named(demo: Path, tmp_path: Path) -> None:
    row = "1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n2\tleaf\tleaf\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "other.conllu").write_text(row, encoding="utf-8")
    (tmp_path / "latin.conllu").write_bytes(row.encode().replace(b"leaf\tleaf", b"le\xe9f\tle\xe9f"))
    questions = [{"question": "a green zyx _", "candidates": ["shoot", "leaf"], "answer": "shoot"}]
    with Lexicon.open(demo) as lexicon:
        assert "zyx" in lexicon.eval.choose(questions).left_out
        with pytest.raises(
            DataSetError, match=r"sentence 1 of .*other.conllu has no word of its question, 'a green zyx _'"
        ):
            lexicon.eval.choose(questions, sentences=tmp_path / "other.conllu")
        with pytest.raises(DataSetError, match=r"latin\.conllu is not UTF-8 at byte"):
            lexicon.eval.choose(questions, sentences=tmp_path / "latin.conllu")
