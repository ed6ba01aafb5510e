"""`eko shards plan`: how many processes, folders, memory and disk a pet needs."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from bot.surfaces.terminal.terminal import (
    Json,
    fail,
    operate,
    out,
    print_rows,
    several,
)

if TYPE_CHECKING:
    from bot.topics.shards.plan import ShardPlan

app = typer.Typer(
    help="Plan a pet that is on thousands of Discord servers.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_SERVER = "discord:"
"""How the id of a server's space begins."""

_MEGA, _GIGA = 1_000_000, 1_000_000_000


def register(program: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    program.add_typer(app, name="shards")


@app.callback()
def _shards() -> None:
    """Plan a pet that is on thousands of Discord servers."""


@app.command()
def plan(
    guilds: Annotated[int, typer.Option(min=0, help="Discord servers.")] = 1,
    members: Annotated[int, typer.Option(min=0, help="People who write there.")] = 0,
    messages_a_day: Annotated[int, typer.Option(min=0, help="What they write in a day.")] = 0,
    days: Annotated[int, typer.Option(min=1, help="How long it is kept.")] = 365,
    *,
    as_json: Json = False,
) -> None:
    """How many processes and folders that takes, and how much memory and disk each.

    Nothing is asked of Discord, and no pet has to run. docs/shards.md says where the figures come
    from.
    """
    from bot.topics.shards.plan import PetSize, planned

    counts = PetSize(guilds=guilds, members=members, messages_a_day=messages_a_day, days=days)
    found = planned(counts)
    if as_json:
        out.print(json.dumps(_told(found)), markup=False)
        return
    if len(found.processes) == 1:
        shards = several(found.processes[0].total, "shard")
        out.print(
            f"One process, [discord] shards empty: Discord advises about {shards}.", markup=False
        )
    else:
        out.print(f"{len(found.processes)} processes, each with a data folder of its own:")
        for one in found.processes:
            role = (
                ", and direct messages, the page and all other channels" if one.has_direct else ""
            )
            out.print(f"  eko run --shards {one}{role}", markup=False)
    out.print(
        f"Each: {found.guilds:,} servers, {found.messages:,} messages after "
        f"{several(days, 'day')}, "
        f"{found.memory_bytes / _MEGA:,.0f} MB of memory besides the system's cache, "
        f"{found.disk_bytes / _GIGA:,.1f} GB of disk besides backups.",
        markup=False,
    )
    if found.needs_review:
        out.print("From 10,000 people on Discord reviews yearly why a bot reads messages.")


@app.command()
def servers(
    shards: Annotated[str, typer.Argument(help="Which this folder is to have, as 0-1/8.")],
) -> None:
    """Which servers of this data folder stay with these shards, and which move elsewhere."""
    from bot.model.shards import ShardRange

    try:
        chosen = ShardRange.parsed(shards)
    except ValueError:
        chosen = None
    if chosen is None:
        fail(f'"{shards}" names no shards: write 0-1/8.')
    found = operate("spaces_kept", {}, as_json=False)["spaces"]
    shown: list[tuple[str, ...]] = []
    for one in found:
        if one["id"].startswith(_SERVER):
            shard = chosen.shard_of(int(one["id"].removeprefix(_SERVER)))
            stays = "stays" if shard in chosen.numbers else "moves"
            shown.append((one["community"], one["id"], str(shard), stays))
    print_rows(("server", "id", "shard", ""), shown, empty="No server has said anything here yet.")


def _told(found: "ShardPlan") -> dict[str, object]:
    return {
        "processes": [str(one) for one in found.processes],
        "each": {
            "guilds": found.guilds,
            "messages": found.messages,
            "memory_bytes": found.memory_bytes,
            "disk_bytes": found.disk_bytes,
        },
        "needs_review": found.needs_review,
    }
