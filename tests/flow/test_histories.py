"""A history of another program comes along: looked at first, once, and known again."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.conversation.inbox import AT_ONCE
from bot.model.events import AuthorRef, Inbound
from bot.topics.histories.bringing import HistoryBringing
from bot.wiring.app import App
from memory.model.audience import OPERATOR, space_audience
from memory.storage.transfer.histories import Histories
from tests.cast import DAVID, LEA, LOBBY, NOON, direct, group
from tests.flow.brought import (
    LONG_AGO,
    TALK,
    brings,
    contents,
    does,
    ends,
    history,
    line,
    pet,
    said,
)
from tests.patience import PATIENCE_S


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet in a folder of its own."""
    async with pet(tmp_path) as born:
        yield born


async def test_a_preview_shows_what_would_come_and_writes_nothing(app: App, tmp_path: Path) -> None:
    """Who speaks, when, how much of what, for whom, what would be learnt."""
    broken = history(tmp_path, TALK)
    broken.write_text(broken.read_text("utf-8") + "no line\n", "utf-8")
    shown = await does(app, "history_preview", path=str(broken))
    assert shown["lines"] == {"said": 4, "system": 1, "bot": 1}
    assert [(one["name"], one["lines"], one["is_"]) for one in shown["authors"]] == [
        ("Zoé", 2, "new"),
        ("Bastien", 2, "new"),
    ]
    assert shown["unreadable"] == 1
    assert shown["reasons"][0]["number"] == 7
    assert (shown["room"], shown["room_is"], shown["known_to"]) == ("Famille", "new", [])
    assert "Nantes" in " ".join(one["words"] for one in shown["claims"])
    assert shown["first"] == (LONG_AGO + timedelta(minutes=1)).isoformat()
    for table in ("messages", "people", "rooms", "imports"):
        rows = await app.storage.database.all(f"SELECT 1 FROM {table}")  # noqa: S608 - our own
        assert rows == [], table


async def test_the_same_file_again_adds_nothing_and_a_longer_one_what_is_new(
    app: App, tmp_path: Path
) -> None:
    """Whatever it is called, as long as it goes into the same room."""
    done = await brings(app, history(tmp_path, TALK))
    assert done["counts"] == {
        "stored": 4,
        "known": 0,
        "forgotten": 0,
        "left_out": 2,
        "unreadable": 0,
    }
    again = await brings(app, history(tmp_path, TALK))
    assert (again["id"], again["counts"]["stored"], again["counts"]["known"]) == (None, 0, 4)
    longer = [*TALK, line("Zoé", "j'ai déménagé à Lyon", 20)]
    more = await brings(app, history(tmp_path, longer, "other.jsonl"), room="Famille")
    assert more["counts"]["stored"] == 1
    assert len(await said(app)) == 5


async def hears(app: App, text: str, who: AuthorRef = DAVID, at: datetime = NOON) -> None:
    """Somebody says something in the lobby."""
    inbound = Inbound(
        external_id=f"{who.name}{text}{at}", room=LOBBY, author=who, text=text, sent_at=at
    )
    await app.inbox.receive_all([inbound], recorded=True)


async def test_what_is_stated_is_learnt_as_of_then(app: App, tmp_path: Path) -> None:
    """By rules, from its author's own words alone, and dated as the line."""
    lines = [*TALK, line("Zoé", "j'adore les fraises", 9, kind="forwarded", forwarded_from="Max")]
    await brings(app, history(tmp_path, lines))
    learnt = await contents(app)
    assert any("Nantes" in one for one in learnt)
    assert any("kiwis" in one for one in learnt)
    assert not any("fraises" in one for one in learnt)
    rows = await app.storage.database.all("SELECT valid_from, source FROM memories")
    assert {row["source"] for row in rows} == {"import"}
    assert max(row["valid_from"] for row in rows) < LONG_AGO.timestamp() * 1000 + 600_000
    forwarded = [one for one in await said(app) if "fraises" in one]
    assert forwarded == ["⟦forwarded: Max⟧\n> j'adore les fraises"]


async def test_an_old_line_does_not_take_the_place_of_what_was_said_since(
    app: App, tmp_path: Path
) -> None:
    """It becomes what was so before."""
    await hears(app, "j'habite à Paris")
    await app.services.digest.run()
    old = [line("David", "j'habite à Nantes", 1)]
    await brings(app, history(tmp_path, old), room="lobby")
    assert await contents(app) == ["David: j'habite à Paris"]
    rows = await app.storage.database.all(
        "SELECT content, valid_until FROM memories ORDER BY content"
    )
    assert rows[0]["content"] == "David: j'habite à Nantes"
    assert rows[0]["valid_until"] is not None


async def test_the_lobby_is_named_before_anybody_spoke_there(app: App, tmp_path: Path) -> None:
    """A file can be the first thing that it hears: no other room of that name is made."""
    await brings(app, history(tmp_path, TALK), room="Lobby")
    rows = await app.storage.database.all("SELECT DISTINCT room_id, audience FROM messages")
    assert [(row["room_id"], row["audience"]) for row in rows] == [("local:lobby", "space:home")]


async def test_a_line_that_was_heard_is_known_again(app: App, tmp_path: Path) -> None:
    """Of the same person, in the same minute or the next to it, in the same words; each once."""
    await hears(app, "on mange quoi ?", at=NOON - timedelta(days=1, seconds=-50))
    noon = (NOON - timedelta(days=1, minutes=-1)).isoformat()
    lines = [
        {"author": "David", "text": "on mange quoi ?", "at": noon},
        {"author": "David", "text": "on mange quoi ?", "at": noon},
        {"author": "David", "text": "on mange où ?", "at": noon},
    ]
    done = await brings(app, history(tmp_path, lines), room="lobby")
    assert (done["counts"]["known"], done["counts"]["stored"]) == (1, 2)


async def test_a_platforms_own_ids_are_known_in_its_own_room(app: App, tmp_path: Path) -> None:
    """And its edits win over what was heard."""
    irc = group("#quai")
    room = type(irc)(
        platform="jsonl", external_id="#quai", name="quai", kind=irc.kind, role=irc.role
    )
    david = AuthorRef(platform="jsonl", external_id="dav", name="David")
    heard = Inbound(external_id="m1", room=room, author=david, text="à mardi", sent_at=NOON)
    await app.inbox.receive_all([heard], recorded=True)
    lines = [
        line("David", "à mardi", 1, id="m1", author_id="dav"),
        line("David", "à jeudi", 2, id="m1b", author_id="dav", edits="m1"),
        line("David", "merci", 3, id="m2", author_id="dav"),
    ]
    done = await brings(app, history(tmp_path, lines), room="quai")
    assert (done["counts"]["known"], done["counts"]["stored"]) == (1, 1)
    assert sorted(await said(app)) == ["merci", "à jeudi"]


async def test_who_opted_out_is_left_out(app: App, tmp_path: Path) -> None:
    """By their account or by the name that they alone bear."""
    await hears(app, "bonjour")
    person = await app.register.known(DAVID)
    assert person is not None
    await app.storage.people.observe(person, observed=False)
    done = await brings(app, history(tmp_path, [line("David", "je suis plombier", 1)]))
    assert done["counts"]["left_out"] == 1
    assert "je suis plombier" not in await said(app)


async def test_what_was_forgotten_does_not_come_back_by_a_file(app: App, tmp_path: Path) -> None:
    """Wherever it is brought: also into a room where nobody had it forgotten."""
    await hears(app, "mon code est framboise")
    await does(app, "forget", topic="framboise", confirmed=True)
    lines = [line("David", "mon code est framboise", 1), line("David", "il pleut ici", 2)]
    into = await brings(app, history(tmp_path, lines), room="lobby")
    assert (into["counts"]["forgotten"], into["counts"]["stored"]) == (1, 1)
    assert "framboise" not in " ".join(await said(app))


async def test_an_author_called_as_the_pet_is_some_person(app: App, tmp_path: Path) -> None:
    """Under a name with a mark, and never the pet."""
    await brings(app, history(tmp_path, [line("Eko", "j'habite à Brest", 1)]))
    rows = await app.storage.database.all("SELECT author, author_kind FROM messages")
    assert [(row["author"], row["author_kind"]) for row in rows] == [("~Eko", "person")]


async def test_who_is_chosen_wins_and_who_is_left_out_says_nothing(
    app: App, tmp_path: Path
) -> None:
    """A name that nobody in the file has is refused."""
    await hears(app, "bonjour", LEA)
    done = await brings(app, history(tmp_path, TALK), people={"Zoé": "Léa"}, without=["Bastien"])
    assert (done["counts"]["stored"], done["counts"]["left_out"]) == (2, 4)
    lea = await app.register.known(LEA)
    rows = await app.storage.database.all(
        "SELECT DISTINCT person_id FROM messages WHERE text <> 'bonjour'"
    )
    assert [row["person_id"] for row in rows] == [lea]
    refused = await ends(
        app, "history_import", path=str(tmp_path / "Famille.jsonl"), without=["Max"]
    )
    assert refused == {"error": 'Nobody called "Max" speaks in the file.'}


async def test_it_is_known_to_those_chosen_alone(app: App, tmp_path: Path) -> None:
    """In their direct rooms; by default to the owner and nobody else."""
    await hears(app, "bonjour", LEA)
    await hears(app, "bonjour", DAVID)
    done = await brings(app, history(tmp_path, TALK), known_to=["Léa"])
    rows = await app.storage.database.all(
        "SELECT DISTINCT audience FROM messages WHERE audience GLOB '*history*'"
    )
    assert len(rows) == 1
    knows = {}
    for who in (LEA, DAVID):
        inbound = Inbound(
            external_id=f"q{who.name}", room=direct(who), author=who, text="?", sent_at=NOON
        )
        person = await app.register.person(who)
        spaces = await app.register.spaces_of(person.id, inbound.spaces)
        knows[who.name] = rows[0]["audience"] in map(space_audience, spaces)
    assert knows == {"Léa": True, "David": False}
    await does(app, "history_undo", id=done["id"], confirmed=True)
    lea = await app.register.person(LEA)
    assert await app.register.spaces_of(lea.id, frozenset()) == frozenset()


async def test_what_is_private_of_one_is_so_whoever_wrote_it(app: App, tmp_path: Path) -> None:
    """Both sides of a talk between two are for the one who brings it."""
    await hears(app, "bonjour", LEA)
    await brings(app, history(tmp_path, TALK), private_of="Léa", people={"Zoé": "Léa"})
    lea = await app.register.known(LEA)
    rows = await app.storage.database.all(
        "SELECT DISTINCT audience FROM messages WHERE text <> 'bonjour'"
    )
    assert [row["audience"] for row in rows] == [f"person:{lea}"]
    learnt = await app.storage.database.all("SELECT DISTINCT audience FROM memories")
    assert [row["audience"] for row in learnt] == [f"person:{lea}"]


async def test_what_another_memory_kept_becomes_statements(app: App, tmp_path: Path) -> None:
    """About the person that each names; without a line of talk."""
    await hears(app, "bonjour", LEA)
    lines = [line("Léa", "Léa joue du hautbois", 1, kind="memory")]
    done = await brings(app, history(tmp_path, lines))
    (kept,) = await app.storage.memories.latest(None, OPERATOR, 5)
    assert (kept.content, kept.source) == ("Léa joue du hautbois", "import")
    assert kept.about_person == kept.author == await app.register.known(LEA)
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert await contents(app) == []


async def test_what_a_memory_kept_of_nobody_by_name_is_of_whose_it_was(
    app: App, tmp_path: Path
) -> None:
    """A page of notes names nobody: it is told of the one who alone may know it."""
    await hears(app, "bonjour", LEA)
    path = tmp_path / "MEMORY.md"
    path.write_text("# Notes\n- Joue du hautbois\n- A deux chats\n", "utf-8")
    await brings(app, path, private_of="Léa")
    assert await contents(app) == ["Léa: A deux chats", "Léa: Joue du hautbois"]
    rows = await app.storage.memories.latest(None, OPERATOR, 5)
    assert {row.about_person for row in rows} == {await app.register.known(LEA)}


async def test_of_two_at_once_one_is_refused_in_a_sentence(app: App, tmp_path: Path) -> None:
    """The other goes on."""
    path = str(history(tmp_path, TALK * 40))
    first, second = await asyncio.gather(
        ends(app, "history_import", path=path), ends(app, "history_import", path=path)
    )
    assert second == {"error": "Another file is being read or taken back: wait until it is done."}
    assert first["result"]["counts"]["stored"] == 160


async def test_what_was_broken_off_goes_on_and_has_each_line_once(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same import, from where it was; equal lines of one moment too."""
    lines = [line("Zoé", "ok", 1) for _ in range(AT_ONCE)] + [
        line("Bastien", f"ligne {number}", 2) for number in range(2 * AT_ONCE)
    ]
    path = history(tmp_path, lines)
    taken, calls = HistoryBringing._taken, 0

    async def killed(self: HistoryBringing, *rest: object) -> object:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise OSError("The file is gone.")
        return await taken(self, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(HistoryBringing, "_taken", killed)
        assert await ends(app, "history_import", path=str(path)) == {"error": "The file is gone."}
    assert len(await said(app)) == 2 * AT_ONCE
    done = await brings(app, path)
    assert len(await said(app)) == 3 * AT_ONCE
    assert done["counts"]["stored"] == 3 * AT_ONCE
    (one,) = (await does(app, "history_list"))["imports"]
    assert (one["state"], one["stored"]) == ("read", 3 * AT_ONCE)


async def test_what_was_stored_and_not_noted_is_known_again(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a process is killed between the two, no line is there twice."""
    path = history(tmp_path, [line("Zoé", "ok", 1) for _ in range(AT_ONCE + 70)])

    async def killed(*_: object) -> None:
        raise OSError("The file is gone.")

    with monkeypatch.context() as patched:
        patched.setattr(Histories, "went_on", killed)
        assert "error" in await ends(app, "history_import", path=str(path))
    assert len(await said(app)) == AT_ONCE
    await brings(app, path)
    assert len(await said(app)) == AT_ONCE + 70


async def reads(app: App) -> None:
    """Wait until some lines of a file are in."""
    async with asyncio.timeout(PATIENCE_S):
        while not await said(app):
            await app.storage.database.changed.wait()


async def test_people_are_answered_while_a_file_is_read(app: App, tmp_path: Path) -> None:
    """What they say comes in between two batches, and is no part of the import."""
    path = history(tmp_path, [line("Zoé", f"ligne {n}", n // 10) for n in range(2000)])
    reading = asyncio.create_task(ends(app, "history_import", path=str(path)))
    await reads(app)
    answer = await does(app, "ask", text="bonjour", name="David")
    assert answer["reply"]
    assert not reading.done()
    done = (await reading)["result"]
    assert done["counts"]["stored"] == 2000
    rows = await app.storage.database.all(
        "SELECT count(*) AS n FROM messages WHERE brought_by IS NULL"
    )
    assert rows[0]["n"] >= 2


async def test_a_file_of_no_known_format_is_refused(app: App, tmp_path: Path) -> None:
    """With a sentence, as is one that is not there any more; nothing is begun."""
    strange = tmp_path / "strange.txt"
    strange.write_text("\x00\x01 bonjour", "utf-8")
    assert "error" in await ends(app, "history_preview", path=str(strange))
    assert "error" in await ends(app, "history_import", path=str(tmp_path / "gone.jsonl"))
    assert (await does(app, "history_list"))["imports"] == []
