-- A row: a neighbour that smoothing takes (_store.neighbours_to_share), from $found_neighbours, which is JSON.
SELECT unnest(
    from_json(
        $found_neighbours,
        '[{"lexeme_id": "INTEGER", "delta": "VARCHAR", "part_of_speech": "VARCHAR", "anchored": "VARCHAR", '
        || '"neighbour_id": "INTEGER"}]'
    ),
    max_depth := 2
);
