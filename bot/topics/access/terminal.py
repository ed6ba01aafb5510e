"""`eko login`, `eko sessions` and `eko keys`: who may look at the dashboard and use the API."""

from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import (
    Json,
    as_typed,
    err,
    operate,
    out,
    print_rows,
    settings_or_exit,
    several,
)
from memory.model.access import Right

_HELP = {"help_option_names": ["-h", "--help"]}

keys = typer.Typer(
    help="Keys by which programs use the API.", no_args_is_help=True, context_settings=_HELP
)
sessions = typer.Typer(
    help="Browsers that are logged in.", no_args_is_help=True, context_settings=_HELP
)

Number = Annotated[int, typer.Argument(min=1, help="Its number, as the list shows it.")]


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(login)
    app.add_typer(sessions, name="sessions")
    app.add_typer(keys, name="keys")


def login(
    space: Annotated[
        str | None,
        typer.Option(help="For a manager of this community, who sees its part alone."),
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Print a one-time link by which a browser logs in to the dashboard."""
    given = operate("login", {"space": space}, as_json=as_json)
    if not _is_running():
        err.print(
            f"The pet is not running, so the link leads nowhere yet. Start it first: "
            f"{as_typed('run')}",
            style="yellow",
            markup=False,
        )
    if as_json:
        return
    whose = "you" if space is None else f"a manager of {space}"
    out.print(f"For {whose}, once, within 15 minutes:", markup=False)
    out.print(given["link"], markup=False)
    out.print(f"Where the page goes by another address, put /login#{given['code']} behind that.")


def _is_running() -> bool:
    from bot.lock import holder_of

    holder = holder_of(settings_or_exit().data_dir)
    return holder is not None and holder.socket is not None


@keys.command("list")
def list_keys(*, as_json: Json = False) -> None:
    """List the keys with what they may do."""
    found = operate("keys", {}, as_json=as_json)
    if not as_json:
        print_rows(
            ("key", "name", "may", "for", "made", "used", "until"),
            [_key_row(one) for one in found["keys"]],
            empty="There is no key.",
        )


@keys.command()
def add(
    name: Annotated[str, typer.Argument(help="What it is for.")],
    right: Annotated[
        list[Right] | None, typer.Option("--right", help="What it may do; repeatable.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(help="How long it lasts, such as 90d; until revoked if not given.")
    ] = None,
    space: Annotated[
        str | None, typer.Option(help="It sees what a manager of this community sees.")
    ] = None,
    person: Annotated[
        str | None, typer.Option(help="It sees what this person may know in private.")
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Make a key and print it, this once; it may read if nothing else is said.

    Without --space or --person it sees what you see.
    """
    arguments = {
        "name": name,
        "rights": list(right or [Right.READ]),
        "expires": expires,
        "space": space,
        "person": person,
    }
    made = operate("key_add", arguments, as_json=as_json)
    if not as_json:
        out.print(f"Key {made['id']} may {', '.join(made['rights'])}. It is shown this once:")
        out.print(made["token"], markup=False)


@keys.command()
def revoke(number: Number, *, as_json: Json = False) -> None:
    """Make a key worthless."""
    operate("key_revoke", {"id": number}, as_json=as_json)
    if not as_json:
        out.print(f"Key {number} is worthless now.")


@sessions.command("list")
def list_sessions(*, as_json: Json = False) -> None:
    """List the browsers that are logged in."""
    found = operate("sessions", {}, as_json=as_json)
    if not as_json:
        print_rows(
            ("session", "whose", "from", "browser", "used", "until"),
            [_session_row(one) for one in found["sessions"]],
            empty="No browser is logged in.",
        )


@sessions.command()
def end(
    number: Annotated[
        int | None, typer.Argument(min=1, help="Its number, as the list shows it.")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Every one.")] = False,
    as_json: Json = False,
) -> None:
    """Log a browser out, or all of them."""
    if (number is None) is not everything:
        raise typer.BadParameter("Name a session by its number, or all by --all.")
    if everything:
        done = operate("sessions_end_others", {}, as_json=as_json)
    else:
        operate("session_end", {"id": number}, as_json=as_json)
        done = {"ended": 1}
    if not as_json:
        out.print(f"{several(done['ended'], 'session')} ended.")


def _key_row(one: dict[str, Any]) -> tuple[str, ...]:
    used, until = one["last_used_at"] or "never", one["expires_at"] or "revoked"
    rights, whose = ", ".join(one["rights"]), one["space"] or one["person"] or "owner"
    made = one["created_at"][:16]
    return str(one["id"]), one["name"], rights, whose, made, used[:16], until[:16]


def _session_row(one: dict[str, Any]) -> tuple[str, ...]:
    whose, used, until = one["space"] or "owner", one["last_used_at"], one["expires_at"]
    return str(one["id"]), whose, one["address"], one["agent"], used[:16], until[:16]
