"""What people judged, and how a lexicon does beside them: data sets, correlations, grids, the paper's experiments."""
