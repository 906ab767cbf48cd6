-- A row: an example word: the most frequent lexeme, of letters alone, of one of the three parts of speech that have
-- most lexemes which are not rare.
WITH word AS (
    SELECT lexeme, lemma, pos, frequency
    FROM lexemes
    WHERE frequency >= _store.default_min_frequency(NULL) AND regexp_full_match(lemma, '\p{L}[\p{L}''_-]+')
),
open_class AS (
    SELECT pos FROM word GROUP BY pos ORDER BY count(*) DESC, pos ASC LIMIT 3
)
SELECT arg_max(word.lexeme, (word.frequency, word.lexeme)) AS lexeme
FROM word
JOIN open_class ON open_class.pos IS NOT DISTINCT FROM word.pos
GROUP BY word.pos
ORDER BY count(*) DESC, word.pos ASC;
