-- A row: a line of the chunk, whole; NULL where it is blank. Buffers smaller than a chunk let all processors read it.
CREATE OR REPLACE TEMP VIEW chunk_line AS
SELECT content
FROM read_csv(
    getvariable('chunk_file'), columns = {'content': 'VARCHAR'}, auto_detect = false, header = false,
    delim = chr(1), quote = '', escape = '', new_line = '\n', null_padding = true, strict_mode = false,
    max_line_size = 8388608, buffer_size = 8388608
);
