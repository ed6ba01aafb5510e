"""Signal as text, as signal-export, sigtop (in two forms) and signalbackup-tools write it."""

import re
from collections.abc import Callable, Iterator, Sequence
from email.utils import parsedate_to_datetime
from itertools import dropwhile

from bot.transfer.history.format_reader import HistoryReader
from bot.transfer.history.lines import Block, blocks, glance
from bot.transfer.history.model import DayOrder, HistoryItem, HistoryLine, LineKind, UnreadableLine
from bot.transfer.history.moments import MONTHS, moment, of_talk

_OF_PAGE = re.compile(
    r"(?P<bracket>\[)?(?P<at>\d{4}-\d\d-\d\d(?:,(?! \d\d:\d\d:))? \d\d:\d\d(?::\d\d)?)"
    r"(?(bracket)\]) (?P<author>[^:\s<*-][^:]{0,99}): ?(?P<text>.*)"
)
_OF_RECORD = re.compile(r"(?P<field>From|Type): (?P<value>\S.*)")
_OF_BACKUP = re.compile(
    r"\[(?P<month>[A-Z][a-z]{2}) (?P<day>\d\d), (?P<year>\d{4}) (?P<clock>\d\d:\d\d:\d\d)\] "
    r"(?:(?:\*\*\* )?<(?P<author>[^<>\n]{1,100})>|\*\*\*) (?P<text>.*)"
)
_FIELD = re.compile(r"(From|Type|Sent|Received|Attachment|Reaction|Edited): (.*)")

_DETAILS = re.compile(r"\[(?:reply to|edited|\d{1,4} attachment|\S{1,40} message)[^\]]{0,300}\] ?")
_MEDIA = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\s]{1,500}\)")
_SENT = re.compile(r'sent file(?: "([^"\n]{0,300})")?')
_REACTION = r"[^():;\n]{1,100}: [^\w\s():;]{1,20}"
_REACTED = re.compile(rf" \({_REACTION}(?:; {_REACTION}){{0,50}}\)\Z")
_STICKER = re.compile(r"\(\( [^()\n]{1,40} \)\)")

_DELETED = "(This message was deleted)"
_OWN_WORDS = frozenset({"incoming", "outgoing"})
_LONGEST_DATE = 40


def _is_of(head: str, _: str) -> bool:
    lines = glance(head)
    fields = {found[1] for found in map(_FIELD.match, lines) if found}
    begins = lines[0] if lines else ""
    is_one = _OF_PAGE.match(begins) or _OF_BACKUP.match(begins)
    return {"Type", "Sent"} <= fields or is_one is not None


def _read(lines: Iterator[str], _: DayOrder) -> Iterator[HistoryItem]:
    for block in blocks(_without_title(lines), _openings()):
        if isinstance(block, UnreadableLine):
            yield block
            continue
        try:
            yield _READS[block.head.re](block)
        except (ValueError, KeyError, IndexError):
            yield UnreadableLine(number=block.number, reason="it has no date that can be read")


def _openings() -> Callable[[str, str], re.Match[str] | None]:
    """How messages begin: as the first one does, so that none can hold one of another form."""
    form: re.Pattern[str] | None = None

    def opens(line: str, previous: str) -> re.Match[str] | None:
        nonlocal form
        for each in (form,) if form else _READS:
            found = each.match(line)
            if found and (each is not _OF_RECORD or not previous.strip()):
                form = each
                return found
        return None

    return opens


def _without_title(lines: Iterator[str]) -> Iterator[str]:
    """The lines, of which the one that names the conversation says nothing."""
    return ("\n" if line.startswith("Conversation: ") else line for line in lines)


def _of_page(block: Block) -> HistoryLine:
    details, plain = _DETAILS.match(block.text), _DETAILS.sub("", block.text, count=1)
    text = plain if details else block.text
    texts = [line for line in text.split("\n") if not _is_of_reactions(line.strip())]
    quoted = [line.lstrip("> ") for line in texts if line.startswith(">")]
    own = "\n".join(line.rstrip() for line in texts if not line.startswith(">"))
    files = (*_MEDIA.findall(own), *("sticker" for _ in _STICKER.findall(own)))
    is_system = details is not None and details[0].rstrip().endswith(" message]")
    is_deleted = own.strip() == _DELETED
    kind = LineKind.DELETED if is_deleted else LineKind.SAID
    return HistoryLine(
        number=block.number,
        at=moment(block.head["at"].replace(",", "")),
        author=block.head["author"],
        text="" if is_deleted else _STICKER.sub("", _MEDIA.sub("", own)).strip(),
        quoted="\n".join(quoted).strip(),
        kind=LineKind.SYSTEM if is_system else kind,
        files=tuple(name or "file" for name in files),
    )


def _is_of_reactions(line: str) -> bool:
    return line.startswith("(- ") and line.endswith(" -)") and ": " in line


def _of_record(block: Block) -> HistoryLine:
    top, _, rest = (block.head[0] + block.text).partition("\n\n")
    found = [(each[1], each[2]) for each in map(_FIELD.fullmatch, top.split("\n")) if each]
    fields = dict(reversed(found))
    if len(fields["Sent"]) > _LONGEST_DATE:
        raise ValueError("longer than any date")
    author, _, number = fields.get("From", "").removesuffix(")").partition(" (")
    body = _newest(rest.split("\n")) if "Edited" in fields else rest.split("\n")
    quotation = [line for line in body if line.startswith(">")]
    said = _after_fields(line.removeprefix(">").strip() for line in quotation)
    files = tuple(value.partition(" (")[0] for name, value in found if name == "Attachment")
    text = "\n".join(line for line in body if not line.startswith(">")).strip()
    kind = LineKind.SAID if text or files else LineKind.DELETED
    return HistoryLine(
        number=block.number,
        at=of_talk(parsedate_to_datetime(fields["Sent"])),
        author=author,
        author_id=number,
        text=text,
        quoted=said,
        kind=kind if fields.get("Type") in _OWN_WORDS else LineKind.SYSTEM,
        files=files,
    )


def _of_backup(block: Block) -> HistoryLine:
    head = block.head
    day = f"{head['year']}-{MONTHS[head['month'].lower()]:02}-{head['day']}"
    file = _SENT.match(block.text) if "] *** <" in head[0] else None
    return HistoryLine(
        number=block.number,
        at=moment(f"{day} {head['clock']}"),
        author=head["author"] or "",
        text="" if file else _REACTED.sub("", block.text).strip(),
        kind=LineKind.SAID if head["author"] else LineKind.SYSTEM,
        files=(file[1] or "file",) if file else (),
    )


_READS = {_OF_RECORD: _of_record, _OF_PAGE: _of_page, _OF_BACKUP: _of_backup}
"""What makes a line of a message, by how the message begins."""


def _newest(body: Sequence[str]) -> list[str]:
    """The first of several versions, which stand behind bars with the newest on top."""
    bare = [line.removeprefix("|").removeprefix(" ") for line in body if line.startswith("|")]
    ends = [at for at, line in enumerate(bare) if line.startswith("Version: ")]
    newest = bare[: ends[1]] if len(ends) > 1 else bare
    return list(dropwhile(bool, newest))


def _after_fields(lines: Iterator[str]) -> str:
    return "\n".join(dropwhile(bool, lines)).strip()


READER = HistoryReader(format="Signal", platform="signal", recognises=_is_of, read=_read)
