"""A Matrix server that others wrote (PyPI `matrix-synapse`), as a process on loopback."""

import hashlib
import hmac
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2

from tests.patience import PATIENCE_S
from tests.peers.aimock import absent
from tests.peers.daemon import NO_TLS

SERVER = "eko.test"
"""What accounts and rooms are named after; nothing is asked for under that name."""

_SECRET = "of-the-trial"

_CONFIG = """
server_name: "{server}"
pid_file: "{folder}/pid"
signing_key_path: "{folder}/signing.key"
log_config: "{folder}/log.yaml"
report_stats: false
suppress_key_server_warning: true
trusted_key_servers: []
registration_shared_secret: "{secret}"
macaroon_secret_key: "{secret}"
bcrypt_rounds: 4
database: {{name: sqlite3, args: {{database: "{folder}/homeserver.db"}}}}
media_store_path: "{folder}/media"
url_preview_enabled: false
listeners:
  - port: {port}
    bind_addresses: ["127.0.0.1"]
    type: http
    tls: false
    resources: [{{names: [client, media]}}]
rc_message: {messages}
rc_registration: {rate}
rc_login: {{address: {rate}, account: {rate}, failed_attempts: {rate}}}
rc_joins: {{local: {joins}, remote: {rate}}}
rc_joins_per_room: {rate}
rc_invites: {{per_room: {rate}, per_user: {rate}, per_issuer: {rate}}}
rc_key_requests: {rate}
rc_room_creation: {rate}
rc_presence: {{per_user: {rate}}}
"""

_RATE = "{per_second: 100000, burst_count: 100000}"

_LOGS = """
version: 1
formatters: {plain: {format: '%(asctime)s %(name)s %(levelname)s %(message)s'}}
handlers: {console: {class: logging.StreamHandler, formatter: plain}}
root: {level: WARNING, handlers: [console]}
"""


@dataclass(frozen=True)
class Synapse:
    """A server with nobody on it yet."""

    url: str

    def registers(self, name: str, password: str, *, admin: bool = False) -> str:
        """Make an account; its whole name."""
        with httpx2.Client(
            base_url=self.url, trust_env=False, verify=NO_TLS, timeout=PATIENCE_S
        ) as client:
            nonce = client.get("/_synapse/admin/v1/register").json()["nonce"]
            role = "admin" if admin else "notadmin"
            signed = f"{nonce}\0{name}\0{password}\0{role}".encode()
            mac = hmac.new(_SECRET.encode(), signed, hashlib.sha1).hexdigest()
            account = {"nonce": nonce, "username": name, "password": password, "mac": mac}
            answer = client.post("/_synapse/admin/v1/register", json={**account, "admin": admin})
            assert answer.is_success, answer.text
            return str(answer.json()["user_id"])

    def lifts_limits(self, token: str, user: str) -> None:
        """Do what docs/matrix.md says to who runs the server, with an administrator's token."""
        with httpx2.Client(
            base_url=self.url, trust_env=False, verify=NO_TLS, timeout=PATIENCE_S
        ) as client:
            answer = client.post(
                f"/_synapse/admin/v1/users/{user}/override_ratelimit",
                json={"messages_per_second": 0, "burst_count": 0},
                headers={"Authorization": f"Bearer {token}"},
            )
            assert answer.is_success, answer.text


@contextmanager
def running_synapse(*, messages: str = _RATE, joins: str = _RATE) -> Iterator[Synapse]:
    """A server for as long as the context lasts; skips where it is not installed.

    `messages` and `joins` are how many an account may send and make, as its settings have it.
    """
    python = Path(os.environ.get("EKO_PEERS", "/nowhere")) / "synapse" / "bin" / "python"
    if not python.exists():
        absent("Synapse is not installed; see tests/peers/install.sh")
    with TemporaryDirectory() as name:
        folder, port = Path(name), _free_port()
        rates = {"rate": _RATE, "messages": messages, "joins": joins}
        config = _CONFIG.format(server=SERVER, folder=folder, secret=_SECRET, port=port, **rates)
        (folder / "homeserver.yaml").write_text(config, encoding="utf-8")
        (folder / "log.yaml").write_text(_LOGS, encoding="utf-8")
        command = [str(python), "-m", "synapse.app.homeserver", "-c", "homeserver.yaml"]
        quiet = {"PATH": os.environ["PATH"], "HOME": name}
        subprocess.run([*command, "--generate-keys"], cwd=folder, env=quiet, check=True)
        output = (folder / "output").open("wb")
        with (
            output,
            subprocess.Popen(
                command, cwd=folder, env=quiet, stdout=output, stderr=output
            ) as process,
        ):
            try:
                url = f"http://127.0.0.1:{port}"
                _await(url, process)
                yield Synapse(url)
            finally:
                process.kill()


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def _await(url: str, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + PATIENCE_S
    with httpx2.Client(base_url=url, trust_env=False, verify=NO_TLS, timeout=PATIENCE_S) as client:
        while time.monotonic() < until:
            assert process.poll() is None, "Synapse ended before it listened"
            try:
                if client.get("/_matrix/client/versions").is_success:
                    return
            except httpx2.TransportError:
                pass
            time.sleep(0.05)
    raise AssertionError(f"Synapse did not listen within {PATIENCE_S:g} seconds")
