"""`eko mcp`: the tools on the standard streams, as a client of the running daemon."""

from mcp.server.stdio import stdio_server

from bot.errors import BotError
from bot.lock import holder_of
from bot.surfaces.terminal.connection import asking
from bot.topics.mcp.api import ApiOverHttp
from bot.topics.mcp.server import server_over
from bot.topics.mcp.tools import ApiCall
from config.settings import Settings

_UNKNOWN, _SLOWER = 401, 429


class NotServed(BotError):
    """The tools cannot be served; the sentence says what is missing."""


async def serve(settings: Settings, key: str | None) -> None:
    """Serve one agent until it hangs up; without a key, as the owner at this machine.

    Raises:
        NotServed: no daemon runs, or it does not know the key.

    """
    holder = holder_of(settings.data_dir)
    if holder is None or holder.socket is None:
        raise NotServed(
            f"No pet runs on {settings.data_dir.resolve()}: start it by eko run, or name its "
            "folder by EKO_DATA_DIR, then start this again."
        )
    headers = {} if key is None else {"authorization": f"Bearer {key}"}
    async with asking(holder.socket, headers) as client:
        api = ApiOverHttp(client)
        await _let_in(api)
        server = server_over(api)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())


async def _let_in(api: ApiOverHttp) -> None:
    first = ApiCall(method="GET", path="/api/memories", given={"limit": 1})
    if (await api.ask(first)).status in {_UNKNOWN, _SLOWER}:
        raise NotServed("The pet does not know this key: eko keys add NAME prints a new one.")
