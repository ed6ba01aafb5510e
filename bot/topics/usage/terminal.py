"""`eko usage`: what models took, and what the day's caps leave."""

from typing import Any

import typer

from bot.surfaces.terminal.terminal import Json, operate, out, print_rows


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(usage)


def usage(*, as_json: Json = False) -> None:
    """Show what models took, by purpose, and what is left of today's caps."""
    found = operate("usage", {}, as_json=as_json)
    if as_json:
        return
    for title, rows in (("Today (UTC)", found["today"]), ("In 30 days", found["lately"])):
        out.print(title, style="bold")
        print_rows(
            ("purpose", "calls", "in", "cached", "out", "minutes", "dollars", "recalled"),
            [_usage_row(one) for one in rows],
            empty="Nothing was used.",
        )
    _print_turns(found["a_turn"])
    out.print("Left today", style="bold")
    print_rows(
        ("allowance", "of", "used up", "left", "cap"),
        [row for one in found["allowances"] for row in _allowance_rows(one)],
        empty="No language model is chosen. The caps in [budget] hold once one is."
        if found["by_rules"]
        else "There are no caps.",
    )
    _print_notes(found)


def _print_turns(told: dict[str, Any]) -> None:
    """What a turn takes on average, cached and fresh."""
    rows = [(title, told[key]) for title, key in (("today", "today"), ("in 30 days", "lately"))]
    rows = [(title, one) for title, one in rows if one is not None]
    if not rows:
        return
    out.print("A turn takes", style="bold")
    print_rows(
        ("when", "turns", "fresh", "cached", "share cached", "out"),
        [
            (
                title,
                f"{one['turns']:,}",
                f"{one['fresh']:,}",
                f"{one['cached']:,}",
                f"{one['cached_share']:.0%}",
                f"{one['output']:,}",
            )
            for title, one in rows
        ],
        empty="",
    )


def _usage_row(one: dict[str, Any]) -> tuple[str, ...]:
    return (
        one["purpose"],
        f"{one['calls']:,}",
        f"{one['input'] + one['cache_write']:,}",
        f"{one['cache_read']:,}",
        f"{one['output']:,}",
        f"{one['minutes']:,.1f}",
        f"{one['dollars']:.4f}",
        f"{one['injected_share']:.0%}",
    )


def _allowance_rows(one: dict[str, Any]) -> list[tuple[str, ...]]:
    """A row for each limit of an allowance; calls under way are taken off what is left."""
    name = one["allowance"] if one["of"] is None else f"{one['allowance']} {one['of']}"
    return [
        (
            name,
            what,
            f"{1 - one['left'][what] / most:.0%}" if most else "100%",
            _figure(what, one["left"][what]),
            _figure(what, most),
        )
        for what, most in one["caps"].items()
    ]


def _figure(what: str, amount: float) -> str:
    return f"{amount:,.2f}" if what == "dollars" else f"{amount:,.0f}"


def _print_notes(found: dict[str, Any]) -> None:
    told = [f"{_figure(what, most)} {what}" for what, most in found["per_person"].items()]
    if told:
        out.print(f"One person gets at most {' and '.join(told)} a day.")
    if found["priced"]:
        out.print(f"Prices as of {found['prices_as_of']}: {found['prices_source']}", markup=False)
    elif found["per_person"]:
        out.print(f"{found['model']} has no known price: only its tokens count.", markup=False)
