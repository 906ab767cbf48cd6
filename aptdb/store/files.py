"""Writes a file as a whole or not at all."""

from pathlib import Path

from aptdb.errors import QuestionError


def overwrite(file: Path, content: bytes) -> None:
    """Write a file, over one of that name; it is beside it under another until it is whole. Raises QuestionError."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(file)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise QuestionError(f"{file} cannot be written: {error.strerror}") from error
