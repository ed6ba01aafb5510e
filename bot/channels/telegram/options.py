"""What was chosen about Telegram."""

from dataclasses import dataclass

from bot.channels.telegram.outbound.sender import FaceStyle
from memory.model.rooms import RoomRole


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramOptions:
    """The account, and how the pet behaves there; `api_url` is another server, for trials."""

    token: str
    pet_name: str
    locale: str = "en"
    default_role: RoomRole = RoomRole.LOBBY
    greets: bool = True
    face: FaceStyle = "emoji"
    webhook_url: str | None = None
    api_url: str | None = None
