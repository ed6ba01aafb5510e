"""`eko mcp`: lets other agents search and keep what the pet remembers."""

import os
from typing import Annotated

import typer

from bot.surfaces.terminal.terminal import fail, run_or_exit, settings_or_exit


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command("mcp")(mcp)


def mcp(
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            help="A key from eko keys add, which says what the agent may do; EKO_MCP_KEY in the "
            "environment is not seen by others. Without one it may do all that you may.",
        ),
    ] = None,
) -> None:
    """Serve other agents on the standard streams, by the Model Context Protocol.

    An agent's settings take the command "eko" with the argument "mcp". The pet must be running.
    """
    from bot.topics.mcp.stdio import serve
    from config.schema import KEY_VARIABLE

    given = os.environ.get(KEY_VARIABLE) if key is None else key
    if given is not None and not (given.isascii() and given.strip()):
        fail(f"The key is empty or none: take one that eko keys add printed, or no {KEY_VARIABLE}.")
    run_or_exit(serve(settings_or_exit(), given and given.strip()))
