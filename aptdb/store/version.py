"""The version of aptdb, and what identifies a file as a lexicon of this version."""

SCHEMA = "_store"  # the schema of all tables
REVISION = "0013"  # the migration that they come from


__version__ = "0.1.0"
