"""Every parameter of a question, declared once: its name, type and values, default, group and help.

A parameter is a key of one of the dictionaries in these modules; a question takes all keys of one (`Neighbours`,
`Comparing`, …). From here come the parameter lists, accessors and checks in SQL (`aptdb.store.parts`), the signatures
in Python as `help()` and type checkers see them, the options of the commands, the defaults of evaluations, and the
reference in the documentation. So are schemes, measures and merge rules: each is listed here and nowhere else.
"""
