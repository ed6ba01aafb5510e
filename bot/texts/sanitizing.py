"""What of a stranger's text may reach a screen: all of it that is text, nothing that commands."""

import re
import unicodedata

NAME_LIMIT = 32
"""Characters of a name: long enough for people, short enough for one line on a phone."""

EXTRACT_LIMIT = 300
"""Characters of a row that is shown in a list: enough for any statement."""

_KEPT = "\n\t"
_PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in _KEPT}
_PICTURES |= {0x7F: "\u2421"} | dict.fromkeys(range(0x80, 0xA0), "\ufffd")
_LINES = str.maketrans({"\r": "\n", "\v": "\n", "\f": "\n", "\x85": "\n"})
_ESCAPES = re.compile(
    r"(?:\x1b\]|\x9d).*?(?:\x07|\x1b\\|\x9c|\Z)"  # operating system commands: titles, links
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f]).*?(?:\x1b\\|\x9c|\Z)"  # device strings
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours, cursor, modes
    r"|\x1b[ -/]*[0-~]?",  # everything else that an escape starts
    re.DOTALL,
)

_LONGEST_RUN = 32
"""Blanks in a row that code or a table may want; more say nothing and cost every reader time."""

_RUN = re.compile(rf"\s{{{_LONGEST_RUN + 1},}}")


def encodable(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be stored and sent as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def on_page(text: str) -> str:
    """The text with control characters drawn as pictures; tabs and line ends are kept."""
    lines = encodable(text).replace("\r\n", "\n").replace("\r", "\n")
    return lines.translate(_PICTURES)


def plain(text: str) -> str:
    """The text without escape sequences, control characters and direction overrides."""
    if text.isprintable():  # as nearly every message is; this is 40 times as fast
        return text
    text = _ESCAPES.sub("", encodable(text).replace("\r\n", "\n")).translate(_LINES)
    return "".join(char for char in text if char in _KEPT or _harmless(char))


def spaced(text: str) -> str:
    """The text with no run of blanks longer than an indentation; where lines break, they break."""
    return _RUN.sub(lambda run: _shorter(run[0]), text)


def _shorter(run: str) -> str:
    kept = run[:_LONGEST_RUN]
    return "\n" if "\n" in run and "\n" not in kept else kept


def name_of(wish: str) -> str:
    """The name a person asked for, on one line and at most NAME_LIMIT long; may be empty."""
    words = unicodedata.normalize("NFC", encodable(wish)).split()
    kept = "".join(char for char in " ".join(words) if _harmless(char))
    return " ".join(kept.split())[:NAME_LIMIT].strip()


def extract(text: str, longest: int = EXTRACT_LIMIT) -> str:
    """A text as it is shown in a list: on one line, and cut."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def _harmless(char: str) -> bool:
    """Whether a character neither controls, reorders nor is left without a meaning."""
    category = unicodedata.category(char)
    return category not in {"Cc", "Co", "Cs"} and (category != "Cf" or char in "\u200c\u200d")
