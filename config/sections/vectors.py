"""The sections about what turns texts into vectors, and where these are kept."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from config.sections.section import HttpAddress, Key, Name, PlainName, SettingsSection, like


class EmbedderSettings(SettingsSection):
    """What turns texts into vectors."""

    kind: Literal["auto", "voyage", "offline", "local", "none"] = Field(
        "auto",
        description="Auto takes voyage when there is a key for it, and offline otherwise; local "
        "runs a multilingual model on this machine, which `eko embedder download` fetches; none "
        "recalls by words, names and times only.",
    )
    api_key: Annotated[Key | None, PlainName("VOYAGE_API_KEY")] = Field(
        None, description="The key of the embedding service."
    )
    base_url: HttpAddress | None = Field(
        None, description="Another server that speaks the same requests, such as a local one."
    )
    model: Name = Field("voyage-3.5", description="The embedding model at the service.")
    dimension: int = Field(1024, ge=32, le=4096, description="Numbers in one of its vectors.")
    local_model: Literal["bekko-v1-a8m", "granite-97m-multilingual-r2"] = Field(
        "bekko-v1-a8m", description="The model that runs on this machine."
    )
    hub_url: HttpAddress = Field(
        "https://huggingface.co",
        description="Where a local model is fetched from: the hub, or a mirror with its paths.",
    )
    timeout_s: float = Field(10, gt=0, le=300, description="Seconds one call may take.")
    retries: int = Field(3, ge=0, le=10, description="Further tries when the service is away.")

    @model_validator(mode="after")
    def _voyage_can_be_called(self) -> Self:
        if self.kind == "voyage" and self.api_key is None and self.base_url is None:
            raise ValueError('kind "voyage" needs an api_key (or VOYAGE_API_KEY), or a base_url')
        return self


class VectorSettings(SettingsSection):
    """Where the index of what it remembers is kept; it can be rebuilt at any time."""

    kind: Literal["auto", "edge", "qdrant"] = Field(
        "auto", description="Auto takes qdrant when there is a url, and edge, embedded, otherwise."
    )
    url: Annotated[HttpAddress | None, PlainName("QDRANT_URL")] = Field(
        None, description="The address of a Qdrant server or cluster."
    )
    api_key: Annotated[Key | None, PlainName("QDRANT_API_KEY")] = Field(
        None, description="The key of that server."
    )
    prefix: Annotated[str, like(r"[A-Za-z0-9_-]{0,40}", "has characters that it may not have")] = (
        Field("eko_", description="What the names of its collections begin with.")
    )
    timeout_s: float = Field(5, gt=0, le=300, description="Seconds one call may take.")

    @model_validator(mode="after")
    def _server_has_an_address(self) -> Self:
        if self.kind == "qdrant" and self.url is None:
            raise ValueError('kind "qdrant" needs a url (or QDRANT_URL)')
        return self
