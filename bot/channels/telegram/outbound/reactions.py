"""The emoji that Telegram takes at a message.

https://core.telegram.org/bots/api#reactiontypeemoji
"""

_SELECTOR = "\ufe0f"

_JOINED = frozenset(
    {
        "\u2764\u200d\U0001f525",
        "\U0001f468\u200d\U0001f4bb",
        "\U0001f937\u200d\u2642",
        "\U0001f937\u200d\u2640",
    }
)
"""Those of several characters, without selectors: a heart on fire, a technologist, who shrugs."""

TAKEN = _JOINED | frozenset(
    "👍👎❤🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🤮💩🙏👌🕊🤡"
    "🥱🥴😍🐳🌚🌭💯🤣⚡🍌🏆💔🤨😐🍓🍾💋🖕😈😴"
    "😭🤓👻👀🎃🙈😇😨🤝✍🤗🫡🎅🎄☃💅🤪🗿🆒💘"
    "🙉🦄😘💊🙊😎👾🤷😡"
)
"""All of them; a group may take fewer."""


def reaction_of(text: str) -> str | None:
    """The emoji as Telegram writes it, which is without selectors; None for one it has not."""
    bare = text.replace(_SELECTOR, "")
    return bare if bare in TAKEN else None
