"""`python -m aptdb` is `aptdb`."""

from aptdb.commands import run

if __name__ == "__main__":
    run()
