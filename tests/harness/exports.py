"""Canaries as the exports of other programs have them."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType

from tests.cast import NOON
from tests.harness.canaries import Canary


def whatsapp(author: str, told: Sequence[Canary]) -> str:
    """The text that WhatsApp exports on an iPhone, days first."""
    lines = ["[14/01/2026, 21:05:03] Rowers: \u200eMessages are end-to-end encrypted."]
    lines += [
        f"[15/01/2026, 21:{n // 60:02}:{n % 60:02}] {author}: {one.statement}"
        for n, one in enumerate(told)
    ]
    return "\n".join(lines) + "\n"


def telegram(author: str, told: Sequence[Canary]) -> str:
    """The `result.json` of Telegram Desktop for one group."""
    return json.dumps(
        {
            "name": "Rowers",
            "type": "private_supergroup",
            "id": 1234567890,
            "messages": [_said(number, author, one) for number, one in enumerate(told, start=1)],
        }
    )


def _said(number: int, author: str, one: Canary) -> dict[str, object]:
    at = NOON - timedelta(days=2) + timedelta(minutes=number)
    return {
        "id": number,
        "type": "message",
        "date": f"{at:%Y-%m-%dT%H:%M:%S}",
        "date_unixtime": str(int(at.timestamp())),
        "from": author,
        "from_id": "user12",
        "text": one.statement,
        "text_entities": [{"type": "plain", "text": one.statement}],
    }


EXPORTS: Mapping[str, Callable[[str, Sequence[Canary]], str]] = MappingProxyType(
    {"whatsapp": whatsapp, "telegram": telegram}
)
"""What writes the export of each program."""
