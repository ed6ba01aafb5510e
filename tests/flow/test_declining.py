"""What is typed as a command and is no order: a no to what was offered, a name that is none."""

from pathlib import Path

import pytest

from bot.channels.local.hub import LOBBY as LOCAL_LOBBY
from bot.channels.local.hub import direct_room
from bot.commands.syntax import name_in, nearest
from bot.model.events import AuthorRef
from bot.texts.catalogue import say
from config.sections.pet import AdminSettings
from tests.flow.owning import owned, typed
from tests.flow.test_forgetting_in_chat import ask, offline, recalled

TOM = AuthorRef(platform="web", external_id="tom", name="Tom")
NOTHING_LEFT = "There is nothing to confirm: ask again"


@pytest.mark.parametrize("no", ["no", "Non !", "annuler", "/forget cancel", "/forget non"])
async def test_a_no_drops_what_was_shown(tmp_path: Path, no: str) -> None:
    """Afterwards there is nothing left to confirm, and nothing was forgotten."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "I love rugby")
        await ask(app, "/forget rugby")
        assert await ask(app, no) == "I forget nothing, then."
        assert (await ask(app, "/forget confirm")).startswith(NOTHING_LEFT)
        assert await recalled(app) == ["David: I love rugby"]


async def test_a_no_to_anything_else_is_a_word_to_the_pet(tmp_path: Path) -> None:
    """Before anything was offered, once something else was said, and from somebody else."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "I love rugby")
        assert await ask(app, "no") != "I forget nothing, then."
        await ask(app, "/forget rugby")
        assert await ask(app, "no", "Tom") != "I forget nothing, then."
        await ask(app, "wait, what time is it?")
        assert await ask(app, "no") != "I forget nothing, then."
        assert (await ask(app, "/forget confirm")).startswith("Forgotten: ")


async def test_to_annul_with_nothing_to_decline_is_to_undo(tmp_path: Path) -> None:
    """In French it is one word for both."""
    async with offline(tmp_path, locale="fr") as app:
        await ask(app, "j'adore le judo")
        await ask(app, "/forget judo")
        await ask(app, "/forget confirm")
        assert await ask(app, "/forget annuler") == "Tout est revenu."
        assert await ask(app, "/forget non") == "Il n'y avait plus rien à confirmer."


@pytest.mark.parametrize("later", ["/forget bicycle", "/forget the"])
async def test_a_preview_of_nothing_leaves_nothing_older_to_confirm(
    tmp_path: Path, later: str
) -> None:
    """What is confirmed is what was shown last, and that was nothing."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "I love rugby")
        await ask(app, "/forget rugby")
        assert not (await ask(app, later)).startswith("I would forget")
        assert (await ask(app, "/forget confirm")).startswith(NOTHING_LEFT)
        assert await recalled(app) == ["David: I love rugby"]


@pytest.mark.parametrize(
    ("locale", "text", "answer"),
    [
        ("en", "/forgt it", "I know no /forgt. Do you mean /forget? /help says what there is."),
        ("fr", "/lnk", "Je ne connais pas /lnk. Veux-tu dire /link ? /aide dit ce qu'il y a."),
        (
            "fr",
            "/oublié",
            "Je ne connais pas /oublié. Veux-tu dire /oublier ? /aide dit ce qu'il y a.",
        ),
        ("en", "/zzzzzz", "I know no /zzzzzz; /help says what you can ask me to do."),
    ],
)
async def test_what_is_written_like_a_command_is_answered_as_one(
    tmp_path: Path, locale: str, text: str, answer: str
) -> None:
    """With the nearest there is, for whoever may use it."""
    async with offline(tmp_path, locale=locale) as app:
        assert await ask(app, text) == answer


async def test_a_command_is_answered_in_the_language_of_the_name_that_was_typed(
    tmp_path: Path,
) -> None:
    """A French word is asked in French, whatever the pet's own language; the English is all's."""
    async with offline(tmp_path, locale="en") as app:
        assert "ce que tu peux me demander" in await ask(app, "/aide")
        assert "what you can ask me to do" in await ask(app, "/help")
        assert "te demande d'abord" in await ask(app, "/oublier")
    async with offline(tmp_path / "fr", locale="fr") as app:
        assert "ce que tu peux me demander" in await ask(app, "/help")


async def test_a_command_that_others_have_is_not_named(tmp_path: Path) -> None:
    """It would be refused anyway."""
    async with offline(tmp_path, locale="en") as app:
        assert "/digest?" in await ask(app, "/digset")
        assert "/digest?" not in await typed(app, "/digset", TOM, direct_room(TOM))


@pytest.mark.parametrize("text", ["/var/eko is full", "/ what", "/1 of them", "a /forgt"])
async def test_other_words_with_a_slash_are_for_the_pet(tmp_path: Path, text: str) -> None:
    """A path is no command."""
    assert name_in(text) is None
    async with offline(tmp_path, locale="en") as app:
        assert "I know no /" not in await ask(app, text)


async def test_in_a_lobby_what_is_no_command_is_nobodys_business(tmp_path: Path) -> None:
    """It may be one of another bot."""
    async with owned(tmp_path) as owner:
        await owner.app.hub.say(LOCAL_LOBBY, TOM, "/roll 6")
        assert (await typed(owner.app, "/help", TOM, LOCAL_LOBBY)).startswith("/que-sais-tu")


@pytest.mark.parametrize("text", ["@Eko /help", "Eko, /help", "Eko: /HELP"])
async def test_a_command_may_stand_behind_the_name(tmp_path: Path, text: str) -> None:
    """People call a bot before they tell it something."""
    async with owned(tmp_path) as owner:
        assert (await typed(owner.app, text, TOM, LOCAL_LOBBY)).startswith("/que-sais-tu")


async def test_a_name_of_no_command_behind_the_pet_s_is_answered_as_one(tmp_path: Path) -> None:
    """Nobody else was meant."""
    async with owned(tmp_path) as owner:
        told = await typed(owner.app, "@Eko /forgt it", TOM, LOCAL_LOBBY)
        assert told.startswith("Je ne connais pas /forgt. Veux-tu dire /forget ?")


def test_the_nearest_command_is_one_of_the_table() -> None:
    """By its first word; nothing where nothing is near."""
    assert nearest("setings", ["settings get", "settings set"]) == "settings"
    assert nearest("zzzzzz", ["settings get"]) is None


@pytest.mark.parametrize("locale", ["en", "fr"])
async def test_help_lists_what_managers_can_do_under_a_heading(tmp_path: Path, locale: str) -> None:
    """After everything that anybody can do, which has no heading where there is nothing else."""
    admins = AdminSettings(identities=("console:Ada",))
    async with offline(tmp_path, locale=locale, admins=admins) as app:
        own, _, managing = (await ask(app, "/help", "Ada")).partition("\n\n")
        heading = say("command.managing", locale)
        assert managing.startswith(f"{heading}\n/memory search ")
        assert "/doctor" not in own
        assert own.splitlines()[-1].startswith("/help" if locale == "en" else "/aide")
        assert heading not in await ask(app, "/help")
