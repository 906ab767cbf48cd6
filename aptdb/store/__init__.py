"""One DuckDB file: its tables and definitions, who has it open, what is written as a whole."""
