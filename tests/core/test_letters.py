"""Letters in lower case: what is asked is lowered as what is counted, by CLI, in Python and in SQL."""

import io
from pathlib import Path

import duckdb
import pytest

from aptdb import Lexicon
from aptdb.core.settings import lower_letters
from aptdb.explorer.table_tools import is_like
from support.commands import ask
from support.lexicons import make_lexicon
from support.runs import thorough

WORDS = (
    *("ISPARTA", "İstanbul", "Iğdır", "I\u0307zmir", "ΟΔΟΣ", "Αίας", "ΌΣΟΣ", "GROẞ", "Straße", "ǅungla", "ǄUNGLA"),
    *("ŊGAI", "ﬁnden", "Ⅷ", "ⲀⲚⲦ", "ᏣᎳᎩ", "ꮳꮃꭹ", "ᲗᲑᲘᲚᲘᲡᲘ", "ＡＢＣ", "\u212aELVIN", "𐐈𐐲𐑌", "हिन्दी", "E\u0301a"),
)


@pytest.fixture(scope="module")
def nouns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a lexicon of proper nouns, each written once."""
    file = tmp_path_factory.mktemp("letters") / "nouns.duckdb"
    text = "".join(f"1\t{word}\t{word}\tPROPN\t_\t_\t0\troot\t_\t_\n\n" for word in WORDS)
    return make_lexicon(file, text.encode(), name="nouns")


def test_letters_are_lowered_as_duckdb_lowers_them() -> None:
    """Every letter that there is, by itself and between others."""
    letters = [chr(number) for number in range(1, 0x110000) if not 0xD800 <= number < 0xE000]
    texts = ["".join(letters), *(f"{each}Σ {each}" for each in letters if lower_letters(each) != each), *WORDS]
    found = duckdb.execute("SELECT list_transform($1, lambda each: lower(each))", [texts]).fetchall()[0][0]
    different = [(own, text) for own, text in zip(map(lower_letters, texts), found, strict=True) if own != text]
    assert not different


@pytest.mark.filterwarnings("ignore:.* → :aptdb.InterpretationWarning")
def test_nouns_are_found_as_they_are_written(nouns: Path) -> None:
    """As a lexeme, a word and a pattern, and in a table."""
    with Lexicon.open(nouns) as lexicon:
        for word in WORDS:
            lexeme = f"{lower_letters(word)}/PROPN"
            assert lexeme in lexicon
            assert lexeme == lexicon.as_lexeme(f"{word}/PROPN") == lexicon.as_lexeme(word)
            assert lexicon.as_lexeme(f"{word}*") == f"{lower_letters(word)}*"
            assert is_like(lexeme, word)


@pytest.mark.filterwarnings("ignore:.* → :aptdb.InterpretationWarning")
@pytest.mark.parametrize("lowercase", [True, *thorough([False])])
def test_composed_lexemes_are_found_as_they_are_written(tmp_path: Path, lowercase: bool) -> None:
    """In a lexicon in NFC letters are composed before they are lowered, in what is counted and in what is asked."""
    words = ("E\u0301a", "I\u0307zmir", "\u212bngstr\u00f6m", "\u1100\u1161")
    text = "".join(f"1\t{word}\t{word}\tPROPN\t_\t_\t0\troot\t_\t_\n\n" for word in words)
    with Lexicon.open(tmp_path / "l.duckdb", create=True, nfc=True, lowercase=lowercase) as lexicon:
        lexicon.add(io.BytesIO(text.encode()), name="words")
        for word in words:
            found = lexicon.as_lexeme(f"{word}/PROPN")
            assert found == lexicon.as_lexeme(word)
            assert found in lexicon
            assert len(lexicon.apt(f"{word}/PROPN", weights="raw_count").rows) == 1
            assert lexicon.as_lexeme(f"{word}*") == f"{found.removesuffix('/PROPN')}*"
    said = ask("apt", tmp_path / "l.duckdb", f"{words[3]}/PROPN", "--weights", "raw_count").stderr
    assert f"{words[3]}/PROPN → \uac00/PROPN (this lexicon is in Unicode's NFC (--nfc))" in said


@pytest.mark.parametrize("word", ["ΟΔΟΣ", *thorough(sorted({*WORDS} - {"ΟΔΟΣ"}))])
def test_forms_are_found_with_other_capitals(nouns: Path, word: str) -> None:
    """As a form, an expression for forms, and in a sequence, in Python as in SQL."""
    lower = lower_letters(word)
    with Lexicon.open(nouns) as lexicon:
        for form in (word, lower):
            for asked in (f"form:{form}", f"form:/{form}/", f'[form="(?i){form}"]'):
                assert word in lexicon.evidence(asked).column("keyword"), asked
            found = lexicon.sql("SELECT keyword FROM evidence($asked, NULL, NULL)", {"asked": f"form:{form}"})
            assert word in found.column("keyword")


def test_capitals_are_lowered_on_the_command_line(nouns: Path) -> None:
    """The lexeme is named that is asked instead; SQL, which takes lexemes as they are, names it in its error."""
    for word in ("ISPARTA", "İstanbul", "ΟΔΟΣ"):
        meant = f"{lower_letters(word)}/PROPN"
        assert f"{word}/PROPN → {meant} (this lexicon is in lower case)" in ask("apt", nouns, f"{word}/PROPN").stderr
        assert f"did you mean {meant}?" in ask("sql", nouns, f"FROM apt('{word}/PROPN')").stderr
