-- A row: a token that is one lexeme with others by relations that join, and the top of them, both by number. A top has
-- no such relation to its own head. (Tokens whose heads lead round in a circle have no top, and are no row.)
CREATE OR REPLACE TEMP TABLE member AS
WITH RECURSIVE joining AS MATERIALIZED (
    SELECT token.number, token.head_number
    FROM token
    JOIN label ON label.id = token.label_id
    WHERE token.head_number IS NOT NULL AND list_contains(getvariable('joined_relations'), label.text)
),
member (number, top) AS (
    SELECT DISTINCT up.head_number, up.head_number
    FROM joining AS up
    ANTI JOIN joining AS own ON own.number = up.head_number
    UNION ALL
    SELECT joining.number, member.top
    FROM member
    JOIN joining ON joining.head_number = member.number
)
SELECT number, top
FROM member;
