"""A page that is open to the network answers to what the network calls this machine."""

import pytest

from bot.daemon.machine_names import page_names
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
