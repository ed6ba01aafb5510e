"""What is kept of a person's words is shown beside the reply, once, to who asked for it."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.events import AuthorRef, RoomRef
from memory.model.audience import scope_of
from memory.model.authority import Actor
from memory.model.errors import StorageFailed
from memory.model.people import OPERATOR_ACTOR
from memory.rules.forgetting.selector import Requester, Selector
from memory.storage.linking.splitting import Accounts
from memory.storage.people.kept_notes import KeptNotes
from tests.cast import CORNER, DAVID, LEA, direct, room_of
from tests.flow.learning import learnt
from tests.flow.pet import ListedChannel, Pet, awake, calls, responds
from tests.forgotten import forgetting_on
from tests.linked import DAV, MAIL, joined, person_behind
from tests.reminding import asked as remind

ALONE = direct(DAVID)
LYON, NANTES = "David habite à Lyon", "David habite à Nantes"


def notes_on(pet: Pet) -> KeptNotes:
    """Who is shown what is kept."""
    return KeptNotes(pet.storage.database, pet.storage.clock)


async def shown_to(pet: Pet, who: AuthorRef = DAVID, *, wanted: bool = True) -> None:
    """Let a person be shown it, or not."""
    await notes_on(pet).want(await person_behind(pet.storage, who), wanted=wanted)


async def tells(
    pet: Pet,
    said: str,
    content: str,
    where: RoomRef = ALONE,
    who: AuthorRef = DAVID,
    **given: object,
) -> None:
    """Say something of which the model keeps a statement."""
    given = {"content": content, "subjects": [who.name], **given}
    pet.model.will(calls(("store_memory", given)), responds("Entendu."))
    await pet.asked(said, who, where)


async def erases(pet: Pet, words: str) -> None:
    """Have what a statement says forgotten at its person's word."""
    person = await person_behind(pet.storage, DAVID)
    asker = Requester(scope=scope_of(room_of(ALONE), person, ()), actor=Actor(person=person))
    selector = Selector(topic=words, person=person)
    assert (await forgetting_on(pet.storage).at_once(selector, asker)).counts


def without_ids(text: str) -> str:
    """A note with a sign in the place of each number."""
    return re.sub(r"\b[0-9a-f]{8}\b", "#", text)


async def test_what_a_tool_stored_stands_below_the_reply_once(tmp_path: Path) -> None:
    """In the person's language, with the lines that take it back or put it right."""
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        await tells(pet, "j'habite à Lyon", LYON)
        await pet.asked("et toi, ça va ?", where=ALONE)
    reply, note, later = pet.channel.texts
    assert (reply, later) == ("Entendu.", "d'accord")
    assert without_ids(note) == f"gardé : {LYON} · /annuler # · /corriger # -> BONS MOTS"


async def test_who_speaks_english_reads_it_in_english(tmp_path: Path) -> None:
    """The pet's own language is for words that tell none."""
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        await tells(pet, "I have been living in Lyon for two years", "David lives in Lyon")
    assert without_ids(pet.channel.texts[1]) == (
        "kept: David lives in Lyon · /undo # · /correct # -> RIGHT WORDS"
    )


async def test_it_says_what_it_replaced(tmp_path: Path) -> None:
    """Of statements that were kept before it was asked for too, which are not told themselves."""
    async with awake(tmp_path) as pet:
        await tells(pet, "j'habite à Lyon", LYON)
        await shown_to(pet)
        await tells(pet, "finalement j'habite à Nantes", NANTES, replaces=[LYON])
    (note,) = [one for one in pet.channel.texts if one.startswith("gardé")]
    assert note.startswith(f"gardé : {NANTES} (à la place de : {LYON}) · ")


async def test_nothing_is_shown_to_who_did_not_ask_or_wants_it_no_more(tmp_path: Path) -> None:
    """It is off by default, and another person's wish is not one's own."""
    async with awake(tmp_path) as pet:
        await shown_to(pet, LEA)
        await tells(pet, "j'habite à Lyon", LYON)
        await shown_to(pet)
        await shown_to(pet, wanted=False)
        await tells(pet, "j'ai un chat", "David a un chat")
    assert pet.channel.texts == ["Entendu."] * 2


async def test_in_a_group_nothing_is_shown_nor_later_in_private(tmp_path: Path) -> None:
    """What was said there is known there: it is no matter of the talk alone with the pet."""
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        await tells(pet, "Eko, j'habite à Lyon", LYON, where=CORNER)
        await pet.asked("tu vas bien ?", where=ALONE)
        assert await learnt(pet) == [LYON]
    assert pet.channel.texts == ["Entendu.", "d'accord"]


async def test_what_is_private_waits_for_a_private_reply(tmp_path: Path) -> None:
    """A reply in a group goes by without it."""
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.learns()
        await pet.asked("Eko, tu vas bien ?", where=CORNER)
        assert pet.channel.texts == ["d'accord"] * 2
        await pet.asked("et là ?", where=ALONE)
    assert [room for room, text in pet.channel.sent if "gardé" in text] == [room_of(ALONE).id]


async def test_what_is_read_later_rides_on_the_next_reply(tmp_path: Path) -> None:
    """Nothing is said when it is read: a note wakes no person up."""
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.learns()
        assert await learnt(pet) == ["David: j'habite à Lyon"]
        assert pet.channel.texts == ["d'accord"]
        await pet.asked("tu vas bien ?", where=ALONE)
    assert pet.channel.texts[2].startswith("gardé : David: j'habite à Lyon · ")


async def test_a_reminder_brings_no_note(tmp_path: Path) -> None:
    """It answers no words."""
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.learns()
        await remind(pet.storage)
        pet.storage.clock.advance(timedelta(hours=1))
        assert await pet.reminders.deliver_due() == 1
        assert len(pet.channel.texts) == 2
        await pet.asked("merci bien", where=ALONE)
    assert pet.channel.texts[3].startswith("gardé : ")


async def test_what_was_forgotten_meanwhile_is_not_shown(tmp_path: Path) -> None:
    """Nor what replaces it in the same breath, for there is nothing left of it."""
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.learns()
        await erases(pet, "Lyon")
        await pet.asked("tu vas bien ?", where=ALONE)
    assert pet.channel.texts == ["d'accord"] * 2


async def test_what_was_refused_is_not_shown(tmp_path: Path) -> None:
    """A statement that says what was forgotten before is not kept, so it is not announced."""
    async with awake(tmp_path) as pet:
        await tells(pet, "j'habite à Lyon", LYON)
        await erases(pet, "Lyon")
        await shown_to(pet)
        await tells(pet, "on disait quoi ?", LYON)
        assert "Not stored" in pet.model.results[-1]
    assert pet.channel.texts == ["Entendu."] * 2


async def test_a_note_is_no_part_of_the_talk(tmp_path: Path) -> None:
    """No table has its words, so none are searched, summarised, learnt from or sent to a model."""
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        await tells(pet, "j'habite à Lyon", LYON)
        note = pet.channel.texts[1]
        await pet.asked("tu te souviens de quoi ?", where=ALONE)
        assert "Entendu." in str(pet.model.requests[-1])
        assert "gardé" not in str(pet.model.requests[-1])
        for table, column in (("messages", "text"), ("turns", "reply"), ("turns", "notice")):
            assert await pet.storage.count(table, f"instr({column}, 'gardé')") == 0
        assert await pet.storage.count("turn_parts", "part > 0") == 0
        await pet.learns()
        await pet.falls_silent()
        assert note.startswith("gardé")
        assert await learnt(pet) == [LYON]


async def test_killed_after_a_note_it_is_not_shown_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reply was not marked as delivered: it goes on where it stopped, past the note."""
    channel = ListedChannel()

    async def killed(*_: object) -> None:
        raise StorageFailed("killed")

    async with awake(tmp_path, channel=channel) as pet:
        await shown_to(pet)
        monkeypatch.setattr(pet.storage.turns, "delivered", killed)
        await tells(pet, "j'habite à Lyon", LYON)
        assert await pet.storage.count("turns", "state = 'replied'") >= 1
    async with awake(tmp_path, channel=channel) as pet:
        await pet.delivery.resume()
        assert await pet.storage.count("turns", "state = 'replied'") == 0
        await pet.asked("tu vas bien ?", where=ALONE)
    assert sum(text.startswith("gardé") for text in channel.texts) == 1


async def test_killed_before_a_reply_was_sent_its_note_comes_with_it(tmp_path: Path) -> None:
    """What was away takes both after the restart, in order."""
    async with awake(tmp_path, channel=ListedChannel(refuses=99)) as pet:
        await shown_to(pet)
        await tells(pet, "j'habite à Lyon", LYON)
    async with awake(tmp_path) as pet:
        assert await pet.delivery.resume() == 1
        assert await pet.delivery.resume() == 0
    reply, note = pet.channel.texts
    assert (reply, note[:5]) == ("Entendu.", "gardé")


async def test_a_note_that_is_not_taken_waits_for_the_next_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reply is delivered all the same."""
    monkeypatch.setattr("bot.conversation.delivery.FIRST_WAIT_S", 0.0)
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        real = pet.channel.send

        async def send(message: object) -> str | None:
            pet.channel.refuses = 3 if len(pet.channel.messages) == 1 else 0
            return await real(message)  # type: ignore[arg-type]

        monkeypatch.setattr(pet.channel, "send", send)
        await tells(pet, "j'habite à Lyon", LYON)
        assert pet.channel.texts == ["Entendu."]
        assert await pet.storage.count("turns", "state = 'delivered'") == 1
        monkeypatch.setattr(pet.channel, "send", real)
        pet.channel.refuses = 0
        await pet.asked("tu vas bien ?", where=ALONE)
    assert pet.channel.texts[1] == "d'accord"
    assert pet.channel.texts[2].startswith(f"gardé : {LYON}")


async def test_a_long_list_is_cut_and_says_so(tmp_path: Path) -> None:
    """Five lines, then how many more there are and how to see them."""
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        animals = ("chat", "chien", "lapin", "cheval", "hamster", "canari", "furet")
        stored = [
            ("store_memory", {"content": f"{name} appartient à David", "subjects": [name]})
            for name in animals
        ]
        pet.model.will(calls(*stored[:4]), calls(*stored[4:]), responds("Entendu."))
        await pet.asked("mes animaux, tu les connais", where=ALONE)
        kept = len(await learnt(pet))
    lines = pet.channel.texts[1].splitlines()
    assert kept > 5
    assert len(lines) == 6
    assert lines[-1] == f"et {kept - 5} autre{'s' if kept > 6 else ''} : /que-sais-tu"


async def test_the_wish_holds_for_all_accounts_of_a_person(tmp_path: Path) -> None:
    """Whichever it was said from; what was kept before they were joined is not told."""
    async with awake(tmp_path) as pet:
        pet.delivery._channels = {**pet.delivery._channels, "mail": pet.channel}
        await shown_to(pet, DAV)
        await tells(pet, "j'habite à Lyon", LYON)
        await joined(pet.storage)
        await tells(pet, "j'ai un chat", "David a un chat")
        await tells(pet, "j'ai un lapin nain", "Dav a un lapin nain", MAIL, DAV)
    assert [text[8:23] for text in pet.channel.texts if "gardé" in text] == [
        "David a un chat",
        "Dav a un lapin ",
    ]


async def test_the_wish_stays_with_an_account_that_is_parted(tmp_path: Path) -> None:
    """Both people go on as they did; what either ends is theirs alone."""
    async with awake(tmp_path) as pet:
        await joined(pet.storage)
        await shown_to(pet)
        accounts = Accounts(pet.storage.database, pet.storage.people, pet.storage.clock)
        await accounts.split(DAV.account, OPERATOR_ACTOR)
        await shown_to(pet, wanted=False)
        wanted = [
            await notes_on(pet).is_wanted(await person_behind(pet.storage, who))
            for who in (DAVID, DAV)
        ]
    assert wanted == [False, True]


async def test_the_wish_goes_with_a_person_who_is_forgotten(tmp_path: Path) -> None:
    """It is one of the things they told."""
    async with awake(tmp_path) as pet:
        await shown_to(pet)
        await pet.asked("j'habite à Lyon", where=ALONE)
        person = await person_behind(pet.storage, DAVID)
        assert await notes_on(pet).is_wanted(person)
        asker = Requester(scope=scope_of(room_of(ALONE), person, ()), actor=Actor(person=person))
        await forgetting_on(pet.storage).at_once(
            Selector(person=person, about=True, erase=True), asker
        )
        assert not await notes_on(pet).is_wanted(person)
