-- One row: how often the lexeme $lexeme meets the context $context along $path.
SELECT coalesce(sum(count), 0)::BIGINT
FROM cooccurrences
WHERE lexeme = $lexeme AND path = $path AND context = $context;
