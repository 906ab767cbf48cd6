"""What --help shows of a command, so that it fits a screen: which options, and how much is said of each."""

import re
from typing import Any

from aptdb.core.parameters import Group

# Options that --help leaves out, by panel or by name; --help-all shows them.
SELDOM_PANELS = (Group.SETTINGS, Group.PHRASES, Group.VECTORS, Group.WEIGHTS)
OFTEN = frozenset({
    "order", "lexeme", "merge", "measure", "space", "weights", "shift", "min_feature_count", "subcorpus",
    "rebuild:exclude_upos", "apt:smooth", "similarity:anchor", "explain:max_order",
    "sketch:score", "weigh:set", "export:min_frequency", "reduce:dimensions", "reduce:window", "parse:parser",
})  # fmt: skip
SELDOM = frozenset({
    "parser", "no_pager", "provenance", "title", "among", "frequencies", "max_sentence", "source",
    "landmark_in_context", "record", "verbose", "variants", "tags", "overlap", "documents", "edges", "without_misc",
    "example_weights", "keyness:dispersion", "take_over",
    "add:again", "add:prefix", "apt:subcorpus", "apt:file", "explain:lean", "explain:show_counts",
    "explain:min_feature_count",
    "neighbours:file", "neighbours:min_feature_count", "neighbours:groups", "neighbours:seed", "neighbours:subcorpus",
    "fill:min_feature_count", "fill:subcorpus", "sketch:top_relations", "serve:quick", "serve:sql_memory",
    "serve:sql_rows", "eval ratings:seed", "eval ratings:subcorpus", "eval ratings:min_feature_count",
    "eval ratings:relations", "eval ratings:pos",
})  # fmt: skip
LINES_OF_HELP = 45
LONGEST_MEANING = 72  # letters of what --help says of an option
LONGEST_DEFAULT = 24  # letters


def shorten_help(text: str) -> str:
    """Return the first sentence of the help of an option, with few of the values that it lists, and a short default."""
    said, _, default = text.partition("[")
    first = re.split(r"(?<=[^.][^.])\. (?=[A-Z])|; ", said.strip())[0].rstrip(".")
    if len(first) > LONGEST_MEANING and "," in first[:LONGEST_MEANING]:
        first = first[: first.rindex(",", 0, LONGEST_MEANING)]
        is_cut_in_brackets = first.count("(") > first.count(")")
        first = f"{(first[: first.rindex('(')] if is_cut_in_brackets else first).rstrip()}, …"
    end = "" if first.endswith("…") else "."
    return f"{first}{end}" + (f" [{default}" if 0 < len(default) <= LONGEST_DEFAULT else "")


def is_shown_often(parameter: Any, command: str) -> bool:
    """Return whether --help of a command shows a parameter, and not only --help-all."""
    if parameter.param_type_name == "argument":
        return True
    of_command = f"{command}:{parameter.name}"
    if of_command in OFTEN or of_command in SELDOM:
        return of_command in OFTEN
    if parameter.name in OFTEN or parameter.name in SELDOM:
        return parameter.name in OFTEN
    return getattr(parameter, "rich_help_panel", None) not in SELDOM_PANELS
