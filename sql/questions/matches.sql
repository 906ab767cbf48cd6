-- What is written of matches.

-- name: as_conllu
-- A row: a sentence with a match as CoNLL-U, its tokens marked in MISC by the numbers of their matches and the names
-- that they have there: Match=1:V, or Match=1:V,2:O.
-- @matches@: a call of matches.
WITH _token_of_match AS (
    SELECT sentence_number AS sentence_id, match, unnest(tokens) AS token FROM @matches@
),
_marked AS (
    SELECT sentence_id, token['position'] AS position,
        string_agg(match || coalesce(':' || token['name'], ''), ',' ORDER BY match ASC, token['name'] ASC) AS mark
    FROM _token_of_match
    GROUP BY sentence_id, token['position']
),
_searched AS (SELECT DISTINCT sentence_id FROM _marked),
_line AS (
    SELECT token.sentence_id, token.position, word.form || if(token.space_after, ' ', '') AS written, concat_ws(
            chr(9), token.position, word.form, word.lemma, word.upos, word.xpos, coalesce(nullif(word.feats, ''), '_'),
            token.head, relation.text,
            CASE WHEN deps.text = '=' THEN token.head || ':' || relation.text
                ELSE coalesce(nullif(deps.text, ''), '_') END,
            coalesce(nullif(concat_ws(
                '|', nullif(misc.text, ''), if(token.space_after, NULL, 'SpaceAfter=No'), 'Match=' || _marked.mark
            ), ''), '_')
        ) AS line
    FROM _store.token
    JOIN _searched ON _searched.sentence_id = token.sentence_id
    JOIN _store.word ON word.id = token.word_id
    JOIN _store.relation ON relation.id = token.relation_id
    JOIN _store.annotation AS misc ON misc.id = token.misc_id
    JOIN _store.annotation AS deps ON deps.id = token.deps_id
    LEFT JOIN _marked ON _marked.sentence_id = token.sentence_id AND _marked.position = token.position
),
_sentence AS (
    SELECT sentence_id, trim(string_agg(written, '' ORDER BY position ASC)) AS text,
        string_agg(line, chr(10) ORDER BY position ASC) AS lines
    FROM _line
    GROUP BY sentence_id
),
_placed AS (
    SELECT _sentence.*, sentence.sent_id, document.name AS document,
        lag(document.id) OVER (ORDER BY sentence.id ASC) AS document_before, document.id AS document_id
    FROM _sentence
    JOIN _store.sentence ON sentence.id = _sentence.sentence_id
    LEFT JOIN _store.document ON document.id = sentence.document_id
)
SELECT if(document_before IS DISTINCT FROM document_id, coalesce('# newdoc id = ' || document || chr(10), ''), '')
    || coalesce('# sent_id = ' || sent_id || chr(10), '') || '# text = ' || text || chr(10) || lines || chr(10)
    AS written
FROM _placed
ORDER BY sentence_id ASC;
