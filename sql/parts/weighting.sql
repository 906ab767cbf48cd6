-- What weighs, and its parameters, as every question takes them; min_frequency, which neighbours has for its own,
-- apart.
weights := 'ppmi', cds := NULL, cds_total := NULL, scope := NULL, shift := NULL,
    min_count := NULL, min_feature_count := NULL, max_order := NULL, top_features := NULL
