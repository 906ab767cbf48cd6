-- One row: whether words of the chunk lead round in a circle, so that no root leads down to them.
SELECT (SELECT count(*) FROM packed) < (SELECT count(*) FROM node);
