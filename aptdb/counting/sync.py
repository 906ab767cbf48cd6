"""Bring a lexicon into line with files: add what is new, replace what changed, keep what is equal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from glob import has_magic
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeGuard

from aptdb.core.display import how_many
from aptdb.core.errors import CorpusError, NoMatchWarning, refuse_no_bool, warn
from aptdb.core.one_line import escape_bytes
from aptdb.core.result import Result
from aptdb.core.settings import LONGEST_SENTENCE
from aptdb.corpus.corpus_files import corpus_files, name_corpus_of_file
from aptdb.corpus.faults import count_skipped
from aptdb.counting.add import Outcome, Stopped, Wanted, add_first, digest_source, read_recorded_digests
from aptdb.counting.metadata import Given, given_metadata
from aptdb.counting.staging import Progress
from aptdb.counting.stored_corpora import remove_all, rename
from aptdb.store.counts_folder import refuse_elsewhere
from aptdb.store.interrupts import ALL_WRITTEN, stopped_after
from aptdb.store.session import Session

COLUMNS = {"corpus": "VARCHAR", "action": "VARCHAR", "sentences": "BIGINT", "tokens": "BIGINT", "note": "VARCHAR"}
DONE = {
    "rename": "renamed", "add": "added", "replace": "replaced", "remove": "removed", "keep": "kept", "fail": "failed",
}  # fmt: skip


@dataclass(frozen=True)
class Step:
    """What is to be done with a corpus, or was.

    action: rename, add, replace, keep, remove or fail. file: None if it is not among the files. note: why it failed,
    why it is kept or removed though it is among the files, its former name, or which sentences were skipped. sentences,
    tokens: of what was added. same_as: the corpus that has the same content, or had it before.
    """

    corpus: str
    action: str
    file: str | None = None
    note: str | None = None
    sentences: int | None = None
    tokens: int | None = None
    same_as: str | None = None

    def row(self, *, done: bool) -> tuple[Any, ...]:
        """Return the row of an answer. done: whether it was done, or only planned."""
        return self.corpus, DONE[self.action] if done else self.action, self.sentences, self.tokens, self.note


def sync(
    session: Session,
    files: str | Path | Sequence[str | Path],
    *,
    delete: bool = False,
    dry_run: bool = False,
    skip_invalid: bool = False,
    max_sentence: int = LONGEST_SENTENCE,
    meta: str | Path | None = None,
    tags: Mapping[str, Any] | None = None,
    sentence_meta: Sequence[str] | None = None,
    meta_from: Sequence[str] | None = None,
    without_misc: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
    report: Callable[[Step], None] = lambda _: None,
) -> Result:
    """Bring the corpora of a lexicon into line with files: rows of corpus, action, sentences, tokens, note.

    files: files, folders or patterns; a corpus is named as by `aptdb add`. A file whose corpus is new is added; one
    with other content than its corpus replaces it; an equal one is kept. Content that has moved to another file renames
    its corpus; content that several files have goes in once. delete: remove the corpora that are not among the files,
    or rename those whose content another file has. Where one is renamed, its source is the new file.
    Each goes in completely or not at all, small ones together in one transaction. A file that cannot be added fails,
    its corpus is left unchanged, and the others go on. After Ctrl-C the KeyboardInterrupt says how many of the files
    are in.
    dry_run: only return what would be done. report: called with each step that was done. The other parameters are those
    of `add`, for the files that are added or replace a corpus. Raises CorpusError if no file is found, and
    LexiconError.
    """
    refuse_no_bool(delete=delete, dry_run=dry_run, skip_invalid=skip_invalid, without_misc=without_misc)
    named = [files] if isinstance(files, str | Path) else files
    if not is_names(named):
        raise CorpusError(f"files is {files!r:.60}; expected files, folders or patterns")
    refuse_missing(named)
    given = given_metadata(meta, tags, sentence_meta, meta_from)  # what is wrong in it is wrong for all files
    session.refuse_counts_elsewhere("nothing can be added to it")
    found = {name_corpus_of_file(each): each[0] for each in corpus_files([str(each) for each in named])}
    how: dict[str, Any] = {"skip_invalid": skip_invalid, "max_sentence": max_sentence, "meta": meta, "tags": tags}
    how |= {"sentence_meta": sentence_meta, "meta_from": meta_from, "progress": progress}
    how |= {"again": False, "rejects": None, "without_misc": without_misc}
    digests = digests_of(found)
    done: dict[str, Step] = {}

    def plan() -> list[Step]:
        return [
            each
            for each in plan_sync(read_recorded_digests(session), found, digests, delete)
            if each.corpus not in done
        ]

    left: list[Step] = plan() if dry_run else []
    try:
        take(left, done, report)
        # What is left to do is planned again after each transaction: another process may have done a part of it
        # meanwhile.
        while not dry_run and (left := plan()):
            take(carried_out(session, next_steps(left, done), how, done, plan), done, report)
    except KeyboardInterrupt as stopped:
        there = number_there(left, done, stopped)
        raise stopped_after(there, len(found), "; the same command continues with the others") from None
    warn_of_kept([*done.values()], given != Given())
    return Result((*COLUMNS,), (*COLUMNS.values(),), [step.row(done=not dry_run) for step in done.values()])


def is_names(files: Any) -> TypeGuard[Sequence[str | Path]]:
    """Return whether these are names of files, folders or patterns."""
    return (
        isinstance(files, Sequence)
        and len(files) > 0
        and all(isinstance(each, str | Path) and str(each) not in ("", "-") for each in files)
    )


def refuse_missing(files: Sequence[str | Path]) -> None:
    """Raise CorpusError for a file that is named and does not exist; patterns and folders name those that do."""
    for file in files:
        refuse_elsewhere(file)
        if not Path(file).exists() and not has_magic(str(file)):
            raise CorpusError(f"{file}: no such file")


def digests_of(found: Mapping[str, str]) -> dict[str, str | CorpusError]:
    """Return the digest of each file, or why it cannot be read, by the names of their corpora."""
    digests: dict[str, str | CorpusError] = {}
    for corpus, file in found.items():
        try:
            digests[corpus] = digest_source(file)
        except CorpusError as error:
            digests[corpus] = error
    return digests


def plan_sync(
    known: Mapping[str, str], found: Mapping[str, str], digests: Mapping[str, str | CorpusError], delete: bool
) -> list[Step]:
    """Return what is to be done, renamings first, so that no content has to be removed before it can be added.

    known: the digests of the lexicon's corpora. found: the files, by the names of their corpora, and digests of them.
    """
    gone = [corpus for corpus in known if corpus not in found] if delete else []
    changed = {name for name, each in digests.items() if isinstance(each, str) and known.get(name, each) != each}
    going = changed.union(gone)
    # A corpus for each content; of several (--again) one that stays under its name, if there is one.
    holders = {known[corpus]: corpus for corpus in sorted(known, key=lambda each: each not in going)}
    owners = {digest: corpus for digest, corpus in holders.items() if corpus not in going}
    readable = {corpus: digest for corpus, digest in digests.items() if isinstance(digest, str)}
    for corpus, digest in readable.items():
        owners.setdefault(digest, corpus)
    moved = {
        corpus: holders[digest]
        for corpus, digest in readable.items()
        if owners[digest] == corpus and holders.get(digest, corpus) != corpus
    }
    there = known.keys() - moved.values()  # corpora that have their names still, after the renamings
    kept, changes, doubles = [], [], []
    for corpus, file in found.items():
        if corpus not in readable:
            kept.append(Step(corpus, "fail", file, str(digests[corpus])))
        elif known.get(corpus) == readable[corpus]:
            kept.append(Step(corpus, "keep", file))
        elif (owner := owners[readable[corpus]]) != corpus:
            same = f"the same content is in the lexicon as corpus {owner}"
            doubles.append(Step(corpus, "remove" if corpus in there else "keep", file, same, same_as=owner))
        elif corpus not in moved:
            changes.append(Step(corpus, "replace" if corpus in there else "add", file))
    renamed = [Step(new, "rename", found[new], f"it was {former}", same_as=former) for new, former in moved.items()]
    removed = [Step(corpus, "remove") for corpus in gone if corpus in there]
    return [*renamed, *kept, *changes, *doubles, *removed]


def next_steps(left: Sequence[Step], done: Mapping[str, Step]) -> list[Step]:
    """Return the steps that may be taken together: all renamings, or else the first steps that are alike."""
    if moved := [step for step in left if step.action == "rename"]:
        return moved
    alike = takewhile(lambda each: each.action == left[0].action and not fails_with_other(each, done), left)
    return [*alike] or [left[0]]


def take(steps: Sequence[Step], done: dict[str, Step], report: Callable[[Step], None]) -> None:
    """Note and report what was done."""
    done |= {step.corpus: step for step in steps}
    for step in steps:
        report(step)


def number_there(left: Sequence[Step], done: Mapping[str, Step], stopped: KeyboardInterrupt) -> int:
    """Return how many files are in the lexicon when a call is stopped. left: the steps that were left before."""
    there = {step.corpus: step for step in left if step.action == "keep"} | dict(done)
    added = stopped.there if isinstance(stopped, Stopped) else 0
    if not added and str(stopped) == ALL_WRITTEN:  # what was renamed or removed together
        there |= {step.corpus: step for step in next_steps(left, done)}
    return added + sum(step.file is not None and step.action != "fail" for step in there.values())


def fails_with_other(step: Step, done: Mapping[str, Step]) -> bool:
    """Return whether a corpus cannot be brought into line because the one with its content failed."""
    return step.same_as is not None and done.get(step.same_as, step).action == "fail"


def carried_out(
    session: Session,
    steps: Sequence[Step],
    how: Mapping[str, Any],
    done: Mapping[str, Step],
    plan: Callable[[], list[Step]],
) -> list[Step]:
    """Return the steps as done or as failed; of additions the first, as far as they share a transaction.

    Those that another process has done meanwhile, or something else, are left out. plan: returns what is to be done as
    the lexicon is now.
    """
    step = steps[0]
    if fails_with_other(step, done):
        return [replace(step, action="fail", note=f"its content is that of corpus {step.same_as}, which failed")]
    if step.action in ("add", "replace"):
        files = [Wanted(str(each.file), each.corpus) for each in steps]
        outcomes = add_first(session, files, {**how, "replace": step.action == "replace"}, keep_going=True)
        now = {*plan()} if any(each.error for each in outcomes) else set[Step]()
        pairs = zip(steps, outcomes, strict=False)
        return [as_done(each, outcome) for each, outcome in pairs if not outcome.error or each in now]
    try:
        if step.action == "rename":
            names = {str(each.same_as): each.corpus for each in steps}
            rename(session, names, {each.corpus: escape_bytes(Path(str(each.file)).name) for each in steps})
        elif step.action == "remove":
            remove_all(session, [each.corpus for each in steps])
    except CorpusError:
        now = {*plan()}
        if all(each in now for each in steps):
            raise
        return []
    return [*steps]


def as_done(step: Step, outcome: Outcome) -> Step:
    """Return a step of an addition as done or as failed."""
    added = outcome.added
    if added is None:
        return replace(step, action="fail", note=str(outcome.error))
    return replace(step, note=count_skipped(added.skipped), sentences=added.sentences, tokens=added.tokens)


def warn_of_kept(done: Sequence[Step], has_metadata: bool) -> None:
    """Warn if metadata is given that corpora which are kept do not get."""
    kept = sum(step.action in ("keep", "rename") for step in done)
    if has_metadata and kept:
        warn(
            f"metadata is given to what is added or replaced; {how_many(kept, 'corpus is', 'corpora are')} kept with "
            "what they have (to change it: aptdb remove, and sync again)",
            NoMatchWarning,
        )
