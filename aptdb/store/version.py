"""The version of aptdb, which lexicons and what is written down in them bear."""

__version__ = "0.1.0"
