"""What this machine is called, asked of the machine itself."""

import ipaddress
import socket
import subprocess
import sys
from contextlib import suppress

from tests.patience import PATIENCE_S

PROGRAM = "from bot.daemon.machine_names import machine_names; print('\\n'.join(machine_names()))"


def test_a_machine_knows_its_name_and_addresses_that_are_its_own() -> None:
    """In a process of its own, because tests may look up nothing but loopback."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    names = done.stdout.split()
    assert socket.gethostname() in names
    for name in names:
        with suppress(ValueError):
            assert _is_own(ipaddress.ip_address(name))


def _is_own(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether one can listen there."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as here:
        here.bind((str(address), 0))
    return True
