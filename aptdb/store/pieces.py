"""Takes the text of a query apart as DuckDB does: keywords, names, constants, signs and comments."""

from typing import NamedTuple

import duckdb

from aptdb.store.no_text import refuse_no_text


class Piece(NamedTuple):
    """A piece of a query: what it is for DuckDB, its text, and the byte at which it begins."""

    kind: str
    text: str
    at: int

    def word(self) -> str:
        """A keyword or name without quotation marks, in upper case; empty for everything else."""
        return self.text.upper() if self.kind in {"keyword", "identifier"} and self.text[0] != '"' else ""


def pieces_of(query: str) -> list[Piece]:
    """The pieces of a query, in order, without comments."""
    refuse_no_text(query)
    whole, found = query.encode(), duckdb.tokenize(query)
    ends = [*(at for at, _ in found), len(whole)][1:]
    pieces = [
        Piece(kind.name, whole[at:end].decode(errors="replace").strip(), at)
        for (at, kind), end in zip(found, ends, strict=True)
    ]
    return [piece for piece in pieces if piece.kind != "comment" and piece.text]


def after(query: str, at: int) -> str:
    """What stands in a query from a byte on."""
    return query.encode()[at:].decode()
