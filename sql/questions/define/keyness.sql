-- How sure it is that an item is more frequent in one subcorpus than in another, and by how much.

-- erfc(x) / exp(−x²) from 15/32 to 4, and above 4, where y is 1/x²; and erf(x) / x up to 15/32, where y is x². They are
-- the rational approximations of W. J. Cody, "Rational Chebyshev approximations for the error function", Mathematics of
-- Computation 23, 1969, and of his program CALERF.
CREATE OR REPLACE MACRO _store.error_of_small(y) AS
    (
        ((((1.85777706184603153e-1 * y + 3.16112374387056560e0) * y + 1.13864154151050156e2) * y
        + 3.77485237685302021e2) * y + 3.20937758913846947e3)
    ) / (
        (((y + 2.36012909523441209e1) * y + 2.44024637934444173e2) * y + 1.28261652607737228e3) * y
        + 2.84423683343917062e3
    );

CREATE OR REPLACE MACRO _store.error_of_middle(x) AS
    (
        (((((((2.15311535474403846e-8 * x + 5.64188496988670089e-1) * x + 8.88314979438837594e0) * x
        + 6.61191906371416295e1) * x + 2.98635138197400131e2) * x + 8.81952221241769090e2) * x
        + 1.71204761263407058e3) * x + 2.05107837782607147e3) * x + 1.23033935479799725e3
    ) / (
        (((((((x + 1.57449261107098347e1) * x + 1.17693950891312499e2) * x + 5.37181101862009858e2) * x
        + 1.62138957456669019e3) * x + 3.29079923573345963e3) * x + 4.36261909014324716e3) * x
        + 3.43936767414372164e3) * x + 1.23033935480374942e3
    );

CREATE OR REPLACE MACRO _store.error_of_large(x, y) AS
    (5.6418958354775628695e-1 - y * (
        ((((1.63153871373020978e-2 * y + 3.05326634961232344e-1) * y + 3.60344899949804439e-1) * y
        + 1.25781726111229246e-1) * y + 1.60837851487422766e-2) * y + 6.58749161529837803e-4
    ) / (
        ((((y + 2.56852019228982242e0) * y + 1.87295284992346725e0) * y + 5.27905102951428412e-1) * y
        + 6.05183413124413191e-2) * y + 2.33520497626869185e-3
    )) / x;

-- How likely a standard normal deviate is to be as far from 0 as z, on either side: erfc(|z| / √2). 0 where that is too
-- small for a number, from about |z| = 38 on. The p of a χ² with one degree of freedom is that of its square root.
CREATE OR REPLACE MACRO _store.normal_tail(z) AS
    CASE
        WHEN abs(z) <= 0.6629126073623883e0
        THEN 1 - abs(z) * 0.70710678118654752e0 * _store.error_of_small(z * z / 2)
        WHEN abs(z) <= 5.6568542494923802e0
        THEN exp(-z * z / 2) * _store.error_of_middle(abs(z) * 0.70710678118654752e0)
        ELSE exp(-z * z / 2) * _store.error_of_large(abs(z) * 0.70710678118654752e0, 2 / (z * z))
    END;

-- The log-likelihood G² of an item that occurs a and b times in two subcorpora of so many tokens, beside what it would
-- be if both had it equally often: 2·Σ O·ln(O/E) over its two counts (Rayson & Garside 2000). surplus is a − E(a).
CREATE OR REPLACE MACRO _store.keyness(a, b, tokens_a, tokens_b, surplus) AS
    2 * (
        _store.divergence(a, tokens_a * (a + b) / (tokens_a + tokens_b), surplus)
        + _store.divergence(b, tokens_b * (a + b) / (tokens_a + tokens_b), -surplus)
    );

-- The log₂ of how many times as frequent an item is in subcorpus a as in subcorpus b (Hardie 2014); a count of 0 stands
-- as ½. NULL where ½ would turn the direction round, as in a small subcorpus beside a large one, and where both are 0.
CREATE OR REPLACE MACRO _store.log_ratio(a, b, tokens_a, tokens_b) AS
    CASE
        WHEN least(a, b) > 0
            OR (a > 0 AND a * tokens_b > 0.5e0 * tokens_a) OR (b > 0 AND b * tokens_a > 0.5e0 * tokens_b)
            THEN log2(greatest(a, 0.5e0) / tokens_a) - log2(greatest(b, 0.5e0) / tokens_b)
    END;

-- A row: a pair of counts of the relation named (with items, g2 and is_tested) with its g2, p_value and q_value, the
-- false discovery rate of Benjamini & Hochberg (1995): the least p·m/rank of all that are tested and have as small a G²
-- or a smaller one, m being how many items are tested. (Those alike are ranked in any order: the least is taken over
-- all of them, so that the last one's rank is that of all.)
CREATE OR REPLACE MACRO _store.discovered(pairs) AS TABLE (
    WITH _tested AS (SELECT sum(items) AS items FROM query_table(pairs) WHERE is_tested),
    _ranked AS (
        SELECT *, sum(CASE WHEN is_tested THEN items END) OVER (ORDER BY g2 DESC ROWS UNBOUNDED PRECEDING) AS rank
        FROM query_table(pairs)
    ),
    _found AS (
        SELECT count_a, count_b, is_tested, g2, _store.normal_tail(sqrt(g2)) AS p_value,
            min(CASE WHEN is_tested THEN _store.normal_tail(sqrt(g2)) / rank END) OVER (ORDER BY g2 ASC) AS least_share
        FROM _ranked
    )
    SELECT count_a, count_b, g2, p_value,
        -- A product of rounded numbers can be a last digit below the p-value, which is the least that it can be.
        CASE WHEN is_tested THEN greatest(p_value, least(1, least_share * (SELECT items FROM _tested))) END AS q_value
    FROM _found
);

-- A row: a row of the relation named (count_a, count_b and any columns), with how great and how sure the difference
-- between the two subcorpora is: per_million_a and per_million_b, g2, log_ratio, p_value and q_value, which is NULL
-- where an item is not tested, as it occurs more rarely than that in both subcorpora together. (Many items have the
-- same pair of counts, so g2 and what follows from it are computed once for each.)
CREATE OR REPLACE MACRO _store.keyness_of(compared, tokens_a, tokens_b, min_count) AS TABLE (
    -- A row: the numbers of tokens of two subcorpora; none where either has no tokens, as there is no frequency in it.
    WITH _size AS MATERIALIZED (
        SELECT tokens_a::DOUBLE AS in_a, tokens_b::DOUBLE AS in_b WHERE tokens_a > 0 AND tokens_b > 0
    ),
    _pair AS (
        SELECT count_a, count_b, count_a::DOUBLE AS a, count_b::DOUBLE AS b, count(*)::DOUBLE AS items
        FROM query_table(compared)
        GROUP BY count_a, count_b
    ),
    _scored AS (
        SELECT count_a, count_b, items, _store.keyness(
            a, b, _size.in_a, _size.in_b, (a * _size.in_b - b * _size.in_a) / (_size.in_a + _size.in_b)
        ) AS g2
        FROM _pair
        LEFT JOIN _size ON true
    ),
    -- A row: a pair of counts that items have, how many of them, its g2, and whether it is tested, that is occurs at
    -- least so often in both subcorpora together.
    _of_counts AS MATERIALIZED (
        SELECT *, coalesce(count_a + count_b >= min_count AND g2 IS NOT NULL, false) AS is_tested FROM _scored
    )
    SELECT item.*, item.count_a * 1e6 / _size.in_a AS per_million_a, item.count_b * 1e6 / _size.in_b AS per_million_b,
        found.g2, _store.log_ratio(item.count_a, item.count_b, _size.in_a, _size.in_b) AS log_ratio, found.p_value,
        found.q_value
    FROM query_table(compared) AS item
    JOIN _store.discovered('_of_counts') AS found
        ON found.count_a IS NOT DISTINCT FROM item.count_a AND found.count_b IS NOT DISTINCT FROM item.count_b
    LEFT JOIN _size ON true
);
