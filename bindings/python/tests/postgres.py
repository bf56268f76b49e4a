"""A PostgreSQL server for a test, from the programs of the system, on a socket in a directory of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote


def programs() -> Path | None:
    """Where the newest server that is installed has its programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    program = shutil.which("initdb")
    return found[-1].parent if found else Path(program).resolve().parent if program else None


@contextmanager
def database(folder: Path, log: Path) -> Generator[str, None, None]:
    """The URL of a database of a new server, with the programs in `folder`; the server ends with it."""
    # The server does not run as root.
    as_server = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    data = tempfile.mkdtemp(prefix="verger-")
    if as_server:
        shutil.chown(data, "postgres")
    options = ["--auth=trust", "--no-sync", "--username=verger", "--locale=C"]
    made = [*as_server, str(folder / "initdb"), *options, f"{data}/data"]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
    settings = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", f"unix_socket_directories={data}"]
    with log.open("w") as out:
        command = [*as_server, str(folder / "postgres"), "-D", f"{data}/data", *settings]
        server = subprocess.Popen(command, stderr=out, stdout=out)
    try:
        while "ready to accept connections" not in log.read_text():
            assert server.poll() is None, log.read_text()
            time.sleep(0.05)
        yield f"postgres://verger@{quote(data, safe='')}/postgres"
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(data)
