"""`eko remember` and `eko seed`: statements kept by hand."""

from pathlib import Path
from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import Json, operate, out, several
from memory.model.statements import GoalCategory, MemoryType, SelfCategory


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(remember)
    app.command()(seed)


def remember(
    text: Annotated[str, typer.Argument(help="One self-contained statement.")],
    about: Annotated[
        list[str] | None, typer.Option("--about", help="Whom or what it is about; repeatable.")
    ] = None,
    memory_type: Annotated[
        MemoryType, typer.Option("--type", help="What kind of statement.")
    ] = MemoryType.FACT,
    ttl: Annotated[
        str | None,
        typer.Option(help="How long it stays true: 1h, 7d, 30d, none; as its kind if not given."),
    ] = None,
    importance: Annotated[float | None, typer.Option(min=0, max=1, help="0 to 1.")] = None,
    self_category: Annotated[
        SelfCategory | None, typer.Option("--self", help="About the pet: its category.")
    ] = None,
    goal_category: Annotated[
        GoalCategory | None, typer.Option("--goal", help="A goal of the pet: its category.")
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Store one statement by hand. People in the home space may hear of it."""
    arguments = {
        "text": text,
        "about": about or [],
        "memory_type": memory_type,
        "ttl": ttl,
        "importance": importance,
        "self_category": self_category,
        "goal_category": goal_category,
    }
    done = operate("remember", arguments, as_json=as_json)
    if as_json:
        return
    out.print(f"{'Stored' if done['new'] else 'Known already'}: {done['id']}")
    for old in done["replaced"]:
        out.print(f"It takes the place of: {old['content']}", markup=False)
    _print_closed(done)


def seed(
    file: Annotated[Path | None, typer.Argument(help="A seed of your own.")] = None,
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what it holds.")] = False,
    as_json: Json = False,
) -> None:
    """Plant the first lines of who the pet is. Again adds nothing."""
    path = None if file is None else str(file.resolve())
    done = operate("seed", {"path": path, "dry_run": dry_run}, as_json=as_json)
    if as_json:
        return
    for line in done["statements"]:
        out.print(f"{line['store']}, {line['category']}: {line['content']}", markup=False)
    verb = "would be new" if dry_run else "new"
    out.print(f"{several(done['read'], 'line')}, {done['new']} {verb}.")
    _print_closed(done)


def _print_closed(done: dict[str, Any]) -> None:
    for old in done["closed"]:
        out.print(
            f"It closes the {old['category'].replace('_', ' ')}: {old['content']}", markup=False
        )
