"""Values that were forgotten: put up as marks, masked in what comes in, lifted by their owner."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.language.text import search_text, stems
from memory.model.audience import Audience, person_audience
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.stores import Collection
from memory.rules.forgetting.common_values import ValueOwner, speaks_of, states_values
from memory.rules.forgetting.masking import masked
from memory.rules.forgetting.selection import ErasureSelection
from memory.rules.forgetting.selector import ErasureRequest
from memory.rules.forgetting.tombstones import IncomingText, mark_of
from memory.rules.forgetting.values import TextValue, every_value, stems_of, telling_values
from memory.storage.forgotten.tombstones import key_of, keys_of, refused
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Rows, Table, Transaction
from memory.storage.sqlite.rows import json_list, moment, queries

_SQL = queries("forgotten/value_marks")
_ERASING = queries("forgetting/erasure")

TEXTS = 64
"""Texts of one forgetting whose values are marked, the latest: each has some dozens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidText:
    """A text that comes in, before whom; `person` said it; None for the pet or one unknown."""

    text: str
    audience: Audience
    at: datetime
    person: PersonId | None = None


class IncomingRefusals(Table):
    """What was forgotten, for texts that come in by other ways than a talk: notes and imports."""

    async def refuses(self, said: Sequence[IncomingText]) -> list[bool]:
        """For each text whether what it says, or a value in it, was forgotten after it was said."""
        buried = await refused(self._database, said)
        return [
            is_buried or await self._brings_back(one)
            for is_buried, one in zip(buried, said, strict=True)
        ]

    async def _brings_back(self, said: IncomingText) -> bool:
        values = await marked_in(self._database, said.text, said.audience)
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
        request=await _asked_with(transaction, request),
    )
    marks: set[tuple[str, int, str | None]] = set()
    for row in rows:
        owner = row["person_id"]
        audience = Audience(row["audience"])
        distinctive = await _distinctive(
            transaction, row["text"], words, audience, (selection, request)
        )
        own = {audience, *([person_audience(owner)] if owner else [])}
        keys = {one for value in distinctive for one in value.keys}
        marks |= {(where, mark_of(one, key), owner) for one in keys for where in own}
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
        speaker = None if row["author_kind"] == "pet" else row["person_id"]
        _, values = await _found(transaction, row["text"], Audience(row["audience"]), speaker)
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
            masked(text, (await _found(transaction, text, where, speaker))[1])
            for text, speaker in ((row["text"], row["person_id"]), (row["reply"], None))
        ]
        found = search_text("\n".join(texts)) if row["search_text"] else ""
        values = {"id": row["id"], "text": texts[0], "reply": texts[1], "search_text": found}
        await transaction.run(_SQL["reword_turn"], values)
    values = {"turns": json_list(turns)}
    await transaction.run(_ERASING["drop_tools"], values)
    await transaction.run(_ERASING["blank_queries"], values)
    points = [UUID(turn) for turn in turns]
    await announce(transaction, Collection.CONVERSATIONS, points, changed=True)


async def marked_in(
    rows: Rows, text: str, audience: Audience, speaker: PersonId | None = None
) -> list[TextValue]:
    """The values that a text says and that were forgotten there; one look-up where none were."""
    if not await _marked_audiences(rows, {audience}):
        return []
    return (await _found(rows, text, audience, speaker))[1]


async def _marked_audiences(rows: Rows, audiences: Iterable[Audience]) -> set[str]:
    found = await rows.all(_SQL["any_for"], {"audiences": json_list(sorted(audiences))})
    return {row["audience"] for row in found}


async def _unmarked(transaction: Transaction, said: SaidText) -> str:
    owners, values = await _found(transaction, said.text, said.audience, said.person)
    if not values:
        return said.text
    (forgotten,) = await transaction.all(_SQL["latest"], {"audience": said.audience})
    is_anew = moment(forgotten["at"]) <= said.at
    if is_anew and owners == {said.person} and states_values(said.text):
        keys = await keys_of(transaction)
        marks = [mark_of(value.key, key) for value in values for key in keys]
        own = person_audience(said.person) if said.person else said.audience
        lifted = {"marks": json_list(marks), "audience": said.audience, "own": own}
        await transaction.run(_SQL["lift"], lifted)
        return said.text
    return masked(said.text, values)


async def _found(
    rows: Rows, text: str, audience: Audience, speaker: PersonId | None
) -> tuple[set[str | None], list[TextValue]]:
    """Whose forgotten values a text says before an audience, and where."""
    values = every_value(text)
    if not values:
        return set(), []
    made_with = await keys_of(rows)
    keys = {mark_of(one, key): one for value in values for one in value.keys for key in made_with}
    asked = {"marks": json_list(sorted(keys)), "audience": audience}
    owners: dict[str, set[str | None]] = {}
    for row in await rows.all(_SQL["among"], asked):
        owners.setdefault(keys[row["mark"]], set()).add(row["person_id"])
    said = [value for value in values if value.is_marked(owners)]
    if any(value.common for value in said):
        said = await _about_owners(rows, said, owners, IncomingLine(text, speaker))
    return {one for value in said for one in owners[value.key]}, said


@dataclass(frozen=True, slots=True)
class IncomingLine:
    """A line that comes in, and who says it; None for the pet or an unknown author."""

    text: str
    speaker: PersonId | None


async def _about_owners(
    rows: Rows,
    values: Sequence[TextValue],
    owners: Mapping[str, set[str | None]],
    line: IncomingLine,
) -> list[TextValue]:
    """Those values that the line may say of whom they belonged to."""
    called: dict[str | None, set[str]] = {}
    for row in await rows.all(_SQL["names"]):
        called.setdefault(row["person_id"], set()).update(stems(row["name"] or ""))
    said = frozenset(stems(line.text))
    told = {person: names & said for person, names in called.items() if names & said}

    def may_be_of(value: TextValue, person: str | None) -> bool:
        names = told.get(person, set()) if person else set()
        others = {stem for other, named in told.items() if other != person for stem in named}
        owner = ValueOwner(
            names=frozenset(names),
            others=frozenset(others - names - {*value.key.split()}),
            speaks=line.speaker in {None, person},
        )
        enough = value.says_enough(owners)
        claim = {"personal": value.personal, "repeated": value.repeated}
        return speaks_of(line.text, owner, says_little=enough, **claim)

    return [
        value
        for value in values
        if not value.common
        or not owners.keys().isdisjoint(value.people)
        or any(may_be_of(value, person) for person in owners[value.key])
    ]


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
    told = telling_values(text, words.names, words.request)
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
    """The stems of people's names, and the words that a request was made with."""

    names: frozenset[str]
    request: str


async def _asked_with(transaction: Transaction, request: ErasureRequest) -> str:
    """What names what is to be forgotten: the messages that asked, or the topic."""
    ids = {"ids": json_list(request.selector.asking), "limit": TEXTS}
    rows = await transaction.all(_SQL["message_texts"], ids)
    return "\n".join((request.selector.topic, *(row["text"] for row in rows)))
