"""Whether a text is one emoji and nothing else. Pure.

The grammar is that of Unicode Technical Standard 51 (ED-9 to ED-17); the ranges are those of its
`emoji-data.txt`, widened to whole rows where nothing but emoji stands.
"""

import re

_ASTRAL = (
    "\U0001f004\U0001f0cf\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f201\U0001f202\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f250\U0001f251"
    "\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f7e0-\U0001f7f0\U0001f90c-\U0001f9ff"
    "\U0001fa70-\U0001faff"
)
_SHOWN = (
    "\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1"
    "\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705"
    "\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50"
    "\u2b55\u263a\u2764"
)
"""Those of the first plane that are shown as pictures by themselves, and two that all chats do."""
_TEXTUAL = (
    "\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u2328\u23cf\u23ed-\u23ef\u23f1\u23f2"
    "\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb\u25fc\u2600-\u2604\u260e\u2611\u2618\u261d"
    "\u2620\u2622\u2623\u2626\u262a\u262e\u262f\u2638\u2639\u2640\u2642\u265f\u2660\u2663\u2665"
    "\u2666\u2668\u267b\u267e\u2692\u2694-\u2697\u2699\u269b\u269c\u26a0\u26a7\u26b0\u26b1\u26c8"
    "\u26cf\u26d1\u26d3\u26e9\u26f0\u26f1\u26f4\u26f7-\u26f9\u2702\u2708\u2709\u270c\u270d\u270f"
    "\u2712\u2714\u2716\u271d\u2721\u2733\u2734\u2744\u2747\u2763\u27a1\u2934\u2935\u2b05-\u2b07"
    "\u3030\u303d\u3297\u3299\u00a9\u00ae"
)
"""Signs that are pictures only with a selector or a skin tone behind them, or joined to one."""

_TONE = "[\U0001f3fb-\U0001f3ff]"
_TAGS = "[\U000e0020-\U000e007e]{1,30}\U000e007f"
_FIRST = f"(?:[{_ASTRAL}{_SHOWN}](?:\ufe0f|{_TONE})?|[{_TEXTUAL}](?:\ufe0f|{_TONE}))(?:{_TAGS})?"
_JOINED = f"\u200d[{_ASTRAL}{_SHOWN}{_TEXTUAL}](?:\ufe0f|{_TONE})?"
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_KEY = "[0-9#*]\ufe0f?\u20e3"
_EMOJI = f"(?:{_FLAG}|{_KEY}|{_FIRST}(?:{_JOINED}){{0,15}})"
_ONE = re.compile(_EMOJI)
_AT_END = re.compile(f"{_EMOJI}$")
_LONGEST = 40
"""More code points than any emoji has."""


def is_one_emoji(text: str) -> bool:
    """Whether the text is one emoji, of however many code points."""
    return _ONE.fullmatch(text) is not None


def ends_with_emoji(text: str) -> bool:
    """Whether the last thing of the text is an emoji."""
    return _AT_END.search(text[-_LONGEST:]) is not None
