"""The section of the settings about single rooms."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, ValidationInfo, field_validator

from config.sections.channel import PlatformName, channels
from config.sections.section import Name, SettingsSection


class RoomSettings(SettingsSection):
    """What the pet does in one room; rooms without an entry keep their platform's default."""

    platform: PlatformName = Field(
        description="The platform the room is on; local is the page's and the terminal's.",
        examples=["local"],
    )
    external_id: Annotated[str, StringConstraints(min_length=1)] = Field(
        description="The room's id there.", examples=["lobby"]
    )
    role: Literal["lobby", "pet", "mention", "ignored"] | None = Field(
        None,
        description="lobby: reads along; mention: hears only what calls it; pet: answers all.",
    )
    space: Name | None = Field(
        None, description="The community it belongs to; nothing crosses from one to another."
    )
    confidential: bool = Field(
        default=False, description="Whether what is said there never leaves it."
    )

    @field_validator("external_id")
    @classmethod
    def _has_the_form_of_its_platform(cls, external_id: str, info: ValidationInfo) -> str:
        channel = channels(info).get(info.data.get("platform", ""))
        if channel is not None:
            channel.rooms.check(external_id)
        return external_id
