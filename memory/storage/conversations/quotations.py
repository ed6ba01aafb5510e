"""Where the pet may have quoted rows that are forgotten: by the ledger, and by their words."""

from collections.abc import Collection as Words
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import timedelta
from typing import Self
from uuid import UUID

from memory.language.text import stems
from memory.model.audience import EVERYONE, Audience
from memory.model.conversations import NewTurn
from memory.model.people import PSEUDONYM
from memory.model.retrieval import target_of
from memory.model.stores import Collection, Store
from memory.rules.forgetting.quotation import repeats
from memory.rules.forgetting.selection import ErasureSelection
from memory.storage.sqlite.database import Rows, Transaction
from memory.storage.sqlite.rows import Row, json_list, millis_in, queries

_SQL = queries("conversations/quotations")

WINDOW = timedelta(hours=2)
"""How long after an exchange an answer may repeat it from the window."""

_AT_ONCE = 200
"""Words of one full-text query, and rows of tools that are read at a time."""

_TEXTS = {
    Collection.LIVE: "message_texts",
    Collection.CONVERSATIONS: "turn_texts",
    Collection.KNOWLEDGE: "knowledge_texts",
    **{store.collection: "memory_texts" for store in Store},
}
"""The query for what rows of a collection said."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a row says, and the `names` of its author and of the people it is about."""

    text: str = ""
    names: str = ""

    def is_repeated_in(self, reply: str, own: str, gone: Words[str] = ()) -> bool:
        """Whether a reply to a person's `own` words tells it."""
        return repeats(reply, own, self.text, gone, self.names)


@dataclass(frozen=True, slots=True)
class Quote:
    """An exchange that may quote what is forgotten; `recalled` when the ledger says so.

    `own` is what its reply may say: the name and the words of whom it answers.
    """

    turn: str
    own: str
    reply: str
    forgotten: Said
    recalled: bool

    def is_repeated(self, gone: Words[str] = ()) -> bool:
        """Whether its reply tells it, or says one of the stems that are `gone`."""
        return self.forgotten.is_repeated_in(self.reply, self.own, gone)


async def quotes_of(
    transaction: Transaction, refs: Iterable[str], going: Iterable[UUID] = ()
) -> list[Quote]:
    """The exchanges, beside those that go, that may quote these rows, with what they may quote."""
    turns, named = json_list(map(str, going)), tuple(refs)
    values = {"refs": json_list(named), "turns": turns, "reach": millis_in(WINDOW)}
    quoting = await transaction.all(_SQL["quoting"], values)
    said = json_list(map(_message_in, filter(_is_message, named)))
    overhearing = await transaction.all(_SQL["overhearing"], {"messages": said, "turns": turns})
    following = await transaction.all(_SQL["followers"], values)
    telling = {row["ref"] for row in quoting} | {_turn_ref(row["of"]) for row in following}
    telling |= {_message_ref(row["message"]) for row in overhearing}
    spoken = await said_by(transaction, telling)
    return [
        *(_quote(row, spoken[row["ref"]], recalled=True) for row in quoting),
        *(_quote(row, spoken[_message_ref(row["message"])], recalled=False) for row in overhearing),
        *(_quote(row, spoken[_turn_ref(row["of"])], recalled=False) for row in following),
    ]


def refs_of(selection: ErasureSelection) -> Iterator[str]:
    """How the ledger names the rows of a selection, up to their revision."""
    passed_on = {one.memory: one.store for one in selection.shared if one.heir is not None}
    stated = {**selection.memories, **selection.muted, **passed_on}
    yield from (f"{store}:{memory}@" for memory, store in stated.items())
    yield from map(_message_ref, selection.messages)
    yield from map(_turn_ref, selection.turns)
    yield from (f"knowledge:{row}@" for row in selection.knowledge)


def refs_of_rows(rows: Iterable[Row]) -> Iterator[str]:
    """The same of rows that say their table, their id, and of a statement its store."""
    for row in rows:
        match row["tbl"]:
            case "messages":
                yield _message_ref(int(row["id"]))
            case "turns":
                yield _turn_ref(row["id"])
            case _:
                yield f"{row['store']}:{row['id']}@"


async def carry(transaction: Transaction, turns: Iterable[str], audience: Audience) -> None:
    """Let exchanges, and the summaries that tell of them, be for those alone who know this too."""
    values = {"turns": json_list(sorted(turns)), "audience": audience}
    await transaction.run(_SQL["carry_in_turns"], values)
    await transaction.run(_SQL["carry_in_summaries"], values)


async def replying_to(transaction: Transaction, messages: Iterable[int]) -> list[str]:
    """The exchanges in which a person quoted one of these messages."""
    rows = await transaction.all(_SQL["replying"], {"messages": json_list(messages)})
    return [row["id"] for row in rows]


async def carried(transaction: Transaction, new: NewTurn, own: Audience) -> frozenset[Audience]:
    """The audiences, but for its `own` and everyone, of the rows that a reply repeats.

    It may repeat what was recalled for it or listed by its tools, and what stands in its window.
    What another process gave is taken for repeated: its words are not here to be compared.
    """
    lines = new.retrieval.given if new.retrieval else ()
    given = {audience for line in lines for audience in line.audiences}
    before = await transaction.all(_SQL["standing_before"], {"session": new.session.id})
    heard = await transaction.all(_SQL["overheard_before"], {"session": new.session.id})
    window = (*(row["ref"] for row in before), *(_message_ref(row["message"]) for row in heard))
    rows = {target_of(ref) for ref in (*new.told, *window)}
    of_rows = await known_to(transaction, rows)
    foreign = {row: whose - {own, EVERYONE} for row, whose in of_rows.items()}
    rows_said = await said_by(
        transaction, (f"{kind}:{id_}@" for (kind, id_), w in foreign.items() if w)
    )
    own_words = f"{new.speaker}\n{new.text}"
    repeated = frozenset(
        audience
        for (kind, id_), whose in foreign.items()
        if whose and rows_said.get(f"{kind}:{id_}@", Said()).is_repeated_in(new.reply, own_words)
        for audience in whose
    )
    return repeated | (given - {own, EVERYONE})


async def known_to(
    reading: Rows, rows: AbstractSet[tuple[Collection, UUID]]
) -> dict[tuple[Collection, UUID], set[Audience]]:
    """The audiences of rows, and of what is repeated in them."""
    by_key = {str(_key(kind, str(id_))): (kind, id_) for kind, id_ in rows}
    values = {
        "ids": json_list(str(id_) for _, id_ in rows),
        "messages": json_list(id_.int for kind, id_ in rows if kind is Collection.LIVE),
    }
    known: dict[tuple[Collection, UUID], set[Audience]] = {row: set() for row in rows}
    for row in await reading.all(_SQL["audiences"], values):
        known[by_key[row["id"]]].add(Audience(row["audience"]))
    return known


async def any_erased(transaction: Transaction, refs: Iterable[str]) -> bool:
    """Whether one of these rows, as the ledger names them, has lost its words."""
    texts = await texts_of(transaction, {f"{ref.partition('@')[0]}@" for ref in refs})
    return not all(text.strip() for text in texts.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedWords:
    """The `stems` of what people said of something that goes, first at `since` (milliseconds)."""

    stems: frozenset[str]
    since: int

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Self:
        """The words of rows that have stems or a text, and a moment."""
        said = (stem for row in rows for stem in (*row["stems"].split(), *stems(row["text"])))
        return cls(stems=frozenset(said), since=min((row["at"] for row in rows), default=0))


async def words_going(transaction: Transaction, selection: ErasureSelection) -> QuotedWords:
    """What people said of everything that is about to go."""
    values = {
        "messages": json_list(selection.messages),
        "turns": json_list(map(str, selection.turns)),
        "memories": json_list(map(str, selection.memories)),
        "knowledge": json_list(map(str, selection.knowledge)),
    }
    return QuotedWords.of(await transaction.all(_SQL["words_going"], values))


async def no_longer_said(transaction: Transaction, words: QuotedWords) -> frozenset[str]:
    """Those of these stems that no author says any more and that stand in nothing that is kept.

    What the pet said before it heard them is no echo of them.
    """
    values = {"stems": json_list(sorted(words.stems)), "since": words.since}
    rows = await transaction.all(_SQL["still_said"], values)
    return words.stems - {row["stem"] for row in rows}


async def answers_telling(transaction: Transaction, words: Iterable[str]) -> set[str]:
    """The exchanges whose answer holds one of these stems."""
    asked = frozenset(words)
    rows: list[Row] = []
    ordered = sorted(asked)
    for start in range(0, len(ordered), _AT_ONCE):
        match = " OR ".join(f'"{stem}"' for stem in ordered[start : start + _AT_ONCE])
        rows += await transaction.all(_SQL["answers_by_words"], {"match": match})
    if asked:
        rows += await transaction.all(_SQL["answers_unfound"])
    return {row["id"] for row in rows if not asked.isdisjoint(stems(row["reply"]))}


async def tools_telling(transaction: Transaction, words: Iterable[str]) -> set[str]:
    """The exchanges for which a tool was asked about, or told, one of these stems."""
    asked = frozenset(words)
    telling: set[str] = set()
    place: dict[str, str | int] = {"turn": "", "position": -1, "limit": _AT_ONCE}
    while asked and (rows := await transaction.all(_SQL["tools"], place)):
        telling |= {row["id"] for row in rows if not asked.isdisjoint(stems(row["text"]))}
        place |= {"turn": rows[-1]["id"], "position": rows[-1]["position"]}
    return telling


def _quote(row: Row, forgotten: Said, *, recalled: bool) -> Quote:
    return Quote(row["id"], row["text"], row["reply"], forgotten, recalled)


def _message_ref(message: int) -> str:
    return f"{Collection.LIVE}:{UUID(int=message)}@"


def _is_message(ref: str) -> bool:
    return ref.startswith(f"{Collection.LIVE}:")


def _message_in(ref: str) -> int:
    return target_of(ref)[1].int


def _turn_ref(turn: object) -> str:
    return f"conversations:{turn}@"


async def texts_of(reading: Rows, refs: Iterable[str]) -> dict[str, str]:
    """What rows say, by how the ledger names them up to their revision."""
    return {ref: one.text for ref, one in (await said_by(reading, refs)).items()}


async def said_by(reading: Rows, refs: Iterable[str]) -> dict[str, Said]:
    """What rows say and whose names go with it, by the same."""
    named = [ref.rstrip("@").partition(":")[::2] for ref in refs]
    said: dict[str, Said] = {}
    for collection, query in _TEXTS.items():
        keys = [_key(collection, key) for kind, key in named if kind == collection]
        values = {"ids": json_list(keys), "pseudonym": PSEUDONYM}
        for row in await reading.all(_SQL[query], values):
            key = UUID(int=row["id"]) if collection == Collection.LIVE else row["id"]
            said[f"{collection}:{key}@"] = Said(row["text"], row["names"])
    return said


def _key(collection: Collection, key: str) -> int | str:
    return UUID(key).int if collection is Collection.LIVE else key
