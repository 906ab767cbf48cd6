"""Questions about a stored sense, beside the same of its occurrences alone; and what is no such question."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptdb.store.database import Database
from support.lexicons import count_into, lexicon_in_memory
from support.runs import examples
from support.strategies import corpora
from twins import senses as twin
from twins import sketches
from twins.counting import frequencies
from twins.trees import Token

COLUMNS = "(id, lexeme_id, number, occurrences, vector, senses_id)"
SCORES = st.sampled_from(("log_dice", "ppmi", "lmi", "raw_count", "probability", "pmi"))
NODES = "SELECT sentence_id, position FROM _store.stored_node JOIN _store.word ON word.id = word_id"


@pytest.fixture(scope="module")
def memory() -> Iterator[Database]:
    """A lexicon in memory that says that it has entries, as one with senses has."""
    with lexicon_in_memory() as database:
        database.run("CREATE OR REPLACE MACRO _store.entries() AS 1")
        yield database


def with_senses(
    memory: Database, sentences: list[list[Token]], lexeme: str, data: st.DataObject
) -> dict[tuple[int, int], str]:
    """Count sentences, and give the occurrences of a lexeme one of two senses, or none; return their names."""
    for table in ("sense_occurrence", "sense", "derived"):
        memory.run(f"DELETE FROM _store.{table}")
    count_into(memory, sentences)
    kept = f"(1, 'senses', '{lexeme}', 'kept', MAP {{}}, MAP {{'space': 'words'}}, [], now()::TIMESTAMP, '1')"
    memory.run(f"INSERT INTO _store.derived VALUES {kept}")
    [(number,)] = memory.rows(f"SELECT id FROM _store.lexeme WHERE text = '{lexeme}'")
    for each in (1, 2):
        values = f"({each}, {number}, {each}, 1, [1], 1)"
        memory.run(f"INSERT INTO _store.sense {COLUMNS} VALUES {values}")
    found = {}
    for sentence, position in memory.rows(f"{NODES} WHERE lexeme_id = {number} ORDER BY ALL"):
        if sense := data.draw(st.integers(0, 2)):
            memory.run(f"INSERT INTO _store.sense_occurrence VALUES ({sense}, {sentence}, {position}, 1)")
            found[sentence, position] = f"{lexeme}#{sense}"
    [(first,)] = memory.rows("SELECT min(id) FROM _store.sentence")
    return {(sentence - first, position): name for (sentence, position), name in found.items()}


def close_to(rows: list[tuple[Any, ...]]) -> list[Any]:
    """Rows whose scores are compared but for rounding."""
    return [(*row, pytest.approx(score, rel=1e-9, abs=1e-9)) for *row, score in rows]


@pytest.mark.thorough
@examples(30)
@given(corpora(), st.sampled_from(("packed", "direct")), st.data())
def test_what_is_asked_of_a_sense_is_of_its_occurrences(
    memory: Database, sentences: list[list[Token]], counts: str, data: st.DataObject
) -> None:
    known = frequencies(sentences)
    lexeme = data.draw(st.sampled_from(sorted(known)))
    senses = with_senses(memory, sentences, lexeme, data)
    places = "sentence[2:]::INTEGER - 1, position, context_position"
    all_by_sense = twin.by_sense(sentences, lexeme, senses, direct=counts == "direct")
    for number in (1, 2):
        sense = f"{lexeme}#{number}"
        own = sorted(place for place, name in senses.items() if name == sense)
        found = memory.rows(f"SELECT sentence[2:]::INTEGER - 1, position FROM evidence('{sense}', NULL, NULL)")
        assert found == own
        assert memory.rows(f"SELECT count, lexeme_count FROM counts_by('{sense}')") == [(len(own), len(own))]
        met = sorted({triple[1:] for triple in all_by_sense if triple[0] == lexeme or triple[0] in senses.values()})
        if met:
            path, context = data.draw(st.sampled_from(met))
            asked = f"'{sense}', '{path}', '{context}', counts := 'packed'"
            expected = twin.hits_of_sense(sentences, lexeme, sense, senses, path, context)
            assert sorted(memory.rows(f"SELECT {places} FROM evidence({asked})")) == expected
            assert memory.rows(f"SELECT count FROM counts_by({asked})") == [(len(expected),)]
            asked = f"'{context}', path_inverse('{path}'), '{sense}', counts := 'packed'"
            found = memory.rows(f"SELECT {places} FROM evidence({asked})")
            assert sorted((sentence, x, y) for sentence, y, x in found) == expected
        shown: dict[str, Any] = {"max_order": 2, "everything": True, "top": None, "score": data.draw(SCORES)}
        rows = memory.rows(
            f"SELECT path, context, count, score FROM sketch('{sense}', max_order := 2, everything := true, "
            f"top := NULL, min_count := 1, score := '{shown['score']}', counts := '{counts}')"
        )
        assert rows == close_to(sketches.sketch(all_by_sense, known, sense, **shown))
