"""OpenAI, or any server that speaks its chat completions (Ollama, llama.cpp, LM Studio, vLLM)."""

import httpx2
import openai
import structlog
from pydantic import ValidationError

from bot.errors import BotError, ModelAccessDenied, ModelRefused, ModelUnavailable
from bot.llm.chat_completions.answer import complaint_of, reply_of, thoughts_of
from bot.llm.chat_completions.dialect import Dialect, adapted, dialect_of
from bot.llm.chat_completions.request import body_of
from bot.llm.service.answers import Json
from bot.llm.service.asking import answered
from bot.llm.service.options import CONNECT_S, NO_KEY, ServiceOptions
from bot.llm.service.refusals import PicturesRefused, blames_pictures, refusal, without_pictures
from bot.llm.service.rounds import VerbatimRounds
from bot.model.requests import ModelReply, ModelRequest

log = structlog.get_logger(__name__)

_SPENT = "insufficient_quota"
"""The code of a 429 that does not pass by itself: the account has no money left."""

_MOST_LEARNT = 3
"""Fields of a request that a server may refuse, one after the other."""


class OpenAiModel:
    """A model behind chat completions.

    Retries happen in the SDK only. It keeps nothing between turns but what the service wants back
    in the next round, and which fields the server refused. `http_client` replaces the SDK's own,
    and is closed with it.
    """

    def __init__(
        self, options: ServiceOptions, *, http_client: httpx2.AsyncClient | None = None
    ) -> None:
        self._options = options
        self._client = openai.AsyncOpenAI(
            api_key=options.api_key or NO_KEY,
            base_url=options.base_url,
            timeout=httpx2.Timeout(options.longest_s, connect=CONNECT_S),
            max_retries=options.retries,
            http_client=http_client,
        )
        # The SDK loads this part when it is first used, which would hold up everything else then.
        self._completions = self._client.chat.completions.with_raw_response
        self._dialect = dialect_of(options.model, options.base_url)
        self._thoughts = VerbatimRounds[Json]()

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
        try:
            return await self._sent(request, self._dialect)
        except openai.APIStatusError as error:
            # Not chained: the vendor's error prints the body, which may quote what people wrote.
            told = self._translated(error)
            blamed = blames_pictures(error.status_code, error.message)
            if blamed and without_pictures(request) != request:
                raise PicturesRefused(str(told)) from None
            raise told from None
        except openai.APIConnectionError as error:
            raise ModelUnavailable("The model's service cannot be reached.") from error
        except UnicodeEncodeError:
            raise ModelRefused("The request holds characters that cannot be sent.") from None

    async def _sent(
        self, request: ModelRequest, dialect: Dialect, learning: int = _MOST_LEARNT
    ) -> bytes:
        """The answer, in the dialect that the server takes; one that is answered is kept."""
        body = body_of(
            request, model=self._options.model, dialect=dialect, verbatim=self._thoughts.kept
        )
        try:
            raw = await self._completions.create(**body)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            learnt = adapted(dialect, complaint_of(error.body, error.message))
            if learnt == dialect or not learning:
                raise
        else:
            self._dialect = dialect
            return raw.http_response.content
        log.info("dialect.learnt", model=self.name)
        return await self._sent(request, learnt, learning - 1)

    def _translated(self, error: openai.APIStatusError) -> BotError:
        log.debug(
            "model.refused",
            model=self.name,
            status=error.status_code,
            request_id=error.request_id,
            reason=self._options.without_key(error.message),
        )
        if error.code == _SPENT:
            return ModelAccessDenied("The account at the model's service has no money left.")
        return refusal(error.status_code, error.type)

    async def close(self) -> None:
        """Release the connections."""
        await self._client.close()
