"""`eko search` and `eko find`: by what fits, and word for word."""

from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import Json, Limit, StoreName, operate, print_rows


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(search)
    app.command()(find)


def search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    store: StoreName = None,
    limit: Limit = 10,
    *,
    as_json: Json = False,
) -> None:
    """Look something up in everything the pet knows, whatever its audience."""
    arguments = {"query": query, "store": store, "limit": limit}
    found = operate("search", arguments, as_json=as_json)
    if as_json:
        return
    rows = [*found["memories"], *found.get("history", [])]
    _print_found(rows)


def find(
    query: Annotated[
        str,
        typer.Argument(
            help='Words that must all be there, "phrases", begin*, -without, author:, room:, '
            'before:, after: (2026-01-17, hier, "last week").'
        ),
    ],
    limit: Limit = 20,
    *,
    as_json: Json = False,
) -> None:
    """Find what was said or kept word for word, latest first, whatever its audience."""
    found = operate("find", {"query": query, "limit": limit}, as_json=as_json)
    if not as_json:
        _print_found(found["rows"])


def _print_found(rows: list[dict[str, Any]]) -> None:
    print_rows(
        ("where", "when", "said by", "what"),
        [(row["section"], row["at"][:16], row["said_by"] or "", row["content"]) for row in rows],
        empty="Nothing found.",
    )
