"""Values that were forgotten: put up as marks, masked in what comes in, lifted by their owner."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.language.text import search_text, stems
from memory.model.audience import Audience, person_audience
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.stores import Collection
from memory.rules.forgetting.plain_words.frame import content_stems
from memory.rules.forgetting.selection import ErasureSelection
from memory.rules.forgetting.selector import ErasureRequest
from memory.rules.forgetting.tombstones import IncomingText, mark_of
from memory.rules.forgetting.values import TextValue, every_value, masked, stems_of, telling_values
from memory.rules.forgetting.values_stated import states_values
from memory.storage.columns import json_list, moment
from memory.storage.database import Database, Transaction
from memory.storage.forgetting.selection import Rows
from memory.storage.forgetting.tombstones import key_of, refused
from memory.storage.queries import queries
from memory.storage.search.outbox import announce

_SQL = queries("forgetting/value_marks")
_ERASING = queries("forgetting/erasure")

TEXTS = 64
"""Texts of one forgetting whose values are marked, the latest: each has some dozens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidText:
    """A text that comes in, before whom; `person` said it; None for the pet."""

    text: str
    audience: Audience
    person: PersonId | None = None
    at: datetime


class IncomingRefusals:
    """What was forgotten, for texts that come in by other ways than a talk: notes and imports."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def refuses(self, said: Sequence[IncomingText]) -> list[bool]:
        """For each text whether what it says, or a value in it, was forgotten after it was said."""
        buried = await refused(self._database, said)
        return [
            is_buried or await self._brings_back(one)
            for is_buried, one in zip(buried, said, strict=True)
        ]

    async def _brings_back(self, said: IncomingText) -> bool:
        values = await _marked_in(self._database, said.text, said.audience)
        if all(value.is_lone_word for value in values):
            return False
        (forgotten,) = await self._database.all(_SQL["latest"], {"audience": said.audience})
        return said.at is None or said.at < moment(forgotten["at"])


async def unmarked(transaction: Transaction, said: Sequence[SaidText]) -> list[str]:
    """The texts without values that were forgotten there; who they belonged to may say them anew.

    Where nothing was forgotten it costs one look-up.
    """
    marked = await _marked_audiences(transaction, {one.audience for one in said})
    return [
        await _unmarked(transaction, one) if one.audience in marked else one.text for one in said
    ]


async def holds_marked(rows: Rows, text: str, audience: Audience) -> bool:
    """Whether a text says a value that was forgotten there."""
    return bool(await _marked_in(rows, text, audience))


async def add_value_marks(
    transaction: Transaction, forgetting: int, selection: ErasureSelection, request: ErasureRequest
) -> None:
    """Mark the values that nothing but what is being forgotten says, before it is erased."""
    key = await key_of(transaction)
    rows = await transaction.all(
        _SQL["message_texts"], {"ids": json_list(sorted(selection.messages)), "limit": TEXTS}
    )
    rows += await transaction.all(
        _SQL["memory_texts"], {"ids": json_list(map(str, selection.memories)), "limit": TEXTS}
    )
    called = await transaction.all(_SQL["names"])
    words = _Words(
        names=frozenset(stem for row in called for stem in stems(row["name"] or "")),
        asked=frozenset(await _asked_with(transaction, request)),
    )
    marks: set[tuple[str, int, str | None]] = set()
    for row in rows:
        owner = row["person_id"]
        audience = Audience(row["audience"])
        distinctive = await _distinctive(
            transaction, row["text"], words, audience, (selection, request)
        )
        own = {audience, *([person_audience(owner)] if owner else [])}
        marks |= {(where, mark_of(value.key, key), owner) for value in distinctive for where in own}
    await transaction.many(
        _SQL["add"],
        [
            {"audience": where, "mark": mark, "forgetting": forgetting, "person": owner}
            for where, mark, owner in sorted(marks, key=str)
        ],
    )


async def mask_since(transaction: Transaction, request: ErasureRequest) -> None:
    """Take the values out of what was said since it was asked for, the request and answers too."""
    since = min(request.selector.asking, default=None)
    if since is None:
        return
    rows = await transaction.all(_SQL["said_since"], {"since": since})
    turns: set[str] = set()
    for row in rows:
        _, values = await _found(transaction, row["text"], Audience(row["audience"]))
        if values:
            text = masked(row["text"], values)
            await transaction.run(
                _SQL["reword"], {"id": row["id"], "text": text, "search_text": search_text(text)}
            )
            await announce(transaction, Collection.LIVE, [UUID(int=row["id"])], changed=True)
            turns |= {row["turn_id"]} - {None}
    asking = {row["turn_id"] for row in rows if row["id"] in request.selector.asking} - {None}
    await _mask_turns(transaction, sorted(turns | asking), rows)


async def remove_value_marks(transaction: Transaction, forgetting: int) -> None:
    """Lift the marks of a forgetting that was undone."""
    await transaction.run(_SQL["remove"], {"forgetting": forgetting})


async def _mask_turns(
    transaction: Transaction, turns: Sequence[str], said: Sequence[object]
) -> None:
    audience = {row["turn_id"]: Audience(row["audience"]) for row in said}  # type: ignore[index]
    for row in await transaction.all(_SQL["turns_since"], {"turns": json_list(turns)}):
        where = audience[row["id"]]
        texts = [
            masked(text, (await _found(transaction, text, where))[1])
            for text in (row["text"], row["reply"])
        ]
        found = search_text("\n".join(texts)) if row["search_text"] else ""
        values = {"id": row["id"], "text": texts[0], "reply": texts[1], "search_text": found}
        await transaction.run(_SQL["reword_turn"], values)
    values = {"turns": json_list(turns)}
    await transaction.run(_ERASING["drop_tools"], values)
    await transaction.run(_ERASING["blank_queries"], values)
    points = [UUID(turn) for turn in turns]
    await announce(transaction, Collection.CONVERSATIONS, points, changed=True)


async def _marked_in(rows: Rows, text: str, audience: Audience) -> list[TextValue]:
    """The values that a text says and that were forgotten there; one look-up where none were."""
    if not await _marked_audiences(rows, {audience}):
        return []
    return (await _found(rows, text, audience))[1]


async def _marked_audiences(rows: Rows, audiences: Iterable[Audience]) -> set[str]:
    found = await rows.all(_SQL["any_for"], {"audiences": json_list(sorted(audiences))})
    return {row["audience"] for row in found}


async def _unmarked(transaction: Transaction, said: SaidText) -> str:
    owners, values = await _found(transaction, said.text, said.audience)
    if not values:
        return said.text
    (forgotten,) = await transaction.all(_SQL["latest"], {"audience": said.audience})
    is_anew = moment(forgotten["at"]) <= said.at
    if is_anew and owners == {said.person} and states_values(said.text):
        key = await key_of(transaction)
        marks = [mark_of(value.key, key) for value in values]
        own = person_audience(said.person) if said.person else said.audience
        lifted = {"marks": json_list(marks), "audience": said.audience, "own": own}
        await transaction.run(_SQL["lift"], lifted)
        return said.text
    return masked(said.text, values)


async def _found(
    rows: Rows, text: str, audience: Audience
) -> tuple[set[str | None], list[TextValue]]:
    """Whose forgotten values a text says before an audience, and where."""
    values = every_value(text)
    if not values:
        return set(), []
    key = await key_of(rows)
    marks = {value.key: mark_of(value.key, key) for value in values}
    asked = {"marks": json_list(sorted(set(marks.values()))), "audience": audience}
    found = {row["mark"]: row["person_id"] for row in await rows.all(_SQL["among"], asked)}
    said = [value for value in values if marks[value.key] in found]
    return {found[marks[value.key]] for value in said}, said


async def _distinctive(
    transaction: Transaction,
    text: str,
    words: "_Words",
    audience: Audience,
    forgetting: tuple[ErasureSelection, ErasureRequest],
) -> list[TextValue]:
    """The values of a text that nothing else before the audience says."""
    selection, request = forgetting
    kept: dict[str, bool] = {}
    told = telling_values(text, words.names, words.asked)
    for value in told:
        if value.key in kept:
            continue
        match = " AND ".join(f'"{stem}"' for stem in stems_of(value))
        if not match:
            kept[value.key] = True
            continue
        (row,) = await transaction.all(
            _SQL["said_still"],
            {
                "match": match,
                "audience": audience,
                "but": json_list(map(int, sorted(selection.messages))),
                "since": min(request.selector.asking, default=MessageId(2**62)),
                "asker": request.asker.person,
            },
        )
        kept[value.key] = not row["said"]
    return [value for value in told if kept[value.key]]


@dataclass(frozen=True, slots=True)
class _Words:
    """The stems of people's names, and of what a request was made with."""

    names: frozenset[str]
    asked: frozenset[str]


async def _asked_with(transaction: Transaction, request: ErasureRequest) -> list[str]:
    """The stems that name what is to be forgotten, in the messages that asked or in the topic."""
    ids = {"ids": json_list(request.selector.asking), "limit": TEXTS}
    rows = await transaction.all(_SQL["message_texts"], ids)
    said = [request.selector.topic, *(row["text"] for row in rows)]
    return [stem for text in said for stem in content_stems(text)]
