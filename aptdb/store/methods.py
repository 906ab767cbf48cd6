"""How methods are made of functions that take a session: those of Lexicon, and of its parts."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast

from aptdb.core.display import Bar, in_notebook
from aptdb.core.parameters import documented, refuse_no_files, refuse_other_kinds, spelled_out
from aptdb.store.lazy_imports import Late
from aptdb.store.old_names import by_newer_names
from aptdb.store.session import Session

Taken = ParamSpec("Taken")
Answer = TypeVar("Answer")


class Part:
    """What asks by a session: a lexicon, or a part of one. place: where its methods are found."""

    place = "Lexicon"

    def __init__(self, session: Session) -> None:
        self._session = session


Own = TypeVar("Own", bound=Part)


class PartOf(Generic[Own]):
    """A part as an attribute of a lexicon, with its session; of the class Lexicon, the class of the part."""

    def __init__(self, kind: type[Own]) -> None:
        self._kind = kind

    def __get__(self, whole: Part | None, owner: type) -> Own:
        """Return the part, or its class."""
        return cast(Own, self._kind if whole is None else self._kind(whole._session))


class Later:
    """A function that is imported when it is first used: importing all of them takes 150 ms of a question's 430."""

    def __init__(self, home: str, name: str) -> None:
        self._home, self._name = home, name

    def __call__(self, *arguments: Any, **parameters: Any) -> Any:
        """Call the function."""
        return self.imported()(*arguments, **parameters)

    def imported(self) -> Any:
        """Import the function."""
        return getattr(Late(f"aptdb.{self._home}"), self._name)


def imported_later(homes: dict[str, str]) -> dict[str, Later]:
    """Return functions by name. homes: the names in each module, with spaces."""
    return {name: Later(home, name) for home, names in homes.items() for name in names.split()}


def method(
    function: Callable[Concatenate[Session, Taken], Answer], example: str
) -> Callable[Concatenate[Part, Taken], Answer]:
    """Return a function of a session as a method of a lexicon or a part, with its parameters, their help, an example.

    The words of examples are those of the corpus of `aptdb demo`; names of files, subcorpora, spaces and weightings are
    the user's.
    """
    return cast(Callable[Concatenate[Part, Taken], Answer], Method(function, example))


class Method:
    """A method that makes itself of a function of a session when it is first used."""

    def __init__(self, function: Any, example: str) -> None:
        self._function = function
        self._example = example
        self._name = ""
        self._owner: type[Part] = Part

    def __set_name__(self, owner: type[Part], name: str) -> None:
        """Note its class, and its name there."""
        self._owner, self._name = owner, name

    def __get__(self, part: Part | None, owner: type) -> Any:
        """Make the method, put it in its own place in the class, and return it, bound to a part if there is one."""
        function = self._function.imported() if isinstance(self._function, Later) else self._function
        made = of_session(function, f"{self._owner.place}.{self._name}", self._example)
        setattr(self._owner, self._name, made)
        return made if part is None else made.__get__(part, owner)


def of_session(function: Callable[..., Any], name: str = "", example: str = "") -> Any:
    """Return a function of a session as one of a lexicon.

    In a notebook, slow methods show a progress bar unless `progress` is given. name: that of the method, as
    Lexicon.add, whose old parameters work for a while.
    """
    taken = spelled_out(function, skip=1)

    @wraps(function)
    def asked(self: Part, /, *arguments: Any, **parameters: Any) -> Any:
        parameters = by_newer_names(name, parameters)
        refuse_no_files(taken, arguments, parameters)
        with self._session.asking():
            try:
                if "progress" in taken.parameters and "progress" not in parameters and in_notebook():
                    with Bar(function.__name__) as parameters["progress"]:
                        return function(self._session, *arguments, **parameters)
                return function(self._session, *arguments, **parameters)
            except (TypeError, ValueError, AttributeError):
                refuse_other_kinds(taken, arguments, parameters)
                raise

    itself = spelled_out(lambda self: None)
    signature = taken.replace(parameters=[*itself.parameters.values(), *taken.parameters.values()])
    asked.__signature__ = signature  # type: ignore[attr-defined]
    asked.__doc__ = documented(function, example)
    return asked
