"""Claude, or any server that speaks its Messages API (Ollama, llama.cpp, vLLM, LiteLLM)."""

import anthropic
import httpx2
import structlog
from pydantic import ValidationError

from bot.errors import BotError, ModelRefused, ModelUnavailable
from bot.llm.messages_api.answer import reply_of, thoughts_of
from bot.llm.messages_api.request import body_of
from bot.llm.service.answers import Json
from bot.llm.service.asking import answered
from bot.llm.service.options import CONNECT_S, NO_KEY, ServiceOptions
from bot.llm.service.refusals import PicturesRefused, blames_pictures, refusal, without_pictures
from bot.llm.service.rounds import VerbatimRounds
from bot.model.requests import ModelReply, ModelRequest

log = structlog.get_logger(__name__)


class ClaudeModel:
    """A model behind the Messages API.

    Retries happen in the SDK only. It keeps nothing between turns but the signed thoughts of
    rounds under way, which the service wants back. `http_client` replaces the SDK's own, and is
    closed with it.
    """

    def __init__(
        self, options: ServiceOptions, *, http_client: httpx2.AsyncClient | None = None
    ) -> None:
        self._options = options
        self._client = anthropic.AsyncAnthropic(
            api_key=options.api_key or NO_KEY,
            base_url=options.base_url,
            timeout=httpx2.Timeout(options.longest_s, connect=CONNECT_S),
            max_retries=options.retries,
            http_client=http_client,
        )
        self._thoughts = VerbatimRounds[list[Json]]()

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
        answer = await answered(request, self._post, self._options)
        try:
            reply = reply_of(answer, model=self._options.model)
        except ValidationError as error:
            log.debug("model.misread", model=self.name, purpose=request.purpose, bytes=len(answer))
            raise ModelUnavailable("The model's service sent an unreadable answer.") from error
        self._thoughts.keep(thoughts_of(answer, reply))
        return reply

    async def _post(self, request: ModelRequest) -> bytes:
        """The bytes of a successful answer; the vendor's errors end here."""
        options = self._options
        body = body_of(
            request,
            model=options.model,
            caching=options.prompt_caching,
            verbatim=self._thoughts.kept,
        )
        try:
            raw = await self._client.messages.with_raw_response.create(**body)
        except anthropic.APIStatusError as error:
            # Not chained: the vendor's error prints the body, which may quote what people wrote.
            told = self._translated(error)
            blamed = blames_pictures(error.status_code, error.message)
            if blamed and without_pictures(request) != request:
                raise PicturesRefused(str(told)) from None
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
            reason=self._options.without_key(error.message),
        )
        return refusal(error.status_code, error.type)

    async def close(self) -> None:
        """Release the connections."""
        await self._client.close()
