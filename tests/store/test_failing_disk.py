"""A disk that fails at any call, once or for good: the lexicon is as before or as after a transaction."""

import errno
from collections.abc import Iterator

import pytest

from support.failing_disk import CASES, FailingDisk, check_all, failing_disk, sampled
from support.runs import draw_some

CALLS = 2  # of each command, in the thorough run


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FailingDisk]:
    """A server of processes whose calls can fail."""
    with failing_disk(tmp_path_factory.mktemp("disk")) as made:
        yield made


@pytest.mark.thorough
def test_an_addition_on_a_full_and_on_a_broken_disk(disk: FailingDisk) -> None:
    half = disk.calls_of("add to none") // 2
    assert disk.check("add to none", half, True, errno.ENOSPC) == "failed, before"
    assert disk.check("add to none", half, False, errno.EIO) == "failed, before"
    assert not disk.left_by_failure


@pytest.mark.thorough
@pytest.mark.parametrize("name", draw_some([*CASES], 10, "commands"))
def test_some_calls_of_each_command(disk: FailingDisk, name: str) -> None:
    found = check_all(disk, name, sampled(disk, name, CALLS))
    assert found.total() == CALLS


@pytest.mark.thorough
@pytest.mark.parametrize("number", draw_some(range(1, 20), 4, "begun"))
def test_a_file_that_cannot_be_begun_is_not_there(disk: FailingDisk, number: int) -> None:
    """DuckDB writes its first blocks, and leaves them there if it cannot make sure that they are on the disk."""
    assert disk.check("add to none", number, False, errno.EIO) in ("failed, before", "succeeded, after")
    assert not disk.left_by_failure


@pytest.mark.thorough
@pytest.mark.parametrize("back", draw_some(range(1, 30), 2, "checkpoint"))
def test_a_checkpoint_that_fails_is_told_in_one_line(disk: FailingDisk, back: int) -> None:
    """DuckDB gives the database up, so that it cannot undo what is open; that showed a traceback of the pool's."""
    check_all(disk, "rebuild", [(disk.calls_of("rebuild") - back, (True, errno.ENOSPC))])
