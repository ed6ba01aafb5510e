"""Authors of a file who are taken for a known person have an account, and are split off by it."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.model.events import AuthorRef, Inbound
from bot.wiring.app import App
from memory.clock import FrozenClock
from memory.model.histories import HISTORY
from tests.cast import LOBBY, NOON
from tests.flow.brought import LONG_AGO, brings, does, ends, history, line, pet, said

NADIA = AuthorRef(platform="discord", external_id="7", name="Nadia")
SECOND = AuthorRef(platform="discord", external_id="8", name="Nadia")
IN_FILE = "jsonl:user11"


@pytest.fixture
def clock() -> FrozenClock:
    """The clock of the pet."""
    return FrozenClock(NOON)


@pytest.fixture
async def app(tmp_path: Path, clock: FrozenClock) -> AsyncIterator[App]:
    """A pet that knows one Nadia, met before any import."""
    async with pet(tmp_path, clock) as born:
        await born.register.person(NADIA)
        clock.advance(timedelta(minutes=1))
        yield born


def lines(name: str = "Nadia", id_: str = "user11", first: int = 1) -> list[dict[str, Any]]:
    """What an author with an id says in a file."""
    texts = ("j'ai deux chats", "j'habite à Gand")
    return [
        line(name, text, first + number, author_id=id_, id=f"m{first + number}")
        for number, text in enumerate(texts)
    ]


async def accounts(app: App) -> set[tuple[str, str]]:
    """Each account with its person."""
    found = (await does(app, "people"))["accounts"]
    return {(one["account"], one["person"]) for one in found}


async def person_of(app: App, who: AuthorRef) -> str:
    """The person of an account."""
    return (await app.register.person(who, renames=False)).id


async def authors(app: App) -> set[str]:
    """Whose lines there are."""
    rows = await app.storage.database.all(
        "SELECT DISTINCT person_id FROM messages WHERE text <> '' AND person_id IS NOT NULL"
    )
    return {row["person_id"] for row in rows}


async def test_an_author_matched_by_name_has_an_account_of_the_person(
    app: App, tmp_path: Path
) -> None:
    """One that no channel has: that of the platform would let its owner read what is hers."""
    await brings(app, history(tmp_path, lines()))
    nadia = await person_of(app, NADIA)
    listed = await accounts(app)
    assert {person for _, person in listed} == {nadia}
    (file,) = {account for account, _ in listed} - {NADIA.account}
    assert file.startswith(f"{HISTORY}:jsonl-")
    assert "user11" not in file
    stranger = AuthorRef(platform="jsonl", external_id="user11", name="Nadia")
    assert await person_of(app, stranger) != nadia


@pytest.mark.parametrize("is_by_platform", [True, False])
async def test_it_is_split_off_with_what_came_from_it(
    app: App, tmp_path: Path, *, is_by_platform: bool
) -> None:
    """By the id that is listed, or by the one that the file has."""
    await brings(app, history(tmp_path, lines()))
    (file,) = {account for account, _ in await accounts(app)} - {NADIA.account}
    named = IN_FILE if is_by_platform else file
    done = await does(app, "split_account", account=named, yes=True)
    assert done["counts"]["messages"] == 2
    owners = dict(await accounts(app))
    nadia = await person_of(app, NADIA)
    assert owners[NADIA.account] == nadia
    assert await authors(app) == {owners[file]} != {nadia}
    rows = await app.storage.database.all("SELECT DISTINCT author_id FROM memories")
    assert [row["author_id"] for row in rows] == [owners[file]]


async def test_what_a_memory_kept_of_them_is_split_off_too(app: App, tmp_path: Path) -> None:
    """Statements without a line of talk."""
    kept = [line("Nadia", "A deux chats", 1, author_id="user11", kind="memory")]
    await brings(app, history(tmp_path, kept))
    done = await does(app, "split_account", account=IN_FILE, yes=True)
    assert done["counts"]["statements"] == 1
    (row,) = await app.storage.database.all("SELECT author_id, about_person FROM memories")
    assert row["author_id"] == row["about_person"] != await person_of(app, NADIA)


async def test_their_account_is_known_under_another_name(app: App, tmp_path: Path) -> None:
    """In another file, and within one."""
    await brings(app, history(tmp_path, lines()))
    other = [*lines("Nadia V.", first=5), *lines("N.", first=9)]
    shown = await does(app, "history_preview", path=str(history(tmp_path, other, "Autre.jsonl")))
    assert [(one["is_"], one["person"]) for one in shown["authors"]] == [("known", "Nadia")] * 2


async def test_one_account_is_one_person_under_all_its_names(app: App, tmp_path: Path) -> None:
    """An author who is renamed within a file is no second one."""
    renamed = [*lines(), *lines("Nadia V.", first=5), *lines("Nadia V.", first=9)]
    await brings(app, history(tmp_path, renamed))
    assert await authors(app) == {await person_of(app, NADIA)}


async def test_two_authors_of_one_name_have_two_accounts(app: App, tmp_path: Path) -> None:
    """Either can be split off alone."""
    await brings(app, history(tmp_path, [*lines(), *lines(id_="user12", first=5)]))
    assert len(await accounts(app)) == 3
    done = await does(app, "split_account", account="jsonl:user12", yes=True)
    assert done["counts"]["messages"] == 2
    assert len(await authors(app)) == 2


@pytest.mark.parametrize("kind", ["said", "memory"])
async def test_the_file_again_uses_the_account_with_another_of_that_name(
    app: App, tmp_path: Path, kind: str
) -> None:
    """A second Nadia makes no third one, and a longer file goes to the first."""
    path = history(tmp_path, [{**one, "kind": kind} for one in lines()])
    await brings(app, path)
    await app.register.person(SECOND)
    before = await accounts(app)
    again = await brings(app, path)
    assert (again["id"], again["counts"]["stored"], again["counts"]["known"]) == (None, 0, 2)
    longer = [{**one, "kind": kind} for one in (*lines(), *lines(first=5))]
    shown = await does(app, "history_preview", path=str(history(tmp_path, longer)))
    assert shown["authors"][0]["is_"] == "known"
    await brings(app, history(tmp_path, longer))
    assert await accounts(app) == before


async def test_the_file_again_follows_the_account_that_was_split_off(
    app: App, tmp_path: Path
) -> None:
    """What is new in it is of the person who it belongs to now."""
    await brings(app, history(tmp_path, lines()))
    await does(app, "split_account", account=IN_FILE, yes=True)
    split = await authors(app)
    done = await brings(app, history(tmp_path, [*lines(), *lines(first=5)]))
    assert (done["counts"]["stored"], done["counts"]["known"]) == (2, 2)
    assert await authors(app) == split
    assert len(await accounts(app)) == 2


async def test_a_live_account_is_its_owners_whatever_was_matched(app: App, tmp_path: Path) -> None:
    """Once the account of the platform has spoken here, the file goes by that one."""
    await brings(app, history(tmp_path, lines()))
    real = AuthorRef(platform="jsonl", external_id="user11", name="Nadia V.")
    owner = await person_of(app, real)
    again = await brings(app, history(tmp_path, [*lines(), *lines(first=5)]))
    assert (again["counts"]["stored"], again["counts"]["known"]) == (2, 2)
    assert await authors(app) == {owner, await person_of(app, NADIA)}


async def test_who_is_chosen_gets_the_account_too(app: App, tmp_path: Path) -> None:
    """Under whatever name, as who is matched does."""
    await brings(app, history(tmp_path, lines("Mimi")), people={"Mimi": "Nadia"})
    again = await does(app, "history_preview", path=str(history(tmp_path, lines("Mimi"))))
    assert [(one["is_"], one["person"]) for one in again["authors"]] == [("known", "Nadia")]
    assert (await does(app, "split_account", account=IN_FILE, yes=True))["done"]


@pytest.mark.parametrize("id_", ["user11", ""])
async def test_who_is_chosen_wins_over_the_account(
    app: App, tmp_path: Path, clock: FrozenClock, id_: str
) -> None:
    """New lines are theirs, under an account of their own; those of before stay where they are."""
    mimi = AuthorRef(platform="discord", external_id="9", name="Mimi")
    await app.register.person(mimi)
    clock.advance(timedelta(minutes=1))
    await brings(app, history(tmp_path, lines(id_=id_)))
    before = await accounts(app)
    longer = history(tmp_path, [*lines(id_=id_), *lines(id_=id_, first=5)])
    done = await brings(app, longer, people={"Nadia": "Mimi"})
    assert (done["counts"]["stored"], done["counts"]["known"]) == (2, 2)
    nadia, chosen = await person_of(app, NADIA), await person_of(app, mimi)
    assert await authors(app) == {nadia, chosen}
    assert [person for _, person in await accounts(app) - before] == [chosen]
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert await accounts(app) == before


async def test_an_opt_out_of_the_person_holds_for_the_account(app: App, tmp_path: Path) -> None:
    """Nothing of the file is kept, also when a second one has the name by then."""
    await app.storage.people.observe(await app.register.known(NADIA), observed=False)  # type: ignore[arg-type]
    done = await brings(app, history(tmp_path, lines()))
    assert (done["id"], done["counts"]["left_out"]) == (None, 2)
    await app.register.person(SECOND)
    again = await brings(app, history(tmp_path, lines()))
    assert (again["id"], again["counts"]["left_out"]) == (None, 2)


async def test_an_undo_takes_the_accounts_that_it_made_and_no_other(
    app: App, tmp_path: Path
) -> None:
    """Those of another import stay, of lines and of statements, and every live one."""
    kept = [line("Nadia", "A deux chats", 1, author_id="user13", kind="memory")]
    first = await brings(app, history(tmp_path, lines(id_="user12"), "a.jsonl"))
    other = await brings(app, history(tmp_path, kept, "b.jsonl"))
    before = await accounts(app)
    assert len(before) == 3
    both = [*lines(first=5), line("Nadia", "A un vélo", 8, author_id="user14", kind="memory")]
    done = await brings(app, history(tmp_path, both, "c.jsonl"))
    assert len(await accounts(app)) == 5
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert await accounts(app) == before
    for one in (first, other):
        await does(app, "history_undo", id=one["id"], confirmed=True)
    assert {account for account, _ in await accounts(app)} == {NADIA.account}
    refused = await ends(app, "split_account", account=IN_FILE)
    assert "error" in refused


async def test_an_undo_takes_the_account_of_lines_that_were_heard(app: App, tmp_path: Path) -> None:
    """The file told of it, and no line came from it."""
    heard = Inbound(
        external_id="h1", room=LOBBY, author=NADIA, text="j'ai deux chats",
        sent_at=LONG_AGO + timedelta(minutes=1),
    )  # fmt: skip
    await app.inbox.receive_all([heard], recorded=True)
    both = [*lines()[:1], line("Max", "salut", 3)]
    done = await brings(app, history(tmp_path, both), room="lobby")
    assert (done["counts"]["stored"], done["counts"]["known"]) == (1, 1)
    await app.register.person(SECOND)
    again = await brings(app, history(tmp_path, both), room="lobby")
    assert (again["id"], again["counts"]["known"]) == (None, 2)
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert {account for account, _ in await accounts(app)} == {NADIA.account, SECOND.account}
    assert await said(app) == ["j'ai deux chats"]


async def test_a_statement_that_is_heard_too_stays_with_the_account_it_was_heard_from(
    app: App, tmp_path: Path
) -> None:
    """Once the import that it was first learnt from is taken back."""
    text = "je suis allergique aux kiwis"
    told = [line("Nadia", text, 1, author_id="user11"), line("Max", "salut", 3)]
    done = await brings(app, history(tmp_path, told), room="lobby")
    heard = Inbound(external_id="h1", room=LOBBY, author=NADIA, text=text, sent_at=NOON)
    await app.inbox.receive_all([heard], recorded=True)
    await app.services.digest.run()
    await does(app, "history_undo", id=done["id"], confirmed=True)
    rows = await app.storage.database.all("SELECT account FROM memories WHERE content <> ''")
    assert [row["account"] for row in rows] == [NADIA.account]


async def test_what_was_undone_comes_again_with_its_account(app: App, tmp_path: Path) -> None:
    """As before, and it is split off as before."""
    path = history(tmp_path, lines())
    done = await brings(app, path)
    before = await accounts(app)
    await does(app, "history_undo", id=done["id"], confirmed=True)
    await brings(app, path)
    assert await accounts(app) == before


async def test_a_late_undo_that_is_given_back_has_its_account(
    app: App, tmp_path: Path, clock: FrozenClock
) -> None:
    """An undo of another import in between takes it from nothing that can come back."""
    kept = [line("Nadia", "A un vélo", 8, author_id="user13", kind="memory")]
    first = await brings(app, history(tmp_path, [*lines(), *kept]))
    before = await accounts(app)
    clock.advance(timedelta(hours=25))
    undone = await does(app, "history_undo", id=first["id"], confirmed=True)
    second = await brings(app, history(tmp_path, [line("Max", "salut", 1)], "b.jsonl"))
    await does(app, "history_undo", id=second["id"], confirmed=True)
    for number in undone["forgettings"]:
        await does(app, "forget_undo", id=number)
    assert await accounts(app) == before
