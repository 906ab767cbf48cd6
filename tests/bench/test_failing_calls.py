"""All calls of each command fail, once and for good, with both errors, as test_failing_disk.py has some of them.

pytest -n 0 -m bench -s tests/bench/test_failing_calls.py
"""

from collections.abc import Iterator

import pytest

from support.failing_disk import CASES, FailingDisk, all_of, check_all, failing_disk

pytestmark = pytest.mark.bench


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FailingDisk]:
    """A server of processes whose calls can fail."""
    with failing_disk(tmp_path_factory.mktemp("disk")) as made:
        yield made


@pytest.mark.parametrize("name", CASES)
def test_all_calls(disk: FailingDisk, name: str) -> None:
    cases = all_of(disk, name)
    found = check_all(disk, name, cases)
    print(f"\n{name}: {len(cases)} failures: {dict(found)}")
    assert found.total() == len(cases)
