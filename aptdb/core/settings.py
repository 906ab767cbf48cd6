"""The settings of a lexicon: fixed when it is created, and the same for all corpora (meaning.md 3.2).

And words as they are with these settings: in lower case, and in Unicode's normal form C.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, TypedDict
from unicodedata import normalize

from aptdb.core.errors import SettingsError
from aptdb.core.parameters import Group, Parameter

MAX_ORDER = 6
LONGEST_SENTENCE = 10_000  # words
FIELDS = ("{form}", "{lemma}", "{upos}", "{xpos}", "{stem}")
FEATURE = re.compile(r"\{feats:[^{}|=]+\}")  # the value of a feature in FEATS, e.g. {feats:Number}
RELATIONS = ("full", "universal")
RELATION = re.compile(r"[^<>\t\n]+")
SHOWN = 5  # how many names of a long list are shown


@dataclass(frozen=True)
class Settings:
    """How a lexicon counts.

    order: the maximum number of steps in a counted path, 0 to 6.
    lexeme: the template that makes a lexeme from the columns of a word; its part of speech comes after the last `/`.
    {feats:NAME} is the value of a feature in FEATS, `_` where a word has none.
    lowercase: whether to lower-case form and lemma.
    exclude_upos: parts of speech that are neither lexeme nor context; paths still run through their tokens.
    relations: `full`, as written, or `universal`, without `:subtype`.
    relation_map: new names for relations, by their names after that.
    pos_map: new names for parts of speech, both {upos} and {xpos}.
    exclude_relations: relations, by their new names, whose edges are cut: what depends on one is a tree of its own.
    join: relations along which a head and its dependents are one lexeme (the paper's footnote 2), e.g. new_york/PROPN.
    min_token_length: tokens with a shorter form are left out, like excluded parts of speech.
    nfc: whether to put form and lemma in Unicode's normal form C.
    stop_list: lexemes, or words without a part of speech, that are left out in the same way.
    stemmer: the language of {stem}, as snowballstemmer names it.

    >>> lexicon.settings.order
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
        if not is_whole_number(self.order) or not 0 <= self.order <= MAX_ORDER:
            raise SettingsError(f"order is {self.order!r}; expected a whole number from 0 to {MAX_ORDER}")
        if not is_whole_number(self.min_token_length) or self.min_token_length < 0:
            raise SettingsError(f"min_token_length is {self.min_token_length!r}; expected a whole number, 0 or more")
        self._check_lexeme()
        if self.relations not in RELATIONS:
            raise SettingsError(f"relations is {self.relations!r}; expected {' or '.join(RELATIONS)}")
        for name, switch in (("lowercase", self.lowercase), ("nfc", self.nfc)):
            if not isinstance(switch, bool):
                raise SettingsError(f"{name} is {switch!r}; expected true or false")
        for name, read in READ_AS.items():
            object.__setattr__(self, name, read(name, getattr(self, name)))
        self._check_relations()

    def _check_lexeme(self) -> None:
        """Raise SettingsError if the template of lexemes is invalid."""
        parts = self.lexeme_parts()
        unknown = [part for part in parts if part[0] in "{}" and not is_field(part)]
        if unknown:
            raise SettingsError(
                f"lexeme has {unknown[0]!r}; a template consists of {', '.join(FIELDS)}, {{feats:NAME}} and plain text"
            )
        if not {"{form}", "{lemma}", "{stem}"} & set(parts):
            raise SettingsError(
                f"lexeme is {self.lexeme!r}; a template has {{lemma}}, {{form}} or {{stem}}, e.g. {{lemma}}/{{upos}}"
            )

    def _check_relations(self) -> None:
        """Raise SettingsError for names that are not relations, or relations that are both joined and excluded."""
        for name in (*self.relation_map.values(), *self.exclude_relations, *self.join):
            if not RELATION.fullmatch(name):
                raise SettingsError(f"{name!r} is not a relation; a relation is a name without < or >")
        both = sorted({*self.join} & {*self.exclude_relations})
        if both:
            raise SettingsError(f"{both[0]} is both joined and excluded; choose one")

    def lexeme_parts(self) -> list[str]:
        """Return the template as a list of placeholders, e.g. `{lemma}`, and the plain text between them."""
        return re.findall(r"\{[^{}]*\}|[^{}]+|[{}]", self.lexeme)

    def has_pos(self) -> bool:
        """Return whether lexemes have a `/` before their part of speech."""
        return "/" in "".join(part for part in self.lexeme_parts() if not is_field(part))

    def has_stem(self) -> bool:
        """Return whether lexemes are made of stems."""
        return "{stem}" in self.lexeme_parts()

    def shown(self, *, whole: bool = False) -> list[tuple[str, str]]:
        """Return each setting by the name of its option, as people write it. whole: also long lists."""
        return [
            (option_of_setting(each.name), write_setting(getattr(self, each.name), whole=whole))
            for each in fields(self)
        ]

    def with_given(self, given: Mapping[str, Any]) -> "Settings":
        """Return a copy of these settings with the values in `given` that are not None."""
        return replace(self, **{name: value for name, value in given.items() if value is not None})

    def refuse_others(self, given: Mapping[str, Any], whose: str = "the lexicon") -> None:
        """Raise SettingsError if a given setting differs from the lexicon's; the message shows both."""
        asked = self.with_given(given)
        for each in fields(self):
            own, other = getattr(self, each.name), getattr(asked, each.name)
            if own != other:
                raise SettingsError(
                    f"{whose} has {each.name} {write_setting(own)}, not {write_setting(other)}; settings are fixed "
                    "when a lexicon is created; leave this one out, or create another lexicon"
                )


class Given(TypedDict, total=False):
    """Settings that can be given when a lexicon is created or opened; None means not given."""

    order: Annotated[
        int | None,
        Parameter(Group.SETTINGS, "Count paths of at most N steps, 0 to 6. [default for a new one: 2]", metavar="N"),
    ]
    lexeme: Annotated[
        str | None,
        Parameter(
            Group.SETTINGS,
            "Make lexemes of {{lemma}}, {{form}}, {{stem}}, {{upos}}, {{xpos}}, and features, e.g. {{feats:Number}}. "
            "[default for a new one: {{lemma}}/{{upos}}]",
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
        Parameter(Group.SETTINGS, "Ignore words with these tags, e.g. PUNCT,SYM. [default: none]", metavar="TAG,..."),
    ]
    min_token_length: Annotated[
        int | None, Parameter(Group.SETTINGS, "Ignore words of fewer than N characters. [default: 0]", metavar="N")
    ]
    stop_list: Annotated[
        Sequence[str] | None,
        Parameter(Group.SETTINGS, "Ignore the words or lexemes in FILE, one on each line.", metavar="FILE"),
    ]
    pos_map: Annotated[
        Mapping[str, str] | None,
        Parameter(
            Group.SETTINGS,
            "Rename tags: each line of FILE has a tag, a tab and its new name. --exclude-upos takes the new names.",
            metavar="FILE",
        ),
    ]
    relations: Annotated[
        str | None,
        Parameter(
            Group.SETTINGS,
            "Count relations as full, or universal: without :subtype. [default for a new one: full]",
            metavar="WHICH",
        ),
    ]
    relation_map: Annotated[
        Mapping[str, str] | None,
        Parameter(
            Group.SETTINGS,
            "Rename relations, in the same way. --exclude-relations and --join take the new names.",
            metavar="FILE",
        ),
    ]
    exclude_relations: Annotated[
        Sequence[str] | None,
        Parameter(Group.SETTINGS, "Cut these relations, e.g. punct,cc. [default: none]", metavar="REL,..."),
    ]
    join: Annotated[
        Sequence[str] | None,
        Parameter(
            Group.SETTINGS,
            "Join words along these relations, e.g. fixed,flat,compound for new_york/PROPN. [default: none]",
            metavar="REL,...",
        ),
    ]


def is_field(part: str) -> bool:
    """Return whether an item of a template is a placeholder: a column of a word, or a feature."""
    return part in FIELDS or FEATURE.fullmatch(part) is not None


def is_whole_number(value: object) -> bool:
    """Return whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def option_of_setting(name: str) -> str:
    """Return the name of a setting as an option."""
    return name.replace("_", "-")


def name_tuple(name: str, names: object) -> tuple[str, ...]:
    """Return words or tags in order, each once. Raise SettingsError if they are not a list of them."""
    if isinstance(names, list | tuple | set | frozenset) and all(
        isinstance(each, str) and each and (name == "stop_list" or ("," not in each and each == each.strip()))
        for each in names
    ):
        return tuple(sorted(set(names)))
    raise SettingsError(f"{name} is {names!r}; expected a list of {KINDS[name]}")


def name_map(name: str, names: object) -> dict[str, str]:
    """Return new names by old names, in order. Raise SettingsError if the value is not such a dictionary."""
    if isinstance(names, Mapping) and all(isinstance(each, str) and each for pair in names.items() for each in pair):
        return dict(sorted(names.items()))
    raise SettingsError(f"{name} is {names!r}; expected a dictionary of {KINDS[name]}")


KINDS = {
    "exclude_upos": "tags, e.g. ['PUNCT', 'SYM']",
    "exclude_relations": "relations, e.g. ['punct', 'cc']",
    "join": "relations, e.g. ['fixed', 'flat']",
    "stop_list": "lexemes or words, e.g. ['the/DET', 'of']",
    "relation_map": "old to new relations, e.g. {'nsubj:pass': 'nsubj'}",
    "pos_map": "old to new tags, e.g. {'PROPN': 'NOUN'}",
}
# Functions that check a given value and return its stored form, by field.
READ_AS: dict[str, Callable[[str, object], object]] = {
    "exclude_upos": name_tuple,
    "exclude_relations": name_tuple,
    "join": name_tuple,
    "stop_list": name_tuple,
    "relation_map": name_map,
    "pos_map": name_map,
}


def check_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings in their stored form. Raise SettingsError for an invalid one."""
    return {
        name: READ_AS[name](name, value) if name in READ_AS and value is not None else value
        for name, value in settings.items()
    }


def write_setting(value: object, *, whole: bool = False) -> str:
    """Return the value of a setting as people write it; long lists are cut, unless whole."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | Mapping):
        names = [f"{each}→{value[each]}" for each in value] if isinstance(value, Mapping) else [*value]
        more = f" and {len(names) - SHOWN} more" if len(names) > 2 * SHOWN and not whole else ""
        return ",".join(names[:SHOWN] if more else names) + more or "none"
    return str(value)


def lower_letters(text: str) -> str:
    """Return a text in lower case, as DuckDB's lower() returns it: letter by letter.

    str.lower() makes a ς of the last Σ of a word and two letters of İ, so that it is not to be used for words.
    """
    return text.lower() if text.isascii() else "".join(map(str.lower, text.replace("İ", "i")))


def normalise_lexeme(settings: Settings, lexeme: str) -> str:
    """Return a lexeme with its lemma as the settings of a lexicon have it; without a part of speech it is a lemma."""
    lemma, slash, pos = lexeme.rpartition("/") if "/" in lexeme else (lexeme, "", "")
    composed = normalize("NFC", lemma) if settings.nfc else lemma
    return f"{lower_letters(composed) if settings.lowercase else composed}{slash}{pos}"


def name_letters(settings: Settings, lexemes: Iterable[str]) -> str:
    """Return what the letters of a lexicon are, for lexemes that it has in others."""
    lowered = replace(settings, nfc=False)
    is_lower = any(normalise_lexeme(lowered, each) != each for each in lexemes)
    return "in lower case" if is_lower else "in Unicode's NFC (--nfc)"
