"""What is fixed when a lexicon is made and obeyed by every addition: design 2."""

import re
from dataclasses import dataclass, fields, replace
from typing import Any

from aptdb.errors import SettingsError

MAX_ORDER = 6
FIELDS = ("{form}", "{lemma}", "{upos}", "{xpos}")
RELATIONS = ("full", "universal")


@dataclass(frozen=True)
class Settings:
    """How a lexicon counts.

    order: the most steps that a counted path has, 0 to 6.
    lexeme: how a lexeme's text is made of a word's columns; the last `/` separates its part of speech.
    lowercase: whether form and lemma are lower-cased.
    exclude_upos: parts of speech that are neither lexeme nor context; paths still run through their tokens.
    relations: `full`, as written, or `universal`, without `:subtype`.
    """

    order: int = 2
    lexeme: str = "{lemma}/{upos}"
    lowercase: bool = True
    exclude_upos: tuple[str, ...] = ()
    relations: str = "full"

    def __post_init__(self) -> None:
        if isinstance(self.order, bool) or not isinstance(self.order, int) or not 0 <= self.order <= MAX_ORDER:
            raise SettingsError(f"order is {self.order!r}; it is a whole number from 0 to {MAX_ORDER}")
        parts = self.lexeme_parts()
        unknown = [part for part in parts if part[0] in "{}" and part not in FIELDS]
        if unknown:
            raise SettingsError(f"lexeme has {unknown[0]!r}; a template is made of {', '.join(FIELDS)} and plain text")
        if not {"{form}", "{lemma}"} & set(parts):
            raise SettingsError(
                f"lexeme is {self.lexeme!r}; a template has {{lemma}} or {{form}}, as {{lemma}}/{{upos}}"
            )
        if self.relations not in RELATIONS:
            raise SettingsError(f"relations is {self.relations!r}; it is {' or '.join(RELATIONS)}")
        if not isinstance(self.lowercase, bool):
            raise SettingsError(f"lowercase is {self.lowercase!r}; it is true or false")
        object.__setattr__(self, "exclude_upos", tag_tuple(self.exclude_upos))

    def lexeme_parts(self) -> list[str]:
        """The template cut into fields, as `{lemma}`, and the plain text between them."""
        return re.findall(r"\{[^{}]*\}|[^{}]+|[{}]", self.lexeme)

    def has_pos(self) -> bool:
        """Whether lexemes are made with a `/` that separates a part of speech."""
        return "/" in "".join(part for part in self.lexeme_parts() if part not in FIELDS)

    def shown(self) -> list[tuple[str, str]]:
        """Each setting by the name of its option, as a person writes it."""
        return [(field.name.replace("_", "-"), as_written(getattr(self, field.name))) for field in fields(self)]

    def with_given(self, given: dict[str, Any]) -> "Settings":
        """These settings with those of `given` in place that are not None."""
        return replace(self, **{name: value for name, value in given.items() if value is not None})

    def refuse_others(self, given: dict[str, Any]) -> None:
        """Raise SettingsError where a setting that is given differs from the lexicon's own, naming both."""
        asked = self.with_given(given)
        for field in fields(self):
            own, other = getattr(self, field.name), getattr(asked, field.name)
            if own != other:
                raise SettingsError(
                    f"the lexicon has {field.name.replace('_', '-')} {as_written(own)}, not {as_written(other)}; "
                    "settings are fixed when a lexicon is made, so leave it out or make another lexicon"
                )


def tag_tuple(tags: object) -> tuple[str, ...]:
    """Tags in order, each once. Raises SettingsError where they are not a list of tags."""
    if isinstance(tags, list | tuple | set | frozenset) and all(
        isinstance(tag, str) and tag and "," not in tag and tag == tag.strip() for tag in tags
    ):
        return tuple(sorted(set(tags)))
    raise SettingsError(f"exclude-upos is {tags!r}; it is a list of tags, as PUNCT,SYM")


def as_written(value: object) -> str:
    """A setting's value as a person writes it."""
    if isinstance(value, tuple):
        return ",".join(value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
