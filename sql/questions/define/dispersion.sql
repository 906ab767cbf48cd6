-- How evenly items are spread over the documents of a subcorpus, as the stored trees have them.

-- A row: a sentence of a subcorpus, or of all, and the text that it is in: its document or, without one, its corpus; or
-- its value of a kind of metadata that tells texts apart (documents), NULL being one text too.
CREATE OR REPLACE MACRO _store.sentence_text(subcorpus, documents) AS TABLE (
    WITH _document AS NOT MATERIALIZED (
        SELECT own.sentence_id, coalesce(sentence.document_id, -sentence.corpus_id)::VARCHAR AS text
        FROM _store.sentence_value('corpus', subcorpus) AS own
        JOIN _store.sentence ON sentence.id = own.sentence_id
    ),
    _kind AS NOT MATERIALIZED (
        SELECT sentence_id, coalesce(value, '') AS text FROM _store.sentence_value(documents, subcorpus)
    )
    SELECT sentence_id, dense_rank() OVER (ORDER BY text) AS text_id
    FROM query_table(CASE WHEN lower(documents) = 'document' THEN '_document' ELSE '_kind' END)
);

-- A row: a node of a tree, as _store.rooted_node has it, and one way up from it of at most as many steps as the lexicon
-- counts: the labels of those steps, from above down (tail), those above them (met), and the node up there (top).
CREATE OR REPLACE MACRO _store.climbed(rooted) AS TABLE (
    WITH _step AS NOT MATERIALIZED (
        SELECT sentence_id, node, root, lexeme_id, labels, chain, regexp_extract_all(labels, '>[^<>]+', 0, 's') AS steps
        FROM query_table(rooted)
    ),
    _cut AS NOT MATERIALIZED (
        SELECT *, unnest(range(least(len(steps), _store.longest_path()) + 1)) AS height
        FROM _step
    )
    SELECT sentence_id, node, root, lexeme_id, height, chain[len(chain) - height] AS top,
        array_to_string(list_slice(steps, 1, len(steps) - height), '') AS met,
        array_to_string(list_slice(steps, len(steps) - height + 1, len(steps)), '') AS tail
    FROM _cut
);

-- A row: a sentence and the place among items of a co-occurrence that it has, once for each pair of nodes that is
-- counted. items: place, lexeme_id, context_id, and ups and downs, the halves of the path that meet in a node above the
-- two: '>obj' and '' of dog along <obj.
CREATE OR REPLACE MACRO _store.cooccurrence_hit(items, subcorpus, counts) AS TABLE (
    WITH _context AS MATERIALIZED (SELECT DISTINCT context_id AS lexeme_id FROM query_table(items)),
    _sentence AS MATERIALIZED (
        SELECT DISTINCT own.sentence_id
        FROM _store.node_of(items, subcorpus) AS own
        SEMI JOIN _store.node_of('_context', subcorpus) AS other ON other.sentence_id = own.sentence_id
    ),
    _tree AS MATERIALIZED (FROM _store.token_of('_sentence')),
    _rooted AS MATERIALIZED (FROM _store.rooted_node('_tree')),
    _climbed AS MATERIALIZED (FROM _store.climbed('_rooted'))
    SELECT item.place, x.sentence_id
    FROM (
        SELECT own.* FROM _climbed AS own
        SEMI JOIN query_table(items) AS item ON item.lexeme_id = own.lexeme_id AND item.ups = own.tail
    ) AS x
    JOIN (
        SELECT own.* FROM _climbed AS own
        SEMI JOIN query_table(items) AS item ON item.context_id = own.lexeme_id AND item.downs = own.tail
    ) AS y ON y.sentence_id = x.sentence_id AND y.root = x.root AND y.met = x.met
        AND (counts = 'packed' OR y.top = x.top)
    JOIN query_table(items) AS item
        ON item.lexeme_id = x.lexeme_id AND item.ups = x.tail AND item.context_id = y.lexeme_id AND item.downs = y.tail
);

-- A row: a sentence and a path of the relation named that is in it, once for each pair of nodes that is counted, of
-- lexemes of some parts of speech.
CREATE OR REPLACE MACRO _store.path_hit(items, tag, subcorpus, counts) AS TABLE (
    WITH _sentence AS MATERIALIZED (FROM _store.sentence_text(subcorpus, 'document')),
    _tree AS MATERIALIZED (FROM _store.token_of('_sentence')),
    _rooted AS MATERIALIZED (
        SELECT own.*
        FROM _store.rooted_node('_tree') AS own
        JOIN _store.lexeme ON lexeme.id = own.lexeme_id
        WHERE _store.is_of_pos(lexeme.pos, lexeme.text, tag)
    ),
    _climbed AS MATERIALIZED (FROM _store.climbed('_rooted')),
    -- (Nodes that meet are joined first: of each there are few, while most ways up begin many paths.)
    _met AS NOT MATERIALIZED (
        SELECT x.sentence_id, x.tail AS ups, y.tail AS downs
        FROM _climbed AS x
        JOIN _climbed AS y
            ON y.sentence_id = x.sentence_id AND y.root = x.root AND y.met = x.met
            AND (counts = 'packed' OR y.top = x.top)
            AND x.height + y.height <= _store.longest_path()
        WHERE x.tail IN (SELECT ups FROM query_table(items)) AND y.tail IN (SELECT downs FROM query_table(items))
    )
    SELECT item.place, _met.sentence_id
    FROM _met
    JOIN query_table(items) AS item ON item.ups = _met.ups AND item.downs = _met.downs
);

-- A row: an item (by place) whose hits in a subcorpus are in the relation named, in how many texts they are, and Gries'
-- DP: ½ Σ |v − s| over all texts, v being the share of the item's hits that a text has, and s that of all tokens (Gries
-- 2008). DP is NULL where there is only one text. (A text without the item adds s: these are 1 − Σ s of the others.)
CREATE OR REPLACE MACRO _store.dispersion_of_hits(hits, subcorpus, documents) AS TABLE (
    WITH _text AS MATERIALIZED (FROM _store.sentence_text(subcorpus, documents)),
    _size AS MATERIALIZED (
        SELECT _text.text_id, count(*) / sum(count(*)) OVER () AS share, count(*) OVER () AS texts
        FROM _store.token
        JOIN _text ON _text.sentence_id = token.sentence_id
        GROUP BY _text.text_id
    ),
    _met AS (
        SELECT hit.place, _text.text_id, count(*) AS count
        FROM query_table(hits) AS hit
        JOIN _text ON _text.sentence_id = hit.sentence_id
        GROUP BY hit.place, _text.text_id
    ),
    _shared AS (
        SELECT _met.place, _met.count / sum(_met.count) OVER (PARTITION BY _met.place) AS v, _size.share AS s,
            _size.texts
        FROM _met
        JOIN _size ON _size.text_id = _met.text_id
    )
    SELECT place, count(*) AS documents,
        CASE WHEN any_value(texts) > 1 THEN greatest(0, (fsum(abs(v - s)) + 1 - fsum(s)) / 2) END AS dp
    FROM _shared
    GROUP BY place
);

-- A row: an item of the relation named (place, lexeme, path, context), by place, in how many texts of a subcorpus it
-- is, and Gries' DP.
CREATE OR REPLACE MACRO _store.dispersion_of(items, kind, tag, subcorpus, counts, documents) AS TABLE (
    -- A row: an item by ids; of its path, the labels of its ups, from above down, and of its downs.
    WITH _item AS MATERIALIZED (
        SELECT item.place, lexeme.id AS lexeme_id, context.id AS context_id,
            path_inverse(regexp_extract(item.path, '^(<[^<>]+)*')) AS ups,
            regexp_extract(item.path, '(>[^<>]+)*$') AS downs
        FROM query_table(items) AS item
        LEFT JOIN _store.lexeme ON lexeme.text = item.lexeme
        LEFT JOIN _store.lexeme AS context ON context.text = item.context
        WHERE item.count_a > 0
    ),
    -- A row: a sentence and an item whose lexeme stands in it, once for each time.
    _lexemes AS NOT MATERIALIZED (
        SELECT _item.place, node.sentence_id
        FROM _store.node_of('_item', subcorpus) AS node
        JOIN _item ON _item.lexeme_id = node.lexeme_id
    ),
    _cooccurrences AS NOT MATERIALIZED (FROM _store.cooccurrence_hit('_item', subcorpus, counts)),
    _paths AS NOT MATERIALIZED (FROM _store.path_hit('_item', tag, subcorpus, counts))
    FROM _store.dispersion_of_hits(
        CASE WHEN kind IN ('paths', 'cooccurrences') THEN '_' || kind ELSE '_lexemes' END, subcorpus, documents
    )
);

-- A row: what is counted in the sentences that two subcorpora share, as _store.item_of_pos has it.
CREATE OR REPLACE MACRO _store.shared_item(a, b, kind, tag, counts) AS TABLE (
    WITH _sentence AS MATERIALIZED (FROM _store.shared_sentence(a, b)),
    _tree AS MATERIALIZED (FROM _store.token_of('_sentence')),
    _wanted AS MATERIALIZED (
        SELECT id FROM _store.lexeme WHERE _store.is_of_pos(lexeme.pos, lexeme.text, tag)
    ),
    _lexemes AS NOT MATERIALIZED (
        SELECT own.lexeme_id, 0 AS path_id, 0 AS context_id, count(*) AS count
        FROM _tree AS own
        JOIN _wanted ON _wanted.id = own.lexeme_id
        WHERE own.position = own.node
        GROUP BY own.lexeme_id
    ),
    _rooted AS NOT MATERIALIZED (
        SELECT own.* FROM _store.rooted_node('_tree') AS own JOIN _wanted ON _wanted.id = own.lexeme_id
    ),
    _climbed AS NOT MATERIALIZED (FROM _store.climbed('_rooted')),
    -- A row: two ways up that meet at one node, and how often two lexemes are at their ends.
    _met AS NOT MATERIALIZED (
        SELECT x.lexeme_id, y.lexeme_id AS context_id, x.tail AS ups, y.tail AS downs, count(*) AS count
        FROM _climbed AS x
        JOIN _climbed AS y ON y.sentence_id = x.sentence_id AND y.root = x.root AND y.met = x.met
        WHERE x.height + y.height BETWEEN 1 AND _store.longest_path()
            AND x.tail <> y.tail AND (counts = 'packed' OR y.top = x.top)
        GROUP BY x.lexeme_id, y.lexeme_id, x.tail, y.tail
    ),
    _cooccurrences AS NOT MATERIALIZED (
        SELECT _met.lexeme_id, path.id AS path_id, _met.context_id, _met.count
        FROM _met
        JOIN _store.path ON path.text = path_inverse(_met.ups) || _met.downs
        JOIN _store.path AS inverse ON inverse.id = path.inverse_id
        WHERE path.text < inverse.text OR (path.text = inverse.text AND _met.lexeme_id <= _met.context_id)
    ),
    _paths AS NOT MATERIALIZED (
        SELECT 0 AS lexeme_id, path_id, 0 AS context_id, sum(count)::BIGINT AS count
        FROM _cooccurrences
        GROUP BY path_id
    )
    FROM query_table(CASE WHEN kind IN ('paths', 'cooccurrences') THEN '_' || kind ELSE '_lexemes' END)
);
