"""The brute-force twins of meaning.md: what is counted, weighed, composed and compared, once more in plain Python.

trees, paths, counting, weights, vectors, composition and questions are definitions, as plain as can be; what they
refuse raises an error. tables and measures compute weights and measures with numpy: they reach a whole treebank, and
they have what the plain weights leave out. Where both compute the same, test_twins.py compares them. No twin imports
aptdb.
"""
