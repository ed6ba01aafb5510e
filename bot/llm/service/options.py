"""How to reach a model's service, and how long it may take."""

from dataclasses import dataclass, field

from bot.model.requests import ANSWERING, ModelRequest

CONNECT_S = 5.0
"""A service that does not even accept a connection is tried again early, not after the limit."""

NO_KEY = "none"
"""What is sent in place of a key: the SDKs insist on one, a local server ignores any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """How to reach the model.

    `base_url` None is the vendor's own service. `timeout_s` limits one whole `complete` that a
    person waits for, `background_timeout_s` any other, retries and their waits included. Turn
    `prompt_caching` off for servers that do not know cache control.
    """

    api_key: str = field(repr=False)
    model: str
    base_url: str | None = None
    timeout_s: float = 15.0
    background_timeout_s: float = 60.0
    retries: int = 2
    prompt_caching: bool = True

    @property
    def longest_s(self) -> float:
        """The limit of the calls that may take longest."""
        return max(self.timeout_s, self.background_timeout_s)

    def limit_s(self, request: ModelRequest) -> float:
        """How long this request may take."""
        return self.timeout_s if request.purpose in ANSWERING else self.background_timeout_s

    def without_key(self, text: str) -> str:
        """The same text without the key, which some services repeat in what they refuse."""
        return text.replace(self.api_key, "[key]") if self.api_key else text
