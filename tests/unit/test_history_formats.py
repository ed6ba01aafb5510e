import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.recognising import recognised
from tests.history_samples import FILES, SAMPLES, lines_of, said_in, unreadable_in, zipped

BERGEN = "I moved to Bergen last week"

SAID: dict[str, list[tuple[str, str, str]]] = {
    "telegram_chat.json": [
        ("system", "Mira", "create group"),
        ("said", "Mira", BERGEN),
        ("said", "Joris", "I keep nine hives"),
        ("forwarded", "Mira", "I live in Perth"),
        ("bot", "Joris", "a gif"),
        ("said", "Joris", ""),
    ],
    "telegram_full.json": [
        ("said", "Mira", "I moved to Bergen"),
        ("bot", "Helper", "I am a cloud"),
        ("said", "Mira", "I have two cats"),
    ],
    "discord_exporter.json": [
        ("said", "Mira", BERGEN),
        ("said", "Joris", "I keep nine hives"),
        ("bot", "Helper", "I live in the cloud"),
        ("system", "Mira", "Joined the server."),
        ("forwarded", "Mira", "I live in Perth"),
    ],
    "element.json": [
        ("system", "Mira", "m.room.member"),
        ("said", "Mira", "I moved to Berlin"),
        ("said", "Mira", "I moved to Bergen"),
        ("said", "@joris:bees.example", "I keep nine hives"),
        ("said", "@joris:bees.example", ""),
        ("said", "@joris:bees.example", "* @joris:bees.example dances"),
        ("bot", "@helper:bees.example", "I am a cloud"),
        ("deleted", "@joris:bees.example", ""),
        ("deleted", "@joris:bees.example", ""),
    ],
    "signal_page.md": [
        ("said", "Mira", BERGEN),
        ("said", "Joris", "I keep nine hives"),
        ("deleted", "Mira", ""),
    ],
    "signal_backup.txt": [
        ("system", "", "Mira disabled disappearing messages"),
        ("said", "Mira", BERGEN),
        ("said", "Joris", ""),
        ("said", "Joris", "I keep nine hives\nand two cats"),
    ],
    "own_in_object.json": [
        ("said", "Mira", BERGEN),
        ("said", "Joris", "I keep nine hives"),
    ],
    "signal_lines.jsonl": [
        ("said", "Mira", BERGEN),
        ("said", "Me", "I keep nine hives"),
        ("deleted", "Mira", ""),
    ],
    "signal_sigtop.txt": [
        ("said", "Mira", f"{BERGEN}\n\nand I like it"),
        ("said", "You", "I keep nine hives"),
        ("said", "Mira", "I have two cats"),
        ("system", "", ""),
    ],
    "signal_short.txt": [
        ("said", "Mira", BERGEN),
        ("said", "You", "I keep nine hives"),
        ("system", "Mira", ""),
    ],
    "irc.bees.#hive.weechatlog": [
        ("system", "", "mira (~m@host) has joined #hive"),
        ("said", "mira", BERGEN),
        ("said", "joris", "* joris dances"),
        ("system", "", "Notice(serv): hello"),
    ],
    "irssi_#hive.log": [
        ("system", "", "mira [~m@host] has joined #hive"),
        ("said", "mira", BERGEN),
        ("said", "joris", "I keep nine hives"),
        ("said", "joris", "* joris dances"),
    ],
    "znc_2026-02-03.log": [
        ("system", "", "Joins: mira (~m@host)"),
        ("said", "mira", BERGEN),
        ("said", "joris", "* joris dances"),
        ("system", "", "serv- hello"),
        ("said", "joris", "I keep nine hives"),
        ("said", "mira", "good night"),
    ],
    "hexchat.log": [
        ("system", "", "Now talking on #hive"),
        ("said", "mira", BERGEN),
        ("system", "", "joris (~j@host) has joined"),
        ("said", "joris", "* joris dances"),
    ],
    "chatgpt.json": [
        ("said", "user", "I moved to Bergen"),
        ("bot", "assistant", "Lovely!"),
        ("said", "user", "my hive"),
    ],
    "claude.json": [
        ("said", "user", "I moved to Bergen"),
        ("bot", "assistant", "Lovely!"),
        ("said", "user", ""),
    ],
    "sillytavern.jsonl": [
        ("said", "Mira", "I moved to Bergen"),
        ("bot", "Eko", "Lovely!"),
        ("said", "Mira", "I have two cats"),
        ("system", "System", "saved"),
    ],
    "mem0.json": [
        ("memory", "mira", "Moved to Bergen"),
        ("memory", "joris", "Keeps nine hives"),
    ],
    "letta.af": [
        ("system", "system", "You are pal."),
        ("said", "user", "I moved to Bergen"),
        ("system", "user", "login"),
        ("bot", "assistant", "Lovely!"),
        ("said", "user", "{curly words"),
        ("memory", "human", "Name: Mira."),
        ("memory", "human", "Has two cats."),
    ],
    "MEMORY.md": [
        ("memory", "", "Mira moved to Bergen"),
        ("memory", "", "Joris keeps nine hives"),
        ("memory", "", "they are yellow"),
        ("memory", "", "Pip is a cat"),
        ("memory", "", "Tove sings"),
    ],
    "own.jsonl": [
        ("said", "Mira", "I moved to Bergen"),
        ("said", "Joris", "I keep nine hives"),
        ("forwarded", "Joris", "I live in Perth"),
        ("system", "*", "Tove left"),
    ],
}

UNREADABLE = {
    "telegram_chat.json": [7],
    "element.json": [10],
    "znc_2026-02-03.log": [7],
    "mem0.json": [3],
    "MEMORY.md": [13],
    "own.jsonl": [5, 6],
}


def line(name: str, place: int) -> HistoryLine:
    """One line of a sample."""
    return lines_of(SAMPLES / name)[place]


@pytest.mark.parametrize("name", SAID)
def test_each_format_is_read_with_what_each_line_is(name: str) -> None:
    """Own words, another's, the program's and a bot's are told apart in each of them."""
    assert said_in(SAMPLES / name) == SAID[name]
    assert unreadable_in(SAMPLES / name) == UNREADABLE.get(name, [])


def test_every_sample_is_of_a_format_of_its_own_platform() -> None:
    """No reader takes the files of another program."""
    found = {name: recognised(SAMPLES / name)[1].platform for name in FILES}
    assert found == {
        "MEMORY.md": "memory.md",
        "chatgpt.json": "chatgpt",
        "claude.json": "claude",
        "discord_exporter.json": "discord",
        "element.json": "matrix",
        "hexchat.log": "irc",
        "irc.bees.#hive.weechatlog": "irc",
        "irssi_#hive.log": "irc",
        "letta.af": "letta",
        "mem0.json": "mem0",
        "own.jsonl": "jsonl",
        "own_in_object.json": "jsonl",
        "signal_backup.txt": "signal",
        "signal_lines.jsonl": "signal",
        "signal_page.md": "signal",
        "signal_short.txt": "signal",
        "signal_sigtop.txt": "signal",
        "sillytavern.jsonl": "sillytavern",
        "telegram_chat.json": "telegram",
        "telegram_full.json": "telegram",
        "whatsapp_android.txt": "whatsapp",
        "whatsapp_iphone.txt": "whatsapp",
        "znc_2026-02-03.log": "irc",
    }


def test_telegram_gives_ids_answers_quotations_and_where_words_are_from() -> None:
    """Numbers are unique in a chat alone, so the chat's id stands before them."""
    reply, forward, picture = (line("telegram_chat.json", place) for place in (2, 3, 5))
    assert (reply.id, reply.reply_to, reply.quoted) == ("77:3", "77:2", "moved to Bergen")
    assert (forward.forwarded_from, forward.author_id) == ("Olaf", "user1")
    assert picture.files == ("photo",)
    assert reply.at == datetime(2026, 2, 3, 21, 8, tzinfo=UTC)


def test_discord_s_exporter_keeps_the_zone_and_what_came_along() -> None:
    """Its times have seven digits of a second."""
    reply = line("discord_exporter.json", 1)
    assert reply.at.utcoffset() == timedelta(hours=1)
    assert (reply.reply_to, reply.files, reply.room) == ("1", ("hive.jpg",), "bees")


@pytest.mark.parametrize("within", ["", "package-2026/"])
def test_a_data_package_is_read_channel_by_channel(tmp_path: Path, within: str) -> None:
    """Its one author is the account's; a table and a list of JSON are the same to it."""
    path = zipped(SAMPLES / "package", tmp_path / "package.zip", within)
    found = lines_of(path)
    assert [(each.author, each.room, each.text) for each in found] == [
        ("Mira", "bees", "I moved to Bergen"),
        ("Mira", "bees", ""),
        ("Mira", "8", 'I have two cats,\nand "Pip" is one'),
    ]
    assert {each.author_id for each in found} == {"11"}
    assert [each.id for each in found] == ["1461100000000000001", "1461100000000000002", "3"]
    assert [each.number for each in found] == [1, 2, 3]
    assert found[1].files == ("hive.jpg",)
    assert {each.at.tzinfo for each in found} == {UTC}
    assert unreadable_in(path) == [4]


def test_one_file_of_a_data_package_is_of_its_owner() -> None:
    """Who that is, the package says elsewhere."""
    found = lines_of(SAMPLES / "package" / "messages" / "c7" / "messages.json")
    assert [each.author for each in found] == ["@me", "@me"]


def test_slack_names_its_members_in_words_and_as_authors(tmp_path: Path) -> None:
    """Ids are resolved by `users.json`, wherever it stands."""
    path = zipped(SAMPLES / "slack", tmp_path / "slack.zip")
    assert said_in(path) == [
        ("system", "Mira", "@Mira has joined the channel"),
        ("said", "Mira", "I moved to Bergen & like it, @Joris"),
        ("said", "Joris", "I keep nine hives"),
        ("forwarded", "Joris", "I live in Perth"),
        ("bot", "helper", "I am a cloud"),
        ("deleted", "Mira", "This message was deleted."),
    ]
    found = lines_of(path)
    assert {each.room for each in found} == {"bees"}
    assert (found[2].reply_to, found[2].files) == ("1770152802.000100", ("hive.jpg",))
    assert found[3].forwarded_from == "Olaf"


def test_one_day_of_slack_is_read_without_its_members() -> None:
    """Authors are then their ids."""
    found = lines_of(SAMPLES / "slack" / "bees" / "2026-02-03.json")
    assert found[1].author == "U1"
    assert found[1].text == "I moved to Bergen & like it, @U2"


def test_an_edit_in_matrix_names_what_it_replaces() -> None:
    """So does a redaction of what it takes away, and a reply of what it answers."""
    _, _, edit, reply, picture, _, _, _, redaction = lines_of(SAMPLES / "element.json")
    assert (edit.edits, reply.reply_to) == ("$e2", "$e2")
    assert reply.quoted == "I moved to Berlin"
    assert picture.files == ("hive.jpg",)
    assert (redaction.kind, redaction.edits) == (LineKind.DELETED, "$e8")


def test_signal_tells_quotations_and_files_from_own_words() -> None:
    """In its pages, its lines of JSON and its records."""
    for name in ("signal_page.md", "signal_sigtop.txt"):
        assert line(name, 1).quoted == BERGEN
        assert line(name, 1).files == ("hive.jpg",)
    assert line("signal_lines.jsonl", 1).quoted == "I moved"
    assert line("signal_sigtop.txt", 0).author_id == "+4700000"
    assert line("signal_sigtop.txt", 0).at.tzinfo == timezone(timedelta(hours=1))


def test_words_in_a_record_of_signal_are_no_record_of_another_form(tmp_path: Path) -> None:
    """A member who writes a line like a page's puts no words into another's mouth."""
    path = tmp_path / "talk.txt"
    head = "From: Mira (+47)\nType: incoming\nSent: Tue, 3 Feb 2026 21:06:00 +0100\n\n"
    path.write_text(f"{head}look:\n2026-02-03 21:06 Joris: I stole it\n", "utf-8")
    assert said_in(path) == [("said", "Mira", "look:\n2026-02-03 21:06 Joris: I stole it")]


@pytest.mark.parametrize(
    ("name", "times"),
    [
        ("irssi_#hive.log", ["03 23:58", "03 23:59", "04 00:01", "04 00:02"]),
        (
            "znc_2026-02-03.log",
            ["03 21:05", "03 21:06", "03 21:07", "03 21:07", "03 21:06", "04 00:01"],
        ),
        ("hexchat.log", ["31 23:50", "31 23:51", "31 23:52", "01 00:01"]),
    ],
)
def test_days_of_a_log_are_in_its_name_or_its_lines(name: str, times: list[str]) -> None:
    """Past midnight the day goes on, and a clock that is set back stays on its day."""
    found = lines_of(SAMPLES / name)
    assert [f"{each.at:%d %H:%M}" for each in found] == times
    assert all(each.at.tzinfo is None for each in found)


def test_a_log_without_a_day_that_can_be(tmp_path: Path) -> None:
    """The end of all calendars is reported line by line, and what is dated after it is read."""
    path = tmp_path / "room.log"
    path.write_text(
        "--- Day changed Fri Dec 31 9999\n23:59 <mira> a\n00:01 <mira> b\n"
        "--- Day changed Tue Feb 03 2026\n21:06 <mira> c\n",
        "utf-8",
    )
    assert [each.text for each in lines_of(path)] == ["c"]
    assert unreadable_in(path) == [2, 3]


def test_a_year_of_hexchat_ends() -> None:
    """Its lines have a month and no year."""
    assert [each.at.year for each in lines_of(SAMPLES / "hexchat.log")] == [2026, 2026, 2026, 2027]


def test_a_log_s_room_is_in_its_name() -> None:
    """As weechat and irssi have it."""
    assert line("irc.bees.#hive.weechatlog", 1).room == "#hive"
    assert line("irssi_#hive.log", 1).room == "#hive"


def test_a_log_in_iso_times_keeps_their_zone(tmp_path: Path) -> None:
    """Some programs write the whole time with each line."""
    path = tmp_path / "room.log"
    path.write_text("[2026-02-03T21:06:00+0100] <mira> hello\n", "utf-8")
    assert lines_of(path)[0].at == datetime(2026, 2, 3, 20, 6, tzinfo=UTC)


def test_the_branch_that_is_shown_of_a_chat_is_read(tmp_path: Path) -> None:
    """What was asked in other words before is not; a forged circle of nodes has an end."""
    found = lines_of(SAMPLES / "chatgpt.json")
    assert [each.id for each in found] == ["b", "c", "d"]
    assert found[2].files == ("image",)
    path = tmp_path / "circle.json"
    text = (SAMPLES / "chatgpt.json").read_text("utf-8")
    path.write_text(text.replace('"parent": "r"', '"parent": "d"'), "utf-8")
    assert [each.id for each in lines_of(path)] == ["b", "c", "d"]


def test_a_message_of_a_chat_without_a_time_stands_behind_the_one_before(tmp_path: Path) -> None:
    """A talk in which none has a time is of when it began."""
    bergen, lovely, hive = lines_of(SAMPLES / "chatgpt.json")
    assert bergen.at == lovely.at == hive.at
    path = tmp_path / "timeless.json"
    text = (SAMPLES / "chatgpt.json").read_text("utf-8")
    path.write_text(text.replace("1770152800.5", "null"), "utf-8")
    assert {one.at for one in lines_of(path)} == {datetime.fromtimestamp(1770152800, UTC)}


def test_statements_have_the_date_that_stands_with_them(tmp_path: Path) -> None:
    """In their line, in the heading above, or else that of the file."""
    found = lines_of(SAMPLES / "MEMORY.md")
    assert [each.at.day for each in found[:3]] == [3, 4, 4]
    path = tmp_path / "MEMORY.md"
    path.write_text("- Mira sings\n", "utf-8")
    assert lines_of(path)[0].at == datetime.fromtimestamp(path.stat().st_mtime, UTC)


def test_our_own_lines_keep_what_they_name() -> None:
    """Unix times in seconds and in milliseconds are told apart."""
    first, second, third, _ = lines_of(SAMPLES / "own.jsonl")
    assert first.at.tzinfo is None
    assert second.at == datetime(2026, 2, 3, 21, 7, tzinfo=UTC)
    assert third.at == datetime(2026, 2, 3, 21, 7, 10, 500_000, tzinfo=UTC)
    assert (first.id, second.reply_to, third.forwarded_from) == ("a1", "a1", "Olaf")


def test_our_own_lines_may_be_one_array(tmp_path: Path) -> None:
    """Entries then have numbers instead of lines."""
    path = tmp_path / "room.json"
    path.write_text(
        '[\n {"author": "Mira", "text": "a", "at": "2026-02-03T21:06:00"},\n 5,\n'
        ' {"author": "Mira", "text": "b", "at": "2026-02-03T21:07:00"}]',
        "utf-8",
    )
    assert [(each.number, each.text) for each in lines_of(path)] == [(1, "a"), (2, "b")]


@pytest.mark.parametrize(
    "row",
    [
        {"from": "Mira", "message": "hello", "timestamp": 1770152760},
        {"user": "Mira", "content": "hello", "ts": 1770152760000, "role": "user"},
        {"sender": {"name": "Mira"}, "body": "hello", "date": "2026-02-03T21:06:00Z"},
    ],
)
def test_plain_lists_of_messages_are_read_by_other_words(
    tmp_path: Path, row: dict[str, object]
) -> None:
    """What a program calls author, text and time; its own answers are those of a bot."""
    path = tmp_path / "talk.jsonl"
    rows = [row, {**row, "role": "assistant"}, {**row, "deleted": True}]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    found = lines_of(path)
    assert said_in(path) == [
        ("said", "Mira", "hello"), ("bot", "Mira", "hello"), ("deleted", "Mira", "hello"),
    ]  # fmt: skip
    assert {each.at for each in found} == {datetime(2026, 2, 3, 21, 6, tzinfo=UTC)}


def test_a_channel_of_telegram_says_nothing_of_a_person(tmp_path: Path) -> None:
    """Its posts have its own name for an author."""
    text = (SAMPLES / "telegram_chat.json").read_text("utf-8")
    path = tmp_path / "result.json"
    path.write_text(text.replace('"from_id": "user2"', '"from_id": "channel2"'), "utf-8")
    assert {each.kind for each in lines_of(path) if each.author == "Joris"} == {LineKind.BOT}


def test_who_takes_another_nick_stays_who_they_were(tmp_path: Path) -> None:
    """Until they go: whoever has that nick then is somebody else."""
    path = tmp_path / "#hive_2026-02-03.log"
    path.write_text(
        "21:00 <mira> one\n21:01 -!- mira is now known as mira_away\n21:02 <@mira_away> two\n"
        "21:03 -!- mira_away [~m@host] has quit [bye]\n21:04 <mira_away> three\n",
        "utf-8",
    )
    said = [(each.author, each.text) for each in lines_of(path) if each.kind is LineKind.SAID]
    assert said == [("mira", "one"), ("mira", "two"), ("mira_away", "three")]


def test_what_an_assistant_is_to_do_is_no_statement(tmp_path: Path) -> None:
    """It stands under headings of its own."""
    path = tmp_path / "MEMORY.md"
    path.write_text(
        "## Mira\n- sings\n## How to work with her\n- Be short\n# Bees\n- nine\n", "utf-8"
    )
    kinds = [(each.kind.value, each.text) for each in lines_of(path)]
    assert kinds == [("memory", "sings"), ("system", "Be short"), ("memory", "nine")]


def test_what_mem0_kept_of_an_agent_is_left_out(tmp_path: Path) -> None:
    """It tells of no person."""
    path = tmp_path / "mem0.json"
    row = {"id": "1", "memory": "plays a sailor", "agent_id": "bot", "created_at": "2026-02-03"}
    path.write_text(json.dumps({"results": [row]}), "utf-8")
    assert [each.kind for each in lines_of(path)] == [LineKind.BOT]


def test_what_a_user_hid_from_a_character_is_theirs(tmp_path: Path) -> None:
    """SillyTavern marks it as the program's lines are."""
    text = (SAMPLES / "sillytavern.jsonl").read_text("utf-8")
    path = tmp_path / "chat.jsonl"
    path.write_text(text.replace('"is_system": false', '"is_system": true'), "utf-8")
    assert ("said", "Mira", "I moved to Bergen") in said_in(path)
