-- A row: a fault of the chunk, with the first and the last line of its sentence.
SELECT sentence.first_line, sentence.last_line, fault.line, fault.kind, fault.problem, fault.rank
FROM fault
ASOF JOIN invalid_sentence AS sentence ON fault.line >= sentence.first_line
ORDER BY fault.line, fault.rank;
