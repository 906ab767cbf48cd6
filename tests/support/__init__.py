"""What several test modules share, each module with one subject; fixtures are in conftest.py."""

import pytest

# So that an assertion that fails in these shows its values, as it does in a test.
pytest.register_assert_rewrite(
    "support.damaged_files", "support.lexicons", "support.processes", "support.questions", "support.weights"
)
