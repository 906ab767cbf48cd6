"""Counts corpora that are too large for one machine: tasks count pieces of files, on any engine."""
