"""What the command line can ask of the pet, in the daemon or in a process of its own."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, get_type_hints

from pydantic import ValidationError

from bot.errors import BotError
from bot.surfaces.access.caller import COMMAND_LINE, OperationCaller
from bot.surfaces.requests import OperationRequest, refusal
from bot.surfaces.values import Event, as_json
from bot.topic import registered
from bot.wiring.app import App
from memory.model.errors import EkoMemoryError
from observers.errors import ObserverError

Method = TypeVar("Method", bound=Callable[..., AsyncIterator[Event] | Awaitable[Any]])


class TopicOperations:
    """The operations of a topic: methods marked with `operation`, on behalf of a caller."""

    def __init__(self, app: App, caller: OperationCaller = COMMAND_LINE) -> None:
        self._app = app
        self._caller = caller


def operation(name: str) -> Callable[[Method], Method]:
    """Mark a method as the operation of this name; its one argument is annotated with its request.

    It returns its result; or, where there is progress to tell, it yields events and ends with
    `{"result": ...}`.
    """

    def marked(method: Method) -> Method:
        method.__dict__["operation"] = name
        return method

    return marked


async def result_of(events: AsyncIterator[Event]) -> Any:
    """The result of an operation that yields its progress."""
    async for event in events:
        last = event
    return last["result"]


class Operations:
    """The operations of all topics by name, on behalf of a caller."""

    def __init__(self, app: App, caller: OperationCaller = COMMAND_LINE) -> None:
        self._app = app
        self._caller = caller

    async def result(self, name: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """The result of one operation, without its progress.

        Raises:
            ValidationError: the arguments are not what it takes.
            BotError, EkoMemoryError, ObserverError: what went wrong, in a sentence.

        """
        return await result_of(self._events(name, arguments or {}))

    async def call(self, name: str, arguments: Mapping[str, Any]) -> AsyncIterator[Event]:
        """Run one operation; what goes wrong comes as a last event with one sentence."""
        if name not in _table():
            yield {"error": f'There is no operation "{name}".'}
            return
        try:
            async for event in self._events(name, arguments):
                yield as_json(event)
        except ValidationError as error:
            yield {"error": refusal(error)}
        except (BotError, EkoMemoryError, ObserverError, OSError) as error:
            yield {"error": str(error)}

    async def _events(self, name: str, arguments: Mapping[str, Any]) -> AsyncIterator[Event]:
        found = _table()[name]
        method = getattr(found.topic(self._app, self._caller), found.method)
        done = method(found.request.model_validate(arguments))
        if isinstance(done, AsyncIterator):
            async for event in done:
                yield event
        else:
            yield {"result": await done}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Operation:
    topic: type[TopicOperations]
    method: str
    request: type[OperationRequest]


@cache
def _table() -> Mapping[str, _Operation]:
    found: dict[str, _Operation] = {}
    for name, one in _registered():
        if found.setdefault(name, one) != one:
            raise ValueError(f'Two operations are called "{name}".')
    return found


def _registered() -> Iterator[tuple[str, _Operation]]:
    for module in registered("operations"):
        for topic in vars(module).values():
            if isinstance(topic, type) and issubclass(topic, TopicOperations):
                for name, method in vars(topic).items():
                    if asked := getattr(method, "operation", None):
                        request = next(iter(get_type_hints(method).values()))
                        yield asked, _Operation(topic=topic, method=name, request=request)
