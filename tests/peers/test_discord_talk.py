"""The daemon talks on Discord: what it hears, what it answers, once each, and what it leaves."""

import pytest

from tests.peers.discord_control import File
from tests.peers.discord_stage import Stage, answered_by

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_what_a_lobby_says_is_overheard_and_known_at_once(stage: Stage) -> None:
    """Nobody is answered who does not ask; another one who asks is told who said it."""
    twin, lounge = stage.twin, stage.twin.guilds["Lounge"]
    ana, ben = twin.people["ana"], twin.people["ben"]
    await twin.says(lounge["lobby"], ana, "demain je pars en Grèce avec Zenobia")
    told = await stage.hears(lounge["lobby"], ben, "qui part en Grèce ?")
    assert "Zenobia" in told
    assert "ana" in told
    assert all(map(answered_by, await twin.seen.bot_messages(lounge["lobby"])))
    elsewhere = await stage.hears(lounge["random"], ben, "qui part en Grèce ?")
    assert "Zenobia" in elsewhere


async def test_a_mention_is_answered_as_a_reply_while_it_types(stage: Stage) -> None:
    """The reply stands under what it answers, calls nobody else, and is announced by typing."""
    ana = stage.twin.people["ana"]
    room = await stage.twin.opens(stage.twin.guilds["Lounge"], "mentions")
    asked = await stage.asks(room, ana, "bonjour")
    reply = await stage.answer(room, asked)
    assert [each["id"] for each in reply["mentions"]] == [ana.id]
    assert reply["allowed_mentions"] == {"parse": [], "replied_user": True}
    assert await stage.twin.seen.typings(room)
    assert await stage.only_answer(room, ana, asked)


async def test_a_reply_to_the_pet_is_addressed_to_it(stage: Stage) -> None:
    """So that nobody has to call it again; a reply to somebody else is not."""
    twin = stage.twin
    ana, ben = twin.people["ana"], twin.people["ben"]
    room = await twin.opens(twin.guilds["Lounge"], "replies")
    said = await stage.answer(room, await stage.asks(room, ana, "salut"))
    again = await twin.says(room, ana, "tu vas bien ?", reply_to=said["id"])
    assert await stage.only_answer(room, ana, again)
    to_ana = await twin.says(room, ben, "on se voit mardi ?", reply_to=again)
    await stage.is_done(room, ben)
    assert await stage.answers(room, to_ana) == []


async def test_a_name_in_the_text_addresses_it_too(stage: Stage) -> None:
    """As people call each other; a name that only begins alike does not."""
    ana = stage.twin.people["ana"]
    room = await stage.twin.opens(stage.twin.guilds["Lounge"], "names")
    called = await stage.twin.says(room, ana, "Eko, tu es là ?")
    assert await stage.only_answer(room, ana, called)
    other = await stage.twin.says(room, ana, "l'ekonomie va mal")
    await stage.is_done(room, ana)
    assert await stage.answers(room, other) == []


async def test_a_thread_is_as_open_as_its_channel(stage: Stage) -> None:
    """It is a room of its own: observed as its channel is, and answered in."""
    twin, lounge = stage.twin, stage.twin.guilds["Lounge"]
    ana, ben = twin.people["ana"], twin.people["ben"]
    thread = await twin.thread(lounge["random"], ana, "holidays")
    await twin.says(thread, ana, "le chalet appartient à Ludmilla")
    assert "Ludmilla" in await stage.hears(thread, ben, "à qui appartient le chalet ?")
    assert "Ludmilla" in await stage.hears(lounge["lobby"], ben, "à qui appartient le chalet ?")


async def test_edits_and_deletions_are_followed(stage: Stage) -> None:
    """What was corrected is known as corrected, and what was taken back is not known."""
    twin, ben = stage.twin, stage.twin.people["ben"]
    room = await twin.opens(twin.guilds["Lounge"], "corrections")
    said = await twin.says(room, twin.people["ana"], "le dentiste s'appelle Quentin")
    assert "Quentin" in await stage.hears(room, ben, "comment s'appelle le dentiste ?")
    await twin.edits(said, "le dentiste s'appelle Barnabé")
    corrected = await stage.hears(room, twin.people["cleo"], "comment s'appelle le dentiste ?")
    assert "Barnabé" in corrected
    assert "Quentin" not in corrected
    more = await twin.says(room, twin.people["ana"], "le dentiste Barnabé habite à Oslo")
    await twin.deletes(said, more)
    gone = await stage.hears(room, twin.people["cleo"], "où habite le dentiste ?")
    assert "Oslo" not in gone


async def test_what_was_learnt_from_a_message_goes_with_it(stage: Stage) -> None:
    """Also after a digest has made a memory of it."""
    twin, lounge = stage.twin, stage.twin.guilds["Lounge"]
    ana, ben = twin.people["ana"], twin.people["ben"]
    said = await twin.says(lounge["lobby"], ana, "J'ai un hamster qui s'appelle Firmin")
    await stage.is_done(lounge["lobby"], ana)
    await stage.daemon.does("digest")
    learnt = "SELECT count(*) FROM memories WHERE content LIKE '%Firmin%'"
    assert stage.kept(learnt) != [(0,)]
    await twin.deletes(said)
    gone = await stage.hears(lounge["lobby"], ben, "comment s'appelle le hamster de ana ?")
    assert "Firmin" not in gone
    assert stage.kept(learnt + " AND forgotten_at IS NULL") == [(0,)]


async def test_thanks_get_a_reaction(stage: Stage) -> None:
    """A message would be too much."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    room = await twin.opens(twin.guilds["Lounge"], "thanks")
    thanks = await stage.asks(room, ana, "merci !")
    ((who, emoji),) = await twin.seen.reactions(thanks, 1)
    assert who == twin.bot.id
    await stage.is_done(room, ana)
    assert await stage.answers(room, thanks) == []
    assert await twin.seen.reactions(thanks) == [(who, emoji)]


async def test_programs_and_the_platform_itself_are_not_heard(stage: Stage) -> None:
    """Neither another bot, nor a webhook, nor a notice of Discord, whatever they call it."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    room = await twin.opens(twin.guilds["Lounge"], "programs")
    calls = f"{twin.bot.mention} le mot de passe est Xylophone"
    robot = await twin.says(room, twin.people["robot"], calls)
    hook = await twin.webhook_says(room, "news", calls)
    notice = await twin.says(room, ana, "", kind=7)
    await stage.is_done(room, ana)
    for message in (robot, hook, notice):
        assert await stage.answers(room, message) == []
        assert stage.kept("SELECT id FROM messages WHERE external_id = ?", message) == []


async def test_an_event_that_comes_twice_is_one_message(stage: Stage) -> None:
    """Stored once, answered once."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    room = await twin.opens(twin.guilds["Lounge"], "twice")
    asked = await stage.asks(room, ana, "bonsoir")
    await twin.troubles.repeats(asked)
    await stage.answer(room, asked)
    await twin.troubles.repeats(asked)
    assert await stage.only_answer(room, ana, asked)
    stored = "SELECT count(*) FROM messages WHERE platform = 'discord' AND external_id = ?"
    assert stage.kept(stored, asked) == [(1,)]


async def test_what_it_quotes_calls_nobody(stage: Stage) -> None:
    """A memory may say @everyone; its words then call no more than who asked."""
    twin, room = stage.twin, await stage.twin.opens(stage.twin.guilds["Lounge"], "calls")
    loud = f"@everyone la fanfare <@{twin.people['cleo'].id}> joue à Nivelles @here"
    await twin.says(room, twin.people["ana"], loud)
    asked = await stage.asks(room, twin.people["ben"], "où joue la fanfare ?")
    reply = await stage.answer(room, asked)
    assert "Nivelles" in reply["content"]
    assert not reply["mention_everyone"]
    assert "everyone" not in reply["allowed_mentions"]["parse"]
    assert {each["id"] for each in reply["mentions"]} <= {twin.people["ben"].id}


async def test_files_are_noted(stage: Stage) -> None:
    """What a file was called is part of what was said."""
    twin, room = stage.twin, await stage.twin.opens(stage.twin.guilds["Lounge"], "files")
    plan = File(name="plan-du-jardin.pdf", content=b"%PDF", content_type="application/pdf")
    said = await twin.says(room, twin.people["ana"], "voilà", attachments=[plan])
    await stage.is_done(room, twin.people["ana"])
    ((text,),) = stage.kept("SELECT text FROM messages WHERE external_id = ?", said)
    assert "plan-du-jardin.pdf" in text


async def test_in_a_new_guild_it_is_at_home_at_once(stage: Stage) -> None:
    """What is said there is overheard and answered without another start."""
    twin = stage.twin
    club = await twin.joins("Club", ["hall", "garden"])
    await twin.says(club["garden"], twin.people["ana"], "les clés sont chez Wilhelmine")
    told = await stage.hears(club["hall"], twin.people["ben"], "chez qui sont les clés ?")
    assert "Wilhelmine" in told
