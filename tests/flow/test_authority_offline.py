"""The same without a model: rules read a wish to forget, and the wish reaches one's own words."""

from pathlib import Path

import pytest

from bot.channels.local.hub import LOBBY as HERE
from bot.model.events import AuthorRef
from bot.wiring.app import App
from config.sections.pet import AdminSettings
from tests.cast import DAVID, MICKAEL, direct
from tests.cast import LOBBY as HALL
from tests.flow.owning import owned, typed
from tests.flow.test_forgetting_in_chat import offline, recalled

LEA, EVE = (AuthorRef(platform="web", external_id=one, name=one) for one in ("Lea", "Eve"))

ALLERGY = {
    "en": (
        "Eko, I am allergic to cats",
        "Eko, forget that Lea is allergic to cats",
        "Eko, forget that I am allergic to cats",
        "That is Lea's word: I can only forget what you told me yourself.",
        "Eko, yes",
    ),
    "fr": (
        "Eko, je suis allergique aux arachides",
        "Eko, oublie que Lea est allergique aux arachides",
        "Eko, oublie que je suis allergique aux arachides",
        "C'est Lea qui me l'a dit : je ne peux oublier que ce que tu m'as dit toi-même.",
        "Eko, oui",
    ),
}


async def says(app: App, who: AuthorRef, text: str) -> str:
    """What the pet answers in the lobby that everybody reads."""
    return await typed(app, text, who, HERE)


@pytest.mark.parametrize("locale", ALLERGY)
@pytest.mark.parametrize("admins", [(), ("web:*",)])
async def test_a_visitor_has_nothing_forgotten_that_another_said(
    tmp_path: Path, locale: str, admins: tuple[str, ...]
) -> None:
    """Told honestly whose word it is; talk reaches no further where they are the operator."""
    told, wish, _, answer, yes = ALLERGY[locale]
    settings = {"locale": locale, "admins": AdminSettings(identities=admins)}
    async with offline(tmp_path, **settings) as app:
        await says(app, LEA, told)
        (known,) = await recalled(app)
        assert await says(app, EVE, wish) == answer
        await says(app, EVE, yes)
        assert await recalled(app) == [known]


@pytest.mark.parametrize("locale", ALLERGY)
async def test_ones_own_word_is_shown_before_it_is_forgotten(tmp_path: Path, locale: str) -> None:
    """And forgotten when its author says yes, in another message."""
    told, _, wish, _, yes = ALLERGY[locale]
    async with offline(tmp_path, locale=locale) as app:
        await says(app, LEA, told)
        (known,) = await recalled(app)
        assert "1 " in await says(app, LEA, wish)
        await says(app, EVE, yes)
        assert await recalled(app) == [known]
        await says(app, LEA, wish)
        await says(app, LEA, yes)
        assert await recalled(app) == []


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("en", "1 statement of others about you will be recalled no more; it stays theirs."),
        ("fr", "1 chose que d'autres ont dite de toi ne sera plus rappelée ; elle reste leur"),
    ],
)
async def test_forget_me_says_what_will_only_be_recalled_no_more(
    tmp_path: Path, locale: str, told: str
) -> None:
    """Counted apart from what goes; its author is still told it is theirs."""
    async with owned(tmp_path, locale) as owner:
        await owner.told("Mickael trouve que David ronfle", MICKAEL, HALL, about_person=None)
        about = {"subjects": ("David",), "about_person": await owner.person(DAVID)}
        await owner.told("David ronfle", MICKAEL, HALL, **about)
        shown = await owner.uses("forget-me", where=direct(DAVID), locale=locale)
        assert told in shown.text
        token = shown.actions[0].arguments["token"]
        done = await owner.uses(
            "forget-me", where=direct(DAVID), locale=locale, confirm="yes", token=token
        )
        assert "1 " in done.text
        assert await owner.contents() == ["Mickael trouve que David ronfle"]
