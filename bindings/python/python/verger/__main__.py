"""The command `verger`: `python -m verger check --help`."""

from __future__ import annotations

import signal
import sys

from verger._verger import run_command


def main() -> int:
    """Runs the command with the arguments of this process, and returns its exit code."""
    # Ctrl-C ends it at once: Python's own handler only notes the signal, for code that is not running.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
