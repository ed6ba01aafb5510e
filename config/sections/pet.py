"""The sections about who the pet is, and whom it obeys."""

from pydantic import Field

from config.sections.channel import Identity
from config.sections.section import Name, SettingsSection


class PetSettings(SettingsSection):
    """Who it answers as."""

    name: Name = Field("Eko", description="The name it goes by; writing it addresses the pet.")
    aliases: tuple[Name, ...] = Field((), description="Other names it answers to.")


class AdminSettings(SettingsSection):
    """Who may use the commands that change things."""

    identities: tuple[Identity, ...] = Field(
        ("console:*",),
        description="Accounts as platform:id; platform:* means everyone on that platform.",
    )


class SeedSettings(SettingsSection):
    """What it is born with."""

    file: str | None = Field(
        None,
        min_length=1,
        description="The seed that `eko seed` plants instead of the one in the pet's language.",
    )
