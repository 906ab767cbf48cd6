"""Reads corpora: their sources, compression and formats, and the faults in them."""
