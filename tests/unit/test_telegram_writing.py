"""What the pet sends is as the Bot API takes it: entities, buttons, menus, reactions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.telegram.inbound.files import TelegramFiles
from bot.channels.telegram.interactions.keyboard import BUTTONS, carried_in, keyboard_of
from bot.channels.telegram.interactions.menu import lists_of
from bot.channels.telegram.outbound.entities import shown
from bot.channels.telegram.outbound.sender import reaction_of
from bot.channels.telegram.service.api import HttpBotApi
from bot.channels.telegram.webhook import secret_of
from bot.commands.button_data import CANCEL
from bot.model.commands import Action
from bot.platforms.paged_answer import AnswerPage, PageTurn
from tests.channels.telegram_rules import METHODS, BadRequest, check

_MARKED = st.lists(
    st.sampled_from(
        [
            *("**", "*", "~~", "`", "```\n", "```py\n", "> ", "# ", "- ", "1. ", "\n", "\n\n"),
            *("[a](https://b.c)", "[b](javascript:x)", "🦊", "word ", " ", "é", "\u200d", "[", "]"),
        ]
    ),
    max_size=25,
).map("".join)


def told(text: str) -> list[tuple[str, str]]:
    """What is marked in a text, and as what."""
    words, entities = shown(text)
    raw = words.encode("utf-16-le")
    places = [(one["type"], 2 * one["offset"], 2 * one["length"]) for one in entities]
    return [(kind, raw[at : at + size].decode("utf-16-le")) for kind, at, size in places]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("plain", []),
        ("🦊 **bold** 🐳 *it*", [("bold", "bold"), ("italic", "it")]),
        ("[**label**](https://eko.example/a)", [("text_link", "label"), ("bold", "label")]),
        ("**use `code` here**", [("bold", "use "), ("code", "code"), ("bold", " here")]),
        ("> a `b` c", [("blockquote", "a b c")]),
        ("> a [b](https://c.example)", [("text_link", "b")]),
        ("[x](tg://user?id=1)", []),
        ("```python\nprint(1)\n```", [("pre", "print(1)")]),
    ],
)
def test_marks_stand_where_they_are_meant(text: str, marks: list[tuple[str, str]]) -> None:
    """What Telegram lets no other contain is cut or left away; the words are all there."""
    assert told(text) == marks


def links(count: int) -> str:
    """A list of so many links."""
    return "\n".join(f"- [l{one}](https://e.example/{one})" for one in range(count))


@pytest.mark.parametrize("count", [40, 41, 100])
def test_a_hundred_links_are_drawn(count: int) -> None:
    """As many entities as Telegram takes."""
    assert told(links(count)) == [("text_link", f"l{one}") for one in range(count)]


def test_a_hundred_marks_are_drawn_among_links() -> None:
    """Whatever they are."""
    text = " ".join(f"**b{one}** [l{one}](https://e.example/{one})" for one in range(50))
    assert len(told(text)) == 100


def test_past_a_hundred_links_have_their_address_behind_them() -> None:
    """Nothing is lost that only a link had; other marks are left away."""
    words, entities = shown(links(103) + "\n**bold**")
    check("sendMessage", {"chat_id": 1, "text": words, "entities": entities})
    assert len(entities) == 100
    assert words.splitlines()[99:] == [
        "• l99",
        *(f"• l{one} (https://e.example/{one})" for one in (100, 101, 102)),
        "bold",
    ]


def test_far_past_a_hundred_the_text_is_shown_as_it_is_written() -> None:
    """With its signs: it would take too long to be read as more."""
    assert shown(links(130)) == (links(130), [])


@given(_MARKED)
def test_no_text_makes_entities_that_telegram_refuses(text: str) -> None:
    """By its rules of which may contain which, and of their places."""
    words, entities = shown(text)
    if words.strip():
        check("sendMessage", {"chat_id": 1, "text": words, "entities": entities})


def test_the_rules_refuse_what_is_not_as_documented() -> None:
    """So that the tests against them can fail."""
    bold = {"type": "bold", "offset": 0, "length": 2}
    code = {"type": "code", "offset": 1, "length": 2}
    for entities in ([bold | {"length": 9}], [bold, code], [bold | {"type": "big"}]):
        with pytest.raises(BadRequest):
            check("sendMessage", {"chat_id": 1, "text": "abcd", "entities": entities})
    for wrong in ({"text": "a", "chat_id": 1, "parse_mode": "HTML"}, {"chat_id": 1, "text": " "}):
        with pytest.raises(BadRequest):
            check("sendMessage", wrong)
    with pytest.raises(BadRequest):
        check("sendMessage", {"chat_id": 1, "text": "a" * 4097})
    assert "getUpdates" in METHODS


@given(st.integers(1, 2**52), st.text(st.characters(codec="ascii"), max_size=52))
def test_a_button_carries_who_asked_and_what_it_does(owner: int, data: str) -> None:
    """In the 64 bytes that it has."""
    action = Action(label="It", command="forget", arguments={"token": "x" * 8})
    page = AnswerPage(content="", actions=(action,), turn=PageTurn(mark="m", number=0), count=3)
    rows = keyboard_of(page, owner)
    check("sendMessage", {"chat_id": 1, "text": "a", "reply_markup": {"inline_keyboard": rows}})
    found = carried_in(rows[-1][0]["callback_data"])
    assert found is not None
    assert (found.owner, found.data) == (owner, BUTTONS.carried_by(action))
    carried_in(data)  # whatever is pressed is read


def test_what_destroys_can_be_declined() -> None:
    """By a button of its own."""
    action = Action(label="Forget", command="forget", destroys=True)
    rows = keyboard_of(AnswerPage(content="", actions=(action,)), 7)
    carried = [carried_in(row[0]["callback_data"]) for row in rows]
    assert carried[-1] is not None
    assert carried[-1].data == CANCEL


@pytest.mark.parametrize("data", ["", "|x", "x", "-1|x", "ABC|x", "zzzzzzzzzzzzz|x", "é|x"])
def test_what_no_button_of_the_pet_carries_is_none(data: str) -> None:
    """Programs can press anything."""
    assert carried_in(data) is None


def test_reactions_are_those_that_telegram_has() -> None:
    """With or without the selector that makes a sign an emoji."""
    assert reaction_of("❤️") == "❤"
    assert reaction_of("🤷‍♂️") == "🤷‍♂"
    assert (reaction_of("🦊"), reaction_of("ok")) == (None, None)


def test_the_secret_is_made_of_the_token_and_does_not_tell_it() -> None:
    """The same at each start, another one for another bot."""
    given_ = {"url": "https://a.example/webhooks/telegram", "secret_token": secret_of("1:a")}
    check("setWebhook", given_)
    assert secret_of("1:a") == secret_of(" 1:a ") != secret_of("1:b")
    assert "1:a" not in secret_of("1:a")


def test_the_menus_are_as_telegram_takes_them() -> None:
    """Of a table without commands, empty ones; those of the pet are tried on the server."""
    lists = lists_of({})
    for one in lists:
        check("setMyCommands", one)
    assert {one.get("language_code") for one in lists} == {None, "fr"}


async def test_a_file_of_another_service_is_none() -> None:
    """No request is made for it."""
    api = HttpBotApi("1:a", "http://127.0.0.1:9")
    assert await TelegramFiles(api).fetch("https://elsewhere.example/a.jpg", 10) is None
    assert await api.fetch("../../etc/passwd", 10) is None
    await api.close()
