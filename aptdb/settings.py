"""What is fixed when a lexicon is made and obeyed by every addition: meaning.md 3.2."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, TypedDict

from aptdb.errors import SettingsError
from aptdb.parameters.declare import Group, Parameter

MAX_ORDER = 6
FIELDS = ("{form}", "{lemma}", "{upos}", "{xpos}", "{stem}")
RELATIONS = ("full", "universal")
RELATION = re.compile(r"[^<>\t\n]+")
SHOWN = 5  # names of a long list that are shown


@dataclass(frozen=True)
class Settings:
    """How a lexicon counts.

    order: the most steps that a counted path has, 0 to 6.
    lexeme: how a lexeme's text is made of a word's columns; the last `/` separates its part of speech.
    lowercase: whether form and lemma are lower-cased.
    exclude_upos: parts of speech that are neither lexeme nor context; paths still run through their tokens.
    relations: `full`, as written, or `universal`, without `:subtype`.
    relation_map: other names for relations, by what they are called after that.
    pos_map: other names for parts of speech, of {upos} and {xpos} alike.
    exclude_relations: relations, as the lexicon calls them, whose edges are not there: what hangs from one is a tree of
        its own.
    join: relations by which a head and its dependents are one lexeme (the paper's footnote 2), as new_york/PROPN.
    min_token_length: tokens whose form has fewer characters are left out, like excluded parts of speech.
    nfc: whether form and lemma are put in Unicode's normal form C.
    stop_list: lexemes, or words without a part of speech, that are left out likewise.
    stemmer: the language of {stem}, by snowballstemmer's name for it.
    """

    order: int = 2
    lexeme: str = "{lemma}/{upos}"
    lowercase: bool = True
    exclude_upos: tuple[str, ...] = ()
    relations: str = "full"
    relation_map: Mapping[str, str] = field(default_factory=dict)
    pos_map: Mapping[str, str] = field(default_factory=dict)
    exclude_relations: tuple[str, ...] = ()
    join: tuple[str, ...] = ()
    min_token_length: int = 0
    nfc: bool = False
    stop_list: tuple[str, ...] = ()
    stemmer: str = "english"

    def __post_init__(self) -> None:
        if not is_whole(self.order) or not 0 <= self.order <= MAX_ORDER:
            raise SettingsError(f"order is {self.order!r}; it is a whole number from 0 to {MAX_ORDER}")
        if not is_whole(self.min_token_length) or self.min_token_length < 0:
            raise SettingsError(f"min-token-length is {self.min_token_length!r}; it is a whole number from 0")
        self._check_lexeme()
        if self.relations not in RELATIONS:
            raise SettingsError(f"relations is {self.relations!r}; it is {' or '.join(RELATIONS)}")
        for name, switch in (("lowercase", self.lowercase), ("nfc", self.nfc)):
            if not isinstance(switch, bool):
                raise SettingsError(f"{name} is {switch!r}; it is true or false")
        for name, read in READ_AS.items():
            object.__setattr__(self, name, read(name.replace("_", "-"), getattr(self, name)))
        self._check_relations()

    def _check_lexeme(self) -> None:
        """Raise SettingsError where lexemes cannot be made so."""
        parts = self.lexeme_parts()
        unknown = [part for part in parts if part[0] in "{}" and part not in FIELDS]
        if unknown:
            raise SettingsError(f"lexeme has {unknown[0]!r}; a template is made of {', '.join(FIELDS)} and plain text")
        if not {"{form}", "{lemma}", "{stem}"} & set(parts):
            raise SettingsError(
                f"lexeme is {self.lexeme!r}; a template has {{lemma}}, {{form}} or {{stem}}, as {{lemma}}/{{upos}}"
            )

    def _check_relations(self) -> None:
        """Raise SettingsError for relations that are none, or are to be joined and excluded both."""
        for name in (*self.relation_map.values(), *self.exclude_relations, *self.join):
            if not RELATION.fullmatch(name):
                raise SettingsError(f"{name!r} is no relation; a relation is a name without < or >")
        both = sorted({*self.join} & {*self.exclude_relations})
        if both:
            raise SettingsError(f"{both[0]} is to be joined and excluded; it can be one of the two")

    def lexeme_parts(self) -> list[str]:
        """The template cut into fields, as `{lemma}`, and the plain text between them."""
        return re.findall(r"\{[^{}]*\}|[^{}]+|[{}]", self.lexeme)

    def has_pos(self) -> bool:
        """Whether lexemes are made with a `/` that separates a part of speech."""
        return "/" in "".join(part for part in self.lexeme_parts() if part not in FIELDS)

    def has_stem(self) -> bool:
        """Whether lexemes are made of stems."""
        return "{stem}" in self.lexeme_parts()

    def shown(self) -> list[tuple[str, str]]:
        """Each setting by the name of its option, as a person writes it."""
        return [(option(each.name), as_written(getattr(self, each.name))) for each in fields(self)]

    def with_given(self, given: Mapping[str, Any]) -> "Settings":
        """These settings with those of `given` in place that are not None."""
        return replace(self, **{name: value for name, value in given.items() if value is not None})

    def refuse_others(self, given: Mapping[str, Any], whose: str = "the lexicon") -> None:
        """Raise SettingsError where a setting that is given differs from the lexicon's own, naming both."""
        asked = self.with_given(given)
        for each in fields(self):
            own, other = getattr(self, each.name), getattr(asked, each.name)
            if own != other:
                raise SettingsError(
                    f"{whose} has {option(each.name)} {as_written(own)}, not {as_written(other)}; "
                    "settings are fixed when a lexicon is made, so leave it out or make another lexicon"
                )


class Given(TypedDict, total=False):
    """Settings that may be given when a lexicon is made or opened; None is as good as not given."""

    order: Annotated[
        int | None,
        Parameter(Group.SETTINGS, "The most steps of a path, 0 to 6. [default for a new one: 2]", metavar="N"),
    ]
    lexeme: Annotated[
        str | None,
        Parameter(
            Group.SETTINGS,
            "Of {{lemma}}, {{form}}, {{stem}}, {{upos}}, {{xpos}}. [default for a new one: {{lemma}}/{{upos}}]",
            metavar="TEMPLATE",
        ),
    ]
    lowercase: Annotated[
        bool | None,
        Parameter(
            Group.SETTINGS, "Lower-case form and lemma. [default for a new one: yes]", flag="--lowercase/--no-lowercase"
        ),
    ]
    nfc: Annotated[
        bool | None,
        Parameter(
            Group.SETTINGS,
            "Put form and lemma in Unicode's normal form C. [default for a new one: no]",
            flag="--nfc/--no-nfc",
        ),
    ]
    stemmer: Annotated[
        str | None,
        Parameter(
            Group.SETTINGS,
            "The language of {{stem}}, e.g. english or german. [default for a new one: english]",
            metavar="LANGUAGE",
        ),
    ]
    exclude_upos: Annotated[
        Sequence[str] | None,
        Parameter(
            Group.SETTINGS,
            "Tags that are neither lexeme nor context, e.g. PUNCT,SYM. [default: none]",
            metavar="TAG,...",
        ),
    ]
    min_token_length: Annotated[
        int | None,
        Parameter(
            Group.SETTINGS, "Words of fewer characters are neither lexeme nor context. [default: 0]", metavar="N"
        ),
    ]
    stop_list: Annotated[
        Sequence[str] | None,
        Parameter(
            Group.SETTINGS, "Words, or lexemes, that are neither lexeme nor context, one a line.", metavar="FILE"
        ),
    ]
    pos_map: Annotated[
        Mapping[str, str] | None,
        Parameter(
            Group.SETTINGS,
            "Other names for tags: on each line a tag, a tab and its new name. --exclude-upos means the new names.",
            metavar="FILE",
        ),
    ]
    relations: Annotated[
        str | None,
        Parameter(
            Group.SETTINGS, "full, or universal: without :subtype. [default for a new one: full]", metavar="WHICH"
        ),
    ]
    relation_map: Annotated[
        Mapping[str, str] | None,
        Parameter(
            Group.SETTINGS,
            "Other names for relations, likewise. --exclude-relations and --join mean the new names.",
            metavar="FILE",
        ),
    ]
    exclude_relations: Annotated[
        Sequence[str] | None,
        Parameter(Group.SETTINGS, "Relations that are cut, e.g. punct,cc. [default: none]", metavar="REL,..."),
    ]
    join: Annotated[
        Sequence[str] | None,
        Parameter(
            Group.SETTINGS,
            "Relations by which words are one lexeme, e.g. fixed,flat,compound: new_york/PROPN. [default: none]",
            metavar="REL,...",
        ),
    ]


def is_whole(value: object) -> bool:
    """Whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def option(name: str) -> str:
    """What a setting is called as an option."""
    return name.replace("_", "-")


def tag_tuple(name: str, tags: object) -> tuple[str, ...]:
    """Tags in order, each once. Raises SettingsError where they are not a list of tags."""
    if isinstance(tags, list | tuple | set | frozenset) and all(
        isinstance(tag, str) and tag and "," not in tag and tag == tag.strip() for tag in tags
    ):
        return tuple(sorted(set(tags)))
    raise SettingsError(f"{name} is {tags!r}; it is a list of {KINDS[name]}")


def word_tuple(name: str, words: object) -> tuple[str, ...]:
    """Words in order, each once. Raises SettingsError where they are not a list of words."""
    if isinstance(words, list | tuple | set | frozenset) and all(isinstance(word, str) and word for word in words):
        return tuple(sorted(set(words)))
    raise SettingsError(f"{name} is {words!r}; it is a list of {KINDS[name]}")


def name_map(name: str, names: object) -> dict[str, str]:
    """Names by names, in order. Raises SettingsError where they are no such dictionary."""
    if isinstance(names, Mapping) and all(isinstance(each, str) and each for pair in names.items() for each in pair):
        return dict(sorted(names.items()))
    raise SettingsError(f"{name} is {names!r}; it is a dictionary of {KINDS[name]}")


KINDS = {
    "exclude-upos": "tags, as PUNCT,SYM",
    "exclude-relations": "relations, as punct,cc",
    "join": "relations, as fixed,flat,compound",
    "stop-list": "lexemes or words, as the/DET or the",
    "relation-map": "relations by relations, as nsubj:pass by nsubj",
    "pos-map": "tags by tags, as PROPN by NOUN",
}
# What is given in one form and kept in another; by the name of the field.
READ_AS: dict[str, Callable[[str, object], object]] = {
    "exclude_upos": tag_tuple,
    "exclude_relations": tag_tuple,
    "join": tag_tuple,
    "stop_list": word_tuple,
    "relation_map": name_map,
    "pos_map": name_map,
}


def in_form(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as they are given, those that are in the form that they are kept in; raises SettingsError."""
    return {
        name: READ_AS[name](option(name), value) if name in READ_AS and value is not None else value
        for name, value in settings.items()
    }


def as_written(value: object) -> str:
    """A setting's value as a person writes it, long ones cut."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | Mapping):
        names = [f"{each}→{value[each]}" for each in value] if isinstance(value, Mapping) else [*value]
        more = f" and {len(names) - SHOWN} more" if len(names) > 2 * SHOWN else ""
        return ",".join(names[:SHOWN] if more else names) + more or "none"
    return str(value)
