"""Memory goes out into a file and comes back the same, once, and nobody reads others' by it."""

import asyncio
import json
import os
import stat
import zipfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from bot.model.events import Inbound
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.language.text import match_terms
from memory.model.audience import OPERATOR, Audience, Origin, Scope, audience_of
from memory.model.authority import BY_OPERATOR
from memory.model.knowledge import KnowledgeId, KnowledgeKind, NewKnowledge
from memory.model.people import PersonId
from memory.model.rooms import SpaceId, Visibility
from memory.model.statements import Association, Relation
from memory.model.stores import Store
from memory.storage.sqlite.database import Transaction
from memory.storage.statements.knowledge import keep_knowledge
from memory.storage.statements.statements import add_memory
from memory.storage.statements.supersession import supersede
from tests.cast import DAVID, LEA, LOBBY, NOON, group
from tests.forgotten import forget_one
from tests.processes import eko
from tests.storage import statement

ELSEWHERE = group("elsewhere", space=SpaceId("other"))

LEAS_SECRET = "Léa prépare une fugue en Islande"
TOLD_ELSEWHERE = "David aurait volé une mandoline"
LEAS_OWN = "Léa est allergique aux kiwis"


@asynccontextmanager
async def opened(folder: Path, clock: FrozenClock | None = None) -> AsyncIterator[App]:
    """A pet without a key in a folder."""
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        locale="fr",
    )
    async with open_app(settings, clock or FrozenClock(NOON)) as app:
        yield app


async def does(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """What an operation ends with."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    last: dict[str, Any] = events[-1]
    return last


async def exported(app: App, path: Path, **arguments: Any) -> list[dict[str, Any]]:
    """The lines of an export without the first and the last."""
    done = await does(app, "export", path=str(path), **arguments)
    assert "result" in done, done
    lines = [json.loads(line) for line in text_of(path).splitlines()]
    assert lines[0]["entry"] == "eko-export"
    assert lines[-1] == {"entry": "end", "entries": len(lines) - 2}
    return lines[1:-1]


def text_of(path: Path) -> str:
    """What a file holds."""
    return path.read_text("utf-8")


async def taken_in(app: App, path: Path, **arguments: Any) -> dict[str, Any]:
    """What an import comes to."""
    done = await does(app, "import", path=str(path), **arguments)
    assert "result" in done, done
    result: dict[str, Any] = done["result"]
    return result


async def lived(app: App) -> None:
    """A lobby, another community, private talks, statements of all kinds, knowledge."""
    said = [(DAVID, LOBBY, "je pars en Grèce demain"), (LEA, LOBBY, "bon voyage !")]
    said += [(LEA, ELSEWHERE, "David ne vient jamais ici")]
    inbounds = [
        Inbound(external_id=f"m{n}", room=room, author=who, text=text, sent_at=at(n))
        for n, (who, room, text) in enumerate(said)
    ]
    await app.inbox.receive_all(inbounds, recorded=True)
    await does(app, "ask", text="j'habite à Nantes", name="David")
    await does(app, "ask", text="mon code est framboise", name="Léa")
    david, lea = await person(app, DAVID), await person(app, LEA)
    await stated(app, david, lea)
    await known(app, david, lea)
    await app.storage.quiet_topics.add(lea, "mon divorce", audience_of(private_to(lea)))


def private_to(who: PersonId) -> Origin:
    """For one person alone."""
    return Origin(visibility=Visibility.PRIVATE, person=who)


def at(number: int) -> datetime:
    """A moment of the evening before."""
    return NOON - timedelta(hours=18) + timedelta(minutes=number)


async def person(app: App, who: Any) -> PersonId:
    """Whom an account belongs to."""
    return (await app.register.person(who)).id


async def stated(app: App, david: PersonId, lea: PersonId) -> None:
    """Statements about both, in every audience, one of them replaced, two of them tied."""
    private = private_to(lea)
    other = Origin(visibility=Visibility.SPACE, space=SpaceId("other"), person=lea)
    await app.services.writer.store(statement(LEAS_SECRET, origin=private, about_person=lea))
    await app.services.writer.store(statement(TOLD_ELSEWHERE, origin=other, about_person=david))
    await app.services.writer.store(statement(LEAS_OWN, about_person=lea, subjects=("Léa",)))
    await app.services.writer.store(
        statement("Je sais compter", store=Store.SELF, category="capability")
    )
    old = await app.services.writer.store(statement("David vit à Paris", about_person=david))
    new = statement("David vit à Lyon", about_person=david, subjects=("David",), said_by="David")
    now = app.clock.now()

    async def replace_it(transaction: Transaction) -> None:
        added, _ = await add_memory(transaction, new, now)
        await supersede(transaction, [old.id], BY_OPERATOR, by=added, until=now, now=now)

    await app.storage.memories.write(replace_it)
    tied = [
        await app.services.writer.store(statement(text)) for text in ("il pleut", "on annule tout")
    ]
    tie = Association(start=tied[1].id, end=tied[0].id, relation=Relation.CAUSED_BY, weight=0.5)
    await app.storage.associations.keep([tie], 0)


async def known(app: App, david: PersonId, lea: PersonId) -> None:
    """A core fact of each, and a summary."""
    news = [
        NewKnowledge(
            id=KnowledgeId(UUID(int=number)),
            kind=kind,
            title=title,
            content=content,
            origin=private_to(who),
            about=who,
            at=NOON,
        )
        for number, (kind, title, content, who) in enumerate(
            [
                (KnowledgeKind.FACT, "ville", "Nantes", david),
                (KnowledgeKind.FACT, "code", "framboise", lea),
                (KnowledgeKind.SUMMARY, "", "On a parlé de Nantes.", david),
            ],
            start=1,
        )
    ]
    await app.storage.knowledge.write(
        lambda transaction: keep_knowledge(transaction, news, app.clock.now())
    )


def of(entries: Sequence[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The entries of one kind."""
    return [entry for entry in entries if entry["entry"] == kind]


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet that has lived a little."""
    async with opened(tmp_path / "first") as pet:
        await lived(pet)
        yield pet


async def test_an_export_imported_elsewhere_exports_the_same(app: App, tmp_path: Path) -> None:
    """Dates, origins, audiences, replaced statements, ties and knowledge: byte for byte."""
    entries = await exported(app, tmp_path / "a.jsonl")
    kinds = {entry["entry"] for entry in entries}
    expected = {"person", "room", "session", "turn", "message", "memory", "association"}
    assert kinds == expected | {"knowledge", "core_fact", "quiet_topic"}
    async with opened(tmp_path / "second") as other:
        done = await taken_in(other, tmp_path / "a.jsonl")
        assert done["refused"] == []
        assert sum(done["new"].values()) == len(entries)
        await exported(other, tmp_path / "b.jsonl")
        found = await other.storage.health.checkup()
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()
    assert found.problems == ()


async def test_what_was_imported_is_recalled_within_its_scope(app: App, tmp_path: Path) -> None:
    """Full text finds it where it may be known, its latest value only; live waits for a digest."""
    await exported(app, tmp_path / "a.jsonl")
    async with opened(tmp_path / "second") as other:
        await taken_in(other, tmp_path / "a.jsonl")
        home = Scope(frozenset({Audience("space:home")}))
        found = await other.storage.memories.by_text(match("David vit"), [Store.MEMORY], home, 10)
        assert "David vit à Lyon" in {one.content for one in found}
        assert "David vit à Paris" not in {one.content for one in found}
        assert await other.storage.memories.by_text(match("fugue"), [Store.MEMORY], home, 5) == []
        assert (
            len(await other.storage.memories.by_text(match("fugue"), [Store.MEMORY], OPERATOR, 5))
            == 1
        )
        assert (await other.storage.digests.live()).waiting == 3
        assert await other.storage.turns.undelivered() == []


async def test_nobody_comes_in_under_a_name_that_nobody_may_have(app: App, tmp_path: Path) -> None:
    """Neither the pet's nor one that forges a line, whatever a file says."""
    await exported(app, tmp_path / "a.jsonl")
    text = text_of(tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").write_text(text.replace('"David"', '"Eko"').replace('"Léa"', '"[:]"'))
    async with opened(tmp_path / "second") as other:
        await taken_in(other, tmp_path / "a.jsonl")
        assert await other.storage.people.named("~Eko")
        assert await other.storage.people.named("Eko") == []
        assert await other.storage.people.named("[:]") == []


def match(text: str) -> str:
    """An FTS5 query for any of the words."""
    return " OR ".join(f'"{stem}"' for stem in match_terms(text))


async def test_the_same_file_twice_adds_nothing(app: App, tmp_path: Path) -> None:
    """Neither where it came from nor where it was taken in; a dry run says so before."""
    entries = await exported(app, tmp_path / "a.jsonl")
    at_home = await taken_in(app, tmp_path / "a.jsonl")
    assert at_home["new"] == {}
    assert sum(at_home["known"].values()) == len(entries)
    async with opened(tmp_path / "second") as other:
        dry = await taken_in(other, tmp_path / "a.jsonl", dry_run=True)
        assert (await other.storage.health.counts())["messages"] == 0
        first = await taken_in(other, tmp_path / "a.jsonl")
        assert (dry["new"], dry["refused"]) == (first["new"], [])
        before = await other.storage.health.counts()
        again = await taken_in(other, tmp_path / "a.jsonl")
        assert again["new"] == {}
        assert await other.storage.health.counts() == before


async def test_a_persons_export_holds_theirs_and_nothing_private_of_others(
    app: App, tmp_path: Path
) -> None:
    """What David said and was answered, what is known of him as far as he may know it."""
    entries = await exported(app, tmp_path / "david.jsonl", person=await person(app, DAVID))
    text = text_of(tmp_path / "david.jsonl")
    for secret in (LEAS_SECRET, TOLD_ELSEWHERE, LEAS_OWN, "framboise", "bon voyage", "compter"):
        assert secret not in text
    assert {one["content"] for one in of(entries, "memory")} == {
        "David vit à Lyon",
        "David vit à Paris",
    }
    assert [one["text"] for one in of(entries, "message")] == ["je pars en Grèce demain"]
    assert {one["name"] for one in of(entries, "person")} == {"David"}


async def test_a_persons_exchanges_and_core_facts_are_theirs(app: App, tmp_path: Path) -> None:
    """The console's David: his words, the pet's replies to him, his facts."""
    entries = await exported(app, tmp_path / "d.jsonl", person=await console_person(app, "David"))
    assert [one["text"] for one in of(entries, "turn")] == ["j'habite à Nantes"]
    assert {one["author_kind"] for one in of(entries, "message")} == {"person", "pet"}
    assert "framboise" not in text_of(tmp_path / "d.jsonl")


async def console_person(app: App, name: str) -> str:
    """The id of who talks in the terminal under a name."""
    return str((await app.register.person(replace(DAVID, platform="console", external_id=name))).id)


async def test_a_persons_file_can_be_taken_in(app: App, tmp_path: Path) -> None:
    """It names all it refers to, the people who are only spoken of included."""
    await exported(app, tmp_path / "lea.jsonl", person=str(await person(app, LEA)))
    async with opened(tmp_path / "second") as other:
        done = await taken_in(other, tmp_path / "lea.jsonl")
    assert done["refused"] == []
    assert done["new"]["memory"] >= 2


async def test_only_what_came_since_is_exported(app: App, tmp_path: Path) -> None:
    """Older messages stay out, and what is in can be taken in."""
    entries = await exported(app, tmp_path / "a.jsonl", since=NOON.isoformat())
    assert {one["author_kind"] for one in of(entries, "message")} == {"person", "pet"}
    assert all(one["sent_at"] >= "2026-01-17T12" for one in of(entries, "message"))
    async with opened(tmp_path / "second") as other:
        assert (await taken_in(other, tmp_path / "a.jsonl"))["refused"] == []


@pytest.mark.parametrize("name", ["Personne", "zz"])
async def test_an_unknown_name_is_said(app: App, tmp_path: Path, name: str) -> None:
    """One sentence, and no file."""
    done = await does(app, "export", path=str(tmp_path / "x.jsonl"), person=name)
    assert done == {"error": f'Nobody is called "{name}".'}
    assert not (tmp_path / "x.jsonl").exists()


async def test_a_name_of_several_people_asks_for_an_id(app: App, tmp_path: Path) -> None:
    """David of the chat and David of the terminal are not known to be one."""
    done = await does(app, "export", path=str(tmp_path / "x.jsonl"), person="David")
    assert "give an id (" in done["error"]
    chosen = await does(app, "export", path=str(tmp_path / "x.jsonl"), person="chat:david")
    assert chosen["result"]["entries"]["person"] == 1


async def test_a_file_is_private_whole_and_never_overwritten(app: App, tmp_path: Path) -> None:
    """Mode 0600 under any umask; a second export to the same name is refused."""
    before = os.umask(0)
    try:
        await exported(app, tmp_path / "a.jsonl")
        await does(app, "export", path=str(tmp_path / "pages"), format="markdown")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.jsonl").stat().st_mode) == 0o600
    assert {mode for path, mode in modes(tmp_path / "pages") if path.suffix} == {0o600}
    assert {mode for path, mode in modes(tmp_path / "pages") if not path.suffix} == {0o700}
    again = await does(app, "export", path=str(tmp_path / "a.jsonl"))
    assert "exists already" in again["error"]
    assert [path for path, _ in modes(tmp_path) if path.suffix == ".unfinished"] == []


def modes(folder: Path) -> list[tuple[Path, int]]:
    """Every file and folder below one, with who may read it."""
    return [(path, stat.S_IMODE(path.stat().st_mode)) for path in folder.rglob("*")]


async def test_the_pages_can_be_read(app: App, tmp_path: Path) -> None:
    """One a person and one a month of a room, dates in words, signs of Markdown taken literally."""
    await app.inbox.receive_all(
        [
            Inbound(
                external_id="m9",
                room=LOBBY,
                author=DAVID,
                text="<b>*gras*</b>",
                sent_at=at(9),
            )
        ],
        recorded=True,
    )
    await does(app, "export", path=str(tmp_path / "pages"), format="markdown")
    pages = {
        str(path.relative_to(tmp_path / "pages")): path.read_text("utf-8")
        for path in (tmp_path / "pages").rglob("*.md")
    }
    (lobby,) = [text for name, text in pages.items() if "conversations/lobby" in name]
    assert lobby.startswith("# lobby, janvier 2026\n")
    assert "## vendredi 16 janvier 2026" in lobby
    assert "- **David** (19:00) je pars en Grèce demain" in lobby
    assert r"\<b\>\*gras\*\</b\>" in lobby
    david = next(text for name, text in pages.items() if "David vit à Lyon" in text)
    assert "## Ce qui l'était avant\n\n- David vit à Paris" in david
    assert "Je sais compter" in pages["pet.md"]
    assert any("## Sujets laissés de côté\n\n- mon divorce" in text for text in pages.values())
    assert all(name in pages["README.md"] for name in pages if name != "README.md")


async def test_the_pages_come_as_a_zip_too(app: App, tmp_path: Path) -> None:
    """A name that ends in .zip asks for one file."""
    await does(app, "export", path=str(tmp_path / "pages.zip"), format="markdown")
    with zipfile.ZipFile(tmp_path / "pages.zip") as archive:
        assert archive.testzip() is None
        assert "README.md" in archive.namelist()


async def test_the_commands_work_from_a_terminal(tmp_path: Path) -> None:
    """`eko export` and `eko import` say in words what was done."""
    async with opened(tmp_path / "first", FrozenClock(datetime.now(UTC))) as app:
        await lived(app)
    said = await run(tmp_path / "first", "export", str(tmp_path / "a.jsonl"), "--all")
    assert "people" in said
    assert "written to" in said
    dry = await run(tmp_path / "second", "import", str(tmp_path / "a.jsonl"), "--dry-run")
    assert "would be new" in dry
    said = await run(tmp_path / "second", "import", str(tmp_path / "a.jsonl"))
    assert "messages" in said
    assert "nothing known already." in said


async def run(folder: Path, *arguments: str) -> str:
    """What a command prints."""
    return await asyncio.to_thread(_run, folder, arguments)


def _run(folder: Path, arguments: Sequence[str]) -> str:
    done = eko(folder, *arguments)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


async def test_what_was_forgotten_is_not_exported(app: App, tmp_path: Path) -> None:
    """Neither forgotten statements nor messages that were taken back."""
    rows = await app.storage.memories.latest(None, OPERATOR, 100)
    secret = next(row for row in rows if row.content == LEAS_SECRET)
    await forget_one(app.services.forgetting, secret.id)
    await app.storage.messages.withdraw(LOBBY.platform, "m1")
    await exported(app, tmp_path / "a.jsonl")
    text = text_of(tmp_path / "a.jsonl")
    assert LEAS_SECRET not in text
    assert "bon voyage" not in text


async def test_a_file_of_a_version_that_wrote_no_authors_loses_no_core_fact(
    app: App, tmp_path: Path
) -> None:
    """Who said something is read off its speaker's name, and told apart from a namesake."""
    await does(app, "ask", text="j'habite à Nantes", name="David")
    await does(app, "ask", text="Je suis infirmière", name="Léa")
    namesake = Inbound(
        external_id="n1",
        room=LOBBY,
        author=replace(LEA, external_id="other"),
        text="ok",
        sent_at=NOON,
    )
    await app.inbox.receive_all([namesake], recorded=True)
    lines = await exported(app, tmp_path / "all.jsonl")
    facts = of(lines, "core_fact")
    assert {one["key"] for one in facts} >= {"city", "job"}
    older = [
        {k: v for k, v in line.items() if k != "author" or line["entry"] != "memory"}
        for line in lines
    ]
    _write_export(tmp_path / "older.jsonl", tmp_path / "all.jsonl", older)
    async with opened(tmp_path / "elsewhere") as other:
        done = await taken_in(other, tmp_path / "older.jsonl")
        assert done["refused"] == []
        back = await exported(other, tmp_path / "back.jsonl")
    assert of(back, "core_fact") == facts
    assert _authors(back).items() >= _authors(lines).items()


def _authors(lines: Sequence[dict[str, Any]]) -> dict[str, str]:
    return {one["id"]: one["author"] for one in of(lines, "memory") if one["author"]}


def _write_export(path: Path, whole: Path, entries: Sequence[dict[str, Any]]) -> None:
    first, *_, last = text_of(whole).splitlines()
    between = [json.dumps(one) for one in entries]
    path.write_text("\n".join([first, *between, last]) + "\n", "utf-8")


async def test_a_file_of_the_first_version_is_read(app: App, tmp_path: Path) -> None:
    """Without what the second one adds: nobody else reads its rooms, no answer repeats anything."""
    lines = await exported(app, tmp_path / "all.jsonl")
    added = {"proposed", "public", "parent", "starter", "community", "carries", "zone", "reactions"}
    older = [{key: value for key, value in one.items() if key not in added} for one in lines]
    _write_export(tmp_path / "older.jsonl", tmp_path / "all.jsonl", older)
    text = text_of(tmp_path / "older.jsonl").replace('"version":2', '"version":1', 1)
    text = text.replace('"space":null,"community":"",', "", 1)
    (tmp_path / "older.jsonl").write_text(text, "utf-8")
    async with opened(tmp_path / "second") as other:
        done = await taken_in(other, tmp_path / "older.jsonl")
        assert (done["refused"], done["space"]) == ([], None)
        assert await exported(other, tmp_path / "back.jsonl") == lines


async def test_an_answer_is_told_no_further_where_it_was_imported(app: App, tmp_path: Path) -> None:
    """What it repeats, and who else reads a room, are part of the file."""
    carries = json.dumps(["space:other"])
    await app.storage.database.run("UPDATE turns SET carries = :carries", {"carries": carries})
    await app.storage.database.run("UPDATE rooms SET public = 1 WHERE kind = 'group'")
    await exported(app, tmp_path / "all.jsonl")
    async with opened(tmp_path / "second") as other:
        await taken_in(other, tmp_path / "all.jsonl")
        rows = await other.storage.database.all("SELECT DISTINCT carries FROM turns")
        assert [row["carries"] for row in rows] == [carries]
        rooms = await other.storage.people.groups(None)
        assert {room.public for room in rooms} == {True}
