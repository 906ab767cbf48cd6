"""Two sentences with features, MISC and enhanced dependencies, and the tokens of a lexicon, for patterns."""

from itertools import groupby

from aptdb import Lexicon
from twins.tree_matches import Word

TEXT = """\
1\tHe\the\tPRON\tPRP\tCase=Nom\t2\tnsubj\t2:nsubj|4:nsubj\t_
2\tgave\tgive\tVERB\tVBD\tTense=Past\t0\troot\t0:root\tGloss=dedit
3\ther\tshe\tPRON\tPRP\tCase=Acc\t2\tiobj\t2:iobj\t_
4\tred\tred\tADJ\tJJ\t_\t5\tamod\t5:amod\t_
5\tapples\tapple\tNOUN\tNNS\tNumber=Plur\t2\tobj\t2:obj\tGloss=mala|Number=2

1\tApples\tapple\tNOUN\tNNS\tNumber=Plur\t3\tnsubj:pass\t_\t_
2\twere\tbe\tAUX\tVBD\tTense=Past\t3\taux:pass\t_\t_
3\tgiven\tgive\tVERB\tVBN\tTense=Past\t0\troot\t_\t_
4\tup\tup\tADP\tRP\t_\t3\tcompound:prt\t_\tSpaceAfter=No

"""


def words_of(lexicon: Lexicon) -> list[list[Word]]:
    """The tokens of a lexicon, sentence by sentence."""
    found = lexicon.sql("SELECT * RENAME (relation AS deprel) FROM tokens ORDER BY sentence, position")
    words = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    return [[*group] for _, group in groupby(words, key=lambda word: word["sentence"])]
