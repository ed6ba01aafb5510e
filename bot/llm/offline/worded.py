"""Wishes that the wording alone tells, such as "why do you say that?" or "who am I?"."""

import re

from bot.llm.offline.told_or_talk import OWN_WORDS
from bot.llm.offline.understanding import Intent


def worded_wish(text: str) -> Intent | None:
    """The wish that the wording of a text leaves no doubt about, or None."""
    return next((wish for wish, pattern in _WORDED if pattern.search(text)), None)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_UNFORGET = _any(
    r"\b(?:annule[rz]?\s+(?:cet |l'|ton )?oubli|rends[- ]moi ce que tu as oublié"
    r"|n'oublie pas,? finalement)\b",
    r"\bundo (?:the |that |your )?(?:forgetting|forget)\b|\bgive back what you forgot\b"
    r"|^\W*undo(?: that| it)?\W*$",
)

_WHY = _any(
    r"\bpourquoi (?:est[- ]ce que )?(?:tu|t')\s?(?:me |m'|nous |le )*"
    r"(?:dis|disais|réponds|racontes|(?:as )?(?:dit|répondu|raconté))\s+(?:ça|ca|cela|que|qu')",
    r"\bpourquoi (?:me |m'|nous |le )*(?:dis|réponds|as)[- ]tu(?: dit)?\s+(?:ça|ca|cela|que|qu')",
    r"\bpourquoi (?:tu (?:me )?(?:dis|réponds)|cette réponse)\W*$",
    r"\b(?:d'où|comment|de qui) (?:est[- ]ce que )?(?:tu|t')\s?(?:le )?(?:sais|tiens|sors|savais"
    r"|as (?:su|appris|entendu))(?: (?:ça|ca|cela|tout ça))?\W*$",
    r"\b(?:d'où|comment|de qui) (?:(?:le )?(?:sais|tiens)[- ]tu|as[- ]tu appris)"
    r"(?: (?:ça|ca|cela|tout ça))?\W*$",
    r"\btu (?:le )?(?:sais|tiens|sors)(?: (?:ça|ca|cela))? (?:d'où|comment|de qui)\W*$",
    r"\bqui (?:t'a (?:dit|raconté|appris) (?:ça|ca|cela)|te l'a (?:dit|raconté|appris))\W*$",
    r"\bqu'est[- ]ce qui te fait dire (?:ça|ca|cela|que|qu')",
    r"\bwhy (?:do|did|would|are) you (?:say(?:ing)?|tell(?:ing)? (?:me|us)) (?:that|this|so|it)\b",
    r"\bhow (?:do|did|would|can) you know(?: (?:about )?(?:that|this|it|all (?:that|this)))?\W*$",
    r"\bwho (?:told|said)(?: you)?(?: (?:that|this|so|it))?(?: to you)?\W*$",
    r"\bwhere (?:did|do) you (?:hear|get|learn|read|know)(?: (?:about )?(?:that|this|it))?"
    r"(?: from)?\W*$",
    r"\bwhat makes you (?:say|think) (?:that|this|so|it)\b",
)

_ABOUT_ME = _any(
    r"\b(?:(?:que sais[- ]tu|tu sais quoi|qu'est[- ]ce que tu sais|sais[- ]tu quelque chose"
    r"|dis[- ]moi ce que"
    r" tu sais|ce que tu sais)\s+(?:de|sur|à propos de) moi|tu te souviens de moi"
    r"|te souviens[- ]tu de moi"
    r"|qui suis[- ]je|je suis qui|tu me connais|me connais[- ]tu)\b",
    r"\b(?:what (?:do|can) you (?:know|remember|tell me) about me|what you know about me"
    r"|do you (?:remember"
    r"|know) me\b|who am i(?! (?:talking|speaking|chatting))|tell me about (?:me|myself))\b",
)

_WORDED = (
    (Intent.UNFORGET, _UNFORGET),
    (Intent.WHY, _WHY),
    (Intent.ABOUT_ME, _ABOUT_ME),
    (Intent.ABOUT_SOMEBODY, OWN_WORDS),
)
