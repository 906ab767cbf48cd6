"""Writes weights in the formats of other tools."""
