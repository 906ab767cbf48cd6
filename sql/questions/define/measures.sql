-- The measures of how alike two vectors are. Of two words, a is the one that is asked about.

-- True where measure is one there is; otherwise an error that names it and those there are.
CREATE OR REPLACE MACRO _store.check_measure(measure) AS
    CASE
        WHEN NOT coalesce(list_contains(@values_of_measure@, measure), false) THEN error(
            'measure is ' || coalesce('''' || measure || '''', 'NULL') || '; expected '
            || array_to_string(@values_of_measure@, ', ')
        )
        ELSE true
    END;

-- True where a measure can take a vector whose least value is this; otherwise an error that says why not.
CREATE OR REPLACE MACRO _store.check_sign(measure, lowest) AS
    CASE
        WHEN measure NOT IN ('cosine', 'euclidean') AND lowest < 0 THEN error(
            measure || ' takes no negative weights, but some are; choose cosine, or the weights ppmi'
        )
        ELSE true
    END;

-- One word's part of 1 − JSD in a shared feature where it has the share p of its vector and the other word the share q.
CREATE OR REPLACE MACRO _store.shared_share(p, q) AS
    CASE WHEN p > 0 AND q > 0 THEN p * log2((p + q) / p) / 2 ELSE 0 END;

-- What a feature that both vectors have adds to the sum that the measure is made of. The totals of the vectors matter
-- to jensen_shannon alone: 1 − JSD = ½ Σ_{A∩B} ( p·log2((p+q)/p) + q·log2((p+q)/q) ), p = a/Σa and q = b/Σb.
CREATE OR REPLACE MACRO _store.shared(measure, a, b, total_a, total_b) AS
    CASE measure
        WHEN 'cosine' THEN a * b
        WHEN 'euclidean' THEN a * b
        WHEN 'lin' THEN a + b
        WHEN 'bal_apinc' THEN a + b
        WHEN 'weeds_precision' THEN a
        WHEN 'weeds_recall' THEN b
        WHEN 'jensen_shannon'
        THEN _store.shared_share(a / total_a, b / total_b) + _store.shared_share(b / total_b, a / total_a)
        ELSE least(a, b)
    END;

-- Whether a measure compares the ranks of features.
CREATE OR REPLACE MACRO _store.needs_ranks(measure) AS
    measure IN ('apinc', 'bal_apinc');

-- A row: a dimension of those named (an id column named question, feature_id and value), with its rank in its vector,
-- how many dimensions are at least as great (to twelve decimals, as sums differ beyond), and their number.
CREATE OR REPLACE MACRO _store.ranked_dimension(vectors) AS TABLE (
    SELECT question, feature_id, value, count(*) OVER (
            PARTITION BY question ORDER BY round(value, 12) DESC
        ) AS rank, count(*) OVER (PARTITION BY question) AS features
    FROM query_table(vectors)
);

-- A row: a feature that the vectors of a pair (a, b) share, of those named, each with its values (value_a, value_b),
-- its ranks (rank_a, rank_b) and the numbers of features (features_a, features_b), and what it adds to APinc. That is
-- the mean over A's features of the share of those at least as heavy in A that B has too, times how high B has the
-- feature: 1 − rank / (number + 1); of a feature that B lacks, 0.
CREATE OR REPLACE MACRO _store.included_feature(shared_features) AS TABLE (
    SELECT *, count(*) OVER (PARTITION BY a, b ORDER BY rank_a ASC) / rank_a * (1 - rank_b / (features_b + 1))
            / features_a AS part
    FROM query_table(shared_features)
);

-- A row: a pair of those named, what the features that both vectors have add up to, and APinc.
CREATE OR REPLACE MACRO _store.inclusion(shared_features, measure) AS TABLE (
    SELECT a, b, fsum(_store.shared(measure, value_a, value_b, NULL, NULL)) AS shared, fsum(part) AS apinc
    FROM _store.included_feature(shared_features)
    GROUP BY a, b
);

-- A measure from the sum over the shared features (0 where there are none) and the vectors' totals and sums of squares;
-- NULL where a vector is empty. Rounding may carry it past 1, and is cut off; so is what is but rounding of a distance
-- or of 1 − a share, of which a square root would make much.
CREATE OR REPLACE MACRO _store.measured(measure, shared, total_a, square_a, total_b, square_b) AS
    CASE
        WHEN measure = 'cosine' THEN CASE
            WHEN square_a > 0 AND square_b > 0 AND isfinite(shared / (sqrt(square_a) * sqrt(square_b)))
            THEN greatest(-1, least(1, shared / (sqrt(square_a) * sqrt(square_b))))
        END
        WHEN measure = 'euclidean' THEN CASE
            WHEN square_a > 0 AND square_b > 0 AND isfinite(square_a + square_b)
            THEN 1 / (1 + sqrt(CASE
                WHEN square_a + square_b - 2 * shared <= 1e-14 * (square_a + square_b) THEN 0
                ELSE square_a + square_b - 2 * shared
            END))
        END
        WHEN NOT coalesce(total_a > 0 AND total_b > 0 AND isfinite(total_a + total_b), false) THEN NULL
        ELSE greatest(0, least(1, CASE measure
            WHEN 'lin' THEN shared / (total_a + total_b)
            WHEN 'jaccard' THEN shared / (total_a + total_b - shared)
            WHEN 'dice' THEN 2 * shared / (total_a + total_b)
            WHEN 'weeds_precision' THEN shared / total_a
            WHEN 'weeds_recall' THEN shared / total_b
            WHEN 'cl' THEN shared / total_a
            WHEN 'inv_cl' THEN sqrt(greatest(0, shared / total_a * CASE
                WHEN 1 - shared / total_b < 1e-12 THEN 0 ELSE 1 - shared / total_b
            END))
            ELSE shared
        END))
    END;

-- A measure from the sum over the shared features, as _store.measured has it; of measures by rank, from APinc too.
CREATE OR REPLACE MACRO _store.measured_by_rank(measure, shared, apinc, total_a, total_b) AS
    CASE
        WHEN NOT coalesce(total_a > 0 AND total_b > 0 AND isfinite(total_a + total_b), false) THEN NULL
        WHEN measure = 'bal_apinc' THEN sqrt(least(1, apinc * shared / (total_a + total_b)))
        ELSE least(1, apinc)
    END;

-- A similarity to ten significant digits. Sums of floating-point numbers differ beyond from run to run, as their parts
-- come from several threads in any order; what is shown is the same each time.
CREATE OR REPLACE MACRO _store.round_similarity(similarity) AS
    CASE
        WHEN abs(similarity) < 1e-200 THEN 0
        ELSE round(similarity, 9 - floor(log10(abs(similarity)))::INTEGER)
    END;

-- A row: a vector of the relation named (an id column named question, feature_id and value), with the sums that
-- measures divide by and its least value.
CREATE OR REPLACE MACRO _store.sizes(vectors) AS TABLE (
    SELECT vector.question, fsum(vector.value) AS total, fsum(vector.value * vector.value) AS square,
        min(vector.value) AS least
    FROM query_table(vectors) AS vector
    GROUP BY vector.question
);
