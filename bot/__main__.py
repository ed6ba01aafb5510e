"""The command line: `eko` and `python -m bot`."""

import gc
import os
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from bot.cli import access, embedder, evaluation, model, notes, people, tidy
from bot.cli import backup as saving
from bot.cli import forget as forgetting
from bot.cli import memories as listings
from bot.cli import rooms as observing
from bot.cli import search as finding
from bot.cli import settings as tuning
from bot.cli import transfer as moving
from bot.cli.checks import print_checks
from bot.cli.facts import facts
from bot.cli.identity import identity
from bot.cli.summaries import summaries
from bot.cli.terminal import (
    Json,
    as_typed,
    err,
    operate,
    out,
    run_or_exit,
    settings_or_exit,
    several,
)
from bot.cli.usage import usage
from memory.model.statements import GoalCategory, MemoryType, SelfCategory

app = typer.Typer(
    name="eko",
    help="A pet that lives in chat rooms and remembers.",
    no_args_is_help=False,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(evaluation.app, name="eval")
app.command()(saving.backup)
app.command()(saving.restore)
app.command("export")(moving.export)
app.command("import")(moving.take_in)
app.command()(listings.memories)
app.command("self")(listings.self_)
app.command()(listings.goals)
app.command()(facts)
app.add_typer(tuning.app, name="settings")
app.add_typer(tidy.app, name="tidy")
app.add_typer(notes.app, name="notes")
app.add_typer(people.app, name="people")
app.add_typer(embedder.app, name="embedder")
app.add_typer(model.app, name="model")
app.command()(tuning.audit)
app.command()(finding.search)
app.command()(finding.find)
app.command()(forgetting.forget)
app.command()(summaries)
app.add_typer(observing.app, name="observe")
app.command()(observing.pause)
app.command()(observing.resume)
app.command()(identity)
app.command()(usage)
app.command()(access.login)
app.add_typer(access.keys, name="keys")
app.add_typer(access.sessions, name="sessions")


def main() -> None:
    """Run the command line."""
    os.umask(0o077)  # what people say is kept in files that only this user can read
    app()


@app.callback()
def start(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Run the pet when no command is given."""
    if version:
        from importlib.metadata import version as version_of

        out.print(f"eko {version_of('eko')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        run()


@app.command()
def run() -> None:
    """Run the pet: the page, the lobby, the digests. Stop it with Ctrl-C."""
    from bot.texts.catalogue import texts_in

    settings = settings_or_exit(quiet=False)
    texts = texts_in(settings.locale)

    def tell(key: str, **values: str) -> None:
        out.print(texts.say(key, pet=settings.pet.name, **values), markup=False)

    def announce(page: str | None, login: str | None) -> None:
        if page is None:
            tell("run.awake_without_page")
            return
        tell("run.awake", page=page)
        if settings.web.is_open:
            secure = not settings.web.insecure_dashboard
            tell("run.dashboard_by_tls" if secure else "run.dashboard_in_the_open")
        if login is not None:
            tell("run.log_in", link=login, command=as_typed("login"))

    tell("run.waking")
    gc.disable()  # what is imported stays: collecting meanwhile is a fifth of a start
    from bot.daemon import daemon
    from memory.storage.allocator import stop_counting_memory

    stop_counting_memory()
    run_or_exit(daemon.run(settings, announce))
    tell("run.asleep")


@app.command()
def chat(
    name: Annotated[str, typer.Option("--as", help="Your name.")] = "you",
    *,
    lobby: Annotated[bool, typer.Option("--lobby", help="Join the lobby.")] = False,
) -> None:
    """Talk with the pet in the terminal, in private or in the lobby."""
    from bot.cli.chat import chat as talk

    run_or_exit(talk(settings_or_exit(), name, lobby=lobby))


@app.command()
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
        from bot.cli.why import print_answer

        print_answer(told)


@app.command()
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
        from bot.cli.why import print_reasons

        print_reasons(told, everything=everything)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="The recording.")],
    room: Annotated[Literal["lobby"], typer.Option(help="The room it is fed into.")] = "lobby",
    format_: Annotated[
        Literal["irc", "jsonl"] | None,
        typer.Option("--format", help="How it is written; guessed from its name if not given."),
    ] = None,
    speed: Annotated[
        str, typer.Option(help="max, or how many times faster than it happened.")
    ] = "max",
    *,
    as_json: Json = False,
) -> None:
    """Feed a recorded room through the inbox as lobby traffic. Again adds nothing."""
    arguments = {
        "path": str(file.resolve()),
        "room": room,
        "format": format_,
        "speed": None if speed == "max" else speed,
    }
    done = operate("replay", arguments, as_json=as_json)
    if not as_json:
        out.print(
            f"{several(done['lines'], 'message')} read: {done['stored']} stored, "
            f"{done['known']} known already, {done['forgotten']} forgotten before, "
            f"{several(len(done['unreadable']), 'line')} with a remark."
        )
        _print_waiting(done)


@app.command()
def digest(
    *,
    retry: Annotated[
        bool, typer.Option("--retry", help="Also what was set aside after failures.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Turn what the lobby said since the last digest into memories, now."""
    done = operate("digest", {"retry": retry}, as_json=as_json)
    if as_json:
        return
    kept = several(done["facts"], "memory", "memories")
    out.print(f"{several(done['messages'], 'message')} read, {kept} kept.")
    _print_waiting(done)
    if done["quarantined"]:
        aside = several(done["quarantined"], "stretch", "stretches")
        out.print(f"Set aside: {aside}; try: eko digest --retry")
    if done["interrupted"]:
        err.print(f"Stopped early: {done['interrupted']} The rest waits.", style="yellow")
        raise typer.Exit(1)


@app.command()
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
    out.print(f"{several(done['read'], 'line')}, {done['new']} new.")
    _print_closed(done)


@app.command()
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


def _print_closed(done: dict[str, Any]) -> None:
    for old in done["closed"]:
        out.print(
            f"It closes the {old['category'].replace('_', ' ')}: {old['content']}", markup=False
        )


@app.command()
def verify(
    *,
    repair: Annotated[bool, typer.Option("--repair", help="Mend the indexes.")] = False,
    trust_clock: Annotated[
        bool,
        typer.Option(
            "--trust-clock", help="The machine's clock is right: date anew what is later than now."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare the database, its full-text indexes and the vector store."""
    found = operate("verify", {"repair": repair, "trust_clock": trust_clock}, as_json=as_json)
    if not as_json:
        _print_verdict(found)
    if not found["sound"]:
        raise typer.Exit(1)


@app.command()
def reindex(*, as_json: Json = False) -> None:
    """Fill the vector store anew from the database; known embeddings cost nothing."""
    done = operate("reindex", {}, as_json=as_json)
    if not as_json:
        out.print(f"{several(done['indexed'], 'entry', 'entries')} indexed.")


@app.command()
def doctor(*, as_json: Json = False) -> None:
    """Check every part: configured, reachable, its version; what is missing and what to do."""
    found = operate("doctor", {}, as_json=as_json)
    if not as_json:
        print_checks(found["checks"])
    if not found["healthy"]:
        raise typer.Exit(1)


@app.command()
def bench(
    name: Annotated[
        str | None, typer.Argument(help="recall, vectors, ingest or start; all if not given.")
    ] = None,
    memories: Annotated[
        int, typer.Option(min=1, help="How many memories the measured pet has.")
    ] = 100_000,
    folder: Annotated[
        Path | None, typer.Option(help="Fill this folder, or measure it again if it is filled.")
    ] = None,
    *,
    busy: Annotated[
        bool, typer.Option("--busy", help="Digest and ingest while recall is measured.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure how fast the pet is on this machine; in a source checkout."""
    from bot.cli.bench import bench as measure

    measure(name, memories, folder=folder, busy=busy, as_json=as_json)


def _print_waiting(done: dict[str, Any]) -> None:
    if done["unindexed"]:
        err.print(
            f"The vector store does not answer: {several(done['unindexed'], 'change')} not in it "
            "yet. Nothing is lost, words find it meanwhile.",
            style="yellow",
        )


def _print_verdict(found: dict[str, Any]) -> None:
    counts = found["counts"]
    for table in ("messages", "memories", "turns"):
        rows = several(counts[table], "row")
        out.print(f"{table}: {rows}, {counts[f'{table}_fts']} in full text")
    for name, one in found["vectors"].items():
        out.print(
            f"vectors of {name}: {one['expected']} expected, {one['missing']} missing, "
            f"{one['surplus']} too many"
        )
    for problem in found["problems"]:
        err.print(problem, style="red", markup=False)
    if found["repaired"]:
        out.print(f"{several(found['repaired'], 'entry', 'entries')} repaired.")
    out.print("Everything agrees." if found["sound"] else "Not everything agrees.")
    if not found["sound"]:
        err.print("Try: eko verify --repair")


if __name__ == "__main__":
    main()
