"""What people read on the dashboard, a file a language."""

from pathlib import Path

from bot.texts.catalogue import Texts, texts_in

_FOLDER = Path(__file__).parent


def web_texts(language: str) -> Texts:
    """The dashboard's texts in a language; English stands in for one without a file."""
    return texts_in(language, _FOLDER)
