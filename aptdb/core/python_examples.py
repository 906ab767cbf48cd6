"""An example of each method of a lexicon, which `help()` and the site show.

The words are those of the corpus of `aptdb demo`; names of files, subcorpora, spaces and weightings are yours. Other
names of the package have their example in their docstring.
"""

EXAMPLES = {
    # Corpora
    "add": 'lexicon.add("more.conllu", tags={"genre": "letters"})',
    "holds": 'lexicon.holds("more.conllu")',
    "remove": 'lexicon.remove("more.conllu")',
    "sync": 'lexicon.sync(["more.conllu"], dry_run=True)',
    "merge": 'lexicon.merge("german.duckdb", prefix="german/")',
    "rebuild": 'lexicon.rebuild("nouns.duckdb", order=1, where="genre = \'news\'")',
    "verify": "lexicon.verify()",
    "compact": "lexicon.compact()",
    # Subcorpora
    "subcorpus": 'lexicon.subcorpus("fiction", where="genre = \'fiction\'")',
    "subcorpora_by": 'lexicon.subcorpora_by("year", prefix="year_")',
    "subcorpora": "lexicon.subcorpora()",
    "refresh_subcorpora": "lexicon.refresh_subcorpora()",
    "forget_subcorpus": 'lexicon.forget_subcorpus("year_*")',
    # Contents
    "info": "lexicon.info()",
    "corpora": "lexicon.corpora()",
    "phrases": 'lexicon.phrases("more.conllu")',
    "sql": 'lexicon.sql("SELECT * FROM lexemes WHERE frequency > $least", {"least": 100})',
    # Lexemes
    "lexemes": 'lexicon.lexemes("sho*", pos="NOUN", top=10)',
    "as_lexeme": 'lexicon.as_lexeme("shoots")',
    "sketch": 'lexicon.sketch("shoot/NOUN", top=3)',
    "sketch_diff": 'lexicon.sketch_diff("shoot/NOUN", "leaf/NOUN", top=1)',
    "left_out": 'lexicon.left_out("shoot/NOUN", min_count=2)',
    "apt": 'lexicon.apt("shoot/NOUN", shift=2)',
    "neighbours": 'lexicon.neighbours("shoot/NOUN", top=5)',
    "neighbours_each": 'lexicon.neighbours_each(["shoot/NOUN", "green shoot"], top=3)',
    "similarity": 'lexicon.similarity("green shoot", "leaf/NOUN", merge="min")',
    "similarity_each": 'lexicon.similarity_each(["shoot/NOUN", "leaf/NOUN", "tour/NOUN"])',
    "most_similar": 'lexicon.most_similar(["shoot/NOUN", "leaf/NOUN"], ["show/NOUN"], top=3)',
    "doesnt_match": 'lexicon.doesnt_match(["shoot/NOUN", "leaf/NOUN", "tour/NOUN"])',
    "explain": 'lexicon.explain("shoot/NOUN", "leaf/NOUN", top=5)',
    "entails": 'lexicon.entails("shoot/NOUN", "leaf/NOUN", top=5)',
    "diff": 'lexicon.diff("shoot/NOUN", "leaf/NOUN", per_path=2)',
    "evidence": 'lexicon.evidence("shoot/NOUN", ">amod", "green/ADJ")',
    "frames": 'lexicon.frames("shoot/NOUN", top=5)',
    "counts_by": 'lexicon.counts_by("shoot/NOUN", by="genre")',
    "trend": 'lexicon.trend("shoot/NOUN", by="year")',
    "keyness": 'lexicon.keyness("fiction", top=10)',
    "phrase_keyness": 'lexicon.phrase_keyness(["green shoot", "*ing"], "fiction")',
    "count": 'lexicon.count("shoot/NOUN", ">amod", "green/ADJ")',
    "merged": 'lexicon.merged("shoot/NOUN", ">amod", "green/ADJ")',
    "ways": 'lexicon.ways("shoot/NOUN", "green/ADJ")',
    # Phrases
    "read": 'lexicon.read("green shoot")',
    "as_parsed": 'lexicon.as_parsed("green shoot", "spacy:en_core_web_sm")',
    "compose": 'lexicon.compose("shoot/NOUN[amod green/ADJ]", merge="min")',
    "compose_each": 'lexicon.compose_each(["green shoot", "long shoot"])',
    "observed": 'lexicon.observed("green shoot")',
    "compositionality": 'lexicon.compositionality(["green shoot", "long shoot"])',
    "contextualise": 'lexicon.contextualise("green shoot", top=3)',
    "plausible": 'lexicon.plausible("_/NOUN[amod green/ADJ]", top=3)',
    "substitutes": 'lexicon.substitutes("green shoot", anchor=2, top=3)',
    "save": 'lexicon.save("green_shoot", "green shoot", merge="min")',
    "entries": "lexicon.entries()",
    "refresh_entries": "lexicon.refresh_entries()",
    "forget_entry": 'lexicon.forget_entry("green_shoot")',
    # Pictures
    "draw": 'lexicon.draw("green shoot", steps=True).save("shoot.svg")',
    "draw_trees": 'lexicon.draw_trees(["green shoot"]).save("tree.svg")',
    "plot_neighbours": 'lexicon.plot_neighbours("shoot/NOUN", top=5).save("neighbours.svg")',
    "plot_sketch": 'lexicon.plot_sketch("shoot/NOUN", top=5).save("sketch.svg")',
    "plot_trend": 'lexicon.plot_trend("shoot/NOUN", by="year").save("trend.svg")',
    "plot_growth": 'lexicon.plot_growth().save("growth.svg")',
    "plot_map": 'lexicon.plot_map(["leaf/NOUN", "tour/NOUN", "green shoot"]).save("map.svg")',
    "plot_groups": 'lexicon.plot_groups("shoot/NOUN").save("groups.svg")',
    # Weights and vectors
    "weigh": 'lexicon.weigh("strong", scheme="ppmi", shift=5, keep=True)',
    "weightings": "lexicon.weightings()",
    "refresh": 'lexicon.refresh("strong")',
    "forget": 'lexicon.forget("strong")',
    "reduce": 'lexicon.reduce("small", dimensions=20, min_frequency=10)',
    "spaces": "lexicon.spaces()",
    "refresh_spaces": "lexicon.refresh_spaces()",
    "senses": 'lexicon.senses("shoot/NOUN", space="small")',
    "save_senses": 'lexicon.save_senses("shoot/NOUN", space="small")',
    "refresh_senses": "lexicon.refresh_senses()",
    "forget_senses": 'lexicon.forget_senses("shoot/NOUN")',
    "forget_space": 'lexicon.forget_space("small")',
    "thesaurus": 'lexicon.thesaurus("thesaurus.tsv", top=5)',
    "export": 'lexicon.export("nouns.vec", pos="NOUN", dimensions=20)',
    "definitions": 'lexicon.definitions("english")',
    # Evaluation
    "evaluate": 'lexicon.evaluate("ml2010.txt", merge=["sum", "min"])',
    "missing_words": 'lexicon.missing_words("ml2010.txt")',
    "choose": 'lexicon.choose("questions.csv")',
    "rate_substitutes": 'lexicon.rate_substitutes("gold.trial", "lexsub_trial.xml")',
    "evaluations": "lexicon.evaluations()",
    "tables_2_to_4": "lexicon.tables_2_to_4()",
    "table_5": 'lexicon.table_5("ml2010.txt")',
    "table_6": 'lexicon.table_6("ml2008.txt")',
    "report": 'lexicon.report("report.html", words=["shoot/NOUN"])',
}


def with_example(docstring: str, name: str) -> str:
    """Return the docstring of a method with its example, if it has one."""
    return f"{docstring}\n\n>>> {EXAMPLES[name]}" if name in EXAMPLES else docstring
