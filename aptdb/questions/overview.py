"""An overview of a lexicon: settings, sizes, corpora."""

from aptdb.result import Result
from aptdb.store.session import Session
from aptdb.store.statements import statement


def info(session: Session) -> Result:
    """The settings and sizes: rows of property and value, both text."""
    settings = [("file", str(session.file)), *session.settings.shown()]
    sizes = session.ask(statement("store/sizes"))
    return Result(sizes.columns, sizes.types, [*settings, *sizes.rows])


def corpora(session: Session) -> Result:
    """The corpora: a row for each, with name, source, sizes, time, version and sha256."""
    return session.ask(statement("store/corpora"))
