"""Services of models that others wrote (npm `@copilotkit/aimock`), behind our strict rules.

A test starts one process per module, and per test a `Peer`: the address to give to the adapter or
to the daemon (`ANTHROPIC_BASE_URL`, or `OPENAI_BASE_URL` with /v1), a script of answers, and a
journal of what was asked.
"""

import json
import os
import shutil
import subprocess
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import IO, Any

import httpx2
import pytest

from tests.edge import completions_rules, messages_rules
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS

_LISTENING = "listening on "
"""What aimock prints before its address, once it can be asked."""

_ASLEEP = {"fixtures": [{"match": {"userMessage": "\u0000"}, "response": {"content": "-"}}]}
"""Aimock does not start without an answer; this one answers nothing."""

_FORWARDED = ("content-type", "retry-after", "x-request-id")


def says(text: str) -> dict[str, Any]:
    """A scripted answer of plain text."""
    return {"content": text}


def calls(name: str, arguments: Mapping[str, Any], *, text: str = "") -> dict[str, Any]:
    """A scripted call of a tool, after a text if there is one."""
    called = {"toolCalls": [{"name": name, "arguments": json.dumps(arguments)}]}
    return {"content": text, **called} if text else called


def fails(status: int, kind: str, *, retry_after_s: int | None = None) -> dict[str, Any]:
    """A scripted error."""
    answer: dict[str, Any] = {"error": {"type": kind, "message": "scripted"}, "status": status}
    return answer if retry_after_s is None else {**answer, "retryAfter": retry_after_s}


class Aimock:
    """A running aimock, told what to do through its control interface."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._control = httpx2.Client(
            base_url=f"{url}/__aimock", trust_env=False, verify=NO_TLS, timeout=PATIENCE_S
        )

    def script(self, *answers: Mapping[str, Any], **match: Any) -> None:
        """Give these answers in order to the requests that match, the last one for ever.

        `match` are aimock's own fields: `userMessage` (part of the last words), `systemMessage`,
        `toolName` (an offered tool), `toolResultContains`. Scripts given first win.
        """
        fixtures: list[dict[str, Any]] = [
            {"match": {**match, "sequenceIndex": at}, "response": answer}
            for at, answer in enumerate(answers)
        ]
        self._tell("fixtures", {"fixtures": [*fixtures, {"match": match, "response": answers[-1]}]})

    def chaos(self, **rates: float) -> None:
        """Fail at these rates (0..1): dropRate, malformedRate, disconnectRate, rateLimitRate."""
        self._tell("chaos", rates)

    def journal(self) -> list[dict[str, Any]]:
        """What aimock was asked and which status it gave, in order, in its own shape."""
        entries: list[dict[str, Any]] = self._control.get("/journal").raise_for_status().json()
        return entries

    def reset(self) -> None:
        """Forget scripts, chaos and journal."""
        self._control.delete("/chaos").raise_for_status()
        self._tell("reset", {})

    def close(self) -> None:
        """Release the control connection."""
        self._control.close()

    def _tell(self, what: str, body: Mapping[str, Any]) -> None:
        answer = self._control.post(f"/{what}", json=body)
        assert answer.is_success, answer.text


@contextmanager
def running_aimock() -> Iterator[Aimock]:
    """An aimock process for as long as the context lasts; skips the test where there is none."""
    program = _program()
    with TemporaryDirectory() as folder:
        fixtures = Path(folder) / "asleep.json"
        fixtures.write_text(json.dumps(_ASLEEP), encoding="utf-8")
        command = [program, "-p", "0", "-h", "127.0.0.1", "-f", str(fixtures)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            aimock = Aimock(_address(process))
            # Its output is read to the end, or it would stop once the pipe is full.
            reader = Thread(target=deque, args=(process.stdout, 0))
            reader.start()
            try:
                yield aimock
            finally:
                aimock.close()
                process.terminate()
                reader.join()


def _program() -> str:
    folder = os.environ.get("EKO_PEERS")
    if folder is None:
        absent("EKO_PEERS is not set; see tests/peers/install.sh")
    if shutil.which("node") is None:
        absent("node is not installed")
    program = shutil.which("llmock", path=Path(str(folder)) / "node_modules" / ".bin")
    if program is None:
        absent(f"aimock is not installed in {folder}; run tests/peers/install.sh")
    return str(program)


def absent(reason: str) -> None:
    """Skip the test, or fail it where the peers were promised."""
    if os.environ.get("EKO_PEERS_REQUIRED") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def _address(process: "subprocess.Popen[str]") -> str:
    output: IO[str] | None = process.stdout
    assert output is not None
    for line in output:
        if _LISTENING in line:
            return line.split(_LISTENING)[1].strip()
    raise AssertionError("aimock ended before it listened")


@dataclass
class Peer:
    """The strict door in front of aimock: give its `url` to whatever is tested."""

    aimock: Aimock
    url: str = ""
    requests: list[Asked] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The JSON of every request as it was sent, in order."""
        return [asked.json() for asked in self.requests]

    def script(self, *answers: Mapping[str, Any], **match: Any) -> None:
        """Give these answers in order; see `Aimock.script`."""
        self.aimock.script(*answers, **match)

    def check(self) -> None:
        """Fail when a request broke a rule or no script had an answer for it."""
        assert not self.broken, self.broken


@asynccontextmanager
async def strict_peer(aimock: Aimock) -> AsyncIterator[Peer]:
    """Aimock from a clean slate, behind our rules; leaving the context checks that none broke."""
    aimock.reset()
    peer = Peer(aimock)
    async with httpx2.AsyncClient(
        base_url=aimock.url, trust_env=False, verify=NO_TLS, timeout=PATIENCE_S
    ) as upstream:

        async def answer(asked: Asked) -> Answer:
            return await _pass_on(asked, peer, upstream)

        async with LoopbackServer(answer) as server:
            peer.url = server.url
            yield peer
    peer.check()


async def _pass_on(asked: Asked, peer: Peer, upstream: httpx2.AsyncClient) -> Answer:
    peer.requests.append(asked)
    rules = messages_rules if asked.path.endswith("/messages") else completions_rules
    broken = rules.violations(asked.headers, asked.json())
    peer.broken += broken
    if broken:
        body = {"type": "error", "error": {"type": "invalid_request_error", "message": broken}}
        return Answer(status=400, body=json.dumps(body).encode())
    try:
        answer = await upstream.post(asked.path, content=asked.body, headers=_own(asked.headers))
    except httpx2.TransportError:
        return Answer(body=b"{}", cut=True)  # aimock hung up, so the door does too
    if answer.status_code == httpx2.codes.NOT_FOUND:
        peer.broken.append("no script had an answer for a request")
    headers = {name: answer.headers[name] for name in _FORWARDED if name in answer.headers}
    return Answer(status=answer.status_code, body=answer.content, headers=headers)


def _own(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of the request itself, without those of its connection."""
    connection = {"host", "content-length", "connection", "accept-encoding"}
    return {name: value for name, value in headers.items() if name not in connection}
