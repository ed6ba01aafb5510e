"""How much of a request a provider has in its cache: what begins like the request before. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

Body = Mapping[str, Any]

MARK = "cache_control"
"""Says where a prefix ends that is to be kept; no part of what is compared."""


def cached_shares(bodies: Sequence[Body]) -> list[float]:
    """For each request but the first the share of its bytes that the one before begins with.

    Providers read tools, then the system text, then messages.
    """
    written = [prefix_bytes(body) for body in bodies]
    return [_alike(before, now) / len(now) for before, now in pairwise(written)]


def prefix_bytes(body: Body) -> bytes:
    """A request in the order it is cached in, without the marks of the cache."""
    blocks = [*body.get("tools", ()), *body.get("system", ()), *_blocks(body["messages"])]
    unmarked = [{key: value for key, value in one.items() if key != MARK} for one in blocks]
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in unmarked).encode()


def sent_text(body: Body) -> str:
    """A request for a person to read: its tools by name, the system text, every message."""
    rows = [f"tools: {', '.join(tool['name'] for tool in body.get('tools', ()))}"]
    rows += [f"--- system\n{block['text']}" for block in body.get("system", ())]
    for message in body["messages"]:
        rows.append(f"--- {message['role']}")
        rows += [_shown(block) for block in message["content"]]
    return "\n".join(rows)


def _alike(before: bytes, now: bytes) -> int:
    """How many bytes both begin with."""
    pairs = enumerate(zip(before, now, strict=False))
    return next((at for at, (old, new) in pairs if old != new), min(len(before), len(now)))


def _blocks(messages: Sequence[Body]) -> Iterator[Body]:
    for message in messages:
        for block in message["content"]:
            yield {"role": message["role"], **block}


def _shown(block: Body) -> str:
    return str(block["text"]) if block["type"] == "text" else json.dumps(block, ensure_ascii=False)
