"""Print the time of this machine for fixed work, divided by that of a quiet one: the budgets of .ci/run grow by it.

The work is a fixed mixture of what Python programs do, at once on two processors, as the tests are. It uses nothing of
this project, so that whatever makes the tests slower cannot make the budgets larger.
"""

import ast
import json
import random
import re
import sys
import time
import zlib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

QUIET = 1.9  # seconds of a processor for the work, where the quick run took 296 and everything 1,567
TIMES, WORDS, PROCESSES = 4, 60_000, 2


def seconds_of_work(seed: int) -> float:
    """Return the seconds of a processor that the work takes."""
    chance = random.Random(seed)
    begun = time.process_time()
    for _ in range(TIMES):
        words = ["".join(chance.choices("abcdefghij", k=chance.randint(2, 9))) for _ in range(WORDS)]
        counts = Counter(words)
        text = json.dumps(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
        json.loads(text)
        re.findall(r"\b[a-c]+[d-j]*\b", text)
        zlib.compress(text.encode())
        ast.parse("\n".join(f"{word}_ = {{'{word}': [{len(word)}, '{word[::-1]}']}}" for word in words[: WORDS // 6]))
    return time.process_time() - begun


if __name__ == "__main__":
    with ProcessPoolExecutor(PROCESSES) as processors:
        found = [*processors.map(seconds_of_work, range(PROCESSES))]
    sys.stdout.write(f"{sum(found) / len(found) / QUIET:.2f}\n")
