-- The parameters that every scheme takes.
min_count := NULL, min_feature_count := NULL, max_order := NULL, min_frequency := NULL, top_features := NULL
