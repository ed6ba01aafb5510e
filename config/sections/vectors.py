"""The sections about what turns texts into vectors, and where these are kept."""

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

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
    server_port: int | None = Field(
        None,
        ge=1,
        le=65535,
        description="The port of a url that names none; Qdrant's own is 6333, a proxy's often 443.",
    )
    ca_file: str | None = Field(
        None, description="Certificates (PEM) to trust beside no others, for a server with its own."
    )
    retries: int = Field(
        2, ge=0, le=10, description="Further tries when the server is busy, within timeout_s."
    )
    upload_batch: int = Field(256, ge=1, le=2048, description="Entries in one upload to a server.")
    shards: int | None = Field(
        None,
        ge=1,
        le=1024,
        description="Shards of a collection on a server; none leaves it to the server. This and "
        "what follows is chosen when a collection is made, and left alone where one is there.",
    )
    replicas: int = Field(1, ge=1, le=16, description="Copies of each shard, on as many nodes.")
    write_consistency: int = Field(
        1, ge=1, le=16, description="Copies that have a write before it is acknowledged."
    )
    quantization: Literal["none", "scalar", "binary"] = Field(
        "none",
        description="Compressed vectors for the search, kept in memory: scalar takes a quarter, "
        "binary a 32nd (from 1024 dimensions on); the best are compared again by the whole ones.",
    )
    on_disk: bool = Field(
        default=False,
        description="Whole vectors and graphs stay on the server's disk, not in its memory.",
    )
    read_consistency: Literal["one", "majority", "quorum", "all"] = Field(
        "one", description="Copies that are asked for each search or listing; changed at any time."
    )

    @model_validator(mode="after")
    def _server_can_be_reached(self) -> Self:
        if self.kind == "qdrant" and self.url is None:
            raise ValueError('kind "qdrant" needs a url (or QDRANT_URL)')
        if self.ca_file is not None and not (self.url or "https://").startswith("https://"):
            raise ValueError("ca_file is for a url that begins with https://")
        if self.server_port is not None and self.url is not None and _names_a_port(self.url):
            raise ValueError("the url names a port already: leave out server_port")
        if self.write_consistency > self.replicas:
            raise ValueError(
                "write_consistency waits for more copies than there are: raise replicas"
            )
        return self


def _names_a_port(url: str) -> bool:
    try:
        return urlsplit(url).port is not None
    except ValueError:
        raise ValueError("the port in the url is no port") from None
