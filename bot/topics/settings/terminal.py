"""`eko settings`: what can be changed while the pet runs; `eko audit`: who changed what."""

from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import Json, operate, out, print_rows

app = typer.Typer(
    help="Show and change what can be changed while the pet runs.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Key = Annotated[str, typer.Argument(help="Its name, as `eko settings list` shows it.")]


def register(program: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    program.add_typer(app, name="settings")
    program.command()(audit)


@app.command("list")
def list_(*, as_json: Json = False) -> None:
    """List every setting with its value, its default, and who changed it."""
    found = operate("settings", {}, as_json=as_json)
    if not as_json:
        print_rows(
            ("setting", "value", "by default", "changed by"),
            [_row(one) for one in found["settings"]],
            empty="There is nothing to set.",
        )


@app.command()
def get(key: Key, *, as_json: Json = False) -> None:
    """Print the value of one setting."""
    found = operate("setting", {"key": key}, as_json=as_json)
    if not as_json:
        out.print(found["value"], markup=False)


@app.command("set")
def set_(
    key: Key,
    value: Annotated[str, typer.Argument(help="Its new value; lists are written a.md,b.md.")],
    *,
    as_json: Json = False,
) -> None:
    """Change one setting; a running pet heeds it from the next question on."""
    _print_done(operate("set", {"key": key, "value": value}, as_json=as_json), as_json=as_json)


@app.command()
def reset(key: Key, *, as_json: Json = False) -> None:
    """Let one setting be what the settings file says."""
    _print_done(operate("reset", {"key": key}, as_json=as_json), as_json=as_json)


def audit(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, at most.")] = 50,
    *,
    as_json: Json = False,
) -> None:
    """List who changed what, latest first."""
    found = operate("audit", {"limit": limit}, as_json=as_json)
    if not as_json:
        print_rows(
            ("when", "who", "what", "which", "how"),
            [(one["at"][:16], _signed(one), *_changed(one)) for one in found["entries"]],
            empty="Nothing was changed yet.",
        )


def _signed(entry: dict[str, Any]) -> str:
    return f"{entry['actor']} via {entry['origin']}" if entry["origin"] else str(entry["actor"])


def _changed(entry: dict[str, Any]) -> tuple[str, str, str]:
    told = entry["detail"], entry["before"], entry["after"]
    if "->" in entry["detail"]:  # which says it already
        told = entry["detail"], None, None
    return entry["action"], entry["target"], "; ".join(filter(None, told))


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    changed = f"{one['changed_by']}, {one['changed_at'][:16]}" if one["changed_by"] else ""
    return one["key"], one["value"], one["default"], changed


def _print_done(done: dict[str, Any], *, as_json: bool) -> None:
    if not as_json:
        out.print(f"{done['key']} = {done['value']}", markup=False)
