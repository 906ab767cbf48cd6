"""Makes a server of processes look like a program. DuckDB shows a progress bar in what looks like a session by hand."""

import __main__

__main__.__file__ = __file__
