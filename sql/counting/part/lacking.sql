-- A row: a text that is asked for and that is not there, in the order of asking.
-- @known@: the statement that gives those that are there, as value.
WITH asked AS (
    SELECT unnest($texts) AS value, unnest(range(len($texts))) AS place
)
SELECT asked.value
FROM asked
ANTI JOIN (@known@) AS known ON known.value = asked.value
ORDER BY asked.place;
