-- A row: a line of a TSV of counts, by its number in the file, as text; NULL where the line has fewer columns.
CREATE OR REPLACE TEMP TABLE counts_line AS
WITH line AS (
    SELECT row_number() OVER () + 1 AS line, string_split(content, chr(9)) AS fields
    FROM read_csv(
        getvariable('counts_file'), columns = {'content': 'VARCHAR'}, auto_detect = false, header = false, skip = 1,
        delim = chr(1), quote = '', escape = '', new_line = '\n', null_padding = true, strict_mode = false,
        max_line_size = 8388608, buffer_size = 8388608
    )
)
SELECT line, len(fields) AS columns, fields[1] AS lexeme, fields[2] AS path, fields[3] AS context, fields[4] AS count
FROM line
WHERE fields IS NOT NULL;
