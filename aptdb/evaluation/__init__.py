"""Compares lexicons with human judgements: data sets, correlations, grids, the paper's experiments, reports."""
