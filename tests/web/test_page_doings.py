"""What people do on the page in a real browser beside talking; and what becomes of its stream."""

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browsing import (
    NEEDS_CHROMIUM,
    PHONE,
    WIDE,
    Arrivals,
    browser_of_machine,
    free_port,
    serving,
)

pytestmark = NEEDS_CHROMIUM


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser of this machine."""
    with browser_of_machine() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A daemon for all tests of this file, which say different things in its lobby."""
    with serving(free_port(), tmp_path_factory.mktemp("daemon")) as url:
        yield url


@pytest.fixture
def arrive(chromium: Browser, address: str) -> Iterator[Arrivals]:
    """Opens the page in a fresh browser; complains about errors and foreign requests at the end."""
    arrivals = Arrivals(chromium, address)
    yield arrivals
    arrivals.judge()


def test_words_are_changed_and_taken_back_for_everybody(arrive: Arrivals) -> None:
    """By their author alone; others see the new words, and then none."""
    lea, tom = arrive().enter("Léa"), arrive().enter("Tom")
    word = uuid4().hex
    lea.say(lea.lobby_box, f"{word} first")
    theirs = tom.line(word)
    theirs.hover()
    theirs.get_by_role("button", name="What you can do with this message").click()
    expect(theirs.get_by_role("button", name="Edit")).to_have_count(0)
    lea.act(lea.line(word), "Edit")
    expect(lea.lobby_box).to_have_value(f"{word} first")
    lea.say(lea.lobby_box, f"{word} **second**")
    for visitor in (lea, tom):
        expect(visitor.line(word).locator("strong")).to_have_text("second")
        expect(visitor.line(word)).to_contain_text("edited")
    lea.page.once("dialog", lambda dialog: dialog.accept())
    lea.act(lea.line(word), "Delete")
    for visitor in (lea, tom):
        expect(visitor.line(word)).to_have_count(0)


def test_reactions_are_put_by_mouse_and_keyboard_and_seen_by_all(arrive: Arrivals) -> None:
    """From the menu of a line, then by pressing what is there; they stay through an edit."""
    lea, tom = arrive().enter("Léa"), arrive().enter("Tom")
    word = uuid4().hex
    lea.say(lea.lobby_box, word)
    tom.act(tom.line(word), "🎉")
    for visitor in (lea, tom):
        expect(visitor.line(word).get_by_role("button", name="🎉, from Tom")).to_have_text("🎉 1")
    chip = lea.line(word).locator(".reactions button")
    chip.focus()
    lea.page.keyboard.press("Enter")
    expect(chip).to_have_text("🎉 2")
    expect(chip).to_be_focused()
    expect(chip).to_have_attribute("aria-pressed", "true")
    lea.act(lea.line(word), "Edit")
    expect(lea.lobby_box).to_have_value(word)
    lea.say(lea.lobby_box, f"{word} again")
    expect(
        tom.line(f"{word} again").get_by_role("button", name="🎉, from Tom, Léa")
    ).to_be_visible()
    lea.page.reload()
    lea.follows()
    chip.click()
    expect(tom.line(word).locator(".reactions button")).to_have_text("🎉 1")
    tom.line(word).locator(".reactions button").click()
    for visitor in (lea, tom):
        expect(visitor.line(word).locator(".reactions")).to_have_count(0)


def test_without_script_one_reacts_and_changes_by_the_page_of_a_message(arrive: Arrivals) -> None:
    """On a phone, by taps alone."""
    lea = arrive(java_script_enabled=False, viewport=PHONE)
    lea.page.get_by_label("Your name").fill("Léa")
    lea.page.get_by_role("button", name="Come in").click()
    lea.page.get_by_role("link", name="Lobby").click()
    word = uuid4().hex
    lea.lobby_box.fill(word)
    lea.room("Lobby").get_by_role("button", name="Send").click()
    more = lea.line(word).get_by_role("link", name="What you can do with this message")
    more.click()
    assert not lea.overflows()
    lea.page.get_by_role("button", name="👍").first.click()
    expect(lea.line(word).get_by_role("button", name="👍, from Léa")).to_be_visible()
    more.click()
    lea.page.get_by_label("You are changing a message").fill(f"{word} changed")
    lea.page.get_by_role("button", name="Edit").click()
    expect(lea.line(f"{word} changed")).to_be_visible()
    more.click()
    lea.page.get_by_role("button", name="Delete").click()
    expect(lea.line(word)).to_have_count(0)


def test_a_reply_leads_to_what_it_is_to(arrive: Arrivals) -> None:
    """Quoted above it, for everybody; Escape gives it up."""
    lea, tom = arrive().enter("Léa"), arrive().enter("Tom")
    word = uuid4().hex
    lea.say(lea.lobby_box, f"{word} shall we?")
    tom.act(tom.line(word), "Reply")
    expect(tom.room("Lobby").get_by_text("You reply to Léa")).to_be_visible()
    tom.lobby_box.press("Escape")
    expect(tom.room("Lobby").get_by_text("You reply to Léa")).to_be_hidden()
    tom.act(tom.line(word), "Reply")
    answer = uuid4().hex
    tom.say(tom.lobby_box, answer)
    for visitor in (lea, tom):
        expect(visitor.line(answer).locator(".quoted")).to_contain_text(f"Léa {word} shall we?")


def test_the_keyboard_reaches_every_line(arrive: Arrivals) -> None:
    """The newest by Tab, the others by arrows; Escape leaves the menu where it was opened."""
    lea = arrive().enter("Léa")
    for number in range(3):
        lea.say(lea.private_box, f"line {number}")
        expect(lea.room("Just us").get_by_text(f"You said: line {number}")).to_be_visible()
    lea.room("Just us").get_by_role("log").focus()
    lea.page.keyboard.press("Tab")
    lea.page.keyboard.press("ArrowUp")
    focused = lea.page.locator(":focus")
    expect(focused).to_have_accessible_name("What you can do with this message")
    lea.page.keyboard.press("Enter")
    expect(focused).to_have_text("Reply")
    lea.page.keyboard.press("Escape")
    expect(focused).to_have_accessible_name("What you can do with this message")


def test_a_slash_shows_the_commands(arrive: Arrivals) -> None:
    """With what they are for; it narrows while one types, and the keyboard chooses."""
    lea = arrive().enter("Léa")
    lea.private_box.press_sequentially("/")
    menu = lea.room("Just us").get_by_role("listbox", name="Commands")
    expect(menu.get_by_role("option").filter(has_text="/export")).to_be_visible()
    lea.private_box.press_sequentially("exp")
    expect(menu.get_by_role("option", selected=True)).to_contain_text("/export")
    lea.private_box.press("Enter")
    expect(lea.private_box).to_have_value("/export")
    expect(menu).to_be_hidden()
    lea.private_box.fill("")
    lea.private_box.press_sequentially("/p")
    lea.private_box.press("Escape")
    expect(menu).to_be_hidden()
    expect(lea.private_box).to_have_value("/p")


def test_links_and_markdown_are_drawn(arrive: Arrivals) -> None:
    """In what people say, as they say it."""
    lea = arrive().enter("Léa")
    lea.say(lea.private_box, "see **this**: https://e.example/a\n- one\n- two")
    said = lea.room("Just us").locator("article.person")
    expect(said.locator("a")).to_have_attribute("href", "https://e.example/a")
    expect(said.locator("a")).to_have_attribute("rel", "noopener noreferrer nofollow")
    expect(said.locator("li")).to_have_count(2)


def test_a_pets_face_stays_on_what_it_answered(arrive: Arrivals) -> None:
    """At once, and after a reload on the answer itself."""
    lea = arrive().enter("Léa")
    lea.say(lea.private_box, "make a face: love")
    asked = lea.room("Just us").locator("article.person")
    expect(asked.get_by_role("img", name="Eko is full of love about this")).to_be_visible()


def test_one_sees_who_is_here(arrive: Arrivals) -> None:
    """The names of the others, as they come and go."""
    lea = arrive().enter(f"Léa {uuid4().hex[:6]}")
    name = f"Tom {uuid4().hex[:6]}"
    tom = arrive().enter(name)
    here = lea.room("Lobby").locator(".here")
    expect(here).to_contain_text(name)
    tom.page.context.close()
    expect(here).not_to_contain_text(name)


def test_a_return_begins_where_one_left(arrive: Arrivals) -> None:
    """What was said meanwhile stands behind a mark."""
    lea, tom = arrive().enter("Léa"), arrive().enter("Tom")
    before, after = uuid4().hex, uuid4().hex
    tom.say(tom.lobby_box, before)
    expect(lea.line(before)).to_be_visible()
    lea.page.goto("about:blank")
    tom.say(tom.lobby_box, after)
    expect(tom.line(after)).to_be_visible()
    lea.page.go_back()
    lea.follows()
    mark = lea.room("Lobby").get_by_text("New since you left")
    expect(mark).to_be_visible()
    expect(lea.page.locator(f".divider + article:has-text('{after}')")).to_be_visible()


def test_ten_tabs_share_one_stream(arrive: Arrivals) -> None:
    """None has its own: a browser opens six connections to a host, and would wait for itself."""
    lea = arrive().enter("Léa")
    context = lea.page.context
    tabs = [lea, *(arrive.tab(context.new_page()).follows() for _ in range(9))]
    word = uuid4().hex
    tabs[-1].say(tabs[-1].lobby_box, word)
    for tab in tabs:
        expect(tab.line(word)).to_have_count(1)
    assert [tab.asked.count("/events") for tab in tabs] == [0] * 10


def test_a_browser_without_shared_workers_has_a_stream_of_its_own(arrive: Arrivals) -> None:
    """As some phones have none."""
    lea = arrive()
    lea.page.add_init_script("delete globalThis.SharedWorker")
    lea.enter("Léa")
    assert "/events" in lea.asked
    word = uuid4().hex
    lea.say(lea.lobby_box, word)
    expect(lea.line(word)).to_have_count(1)


def test_what_was_said_while_the_connection_was_cut_is_told(arrive: Arrivals) -> None:
    """Once, in its order, without a reload of the page."""
    lea, tom = arrive(), arrive().enter("Tom")
    lea.page.add_init_script("delete globalThis.SharedWorker")  # only a page can be cut off
    lea.enter("Léa")
    lea.page.evaluate("globalThis.stays = true")
    word = uuid4().hex
    for number in range(3):
        lea.page.context.set_offline(True)
        lea.page.wait_for_timeout(100)
        tom.say(tom.lobby_box, f"{word} {number}")
        expect(tom.line(f"{word} {number}")).to_be_visible()
        lea.page.context.set_offline(False)
        expect(lea.line(f"{word} {number}")).to_be_visible()
    expect(lea.line(word)).to_have_count(3)
    assert lea.page.evaluate("globalThis.stays")
    lea.complaints = [one for one in lea.complaints if "ERR_INTERNET_DISCONNECTED" not in one]


def test_a_silent_proxy_is_polled_around(arrive: Arrivals) -> None:
    """Where the stream brings nothing, the page asks now and then."""
    lea, tom = arrive(), arrive().enter("Tom")
    lea.page.add_init_script(
        """delete globalThis.SharedWorker;
        globalThis.EventSource = class extends EventTarget { close() {} };
        const now = Date.now;
        Date.now = () => now() + (globalThis.later || 0);"""
    )
    lea.page.get_by_label("Your name").fill("Léa")
    lea.page.get_by_role("button", name="Come in").click()
    expect(lea.page.locator("html.js")).to_be_attached()
    word = uuid4().hex
    tom.say(tom.lobby_box, word)
    lea.page.evaluate("globalThis.later = 41000")
    expect(lea.line(word)).to_have_count(1)


def test_without_script_one_reads_and_talks_by_reload(arrive: Arrivals) -> None:
    """Both rooms, on a phone too; the newest words are in sight."""
    for viewport in (WIDE, PHONE):
        lea = arrive(java_script_enabled=False, viewport=viewport)
        lea.page.get_by_label("Your name").fill("Léa")
        lea.page.get_by_role("button", name="Come in").click()
        word = uuid4().hex
        if viewport is PHONE:
            lea.page.get_by_role("link", name="Lobby").click()
        lea.lobby_box.fill(word)
        lea.room("Lobby").get_by_role("button", name="Send").click()
        expect(lea.line(word)).to_be_in_viewport()
        assert not lea.overflows()


def test_ones_own_data_is_two_taps_away(arrive: Arrivals) -> None:
    """And the answer is there."""
    lea = arrive(viewport=PHONE, has_touch=True).enter("Léa")
    lea.page.get_by_role("link", name="My data").tap()
    lea.page.get_by_role("button", name="What do you know about me?").tap()
    expect(lea.page.get_by_role("heading", name="My answer")).to_be_visible()
    expect(lea.page.locator(".answer strong")).to_have_text("nothing")
    assert not lea.overflows()


def test_a_picture_is_made_small_and_sent(arrive: Arrivals, tmp_path: Path) -> None:
    """It is named in the line; what is none comes back with a sentence."""
    lea = arrive().enter("Léa")
    icon = Path(__file__).parents[2] / "bot/web/assets/page/icon-512.png"
    chooser = lea.room("Just us").get_by_label("Add a picture")
    chooser.set_input_files(str(icon))
    expect(lea.room("Just us").get_by_text("Picture: icon-512.png")).to_be_visible()
    lea.say(lea.private_box, "look at this")
    expect(lea.line("look at this").first).to_contain_text("icon-512.png")
    none = tmp_path / "none.png"
    none.write_bytes(b"<svg/>")
    chooser.set_input_files(str(none))
    lea.say(lea.private_box, "and this")
    expect(lea.room("Just us").get_by_role("alert")).to_contain_text("no picture")
    expect(lea.private_box).to_have_value("and this")


def test_a_voice_note_is_recorded_and_sent(arrive: Arrivals) -> None:
    """By two presses; one that is stopped goes nowhere, and the words in the box stay."""
    lea = arrive().enter("Léa")
    room = lea.room("Just us")
    record = room.get_by_role("button", name="Record a voice note")
    told = room.get_by_text("I am listening: press again to send it.")
    record.click()
    expect(told).to_be_visible()
    room.get_by_role("button", name="Stop").click()
    expect(told).to_be_hidden()
    expect(record).to_have_attribute("aria-pressed", "false")
    record.click()
    expect(record).to_have_attribute("aria-pressed", "true")
    lea.page.wait_for_timeout(300)
    record.click()
    expect(lea.line("voice note")).to_have_count(1)
    expect(record).to_have_attribute("aria-pressed", "false")


def test_notifications_come_where_they_were_asked_for(arrive: Arrivals) -> None:
    """While nobody looks at the page, by one's own wish alone."""
    lea, tom = arrive(permissions=["notifications"]), arrive().enter("Tom")
    lea.page.add_init_script(
        """globalThis.shown = [];
        globalThis.Notification = class extends EventTarget {
          static permission = "granted";
          static async requestPermission() { return "granted"; }
          constructor(title, options) { super(); shown.push([title, options.body]); }
        };"""
    )
    lea.enter("Léa")
    hide = "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
    lea.page.evaluate(hide)
    one, two = uuid4().hex, uuid4().hex
    tom.say(tom.lobby_box, one)
    expect(lea.line(one)).to_have_count(1)
    assert lea.page.evaluate("shown") == []
    lea.page.get_by_role("button", name="Tell me of news").click()
    tom.say(tom.lobby_box, f"**{two}**")
    expect(lea.line(two)).to_have_count(1)
    assert lea.page.evaluate("shown") == [["Tom", two]]


def test_a_first_visitor_reads_what_it_is(arrive: Arrivals) -> None:
    """Until something was said."""
    lea = arrive().enter("Léa")
    card = lea.page.get_by_role("region", name="A first word")
    expect(card).to_contain_text("I have no language model yet")
    lea.say(lea.private_box, "hello")
    expect(card).to_be_hidden()


def test_a_restart_brings_what_was_said_meanwhile(arrive: Arrivals, tmp_path: Path) -> None:
    """The rooms are read anew where the stream cannot tell, in the same page."""
    port = free_port()
    with serving(port, tmp_path) as url:
        lea = arrive(url).enter("Léa")
        lea.page.evaluate("globalThis.stays = true")
    (tmp_path / "lobby.json").write_text(json.dumps([["person", "Zoé", "said meanwhile"]]))
    with serving(port, tmp_path):
        expect(lea.room("Lobby").get_by_text("said meanwhile")).to_be_visible()
        assert lea.page.evaluate("globalThis.stays")
