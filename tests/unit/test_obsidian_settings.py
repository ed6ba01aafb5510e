"""What can be chosen about notes, and what is refused with a sentence."""

from typing import Any

import pytest
from pydantic import ValidationError

from config.sections.obsidian import ObsidianSettings


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"kind": "folder"}, 'kind "folder" needs a folder'),
        ({"kind": "rest"}, 'kind "rest" needs an api_key'),
        ({"audience": "person"}, "needs an owner"),
        ({"url": "http://nas.example:27123"}, "must begin with https://"),
        ({"fingerprint": "ab" * 32, "ca_file": "ca.pem"}, "exclude each other"),
        ({"fingerprint": "ab:cd"}, "must be a SHA-256 fingerprint"),
        ({"fingerprint": "zz" * 32}, "must be a SHA-256 fingerprint"),
        ({"context_tag": "two words"}, "must be a tag"),
        ({"owner": "me"}, "must look like platform:id"),
    ],
)
def test_what_cannot_work_is_refused(chosen: dict[str, Any], says: str) -> None:
    """Before anything is read or sent."""
    with pytest.raises(ValidationError, match=says):
        ObsidianSettings(**chosen)


@pytest.mark.parametrize(
    "chosen",
    [
        {"kind": "rest", "api_key": "k", "url": "http://127.0.0.1:27123"},
        {"kind": "rest", "api_key": "k", "url": "http://[::1]:27123"},
        {"fingerprint": ":".join(["Ab"] * 32)},
        {"context_tag": "#éko/pet-2"},
        {"context_tag": ""},
        {"audience": "person", "owner": "discord:1234"},
    ],
)
def test_what_works_is_accepted(chosen: dict[str, Any]) -> None:
    """A key without encryption stays on this machine; a fingerprint is written either way."""
    assert ObsidianSettings(**chosen).kind in {"off", "rest"}


def test_nothing_is_read_unless_it_is_chosen() -> None:
    """Neither a vault nor an audience has a default."""
    assert (ObsidianSettings().kind, ObsidianSettings().audience) == ("off", None)
