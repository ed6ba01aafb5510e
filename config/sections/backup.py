"""The section of the settings about backups."""

from typing import Annotated

from pydantic import Field

from config.sections.section import Hour, SettingsSection, like

Recipient = Annotated[
    str, like(r"age1[0-9a-z]{20,}", "must be a public key of age, which begins with age1")
]


class BackupSettings(SettingsSection):
    """Copies of all it remembers, in a folder of their own."""

    folder: str | None = Field(
        None,
        min_length=1,
        description="The folder of the backups, best on another disk: none are made without one.",
    )
    hour: Hour | None = Field(
        3, description="The hour of the night when one is made; none makes them by command only."
    )
    keep_daily: int = Field(
        7, ge=1, le=3650, description="Days whose last backup is kept, the latest days first."
    )
    keep_weekly: int = Field(
        4, ge=0, le=520, description="Weeks whose last backup is kept beside those."
    )
    recipients: tuple[Recipient, ...] = Field(
        (),
        description="Public keys of age that a backup is encrypted for; "
        "`eko backup --new-key FILE` makes a pair.",
    )
