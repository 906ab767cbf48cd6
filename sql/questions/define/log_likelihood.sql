-- What one cell of a 2×2 table adds to half of G²: E·((1+x)·ln(1+x) − x), its count being E·(1+x) where E was expected
-- and surplus = E·x. It is O·ln(O/E) − (O − E), whose second half cancels over the four cells; kept, it makes no term
-- negative, so that nothing is lost between them, and near x = 0, where the difference would lose its digits, its
-- series x²/2 − x³/6 + x⁴/12 − … takes over.
CREATE OR REPLACE MACRO _store.divergence(observed, expected, surplus) AS
    CASE
        WHEN expected <= 0 THEN 0
        WHEN observed <= 0 THEN expected
        WHEN abs(surplus) < 0.02 * expected THEN expected * pow(surplus / expected, 2) * (
            1 / 2 - surplus / expected * (
                1 / 6 - surplus / expected * (
                    1 / 12 - surplus / expected * (1 / 20 - surplus / expected * (1 / 30 - surplus / expected / 42))
                )
            )
        )
        ELSE observed * ln(observed / expected) - surplus
    END;

-- By how much a count is above (below: negative) what it would be if a word and a feature met by chance.
CREATE OR REPLACE MACRO _store.surplus(n, word_count, feature_count, total) AS
    (n::DOUBLE * total - word_count::DOUBLE * feature_count) / total;

-- Dunning's G² of a word and a feature that meet n times of total, with the counts of either, and the surplus of n:
-- 2·Σ O·ln(O/E) over the four cells of their table; negative where they meet more rarely than by chance.
CREATE OR REPLACE MACRO _store.log_likelihood(n, word_count, feature_count, total, surplus) AS
    2 * sign(surplus) * (
        _store.divergence(n::DOUBLE, word_count::DOUBLE * feature_count / total, surplus)
        + _store.divergence(word_count - n::DOUBLE, word_count::DOUBLE * (total - feature_count) / total, -surplus)
        + _store.divergence(feature_count - n::DOUBLE, feature_count::DOUBLE * (total - word_count) / total, -surplus)
        + _store.divergence(
            total - word_count - feature_count + n::DOUBLE,
            (total - word_count)::DOUBLE * (total - feature_count) / total,
            surplus
        )
    );
