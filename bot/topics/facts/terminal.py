"""`eko facts`: what people said of themselves, and since when it holds."""

from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import Json, operate, print_rows


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(facts)


def facts(
    person: Annotated[
        str | None, typer.Option("--person", help="Only of who goes by this name.")
    ] = None,
    *,
    history: Annotated[
        bool, typer.Option("--history", help="Also what another value took the place of.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the core facts: what is always before the pet when a person speaks."""
    found = operate("facts", {"person": person, "history": history}, as_json=as_json)
    if not as_json:
        print_rows(
            ("who", "what", "is", "since", "until", "who may know"),
            [_row(one) for one in found["facts"]],
            empty="No core facts are kept yet." if person is None else f"Nothing of {person}.",
        )


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    return (
        one["person"],
        one["key"].replace("_", " "),
        one["value"],
        one["since"][:10],
        (one["until"] or "")[:10],
        one["visibility"],
    )
