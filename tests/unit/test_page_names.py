"""A page that is open to the network answers to what the network calls this machine."""

import pytest
from starlette.datastructures import Headers

from bot.daemon.machine_names import page_names
from bot.surfaces.access.origins import OwnAddresses, is_for_own_host
from config.sections.web import WebSettings


def own() -> list[str]:
    """What the machine is called."""
    return ["Pet", "pet.lan", "192.0.2.7"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104 - compared, not listened on
def test_listening_everywhere_answers_to_the_machines_names(host: str) -> None:
    """And to those that were chosen beside them, written as browsers write them."""
    names = page_names(WebSettings(host=host, hosts=("Eko.example",)), own)
    assert names == {host, "pet", "pet.lan", "192.0.2.7", "eko.example"}


@pytest.mark.parametrize("host", ["127.0.0.1", "192.0.2.7"])
def test_listening_in_one_place_answers_to_its_name_alone(host: str) -> None:
    """The machine is not even asked what it is called."""

    def unasked() -> list[str]:
        raise AssertionError("nobody needs these names")

    assert page_names(WebSettings(host=host), unasked) == {host}


@pytest.mark.parametrize(
    ("host", "answers"),
    [
        ("192.168.1.10:8484", True),
        ("[2001:db8::7]:8484", True),
        ("10.0.0.1", True),
        ("tower.local", False),
        ("192.168.1.10.evil.example", False),
        ("[evil.example]", False),
        ("3232235786", False),
        ("0x7f000001", False),
        ("127.1", False),
        ("", False),
    ],
)
def test_any_address_is_answered_to_and_no_other_name(host: str, *, answers: bool) -> None:
    """Which of the machine's addresses leads into a container cannot be known in there."""
    headers = Headers({"host": host})
    assert is_for_own_host(headers, OwnAddresses(any_address=True)) is answers
    assert not is_for_own_host(headers, OwnAddresses())
