"""A model that is a person: `python -m benchmarks.hand_model [FOLDER] [--port 8765]`.

It speaks the Messages API and chat completions on loopback. Each request is shown in the terminal
and the answer typed there, up to an empty line. With FOLDER it is written to `1.request.txt` there,
and the answer is what `1.answer.txt` holds once it is saved. In an answer, a line like
`respond {"message": "hello"}` calls a tool that the request offers; all other lines are words.
A person is slow: start the pet with the limits that are printed first.
"""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import sleep
from typing import Annotated, Any

import uvicorn
from fastapi import Body, FastAPI

from memory.tokens import tokens_in

Json = Mapping[str, Any]

LIMITS = (
    "EKO_MODEL__TIMEOUT_S=600",
    "EKO_MODEL__BACKGROUND_TIMEOUT_S=600",
    "EKO_MODEL__MAX_TURN_S=3600",
    "EKO_MODEL__RETRIES=0",
)
"""What a pet needs whose model takes minutes: by default it waits 15 seconds for a call, 60 for one
in the background and 120 for an answer, and sends again what was not answered."""

LOOK_EVERY_S = 0.5

_CALL = re.compile(r"\s*(\w+)\s+(\{.*\})\s*")

Asking = Callable[[int, str], str]
"""Shows a request by its number, waits for a person, and gives what they write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """An answer as a person wrote it: words, and calls with their arguments."""

    text: str
    calls: Sequence[tuple[str, Json]]


def hand_model(ask: Asking) -> FastAPI:
    """A server of both APIs that asks a person, for one request after the other."""
    app, one_at_a_time, numbers = FastAPI(), asyncio.Lock(), count(1)

    async def asked(body: Json) -> tuple[int, Written]:
        async with one_at_a_time:
            number = next(numbers)
            answer = await asyncio.to_thread(ask, number, shown(body))
        return number, written_in(answer, [tool["name"] for tool in _tools(body)])

    @app.post("/v1/messages")
    async def messages(body: Annotated[dict[str, Any], Body()]) -> Json:
        return as_message(*await asked(body), body)

    @app.post("/v1/chat/completions")
    async def completions(body: Annotated[dict[str, Any], Body()]) -> Json:
        return as_completion(*await asked(body), body)

    return app


def shown(body: Json) -> str:
    """A request of either API for a person to read: tools, rules, what was said, what is forced."""
    rows = [f"--- tool {one['name']}: {_line(one)}" for one in _tools(body)]
    system = [{"role": "system", "content": body["system"]}] if body.get("system") else []
    for message in (*system, *body["messages"]):
        content = message.get("content") or ()
        parts = [{"text": content}] if isinstance(content, str) else content
        calls = message.get("tool_calls") or ()
        rows += [
            f"--- {message['role']}",
            *(one.get("text") or _line(one) for one in (*parts, *calls)),
        ]
    if choice := body.get("tool_choice"):
        rows.append(f"--- to be called: {_line(choice)}")
    return "\n".join(rows)


def written_in(answer: str, tools: Sequence[str]) -> Written:
    """The calls and the words of an answer; a line that is no whole call of a tool is words."""
    lines = [(line, _call_in(line, tools)) for line in answer.splitlines()]
    words = "\n".join(line for line, call in lines if call is None)
    return Written(text=words.strip(), calls=[call for _, call in lines if call is not None])


def as_message(number: int, said: Written, body: Json) -> Json:
    """An answer of the Messages API; tokens are estimated."""
    uses = [
        {"type": "tool_use", "id": f"toolu_{number}_{place}", "name": name, "input": given}
        for place, (name, given) in enumerate(said.calls)
    ]
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [*([{"type": "text", "text": said.text}] if said.text else ()), *uses],
        "stop_reason": "tool_use" if uses else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": tokens_in(_line(body)), "output_tokens": _length(said)},
    }


def as_completion(number: int, said: Written, body: Json) -> Json:
    """An answer of chat completions; tokens are estimated."""
    calls = [
        {
            "id": f"call_{number}_{place}",
            "type": "function",
            "function": {"name": name, "arguments": _line(given)},
        }
        for place, (name, given) in enumerate(said.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": said.text or None}
    reason = "tool_calls" if calls else "stop"
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": number,
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "message": message | ({"tool_calls": calls} if calls else {}),
                "finish_reason": reason,
            }
        ],
        "usage": {"prompt_tokens": tokens_in(_line(body)), "completion_tokens": _length(said)},
    }


def by_files(folder: Path) -> Asking:
    """Asks through a folder: a file for each request, and one for its answer."""

    def ask(number: int, request: str) -> str:
        (folder / f"{number}.request.txt").write_text(f"{request}\n", encoding="utf-8")
        answer, before = folder / f"{number}.answer.txt", ""
        while True:
            text = answer.read_text("utf-8") if answer.exists() else ""
            if text.strip() and text == before:  # saved whole
                return text
            before = text
            sleep(LOOK_EVERY_S)

    return ask


def in_terminal(number: int, request: str) -> str:
    """Asks in the terminal: the answer ends with an empty line."""
    print(f"\n===== request {number}\n{request}\n===== answer {number}, then an empty line:")
    return "\n".join(iter(lambda: sys.stdin.readline().rstrip("\n"), ""))


def _tools(body: Json) -> Sequence[Json]:
    return [one.get("function", one) for one in body.get("tools", ())]


def _call_in(line: str, tools: Sequence[str]) -> tuple[str, Json] | None:
    found = _CALL.fullmatch(line)
    if found is None or found[1] not in tools:
        return None
    try:
        return found[1], json.loads(found[2])
    except ValueError:
        return None


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _length(said: Written) -> int:
    return tokens_in(said.text + _line(said.calls))


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hand_model", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="ask by files in it")
    parser.add_argument("--port", type=int, default=8765)
    chosen = parser.parse_args()
    if chosen.folder is not None:
        chosen.folder.mkdir(parents=True, exist_ok=True)
        if any(chosen.folder.iterdir()):
            parser.error("the folder holds files already: old answers would be taken for new ones")
    ask = in_terminal if chosen.folder is None else by_files(chosen.folder)
    url = f"http://127.0.0.1:{chosen.port}"
    print("In the pet's .env, with one of the two addresses:", *LIMITS, sep="\n")
    print(f"ANTHROPIC_BASE_URL={url}")
    print(f"OPENAI_BASE_URL={url}/v1 EKO_MODEL__PROVIDER=openai EKO_MODEL__NAME=hand")
    uvicorn.run(hand_model(ask), host="127.0.0.1", port=chosen.port, log_level="warning")


if __name__ == "__main__":
    main()
