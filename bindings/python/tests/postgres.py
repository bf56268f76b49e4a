"""A PostgreSQL server for a test, from the programs of the system, on a socket in a directory of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote


def programs() -> Path | None:
    """Where the newest server that is installed has its programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    program = shutil.which("initdb")
    return found[-1].parent if found else Path(program).resolve().parent if program else None


def initialise(folder: Path, data: str, as_server: list[str]) -> None:
    options = ["--auth=trust", "--no-sync", "--username=verger", "--locale=C"]
    made = [*as_server, str(folder / "initdb"), *options, f"{data}/data"]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def database(folder: Path) -> Generator[str, None, None]:
    """The URL of a database of a new server, with the programs in `folder`; the server ends with it."""
    # The server does not run as root.
    as_server = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="verger-") as data:
        if as_server:
            shutil.chown(data, "postgres")
        initialise(folder, data, as_server)
        settings = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", f"unix_socket_directories={data}"]
        command = [*as_server, str(folder / "postgres"), "-D", f"{data}/data", *settings]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            try:
                assert server.stderr is not None
                assert any("ready to accept connections" in line for line in server.stderr)
                yield f"postgres://verger@{quote(data, safe='')}/postgres"
            finally:
                server.terminate()
