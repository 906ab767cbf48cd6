-- The rules of CoNLL, each once, as {kind, problem}: what is wrong and would be right; NULL where nothing is. suspect
-- asks of every chunk whether one may be broken, fault where. A text in quotes is cut where it is long.

-- Whether a text is a whole number, as the ID and the HEAD of a word are.
CREATE OR REPLACE TEMP MACRO is_number(content) AS
    regexp_full_match(content, '[0-9]+');

-- A line, by its columns as those of CoNLL-U and how many it has in the file: their number, and its ID.
CREATE OR REPLACE TEMP MACRO line_fault(fields, columns) AS
    CASE
        WHEN len(fields) <> 10 THEN {'kind': 'columns', 'problem':
            columns || CASE WHEN columns = 1 THEN ' column' ELSE ' columns' END || '; a line has '
            || getvariable('columns_wanted') || ', with tabs between them'}
        WHEN NOT regexp_full_match(fields[1], '[0-9]+([-.][0-9]+)?') THEN {'kind': 'ID', 'problem':
            'ID is ''' || left(fields[1], 40) || '''; it is a number, a range (e.g. 1-2) or an empty node (e.g. 8.1)'}
    END;

-- The columns of a word that are never empty.
CREATE OR REPLACE TEMP MACRO empty_fault(form, lemma, upos, xpos) AS
    CASE WHEN form = '' OR lemma = '' OR upos = '' OR xpos = '' THEN {'kind': 'empty', 'problem':
        CASE '' WHEN form THEN 'FORM' WHEN lemma THEN 'LEMMA' WHEN upos THEN 'UPOS' ELSE 'XPOS' END
        || ' is empty; write _ if there is none'}
    END;

-- The text of a HEAD.
CREATE OR REPLACE TEMP MACRO head_text_fault(head_text) AS
    CASE WHEN NOT is_number(head_text) THEN {'kind': 'HEAD', 'problem':
        'HEAD is ''' || left(head_text, 40) || '''; it is the ID of a word in the sentence, or 0 for the root'}
    END;

-- A relation.
CREATE OR REPLACE TEMP MACRO relation_fault(relation, has_head) AS
    CASE
        WHEN relation = '' THEN {'kind': 'DEPREL', 'problem': 'DEPREL is empty; a relation is a name, e.g. nsubj'}
        WHEN regexp_matches(relation, '[<>]') THEN {'kind': 'DEPREL', 'problem':
            'DEPREL is ''' || left(relation, 40) || '''; a relation is a name without < or >'}
        WHEN has_head AND regexp_matches(relation, '^(_|_?:.*)$') THEN {'kind': 'DEPREL', 'problem':
            'DEPREL is ''' || left(relation, 40) || '''; a word with a head has a relation to it'}
    END;

-- The place and the head of a word in its sentence of so many words (NULL where it belongs to none), with the
-- texts of its ID and its HEAD.
CREATE OR REPLACE TEMP MACRO place_fault(place, head, words, id_text, head_text) AS
    CASE
        WHEN words IS NULL THEN {'kind': 'ID', 'problem':
            'ID is ' || id_text || ', out of sequence; words are numbered 1, 2, 3 … and start at 1 after each blank '
            || 'line'}
        WHEN head = place THEN {'kind': 'HEAD', 'problem':
            'HEAD is ' || head || ', the word itself; it is another word, or 0 for the root'}
        WHEN NOT coalesce(head <= words, false) THEN {'kind': 'HEAD', 'problem':
            'HEAD is ' || head_text || ', but the sentence has ' || words
            || CASE WHEN words = 1 THEN ' word' ELSE ' words' END}
    END;

-- The length of a sentence.
CREATE OR REPLACE TEMP MACRO length_fault(words) AS
    CASE WHEN words > getvariable('max_sentence') THEN {'kind': 'length', 'problem': format(
        'a sentence of {:,} words; at most {:,} are allowed, because the number of pairs grows with '
        'their square; raise this with --max-sentence', words, getvariable('max_sentence'))}
    END;

-- The pairs of words of a sentence (many_pairs).
CREATE OR REPLACE TEMP MACRO pairs_fault(pairs) AS
    {'kind': 'length', 'problem': format(
        'a sentence with {:,} pairs of words to count, since many words hang from one; at most {:,} are allowed, '
        'a thousand for each word of --max-sentence; raise that to count it', pairs, getvariable('max_pairs'))};
