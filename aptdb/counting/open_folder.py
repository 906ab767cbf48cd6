"""Makes a small lexicon of a folder of counts: it has the words and sums, and reads the counts where they are."""

from contextlib import closing
from pathlib import Path

from aptdb.counting.corpora import Addition, note_corpus
from aptdb.counting.count_pairs import grown
from aptdb.counting.folder import CountsFolder, check_tables, folder_at
from aptdb.errors import LexiconError
from aptdb.store import schema
from aptdb.store.counts_folder import MANIFEST, check_whole, refuse_elsewhere
from aptdb.store.counts_place import CountsPlace, note, point, put_view
from aptdb.store.database import Database
from aptdb.store.limits import limits
from aptdb.store.places import making, refuse_folder
from aptdb.store.statements import statement


def open_counts(folder: str | Path, lexicon: str | Path) -> Addition:
    """Make a lexicon whose counts stay in a folder that aptdb count has made; returns its corpus.

    It can be asked like any other, as long as the folder is there. If both are moved together, or the folder to where
    the lexicon is, it is found again. If the lexicon is there already, of the same counts, it reads them in this folder
    from now on. Nothing can be added to it. Raises CorpusError for a folder that is wrong, and LexiconError.
    """
    refuse_elsewhere(str(folder))
    found, file = folder_at(folder), Path(lexicon)
    check_whole(found.root, found.manifest)
    counts = CountsPlace(found.root, found.manifest)
    if file.exists():
        point_again(file, counts)
    else:
        make(file, found, counts)
    return Addition(found.name, found.manifest.sentences, found.manifest.tokens, dict(found.manifest.skipped))


def point_again(file: Path, counts: CountsPlace) -> None:
    """Let a lexicon of the same counts read them in this place. Raises LexiconError if it is another one."""
    refuse_folder(file)
    with closing(Database(file, read_only=True)) as database:
        schema.check_revision(database)
        said = note(database)
    if said is None:
        raise LexiconError(f"{file} exists already, and has counts itself; delete it, or name another file")
    if said.digest != counts.manifest.digest:
        raise LexiconError(f"{file} exists already, and is of other counts; delete it, or name another file")
    point(file, counts)


def make(file: Path, folder: CountsFolder, counts: CountsPlace) -> None:
    """Make the lexicon of a folder, completely or not at all."""
    settings, files = folder.manifest.settings, [folder.root / each.path for each in folder.manifest.files]
    with making(file, settings, folder.root / MANIFEST, limits(), files) as database:
        database.run(statement("counting/folder/no_counts"))
        put_view(database, counts)
        schema.install(database)
        check_tables(database, settings, folder)
        database.run(statement("counting/folder/open"))
        note_corpus(database, {"id": 1, "name": folder.name, **folder.noted()}, folder)
        grown(database)
