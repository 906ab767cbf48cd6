-- One row: a SELECT as DuckDB writes it when it shows the text of a macro. $text: the SELECT, which is only parsed.
SELECT json_deserialize_sql(json_serialize_sql($text));
