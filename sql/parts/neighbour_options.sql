-- The parameters of a weighting as one value, from a question whose min_frequency is that of the neighbours.
_store.options(
        cds, cds_total, scope, shift, min_count, min_feature_count, max_order, NULL, top_features
    )
