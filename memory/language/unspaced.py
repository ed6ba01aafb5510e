"""Words of scripts without spaces: Chinese, Japanese and Korean text as pairs of letters.

Most words of these have one or two, so every two that stand together are looked for, as search
engines do (Lucene's CJKBigramFilter). Pure.
"""

import re

from memory.language.word_lists import word_set

_RUN = re.compile(
    "([\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]+)"
)

_FUNCTION = word_set(
    """
    什么 么是 我的 你的 他的 她的 是什 的是 怎么 哪里 在哪 一个 这个 那个 我们 你们 有没 没有
    です ます した して ない って から けど この その あの これ それ どこ なに 何で すか まし
    いる ある こと もの は何 の名 나는 내가 너는 뭐야 있어 있는 합니 니다 입니 어디 무엇
    """
)
"""Pairs of which every sentence has some; they say as little as "the" and "is"."""


def is_unspaced(text: str) -> bool:
    """Whether a text has letters of such a script."""
    return _RUN.search(text) is not None


def pieces(word: str) -> list[str]:
    """What a run of letters is looked for by: pairs where its script has no spaces, else itself."""
    return [piece for part in _RUN.split(word) if part for piece in _pieces(part)]


def _pieces(part: str) -> list[str]:
    if len(part) == 1 or not _RUN.fullmatch(part):
        return [part]
    pairs = (part[place : place + 2] for place in range(len(part) - 1))
    return [pair for pair in pairs if pair not in _FUNCTION]
