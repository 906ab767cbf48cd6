"""What is derived from counts, as rows of one table: weightings, entries, spaces, senses and subcorpora."""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

SCHEMA = "_store"
MADE = """
CREATE TABLE _store.derived (
    id INTEGER NOT NULL, kind VARCHAR NOT NULL, name VARCHAR NOT NULL, state VARCHAR NOT NULL,
    asked MAP(VARCHAR, VARCHAR) NOT NULL, made MAP(VARCHAR, VARCHAR) NOT NULL, made_of VARCHAR[] NOT NULL,
    made_at TIMESTAMP NOT NULL, version VARCHAR NOT NULL
)
"""
ASKED_OF_WEIGHTING = (
    "scheme", "phi", "cds", "cds_total", "scope", "shift", "min_count", "min_feature_count", "max_order",
    "min_frequency", "top_features", "top_features_per_path", "subcorpus", "counts",
)  # fmt: skip
MADE_OF_SPACE = (
    "dimensions", "shift", "power", "max_order", "min_frequency", "min_feature_count", "pos", "seed", "lexemes",
    "features", "vectors", "least_frequency",
)  # fmt: skip

MADE_OF_ENTRY = ("anchored", "pos", "weighing AS weighting", "composition", "weights")


def as_map(columns: tuple[str, ...]) -> str:
    """Return columns as a map of texts, without those that are NULL, in SQL."""
    named = [(column.split(" AS ")[-1], column.split(" AS ")[0]) for column in columns]
    pairs = ", ".join(f"{{'key': '{name}', 'value': {column}::VARCHAR}}" for name, column in named)
    return f"map_from_entries(list_filter([{pairs}], lambda pair: pair.value IS NOT NULL))"


# The rows of each kind, from the table that it had.
ROWS = {
    "weighting": f"""
        SELECT id, 'weighting', name, state, {as_map(ASKED_OF_WEIGHTING)}, {as_map(("weights",))},
            CASE WHEN subcorpus IS NULL THEN [] ELSE ['subcorpus:' || subcorpus] END,
            coalesce(kept_at, recorded_at), ''
        FROM _store.weighting
    """,
    "entry": f"""
        SELECT id, 'entry', name, CASE state WHEN 'stored' THEN 'kept' ELSE state END,
            {as_map(("phrase", "question"))}, {as_map(MADE_OF_ENTRY)},
            list_transform(list_sort(list_intersect(
                coalesce(TRY(json_extract_string(question, '$.words[*].lexeme')), []),
                (SELECT list(other.name) FROM _store.entry AS other)
            )), lambda word: 'entry:' || word),
            stored_at, ''
        FROM _store.entry
    """,
    "space": f"""
        SELECT id, 'space', name, state, coalesce(TRY(from_json(asked, '"MAP(VARCHAR, VARCHAR)"')), MAP {{}}),
            {as_map(MADE_OF_SPACE)}, [], reduced_at, version
        FROM _store.space
    """,
    "senses": """
        SELECT first_id, 'senses', text, state, coalesce(TRY(from_json(asked, '"MAP(VARCHAR, VARCHAR)"')), MAP {}),
            MAP {'space': space}, ['space:' || space], sensed_at, version
        FROM (
            SELECT min(sense.id) AS first_id, lexeme.text, min(sense.state) AS state, min(sense.asked) AS asked,
                min(sense.space) AS space, min(sense.sensed_at) AS sensed_at, min(sense.version) AS version
            FROM _store.sense
            JOIN _store.lexeme ON lexeme.id = sense.lexeme_id
            GROUP BY lexeme.text
        )
    """,
    "subcorpus": f"""
        SELECT id, 'subcorpus', name, state, {as_map(("condition",))}, {as_map(("sentences", "tokens"))}, [],
            counted_at, ''
        FROM _store.subcorpus
    """,
}


def upgrade() -> None:
    op.execute(MADE)
    for rows in ROWS.values():
        op.execute(f"INSERT INTO _store.derived {rows}")
    # Not by an UPDATE: DuckDB alters no table with outstanding updates.
    op.execute(
        "CREATE TABLE _store.sense_again (id INTEGER NOT NULL, lexeme_id INTEGER NOT NULL, number INTEGER NOT NULL, "
        "occurrences BIGINT NOT NULL, vector FLOAT[] NOT NULL, senses_id INTEGER NOT NULL)"
    )
    op.execute(
        "INSERT INTO _store.sense_again SELECT sense.id, lexeme_id, number, occurrences, vector, derived.id "
        "FROM _store.sense JOIN _store.lexeme ON lexeme.id = sense.lexeme_id "
        "JOIN _store.derived ON derived.kind = 'senses' AND derived.name = lexeme.text ORDER BY sense.id"
    )
    op.drop_table("sense", schema=SCHEMA)
    op.execute("ALTER TABLE _store.sense_again RENAME TO sense")
    for table in ("weighting", "entry", "space", "subcorpus"):
        op.drop_table(table, schema=SCHEMA)


# The tables of each kind again, from the rows of the one.
TABLES = {
    "weighting": """
        SELECT id, name, asked['scheme'] AS scheme, asked['cds']::DOUBLE AS cds, asked['cds_total'] AS cds_total,
            asked['scope'] AS scope, asked['shift']::DOUBLE AS shift, asked['min_count']::BIGINT AS min_count,
            asked['min_feature_count']::BIGINT AS min_feature_count, asked['max_order']::BIGINT AS max_order,
            asked['min_frequency']::BIGINT AS min_frequency, asked['top_features']::BIGINT AS top_features,
            asked['phi'] AS phi, state, made['weights']::BIGINT AS weights, made_at AS recorded_at,
            CASE WHEN state <> 'computed' THEN made_at END AS kept_at,
            asked['top_features_per_path']::BIGINT AS top_features_per_path, asked['subcorpus'] AS subcorpus,
            asked['counts'] AS counts
    """,
    "entry": """
        SELECT id, name, asked['phrase'] AS phrase, made['anchored'] AS anchored, made['pos'] AS pos,
            made['weighting'] AS weighing, made['composition'] AS composition, asked['question'] AS question,
            CASE state WHEN 'kept' THEN 'stored' ELSE state END AS state, made['weights']::BIGINT AS weights,
            made_at AS stored_at
    """,
    "space": """
        SELECT id, name, made['dimensions']::INTEGER AS dimensions, made['shift']::DOUBLE AS shift,
            made['power']::DOUBLE AS power, made['max_order']::INTEGER AS max_order,
            made['min_frequency']::BIGINT AS min_frequency, made['min_feature_count']::BIGINT AS min_feature_count,
            made['pos'] AS pos, made['seed']::BIGINT AS seed, state, made['lexemes']::BIGINT AS lexemes,
            made['features']::BIGINT AS features, made['vectors']::BIGINT AS vectors,
            made['least_frequency']::BIGINT AS least_frequency, to_json(asked)::VARCHAR AS asked,
            made_at AS reduced_at, version
    """,
    "subcorpus": """
        SELECT id, name, asked['condition'] AS condition, state, made['sentences']::BIGINT AS sentences,
            made['tokens']::BIGINT AS tokens, made_at AS counted_at
    """,
}


def downgrade() -> None:
    for kind, columns in TABLES.items():
        op.execute(f"CREATE TABLE _store.{kind} AS {columns} FROM _store.derived WHERE kind = '{kind}'")
    op.execute(
        "CREATE TABLE _store.sense_again AS SELECT sense.id, lexeme_id, number, occurrences, vector, "
        "made['space'] AS space, to_json(asked)::VARCHAR AS asked, state, made_at AS sensed_at, derived.version "
        "FROM _store.sense JOIN _store.derived ON derived.kind = 'senses' AND derived.id = sense.senses_id"
    )
    op.drop_table("sense", schema=SCHEMA)
    op.execute("ALTER TABLE _store.sense_again RENAME TO sense")
    op.drop_table("derived", schema=SCHEMA)
