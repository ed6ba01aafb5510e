"""The pictures that are sent to an agent: asked for by their ids, fetched from WhatsApp alone."""

from urllib.parse import quote, urlsplit

import structlog

from bot.channels.whatsapp.agent_platform.api import ADDRESS, AgentApi
from bot.channels.whatsapp.agent_platform.updates import MEDIA
from bot.errors import BotError

log = structlog.get_logger()

LIMIT_S = 5.0
"""A picture that takes longer is not worth the wait: the words are answered without it."""

_HOSTS = ("lookaside.fbsbx.com", "fbcdn.net", "whatsapp.net")
"""Where WhatsApp keeps files (https://elimeshi1.github.io/Whagent/media/): the key goes to these
and no others."""


class AgentFiles:
    """The FileStore of one agent; `address` is where its requests go."""

    def __init__(self, api: AgentApi, address: str | None) -> None:
        self._api = api
        self._address = address or ADDRESS

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """The file, or None where it is not there, not WhatsApp's, too large or too slow."""
        id_ = url.removeprefix(MEDIA)
        if id_ == url or not id_:
            return None
        try:
            known = await self._api.file(quote(id_, safe=""), limit_s=LIMIT_S)
        except BotError as error:
            log.info("picture.missed", reason=str(error))
            return None
        address = known.get("url")
        if not isinstance(address, str) or not is_theirs(address, self._address):
            log.info("picture.missed", reason="Its address is not one of WhatsApp's.")
            return None
        return await self._api.content(address, most_bytes, limit_s=LIMIT_S)


def is_theirs(address: str, asked: str) -> bool:
    """Whether a file's address is WhatsApp's, or that of the server which is asked, for trials."""
    try:
        found, known = urlsplit(address), urlsplit(asked)
        if (found.scheme, found.netloc) == (known.scheme, known.netloc):
            return True
        host, port = found.hostname or "", found.port
    except ValueError:
        return False
    is_known = any(host == one or host.endswith(f".{one}") for one in _HOSTS)
    return found.scheme == "https" and port in (None, 443) and is_known
