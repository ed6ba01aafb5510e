"""Two processes of one pet: what is known of all its guilds in private, and what holds in both."""

import re
from pathlib import Path

import httpx2

from tests.discord_world import ADA, BEN
from tests.edge.discord_shards import lobby_of
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS, Daemon
from tests.peers.sibling_stage import HERE, KEY, MEMBERS, STRANGE, THERE, both, family

UNOBSERVED = "SELECT count(*) FROM people WHERE observed = 0"
SAID = "SELECT count(*) FROM messages WHERE text LIKE ?"


async def test_in_private_it_knows_of_the_guilds_of_every_process(tmp_path: Path) -> None:
    """Of those that the person is in: and nothing of a guild of others."""
    async with both(tmp_path) as pet:
        await pet.tells(HERE, ADA, "my cat is called Muscade")
        await pet.tells(THERE, ADA, "my boat is called Zanzibar")
        await pet.tells(STRANGE, BEN, "my parrot is called Kwyjibo")
        assert "Muscade" in await pet.alone(ADA, "what is my cat called?")
        assert "Zanzibar" in await pet.alone(ADA, "what is my boat called?")
        assert "Kwyjibo" not in await pet.alone(ADA, "what is the parrot of ben called?")
        assert "Kwyjibo" in await pet.alone(BEN, "what is my parrot called?")
        assert "shards 1/2" in await pet.alone(BEN, "/why")
        assert not pet.kept(0, "SELECT 1 FROM turns WHERE recalled LIKE '%Kwyjibo%'")


async def test_who_left_a_guild_of_another_process_hears_of_it_no_more(tmp_path: Path) -> None:
    """Discord is asked anew by a process that starts anew: no line, nor what was answered of it."""
    async with family(tmp_path) as pet, pet.process(0):
        async with pet.process(1):
            await pet.tells(STRANGE, BEN, "my parrot is called Kwyjibo")
            assert "Kwyjibo" in await pet.alone(BEN, "what is my parrot called?")
            carries = pet.kept(0, "SELECT carries FROM turns WHERE reply LIKE '%Kwyjibo%'")
            assert f"space:discord:{STRANGE}" in carries[0][0]
        pet.gateway.in_guild = {**MEMBERS, STRANGE: set()}
        async with pet.process(1):
            assert "Kwyjibo" not in await pet.alone(BEN, "what is my parrot called?")
            assert "Kwyjibo" not in await pet.alone(BEN, "/why")


async def test_an_answer_goes_with_the_line_that_it_was_given(tmp_path: Path) -> None:
    """It is forgotten where it was said; the next message brings that to who was answered by it."""
    async with both(tmp_path) as pet:
        await pet.tells(THERE, BEN, "my boat is called Zanzibar")
        assert "Zanzibar" in await pet.alone(ADA, "what is ben's boat called?")
        await pet.tells(THERE, BEN, "/forget boat")
        await pet.tells(THERE, BEN, "/forget confirm")
        assert "Zanzibar" not in await pet.alone(ADA, "what is ben's boat called?")
        assert pet.kept(0, SAID, "%Zanzibar%") == [(0,)]
        assert pet.kept(0, "SELECT count(*) FROM turns WHERE reply LIKE '%Zanzibar%'") == [(0,)]


async def test_accounts_are_joined_and_parted_in_both(tmp_path: Path) -> None:
    """By a code of the process that has the direct rooms; the other one gives none."""
    people = "SELECT count(DISTINCT person_id) FROM identities WHERE platform = 'discord'"
    async with both(tmp_path) as pet:
        await pet.tells(THERE, ADA, "/link")
        assert "direct message" in pet.gateway.words[lobby_of(THERE)][-1]
        code, *_ = re.findall(r"[A-Z0-9]{4}-[A-Z0-9]{4}", await pet.alone(ADA, "/link"))
        await pet.alone(BEN, f"/link {code}")
        assert "It holds in 1 other part" in await pet.alone(BEN, f"/link --confirm {code}")
        assert [pet.kept(place, people) for place in (0, 1)] == [[(1,)], [(1,)]]
        assert "It holds in 1 other part" in await pet.alone(BEN, "/unlink --confirm")
        assert [pet.kept(place, people) for place in (0, 1)] == [[(2,)], [(2,)]]


async def test_what_is_forgotten_in_one_process_is_forgotten_in_both(tmp_path: Path) -> None:
    """Shown first with what the other has of it, then done by both, and given back by both."""
    async with both(tmp_path) as pet:
        await pet.tells(THERE, ADA, "my boat is called Zanzibar")
        shown = await pet.alone(ADA, "/forget boat")
        assert "1 memory" in shown
        assert "other part of me" in shown
        done = await pet.alone(ADA, "/forget confirm")
        assert "It holds in 1 other part of me" in done
        assert pet.kept(1, SAID, "%Zanzibar%") == [(0,)]
        assert "Zanzibar" not in await pet.alone(ADA, "what is my boat called?")
        assert "It holds in 1 other part" in await pet.alone(ADA, "/forget undo")
        assert pet.kept(1, SAID, "%Zanzibar%") != [(0,)]


async def test_an_opt_out_in_a_guild_holds_in_the_other_process(tmp_path: Path) -> None:
    """Asked in the process that has no direct rooms."""
    async with both(tmp_path) as pet:
        await pet.tells(THERE, ADA, "/privacy off")
        assert pet.kept(0, UNOBSERVED) == [(1,)]
        await pet.alone(ADA, "/privacy on")
        assert pet.kept(1, UNOBSERVED) == [(0,)]


async def test_a_forgetting_reaches_a_process_that_was_away(tmp_path: Path) -> None:
    """The answer says so; and it arrives although the one that asked was killed meanwhile."""
    async with family(tmp_path) as pet:
        async with pet.process(0) as asking:
            async with pet.process(1) as away:
                await pet.tells(HERE, ADA, "my cat is called Muscade")
                await pet.tells(THERE, ADA, "my boat is called Zanzibar")
                assert "Zanzibar" in await pet.alone(ADA, "what is my boat called?")
                await away.killed()
            assert "Muscade" in await pet.alone(ADA, "what is my cat called?")
            late = pet.kept(0, "SELECT late FROM memory_retrievals ORDER BY id DESC LIMIT 1")
            assert "shards 1/2" in late[0][0]
            assert "Not counted: what shards 1/2 keeps" in await pet.alone(ADA, "/forget-me")
            assert "Not yet in shards 1/2" in await pet.alone(ADA, "/forget-me confirm")
            await asking.killed()
        async with pet.process(0), pet.process(1):
            await pet.comes_to_hold(1, "SELECT count(*) FROM sibling_deeds_done")
            assert pet.kept(1, SAID, "%Zanzibar%") == [(0,)]
            assert pet.kept(1, UNOBSERVED) == [(1,)]
            await pet.comes_to_hold(0, "SELECT count(*) = 0 FROM sibling_deeds")


async def test_an_export_holds_what_both_keep(tmp_path: Path) -> None:
    """What is said in private is exported as text, or as a file; both have the other's part."""
    async with both(tmp_path) as pet:
        await pet.tells(HERE, ADA, "my cat is called Muscade")
        await pet.tells(THERE, ADA, "my boat is called Zanzibar")
        exported = await pet.alone(ADA, "/export")
        assert "Muscade" in exported
        assert "Zanzibar" in exported
        assert "Zanzibar" in await pet.alone(ADA, "/what-do-you-know")


async def test_only_siblings_are_answered(tmp_path: Path) -> None:
    """Another key is counted as a wrong one, and theirs opens nothing else; no log has it."""
    async with both(tmp_path) as pet:
        address = f"http://127.0.0.1:{pet.ports[1]}"
        who = {"who": {"account": f"discord:{ADA}"}}
        async with httpx2.AsyncClient(
            base_url=address, verify=NO_TLS, timeout=PATIENCE_S
        ) as client:
            asked = await client.post("/siblings/vouch", json=who)
            assert asked.status_code == httpx2.codes.UNAUTHORIZED
            ours = {"authorization": f"Bearer {KEY}"}
            asked = await client.post("/siblings/vouch", json=who, headers=ours)
            assert asked.json() == {"spaces": [f"discord:{THERE}"], "gone": []}
            asked = await client.get("/api/memories", headers=ours)
            assert asked.status_code == httpx2.codes.UNAUTHORIZED
            for number in range(20):
                wrong = {"authorization": f"Bearer {KEY}-{number}"}
                asked = await client.post("/siblings/vouch", json=who, headers=wrong)
            assert asked.status_code == httpx2.codes.TOO_MANY_REQUESTS
        assert not [one for one in pet.daemons.values() if KEY in one.output]


async def test_the_doctor_says_how_the_processes_stand(tmp_path: Path) -> None:
    """All is well; then one has another key."""
    async with both(tmp_path) as pet:
        assert "the shards 0/2, 1/2 are all there are" in await _siblings(pet.daemons[0])
    async with family(tmp_path, {1: KEY[::-1]}) as pet, pet.process(0), pet.process(1):
        assert "the key is refused" in await _siblings(pet.daemons[0])


async def _siblings(daemon: Daemon) -> str:
    """What the doctor says of the other processes."""
    result = (await daemon.does("doctor"))["result"]
    (told,) = [one["detail"] for one in result["checks"] if one["name"] == "siblings"]
    return str(told)
