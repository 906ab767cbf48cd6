"""Completion in shells: commands, options, values, and words of the lexicon.

It must be fast, so nothing here imports the commands. Their shape is cached as plain data (`shape.py`).
"""
