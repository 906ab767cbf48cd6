"""What a query of a stranger may have."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SqlLimits:
    """What a query may have: seconds, bytes of memory, rows and bytes of its answer."""

    seconds: float = 20.0
    memory: int = 1_000_000_000
    rows: int = 1000
    size: int = 20_000_000
