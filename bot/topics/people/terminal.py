"""`eko people`: whose account is whose, joined and split, and one lost on the page."""

from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import Json, operate, out, print_rows

app = typer.Typer(
    help="Look after the accounts of people.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def register(program: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    program.add_typer(app, name="people")


@app.command("list")
def list_(*, as_json: Json = False) -> None:
    """List the accounts from which anything was said, person by person."""
    found = operate("people", {}, as_json=as_json)
    if not as_json:
        print_rows(
            ("person", "account", "name there"),
            [(one["person"], one["account"], one["name"]) for one in found["accounts"]],
            empty="Nobody has spoken yet.",
        )


@app.command()
def split(
    account: Annotated[str, typer.Argument(help="As `eko people list` shows it: discord:123.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without it, only look.")] = False,
    as_json: Json = False,
) -> None:
    """Let an account be a person of its own again, with all that came from it."""
    done = operate("split_account", {"account": account, "yes": yes}, as_json=as_json)
    if as_json:
        return
    stays = ", ".join(map(_named, done["staying"]))
    verb = "is" if done["done"] else "would be"
    out.print(
        f"{_named(done['leaving'])} {verb} apart from {stays}. It takes along: {_moved(done)}.",
        markup=False,
    )
    if not done["done"]:
        out.print("Nothing was changed. Do it with --yes.")


@app.command()
def join(
    account: Annotated[str, typer.Argument(help="As `eko people list` shows it: irc:nadia.")],
    other: Annotated[str, typer.Argument(help="An account of the person whose it is, too.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without it, only look.")] = False,
    as_json: Json = False,
) -> None:
    """Let an account be the person's who owns another one, such as one of a recording."""
    given = {"account": account, "other": other, "yes": yes}
    done = operate("join_accounts", given, as_json=as_json)
    if as_json:
        return
    verb = "are" if done["done"] else "would be"
    names = ", ".join(map(_named, done["accounts"]))
    out.print(f"{names} {verb} one person. {account} brings: {_moved(done)}.", markup=False)
    if not done["done"]:
        out.print("Nothing was changed. Do it with --yes; `eko people split` takes it back.")


@app.command("recovery-link")
def recovery_link(
    account: Annotated[str, typer.Argument(help="A name on the page, or an id such as web:ID.")],
    *,
    as_json: Json = False,
) -> None:
    """Print a one-time link by which a browser becomes an account of the page again."""
    given = operate("recovery_link", {"account": account}, as_json=as_json)
    if as_json:
        return
    out.print(f"{given['name']} ({given['account']}), once:", markup=False)
    out.print(given["link"], markup=False)
    out.print(f"Where the page goes by another address, put /recover#{given['code']} behind that.")


def _moved(done: dict[str, Any]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in done["counts"].items()) or "nothing yet"


def _named(account: dict[str, Any]) -> str:
    return f"{account['platform']} ({account['name']})"
