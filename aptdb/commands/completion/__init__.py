"""What a shell is told when somebody presses Tab: commands, options, values, and the words of the lexicon.

It must be fast, so nothing here imports the commands. Their shape is cached as plain data (`shape.py`).
"""
