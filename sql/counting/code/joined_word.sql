-- A row: a top and the word that its tokens are together, in the order of the text: new_york, with the tags and
-- features of the top.
CREATE OR REPLACE TEMP TABLE joined_word AS
SELECT member.top, string_agg(word.form, '_' ORDER BY member.number) AS form,
    string_agg(word.lemma, '_' ORDER BY member.number) AS lemma,
    max(word.upos) FILTER (member.number = member.top) AS upos,
    max(word.xpos) FILTER (member.number = member.top) AS xpos,
    max(word.feats) FILTER (member.number = member.top) AS feats
FROM member
JOIN token ON token.number = member.number
JOIN _store.word ON word.id = token.word_id
GROUP BY member.top;
