"""The command line: `eko` and `python -m bot`."""

import gc
import os
from typing import Annotated

import typer

from bot.surfaces.terminal.terminal import as_typed, out, run_or_exit, settings_or_exit
from bot.topic import registered

app = typer.Typer(
    name="eko",
    help="A pet that lives in chat rooms and remembers.",
    no_args_is_help=False,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
        from bot.release import VERSION

        out.print(f"eko {VERSION}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        run(None)


@app.command()
def run(
    shards: Annotated[
        str | None,
        typer.Option(
            help="The Discord shards of this process, as 0-3/16; each process has a data folder of "
            "its own, and the one with shard 0 all that is not Discord."
        ),
    ] = None,
) -> None:
    """Run the pet: the page, the lobby, the digests. Stop it with Ctrl-C."""
    if shards is not None:
        os.environ["EKO_DISCORD__SHARDS"] = shards
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


def _keep_brackets(group: typer.Typer) -> None:
    """Have the help of all commands read as Markdown: rich's own markup swallows `[backup]`."""
    group.rich_markup_mode = "markdown"
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _keep_brackets(inner.typer_instance)


for module in registered("terminal"):
    module.register(app)
_keep_brackets(app)


if __name__ == "__main__":
    main()
