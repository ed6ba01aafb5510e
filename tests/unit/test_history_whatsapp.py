from datetime import datetime
from pathlib import Path

import pytest

from bot.transfer.history.model import DayOrder, HistoryLine, LineKind
from bot.transfer.history.readers.whatsapp import READER
from bot.transfer.history.recognising import recognised
from tests.history_samples import SAMPLES, lines_of, said_in, unreadable_in


@pytest.mark.parametrize(
    ("head", "day_first"),
    [
        ("14/02/26, 21:05 - ", True),
        ("14/02/2026 21:05 - ", True),
        ("14/02/2026 à 21:05 - ", True),
        ("[14/02/2026, 21:05:00] ", True),
        ("\u200e[14/02/2026, 21:05:00] ", True),
        ("14.02.26, 21:05 - ", True),
        ("14.02.26 um 21:05 - ", True),
        ("[14.02.26, 21:05:00] ", True),
        ("14-02-2026 21:05 - ", True),
        ("2/14/26, 9:05\u202fPM - ", False),
        ("2/14/26, 9:05 pm - ", False),
        ("[2/14/26, 9:05:00\u202fPM] ", False),
        ("14/2/26, 9:05\xa0p.\xa0m. - ", True),
        ("2026-02-14, 21:05 - ", True),
        ("[2026/02/14, 21:05:00] ", True),
        ("14. 2. 2026, 21:05 - ", True),
        ("14/02/26, 21.05 - ", True),
        ("\u200f١٤\u200f/٢\u200f/٢٠٢٦، ٩:٠٥\u202fم - ", True),
        ("2026/2/14 下午9:05 - ", True),
        ("2026. 2. 14. 오후 9:05 - ", True),
    ],
)
def test_dates_are_read_as_phones_write_them(head: str, *, day_first: bool) -> None:
    """Of any country, with marks and blanks that are not seen."""
    text = f"{head}Mira: hello: you\n"
    assert READER.recognises(text, "")
    (found,) = READER.read(iter([text]), DayOrder(day_first=day_first))
    at = datetime(2026, 2, 14, 21, 5)  # noqa: DTZ001 - the file names no zone
    assert found == HistoryLine(number=1, at=at, author="Mira", text="hello: you")


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        (["1/2/26", "13/2/26"], DayOrder(day_first=True, is_needed=True)),
        (["1/2/26", "2/13/26"], DayOrder(day_first=False, is_needed=True)),
        (["1/2/26", "12/12/26"], DayOrder(day_first=None, is_needed=True)),
        (["7/1/26", "8/1/26", "1/2/26"], DayOrder(day_first=True, is_needed=True)),
        (["1/7/26", "1/8/26", "2/1/26"], DayOrder(day_first=False, is_needed=True)),
        (["03.02.26"], DayOrder(day_first=True, is_needed=True)),
        (["1.7.26", "1.8.26", "2.1.26"], DayOrder(day_first=True, is_needed=True)),
        (["2.13.26"], DayOrder(day_first=False, is_needed=True)),
        (["1.2.26", "1/2/26"], DayOrder(day_first=None, is_needed=True)),
        (["2026-02-13"], DayOrder(day_first=None, is_needed=False)),
        (["2026. 2. 13."], DayOrder(day_first=None, is_needed=False)),
    ],
)
def test_the_whole_file_decides_whether_days_stand_first(dates: list[str], order: DayOrder) -> None:
    """One number over twelve does, then dots, or days that go back if read the other way."""
    lines = [f"{date}, 21:05 - Mira: hello\n" for date in dates]
    assert READER.order(iter(lines)) == order


def test_a_file_of_android_is_read() -> None:
    """Its samples are in English, with twelve hours and months first."""
    path = SAMPLES / "whatsapp_android.txt"
    assert said_in(path) == [
        ("system", "", "Messages and calls are end-to-end encrypted. Learn more."),
        ("said", "Mira", "I moved to Bergen last week\nand I like it"),
        ("said", "Joris", "my new hive"),
        ("deleted", "Mira", ""),
        ("said", "Joris", "I keep nine hives now"),
        ("said", "Mira", ""),
        ("system", "", 'Mira changed the subject from "Bees" to "Bees: news"'),
        ("said", "+32 470 00 00 00", "hello"),
    ]
    found = lines_of(path)
    assert (found[2].files, found[5].files) == (("IMG-20260203-WA0001.jpg",), ("media",))
    assert [each.number for each in found] == [1, 2, 4, 6, 7, 8, 9, 10]
    assert f"{found[-1].at:%m-%d %H:%M}" == "02-13 00:01"
    assert recognised(path)[1].order.day_first is False


def test_a_file_of_an_iphone_is_read() -> None:
    """Its sample is in German, with what was left out, a poll and a name that was not saved."""
    path = SAMPLES / "whatsapp_iphone.txt"
    assert said_in(path) == [
        ("system", "Bienen", "Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt."),
        ("said", "Mira", "Ich bin nach Bergen gezogen"),
        ("said", "Joris", ""),
        ("said", "Zoé", "Honig ist gesund"),
        ("said", "Mira", "Schleudern wir Sonntag?"),
        ("said", "Joris", ""),
    ]
    assert [each.files for each in lines_of(path)[2:]] == [("Bild",), (), ("poll",), ("plan.pdf",)]


@pytest.mark.parametrize(
    ("words", "file", "caption"),
    [
        ("plan.pdf • \u200e3 pages \u200edocument omitted", "plan.pdf", ""),
        ("mon plan.pdf • \u200edocument manquant", "mon plan.pdf", ""),
        ("• \u200e3 Seiten \u200eDokument weggelassen", "Dokument", ""),
        ("meine Waben \u200eBild weggelassen", "Bild", "meine Waben"),
    ],
)
def test_a_document_that_an_iphone_left_out_keeps_its_name(
    words: str, file: str, caption: str
) -> None:
    """Its kind stands for it where it has none, as for a picture with words under it."""
    text = f"\u200e[14/02/26, 21:05:00] Joris: {words}\n"
    (found,) = READER.read(iter([text]), DayOrder())
    assert (found.files, found.text) == ((file,), caption)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "text",
    [
        "Ce message a été supprimé",
        "Vous avez supprimé ce message",
        "Diese Nachricht wurde gelöscht.",
        "Se eliminó este mensaje.",
        "Dit bericht is verwijderd",
        "Você apagou esta mensagem",
        "このメッセージは削除されました。",
        "لقد حذَفت هذه الرسالة",
        "Данное сообщение удалено",
    ],
)
def test_what_was_taken_back_is_known_in_several_languages(text: str) -> None:
    """Its words are not in the file any more."""
    (found,) = READER.read(iter([f"14/02/26, 21:05 - Mira: {text}\n"]), DayOrder())
    assert (found.kind, found.text) == (LineKind.DELETED, "")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "files", "words"),
    [
        ("<Médias omis>", ("media",), ""),
        ("<Multimedia omitido>", ("media",), ""),
        ("<pièce jointe : 00001-PHOTO.jpg>\nma ruche", ("00001-PHOTO.jpg",), "ma ruche"),
        ("PTT-1.opus (fichier joint)", ("PTT-1.opus",), ""),
        ("<تم استبعاد الوسائط>", ("media",), ""),
        ("<メディアなし>", ("media",), ""),
        ("location: https://maps.google.com/?q=48.1,2.3", ("location",), ""),
        ("nine hives <このメッセージは編集されました>", (), "nine hives"),
        ("nine hives \u200e<Ez az üzenet szerkesztve lett>", (), "nine hives"),
        ("<3 honey", (), "<3 honey"),
        ("poll: who comes?", (), "poll: who comes?"),
        ("image omitted", (), "image omitted"),
    ],
)
def test_files_are_told_from_words(text: str, files: tuple[str, ...], words: str) -> None:
    """What was not exported says nothing, and words that look like it are words."""
    lines = f"14/02/26, 21:05 - Mira: {text}\n".splitlines(keepends=True)
    (found,) = READER.read(iter(lines), DayOrder())
    assert (found.files, found.text) == (files, words)  # type: ignore[union-attr]


def test_the_text_of_element_is_read(tmp_path: Path) -> None:
    """In the same form; its answers name what they answer."""
    path = tmp_path / "export.txt"
    path.write_text(
        "03/02/2026 21:05:00 - Mira: nine\n"
        '13/02/2026 21:06:00 - Joris: <@mira:bees.example "nine"> ten\n'
        "13/02/2026 21:07:00 - Joris: Message deleted\n",
        "utf-8",
    )
    assert recognised(path)[1].platform == "matrix"
    said, answer, deleted = lines_of(path)
    assert (said.text, answer.text, answer.quoted) == ("nine", "ten", "nine")
    assert deleted.kind is LineKind.DELETED


def test_lines_before_the_first_message_and_impossible_dates_are_reported(tmp_path: Path) -> None:
    """A file that was cut at its start begins anywhere."""
    path = tmp_path / "chat.txt"
    path.write_text("and so on\n31/02/26, 21:05 - Mira: a\n14/02/26, 25:05 - Mira: b\n", "utf-8")
    assert lines_of(path) == []
    assert unreadable_in(path) == [1, 2, 3]
