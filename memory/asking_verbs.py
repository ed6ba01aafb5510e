"""Verbs that ask what was said about something, and find nothing themselves. Pure."""

import re

_BETWEEN = r"(?:\s+(?:quoi|d[eé]j[aà]|me|us|you|anything|something))*\s+"
_SUR = rf"(?={_BETWEEN}(?:sur|[aà]\s+propos|au\s+sujet|concernant)\b)"
_DE = rf"(?={_BETWEEN}(?:d[eu]s?\b|d['’]|sur\b|[aà]\s+propos\b|au\s+sujet\b))"
_ABOUT = rf"(?={_BETWEEN}(?:about|regarding|concerning)\b)"

_ASKING = re.compile(
    rf"\b(?:(?:dit|disait|disais|racont(?:[eé]|ait)|[eé]voqu[eé]|conclu|d[eé]cid[eé]){_SUR}"
    rf"|(?:parl|discut)(?:e|é|er|ait|ions){_DE}"
    rf"|(?:say|said|tell|told|talk|talked|talking|mention|mentioned|decide|decided){_ABOUT})",
    re.IGNORECASE,
)


def without_asking_verbs(text: str) -> str:
    """A question without "said" in "what was said about the garden": only the garden is looked for.

    What a statement says, as in "Léa said hello", stays.
    """
    return _ASKING.sub(" ", text) if "?" in text else text
