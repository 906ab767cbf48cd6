-- The parameters of a weighting as one value, from a question that takes them all.
_store.options(
        cds, cds_total, scope, shift, min_count, min_feature_count, max_order, min_frequency, top_features
    )
