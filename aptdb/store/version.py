"""The version of aptdb, and the marks of a lexicon of this version."""

SCHEMA = "_store"  # the schema of all tables
REVISION = "0019"  # the migration that they come from


__version__ = "1.0.0rc1"
