-- A row: a word that no root leads down to: none, where that has not been looked for.
CREATE OR REPLACE TEMP TABLE in_circle (number INTEGER);
