"""What pages need that is not always installed."""

from importlib.util import find_spec

from aptdb.core.errors import QuestionError

INSTALL = "install it with: pip install 'aptdb[web]'"


def need_templates() -> None:
    """Raise QuestionError if what writes pages is not installed."""
    need("jinja2")


def need_web() -> None:
    """Raise QuestionError if what serves pages is not installed."""
    need("jinja2", "starlette", "uvicorn")


def need(*modules: str) -> None:
    """Raise QuestionError if a module is not installed."""
    for each in modules:
        try:
            there = find_spec(each) is not None
        except (ImportError, ValueError):
            there = False
        if not there:
            raise QuestionError(f"pages need {each}; {INSTALL}")
