"""The commands that list what the pet keeps: its memories, who it is and what it wants."""

from typing import Annotated, Any, Literal

import typer

from bot.surfaces.terminal.terminal import Json, Limit, StoreName, operate, out, print_rows

Over = Annotated[
    Literal["months"] | None, typer.Option("--over", help="Count what was said in each month.")
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        help='What held then: 2026-03-01, 2026-03-01T12:00, or words such as "last week".',
    ),
]
History = Annotated[
    str | None,
    typer.Option("--history", help="What took whose place, of the statement with this id."),
]
Archived = Annotated[
    bool, typer.Option("--archived", help="What has expired; see eko tidy restore.")
]


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(memories)
    app.command("self")(self_)
    app.command()(goals)


def memories(
    store: StoreName = None,
    limit: Limit = 50,
    as_of: AsOf = None,
    history: History = None,
    *,
    archived: Archived = False,
    as_json: Json = False,
) -> None:
    """List what the pet keeps, latest first; or what held at a past moment; or one history."""
    if archived:
        _print_archived(store, limit, as_json=as_json)
        return
    arguments = {"store": store, "limit": limit, "as_of": as_of, "history": history}
    found = operate("memories", arguments, as_json=as_json)
    if as_json:
        return
    print_rows(
        ("id", "kind", "who may know", "validity", "what"),
        [
            (
                row["id"][:8],
                row["category"] or row["type"],
                row["visibility"],
                row["validity"],
                _with_relation(row),
            )
            for row in found["memories"]
        ],
        empty="Nothing was kept then." if as_of else "Nothing is kept yet.",
    )


def self_(over: Over = None, *, as_json: Json = False) -> None:
    """Say who the pet is by its own account: categories, the latest of each, what changed."""
    _print_self_or_goals("self", over, as_json=as_json)


def goals(over: Over = None, *, as_json: Json = False) -> None:
    """Say what the pet wants: categories, the latest of each, what was granted or given up."""
    _print_self_or_goals("goals", over, as_json=as_json)


def _with_relation(row: dict[str, Any]) -> str:
    """The words, and in a history what became of them."""
    ends = {"updates": "updated", "contradicts": "contradicted"}
    relation = ends.get(row.get("relation") or "", "replaced")
    survivor = row.get("superseded_by")
    return f"{row['content']} ({relation} by {survivor[:8]})" if survivor else str(row["content"])


def _print_self_or_goals(store: str, over: str | None, *, as_json: bool) -> None:
    told = operate("self_and_goals", {"store": store}, as_json=as_json)
    if as_json:
        return
    if over is None:
        _print_categories(told)
        _print_replaced(told)
    else:
        _print_months(told)


def _print_categories(told: dict[str, Any]) -> None:
    print_rows(
        ("category", "holds", "said", "validity", "latest"),
        [
            (
                one["category"],
                str(one["holds"]),
                str(one["said"]),
                one["latest"]["validity"] if one["latest"] else "",
                one["latest"]["content"] if one["latest"] else "",
            )
            for one in told["categories"]
        ],
        empty="Nothing was noticed yet; plant a seed with: eko seed",
    )


def _print_replaced(told: dict[str, Any]) -> None:
    for one in told["replaced"]:
        out.print(
            f"{one['category'] or one['type']}, {one['validity']}: {one['content']}"
            f" -> {one['replaced_by']}",
            markup=False,
        )


def _print_months(told: dict[str, Any]) -> None:
    names = [one["category"] for one in told["categories"]]
    counts = {one["category"]: one["months"] for one in told["categories"]}
    months = sorted({month for of_one in counts.values() for month in of_one})
    print_rows(
        ("month", *names),
        [
            (month, *(str(counts[name].get(month, {"said": 0})["said"]) for name in names))
            for month in months
        ],
        empty="Nothing was noticed yet; plant a seed with: eko seed",
    )


def _print_archived(store: str | None, limit: int, *, as_json: bool) -> None:
    found = operate("archived", {"store": store, "limit": limit}, as_json=as_json)
    if not as_json:
        print_rows(
            ("id", "kind", "until", "what"),
            [
                (row["id"][:8], row["kind"], row["expires_at"][:16], row["content"])
                for row in found["memories"]
            ],
            empty="Nothing has expired.",
        )
