-- Whether a text is a path as the lexicon has them: well formed, ups before downs, and reduced.
-- With ups before downs, only the turn can be unreduced: the last step up met by the same relation down.
-- Example: SELECT path_is_valid('<amod<obj')
CREATE OR REPLACE MACRO path_is_valid(p) AS
    p = 'ε' OR (
        regexp_full_match(p, '(<[^<>]+)*(>[^<>]+)*', 's')
        AND (
            NOT contains(p, '<') OR NOT contains(p, '>')
            OR regexp_extract(p, '<([^<>]+)>', 1, 's') <> regexp_extract(p, '>([^<>]+)', 1, 's')
        )
    );
