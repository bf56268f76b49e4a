"""The `verger` command: `python -m verger check --help`."""

from __future__ import annotations

import signal
import sys

from verger._verger import run_command


def main() -> int:
    """Run the command with the arguments of this process, and return its exit code."""
    # Make Ctrl-C end the process immediately. Python's handler would wait for Python code to run.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
