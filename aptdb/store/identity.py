"""What a file is known by to be a lexicon of this version."""

SCHEMA = "_store"  # the schema of all tables
REVISION = "0012"  # the migration that they come from
