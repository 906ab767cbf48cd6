-- Whether a value goes up or down over time, and how fast: the slope of Theil and Sen, the test of Mann and Kendall,
-- the quasi-Poisson regression of counts; and the interval of a share.

-- The number that a day stands for: its year, and the part of the year that is over when the day begins.
CREATE OR REPLACE MACRO _store.year_number(day) AS
    year(day) + (dayofyear(day) - 1) / dayofyear(make_date(year(day), 12, 31));

-- The number that a period stands for, given as text or as a value: a number as it is; the year in which a decade
-- begins, 1890 of 1890s; of a day or a month as ISO 8601 writes it the year, and the part of it that is over when that
-- begins, 1999 of 1999-01-01 and of 1999-01; NULL for any other.
CREATE OR REPLACE MACRO _store.period_number(period) AS
    CASE
        WHEN regexp_full_match(period::VARCHAR, '[0-9]{1,15}s') THEN try_cast(rtrim(period::VARCHAR, 's') AS DOUBLE)
        WHEN regexp_full_match(period::VARCHAR, '[0-9]{4}-[0-9]{2}(-[0-9]{2})?')
        THEN _store.year_number(try_cast(left(period::VARCHAR || '-01', 10) AS DATE))
        ELSE _store.number_of(period)
    END;

-- A row: a series of the points named (series, period, value: finite numbers) with what its pairs of points of
-- different periods tell: slope, the median of their slopes; and S, how many of them go up less how many go down. (The
-- slopes are sorted by a window, which takes to the disk what does not fit; median() would hold all in memory.)
CREATE OR REPLACE MACRO _store.slope_of_series(timed) AS TABLE (
    WITH _pair AS (
        SELECT earlier.series, (later.value - earlier.value) / (later.period - earlier.period) AS slope
        FROM query_table(timed) AS earlier
        JOIN query_table(timed) AS later
            ON later.series IS NOT DISTINCT FROM earlier.series AND later.period > earlier.period
    ),
    _placed AS (
        SELECT series, slope, row_number() OVER _by_slope AS place, count(*) OVER _by_slope AS pairs
        FROM _pair
        WINDOW _by_slope AS (
            PARTITION BY series ORDER BY slope ASC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
        )
    )
    SELECT series, avg(CASE WHEN place IN ((pairs + 1) // 2, (pairs + 2) // 2) THEN slope END) AS slope,
        sum(sign(slope)) AS s
    FROM _placed
    GROUP BY series
);

-- A row: a series of the relation named (series, and tied, how many of its points are alike, once for each group of
-- those) with the three sums over such groups that the variance of S is made of.
CREATE OR REPLACE MACRO _store.ties_of_series(groups) AS TABLE (
    SELECT series, sum(tied * (tied - 1)) AS pairs, sum(tied * (tied - 1) * (tied - 2)) AS triples,
        sum(tied * (tied - 1) * (2 * tied + 5)) AS weighed
    FROM query_table(groups)
    GROUP BY series
);

-- A row: a series of the points named (series, period, value: finite numbers), how many there are (n), the medians of
-- their periods and values, how many pairs of them, each taken both ways, differ in period and in value, and the
-- variance of S (Kendall 1970), NULL where no pair differs in period or none in value.
CREATE OR REPLACE MACRO _store.spread_of_series(timed) AS TABLE (
    WITH _alike_in_time AS (
        SELECT series, count(*)::DOUBLE AS tied FROM query_table(timed) GROUP BY series, period
    ),
    _alike_in_value AS (
        SELECT series, count(*)::DOUBLE AS tied FROM query_table(timed) GROUP BY series, value
    ),
    _middle AS (
        SELECT series, count(*)::DOUBLE AS n, median(period) AS middle_period, median(value) AS middle_value
        FROM query_table(timed)
        GROUP BY series
    ),
    _series AS (
        SELECT _middle.*, n * (n - 1) - in_time.pairs AS apart_in_time, n * (n - 1) - in_value.pairs AS apart_in_value,
            (n * (n - 1) * (2 * n + 5) - in_time.weighed - in_value.weighed) / 18
            + in_time.pairs * in_value.pairs / (2 * n * (n - 1))
            + CASE
                WHEN n > 2 THEN in_time.triples * in_value.triples / (9 * n * (n - 1) * (n - 2)) ELSE 0
            END AS variance
        FROM _middle
        JOIN _store.ties_of_series('_alike_in_time') AS in_time ON in_time.series IS NOT DISTINCT FROM _middle.series
        JOIN _store.ties_of_series('_alike_in_value') AS in_value
            ON in_value.series IS NOT DISTINCT FROM _middle.series
    )
    SELECT * REPLACE (CASE WHEN apart_in_time > 0 AND apart_in_value > 0 THEN variance END AS variance) FROM _series
);

-- A row: a series of the relation named (series, period, value) with how it changes over time: the number of its points
-- (periods); slope, the median of the slopes of all pairs of points of different periods (Theil 1950, Sen 1968), and
-- intercept, the median value less slope times the median period; mann_kendall, which is S, how many pairs go up less
-- how many go down (Mann 1945); tau, which is Kendall's τ-b; z, S less 1 towards 0 by its deviation under ties; and
-- p_value, two-sided. NULL where there are fewer than two points, or where all are alike in period or in value and
-- nothing follows. Points without a finite period and value do not count.
CREATE OR REPLACE MACRO _store.trend_of(points) AS TABLE (
    WITH _timed AS MATERIALIZED (
        SELECT series, period::DOUBLE AS period, value::DOUBLE AS value
        FROM query_table(points)
        WHERE isfinite(period::DOUBLE) AND isfinite(value::DOUBLE)
    ),
    _every_series AS (SELECT DISTINCT series FROM query_table(points)),
    _measured AS (
        SELECT _every_series.series, coalesce(n, 0)::BIGINT AS periods, slope, variance,
            middle_value - slope * middle_period AS intercept, CASE WHEN n > 1 THEN coalesce(s, 0)::BIGINT END AS s,
            2 * s / sqrt(nullif(apart_in_time * apart_in_value, 0)) AS tau
        FROM _every_series
        LEFT JOIN _store.spread_of_series('_timed') AS spread
            ON spread.series IS NOT DISTINCT FROM _every_series.series
        LEFT JOIN _store.slope_of_series('_timed') AS sloping
            ON sloping.series IS NOT DISTINCT FROM _every_series.series
    ),
    _tested AS (SELECT *, (s - sign(s)) / sqrt(variance) AS z FROM _measured)
    SELECT series, periods, slope, intercept, s AS mann_kendall, tau, z, _store.normal_tail(z) AS p_value
    FROM _tested
);

-- An end of Wilson's 95 % interval (1927) of the share count / n: the lower for side -1, the upper for 1.
CREATE OR REPLACE MACRO _store.wilson(count, n, side) AS
    CASE
        WHEN n > 0 THEN greatest(0, least(
            1,  -- a share of 1 has an end of 1, and not of a rounded number above it
            (2 * count + 1.959963984540054 ** 2
                + side * 1.959963984540054 * sqrt(1.959963984540054 ** 2 + 4 * count * (n - count) / n))
            / (2 * (n + 1.959963984540054 ** 2))
        ))
    END;

-- The incomplete beta function I_x(a, b), regularised, for x of at most a half: a sum of positive terms.
CREATE OR REPLACE MACRO _store.beta_share(x, a, b) AS
    list_sum(list_transform(range((200 + 4 * (a + b))::BIGINT), lambda k: exp(
        lgamma(a + b + k) - lgamma(a + 1 + k) - lgamma(b) + (a + k) * ln(x) + b * ln(1 - x)
    )));

-- The two-sided probability of a t of Student's distribution at least this far from 0.
CREATE OR REPLACE MACRO _store.t_tail(t, freedom) AS
    CASE
        WHEN t = 0 THEN 1
        WHEN t ** 2 > freedom THEN _store.beta_share(freedom / (freedom + t ** 2), freedom / 2, .5::DOUBLE)
        ELSE 1 - _store.beta_share(t ** 2 / (freedom + t ** 2), .5::DOUBLE, freedom / 2)
    END;

-- One row: how counts of the relation named (period, count, size) grow in proportion to size: growth, the part of
-- itself by which the rate grows in a unit of time, and growth_p, of the t test of no growth with two degrees of
-- freedom fewer than periods. The regression is log(count) = a + b · period + log(size) with the variance of counts
-- in proportion to their mean (quasi-Poisson; McCullagh and Nelder 1989), by Newton's steps from b = 0 on centred
-- periods. NULL where counts are all 0, periods all alike, or the best b is infinite; growth_p also where all rates are
-- alike.
CREATE OR REPLACE MACRO _store.growth_of(points) AS TABLE (
    WITH RECURSIVE _finite AS (
        SELECT period::DOUBLE AS period, count::DOUBLE AS count, size::DOUBLE AS size
        FROM query_table(points)
        WHERE isfinite(period::DOUBLE) AND count IS NOT NULL AND size > 0
    ),
    _middle AS (
        SELECT sum(period * size) / sum(size) AS middle, nullif(max(period) - min(period), 0) AS width,
            ln(nullif(sum(count), 0) / sum(size)) AS rate
        FROM _finite
    ),
    _place AS MATERIALIZED (
        SELECT (period - middle) / width AS x, count AS y, size AS n FROM _finite CROSS JOIN _middle
    ),
    _fit AS (
        SELECT 0 AS step, rate AS a, 0::DOUBLE AS b, NULL::DOUBLE AS moved FROM _middle WHERE rate + width IS NOT NULL
        UNION ALL
        SELECT step + 1, a + (s11 * r0 - s01 * r1) / (s00 * s11 - s01 ** 2),
            b + (s00 * r1 - s01 * r0) / (s00 * s11 - s01 ** 2), abs(s00 * r1 - s01 * r0) / (s00 * s11 - s01 ** 2)
        FROM (
            SELECT step, a, b, sum(fitted) AS s00, sum(fitted * x) AS s01, sum(fitted * x ** 2) AS s11,
                sum(y - fitted) AS r0, sum(x * (y - fitted)) AS r1
            FROM (
                SELECT step, a, b, x, y, n * exp(a + b * x) AS fitted
                FROM _fit
                CROSS JOIN _place
                WHERE step < 50 AND coalesce(moved > 1e-12, true) AND abs(b) < 300
            ) AS _fitted
            GROUP BY step, a, b
        ) AS _sums
    ),
    _last AS (SELECT a, b FROM _fit WHERE moved < 1e-8 ORDER BY step DESC LIMIT 1),
    _tested AS (
        -- Where all rates are alike, b and what is left are rounding.
        SELECT any_value(b) AS b, count(*) - 2 AS freedom, CASE
            WHEN abs(any_value(b)) > 1e-9 OR sum((y - fitted) ** 2 / fitted) > 1e-20 * sum(y) THEN any_value(b) / sqrt(
                nullif(sum((y - fitted) ** 2 / fitted) / nullif(count(*) - 2, 0), 0)
                * sum(fitted) / (sum(fitted) * sum(fitted * x ** 2) - sum(fitted * x) ** 2)
            )
        END AS t
        FROM (SELECT b, x, y, n * exp(a + b * x) AS fitted FROM _last CROSS JOIN _place) AS _fitted
    )
    SELECT exp(b / width) - 1 AS growth, _store.t_tail(t, freedom) AS growth_p FROM _tested CROSS JOIN _middle
);
