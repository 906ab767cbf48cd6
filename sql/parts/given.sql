-- Which parameters of a weighting were given.
[
        {'name': 'cds', 'given': cds IS NOT NULL}, {'name': 'cds_total', 'given': cds_total IS NOT NULL},
        {'name': 'scope', 'given': scope IS NOT NULL}, {'name': 'shift', 'given': shift IS NOT NULL},
        {'name': 'min_count', 'given': min_count IS NOT NULL},
        {'name': 'min_feature_count', 'given': min_feature_count IS NOT NULL},
        {'name': 'max_order', 'given': max_order IS NOT NULL},
        {'name': 'top_features', 'given': top_features IS NOT NULL}
    ]
