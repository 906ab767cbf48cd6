"""What files, texts and parsed sentences are refused for: refusals.csv beside this, a row a test."""

from pathlib import Path

import pytest

from aptdb.corpus.corpus_files import corpus_files
from aptdb.corpus.parsed import conllu_lines
from aptdb.corpus.raw_text import paragraphs, parser_called, text_files
from support import columns
from support.refusals import OpenLexicons, Refusal, check_refusal, read_refusals

GOOD = "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No\n\n"


def with_line(number: int, line: str) -> str:
    """GOOD twice, with one of its lines, from 1, another."""
    return "\n".join([*(GOOD + GOOD).split("\n")[: number - 1], line, *(GOOD + GOOD).split("\n")[number:]])


def with_cell(number: int, name: str, cell: str) -> str:
    """GOOD twice, with a cell of one of its lines another."""
    cells = (GOOD + GOOD).split("\n")[number - 1].split("\t")
    cells[columns.USUAL.split().index(name)] = cell
    return with_line(number, "\t".join(cells))


@pytest.mark.sampled(16)
@pytest.mark.filterwarnings(
    "ignore:.* columns that are:aptdb.IncompleteDataWarning", r"ignore:.*\W left out\W:aptdb.IncompleteDataWarning"
)
@pytest.mark.parametrize("row", read_refusals(__file__))
def test_corpus_refuses(row: Refusal, open_lexicons: OpenLexicons, tmp_path: Path) -> None:
    """Texts are added to a lexicon that stays as it was."""
    names = {
        "parsed": lambda sentences: [*conllu_lines(sentences, "here")],
        "files": lambda *names: corpus_files([str(tmp_path / name) for name in names]),
        "text": lambda *names: [*paragraphs(text_files([str(name) for name in names]))],
        **{"parser_called": parser_called, "with_line": with_line, "with_cell": with_cell, "GOOD": GOOD},
    }
    check_refusal(row, open_lexicons, tmp_path, **names, **vars(columns))
