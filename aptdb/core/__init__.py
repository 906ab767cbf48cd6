"""What the whole package shares: errors, settings, phrases, results, and every parameter of a question, declared once.

A parameter is a key of one of the dictionaries in `schemes`, `composition`, `vector_parameters`, `count_parameters`
and `question_parameters`; a question takes all keys of one (`Neighbours`, `Comparing`, …). From these follow the
parameter lists, accessors and checks in SQL (`aptdb.store.placeholders`), the signatures in Python, the options of the
commands, the defaults of evaluations, and the reference in the documentation.
"""
