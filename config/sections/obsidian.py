"""The section of the settings about notes in Obsidian."""

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, StringConstraints, model_validator

from config.sections.channel import Identity
from config.sections.section import LOOPBACK, HttpAddress, Key, PlainName, SettingsSection, like

Fingerprint = Annotated[
    str,
    like(
        r"(?i:[0-9a-f]{64}|[0-9a-f]{2}(:[0-9a-f]{2}){31})",
        "must be a SHA-256 fingerprint: 64 hexadecimal digits",
    ),
]
Tag = Annotated[
    str,
    StringConstraints(max_length=100),
    like(r"(#?[\w-]+(/[\w-]+)*)?", 'must be a tag such as "eko" or "eko/recipes"'),
]


class ObsidianSettings(SettingsSection):
    """Notes that it knows: of a folder, or through Obsidian's plugin "Local REST API"."""

    kind: Literal["off", "folder", "rest"] = Field(
        "off", description="Where notes come from: a vault's folder, or Obsidian while it runs."
    )
    audience: Literal["everyone", "space", "person"] | None = Field(
        None,
        description="Who may hear of the notes: everyone, the home space, or their owner in "
        "private. Nothing is read before this is chosen.",
    )
    owner: Identity | None = Field(
        None, description="The account of the notes' owner as platform:id, for audience person."
    )
    folder: str | None = Field(None, min_length=1, description="The vault's folder.")
    url: HttpAddress = Field(
        "https://127.0.0.1:27124", description="The address of the plugin Local REST API."
    )
    api_key: Annotated[Key | None, PlainName("OBSIDIAN_API_KEY")] = Field(
        None, description="The key that the plugin shows."
    )
    fingerprint: Fingerprint | None = Field(
        None, description="The SHA-256 fingerprint of the only certificate that is accepted."
    )
    ca_file: str | None = Field(
        None, min_length=1, description="A file with the certificate that vouches for the plugin's."
    )
    timeout_s: float = Field(10, gt=0, le=300, description="Seconds one request may take.")
    refresh_minutes: float = Field(
        10, gt=0, le=10080, description="Minutes between looks for notes that changed."
    )
    most_bytes: int = Field(
        262_144, ge=1024, le=10_000_000, description="Bytes of one note; a larger one is left out."
    )
    context_enabled: bool = Field(default=True, description="Whether notes are recalled.")
    context_notes: tuple[str, ...] = Field(
        (), description="Paths of notes that are always at hand; each takes a line of every answer."
    )
    context_tag: Tag = Field(
        "eko", description="Notes with this tag are recalled where they fit; empty for none."
    )

    @model_validator(mode="after")
    def _source_is_complete(self) -> Self:
        if self.kind == "folder" and self.folder is None:
            raise ValueError('kind "folder" needs a folder')
        if self.kind == "rest" and self.api_key is None:
            raise ValueError('kind "rest" needs an api_key')
        if self.audience == "person" and self.owner is None:
            raise ValueError('audience "person" needs an owner, like "console:me"')
        return self

    @model_validator(mode="after")
    def _key_is_safe(self) -> Self:
        address = urlsplit(self.url)
        if address.scheme == "http" and address.hostname not in LOOPBACK:
            raise ValueError("url must begin with https:// unless it is on this machine")
        if self.fingerprint is not None and self.ca_file is not None:
            raise ValueError("fingerprint and ca_file exclude each other")
        return self
