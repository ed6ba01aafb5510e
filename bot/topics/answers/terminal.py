"""`eko chat`, `eko ask` and `eko why`: talk with the pet, and learn what its answers rest on."""

from typing import Annotated, Literal

import typer

from bot.surfaces.terminal.terminal import Json, operate, run_or_exit, settings_or_exit


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(chat)
    app.command()(ask)
    app.command()(why)


def chat(
    name: Annotated[str, typer.Option("--as", help="Your name.")] = "you",
    *,
    lobby: Annotated[bool, typer.Option("--lobby", help="Join the lobby.")] = False,
) -> None:
    """Talk with the pet in the terminal, in private or in the lobby."""
    from bot.topics.answers.chat import chat as talk

    run_or_exit(talk(settings_or_exit(), name, lobby=lobby))


def ask(
    text: Annotated[str, typer.Argument(help="What you say.")],
    name: Annotated[str, typer.Option("--as", help="Who says it.")] = "you",
    room: Annotated[
        Literal["lobby"] | None, typer.Option(help="Where it is said; in private if not given.")
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Say one thing and print the reply, its expression, and what was injected and why."""
    told = operate("ask", {"text": text, "name": name, "room": room}, as_json=as_json)
    if not as_json:
        from bot.topics.answers.reasons import print_answer

        print_answer(told)


def why(
    turn: Annotated[
        str | None, typer.Argument(help="A turn's id or its beginning; the last turn if not given.")
    ] = None,
    name: Annotated[str | None, typer.Option("--as", help="The last turn of this person.")] = None,
    room: Annotated[
        str | None, typer.Option(help="The last turn in this room, by its name, such as lobby.")
    ] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what was considered and dropped, and why.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say why the pet answered what it did: what it recalled for it, from whom, where and when."""
    told = operate("why", {"turn": turn, "name": name, "room": room}, as_json=as_json)
    if not as_json:
        from bot.topics.answers.reasons import print_reasons

        print_reasons(told, everything=everything)
