"""Claude, or any server that speaks its Messages API (Ollama, llama.cpp, vLLM, LiteLLM)."""

import asyncio
import re
from dataclasses import dataclass, field

import anthropic
import httpx2
import structlog
from pydantic import ValidationError

from bot.errors import BotError, ModelAccessDenied, ModelRefused, ModelTooSlow, ModelUnavailable
from bot.llm.messages_api.answer import Json, Verbatim, reply_of, thoughts_of
from bot.llm.messages_api.request import body_of, without_pictures
from bot.model.requests import ANSWERING, ModelReply, ModelRequest

log = structlog.get_logger(__name__)

_CONNECT_S = 5.0
"""A service that does not even accept a connection is tried again early, not after the limit."""

_KEPT_ROUNDS = 256
"""How many rounds with thoughts are kept for their next round: more than turns under way."""

_DENIED = frozenset({401, 402, 403, 404})
"""Statuses about the key, the account, the model or the address: the same for every request."""

_PASSING = frozenset({408, 409, 425, 429, 499})
"""The 4xx statuses that pass by themselves; the SDK has retried those worth retrying."""

_KIND = re.compile(r"[a-z_]{1,40}")
"""What an error type looks like; anything else may be text that belongs in no sentence."""


_OF_PICTURES = re.compile(r"\b(?:images?|vision|visual|multi-?modal|mmproj)\b", re.IGNORECASE)
"""What servers say of a model that cannot see, or of a picture that it cannot read."""


class _PicturesRefused(ModelRefused):
    """The service would take the request without its pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeOptions:
    """How to reach the model.

    `base_url` None leaves the choice to the SDK (`ANTHROPIC_BASE_URL`, else Anthropic).
    `timeout_s` limits one whole `complete` that a person waits for, `background_timeout_s` any
    other, retries and their waits included. Turn `prompt_caching` off for servers that do not
    know cache control.
    """

    api_key: str = field(repr=False)
    model: str = "claude-haiku-5-5"
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


class ClaudeModel:
    """A model behind the Messages API.

    Retries happen in the SDK only. It keeps nothing between turns but the signed thoughts of
    rounds under way, which the service wants back. `http_client` replaces the SDK's own, and is
    closed with it.
    """

    def __init__(
        self, options: ClaudeOptions, *, http_client: httpx2.AsyncClient | None = None
    ) -> None:
        self._options = options
        self._client = anthropic.AsyncAnthropic(
            # The SDK insists on a key; a local server asks for none and ignores any.
            api_key=options.api_key or "none",
            base_url=options.base_url,
            timeout=httpx2.Timeout(options.longest_s, connect=_CONNECT_S),
            max_retries=options.retries,
            http_client=http_client,
        )
        self._thoughts: dict[tuple[str, ...], list[Json]] = {}

    @property
    def name(self) -> str:
        """The model's name, as the ledger records it."""
        return self._options.model

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One answer to one request, or an error within the time limit.

        Raises:
            ModelTooSlow: no answer within the limit.
            ModelUnavailable: unreachable, overloaded, or no readable answer.
            ModelRefused: the service refuses the request as it is.
            ModelAccessDenied: the service refuses the key, the account, the model or the address.

        """
        answer = await self._ask(request)
        try:
            reply = reply_of(answer, model=self._options.model)
        except ValidationError as error:
            log.debug("model.misread", model=self.name, purpose=request.purpose, bytes=len(answer))
            raise ModelUnavailable("The model's service sent an unreadable answer.") from error
        self._keep(thoughts_of(answer, reply))
        return reply

    def _keep(self, thoughts: Verbatim) -> None:
        """Keep what the next round must send back; the oldest make room."""
        self._thoughts.update(thoughts)
        while len(self._thoughts) > _KEPT_ROUNDS:
            del self._thoughts[next(iter(self._thoughts))]

    async def _ask(self, request: ModelRequest) -> bytes:
        """The bytes of a successful answer, within the time limit."""
        limit_s = self._options.limit_s(request)
        try:
            # The SDK sleeps for as long as any Retry-After says, so the limit is ours.
            async with asyncio.timeout(limit_s):
                return await self._shown(request)
        except TimeoutError:
            raise ModelTooSlow(f"The model did not answer within {limit_s:g} seconds.") from None

    async def _shown(self, request: ModelRequest) -> bytes:
        """The answer to a request; to one without its pictures where those are not taken."""
        try:
            return await self._post(request)
        except _PicturesRefused as refused:
            log.info("pictures.refused", model=self.name, reason=str(refused))
        return await self._post(without_pictures(request))

    async def _post(self, request: ModelRequest) -> bytes:
        """The bytes of a successful answer; the vendor's errors end here."""
        options = self._options
        body = body_of(
            request,
            model=options.model,
            caching=options.prompt_caching,
            verbatim=self._thoughts,
        )
        try:
            raw = await self._client.messages.with_raw_response.create(**body)
        except anthropic.APIStatusError as error:
            # Not chained: the vendor's error prints the body, which may quote what people wrote.
            told = self._translated(error)
            if without_pictures(request) != request and _blames_pictures(error):
                raise _PicturesRefused(str(told)) from None
            raise told from None
        except anthropic.APIConnectionError as error:
            raise ModelUnavailable("The model's service cannot be reached.") from error
        except UnicodeEncodeError:
            raise ModelRefused("The request holds characters that cannot be sent.") from None
        return raw.http_response.content

    def _translated(self, error: anthropic.APIStatusError) -> BotError:
        log.debug(
            "model.refused",
            model=self.name,
            status=error.status_code,
            request_id=error.request_id,
            reason=self._without_key(error.message),
        )
        return refusal(error.status_code, error.type)

    def _without_key(self, text: str) -> str:
        key = self._options.api_key
        return text.replace(key, "[key]") if key else text

    async def close(self) -> None:
        """Release the connections."""
        await self._client.close()


def _blames_pictures(error: anthropic.APIStatusError) -> bool:
    """Whether a request was refused for its pictures: for their size, or as servers word it."""
    too_large = error.status_code == httpx2.codes.CONTENT_TOO_LARGE
    return too_large or _OF_PICTURES.search(error.message) is not None


def refusal(status: int, kind: str | None) -> BotError:
    """The error that an HTTP status means, with one sentence for a human."""
    shown = kind if kind is not None and _KIND.fullmatch(kind) else "no reason given"
    if status >= httpx2.codes.INTERNAL_SERVER_ERROR or status in _PASSING:
        return ModelUnavailable(f"The model's service is overloaded or ill ({status}, {shown}).")
    if status in _DENIED:
        return ModelAccessDenied(
            f"The model's service does not accept the key, the account, the model's name"
            f" or the address ({status}, {shown})."
        )
    return ModelRefused(f"The model's service refused the request as it is ({status}, {shown}).")
