import socket
from pathlib import Path

import pytest

OUTSIDE = "192.0.2.1"
"""An address kept for documentation (RFC 5737): nobody answers there."""


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_connecting_outside_is_refused(kind: socket.SocketKind) -> None:
    """The guard stops a connection before a packet leaves."""
    with socket.socket(socket.AF_INET, kind) as out:
        out.settimeout(0.1)
        with pytest.raises(RuntimeError, match="nothing but loopback"):
            out.connect((OUTSIDE, 9))


def test_sending_outside_is_refused() -> None:
    """Nor does a datagram."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out,
        pytest.raises(RuntimeError, match="nothing but loopback"),
    ):
        out.sendto(b"x", (OUTSIDE, 9))


@pytest.mark.parametrize("name", ["example.com", "api.anthropic.com", b"example.com", OUTSIDE])
def test_looking_up_names_is_refused(name: str | bytes) -> None:
    """A look-up is traffic too."""
    with pytest.raises(RuntimeError, match="nothing but loopback"):
        socket.getaddrinfo(name, 443)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_loopback_can_be_reached(host: str) -> None:
    """Tests talk to servers of their own."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection((host, server.getsockname()[1]), timeout=5) as client,
    ):
        assert client.getpeername()[0] == "127.0.0.1"


def test_unix_sockets_can_be_reached(tmp_path: Path) -> None:
    """A path on this machine is on this machine."""
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(path)
        server.listen()
        client.connect(path)
        assert client.getpeername() == path
