"""Walks through an installed pet as its first user does, and prints how long each step takes.

After `--` comes the command that is `eko` there: that of a wheel in an environment of its own, or
what enters an image. It is started in an empty folder, without this checkout.
"""

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

PATIENCE_S = 120
"""Seconds for the slowest step on a machine that has other things to do."""

LINK = re.compile(r"(http://\S+)/login#([\w-]+)")

TALK = "I live in Lyon.\nWhere do I live?\n"


class Lost(Exception):
    """A step did not lead where it should; the text is what was seen instead."""


class Walk:
    """One pet from its start to its end; `data` is its folder, `inside` as the pet sees it."""

    def __init__(self, command: Sequence[str], data: Path, inside: Path, port: int) -> None:
        self._command = list(command)
        self._data = data
        self._inside = inside
        self._home = TemporaryDirectory(prefix="eko-walk-")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "EKO_"))}
        self._environ = kept | {"EKO_DATA_DIR": str(inside), "EKO_WEB__PORT": str(port)}
        self._log = Path(self._home.name, "run.log")

    def go(self) -> None:
        """Every step, each of which raises Lost where it fails."""
        self._timed("version", lambda: self._eko("--version").strip())
        with self._home, self._running():
            self._timed("first start", self._is_awake)
            self._timed("a reply", self._replies)
            self._timed("doctor", self._is_well)
            self._timed("dashboard", self._shows_itself)
            self._timed("export", self._exports)
            print(f"{'memory':12} {_memory_mb(self._pid()):8d} MB", flush=True)
            self._timed("stop", self._stops)

    @staticmethod
    def _timed(step: str, take: Callable[[], str | None]) -> None:
        begun = time.monotonic()
        said = take() or ""
        print(f"{step:12} {time.monotonic() - begun:8.2f} s  {said}".rstrip(), flush=True)

    def _eko(self, *arguments: str, said: str = "") -> str:
        done = subprocess.run(
            [*self._command, *arguments],
            input=said,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            cwd=self._home.name,
            env=self._environ,
            check=False,
        )
        if done.returncode:
            raise Lost(f"eko {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    @contextmanager
    def _running(self) -> Iterator[None]:
        with (
            self._log.open("w") as log,
            subprocess.Popen(
                [*self._command, "run"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._home.name,
                env=self._environ,
            ) as self._process,
        ):
            try:
                yield
            finally:
                self._process.kill()

    def _is_awake(self) -> None:
        for _ in range(PATIENCE_S * 20):
            if "/login#" in (written := self._log.read_text()):
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.05)
        raise Lost(f"eko run: {written}")

    def _replies(self) -> str:
        answered = self._eko("chat", "--as", "Alice", said=TALK)
        last = answered.strip().splitlines()[-1]
        if "Lyon" not in last:
            raise Lost(f"eko chat: {answered}")
        return last

    def _is_well(self) -> None:
        said = self._eko("doctor")
        if re.search(r"^fail", said, re.MULTILINE) or "vector store: Qdrant Edge" not in said:
            raise Lost(said)

    def _shows_itself(self) -> str:
        """In by the link of the first start, to the page that lists what is remembered."""
        found = LINK.search(self._log.read_text())
        assert found is not None
        page, code = found.groups()
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        with browser.open(f"{page}/login", urlencode({"code": code}).encode()) as answer:
            first = str(answer.url)
        with browser.open(f"{page}/dashboard/memory") as answer:
            shown = answer.read().decode()
        if "/dashboard" not in first or "Lyon" not in shown:
            raise Lost(f"{first}: {shown}")
        return first

    def _exports(self) -> str:
        self._eko("export", str(self._inside / "all.json"))
        written = (self._data / "all.json").read_text()
        if "Lyon" not in written:
            raise Lost(written)
        return f"{len(written):,} bytes"

    def _pid(self) -> int:
        return int(json.loads((self._data / "eko.lock").read_text())["pid"])

    def _stops(self) -> None:
        os.kill(self._pid(), signal.SIGTERM)
        if status := self._process.wait(PATIENCE_S):
            raise Lost(f"status {status}: {self._log.read_text()}")


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def _memory_mb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) // 1024


def main() -> None:
    """Take the walk, and leave with status 1 where it does not lead to its end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="An empty folder.")
    parser.add_argument("--inside", type=Path, help="What it is called in the image.")
    parser.add_argument("--port", type=int, default=_free_port())
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    try:
        Walk(given.command, given.data, given.inside or given.data, given.port).go()
    except (Lost, OSError, subprocess.TimeoutExpired) as error:
        sys.exit(f"The walk ended early. {error}")


if __name__ == "__main__":
    main()
