"""Rows of a table in the order of a column of text with numbers in it."""

from aptdb.explorer.content import Cell, Table
from aptdb.explorer.table_tools import in_order


def test_numbers_come_in_their_order_and_before_other_text() -> None:
    """Ages, one of them no number."""
    table = Table(
        (("age", False), ("count", True)), [(Cell(age), Cell("1", value=1)) for age in ("nan", "100", "9.5", "-2")]
    )
    assert [row[0].text for row in in_order(table, table.rows, "age", "sort")] == ["-2", "9.5", "100", "nan"]
    assert [row[0].text for row in in_order(table, table.rows, "-age", "sort")] == ["nan", "100", "9.5", "-2"]
