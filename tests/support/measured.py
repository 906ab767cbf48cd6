"""What a command takes, measured from outside: seconds of the clock and of processors, and megabytes at most."""

import subprocess
import sys
from dataclasses import dataclass

# A small program, since what it starts counts the memory of its parent as its own.
MEASURE = """
import resource, subprocess, sys, time
begun = time.perf_counter()
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, used.ru_utime + used.ru_stime, time.perf_counter() - begun, used.ru_maxrss / 1024)
"""


@dataclass(frozen=True)
class Taken:
    """processors, clock: seconds. peak: megabytes of the process."""

    processors: float
    clock: float
    peak: float


def measured(*arguments: object, may_find_faults: bool = False) -> Taken:
    """What `aptdb ARGUMENTS` takes; it must not fail, but for faults in a corpus if it may find some."""
    command = [sys.executable, "-c", MEASURE, sys.executable, "-m", "aptdb", *map(str, arguments)]
    status, *used = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert status == "0" or (may_find_faults and status == "1"), arguments
    return Taken(*map(float, used))
