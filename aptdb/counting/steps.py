"""The steps of an addition, in order, and what each leaves behind. Each is a statement of `sql/counting`.

A chunk of text is read (READ), coded (CODE, JOIN or STAND, MEET, NAME), kept (KEEP) and counted (PACK, COUNT). After
the last chunk the counts are added to the lexicon (FOLD, then BRING, or slice by slice). Temporary tables live until
the next chunk; the rest goes into the lexicon.
"""

from collections.abc import Iterable

from aptdb.core.settings import Settings
from aptdb.store.database import Database
from aptdb.store.statements import statement

# Before the first chunk.
EDGES = {"faults/edges": "macros: the edges of a column"}
RULES = {**EDGES, "faults/fault_rules": "macros: what is right of a line, a word, a sentence, each rule once"}

# From lines of text to the words of sentences. Where something is wrong, the steps of FAULTS name it.
READ = {
    "read/chunk_line": "chunk_line: the lines of the chunk's file",
    "read/stored_columns": "macros: what is stored of MISC and DEPS",
    "read/word_line": "word_line: the lines that are words of trees, numbered, each with its columns",
    "read/other_line": "other_line: blank lines, comments and ranges, each with the word that it stands before",
    "read/sentence_span": "sentence_span: the first and last word of each sentence",
    "read/written_word": "written_word: words as lines have them, each once, with their columns",
    "read/placed_word": "placed_word: each word with the sentence that it belongs to by its position",
    "read/range_span": "range_span: the words that are written as one",
    "read/many_pairs": "many_pairs: sentences that would take too long to count",
}
LONG = {"read/many_pairs": READ["read/many_pairs"]}
NO_CIRCLES = {"faults/no_circle": "in_circle: empty, if we do not look for circles"}
CIRCLES = {"faults/in_circle": "in_circle: the words that cannot be reached from a root"}
SUSPECT = {"faults/suspect_line": "suspect_line: the lines in which a rule may be broken"}
FAULTS = {
    "faults/cut_line": "cut_line: these lines with their columns",
    "faults/fault": "fault: what is wrong, line by line",
    "faults/invalid_sentence": "invalid_sentence: the sentences that have a fault",
}
LEAVE_OUT = {
    "faults/leave_out": "the tables of READ: without these sentences",
    "read/written_word": READ["read/written_word"],
}

# From words to ids: the trees as the settings count them.
CODE = {
    "code/add_words": "_store.word: words as written that are new",
    "code/add_relations": "_store.relation: relations as written that are new, each with its label",
    "code/add_annotations": "_store.annotation: texts in MISC and DEPS that are new",
    "code/label": "label: the labels that edges are counted under",
    "code/token": "token: the words of the chunk by ids, each with its head",
}
STAND = {"code/node": "node: the nodes of the trees, each of one token"}
JOIN = {
    "code/member": "member: tokens that are joined with others into one lexeme",
    "code/joined_word": "joined_word: the words that they make together",
    "code/add_joined_words": "_store.word: the new words among these",
    "code/joined_node": "joined_node: the nodes of the trees, each of one token or several",
    "code/node_of_joined": "node: the same",
}
NORMAL = {"code/normal_word": "normal_word: the words of nodes that have no lexeme yet; stemmed: empty"}
MEET = {"code/new_lexeme": "new_lexeme: the text of their lexemes"}
NAME = {
    "code/add_lexemes": "_store.lexeme: lexemes that are new",
    "code/name_words": "_store.word: each word points to its lexeme",
}

# The trees as in the files, so that they can be counted again.
PARTS = {"keep/chunk_part": "chunk_part: the part of the chunk that each corpus has"}
KEEP_SENTENCES = {
    "keep/comment": "comment: the comments that something is kept of",
    "keep/document_start": "document_start: where documents begin; sentence_document: the document of each sentence",
    "keep/add_documents": "_store.document: documents that are new",
    "keep/add_sentences": "_store.sentence: the chunk's sentences",
    "keep/add_said": "_store.said: metadata of documents and sentences, chunk by chunk",
}
KEEP_TOKENS = {"keep/add_tokens": "_store.token: the chunk's tokens"}
KEEP_JOINED = {"keep/add_joined": "_store.joined: which of them are joined into one lexeme"}

# From trees to counts.
PACK = {"count/packed": "packed: each node's packed node"}
SHARED = {
    "count/shared_node": "shared_node: the packed nodes that hold several tokens",
    "count/is_one_way": "macros: which of the ways between nodes are counted",
    "count/edge": "edge: each packed node with the one above it",
}
COUNT_LEXEMES = {
    "count/node_lexeme": "node_lexeme: how many tokens of a lexeme a packed node holds",
    "count/count_lexemes": "counted_lexeme: the tokens of each lexeme, one chunk after another",
}
# Then come count/ancestor, and count/climb once for each further step of the longest path; so count/token_way and
# count/descend.
# For one part of a chunk after another: most chunks are one part.
COUNT = {
    "count/lexeme_pair": "lexeme_pair: pairs of lexemes in packed nodes that are near enough, and the way between them",
    "count/direct_pair": "direct_pair: pairs of tokens that meet below a shared node in the tree itself",
    "count/path_code": "path_code: those ways as text",
    "count/add_paths": "_store.path: paths that are new",
    "count/count_pairs": "counted: the counts of the pairs, one chunk after another",
}
FOLDED = {"count/folded": "folded: empty; then, for the lexemes of one range after another, count/fold_range"}
FOLD = {"count/fold_counted": "counted: summed up, one row for each co-occurrence"}

# From what was counted to the lexicon's counts.
GAINED = {"count/gained": "gained: a copy of added, where that is small"}
FILL = {"count/insert_cooccurrences": "_store.cooccurrence: filled"}
BRING = {"count/merge_cooccurrences": "_store.cooccurrence: updated"}
MARGINALS = {"count/merge_nodes": "_store.node: marginals updated"}
# Where much is added, both tables are written again instead, slice by slice (count/first_slice or count/next_slice).
CHANGE_BY_ADDED = {"count/change_by_added": "lexeme_change, path_change: what totals gain or lose, by what was counted"}
CHANGE_BY_NODES = {"count/change_by_nodes": "lexeme_change, path_change: the same, by the marginals"}
TOTALS = {
    "count/merge_lexemes": "_store.lexeme: frequencies and totals updated",
    "count/merge_paths": "_store.path: totals updated",
    "count/forget_gained": "gained: dropped",
}


def run_steps(database: Database, *steps: Iterable[str]) -> None:
    """Run steps in order."""
    for names in steps:
        for name in names:
            text = statement(f"counting/{name}")
            (database.run_whole if "WITH RECURSIVE" in text else database.run)(text)


def keep_and_pack(database: Database, settings: Settings) -> None:
    """Store the tokens of the chunk, and pack the nodes of its trees."""
    run_steps(database, KEEP_TOKENS, KEEP_JOINED if settings.join else (), PACK)
