"""Whether a model can do what the pet needs: call a tool, keep a long prompt, fill in a form."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.diagnostics.findings import Finding, fail, note, ok
from bot.errors import BotError, ModelTooSlow
from bot.llm.local_servers import LocalServer, ServerFinder, ServerKind, is_local
from bot.llm.tasks.forms import Form, FormMisread, filled
from bot.model.requests import ModelReply, ModelRequest, Purpose, ToolSpec, UserMessage
from bot.ports import Model
from memory.tokens import tokens_in

_TOOLS_TODO = {
    ServerKind.OLLAMA: "tools_ollama",
    ServerKind.LLAMA_CPP: "tools_llama_cpp",
    ServerKind.LM_STUDIO: "tools_lm_studio",
    ServerKind.VLLM: "tools_vllm",
    ServerKind.OTHER: "tools_other",
}
"""What there is to do where no tool is called."""

_WINDOW_TODO = {
    ServerKind.OLLAMA: "window_ollama",
    ServerKind.LLAMA_CPP: "window_llama_cpp",
    ServerKind.LM_STUDIO: "window_lm_studio",
    ServerKind.VLLM: "window_vllm",
    ServerKind.OTHER: "window_other",
}
"""What there is to do where a prompt is not kept whole."""

_ANSWER_TOKENS = 1000
"""Room for a call, and for the thoughts of a model that does not answer without."""

_NEEDLE = "cerfeuil-4127"
"""The word at the front: no model says it by chance."""

_FRONT = f"Keep this in mind, it is asked for at the end: the word of the day is {_NEEDLE}."

_FILLER = "Line {number}: the tide came in at noon, and nothing else was worth a note.\n"

_ASKED = "What is the word of the day, said at the very front? Answer with that word alone."

_WEATHER = ToolSpec(
    name="look_up_weather",
    description="Look up the weather in a city.",
    schema={
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
)

_RECORD = ToolSpec(
    name="record_city",
    description="Record the city that a sentence names.",
    schema=_WEATHER.schema,
)

_CITY = "athens"


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededWindow:
    """How many tokens the pet sends: in a first turn, and at most in a long talk, answer included.

    `advised` is what a server should be given.
    """

    first: int
    longest: int

    @property
    def advised(self) -> int:
        """The power of two that holds the longest."""
        return 1 << max(12, (self.longest - 1).bit_length())


class ModelCheck:
    """Asks a model four short questions and says in a sentence each what came of it.

    A model without an answer to the first is asked nothing else.
    """

    def __init__(self, needed: NeededWindow, servers: ServerFinder) -> None:
        self._needed = needed
        self._servers = servers

    async def servers(self) -> Sequence[LocalServer]:
        """The servers of models on the usual ports of this machine, now."""
        return await self._servers.found()

    async def of(self, model: Model, url: str) -> list[Finding]:
        """What a model at an address can do, now; four calls, one as long as a long talk."""
        server = await self._servers.at(url) if is_local(url) else None
        kind = server.kind if server is not None else ServerKind.OTHER
        try:
            return [
                await self._tools(model, kind),
                await self._window(model, kind),
                await self._forms(model),
            ]
        except BotError as error:
            return [fail("model tools", "model_unanswered", "check_model", error=error)]

    async def _tools(self, model: Model, kind: ServerKind) -> Finding:
        said = "What is the weather in Athens now? Look it up."
        reply = await model.complete(_request(said, tools=(_WEATHER,)))
        cities = [str(call.arguments.get("city", "")).lower() for call in reply.calls]
        if any(_CITY in city for city in cities):
            return ok("model tools", "model_calls")
        return fail("model tools", "model_calls_nothing", _TOOLS_TODO[kind])

    async def _window(self, model: Model, kind: ServerKind) -> Finding:
        """Whether what stands first is there at the end: of a first turn, then of a long talk."""
        values = {"first": self._needed.first, "longest": self._needed.longest}
        todo = _WINDOW_TODO[kind]
        advised = {**values, "advised": self._needed.advised}
        for size in (self._needed.first, self._needed.longest):
            try:
                reply = await model.complete(_long_request(size))
            except ModelTooSlow as slow:
                return note("model window", "window_slow", "timeout_model", size=size, error=slow)
            except BotError as error:
                refused = {"size": size, "error": error, **advised}
                return fail("model window", "window_refused", todo, **refused)
            if _NEEDLE in reply.text.lower():
                continue
            kept = _kept(reply, size)
            if size == self._needed.first:
                return fail("model window", "window_lost", todo, kept=kept, **advised)
            return fail("model window", "window_short", todo, kept=kept, **advised)
        return ok("model window", "window", **values)

    async def _forms(self, model: Model) -> Finding:
        """Whether a tool can be forced; where not, whether its form can be read all the same."""
        asked = _request("We met in Athens last spring.", tools=(_RECORD,), force=_RECORD.name)
        watched = _Watched(model)
        try:
            await filled(watched, asked, _city)
        except FormMisread:
            return fail("model forms", "forms_unread", "forms_model")
        if watched.called:
            return ok("model forms", "forms")
        return note("model forms", "forms_written", "forms_fine")


class _Watched:
    """A model of which is known whether it ever called a tool."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.called = False

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        reply = await self._model.complete(request)
        self.called = self.called or bool(reply.calls)
        return reply


def _city(forms: Sequence[Form]) -> str:
    city = str(forms[0].get("city", ""))
    if _CITY not in city.lower():
        raise FormMisread("It does not name the city.")
    return city


def _kept(reply: ModelReply, size: int) -> int:
    """How many tokens the server says to have read; what was sent where it does not say."""
    read = reply.usage.input + reply.usage.cache_read + reply.usage.cache_write
    return min(read or size, size)


def _request(
    said: str, *, tools: tuple[ToolSpec, ...] = (), force: str | None = None, system: str = ""
) -> ModelRequest:
    return ModelRequest(
        system=system or "Do what you are asked, with the tools that you have.",
        messages=(UserMessage(text=said, speaker=""),),
        tools=tools,
        purpose=Purpose.CHECK,
        max_tokens=_ANSWER_TOKENS,
        force=force,
    )


def _long_request(size: int) -> ModelRequest:
    """A prompt of about so many tokens with the needle at its front."""
    filled_with, number = tokens_in(_FRONT + _ASKED), 0
    lines: list[str] = []
    while filled_with < size:
        number += 1
        lines.append(_FILLER.format(number=number))
        filled_with += tokens_in(lines[-1])
    return _request("".join(lines) + _ASKED, system=_FRONT)
