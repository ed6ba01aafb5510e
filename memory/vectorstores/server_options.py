"""What can be chosen about a Qdrant server; without its client, which takes a second to import."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """How a server is reached, and how its collections are made and asked.

    `shards`, `replicas`, `write_consistency`, `quantization` and `on_disk` count when a collection
    is made; other pets may use one that is there, so it is left as it is.
    """

    url: str = ""
    api_key: str | None = None
    port: int | None = None
    ca_file: str | None = None
    timeout_s: float = 10
    retries: int = 2
    upload_batch: int = 256
    """Points per request: 256 are 5 MB of JSON at 1024 dimensions, under the server's 32 MB."""
    shards: int | None = None
    replicas: int = 1
    write_consistency: int = 1
    quantization: Literal["none", "scalar", "binary"] = "none"
    on_disk: bool = False
    read_consistency: Literal["one", "majority", "quorum", "all"] = "one"
