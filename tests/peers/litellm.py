"""A gateway that others wrote (PyPI `litellm`), which speaks both ways and asks aimock itself."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2

from tests.patience import PATIENCE_S
from tests.peers.aimock import Aimock, absent

KEY = "sk-of-the-gateway"
"""What it lets in."""

_CONFIG = """
model_list:
  - model_name: "*"
    litellm_params: {{model: "openai/*", api_base: "{url}/v1", api_key: "test"}}
general_settings: {{master_key: "{key}"}}
litellm_settings: {{telemetry: false}}
"""

_STARTS_S = 2 * PATIENCE_S
"""It takes a quarter of a minute where nothing else runs."""


@contextmanager
def running_litellm(aimock: Aimock) -> Iterator[str]:
    """The address of a gateway, for as long as the context lasts; skips where there is none."""
    program = _program()
    with TemporaryDirectory() as folder:
        config = Path(folder) / "config.yaml"
        config.write_text(_CONFIG.format(url=aimock.url, key=KEY), encoding="utf-8")
        port = _free_port()
        command = [program, "--config", str(config), "--port", str(port), "--host", "127.0.0.1"]
        quiet = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "NO_PROXY": "127.0.0.1"}
        output = (Path(folder) / "output").open("wb")
        with output, subprocess.Popen(command, stdout=output, stderr=output, env=quiet) as process:
            try:
                url = f"http://127.0.0.1:{port}"
                _await(url, process)
                yield url
            finally:
                process.terminate()


def _program() -> str:
    folder = os.environ.get("EKO_PEERS")
    program = Path(folder or "/nowhere") / "litellm" / "bin" / "litellm"
    if not program.exists():
        absent("LiteLLM is not installed; see tests/peers/install.sh")
    return str(program)


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def _await(url: str, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + _STARTS_S
    with httpx2.Client(base_url=url, trust_env=False, timeout=PATIENCE_S) as client:
        while time.monotonic() < until:
            assert process.poll() is None, "LiteLLM ended before it listened"
            try:
                if client.get("/health/liveliness").is_success:
                    return
            except httpx2.TransportError:
                pass
            time.sleep(0.2)
    raise AssertionError(f"LiteLLM did not listen within {_STARTS_S:g} seconds")
