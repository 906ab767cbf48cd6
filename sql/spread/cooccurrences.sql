-- A row: how often a lexeme meets a context along a path, by their numbers and as text; and the part that it goes to.
SELECT numbered_lexeme.part, numbered_lexeme.lexeme_id, numbered_path.path_id, context.lexeme_id AS context_id,
    both_ways.count, both_ways.lexeme, both_ways.path, both_ways.context
FROM both_ways
JOIN numbered_lexeme ON numbered_lexeme.lexeme = both_ways.lexeme
JOIN numbered_path ON numbered_path.path = both_ways.path
JOIN numbered_lexeme AS context ON context.lexeme = both_ways.context;
