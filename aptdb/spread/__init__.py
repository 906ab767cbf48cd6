"""Counts corpora that are too large for one machine: shares of their sentences on any engine, summed into a folder."""
