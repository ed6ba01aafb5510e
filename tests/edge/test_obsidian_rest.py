"""Obsidian's plugin over real TLS on loopback: who it is, what it hands out, how it fails."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trustme

from memory.model.errors import NotesUnavailable, NoteTooLarge
from memory.rules.notes.chunks import NoteChoice
from memory.vaults.rest import ObsidianRest
from tests.edge.obsidian_server import KEY, Served, obsidian

CHOICE = NoteChoice(paths=("house rules",), tag="Éko")


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """Whoever vouches for the plugin's certificate; no machine trusts it."""
    return trustme.CA()


@pytest.fixture
async def served(authority: trustme.CA) -> AsyncIterator[Served]:
    """The plugin with two notes that are wanted and two that are not."""
    async with obsidian(authority) as server:
        server.plugin.write("house rules.md", "Be kind.")
        server.plugin.write("cuisine/tarte à l'étage.md", "---\ntags: [éko/recettes]\n---\nPommes.")
        server.plugin.write("diary.md", "Not for you. #private")
        server.plugin.write("ekonomy.md", "Not for you. #ékonomie")
        yield server


async def refusal(client: ObsidianRest) -> str:
    """The sentence with which a client gives up."""
    try:
        with pytest.raises(NotesUnavailable) as raised:
            await client.entries(CHOICE)
    finally:
        await client.close()
    return str(raised.value)


async def test_the_pinned_certificate_is_accepted(served: Served) -> None:
    """Though nobody vouches for it."""
    client = served.client(fingerprint=served.fingerprint)
    listed = await client.entries(CHOICE)
    await client.close()
    assert [one.path for one in listed] == ["cuisine/tarte à l'étage.md", "house rules.md"]


async def test_another_certificate_is_told_nothing(served: Served) -> None:
    """The key does not leave before the certificate is the pinned one."""
    sentence = await refusal(served.client(fingerprint="ab" * 32))
    assert "another certificate" in sentence
    assert (served.plugin.asked, served.plugin.authorizations) == ([], [])


async def test_an_authority_of_ones_own_vouches_for_it(
    served: Served, authority: trustme.CA, tmp_path: Path
) -> None:
    """Its file is enough."""
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    client = served.client(ca_file=tmp_path / "ca.pem")
    assert len(await client.entries(CHOICE)) == 2
    await client.close()


async def test_without_either_a_self_made_certificate_is_refused(served: Served) -> None:
    """Verification is never switched off, and the sentence says what to do."""
    sentence = await refusal(served.client())
    assert "set [obsidian] fingerprint or ca_file" in sentence
    assert served.plugin.authorizations == []


async def test_a_certificate_of_another_authority_is_refused(
    served: Served, tmp_path: Path
) -> None:
    """One's own authority is not any authority."""
    trustme.CA().cert_pem.write_to_path(tmp_path / "ca.pem")
    assert "vouched for by nobody" in await refusal(served.client(ca_file=tmp_path / "ca.pem"))


async def test_a_certificate_file_that_is_not_there_is_said(served: Served, tmp_path: Path) -> None:
    """In one sentence, and without a connection."""
    assert "cannot be read" in await refusal(served.client(ca_file=tmp_path / "none.pem"))


async def test_a_wrong_key_is_said(served: Served) -> None:
    """With where to look, and without the key."""
    sentence = await refusal(
        served.client(fingerprint=served.fingerprint, api_key="wrong-key-of-mine")
    )
    assert "check [obsidian] api_key" in sentence
    assert "wrong-key-of-mine" not in sentence


@pytest.mark.parametrize(
    ("status", "says"),
    [(403, "api_key"), (404, "no search"), (429, "(429)"), (500, "(500)"), (307, "(307)")],
)
async def test_a_refused_request_is_said(served: Served, status: int, says: str) -> None:
    """Whatever the plugin answers, it becomes one sentence."""
    served.plugin.status = status
    assert says in await refusal(served.client(fingerprint=served.fingerprint))


async def test_a_slow_plugin_is_given_up(served: Served) -> None:
    """After its time, wherever it stopped."""
    served.plugin.stuck = True
    client = served.client(fingerprint=served.fingerprint, timeout_s=0.3)
    assert "within 0.3 seconds" in await refusal(client)


async def test_an_answer_that_is_cut_is_no_shorter_list(served: Served) -> None:
    """Or notes that still exist would be forgotten."""
    served.plugin.body, served.plugin.cut = b'[{"filename": "a.md"}]' * 9, True
    assert "broke off" in await refusal(served.client(fingerprint=served.fingerprint))


@pytest.mark.parametrize(
    "body", [b"<html>", b"{}x", b'[{"filename": 3}]', b"[1]", b"[" * 100_000, b"\xff"]
)
async def test_an_answer_that_is_no_list_is_said(served: Served, body: bytes) -> None:
    """Another program may listen there."""
    served.plugin.body = body
    assert "no list" in await refusal(served.client(fingerprint=served.fingerprint))


async def test_a_plugin_that_is_away_is_said() -> None:
    """Obsidian is closed most of the day."""
    async with obsidian() as gone:
        client = gone.client()
    assert "is Obsidian running" in await refusal(client)


async def test_only_wanted_notes_are_ever_asked_for(served: Served) -> None:
    """One search for all, which names no note but those; tags in any case, with those below."""
    client = served.client(fingerprint=served.fingerprint)
    await client.entries(CHOICE)
    await client.close()
    assert served.plugin.asked == [("POST", "/search/")]


async def test_where_nothing_is_wanted_nothing_is_asked(served: Served) -> None:
    """No tag and no path is no question."""
    client = served.client(fingerprint=served.fingerprint)
    assert await client.entries(NoteChoice()) == []
    assert served.plugin.asked == []


async def test_a_tag_may_be_written_as_text(served: Served) -> None:
    """Obsidian takes `tags: a, b` too, which the plugin does not list."""
    served.plugin.write("text.md", "---\ntags: home, éko\n---\nHello.")
    client = served.client(fingerprint=served.fingerprint)
    listed = await client.entries(NoteChoice(tag="éko"))
    await client.close()
    assert "text.md" in [one.path for one in listed]


async def test_a_note_is_read_with_its_tags_and_time(served: Served) -> None:
    """Whatever its path is made of."""
    client = served.client(fingerprint=served.fingerprint)
    note = await client.read("cuisine/tarte à l'étage.md")
    gone = await client.read("gone.md")
    await client.close()
    assert note is not None
    assert note.tags == {"éko/recettes"}
    assert note.text.endswith("Pommes.")
    assert (note.written_at.year, gone) == (2026, None)


@pytest.mark.parametrize(
    "path", ["../etc/passwd.md", ".trash/a.md", "a//b.md", "a.canvas", "/a.md"]
)
async def test_a_path_that_leads_elsewhere_is_not_asked_for(served: Served, path: str) -> None:
    """Settings and answers may hold anything."""
    client = served.client(fingerprint=served.fingerprint)
    assert await client.read(path) is None
    assert served.plugin.asked == []


@pytest.mark.parametrize("size", [120_000, 5_000_000])
async def test_a_huge_note_is_refused(served: Served, size: int) -> None:
    """Whether its answer ends or not before too much was read."""
    served.plugin.write("huge.md", "x" * size)
    client = served.client(fingerprint=served.fingerprint)
    with pytest.raises(NoteTooLarge):
        await client.read("huge.md")
    await client.close()


@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"path": "a.md", "content": 1}', b"null"])
async def test_an_answer_that_is_no_note_is_said(served: Served, body: bytes) -> None:
    """And nothing is taken from it."""
    served.plugin.body = body
    client = served.client(fingerprint=served.fingerprint)
    with pytest.raises(NotesUnavailable, match="no note"):
        await client.read("a.md")
    await client.close()


async def test_the_plugin_tells_of_no_changes(served: Served) -> None:
    """Waiting for one costs no request."""
    client = served.client()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await anext(client.changes())
    assert served.plugin.asked == []


async def test_every_request_has_the_key(served: Served) -> None:
    """As the bearer of it."""
    client = served.client(fingerprint=served.fingerprint)
    await client.entries(CHOICE)
    await client.read("house rules.md")
    await client.close()
    assert served.plugin.authorizations == [f"Bearer {KEY}"] * 2
