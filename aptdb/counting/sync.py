"""Bring a lexicon into line with files: add what is new, replace what changed, keep what is equal."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from glob import has_magic
from pathlib import Path
from typing import Any

from aptdb.core.display import how_many
from aptdb.core.errors import CorpusError, OtherMetadata, SettingsError, warn
from aptdb.core.result import Result
from aptdb.core.settings import LONGEST_SENTENCE
from aptdb.corpus.corpus_files import called, corpus_files
from aptdb.corpus.faults import skipping
from aptdb.counting.add import add, digest_of
from aptdb.counting.metadata import Given, given_metadata
from aptdb.counting.staging import Progress
from aptdb.counting.stored_corpora import remove
from aptdb.store.session import Session

COLUMNS = {"corpus": "VARCHAR", "action": "VARCHAR", "sentences": "BIGINT", "tokens": "BIGINT", "note": "VARCHAR"}
DONE = {"add": "added", "replace": "replaced", "remove": "removed", "keep": "kept", "fail": "failed"}


@dataclass(frozen=True)
class Step:
    """What is to be done with a corpus, or was.

    action: add, replace, keep, remove or fail. file: None if it is not among the files. note: why it failed, why it is
    kept or removed though it is among the files, or which sentences were skipped. sentences, tokens: of what was added.
    same_as: the corpus that has the same content. again: whether the content is for a while there twice.
    """

    corpus: str
    action: str
    file: str | None = None
    note: str | None = None
    sentences: int | None = None
    tokens: int | None = None
    same_as: str | None = None
    again: bool = False

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
    progress: Callable[[Progress], None] = lambda _: None,
    report: Callable[[Step], None] = lambda _: None,
) -> Result:
    """Bring the corpora of a lexicon into line with files: rows of corpus, action, sentences, tokens, note.

    files: files, folders or patterns; a corpus is named as by `aptdb add`. A file whose corpus is new is added; one
    with other content than its corpus replaces it; an equal one is kept; content that several files have goes in once.
    delete: remove the corpora that are not among the files. Each is a transaction. A file that cannot be added fails,
    its corpus is left unchanged, and the others go on. dry_run: only return what would be done. report: called with
    each step that was done. The other parameters are those of `add`, for the files that are added or replace a corpus.
    Raises CorpusError if no file is found, and LexiconError.
    """
    named = [files] if isinstance(files, str | Path) else [*files]
    if not named or not all(isinstance(each, str | Path) and str(each) != "-" for each in named):
        raise CorpusError(f"files is {files!r:.60}; expected files, folders or patterns")
    refuse_missing(named)
    given = given_metadata(meta, tags, sentence_meta, meta_from)  # what is wrong in it is wrong for all files
    session.refuse_counts_elsewhere("nothing can be added to it")
    found = {called(each): each[0] for each in corpus_files([str(each) for each in named])}
    how: dict[str, Any] = {"skip_invalid": skip_invalid, "max_sentence": max_sentence, "meta": meta, "tags": tags}
    how |= {"sentence_meta": sentence_meta, "meta_from": meta_from, "progress": progress}
    done = []
    failed: set[str] = set()
    for step in planned(known_corpora(session), found, delete=delete):
        done.append(step if dry_run else carried_out(session, step, how, failed))
        report(done[-1])
        if done[-1].action == "fail":
            failed.add(step.corpus)
    warn_of_kept(done, given != Given())
    return Result((*COLUMNS,), (*COLUMNS.values(),), [step.row(done=not dry_run) for step in done])


def refuse_missing(files: Sequence[str | Path]) -> None:
    """Raise CorpusError for a file that is named and does not exist; patterns and folders name those that do."""
    for file in files:
        if not Path(file).exists() and not has_magic(str(file)):
            raise CorpusError(f"{file}: no such file")


def known_corpora(session: Session) -> dict[str, str]:
    """Return the digests of the corpora in a lexicon, by their names."""
    if session.is_empty():
        return {}
    return dict(session.reading().rows("SELECT name, sha256 FROM _store.corpus"))


def planned(known: Mapping[str, str], found: Mapping[str, str], *, delete: bool) -> list[Step]:
    """Return what is to be done: first what is gone is removed, so that a file with a new name finds its place free.

    known: the digests of the lexicon's corpora. found: the files, by the names of their corpora.
    """
    gone = [corpus for corpus in known if corpus not in found] if delete else []
    digests, failed = digests_of(found)
    holders = {digest: corpus for corpus, digest in known.items() if corpus not in gone}
    owners = {digest: corpus for digest, corpus in holders.items() if digests.get(corpus, digest) == digest}
    kept, changed, doubles = [], {}, []
    for corpus, file in found.items():
        if corpus in failed:
            kept.append(Step(corpus, "fail", file, failed[corpus]))
        elif known.get(corpus) == digests[corpus]:
            kept.append(Step(corpus, "keep", file))
        elif (owner := owners.setdefault(digests[corpus], corpus)) == corpus:
            changed[corpus] = holders.get(digests[corpus])
        else:
            same = f"the same content is in the lexicon as corpus {owner}"
            doubles.append(Step(corpus, "remove" if corpus in known else "keep", file, same, same_as=owner))
    changes = [
        Step(corpus, "replace" if corpus in known else "add", found[corpus], again=again)
        for corpus, again in in_order(changed)
    ]
    return [*(Step(corpus, "remove") for corpus in gone), *kept, *changes, *doubles]


def digests_of(found: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the digests of files, and why some cannot be read, both by the names of their corpora."""
    digests, failed = {}, {}
    for corpus, file in found.items():
        try:
            digests[corpus] = digest_of(file)
        except CorpusError as error:
            failed[corpus] = str(error)
    return digests, failed


def in_order(changed: Mapping[str, str | None]) -> Iterator[tuple[str, bool]]:
    """Yield corpora so that content which moves is gone from its old corpus before it comes into its new one.

    changed: of each corpus, the one that has its new content now, if any. Where contents are exchanged, one must come
    first; with it comes True, for its content is then for a while there twice.
    """
    done: set[str | None] = {None}
    for corpus in changed:
        chain = [corpus]
        while (holder := changed.get(chain[-1])) is not None and holder in changed and holder not in {*chain, *done}:
            chain.append(holder)
        for each in reversed(chain):
            if each not in done:
                yield each, changed[each] not in done
                done.add(each)


def carried_out(session: Session, step: Step, how: Mapping[str, Any], failed: Container[str]) -> Step:
    """Carry a step out; return it with the numbers of what was added, or as failed. failed: corpora that have."""
    if step.same_as in failed:
        return replace(step, action="fail", note=f"its content is that of corpus {step.same_as}, which failed")
    if step.action == "remove":
        remove(session, step.corpus)
    if step.action not in ("add", "replace"):
        return step
    try:
        added = add(session, step.file, name=step.corpus, replace=step.action == "replace", again=step.again, **how)
    except (CorpusError, SettingsError) as error:
        return replace(step, action="fail", note=str(error))
    return replace(step, note=skipping(added.skipped), sentences=added.sentences, tokens=added.tokens)


def warn_of_kept(done: Sequence[Step], has_metadata: bool) -> None:
    """Warn if metadata is given that corpora which are kept do not get."""
    kept = sum(step.action == "keep" for step in done)
    if has_metadata and kept:
        warn(
            f"metadata is given to what is added or replaced; {how_many(kept, 'corpus is', 'corpora are')} kept with "
            "what they have (to change it: aptdb remove, and sync again)",
            OtherMetadata,
        )
