"""An export as Markdown pages for people to read: one for each person, one a month of a room."""

import re
import unicodedata
from collections import defaultdict
from datetime import datetime, tzinfo
from hashlib import blake2b

from bot.texts.catalogue import say
from bot.transfer.files import WritePage
from memory.language.dates_in_words import date_in_words, day, month, time_of_day
from memory.model.export import (
    KnowledgeEntry,
    MemoryEntry,
    MessageEntry,
    PersonEntry,
    QuietTopicEntry,
    ReminderEntry,
    RoomEntry,
    Row,
)
from memory.model.knowledge import KnowledgeKind
from memory.model.stores import Store

FRONT_PAGE = "README.md"
"""The page that leads to the others."""

_TITLES = {
    "pet.md": "export_pages.pet",
    "memories.md": "export_pages.others",
    "summaries.md": "export_pages.summaries",
    "notes.md": "export_pages.notes",
}
"""What the pages are called that are no person's."""

_UNNAMED = re.compile(r"[^a-z0-9]+")
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~])")
"""What Markdown would take for its own."""

_LONGEST_NAME = 40
"""Characters of a file name that come from a person's or a room's name."""


class ExportPages:
    """Sorts the entries of an export onto pages; `finish` writes those that wait for the end."""

    def __init__(self, write: WritePage, locale: str, zone: tzinfo) -> None:
        self._write = write
        self._locale = locale
        self._zone = zone
        self._people: dict[str, PersonEntry] = {}
        self._rooms: dict[str, RoomEntry] = {}
        self._sections: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self._written: dict[str, str] = {}
        self._month = _Month("", "", [])

    def take(self, row: Row) -> None:
        """Put one entry on its page; exchanges are among the messages already."""
        match row:
            case PersonEntry():
                self._people[row.id] = row
                self._sections[_person_page(row)][self._say("export_pages.accounts")] += [
                    f"- {_plain(each.platform)}: {_plain(each.name)}" for each in row.accounts
                ]
            case RoomEntry():
                self._rooms[row.id] = row
            case MessageEntry():
                self._message(row)
            case MemoryEntry():
                self._memory(row)
            case KnowledgeEntry():
                self._knowledge(row)
            case ReminderEntry():
                self._reminder(row)
            case QuietTopicEntry():
                section = self._sections[_person_page(self._people[row.person])]
                section[self._say("export_pages.quiet_topics")].append(f"- {_plain(row.topic)}")

    def finish(self, now: datetime) -> None:
        """Write the pages that are still open, and the first one that leads to them."""
        self._close_month()
        for page, sections in sorted(self._sections.items()):
            self._write_sections(page, sections)
        self._write(FRONT_PAGE, self._front(now))

    def _message(self, row: MessageEntry) -> None:
        room = self._rooms[row.room]
        local = row.sent_at.astimezone(self._zone)
        name = f"conversations/{_file_name(room.name, room.id)}/{local:%Y-%m}.md"
        if name != self._month.name:
            self._close_month()
            title = f"{_plain(room.name)}, {month(row.sent_at, self._zone, self._locale)}"
            self._month = _Month(name, title, [])
        today = day(row.sent_at, self._zone, self._locale)
        if today != self._month.day:
            self._month.day = today
            self._month.lines.append(f"\n## {today}\n")
        at = time_of_day(row.sent_at, self._zone, self._locale)
        text = _plain(row.text).replace("\n", "  \n    ")
        self._month.lines.append(f"- **{_plain(row.author)}** ({at}) {text}")

    def _close_month(self) -> None:
        if self._month.lines:
            text = f"# {self._month.title}\n" + "\n".join(self._month.lines) + "\n"
            self._write(self._month.name, text)
            self._written[self._month.name] = self._month.title
        self._month = _Month("", "", [])

    def _memory(self, row: MemoryEntry) -> None:
        told = [date_in_words(row.valid_from, self._zone, self._locale)]
        if row.said_by:
            told.append(self._say("export_pages.by", name=_plain(row.said_by)))
        if row.superseded_at is not None:
            until = date_in_words(row.superseded_at, self._zone, self._locale)
            told.append(self._say("export_pages.until", date=until))
        is_so = row.superseded_at is None
        section = self._say("export_pages.known" if is_so else "export_pages.history")
        line = f"- {_plain(row.content)} *({', '.join(told)})*"
        self._sections[self._page_of(row)][section].append(line)

    def _page_of(self, row: MemoryEntry) -> str:
        if row.store is not Store.MEMORY:
            return "pet.md"
        about = self._people.get(row.about or "") or self._called(row.subjects)
        return "memories.md" if about is None else _person_page(about)

    def _called(self, subjects: tuple[str, ...]) -> PersonEntry | None:
        """The one person whom the first subject names."""
        wanted = {subject.casefold() for subject in subjects[:1]}
        found = [each for each in self._people.values() if each.name.casefold() in wanted]
        return found[0] if len(found) == 1 else None

    def _knowledge(self, row: KnowledgeEntry) -> None:
        at = date_in_words(row.at, self._zone, self._locale)
        about = self._people.get(row.about or "")
        if row.kind is KnowledgeKind.FACT and about is not None:
            is_so = row.retired_at is None
            section = self._say("export_pages.facts" if is_so else "export_pages.history")
            line = f"- {_plain(row.title)}: {_plain(row.content)} *({at})*"
            self._sections[_person_page(about)][section].append(line)
            return
        page = "notes.md" if row.kind is KnowledgeKind.NOTE else "summaries.md"
        title = f"{_plain(row.title)} ({at})".strip()
        self._sections[page][title].append(_plain(row.content))

    def _reminder(self, row: ReminderEntry) -> None:
        due = date_in_words(row.due_at, self._zone, self._locale)
        at = time_of_day(row.due_at, self._zone, self._locale)
        section = self._sections[_person_page(self._people[row.person])]
        section[self._say("export_pages.reminders")].append(f"- {_plain(row.text)} *({due}, {at})*")

    def _write_sections(self, page: str, sections: dict[str, list[str]]) -> None:
        title = self._title_of(page)
        parts = [f"## {head}\n\n" + "\n".join(lines) for head, lines in sections.items() if lines]
        self._write(page, "\n\n".join([f"# {title}", *parts]) + "\n")
        self._written[page] = title

    def _title_of(self, page: str) -> str:
        for person in self._people.values():
            if _person_page(person) == page:
                return _plain(person.name)
        return self._say(_TITLES[page])

    def _front(self, now: datetime) -> str:
        today = date_in_words(now, self._zone, self._locale)
        exported = self._say("export_pages.exported", date=today)
        links = [f"- [{title}]({page})" for page, title in self._written.items()]
        title = self._say("export_pages.title")
        return "\n".join([f"# {title}", "", exported, "", *links]) + "\n"

    def _say(self, key: str, **values: str) -> str:
        return say(key, self._locale, **values)


class _Month:
    """The page of a month of a room, while its messages come."""

    def __init__(self, name: str, title: str, lines: list[str]) -> None:
        self.name = name
        self.title = title
        self.lines = lines
        self.day = ""


def _person_page(person: PersonEntry) -> str:
    return f"people/{_file_name(person.name, person.id)}.md"


def _file_name(name: str, id_: str) -> str:
    """A name that every file system takes, its own for each id."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = _UNNAMED.sub("-", letters).strip("-")[:_LONGEST_NAME]
    return f"{slug}-{blake2b(id_.encode(), digest_size=3).hexdigest()}".lstrip("-")


def _plain(text: str) -> str:
    """A text as it reads, whatever signs of Markdown or HTML are in it."""
    return _MARKS.sub(r"\\\1", text)
