"""Weights out, in the formats that other tools read."""
