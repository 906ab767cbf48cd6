"""SQLAlchemy and our table declarations, imported when they are first used.

Questions and additions do without them, and importing them takes as long as a question.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from aptdb.store.interrupts import interrupts_held

__all__ = ["sa", "tables"]


class Late(ModuleType):
    """A stand-in for a module: it imports the module when an attribute is first used.

    Signals are delayed meanwhile: a half-imported module would break the clean-up after Ctrl-C.
    """

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the module."""
        if self.__name__ not in sys.modules:
            with interrupts_held():
                import_module(self.__name__)
        return getattr(import_module(self.__name__), name)


if TYPE_CHECKING:
    import sqlalchemy as sa

    from aptdb.store import tables
else:
    sa = Late("sqlalchemy")
    tables = Late("aptdb.store.tables")
