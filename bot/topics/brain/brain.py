"""The brain: what each store holds by category and how it grew, and what hangs together."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.values import Event, as_json
from bot.wiring.app import App
from memory.model.listing import Month
from memory.model.statements import Association, Memory, MemoryId, Relation
from memory.model.stores import Store

LATEST = 5
"""Statements of each category that are told."""

MOST_NEIGHBOURS = 16
"""Neighbours of a statement in its graph: more are not told apart."""

_MOST_REPLACED = 20
"""Replaced statements that are told: a screen of them."""


async def growth(app: App, caller: OperationCaller) -> Mapping[Store, Sequence[Month]]:
    """What each store holds of each category, month by month; it reads all there is."""
    return {store: await app.storage.lifetimes.growth(store, caller.scope) for store in Store}


async def stores(
    app: App, caller: OperationCaller, grown: Mapping[Store, Sequence[Month]]
) -> list[Event]:
    """Every store with its categories: counts by month, and the latest statements of each."""
    return [await _store_json(app, caller, store, grown[store]) for store in grown]


async def replaced(app: App, caller: OperationCaller, store: Store) -> list[Event]:
    """What a store held once, the latest first, with what took its place."""
    found = await app.storage.lifetimes.replaced(store, caller.scope, _MOST_REPLACED)
    return [{**as_json(one.memory), "replaced_by": one.survivor} for one in found]


async def neighbourhood(app: App, caller: OperationCaller, memory: MemoryId) -> Event | None:
    """A statement with what it is tied to, closest first; None where it is not recalled."""
    centre = await _visible(app, caller, [memory])
    if not centre:
        return None
    ties = await app.storage.associations.around([memory], caller.scope)
    nearest = list(dict.fromkeys(_far_end(one, memory) for one in ties))[:MOST_NEIGHBOURS]
    known = await _visible(app, caller, nearest)
    between = await app.storage.associations.around(nearest, caller.scope)
    return {
        "memory": as_json(centre[memory]),
        "neighbours": [
            {**as_json(known[one]), "ties": _ties(ties, memory, one)}
            for one in nearest
            if one in known
        ],
        "between": [
            (str(one.start), str(one.end))
            for one in between
            if one.start in known and one.end in known
        ],
    }


def _ties(ties: Sequence[Association], centre: MemoryId, far: MemoryId) -> list[Event]:
    """How a neighbour is tied to the centre: by what, how closely, and which way round."""
    return [
        {
            "relation": one.relation.value,
            "weight": one.weight,
            "outward": one.start == centre,
            "directed": one.relation is not Relation.RELATED_TO,
        }
        for one in ties
        if far in {one.start, one.end}
    ]


def _far_end(one: Association, centre: MemoryId) -> MemoryId:
    return one.end if one.start == centre else one.start


async def _visible(
    app: App, caller: OperationCaller, ids: Sequence[UUID]
) -> dict[MemoryId, Memory]:
    return {one.id: one for one in await app.storage.memories.visible(ids, caller.scope)}


async def _store_json(
    app: App, caller: OperationCaller, store: Store, months: Sequence[Month]
) -> Event:
    kinds = sorted({one.category for one in months}, key=lambda kind: -_held(months, kind))
    latest = await app.storage.lifetimes.latest_of(store, kinds, caller.scope, LATEST)
    return {
        "store": store.value,
        "holds": sum(one.holds for one in months),
        "months": _by_month(months),
        "categories": [
            {
                "category": kind,
                "holds": _held(months, kind),
                "said": sum(one.said for one in months if one.category == kind),
                "months": _by_month([one for one in months if one.category == kind]),
                "latest": [as_json(one) for one in latest[kind]],
            }
            for kind in kinds
        ],
    }


def _held(months: Sequence[Month], kind: str) -> int:
    return sum(one.holds for one in months if one.category == kind)


def _by_month(months: Sequence[Month]) -> list[Event]:
    """How much was said in each month, oldest first."""
    names = sorted({one.month for one in months})
    return [
        {"month": name, "said": sum(one.said for one in months if one.month == name)}
        for name in names
    ]
