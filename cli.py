"""The front door of a checkout: `python cli.py …` is `aptdb …`."""

from aptdb.commands import run

if __name__ == "__main__":
    run()
