"""Bring a lexicon into line with files: add what is new, replace what changed, keep what is equal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path
from typing import Any

from aptdb.core.errors import CorpusError, SettingsError
from aptdb.core.result import Result
from aptdb.core.settings import LONGEST_SENTENCE
from aptdb.corpus.corpus_files import called, corpus_files
from aptdb.counting.add import add, digest_of
from aptdb.counting.metadata import given_metadata
from aptdb.counting.staging import Progress
from aptdb.counting.stored_corpora import remove
from aptdb.store.session import Session

COLUMNS = {"corpus": "VARCHAR", "action": "VARCHAR", "sentences": "BIGINT", "tokens": "BIGINT", "problem": "VARCHAR"}
DONE = {"add": "added", "replace": "replaced", "remove": "removed", "keep": "kept", "fail": "failed"}


@dataclass(frozen=True)
class Step:
    """What is to be done with a corpus, or was.

    action: add, replace, keep, remove or fail. file: None if the corpus is to be removed. problem: why it failed, or
    why it is kept under another name. sentences, tokens: of what was added.
    """

    corpus: str
    action: str
    file: str | None = None
    problem: str | None = None
    sentences: int | None = None
    tokens: int | None = None

    def row(self, *, done: bool) -> tuple[Any, ...]:
        """Return the row of an answer. done: whether it was done, or only planned."""
        return self.corpus, DONE[self.action] if done else self.action, self.sentences, self.tokens, self.problem


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
    """Bring the corpora of a lexicon into line with files: rows of corpus, action, sentences, tokens, problem.

    files: files, folders or patterns; a corpus is named as by `aptdb add`. A file whose corpus is new is added; one
    with other content than its corpus replaces it; an equal one is kept. delete: remove the corpora that are not among
    the files. Each is a transaction. A file that cannot be added fails, its corpus is left unchanged, and the others
    go on. dry_run: only return what would be done. report: called with each step that was done. The other parameters
    are those of `add`, for all files. Raises CorpusError if no file is found, and LexiconError.
    """
    named = [files] if isinstance(files, str | Path) else [*files]
    if not named or not all(isinstance(each, str | Path) and str(each) != "-" for each in named):
        raise CorpusError(f"files is {files!r:.60}; expected files, folders or patterns")
    refuse_missing(named)
    given_metadata(meta, tags, sentence_meta, meta_from)  # what is wrong in it is wrong for all files
    session.refuse_counts_elsewhere("nothing can be added to it")
    steps = planned(known_corpora(session), [str(each) for each in named], delete=delete)
    how: dict[str, Any] = {"skip_invalid": skip_invalid, "max_sentence": max_sentence, "meta": meta, "tags": tags}
    how |= {"sentence_meta": sentence_meta, "meta_from": meta_from, "progress": progress}
    done = []
    for step in steps:
        done.append(step if dry_run else taken(session, step, how))
        report(done[-1])
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


def planned(known: Mapping[str, str], files: list[str], *, delete: bool) -> list[Step]:
    """Return what is to be done, removals first, so that a file with a new name is added after its old corpus."""
    found = {called(each): each[0] for each in corpus_files(files)}
    gone = [name for name in known if name not in found] if delete else []
    held = {digest: name for name, digest in known.items() if name not in gone}
    return [Step(name, "remove") for name in gone] + [
        step_for(name, file, known.get(name), held) for name, file in found.items()
    ]


def step_for(corpus: str, file: str, before: str | None, held: Mapping[str, str]) -> Step:
    """Return what is to be done with a file. before: the digest of its corpus. held: corpora by digest."""
    try:
        digest = digest_of(file)
    except CorpusError as error:
        return Step(corpus, "fail", file, str(error))
    if digest == before:
        return Step(corpus, "keep", file)
    if digest in held:
        return Step(corpus, "keep", file, f"the same content is in the lexicon as corpus {held[digest]}")
    return Step(corpus, "add" if before is None else "replace", file)


def taken(session: Session, step: Step, how: Mapping[str, Any]) -> Step:
    """Take a step; return it with the numbers of what was added, or as failed."""
    if step.action == "remove":
        remove(session, step.corpus)
    if step.file is None or step.action not in ("add", "replace"):
        return step
    try:
        added = add(session, step.file, name=step.corpus, replace=step.action == "replace", **how)
    except (CorpusError, SettingsError) as error:
        return Step(step.corpus, "fail", step.file, str(error))
    return Step(step.corpus, step.action, step.file, None, added.sentences, added.tokens)
