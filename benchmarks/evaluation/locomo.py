"""LoCoMo files: long talks of two people with questions whose evidence is known.

The format is that of Maharana et al. 2024, "Evaluating very long-term conversational memory of
LLM agents". Whatever has its form can be read, in any language. Beyond it, a question may name its
kind in words, in `by` who of the speakers asks it and, in `after`, the turn it is asked after; a
turn may have a `date_time` of its own.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.errors import BotError

CATEGORIES: Mapping[int, str] = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
}
"""What LoCoMo means by its numbers; a file that writes another number or a word means that."""

ADVERSARIAL = frozenset({"5", "adversarial"})
"""Questions about what was never said: no evidence of theirs could be found."""

BETWEEN_TURNS = timedelta(minutes=1)
"""Where a file dates sessions only: a minute apart, turns keep their order and their evening."""

_RANGE = re.compile(r"\s*+(\d{1,4})\s*+(?:-\s*+(\d{1,4})\s*+)?")
_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D:?(\d+):0*(\d+)")
_DATE_FORM = "%I:%M %p on %d %B, %Y"


class LocomoRefused(BotError):
    """A file cannot be read as LoCoMo conversations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocomoTurn:
    """One turn of a conversation; `id` is the file's, such as D3:12."""

    id: str
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """One fact that the file draws from turns, as a digest would."""

    speaker: str
    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocomoSession:
    """One session: what was said, and what was observed in it."""

    at: datetime
    said: tuple[LocomoTurn, ...]
    observed: tuple[Observed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocomoQuestion:
    """A question, its gold answer, and the ids of the turns that answer it.

    `after` is the turn it is asked after, `by` the speaker who asks; "" where the file does not
    say.
    """

    text: str
    answer: str
    category: str
    evidence: frozenset[str]
    after: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One long talk; `number` is its place in the file, from 1.

    `without_evidence` counts the questions left out because nothing could answer them.
    """

    number: int
    sittings: tuple[LocomoSession, ...]
    asked: tuple[LocomoQuestion, ...]
    without_evidence: int

    @property
    def ends(self) -> datetime:
        """When the last thing was said."""
        return max(said.at for said in self.turns)

    @property
    def turns(self) -> tuple[LocomoTurn, ...]:
        """Everything that was said, in order."""
        return tuple(said for sitting in self.sittings for said in sitting.said)


def read_locomo(path: Path) -> list[Conversation]:
    """The conversations of a file, in order.

    Raises:
        LocomoRefused: the file cannot be read; the sentence says what is wrong.

    """
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise LocomoRefused(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise LocomoRefused(f"{path} is not valid JSON: {error}.") from error
    except RecursionError as error:
        raise LocomoRefused(f"{path} is not a LoCoMo file: it is nested too deep.") from error
    try:
        return conversations_in(data)
    except LocomoRefused as error:
        raise LocomoRefused(f"{path} is not a LoCoMo file: {error}") from error


def conversations_in(data: object) -> list[Conversation]:
    """The conversations of a parsed file, in order.

    Raises:
        LocomoRefused: it has another form; the sentence says where.

    """
    if not isinstance(data, list) or not data:
        raise LocomoRefused("it must be a list of at least one conversation.")
    return [_checked(number, sample) for number, sample in enumerate(data, start=1)]


def turn_ids(text: str) -> tuple[str, ...]:
    """Every turn id in a text, mended: "D8:6; D9:17" are two, "D:11:26" and "D30:05" are one."""
    return tuple(f"D{session}:{turn}" for session, turn in _TURN.findall(text))


def chosen(conversations: Sequence[Conversation], numbers: str | None) -> list[Conversation]:
    """The conversations that a text such as "1-5" or "2,7-9" names; all without one.

    Raises:
        LocomoRefused: it names none, or one that is not there.

    """
    if numbers is None:
        return list(conversations)
    wanted = _numbers(numbers)
    there = {one.number for one in conversations}
    if not wanted or not wanted <= there:
        raise LocomoRefused(
            f'"{numbers}" names no conversations of this file: it has 1 to {len(conversations)}; '
            'write "3" or "1-5" or "1,4-6".'
        )
    return [one for one in conversations if one.number in wanted]


def schedule(conversation: Conversation) -> dict[str, tuple[LocomoQuestion, ...]]:
    """The questions by the turn after which they are asked while the talk goes on.

    Where the file does not say it, that is when the session is over that has the last of their
    evidence. Evidence that comes later does not count; a question without any other is left out.
    """
    places = {said.id: place for place, said in enumerate(conversation.turns)}
    last = {said.id: one.said[-1].id for one in conversation.sittings for said in one.said}
    due: dict[str, list[LocomoQuestion]] = {}
    for asked in conversation.asked:
        there = [turn for turn in asked.evidence if turn in places]
        after = asked.after or (last[max(there, key=places.__getitem__)] if there else "")
        known = frozenset(turn for turn in there if places[turn] <= places[after])
        if known:
            due.setdefault(after, []).append(replace(asked, evidence=known))
    return {turn: tuple(questions) for turn, questions in due.items()}


def _numbers(text: str) -> set[int]:
    found: set[int] = set()
    for part in text.split(","):
        one = _RANGE.fullmatch(part)
        if one is None:
            return set()
        found.update(range(int(one[1]), int(one[2] or one[1]) + 1))
    return found


def _checked(number: int, sample: Any) -> Conversation:
    try:
        conversation = _conversation(number, sample)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LocomoRefused(f"conversation {number} has another form ({error!r}).") from error
    if not conversation.sittings:
        raise LocomoRefused(f"conversation {number} has no sessions.")
    return conversation


def _conversation(number: int, sample: Mapping[str, Any]) -> Conversation:
    asked = [_asked(one) for one in sample["qa"] if str(one["category"]) not in ADVERSARIAL]
    sittings = tuple(_sittings(sample["conversation"], sample.get("observation", {})))
    turns = {said.id for sitting in sittings for said in sitting.said}
    if astray := {one.after for one in asked} - turns - {""}:
        raise ValueError(f"nothing can be asked after {min(astray)}, which is no turn of it")
    speakers = {said.speaker for sitting in sittings for said in sitting.said}
    if silent := {one.by for one in asked} - speakers - {""}:
        raise ValueError(f"{min(silent)} asks something, and says nothing in it")
    return Conversation(
        number=number,
        sittings=sittings,
        asked=tuple(one for one in asked if one.evidence),
        without_evidence=sum(not one.evidence for one in asked),
    )


def _asked(row: Mapping[str, Any]) -> LocomoQuestion:
    return LocomoQuestion(
        text=str(row["question"]),
        answer=str(row.get("answer", "")),
        category=_category(row["category"]),
        evidence=frozenset(_ids(row["evidence"])),
        after=next(iter(turn_ids(row.get("after", ""))), ""),
        by=str(row.get("by", "")),
    )


def _category(written: int | str) -> str:
    return CATEGORIES.get(int(written), str(written)) if str(written).isdecimal() else str(written)


def _ids(evidence: str | Sequence[str]) -> tuple[str, ...]:
    """The turn ids of an evidence field, which is one text or a list of them."""
    return turn_ids(evidence if isinstance(evidence, str) else "\n".join(evidence))


def _sittings(talk: Mapping[str, Any], observation: Mapping[str, Any]) -> Iterator[LocomoSession]:
    found = (_SESSION.fullmatch(key) for key in talk)
    for number in sorted(int(one[1]) for one in found if one):
        name = f"session_{number}"
        if not talk[name]:
            continue
        at = _moment(talk[f"{name}_date_time"])
        yield LocomoSession(
            at=at,
            said=tuple(_all_said(talk[name], at)),
            observed=tuple(_observed(observation.get(f"{name}_observation", {}))),
        )


def _all_said(rows: Sequence[Mapping[str, Any]], at: datetime) -> Iterator[LocomoTurn]:
    """The turns of a session, each at its own time or a minute after the one before it."""
    for row in rows:
        if "date_time" in row:
            at = max(at, _moment(row["date_time"]))  # nothing is said before what came before it
        yield _said(row, at)
        at += BETWEEN_TURNS


def _moment(text: str) -> datetime:
    """A time as LoCoMo or ISO 8601 writes it, in UTC where it names no zone."""
    try:
        moment = datetime.strptime(text, _DATE_FORM).replace(tzinfo=UTC)
    except ValueError:
        moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _said(row: Mapping[str, Any], at: datetime) -> LocomoTurn:
    (id_,) = turn_ids(row["dia_id"])
    caption = row.get("blip_caption")
    words = [str(row.get("text") or ""), f"[shares a photo: {caption}]" if caption else ""]
    return LocomoTurn(
        id=id_, speaker=str(row["speaker"]), text=" ".join(filter(None, words)), at=at
    )


def _observed(by_speaker: Mapping[str, Any]) -> Iterator[Observed]:
    for speaker, facts in by_speaker.items():
        for text, evidence in facts:
            yield Observed(speaker=speaker, text=str(text), evidence=_ids(evidence))
