-- One row: DuckDB's syntax tree of a condition, as JSON: without brackets of ours, and within them, on lines of its own
-- (it may end with a comment).
SELECT json_serialize_sql('SELECT 1 WHERE ' || $text)::VARCHAR AS bare,
    json_serialize_sql('SELECT 1 WHERE (' || chr(10) || $text || chr(10) || ')')::VARCHAR AS bracketed;
