"""Draw the pictures that pages show, by the commands that stand on them."""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SHOWN = re.compile(r"\]\(pictures/([^)]+)\)")
COMMAND = re.compile(r"^\$ aptdb (.*)$", re.MULTILINE)


def draw(page: Path, pictures: Path) -> None:
    """Put the pictures that a page shows into a folder; end with a message where one cannot be drawn."""
    text = page.read_text(encoding="utf-8")
    shown = {*SHOWN.findall(text)}
    if not shown:
        return
    with tempfile.TemporaryDirectory() as place:
        for line in COMMAND.findall(text):
            words = [sys.executable, "-m", "aptdb", *shlex.split(line)]
            ended = subprocess.run(words, cwd=place, capture_output=True, encoding="utf-8", check=False)
            if ended.returncode:
                sys.exit(f"{page.name}: aptdb {line} ended with {ended.returncode}\n{ended.stderr}")
        pictures.mkdir(exist_ok=True)
        for name in sorted(shown):
            if not Path(place, name).exists():
                sys.exit(f"{page.name} shows {name}, and none of its commands draws it")
            shutil.copy(Path(place, name), pictures)
