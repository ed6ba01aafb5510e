"""What visitors can do about what is kept of them, and the menu of commands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.channels.local.hub import direct_room
from bot.model.commands import Action, Answer, Attached, Authority
from tests.table import real_table
from tests.web.served_page import ServedPage, serving_page, tags_of


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[ServedPage]:
    """The page of a pet."""
    async with serving_page(tmp_path) as page:
        yield page


async def test_ones_own_data_is_two_taps_away(served: ServedPage) -> None:
    """A link on the page, then a button for each, from seeing what there is to forgetting it."""
    visit = await served.visitor("Léa")
    assert "/me" in {one["href"] for one in tags_of(await visit.page(), "a")}
    fields = tags_of(await visit.page("/me"), "input")
    called = [one["value"] for one in fields if one["name"] == "command"]
    assert set(called) == {
        "what-do-you-know",
        "export",
        "privacy",
        "notify-memories",
        "forget-me",
    }
    assert set(called) <= real_table().keys()


async def test_a_command_is_called_on_ones_own_behalf(served: ServedPage) -> None:
    """In one's own room and language; its answer is shown with what can be done next."""
    visit = await served.visitor("Léa", language="fr")
    forget = Action(
        label="Forget <it>", command="forget-me", arguments={"confirm": "yes"}, destroys=True
    )
    served.commands.answer = Answer(text="I know **nothing** <b>", actions=(forget,))
    answer = await visit.client.post("/me", data={"command": "privacy", "given_reading": "off"})
    (invoked,) = served.commands.called
    assert (invoked.command, dict(invoked.arguments)) == ("privacy", {"reading": "off"})
    assert (invoked.room, invoked.locale) == (direct_room(invoked.author), "fr")
    assert invoked.manages_space is False
    assert "I know <strong>nothing</strong> &lt;b&gt;" in answer.text
    assert "Forget &lt;it&gt;" in answer.text
    fields = [(one["name"], one["value"]) for one in tags_of(answer.text, "input")]
    assert ("given_confirm", "yes") in fields


async def test_an_export_is_a_file(served: ServedPage) -> None:
    """Whatever it is called, the browser saves it and shows nothing of it."""
    visit = await served.visitor("Léa")
    served.commands.answer = Answer(text="", file=Attached(name='a"\r\n.jsonl', content=b"{}"))
    answer = await visit.client.post("/me", data={"command": "export"})
    assert answer.content == b"{}"
    assert answer.headers["content-disposition"].startswith("attachment; filename*=UTF-8''a%22")
    assert answer.headers["content-type"] == "application/octet-stream"


async def test_commands_that_come_too_fast_are_not_called(served: ServedPage) -> None:
    """They count as what is typed to the pet."""
    visit = await served.visitor("Léa")
    served.commands.busy = True
    answer = await visit.client.post("/me", data={"command": "export"})
    assert answer.status_code == 429
    assert served.commands.called == []


async def test_the_menu_lists_what_a_visitor_may_call(served: ServedPage) -> None:
    """In their language, with what each is for; nothing that is refused to them."""
    table = real_table()
    allowed = [one for one in table.values() if one.needs is Authority.NONE]
    for language in ("en", "fr"):
        visit = await served.visitor("Léa", language=language)
        menu = await visit.page("/commands")
        lines = [str(one["data-line"]).strip() for one in tags_of(menu, "div")]
        assert lines == [f"/{one.called(language)}" for one in allowed]
        assert len(lines) < len(table)
