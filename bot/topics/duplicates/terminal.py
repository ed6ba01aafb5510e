"""`eko tidy`: what is kept twice, and what has expired."""

from typing import Annotated

import typer

from bot.surfaces.terminal.terminal import Json, err, fail, operate, out, print_rows, several

app = typer.Typer(
    help="Decide about memories that say the same, and bring back what has expired.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Number = Annotated[int, typer.Argument(min=1, help="Its number, as `eko tidy` shows it.")]


def register(program: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    program.add_typer(app, name="tidy")


@app.callback()
def proposals(
    context: typer.Context,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, at most.")] = 50,
    *,
    as_json: Json = False,
) -> None:
    """List memories that say the same and wait for a decision; nothing is changed by it."""
    if context.invoked_subcommand is not None:
        return
    found = operate("proposals", {"limit": limit}, as_json=as_json)
    if not as_json:
        print_rows(
            ("number", "would keep", "in the place of", "difference"),
            [
                (str(one["id"]), one["keep"]["content"], one["drop"]["content"], one["why"])
                for one in found["proposals"]
            ],
            empty="Nothing is kept twice, as far as was looked.",
        )


@app.command()
def run(*, as_json: Json = False) -> None:
    """Look for memories that say the same now, from where the last night ended."""
    done = operate("tidy", {}, as_json=as_json)
    if not as_json:
        out.print(
            f"{several(done['walked'], 'memory', 'memories')} compared, "
            f"{several(done['proposed'], 'proposal')}."
        )
    if done["interrupted"]:
        fail("Stopped early: the vector store does not answer. The rest waits.")


@app.command()
def accept(
    number: Annotated[
        int | None, typer.Argument(min=1, help="Its number, as `eko tidy` shows it.")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Every open proposal.")] = False,
    as_json: Json = False,
) -> None:
    """Let the richer memory take the place of the poorer, which stays as history."""
    if (number is None) is not everything:
        fail("Name one proposal, or accept all of them with --all.")
    done = operate("accept", {"proposal": number}, as_json=as_json)
    if not as_json:
        out.print(f"{len(done['accepted'])} accepted.")
        for refused in done["refused"]:
            err.print(refused, style="yellow", markup=False)


@app.command()
def dismiss(number: Number, *, as_json: Json = False) -> None:
    """Keep both memories; these two are never proposed again."""
    operate("dismiss", {"proposal": number}, as_json=as_json)
    if not as_json:
        out.print("Dismissed.")


@app.command()
def restore(
    memory: Annotated[
        str, typer.Argument(help="Its id or the beginning of it: see `eko memories --archived`.")
    ],
    ttl: Annotated[
        str | None, typer.Option(help="How long from now: 1h, 7d, 30d; for ever if not given.")
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Recall a memory again that has expired."""
    done = operate("restore", {"memory": memory, "ttl": ttl}, as_json=as_json)
    if not as_json:
        out.print(f"Recalled again: {done['content']}", markup=False)
