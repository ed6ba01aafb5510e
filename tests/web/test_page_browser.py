"""The page in a real browser: what people read, say and see move."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from bot.model.turns import Expression
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
    folder = tmp_path_factory.mktemp("daemon")
    with serving(free_port(), folder) as url:
        yield url
    assert list(folder.iterdir()) == [], "the page writes nothing where the daemon runs"


@pytest.fixture
def arrive(chromium: Browser, address: str) -> Iterator[Arrivals]:
    """Opens the page in a fresh browser; complains about errors and foreign requests at the end."""
    arrivals = Arrivals(chromium, address)
    yield arrivals
    arrivals.judge()


def test_two_browsers_share_the_lobby_and_nothing_else(arrive: Arrivals) -> None:
    """Words and the pet's answer in the lobby show on both; private ones on one only."""
    lea, tom = arrive().enter("Léa"), arrive().enter("Tom")
    word, secret = uuid4().hex, uuid4().hex
    lea.say(lea.private_box, f"my secret {secret}")
    expect(lea.room("Just us")).to_contain_text(f"You said: my secret {secret}")
    lea.say(lea.lobby_box, f"Eko, {word} love")
    for visitor in (lea, tom):
        expect(visitor.room("Lobby")).to_contain_text(f"You said: Eko, {word} love")
        expect(visitor.room("Lobby").locator(".pet[role=img]")).to_have_attribute(
            "data-look", "love"
        )
    assert secret not in tom.page.content()
    tom.page.reload()
    tom.follows()
    expect(tom.room("Lobby")).to_contain_text(word)
    assert secret not in tom.page.content()


def test_a_reload_remembers_the_person_and_the_talk(arrive: Arrivals) -> None:
    """After a reload nobody is asked again, and the private talk is still there."""
    lea = arrive().enter("Léa")
    word = uuid4().hex
    lea.say(lea.private_box, word)
    expect(lea.room("Just us")).to_contain_text(f"You said: {word}")
    lea.page.reload()
    lea.follows()
    expect(lea.page.get_by_role("link", name="Change your name, Léa")).to_be_visible()
    expect(lea.room("Just us")).to_contain_text(f"You said: {word}")
    expect(lea.room("Just us").get_by_text(word)).to_have_count(2)


def test_the_face_shows_the_expression_of_each_answer(arrive: Arrivals) -> None:
    """Exactly the look that was answered is drawn, on the big face and on the line."""
    lea = arrive().enter("Léa")
    room = lea.room("Just us")
    face = room.locator(".head .pet")
    for look in reversed(Expression):
        lea.say(lea.private_box, f"make a face: {look}")
        expect(room.get_by_text(f"You said: make a face: {look}")).to_be_visible()
        expect(face).to_have_attribute("data-look", look.value)
        expect(face.locator(f".look.{look}")).to_have_css("opacity", "1")
        for other in set(Expression) - {look}:
            expect(face.locator(f".look.{other}")).to_have_css("opacity", "0")
        drawn = room.locator("article.pet").last.locator("use").last
        expect(drawn).to_have_attribute("href", f"#look-{look}")


def test_a_pet_that_writes_looks_thoughtful_and_says_so(arrive: Arrivals) -> None:
    """While the answer is awaited the page shows that it comes."""
    lea = arrive().enter("Léa")
    lea.say(lea.private_box, "let it think")
    expect(lea.room("Just us").get_by_role("status")).to_have_text("Eko is writing…")
    face = lea.room("Just us").locator(".head .pet")
    expect(face).to_have_attribute("data-look", "thinking")
    lea.say(lea.private_box, "now answer happy")
    expect(face).to_have_attribute("data-look", "happy")
    expect(lea.room("Just us").get_by_role("status")).to_have_text("")


def test_others_see_who_writes_in_the_lobby(arrive: Arrivals) -> None:
    """Keys pressed in the lobby show on the other page, not on one's own."""
    lea, tom = arrive().enter("Léa"), arrive().enter("Tom")
    lea.lobby_box.press_sequentially("hm")
    expect(tom.room("Lobby").get_by_role("status")).to_have_text("Léa is writing…")
    expect(lea.room("Lobby").get_by_role("status")).to_have_text("")


def test_hostile_words_are_words(arrive: Arrivals) -> None:
    """Markup and templates show as text; controls and direction marks go, as in what is kept."""
    bad = "<img src=x onerror='document.title=1'>"
    lea = arrive().enter(bad[:32])
    expect(lea.page.get_by_role("link", name="Change your name")).to_have_text(bad[:32])
    tom = arrive().enter("Tom")
    word = uuid4().hex
    hostile = f"{word}<script>alert(1)</script>{bad}{{{{ 1+1 }}}}&amp;`${{1}}\u202eabc\x1b[0m"
    lea.say(lea.lobby_box, hostile)
    for visitor in (lea, tom):
        shown = visitor.room("Lobby").locator(".words").filter(has_text=word)
        expect(shown).to_have_text(hostile.replace("\u202e", "").replace("\x1b[0m", ""))
        assert shown.locator(":not(p)").count() == 0
        assert visitor.page.title() == "Eko"
    tom.page.reload()
    tom.follows()
    expect(tom.room("Lobby").locator(".words").filter(has_text=word)).to_have_text(
        hostile.replace("\u202e", "").replace("\x1b[0m", "")
    )
    assert tom.page.title() == "Eko"


@pytest.mark.parametrize("viewport", [PHONE, WIDE])
def test_huge_words_break_no_layout(arrive: Arrivals, viewport: dict[str, int]) -> None:
    """A message without a space as long as can be stays inside its room."""
    lea = arrive(viewport=viewport).enter("W" * 32)
    lea.say(lea.private_box, "W" * 19_900)
    expect(lea.room("Just us").locator("article.pet")).to_be_visible()
    assert not lea.overflows()
    box, room = lea.private_box.bounding_box(), lea.room("Just us").bounding_box()
    assert box is not None
    assert room is not None
    assert box["y"] + box["height"] <= viewport["height"]
    assert room["x"] + room["width"] <= viewport["width"]


def test_too_long_words_are_kept_and_explained(arrive: Arrivals) -> None:
    """A message over the limit cannot be sent, stays in the box, and the page says why."""
    lea = arrive().enter("Léa")
    lea.say(lea.private_box, "a" * 20_001)
    expect(lea.room("Just us").get_by_role("alert")).to_contain_text("at most 20000")
    expect(lea.private_box).to_have_value("a" * 20_001)
    expect(lea.room("Just us").get_by_role("button", name="Send")).to_be_disabled()
    lea.private_box.fill("short")
    expect(lea.room("Just us").get_by_role("alert")).to_have_text("")


def test_enter_sends_and_shift_enter_breaks_the_line(arrive: Arrivals) -> None:
    """The keyboard is enough, and the box is ready for the next message."""
    lea = arrive().enter("Léa")
    lea.private_box.click()
    lea.page.keyboard.type("one")
    lea.page.keyboard.press("Shift+Enter")
    lea.page.keyboard.type("two")
    expect(lea.private_box).to_have_value("one\ntwo")
    lea.page.keyboard.press("Enter")
    expect(lea.room("Just us").locator("article.person .words")).to_have_text("one\ntwo")
    expect(lea.private_box).to_have_value("")
    expect(lea.private_box).to_be_focused()
    lea.page.keyboard.press("Enter")
    lea.say(lea.private_box, "three")
    expect(lea.room("Just us").get_by_text("You said: three")).to_be_visible()
    expect(lea.room("Just us").locator("article.person")).to_have_count(2)


def test_a_phone_has_tabs_with_news(arrive: Arrivals) -> None:
    """One room at a time; the other's tab is marked, and the arrow keys turn to it."""
    lea, tom = arrive(viewport=PHONE, has_touch=True).enter("Léa"), arrive().enter("Tom")
    private, lobby = (lea.page.get_by_role("tab", name=name) for name in ("Just us", "Lobby"))
    expect(private).to_have_attribute("aria-selected", "true")
    expect(lea.lobby_box).to_be_hidden()
    tom.say(tom.lobby_box, uuid4().hex)
    expect(lobby.get_by_role("img", name="New messages")).to_be_visible()
    assert not lea.overflows()
    private.press("ArrowRight")
    expect(lobby).to_be_focused()
    expect(lea.lobby_box).to_be_visible()
    expect(lea.private_box).to_be_hidden()
    expect(lobby.get_by_role("img")).to_have_count(0)
    lea.page.reload()
    lea.follows()
    expect(lea.lobby_box).to_be_visible()


def test_the_newest_line_is_followed_unless_one_reads_above(arrive: Arrivals) -> None:
    """The log scrolls with the talk; a reader who scrolled up is offered to come back."""
    lea = arrive().enter("Léa")
    for number in range(8):
        lea.say(lea.private_box, f"line {number}\n\n\n")
        expect(lea.room("Just us").get_by_text(f"You said: line {number}")).to_be_in_viewport()


def test_a_reader_who_scrolled_up_is_not_disturbed(arrive: Arrivals) -> None:
    """News do not move what is read; one button leads to them."""
    lea, tom = arrive().enter("Léa"), arrive().enter("Tom")
    lobby, word = lea.room("Lobby"), uuid4().hex
    for number in range(8):
        lea.say(lea.lobby_box, f"{word} line {number}\n\n\n.")
        expect(lobby.get_by_text(f"{word} line {number}")).to_be_in_viewport()
    news = lobby.get_by_role("button", name="New messages")
    expect(news).to_have_count(0)
    lobby.get_by_role("log").evaluate("log => { log.scrollTop = 0; }")
    tom.say(tom.lobby_box, f"{word} news")
    expect(news).to_be_visible()
    expect(lobby.get_by_text(f"{word} news")).not_to_be_in_viewport()
    news.click()
    expect(lobby.get_by_text(f"{word} news")).to_be_in_viewport()
    expect(news).to_have_count(0)


def test_the_page_itself_forbids_foreign_requests(arrive: Arrivals) -> None:
    """Even a script that got in could load nothing from elsewhere."""
    lea = arrive()
    blocked = lea.page.evaluate(
        """() => new Promise((resolve) => {
            addEventListener("securitypolicyviolation", (event) => resolve(event.blockedURI));
            new Image().src = "http://192.0.2.1/spy.png";
        })"""
    )
    assert blocked == "http://192.0.2.1/spy.png"
    assert "Content Security Policy" in lea.complaints.pop()
    lea.hosts.remove("192.0.2.1")


def test_light_and_dark_follow_the_system(arrive: Arrivals) -> None:
    """Text and ground change with the system's wish, readable in both (WCAG 2.2, 1.4.3)."""
    grounds = set()
    for scheme in ("light", "dark"):
        lea = arrive(color_scheme=scheme).enter(f"Léa {scheme}")
        colours = lea.page.evaluate(
            "() => { const style = getComputedStyle(document.body);"
            " return [style.color, style.backgroundColor]; }"
        )
        ink, ground = (luminance(colour) for colour in colours)
        assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) > 7
        grounds.add(colours[1])
    assert len(grounds) == 2


def luminance(colour: str) -> float:
    """Relative luminance of a CSS rgb() colour, in 0..1."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_nothing_moves_for_people_who_want_no_motion(arrive: Arrivals) -> None:
    """With reduced motion there is no animation; without, the pet breathes."""
    moving = "document.getAnimations().filter((one) => one.playState === 'running').length"
    assert arrive().enter("Léa").page.evaluate(moving) > 0
    assert arrive(reduced_motion="reduce").enter("Noé").page.evaluate(moving) == 0


def test_a_french_browser_reads_french(arrive: Arrivals) -> None:
    """Sentences, times and the page's declared language follow the browser."""
    lea = arrive(locale="fr-FR")
    lea.page.get_by_label("Ton nom").fill("Léa")
    lea.page.get_by_role("button", name="Entrer").click()
    expect(lea.page.get_by_role("region", name="Entre nous")).to_be_visible()
    assert lea.page.evaluate("document.documentElement.lang") == "fr"
    expect(lea.page.locator("#popup span").first).to_have_text("Je ne t’entends plus.")


def test_a_restarted_daemon_shows_its_history_again(arrive: Arrivals, tmp_path: Path) -> None:
    """When the daemon comes back the page does too, by itself, with everything said meanwhile."""
    port = free_port()
    huge = "x" * 100_000 + "<b>end</b>"
    with serving(port, tmp_path) as url:
        lea = arrive(url).enter("Léa")
    expect(lea.page.locator("#popup")).to_be_visible()
    lines = [["person", "Zoé", "said meanwhile"], ["person", "Mallory", huge]]
    (tmp_path / "lobby.json").write_text(json.dumps(lines))
    with serving(port, tmp_path):
        expect(lea.room("Lobby").get_by_text("said meanwhile")).to_be_visible()
        expect(lea.page.get_by_role("link", name="Change your name, Léa")).to_be_visible()
        expect(lea.room("Lobby").locator(".words").last).to_have_text(huge)
        assert not lea.overflows()


@pytest.mark.parametrize("viewport", [{"width": 390, "height": 844}, WIDE])
def test_what_was_kept_has_two_buttons(arrive: Arrivals, viewport: dict[str, int]) -> None:
    """Below the reply, whose face stays; one is done at once, the other is begun in the box."""
    lea = arrive(viewport=viewport).enter("Léa")
    word = uuid4().hex
    lea.say(lea.private_box, f"keep {word} love")
    note = lea.room("Just us").locator("article.line.system")
    expect(note).to_have_text(
        re.compile(rf"kept: {word} love \(in place of: it was so\)\s+Undo\s+Correct")
    )
    expect(lea.room("Just us").locator(".pet[role=img]")).to_have_attribute("data-look", "love")
    assert not lea.overflows()
    lea.private_box.fill("half a sentence")
    note.get_by_role("button", name="Undo").click()
    expect(lea.line("You said: /undo 1a2b3c4d")).to_be_visible()
    expect(lea.private_box).to_have_value("half a sentence")
    note.get_by_role("button", name="Correct").click()
    expect(lea.private_box).to_have_value("/correct 1a2b3c4d -> ")
    expect(lea.private_box).to_be_focused()
    lea.page.reload()
    lea.follows()
    expect(lea.line(f"You said: keep {word}")).to_be_visible()
    expect(note).to_have_count(0)


OUT_OF_SIGHT = """() => {
  globalThis.told = [];
  globalThis.Notification = class {
    static permission = "granted";
    constructor(author, { body }) { globalThis.told.push(body); }
    addEventListener() {}
  };
  localStorage.setItem("eko.notify", "yes");
  Object.defineProperty(document, "hidden", { get: () => true });
}"""
"""A page that tells of news, and that nobody looks at."""


def test_a_note_is_no_news(arrive: Arrivals) -> None:
    """The reply calls its reader, and what stands below it does not call again."""
    lea = arrive().enter("Léa")
    lea.page.evaluate(OUT_OF_SIGHT)
    lea.say(lea.private_box, "keep this in mind")
    expect(lea.room("Just us").locator("article.line.system")).to_be_attached()
    assert lea.page.evaluate("globalThis.told") == ["You said: keep this in mind"]
