"""`/memory`, `/self`, `/goals`, `/digest status`: what one community is told, and no other."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.commands.syntax import YES, read_line
from bot.texts.provenance import shown_id
from bot.wiring.app import App
from memory.clock import FrozenClock
from memory.model.audience import EVERYONE, Scope, space_audience
from memory.model.statements import Memory, Source
from memory.model.stores import Store
from tests.cast import NOON
from tests.flow.guilds import (
    ALICE,
    BOB,
    GARDEN,
    HALL,
    HARBOUR,
    KEEPER,
    ZOE,
    A,
    B,
    asks,
    known,
    pet,
    presses,
    proposed,
    says,
)


@pytest.fixture
def clock() -> FrozenClock:
    """The time, in the hand of the test."""
    return FrozenClock(NOON)


@pytest.fixture
async def app(tmp_path: Path, clock: FrozenClock) -> AsyncIterator[App]:
    """A pet that knows something of each community."""
    async with pet(tmp_path, clock) as opened:
        await known(opened, "Zoé élève des abeilles", A, said_by="Zoé", subjects=("Zoé",))
        await known(opened, "Léo pêche le homard", B, said_by="Léo", subjects=("Léo",))
        yield opened


async def of(app: App, space: object = A) -> list[Memory]:
    """What a community knows."""
    scope = Scope(frozenset({space_audience(B if space == B else A)}))
    return await app.storage.memories.latest(None, scope, 50)


async def test_a_search_finds_what_the_community_knows(app: App) -> None:
    """With how each id begins, which is enough to show it."""
    told = await asks(app, "memory search", query="abeilles")
    short, _, content = told.text.partition(" • ")
    assert content == "Zoé élève des abeilles (1 second ago)"
    shown = await asks(app, "memory show", id=short, locale="fr")
    lines = shown.text.splitlines()
    assert lines[0] == f"{short} • Zoé élève des abeilles"
    assert "dit par : Zoé" in lines
    assert "connu de : cette communauté" in lines
    assert "nature : fait" in lines


async def test_an_id_can_be_given_as_people_are_shown_it(app: App) -> None:
    """`/what-do-you-know` writes `#1a2b3c4d`."""
    (row,) = await of(app)
    shown = await asks(app, "memory show", id=shown_id(row))
    assert shown.text.startswith(f"{row.id.hex[:8]} • Zoé élève des abeilles")


async def test_another_community_finds_shows_and_forgets_none_of_it(app: App) -> None:
    """Not by its words, not by its id, not by a proposal; its rows are not counted either."""
    (row,) = await of(app)
    assert "abeilles" not in (await asks(app, "memory search", BOB, HARBOUR, query="abeilles")).text
    for command in ("memory show", "memory forget"):
        told = await asks(app, command, BOB, HARBOUR, id=str(row.id))
        assert told.text == "No memory here has an id like that."
    assert await proposed(app, "memory show", "id", "abeille", BOB, HARBOUR) == []
    for who, where in ((ALICE, HALL), (BOB, HARBOUR)):
        told = await asks(app, "memory stats", who, where)
        assert told.text.startswith("memories: 1 that holds\n  fact 1\n  from: conversation 1")


async def test_a_memory_is_seen_first_then_forgotten_then_given_back(app: App) -> None:
    """By buttons, each about what it stood under."""
    (row,) = await of(app)
    shown = await asks(app, "memory show", id=str(row.id))
    preview = await presses(app, shown.actions[0])
    assert preview.text.startswith("I would forget: 1 memory.")
    assert len(await of(app)) == 1
    done = await presses(app, preview.actions[0])
    assert await of(app) == []
    assert (await presses(app, done.actions[0])).text == "It is all back."
    assert len(await of(app)) == 1
    assert len(await of(app, B)) == 1


async def test_a_button_undoes_what_it_stood_under(app: App) -> None:
    """Although something else was forgotten since."""
    await known(app, "Alice joue du cor", A, said_by="Alice", subjects=("Alice",))
    undos = []
    for row in sorted(await of(app), key=lambda one: one.content):
        preview = await asks(app, "memory forget", id=str(row.id))
        undos.append((await presses(app, preview.actions[0])).actions[0])
    await presses(app, undos[0])
    assert [one.content for one in await of(app)] == ["Alice joue du cor"]


async def test_each_button_is_a_line_to_type_elsewhere(app: App) -> None:
    """It says the same: to show, to confirm, to give back."""
    (row,) = await of(app)
    shown = await asks(app, "memory show", id=str(row.id))
    preview = await asks(app, "memory forget", id=str(row.id))
    done = await presses(app, preview.actions[0])
    lines = [one.actions[0].typed for one in (shown, preview, done)]
    short = str(row.id)[:8]
    assert lines == [
        f"/memory forget {short}",
        "/memory forget confirm",
        "/memory forget --undo=1",
    ]
    read = [read_line(line, app.platform_commands.table) for line in lines]
    given = [{"id": short}, {"confirm": YES}, {"undo": "1"}]
    assert [one and (one.name, one.arguments) for one in read] == [
        ("memory forget", arguments) for arguments in given
    ]


async def test_nobody_undoes_what_another_community_forgot(app: App) -> None:
    """Whatever number they give."""
    (row,) = await of(app)
    preview = await asks(app, "memory forget", id=str(row.id))
    undo = (await presses(app, preview.actions[0])).actions[0]
    told = await presses(app, undo, BOB, HARBOUR)
    assert told.text.startswith("There is nothing to undo")
    assert await of(app) == []


async def test_a_preview_is_confirmed_by_whoever_asked_for_it(app: App) -> None:
    """Its token is of no use to others."""
    (row,) = await of(app)
    preview = await asks(app, "memory forget", id=str(row.id))
    told = await presses(app, preview.actions[0], BOB, HARBOUR)
    assert told.text.startswith("There is nothing to confirm")
    assert len(await of(app)) == 1


async def test_what_is_for_everyone_is_no_one_communitys_to_forget(app: App) -> None:
    """Who looks after the pet can; `/forget` with `all` heeds the same."""
    await asks(app, "seed", KEEPER, confirm="yes")
    everything = await app.storage.memories.latest(Store.SELF, Scope(frozenset({EVERYONE})), 50)
    one = everything[0]
    told = await asks(app, "memory forget", id=str(one.id), locale="fr")
    assert told.text.startswith("Ce n'est pas qu'à cette communauté")
    assert told.actions == ()
    assert (await asks(app, "memory forget", KEEPER, id=str(one.id))).actions != ()
    told = await asks(app, "forget", topic=max(one.content.split(), key=len), all="yes")
    assert told.text.startswith("I do not find by these words what you told me.")


async def test_an_id_must_say_which_one(app: App) -> None:
    """Too short, unknown, or none at all."""
    which = "Say which one: /memory search shows ids."
    assert (await asks(app, "memory forget")).text == which
    assert (await asks(app, "memory forget", id="ab")).text == which
    told = await asks(app, "memory show", id="ffffffff", locale="fr")
    assert told.text == "Aucun souvenir d'ici n'a un tel id."


async def test_proposals_go_by_words_and_letters(app: App) -> None:
    """Half a word is enough, accents or not; with nothing typed the latest come."""
    for typed in ("abei", "ELEVE", "abeilles", ""):
        (choice,) = await proposed(app, "memory show", "id", typed)
        assert choice.label == "Zoé élève des abeilles"
    assert await proposed(app, "memory show", "id", "abei", ZOE) == []


async def test_a_history_names_what_was_replaced(app: App) -> None:
    """The older one says by what, and cannot be forgotten from there."""
    old = await known(app, "Zoé habite à Nantes", A, said_by="Zoé", subjects=("Zoé",))
    new = await known(app, "Zoé habite à Lyon", A, said_by="Zoé", subjects=("Zoé",))
    shown = await asks(app, "memory show", id=str(new.id))
    assert f"before or after it: {str(old.id)[:8]} • Zoé habite à Nantes" in shown.text
    before = await asks(app, "memory show", id=str(old.id))
    assert f"replaced by: {str(new.id)[:8]}" in before.text
    assert before.actions == ()


async def test_the_figures_tell_what_holds_from_what_does_not(app: App, clock: FrozenClock) -> None:
    """By kind and by source; expired, archived and replaced apart."""
    await known(app, "la salle est fermée", A, ttl=timedelta(hours=1), source=Source.DIGEST)
    await known(app, "il y a du gâteau", A, ttl=timedelta(hours=2), source=Source.DIGEST)
    await known(app, "Zoé habite à Nantes", A, said_by="Zoé")
    await known(app, "Zoé habite à Lyon", A, said_by="Zoé")
    clock.advance(timedelta(minutes=90))
    await app.storage.memories.sweep()
    clock.advance(timedelta(hours=1))
    told = (await asks(app, "memory stats", locale="fr")).text.splitlines()
    assert told == [
        "souvenirs : 2 en vigueur, 1 expiré, 1 archivé, 1 remplacé",
        "  fait 2",
        "  origine : conversation 2",
        "qui je suis : 0 en vigueur",
        "ce que je veux : 0 en vigueur",
    ]


async def test_who_the_pet_is_and_what_it_wants_is_told_by_category(app: App) -> None:
    """Nothing before the seed; then in the language of whoever asks."""
    assert (await asks(app, "self", locale="fr")).text.startswith("Je ne sais encore rien de moi")
    assert (await asks(app, "goals")).text == "There is nothing that I want yet."
    await asks(app, "seed", KEEPER, confirm="yes")
    heads = [line for line in (await asks(app, "self")).text.splitlines() if line[0] != "•"]
    assert heads == ["What I live in", "What I cannot do", "Preference"]


async def test_the_state_of_the_digest_counts_one_community_for_who_manages_it(
    app: App, clock: FrozenClock
) -> None:
    """And all of them only for who looks after the pet."""
    for room in (HALL, GARDEN, HARBOUR):
        await says(app, "il pleut aujourd'hui", where=room)
    told = (await asks(app, "digest status")).text.splitlines()
    assert told == [
        "There was no digest yet.",
        "Next one: January 17, 2026, 2:00 PM.",
        "Waiting here: 2 messages; set aside after failures: 0.",
    ]
    await app.services.digest.run()
    clock.advance(timedelta(hours=2))
    told = (await asks(app, "digest status", KEEPER, HARBOUR, locale="fr")).text.splitlines()
    assert told == [
        "Dernier digest : il y a 2 heures. Il a lu 3 messages et gardé 0 souvenir.",
        "Prochain : 17 janvier 2026, 18:00.",
        "En attente ici : 0 message ; mis de côté après des échecs : 0.",
        "En attente en tout : 0 message ; mis de côté : 0.",
    ]
    assert "messages and kept" not in (await asks(app, "digest status")).text


@pytest.mark.parametrize(
    "command",
    ["memory search", "memory show", "memory forget", "memory stats", "self", "goals"],
)
async def test_members_are_told_nothing(app: App, command: str) -> None:
    """Nor is who manages another community."""
    for who in (ZOE, BOB):
        told = await asks(app, command, who, HALL, query="abeilles", id="abcd", locale="fr")
        assert told.text.startswith("Seules les personnes")
