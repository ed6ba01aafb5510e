"""The pet as a process on Telegram: groups, topics, commands, buttons, and what goes wrong."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from bot.channels.telegram.findings import TEXTS as TELEGRAM
from bot.channels.telegram.webhook import HEADER
from bot.texts.catalogue import say, texts_in
from tests.channels.telegram_server import BOT, TOKEN, Shown
from tests.channels.telegram_world import IDS, LOBBY, TelegramWorld, open_telegram_world
from tests.channels.world import PetMessage, Where, Who
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS, Daemon, awake
from tests.peers.discord_stage import rows
from tests.web.browsing import free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")

LEA, TOM = IDS[Who.LEA], IDS[Who.TOM]
PRIVATE, FORUM = LOBBY - 10, LOBBY - 11

TRUSTING = {
    "EKO_EMBEDDER__KIND": "none",
    "EKO_RATES__PER_PERSON": "10000",
    "EKO_RATES__PER_ROOM": "10000",
    "EKO_TELEGRAM__GREETING": "true",
}


@dataclass
class Stage:
    """A world, a daemon in it, and the folder of what that keeps."""

    world: TelegramWorld
    daemon: Daemon
    data: Path

    async def answer(self, chat: int, before: int) -> PetMessage:
        """What the pet says next in a chat, after its first `before` messages."""
        await until(lambda: len(self.world.said_in(chat)) > before)
        return self.world.said_in(chat)[before]

    async def hears(self, user: int, chat: int, text: str | None, **more: Any) -> PetMessage:
        """What the pet says to something."""
        before = len(self.world.said_in(chat))
        await self.world.server.says(user, chat, text, **more)
        return await self.answer(chat, before)

    async def presses(self, user: int, message: PetMessage, label: str) -> Shown:
        """Press a button; what the press was answered."""
        chat, number = map(int, message.id.split(":"))
        rows_ = self.world.server.chats[chat].messages[number]["reply_markup"]["inline_keyboard"]
        data = next(one["callback_data"] for row in rows_ for one in row if one["text"] == label)
        press = await self.world.server.presses(user, chat, number, data)
        await until(lambda: press in self.world.server.answered)
        return self.world.server.answered[press]

    def now(self, message: PetMessage) -> PetMessage:
        """A message as it is now."""
        chat = int(message.id.partition(":")[0])
        return next(one for one in self.world.said_in(chat) if one.id == message.id)

    def kept(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        """Rows of the database."""
        return rows(self.data, query, *values)


async def until(held: Callable[[], object]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not held():  # noqa: ASYNC110 - what is waited for is on a server
            await asyncio.sleep(0.02)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One server and one daemon for every test here, which take rooms of their own."""
    async with open_telegram_world() as world:
        world.server.reads_groups = False
        members = {LEA: "member", TOM: "administrator", BOT["id"]: "member"}
        world.server.group(PRIVATE, "Whispers", members)
        world.server.group(FORUM, "Forum", members | {BOT["id"]: "administrator"}, is_forum=True)
        data = tmp_path_factory.mktemp("telegram") / "data"
        async with awake(data, TRUSTING | dict(world.settings) | TRUSTING) as daemon:
            await daemon.has_written("telegram.connected")
            yield Stage(world, daemon, data)
        assert world.server.faults == []
        assert TOKEN not in daemon.output
        assert "Traceback" not in daemon.output


async def test_who_opens_a_talk_is_greeted_and_told_their_number(stage: Stage) -> None:
    """In the language they read Telegram in; a link's word behind it changes nothing."""
    greeted = await stage.hears(LEA, LEA, "/start from-a-link")
    assert f"telegram:{LEA}" in greeted.text
    assert "/forget_me" in greeted.text


async def test_the_commands_are_listed_in_each_language_for_whom_they_are(stage: Stage) -> None:
    """Under names that Telegram takes."""
    await stage.daemon.has_written("commands.announced")
    lists = stage.world.server.commands
    names = {key: [one["command"] for one in listed] for key, listed in lists.items()}
    assert "what_do_you_know" in names["all_private_chats", ""]
    assert "oublie_moi" in names["all_private_chats", "fr"]
    assert "observe_role" not in names["all_group_chats", ""]
    assert "observe_role" in names["all_chat_administrators", ""]


async def test_a_command_is_answered_under_it_in_its_menus_spelling(stage: Stage) -> None:
    """With the name of the pet behind it, as menus of groups write it."""
    said = await stage.hears(TOM, FORUM, f"/what_do_you_know@{BOT['username']}")
    assert said.answers is not None
    assert said.text
    count = len(stage.world.said_in(FORUM))
    await stage.world.server.says(TOM, FORUM, "/what_do_you_know@another_bot")
    await stage.hears(TOM, FORUM, f"@{BOT['username']} salut")
    assert len(stage.world.said_in(FORUM)) == count + 1


async def test_in_a_group_with_privacy_it_hears_what_addresses_it(stage: Stage) -> None:
    """What it is not told of it cannot know; a reply to it reaches it."""
    await stage.world.server.says(LEA, PRIVATE, "la girafe s'appelle Gontran")
    first = await stage.hears(LEA, PRIVATE, f"/help@{BOT['username']}")
    replied = await stage.hears(LEA, PRIVATE, "bonjour", answers=int(first.id.split(":")[1]))
    assert replied.answers is not None
    assert stage.kept("SELECT 1 FROM messages WHERE text LIKE '%girafe%'") == []


async def test_a_topic_is_a_room_and_is_answered_in(stage: Stage) -> None:
    """It hangs under its group, by the name that it was opened with."""
    server = stage.world.server
    opened = await server.says(
        TOM, FORUM, None, thread=77, forum_topic_created={"name": "Jardin", "icon_color": 1}
    )
    said = await stage.hears(TOM, FORUM, "Eko, bonjour", thread=77, answers=opened["message_id"])
    number = int(said.id.split(":")[1])
    assert server.chats[FORUM].messages[number]["message_thread_id"] == 77
    assert stage.kept("SELECT name, parent FROM rooms WHERE external_id = ?", f"{FORUM}:77") == [
        ("Jardin", f"telegram:{FORUM}")
    ]


async def test_pages_are_turned_by_who_asked_alone(stage: Stage) -> None:
    """In their place; the press of another is told so and changes nothing."""
    shown = await stage.hears(TOM, FORUM, "/help")
    assert "▶" in shown.buttons
    refused = await stage.presses(LEA, shown, "▶")
    assert refused["text"] == say("command.button_of_another", "en")
    assert stage.now(shown).text == shown.text
    await stage.presses(TOM, shown, "▶")
    await until(lambda: stage.now(shown).text != shown.text)
    assert "2/" in "".join(stage.now(shown).buttons)


async def test_what_is_forgotten_is_shown_first_and_the_preview_replaced(stage: Stage) -> None:
    """Its buttons are gone with it, and pressed twice it is done once."""
    await stage.hears(LEA, LEA, "mon code secret est Zanzibar")
    shown = await stage.hears(LEA, LEA, "/forget Zanzibar")
    assert say("forget.forget_it", "en") in shown.buttons
    chat, number = map(int, shown.id.split(":"))
    markup = stage.world.server.chats[chat].messages[number]["reply_markup"]
    data = markup["inline_keyboard"][0][0]["callback_data"]
    await stage.presses(LEA, shown, say("forget.forget_it", "en"))
    await until(lambda: stage.now(shown).text != shown.text)
    assert stage.kept("SELECT 1 FROM messages WHERE text LIKE '%Zanzibar%'") == []
    late = await stage.world.server.presses(LEA, chat, number, data)
    await until(lambda: late in stage.world.server.answered)
    assert stage.world.server.answered[late]["text"] == say("command.button_gone", "en")


async def test_what_is_kept_of_one_comes_as_a_file_in_private_alone(stage: Stage) -> None:
    """In a group nothing of it is shown."""
    server = stage.world.server
    before = len(server.chats[LEA].messages)
    await server.says(LEA, LEA, "/export")
    await until(lambda: any("document" in one for one in server.chats[LEA].messages.values()))
    assert len(server.chats[LEA].messages) > before
    said = await stage.hears(LEA, FORUM, "/export")
    assert not any("document" in one for one in server.chats[FORUM].messages.values())
    assert said.text


async def test_a_manager_of_the_group_may_what_others_may_not(stage: Stage) -> None:
    """As Telegram says who that is."""
    line = "/observe_role lobby"
    refused = await stage.hears(LEA, FORUM, line)
    allowed = await stage.hears(TOM, FORUM, line)
    assert refused.text != allowed.text
    assert stage.kept("SELECT role FROM room_choices WHERE room_id = ?", f"telegram:{FORUM}") == [
        ("lobby",)
    ]


async def test_bots_and_copies_of_a_channel_are_not_heard(stage: Stage) -> None:
    """An admin who stays unnamed is, and is answered with lines in the place of buttons."""
    server = stage.world.server
    forum = server.chats[FORUM].about
    channel = {"id": -1_009_999, "type": "channel", "title": "News"}
    await server.says(BOT["id"], FORUM, "Eko, robot xylophone")
    await server.says(LEA, FORUM, "copy xylophone", sender_chat=channel, is_automatic_forward=True)
    shown = await stage.hears(LEA, FORUM, "/help", sender_chat=forum)
    assert shown.buttons == ()
    assert stage.kept("SELECT 1 FROM messages WHERE text LIKE '%xylophone%'") == []


async def test_a_group_that_lets_it_in_is_greeted_once(stage: Stage) -> None:
    """Being made an admin later is no second time."""
    server = stage.world.server
    group = FORUM - 20
    server.group(group, "New", {LEA: "member", BOT["id"]: "member"})

    def became(old: str, new: str) -> Shown:
        about = {
            "chat": server.chats[group].about,
            "from": server.users[LEA],
            "date": 1_800_000_000,
        }
        members = [{"status": one, "user": dict(BOT)} for one in (old, new)]
        return {**about, "old_chat_member": members[0], "new_chat_member": members[1]}

    await server.tell("my_chat_member", became("left", "member"))
    await stage.answer(group, 0)
    await server.tell("my_chat_member", became("member", "administrator"))
    await server.tell("my_chat_member", became("left", "member"))
    await stage.hears(LEA, group, f"/help@{BOT['username']}")
    assert len(stage.world.said_in(group)) == 2


async def test_start_with_the_name_of_the_pet_introduces_it_anywhere(stage: Stage) -> None:
    """With the name of another bot it is not the pet's; a link that adds it says it once."""
    server = stage.world.server
    named = f"/start@{BOT['username']}"
    assert f"telegram:{TOM}" in (await stage.hears(TOM, TOM, named)).text
    greeting = texts_in("en", TELEGRAM).say("greeting", name="Eko").replace("\n- ", "\n• ")
    assert (await stage.hears(TOM, FORUM, f"{named} from-a-link")).text == greeting
    assert (await stage.hears(TOM, FORUM, "/start")).text == greeting
    before = len(stage.world.said_in(FORUM))
    await server.says(TOM, FORUM, "/start@another_bot")
    group = FORUM - 21
    server.group(group, "Linked", {LEA: "member", BOT["id"]: "member"})
    members = [{"status": one, "user": dict(BOT)} for one in ("left", "member")]
    joined = {"chat": server.chats[group].about, "from": server.users[LEA], "date": 1_800_000_000}
    both = {"old_chat_member": members[0], "new_chat_member": members[1]}
    await server.tell("my_chat_member", joined | both)
    await server.says(LEA, group, f"{named} true")
    await server.says(LEA, group, f"/help@{BOT['username']}")
    await until(lambda: len(stage.world.said_in(group)) > 1)
    assert stage.world.said_in(group)[0].text == greeting
    assert len(stage.world.said_in(group)) == 2
    assert len(stage.world.said_in(FORUM)) == before


async def test_what_one_member_alone_reads_is_answered_to_them_alone(stage: Stage) -> None:
    """Words, commands and buttons; nothing of it is said in the group, or kept as said there."""
    server = stage.world.server
    group = FORUM - 22
    server.group(group, "Whispering", {LEA: "member", TOM: "member", BOT["id"]: "member"})
    said = ("mon coffre a le code Vermillon", "et toi ?", "/forget Vermillon")
    for at, text in enumerate(said, start=1):
        await server.whispers(LEA, group, text)
        await until(partial(_has_whispers, stage, group, at))
    kept = stage.kept(
        "SELECT r.external_id, r.kind FROM messages m JOIN rooms r ON r.id = m.room_id"
        " WHERE m.text LIKE '%Vermillon%' OR m.text = 'et toi ?' GROUP BY 1, 2"
    )
    assert kept == [(f"{group}~{LEA}", "direct")]
    shown = server.whispered_to(LEA, group)[-1]
    preview, data = shown["text"], shown["reply_markup"]["inline_keyboard"][0][0]["callback_data"]
    await server.presses(LEA, group, 0, data, whisper=shown)
    await until(lambda: shown["text"] != preview)
    assert stage.kept("SELECT 1 FROM messages WHERE text LIKE '%Vermillon%'") == []
    asked = await stage.hears(TOM, group, f"/help@{BOT['username']}")
    assert stage.world.said_in(group) == [asked]
    assert server.whispered_to(TOM, group) == []


def _has_whispers(stage: Stage, group: int, count: int) -> bool:
    return len(stage.world.server.whispered_to(LEA, group)) == count


async def test_a_refusal_is_told_in_words_and_given_up(stage: Stage) -> None:
    """By the doctor, in the log and to the owner, until the room takes something again."""
    server = stage.world.server
    group = FORUM - 23
    server.group(group, "Quiet", {LEA: "member", BOT["id"]: "administrator"})
    server.shut[group] = (400, "Bad Request: not enough rights to send text messages to the chat")
    await server.says(LEA, group, "Eko, bonjour")
    await stage.daemon.has_written("owner.warned")
    await until(lambda: stage.kept("SELECT 1 FROM turns WHERE state = 'refused'"))
    found = str((await stage.daemon.does("doctor"))["result"])
    assert f"It has no right to write in {group}" in found
    del server.shut[group]
    await stage.hears(LEA, group, "Eko, bonsoir")
    assert f"{group}" not in str((await stage.daemon.does("doctor"))["result"])
    assert len(stage.world.said_in(group)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "/" * 4096,
        "\ud83e hello".encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
        "@eko_pet_bot" * 300,
        "\u202e\u2066/forget_me confirm\u0000",
        "/forget --token=" + "x" * 3000,
        "**" * 2000,
    ],
    ids=["slashes", "half", "mentions", "hidden", "token", "stars"],
)
async def test_hostile_texts_are_answered_as_any_others(stage: Stage, text: str) -> None:
    """And nothing that follows them is lost."""
    await stage.world.server.says(TOM, TOM, text)
    before = len(stage.world.said_in(TOM))
    await stage.hears(TOM, TOM, "bonjour")
    await until(lambda: len(stage.world.said_in(TOM)) > before)


async def test_a_press_that_names_another_or_no_button_does_nothing(stage: Stage) -> None:
    """Programs can press what is not there."""
    shown = await stage.hears(LEA, FORUM, "/help")
    chat, number = map(int, shown.id.split(":"))
    for data in ("rs|/forget --confirm", "", "x" * 64, "9|page:a:0"):
        press = await stage.world.server.presses(LEA, chat, number, data)
        await until(partial(stage.world.server.answered.__contains__, press))
        assert stage.world.server.answered[press]["text"] == say("command.button_gone", "en")
    assert stage.now(shown) == shown


async def test_telegram_can_call_the_page_of_the_pet(tmp_path: Path) -> None:
    """Under the name that it has outside; what is not Telegram's is refused there."""
    async with open_telegram_world() as world:
        port = free_port()
        settings = dict(world.settings) | TRUSTING
        settings |= {"EKO_WEB__ENABLED": "true", "EKO_WEB__PORT": str(port)}
        settings |= {"EKO_TELEGRAM__WEBHOOK_URL": "https://eko.example"}
        async with awake(tmp_path / "data", settings) as daemon:
            await daemon.has_written("telegram.connected")
            await world.server.says(LEA, LEA, "bonjour")
            (update,) = world.server.waiting.values()
            page = f"http://127.0.0.1:{port}/webhooks/telegram"
            secret = world.server.webhook["secret_token"]
            async with httpx2.AsyncClient(
                verify=NO_TLS, headers={"host": "eko.example"}, timeout=PATIENCE_S
            ) as client:
                strange = await client.post(page, json=update, headers={HEADER: "no"})
                taken = [
                    (await client.post(page, json=update, headers={HEADER: secret})).status_code
                    for _ in range(2)
                ]
            assert (strange.status_code, taken) == (403, [200, 200])
            await until(lambda: len(world.said_in(LEA)) == 1)
        assert secret not in daemon.output


async def test_what_is_forwarded_is_nothing_of_who_forwards_it(stage: Stage) -> None:
    """Neither their words, nor a fact of theirs, nor a command of theirs."""
    nina, said_by = 1011, {"id": 5550, "is_bot": False, "first_name": "Ozan"}
    stage.world.server.person(nina, "Nina")
    origin = {"type": "user", "date": 1, "sender_user": said_by}
    heard = texts_in("en").choices("offline.passed_on.heard")
    for text in ("I live in Perth.", "/forget_me"):
        told = await stage.hears(nina, nina, text, forward_origin=origin)
        assert told.text.startswith(heard)
    asked = await stage.hears(nina, nina, "Where do I live?")
    assert "you live" not in asked.text
    kept = stage.kept("SELECT text FROM messages WHERE text LIKE '%Perth%' AND author = 'Nina'")
    assert kept == [("⟦forwarded: Ozan⟧\n> I live in Perth.",)]
    assert stage.kept("SELECT value FROM core_facts WHERE value = 'Perth'") == []


async def test_voice_notes_are_answered_once_in_the_language_of_the_talk(stage: Stage) -> None:
    """And a picture without words too: nothing of either is taken for a language."""
    lou = 1012
    stage.world.server.person(lou, "Lou")
    await stage.hears(lou, lou, "Bonjour, comment vas-tu aujourd'hui ?")
    voice = {"file_id": "v", "file_unique_id": "u", "duration": 2, "mime_type": "audio/ogg"}
    photo = [{"file_id": "p", "file_unique_id": "q", "width": 90, "height": 90}]
    told = await stage.hears(lou, lou, None, voice=voice)
    assert told.text == say("wordless.voice", "fr")
    for _ in range(3):
        await stage.world.server.says(lou, lou, None, voice=voice)
    seen = await stage.hears(lou, lou, None, photo=photo)
    assert seen.text == say("wordless.photo", "fr")
    english = 1013
    stage.world.server.person(english, "Kit")
    await stage.hears(english, english, "Good morning, how are you today?")
    assert (await stage.hears(english, english, None, photo=photo)).text == say(
        "wordless.photo", "en"
    )


async def test_what_waits_through_a_kill_is_done_once(tmp_path: Path) -> None:
    """Words and a command; what was answered before is not answered again."""
    async with open_telegram_world() as world:
        settings = dict(world.settings) | TRUSTING
        server = world.server
        async with awake(tmp_path / "data", settings) as daemon:
            await daemon.has_written("telegram.connected")
            await server.says(LEA, LEA, "bonjour")
            await until(lambda: len(world.said_in(LEA)) == 1)
            await daemon.killed()
        await server.says(LEA, LEA, "je m'appelle Zoé et j'habite à Brest")
        await server.says(LEA, LEA, "/help")
        await world.says(Who.TOM, Where.LOBBY, "la fanfare joue demain")
        await server.tell_again()
        async with awake(tmp_path / "data", settings) as daemon:
            await daemon.has_written("telegram.connected")
            await until(lambda: len(world.said_in(LEA)) == 3)
            await server.says(LEA, LEA, "merci")
            await until(lambda: len(world.said_in(LEA)) == 4)
            await daemon.interrupted()
        texts = rows(tmp_path / "data", "SELECT text FROM messages WHERE author_kind = 'person'")
        assert sorted(one for (one,) in texts) == [
            "bonjour",
            "je m'appelle Zoé et j'habite à Brest",
            "la fanfare joue demain",
            "merci",
        ]
        assert server.waiting == {}
        assert server.faults == []
