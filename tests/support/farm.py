"""A farm: a few sentences, drawn up so that all that is asked about lexicons can be asked about one."""

from pathlib import Path

import duckdb

from support.lexicons import new_lexicon

TREES = (Path(__file__).parent / "farm.conllu").read_bytes()
ONE = "FROM ppmi WHERE lexeme = 'sleep/VERB' AND path = '>nsubj'"
VIEWS = {  # weights of one's own
    "doubled": "SELECT lexeme, path, context, 2 * weight AS weight FROM ppmi",
    "nothing": "FROM ppmi WHERE false",
    "twice": f"{ONE} UNION ALL {ONE}",
    "endless": f"SELECT * REPLACE ('inf'::DOUBLE AS weight) {ONE}",
    "empty_name": "FROM ppmi UNION ALL SELECT '', '', 'dog/NOUN', 1",
}


def make_farm(file: Path) -> None:
    """Make a lexicon of the sentences, and in it all that can be derived from counts."""
    with new_lexicon(file, TREES, name="farm") as lexicon:
        lexicon.subcorpus("every", "TRUE")
        lexicon.subcorpus("news", "kind = 'news'")
        lexicon.subcorpus("told", "kind IN ('fiction', 'news')")
        lexicon.subcorpus("written", "kind IN ('academic', 'news')")
        lexicon.weigh("mine", shift=1.1, keep=True)
        lexicon.weigh("weakly", scheme="lmi")
        lexicon.save("old_dog", "dog/NOUN[amod old/ADJ]")
        lexicon.save("sly_old_dog", "old_dog[amod brown/ADJ]")
        lexicon.save("strong_dog", "dog/NOUN[amod big/ADJ]", shift=3)
        lexicon.reduce("words", window=0, dimensions=6, shift=1.0, min_frequency=2, min_feature_count=1, pos="NOUN,ADJ")
        lexicon.save_senses("bank/NOUN", groups=2)
    with duckdb.connect(str(file)) as client:
        for name, query in VIEWS.items():
            client.execute(f"CREATE VIEW {name} AS {query}")
