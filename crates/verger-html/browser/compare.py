"""Compares the metas of pages with Chromium. See `run`."""

from __future__ import annotations

import argparse
import gzip
import http.server
import json
import re
import shutil
import subprocess
import tempfile
import threading
from collections import Counter
from pathlib import Path

import pages

HERE = Path(__file__).parent
# A difference that is a mistake.
UNEXPLAINED = "unexplained"
CASES_MAX = 150
CASES = HERE.parent / "tests" / "pages.toml"


class Server(http.server.ThreadingHTTPServer):
    """Serves the driver and the pages, and collects the results."""

    request_queue_size = 64
    daemon_threads = True

    def __init__(self, served: list[pages.Page]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages = served
        self.results: dict[int, dict | None] = {}
        self.ended = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers the browser."""

    protocol_version = "HTTP/1.1"
    # One write for head and body, at once.
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    server: Server

    def answer(self, body: bytes, content_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        if self.path.startswith("/page/"):
            # No script runs and nothing else is loaded.
            self.send_header("Content-Security-Policy", "default-src 'none'")
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.path == "/":
            # Frames inherit the encoding, so it is the default one.
            self.answer((HERE / "driver.html").read_bytes(), "text/html; charset=windows-1252")
        elif self.path == "/count":
            self.answer(str(len(self.server.pages)).encode(), "text/plain")
        elif self.path.startswith("/page/"):
            page = self.server.pages[int(self.path.split("/")[2])]
            self.answer(page.body, page.content_type)
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/end":
            self.server.ended.set()
        else:
            self.server.results[int(self.path.split("/")[2])] = json.loads(body)
        self.answer(b"", "text/plain")

    def log_message(self, *_: object) -> None:
        pass


def of_browser(served: list[pages.Page]) -> list[dict | None]:
    """Return the answers of Chromium, which loads the pages in frames of one page."""
    server = Server(served)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-extensions", "--lang=en-US",
                   "--disable-background-timer-throttling", f"--user-data-dir={profile}",
                   "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_port}/"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if not server.ended.wait(60 + len(served) * 0.2):
                raise SystemExit(f"the browser answered {len(server.results)} of {len(served)} pages")
        finally:
            process.terminate()
            process.wait()
    server.shutdown()
    return [server.results.get(number) for number in range(len(served))]


def of_verger(program: str, served: list[pages.Page]) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for number, page in enumerate(served):
            path = Path(folder) / str(number)
            path.write_bytes(page.body)
            lines.append(f"{path}\t{page.content_type}\n")
        output = subprocess.run([program], input="".join(lines), capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in output.split("\n") if line]


def documentation() -> list[tuple[str, pages.Page]]:
    """Return the installed documentation, each file once."""
    found = []
    paths = {path.resolve() for path in Path("/usr/share/doc").rglob("*.html*")}
    for path in sorted(paths):
        if path.is_file() and path.suffix != ".js":
            body = path.read_bytes()
            found.append((str(path), pages.Page(gzip.decompress(body) if path.suffix == ".gz" else body, "text/html")))
    return found


def seen(answer: dict) -> dict:
    """Return the metas and links as they are compared: those of the head, in order."""
    metas = [meta[:3] for meta in answer["metas"]]
    links = [[rel, href.strip("\t\n\f\r "), in_head] for rel, href, in_head in answer["links"]]
    return {
        "encoding": answer["encoding"],
        "head": [it for it in metas if it[2]] + [it for it in links if it[2]],
        "body": [it for it in metas if not it[2]] + [it for it in links if not it[2]],
    }


def in_ascii(answer: dict) -> str:
    """Return an answer without letters that depend on the encoding."""
    return re.sub(r"[^\x00-\x7f]+", "", json.dumps(answer["head"], ensure_ascii=False))


def reason(page: pages.Page, ours: dict, browser: dict) -> str | None:
    """Return the reason for a difference, or `None` if the answers agree."""
    text = page.body.replace(b"\0", b"").lower()
    if ours["encoding"] != browser["encoding"] and in_ascii(ours) == in_ascii(browser):
        if ours["encoding"] == "windows-1252":
            return "encoding: Chromium guesses it, and reads a declaration across byte 1,024 or in noscript"
    elif ours["head"] == browser["head"] and ours["body"] != browser["body"]:
        if b"<frameset" in text:
            return "after the head: a set of frames has no metas and links"
        if b"<svg" in text or b"<math" in text:
            return "after the head: SVG and MathML have other elements"
        if b"shadowrootmode" in text:
            return "after the head: a template may be a shadow root"
    return UNEXPLAINED if ours != browser else None


def toml(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")


def write(compared: list[tuple[pages.Page, dict]]) -> None:
    """Write the cases that the tests read: short pages, one character a byte, and the browser's answers."""
    lines = ["# Generated by `browser/run --write`: pages, one character a byte, and the answers of Chromium.\n"]
    short = [(page, answer) for page, answer in compared if len(page.body) < 400]
    for page, answer in short[:CASES_MAX]:
        lines.append("\n[[page]]\n")
        lines.append(f"body = {toml(page.body.decode('latin-1'))}\ncontent_type = {toml(page.content_type)}\n")
        lines.append(f"encoding = {toml(answer['encoding'])}\n")
        for key in ("head", "body"):
            values = ", ".join(f"[{toml(name)}, {toml(value)}]" for name, value, _ in answer[key])
            lines.append(f"{'in_head' if key == 'head' else 'after_head'} = [{values}]\n")
    CASES.write_text("".join(lines), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="show each page with a difference")
    options = parser.parse_args()
    named = [(f"generated {number}", page) for number, page in enumerate(pages.generated(options.pages))]
    named += documentation()
    served = [page for _, page in named]
    browser, ours = of_browser(served), of_verger(options.program, served)
    counts, compared = Counter(), []
    for (name, page), theirs, own in zip(named, browser, ours, strict=True):
        if theirs is None or "error" in theirs:
            found = f"{UNEXPLAINED}: not loaded"
        else:
            found = reason(page, seen(own), seen(theirs))
        if found is None:
            compared.append((page, seen(theirs)))
        elif options.verbose or found.startswith(UNEXPLAINED):
            print(f"{name}, {page.content_type}: {found}\n  {page.body[:3000]!r}\n  browser {theirs}\n  verger  {own}")
        counts[name.split(" ")[0] if name.startswith("generated") else "documentation", found or "equal"] += 1
    for (group, found), count in sorted(counts.items()):
        print(f"{count:6} {group:13} {found}")
    if options.write:
        write(compared)
    if any(found.startswith(UNEXPLAINED) for _, found in counts):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
