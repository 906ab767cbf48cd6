"""SQLAlchemy and the tables described for it, which are imported when something of them is asked for first.

Only what writes needs them, and to import them takes as long as a question.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from aptdb.store.interrupts import interrupts_held

__all__ = ["sa", "tables"]


class Late(ModuleType):
    """What stands for a module of this name until something of it is asked for, and passes on what is.

    It is imported without being stopped: a module that is there by half would break whatever cleans up after Ctrl-C.
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
