"""The pages of conversations: why something was said, labels of lines, what would be recalled."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest

from bot.data_folder import DATABASE
from bot.surfaces.operations import Operations
from memory.model.rooms import RoomRole, SpaceId
from tests.cast import DAVID, LEA, LOBBY, group, room_of
from tests.web.served_site import ServedSite, served_site


async def asked(site: ServedSite, text: str = "who plays the cello?", name: str = "Zoé") -> str:
    """The turn in which something was asked in the lobby of the terminal."""
    request = {"text": text, "name": name, "room": "lobby"}
    return str((await Operations(site.pet.app).result("ask", request))["turn"])


async def cello(site: ServedSite) -> None:
    """Something to be recalled for that question."""
    await site.pet.told("David plays the cello", where=LOBBY)


async def refs(site: ServedSite, turn: str) -> list[str]:
    """The lines that were injected for a turn."""
    told = await Operations(site.pet.app).result("why", {"turn": turn})
    return [one["ref"] for one in told["recall"]["lines"]]


async def test_answers_are_listed_with_the_way_to_why(tmp_path: Path) -> None:
    """Newest first, of everybody or of one person."""
    async with served_site(tmp_path) as site:
        await cello(site)
        turn = await asked(site)
        await asked(site, "what is the time?", "Ana")
        page = await site.html("/dashboard/conversations")
        person = page.rpartition('href="/dashboard/people/')[2].partition('"')[0]
        own = await site.html(f"/dashboard/conversations?person={person}")
    assert page.index("what is the time?") < page.index("who plays the cello?")
    assert f"/dashboard/conversations/{turn}" in page
    assert "who plays the cello?" in own
    assert "what is the time?" not in own


async def test_answers_go_on_page_by_page(tmp_path: Path) -> None:
    """Each stands on one page, those of one person too."""
    async with served_site(tmp_path) as site:
        for number in range(33):
            site.pet.clock.advance(timedelta(seconds=30))
            await asked(site, f"question {number:02}?")
        first = await site.html("/dashboard/conversations")
        older = first.partition('class="older"')[2].partition('href="')[2].partition('"')[0]
        second = await site.html(older.replace("&amp;", "&"))
        person = first.partition('href="/dashboard/people/')[2].partition('"')[0]
        own = await site.html(f"/dashboard/conversations?person={person}")
        next_own = own.partition('class="older"')[2].partition('href="')[2].partition('"')[0]
        last = await site.html(next_own.replace("&amp;", "&"))
    for rest in (second, last):
        assert [n for n in range(33) if f"question {n:02}?" in rest] == [0, 1, 2]


async def test_why_shows_lines_tools_and_what_the_room_said(tmp_path: Path) -> None:
    """The injected line with what spoke for it; the lines of the room that the turn was told."""
    async with served_site(tmp_path) as site:
        await cello(site)
        said = {"text": "the concert is <b>on Friday</b>", "name": "Ana", "room": "lobby"}
        await Operations(site.pet.app).result("say", said)
        turn = await asked(site)
        page = await site.html(f"/dashboard/conversations/{turn}")
        told = await Operations(site.pet.app).result("why", {"turn": turn})
    assert "David plays the cello" in page
    assert "words +" in page
    assert "Said in the room before" in page
    assert "the concert is &lt;b&gt;on Friday" in page
    assert [one["author"] for one in told["room_lines"]] == ["Ana"]


async def test_a_line_that_was_forgotten_says_so_and_nothing_else(tmp_path: Path) -> None:
    """Its words are gone from the page too."""
    async with served_site(tmp_path) as site:
        await cello(site)
        turn = await asked(site, "what does David play, the canary?")
        memory = (await refs(site, turn))[0].partition(":")[2].partition("@")[0]
        await Operations(site.pet.app).result("forget", {"ids": [memory], "confirmed": True})
        answer = await site.client.get(f"/dashboard/conversations/{turn}")
        listed = await site.html("/dashboard/conversations")
    assert "plays the cello" not in answer.text
    assert "plays the cello" not in listed


async def test_a_label_reaches_the_owner_s_evaluation(tmp_path: Path) -> None:
    """One tap, which another takes back; the log of changes names the session."""
    async with served_site(tmp_path) as site:
        await cello(site)
        turn = await asked(site)
        (line, *_) = await refs(site, turn)
        form = {"line": line, "useful": "yes"}
        done = await site.client.post(f"/dashboard/conversations/{turn}/lines", data=form)
        page = await site.html(f"/dashboard/conversations/{turn}")
        questions = (await Operations(site.pet.app).result("eval_questions"))["questions"]
        (entry,) = await site.pet.app.storage.audit.latest(1)
        await site.client.post(
            f"/dashboard/conversations/{turn}/lines", data={**form, "useful": "unsaid"}
        )
        again = (await Operations(site.pet.app).result("eval_questions"))["questions"]
    assert done.status_code == httpx2.codes.SEE_OTHER
    assert 'aria-pressed="true"' in page
    assert questions[0]["lines"][0]["useful"] is True
    assert (entry.action, entry.origin) == ("line.labelled", "session test")
    assert again[0]["lines"][0]["useful"] is None


async def test_only_an_injected_line_can_be_labelled(tmp_path: Path) -> None:
    """Of the turn it was injected for."""
    async with served_site(tmp_path) as site:
        await cello(site)
        turn = await asked(site)
        address = f"/dashboard/conversations/{turn}/lines"
        wrong = await site.client.post(address, data={"line": "memory:no@1", "useful": "yes"})
        other = await site.client.post(address, data={"line": "x", "useful": "perhaps"})
        unknown = await site.client.get(f"/dashboard/conversations/{'0' * 32}")
    assert wrong.status_code == httpx2.codes.UNPROCESSABLE_CONTENT
    assert other.status_code == httpx2.codes.UNPROCESSABLE_CONTENT
    assert unknown.status_code == httpx2.codes.NOT_FOUND


async def would_recall(site: ServedSite, who: str, room: str, question: str) -> str:
    """What the page says would come back."""
    query = {"person": who, "room": room, "question": question}
    answer = await site.client.get("/dashboard/ask", params=query)
    assert answer.status_code == httpx2.codes.OK, answer.text
    return answer.text.partition('id="recalled"')[2]


async def test_asking_as_someone_shows_what_they_may_know_there(tmp_path: Path) -> None:
    """Their own private words in private only, and another's nowhere."""
    async with served_site(tmp_path) as site:
        await site.pet.told("David hides the canary key under the piano")
        await site.pet.told("Léa fears the canary key", LEA)
        await site.pet.told("the canary cage is green", LEA, LOBBY)
        david, lobby = await site.pet.person(DAVID), room_of(LOBBY)
        await site.pet.app.register.keep(lobby)
        question = "where is the canary key and the cage?"
        alone = await would_recall(site, david, "private", question)
        there = await would_recall(site, david, lobby.id, question)
    assert "under the piano" in alone
    assert "under the piano" not in there
    assert "the canary cage is green" in there
    assert not any("fears the canary" in page for page in (alone, there))


async def test_asking_in_a_room_of_another_community_tells_nothing_of_this_one(
    tmp_path: Path,
) -> None:
    """Who asks there may be a member of both."""
    async with served_site(tmp_path) as site:
        await site.pet.told("the canary cage is green", LEA, LOBBY)
        hall = room_of(group("hall", RoomRole.PET, SpaceId("guild")))
        await site.pet.app.register.keep(hall)
        david = await site.pet.person(DAVID)
        assert "green" not in await would_recall(site, david, hall.id, "the canary cage?")


async def test_asking_sends_stores_and_counts_nothing(tmp_path: Path) -> None:
    """The tables are as they were, whatever is looked up."""
    async with served_site(tmp_path) as site:
        await cello(site)
        await site.pet.hears("good evening", DAVID)
        david = await site.pet.person(DAVID)
        before = _counts(tmp_path)
        assert "cello" in await would_recall(site, david, "private", "who plays the cello?")
        assert _counts(tmp_path) == before


@pytest.mark.parametrize("query", [{"person": "nobody"}, {"room": "chat:nowhere"}])
async def test_asking_as_nobody_or_nowhere_is_not_found(
    tmp_path: Path, query: dict[str, str]
) -> None:
    """Nor does a direct room of another person count as a room."""
    async with served_site(tmp_path) as site:
        given = {"person": await site.pet.person(DAVID), "question": "anything?", **query}
        answer = await site.client.get("/dashboard/ask", params=given)
    assert answer.status_code == httpx2.codes.NOT_FOUND


def _counts(folder: Path) -> tuple[int, ...]:
    """How much there is of what a turn writes, and how often statements were used."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        (row,) = database.execute(
            "SELECT (SELECT count(*) FROM turns), (SELECT count(*) FROM sessions),"
            " (SELECT count(*) FROM memory_retrievals), (SELECT count(*) FROM llm_usage),"
            " (SELECT count(*) FROM messages), (SELECT count(*) FROM audit_log),"
            " (SELECT sum(access_count) FROM memories), (SELECT count(*) FROM rooms)"
        )
        return tuple(row)


async def test_what_was_dropped_says_why_in_the_language_of_the_reader(tmp_path: Path) -> None:
    """The reason is a text, not the name that recall has for it."""
    async with served_site(tmp_path) as site:
        await cello(site)
        await site.client.post("/dashboard/recall", data={"min_score": "1", "enabled": "on"})
        turn = await asked(site, "does David like music on the cello in winter?")
        english = await site.html(f"/dashboard/conversations/{turn}")
        french = await site.html(f"/dashboard/conversations/{turn}", "fr")
    assert "too little speaks for it" in english
    assert "trop peu parle pour elle" in french
    assert "no evidence" not in french
