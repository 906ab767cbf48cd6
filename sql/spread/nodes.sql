-- A row: a node of a lexeme's APT, and all that the lexeme meets there; and the part that it goes to.
SELECT numbered_lexeme.part, numbered_lexeme.lexeme_id, numbered_path.path_id, counted_node.count
FROM counted_node
JOIN numbered_lexeme ON numbered_lexeme.lexeme = counted_node.lexeme
JOIN numbered_path ON numbered_path.path = counted_node.path;
