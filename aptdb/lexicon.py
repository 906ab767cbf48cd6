"""The class Lexicon. Each method is a function of another module that takes the session."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, Unpack

from aptdb.core.errors import refuse_no_file_name
from aptdb.core.parameters import spelled_out
from aptdb.core.settings import Given, Settings, check_settings
from aptdb.questions.execute import count, count_packed_only, evidence, frames, paths_between, sql
from aptdb.questions.inventory import by_frequency, corpora, count_lexemes, find_lexeme, held, info, lexemes
from aptdb.questions.matches import matches, matches_as_conllu
from aptdb.questions.query import (  # fmt: skip
    apt,
    compose,
    compose_each,
    contextualise,
    diff,
    doesnt_match,
    entails,
    explain,
    left_out_of_sketch,
    most_similar,
    neighbours,
    neighbours_each,
    plausible,
    similarity,
    similarity_each,
    sketch,
    sketch_diff,
)
from aptdb.questions.readings import as_lexeme, as_parsed, phrases, read
from aptdb.store.attached import Attach
from aptdb.store.limits import limits
from aptdb.store.methods import Part, PartOf, imported_later, method
from aptdb.store.old_names import attribute
from aptdb.store.session import Session, compact

if TYPE_CHECKING:
    from aptdb.counting.add import add, is_added
    from aptdb.counting.migrate import migrate
    from aptdb.counting.stored_corpora import merge, rebuild, remove
    from aptdb.counting.subcorpora import subcorpora, subcorpora_by, subcorpus
    from aptdb.counting.sync import sync
    from aptdb.evaluation.choose import choose
    from aptdb.evaluation.compare import evaluations, missing_words
    from aptdb.evaluation.evaluate import evaluate
    from aptdb.evaluation.experiments import table_5, table_6, tables_2_to_4
    from aptdb.evaluation.report import report
    from aptdb.evaluation.substitute_scores import rate_substitutes
    from aptdb.pictures.comparisons import plot_counts_by, plot_keyness, plot_sketch_diff
    from aptdb.pictures.draw import draw, draw_trees
    from aptdb.pictures.plots import plot_groups, plot_growth, plot_map, plot_neighbours, plot_sketch, plot_trend
    from aptdb.questions.articles import articles
    from aptdb.questions.breakdowns import collexemes
    from aptdb.questions.entries import entries, save
    from aptdb.questions.export import export
    from aptdb.questions.frequencies import counts_by, keyness, phrase_keyness, trend
    from aptdb.questions.one_lexeme import Lexeme
    from aptdb.questions.phrase_questions import compositionality, observed, substitutes
    from aptdb.questions.provenance import provenance
    from aptdb.questions.senses import save_senses, senses
    from aptdb.questions.spaces import reduce, spaces
    from aptdb.questions.stored import forget_stored, list_stored, list_stored_senses, refresh_stored
    from aptdb.questions.terms import pattern_keyness
    from aptdb.questions.thesaurus import thesaurus
    from aptdb.questions.vectors import vectors
    from aptdb.questions.verify import verify
    from aptdb.questions.weightings import weigh, weightings
    from aptdb.store.qualified import qualified
else:
    HOMES = {
        "counting.add": "add is_added",
        "counting.migrate": "migrate",
        "counting.stored_corpora": "merge rebuild remove",
        "counting.subcorpora": "subcorpora subcorpora_by subcorpus",
        "counting.sync": "sync",
        "evaluation.choose": "choose",
        "evaluation.compare": "evaluations missing_words",
        "evaluation.evaluate": "evaluate",
        "evaluation.experiments": "table_5 table_6 tables_2_to_4",
        "evaluation.report": "report",
        "evaluation.substitute_scores": "rate_substitutes",
        "pictures.comparisons": "plot_counts_by plot_keyness plot_sketch_diff",
        "pictures.draw": "draw draw_trees",
        "pictures.plots": "plot_groups plot_growth plot_map plot_neighbours plot_sketch plot_trend",
        "questions.articles": "articles",
        "questions.breakdowns": "collexemes",
        "questions.entries": "entries save",
        "questions.export": "export",
        "questions.frequencies": "counts_by keyness phrase_keyness trend",
        "questions.one_lexeme": "Lexeme",
        "questions.phrase_questions": "compositionality observed substitutes",
        "questions.provenance": "provenance",
        "questions.senses": "save_senses senses",
        "questions.spaces": "reduce spaces",
        "questions.stored": "forget_stored list_stored list_stored_senses refresh_stored",
        "questions.terms": "pattern_keyness",
        "questions.thesaurus": "thesaurus",
        "questions.vectors": "vectors",
        "questions.verify": "verify",
        "questions.weightings": "weigh weightings",
        "store.qualified": "qualified",
    }
    globals().update(imported_later(HOMES))

BLANK = "\n\n"
Opening = TypeVar("Opening", bound=Callable[..., Any])


def with_settings(function: Opening) -> Opening:
    """Return a function whose signature and docstring list each setting."""
    docstring, settings = inspect.cleandoc(function.__doc__ or ""), inspect.cleandoc(Settings.__doc__ or "")
    function.__doc__ = f"{docstring}\n\n{settings.split(BLANK)[1]}"
    function.__signature__ = spelled_out(function)  # type: ignore[attr-defined]
    return function


class Stored(Part):
    """What is stored under a name: weightings, spaces, entries, subcorpora and senses, to list, make again or delete.

    When a corpus is added or removed they become stale; refresh() makes them again.

    >>> lexicon.stored.list()
    """

    place = "Lexicon.stored"

    list = method(list_stored, "lexicon.stored.list()")
    provenance = method(provenance, "lexicon.stored.provenance()")
    weightings = method(weightings, "lexicon.stored.weightings()")
    spaces = method(spaces, "lexicon.stored.spaces()")
    vectors = method(vectors, 'lexicon.stored.vectors("small").most_similar("shoot/NOUN", top=3)')
    entries = method(entries, "lexicon.stored.entries()")
    subcorpora = method(subcorpora, "lexicon.stored.subcorpora()")
    senses = method(list_stored_senses, "lexicon.stored.senses()")
    refresh = method(refresh_stored, "lexicon.stored.refresh()")
    forget = method(forget_stored, 'lexicon.stored.forget("green_shoot")')


class Evaluation(Part):
    """How well the lexicon agrees with human judgements, and reports.

    >>> lexicon.eval.evaluations()
    """

    place = "Lexicon.eval"

    evaluate = method(evaluate, 'lexicon.eval.evaluate("ml2010.txt", merge=["sum", "min"])')
    missing_words = method(missing_words, 'lexicon.eval.missing_words("ml2010.txt")')
    choose = method(choose, 'lexicon.eval.choose("questions.csv")')
    rate_substitutes = method(rate_substitutes, 'lexicon.eval.rate_substitutes("gold.trial", "lexsub_trial.xml")')
    evaluations = method(evaluations, "lexicon.eval.evaluations()")
    tables_2_to_4 = method(tables_2_to_4, "lexicon.eval.tables_2_to_4()")
    table_5 = method(table_5, 'lexicon.eval.table_5("ml2010.txt")')
    table_6 = method(table_6, 'lexicon.eval.table_6("ml2008.txt")')
    report = method(report, 'lexicon.eval.report("report.html", words=["shoot/NOUN"])')


class Plots(Part):
    """Pictures of lexemes and phrases, which a notebook shows and `save` writes to a file.

    >>> lexicon.plot.growth()
    """

    place = "Lexicon.plot"

    apt = method(draw, 'lexicon.plot.apt("green shoot", steps=True).save("shoot.svg")')
    trees = method(draw_trees, 'lexicon.plot.trees(["green shoot"]).save("tree.svg")')
    neighbours = method(plot_neighbours, 'lexicon.plot.neighbours("shoot/NOUN", top=5).save("neighbours.svg")')
    sketch = method(plot_sketch, 'lexicon.plot.sketch("shoot/NOUN", top=5).save("sketch.svg")')
    trend = method(plot_trend, 'lexicon.plot.trend("shoot/NOUN", by="year").save("trend.svg")')
    counts_by = method(plot_counts_by, 'lexicon.plot.counts_by("shoot/NOUN", by="genre").save("counts.svg")')
    keyness = method(plot_keyness, 'lexicon.plot.keyness("fiction", top=10).save("keyness.svg")')
    sketch_diff = method(plot_sketch_diff, 'lexicon.plot.sketch_diff("shoot/NOUN", "leaf/NOUN").save("pair.svg")')
    growth = method(plot_growth, 'lexicon.plot.growth().save("growth.svg")')
    map = method(plot_map, 'lexicon.plot.map(["leaf/NOUN", "tour/NOUN", "green shoot"]).save("map.svg")')
    groups = method(plot_groups, 'lexicon.plot.groups("shoot/NOUN").save("groups.svg")')


class Lexicon(Part):
    """A distributional lexicon in one DuckDB file. Use it in a `with` block, or call close().

    It is also a container of lexemes: `"dog/NOUN" in lexicon`, `len(lexicon)`, `for lexeme in lexicon` (the most
    frequent first), and `lexicon["dog/NOUN"]` for one lexeme.

    A file is opened for reading, so that many processes can ask at once; `add` opens it for writing, alone. Threads may
    share a lexicon: each asks by a connection of its own. What writes waits for the questions of other threads; what
    they ask meanwhile raises InUseError.

    >>> with Lexicon.open("english.duckdb") as lexicon:
    ...     print(lexicon.neighbours("dog/NOUN"))
    """

    if not TYPE_CHECKING:  # where a checker would take it for any name

        def __getattr__(self, name: str) -> Any:
            """Return a method by its old name."""
            return getattr(self, attribute("'Lexicon' object", "Lexicon", name))

    # Open and close
    @classmethod
    @with_settings
    def open(
        cls,
        file: str | Path,
        *,
        create: bool = False,
        confined: bool = True,
        memory: str | int | None = None,
        temp: str | Path | None = None,
        wait: float = 0,
        attach: Attach = None,
        **settings: Unpack[Given],
    ) -> Self:
        """Open a lexicon. With create, the first `add` creates a missing file.

        >>> lexicon = Lexicon.open("english.duckdb")

        confined: whether questions can read only this file, whatever their SQL or the file's views. memory: the limit
        of the process, e.g. "2GB", or a number of bytes; by default APTDB_MEMORY, else a quarter of the machine's, at
        least 1 GB. temp: the folder for temporary files; by default APTDB_TEMP, else beside the file. wait: seconds to
        wait, here and whenever it is written, for another process that has it open; then InUseError. attach: other
        DuckDB files, lexicons or not, whose tables and views questions can read as NAME.TABLE: a file, a list of files,
        or a dictionary of files by name. The default name is the file name without its ending.

        Settings (order, lexeme, lowercase, exclude_upos, relations, …: see Settings) are fixed when a lexicon is
        created. For an existing lexicon they must be the same. Raises LexiconError and SettingsError.
        """
        refuse_no_file_name("file", file)
        kept = limits(memory, temp, wait or None)
        given = check_settings(settings)
        return cls(Session(Path(file), create=create, confined=confined, given=given, limits=kept, attach=attach))

    @staticmethod
    def migrate(
        file: str | Path, *, exported: str | Path | None = None, progress: Callable[[int, int], None] = lambda *_: None
    ) -> str:
        """Update an older lexicon to this version; return its former schema.

        >>> Lexicon.migrate("english.duckdb")

        exported: the folder into which another version of DuckDB exported the lexicon (EXPORT DATABASE 'FOLDER' (FORMAT
        parquet)), where this one cannot read its file; then the file is new. progress: called with the tokens whose
        direct counts were counted, and with all. Raises LexiconError.
        """
        refuse_no_file_name("file", file)
        return migrate(file, exported=exported, progress=progress)

    def close(self) -> None:
        """Close the file; closing it again does nothing.

        >>> lexicon.close()
        """
        self._session.close()

    def interrupt(self) -> None:
        """Stop the question that another thread asks, which then raises KeyboardInterrupt. It can be asked again.

        >>> lexicon.interrupt()
        """
        self._session.interrupt()

    @property
    def file(self) -> Path:
        """Return the file of the lexicon."""
        return self._session.file

    @property
    def settings(self) -> Settings:
        """Return the settings of the lexicon."""
        return self._session.settings

    # Parts
    stored = PartOf(Stored)
    eval = PartOf(Evaluation)
    plot = PartOf(Plots)

    # Corpora
    add = method(add, 'lexicon.add("more.conllu", tags={"genre": "letters"})')
    is_added = method(is_added, 'lexicon.is_added("more.conllu")')
    remove = method(remove, 'lexicon.remove("more.conllu")')
    sync = method(sync, 'lexicon.sync(["more.conllu"], dry_run=True)')
    merge = method(merge, 'lexicon.merge("german.duckdb", prefix="german/")')
    rebuild = method(rebuild, 'lexicon.rebuild("nouns.duckdb", order=1, where="genre = \'news\'")')
    verify = method(verify, "lexicon.verify()")
    compact = method(compact, "lexicon.compact()")

    # Subcorpora
    subcorpus = method(subcorpus, 'lexicon.subcorpus("fiction", where="genre = \'fiction\'")')
    subcorpora_by = method(subcorpora_by, 'lexicon.subcorpora_by("year", prefix="year_")')

    # Contents
    info = method(info, "lexicon.info()")
    corpora = method(corpora, "lexicon.corpora()")
    phrases = method(phrases, 'lexicon.phrases("more.conllu")')
    sql = method(sql, 'lexicon.sql("SELECT * FROM lexemes WHERE frequency > $least", {"least": 100})')

    # Lexemes
    lexemes = method(lexemes, 'lexicon.lexemes("sho*", pos="NOUN", top=10)')
    as_lexeme = method(as_lexeme, 'lexicon.as_lexeme("shoots")')
    sketch = method(sketch, 'lexicon.sketch("shoot/NOUN", top=3)')
    sketch_diff = method(sketch_diff, 'lexicon.sketch_diff("shoot/NOUN", "leaf/NOUN", top=1)')
    left_out_of_sketch = method(left_out_of_sketch, 'lexicon.left_out_of_sketch("shoot/NOUN", min_count=2)')
    apt = method(apt, 'lexicon.apt("shoot/NOUN", shift=2)')
    neighbours = method(neighbours, 'lexicon.neighbours("shoot/NOUN", top=5)')
    neighbours_each = method(neighbours_each, 'lexicon.neighbours_each(["shoot/NOUN", "green shoot"], top=3)')
    similarity = method(similarity, 'lexicon.similarity("green shoot", "leaf/NOUN", merge="min")')
    similarity_each = method(similarity_each, 'lexicon.similarity_each(["shoot/NOUN", "leaf/NOUN", "tour/NOUN"])')
    most_similar = method(most_similar, 'lexicon.most_similar(["shoot/NOUN", "leaf/NOUN"], ["show/NOUN"], top=3)')
    doesnt_match = method(doesnt_match, 'lexicon.doesnt_match(["shoot/NOUN", "leaf/NOUN", "tour/NOUN"])')
    explain = method(explain, 'lexicon.explain("shoot/NOUN", "leaf/NOUN", top=5)')
    entails = method(entails, 'lexicon.entails("shoot/NOUN", "leaf/NOUN", top=5)')
    diff = method(diff, 'lexicon.diff("shoot/NOUN", "leaf/NOUN", per_path=2)')
    evidence = method(evidence, 'lexicon.evidence("shoot/NOUN", ">amod", "green/ADJ")')
    matches = method(matches, 'lexicon.matches("NOUN[amod green/ADJ]")')
    articles = method(articles, 'lexicon.articles(["shoot/NOUN", "green/ADJ"], top=3)')
    collexemes = method(collexemes, 'lexicon.collexemes("VERB[obj NOUN]", "2.lemma", top=5)')
    pattern_keyness = method(pattern_keyness, 'lexicon.pattern_keyness("NOUN[amod ADJ]", "2.lemma", "fiction", top=3)')
    matches_as_conllu = method(matches_as_conllu, 'print(*lexicon.matches_as_conllu("NOUN[amod green/ADJ]", top=1))')
    frames = method(frames, 'lexicon.frames("shoot/NOUN", top=5)')
    counts_by = method(counts_by, 'lexicon.counts_by("shoot/NOUN", by="genre")')
    trend = method(trend, 'lexicon.trend("shoot/NOUN", by="year")')
    keyness = method(keyness, 'lexicon.keyness("fiction", top=10)')
    phrase_keyness = method(phrase_keyness, 'lexicon.phrase_keyness(["green shoot", "*ing"], "fiction")')
    count = method(count, 'lexicon.count("shoot/NOUN", ">amod", "green/ADJ")')
    count_packed_only = method(count_packed_only, 'lexicon.count_packed_only("shoot/NOUN", ">amod", "green/ADJ")')
    paths_between = method(paths_between, 'lexicon.paths_between("shoot/NOUN", "green/ADJ")')

    # Phrases
    read = method(read, 'lexicon.read("green shoot")')
    as_parsed = method(as_parsed, 'lexicon.as_parsed("green shoot", "spacy:en_core_web_sm")')
    compose = method(compose, 'lexicon.compose("shoot/NOUN[amod green/ADJ]", merge="min")')
    compose_each = method(compose_each, 'lexicon.compose_each(["green shoot", "long shoot"])')
    observed = method(observed, 'lexicon.observed("green shoot")')
    compositionality = method(compositionality, 'lexicon.compositionality(["green shoot", "long shoot"])')
    contextualise = method(contextualise, 'lexicon.contextualise("green shoot", top=3)')
    plausible = method(plausible, 'lexicon.plausible("_/NOUN[amod green/ADJ]", top=3)')
    substitutes = method(substitutes, 'lexicon.substitutes("green shoot", anchor=2, top=3)')
    save = method(save, 'lexicon.save("green_shoot", "green shoot", merge="min")')

    # Weights and vectors
    weigh = method(weigh, 'lexicon.weigh("strong", scheme="ppmi", shift=5, keep=True)')
    reduce = method(reduce, 'lexicon.reduce("small", dimensions=20, min_frequency=10)')
    senses = method(senses, 'lexicon.senses("shoot/NOUN", space="small")')
    save_senses = method(save_senses, 'lexicon.save_senses("shoot/NOUN", space="small")')
    thesaurus = method(thesaurus, 'lexicon.thesaurus("thesaurus.tsv", top=5)')
    export = method(export, 'lexicon.export("nouns.vec", pos="NOUN", dimensions=20)')
    definitions = method(qualified, 'lexicon.definitions("english")')

    # As a container of lexemes
    def __contains__(self, lexeme: object) -> bool:
        """Return whether the lexicon has a lexeme: `"dog/NOUN" in lexicon`."""
        with self._session.asking():
            return find_lexeme(self._session, lexeme) is not None

    def __len__(self) -> int:
        """Return the number of lexemes."""
        with self._session.asking():
            return count_lexemes(self._session)

    def __iter__(self) -> Iterator[str]:
        """Yield the lexemes, the most frequent first."""
        with self._session.asking():
            return by_frequency(self._session)

    def __getitem__(self, lexeme: str) -> "Lexeme":
        """Return a lexeme, to ask about. Raise NoSuchLexemeError, which suggests similar ones."""
        with self._session.asking():
            return Lexeme(self, lexeme)

    def __repr__(self) -> str:
        return held(self._session).line()

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows: contents and settings."""
        return held(self._session).html()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
