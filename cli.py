"""The front door of a checkout: `python cli.py …` is `aptdb …`."""

from aptdb.__main__ import run

if __name__ == "__main__":
    run()
