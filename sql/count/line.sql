-- A row: one line of the chunk, cut at its tabs; NULL where it is blank.
CREATE OR REPLACE TEMP TABLE unnumbered_line AS
SELECT string_split(content, chr(9)) AS fields
FROM read_csv(
    getvariable('chunk_file'), columns = {'content': 'VARCHAR'}, auto_detect = false, header = false,
    delim = chr(1), quote = '', escape = '', new_line = '\n', null_padding = true, strict_mode = false,
    max_line_size = 33554432, buffer_size = 67108864
);

-- The same with its number in the chunk, from 0. Rows keep the order of the lines, and numbering them so leaves the
-- reading to all processors, which row_number() would not. (Within a transaction rowids begin at some great number.)
CREATE OR REPLACE TEMP VIEW line AS
SELECT rowid - (SELECT min(rowid) FROM unnumbered_line) AS number, fields
FROM unnumbered_line;
