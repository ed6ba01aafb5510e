"""`eko people`: accounts of those who talk with the pet."""

from typing import Annotated

import typer

from bot.cli.terminal import Json, operate, out

app = typer.Typer(
    help="Look after the accounts of people.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def people() -> None:
    """Look after the accounts of people."""


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
