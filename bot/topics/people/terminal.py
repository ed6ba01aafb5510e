"""`eko people`: whose account is whose, joined and split, and one lost on the page."""

from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import Json, operate, out, print_rows, several

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
    others: Annotated[
        list[str] | None, typer.Argument(help="Accounts of the same person that leave with it.")
    ] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without it, only look.")] = False,
    as_json: Json = False,
) -> None:
    """Let accounts be a person of their own again, with all that came from them."""
    given = {"account": account, "others": others or [], "yes": yes}
    done = operate("split_account", given, as_json=as_json)
    if as_json:
        return
    leaves = ", ".join(map(_owned, done["accounts"]))
    stays = ", ".join(map(_named, done["staying"]))
    verb = "is now" if done["done"] else "would be"
    out.print(
        f"{leaves} {verb} apart from {stays}. Goes along: {_moved(done['counts'])}.", markup=False
    )
    if not done["done"]:
        out.print("Nothing was changed. Do it with --yes.")


@app.command()
def join(
    account: Annotated[
        str, typer.Argument(help="An account as `eko people list` shows it, or a name.")
    ],
    other: Annotated[str, typer.Argument(help="One of the person whose name and settings stay.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without it, only look.")] = False,
    as_json: Json = False,
) -> None:
    """Make two people one, with all their accounts, those of imported files too."""
    given = {"account": account, "other": other, "yes": yes}
    done = operate("join_accounts", given, as_json=as_json)
    if as_json:
        return
    found = done["join"]
    joining, staying = (", ".join(map(_owned, found[one])) for one in ("joining", "staying"))
    verb = "are now" if done["done"] else "would be"
    out.print(f"{joining} and {staying} {verb} one person.", markup=False)
    out.print(f"  goes over with {joining}: {_moved(found['counts'])}", markup=False)
    _print_disclosed(found["told_by_joining"], joining, staying)
    _print_disclosed(found["told_by_staying"], staying, joining)
    out.print(f"  core facts that end, as a later one says otherwise: {found['clashes']}")
    if found["told_by_joining"]["observed"] != found["told_by_staying"]["observed"]:
        out.print("  one of them opted out of being read along with: that holds for both")
    if not done["done"]:
        out.print("Nothing was changed. Do it with --yes.")
        return
    back = " ".join(one["account"] for one in found["joining"])
    out.print(f"To take it back: eko people split {back} --yes", markup=False)


def _print_disclosed(told: dict[str, Any], whose: str, to: str) -> None:
    """What the direct rooms of the one recall of what the other told alone."""
    spaces = f"; what was said in {', '.join(told['spaces'])}" if told["spaces"] else ""
    out.print(
        f"  told alone by {whose}, recalled with {to}: {several(told['messages'], 'message')}, "
        f"{several(told['statements'], 'memory', 'memories')}{spaces}",
        markup=False,
    )


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


def _moved(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "nothing yet"


def _owned(account: dict[str, Any]) -> str:
    return f"{account['account']} ({account['name']})"


def _named(account: dict[str, Any]) -> str:
    return f"{account['platform']} ({account['name']})"
