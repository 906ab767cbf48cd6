-- The columns of a line of CoNLL-2009 as the 10 of CoNLL-U: what people annotated and, where that is _, what was
-- predicted. A line of fewer than 14 columns is but its first; NULL of a blank line.
CREATE OR REPLACE TEMP MACRO fields_of(content) AS
    list_transform([string_split(content, chr(9))], lambda f: CASE
        WHEN len(f) >= 14 THEN [
            f[1], f[2], CASE WHEN f[3] = '_' THEN f[4] ELSE f[3] END, CASE WHEN f[5] = '_' THEN f[6] ELSE f[5] END,
            CASE WHEN f[6] = '_' THEN f[5] ELSE f[6] END, f[7], CASE WHEN f[9] = '_' THEN f[10] ELSE f[9] END,
            CASE WHEN f[11] = '_' THEN f[12] ELSE f[11] END, '_', '_'
        ]
        ELSE f[:1]
    END)[1];
