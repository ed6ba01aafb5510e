"""Which language a reader gets: the nearest to what a platform or a browser asks for. Pure."""

from bot.model.requests import ModelRequest, UserMessage
from bot.texts.catalogue import languages
from memory.language.detection import told_language
from memory.language.parts.reading import own_words


def nearest_locale(wish: str | None, default: str) -> str:
    """The pet's language that is nearest to what a platform calls it, such as "en-GB"."""
    language = _language(wish or "")
    return language if language in languages() else default


def wanted_locale(accept_language: str, default: str) -> str:
    """The language a browser asks for in its Accept-Language (RFC 9110, 12.5.4)."""
    ranges = sorted(map(_weighed, accept_language.split(",")), key=lambda pair: -pair[0])
    for weight, language in ranges:
        if weight > 0 and language in languages():
            return language
    return default


def _language(tag: str) -> str:
    return tag.strip().partition("-")[0].lower()


def _weighed(item: str) -> tuple[float, str]:
    """The weight and the language of one range; a weight that is no number counts as none."""
    tag, _, parameter = item.partition(";")
    key, _, value = parameter.strip().partition("=")
    if key.strip().lower() != "q":
        return 1.0, _language(tag)
    try:
        return float(value), _language(tag)
    except ValueError:
        return 0.0, _language(tag)


def spoken_locale(text: str, default: str) -> str:
    """The pet's language that a text is in, where its words tell."""
    return nearest_locale(told_language(text), default)


def language_of(request: ModelRequest) -> str:
    """The language of the one who speaks: of their latest words that tell, else the request's."""
    said = [one for one in request.messages if isinstance(one, UserMessage)]
    speaker = said[-1].speaker if said else ""
    for one in reversed(said):
        language = told_language(own_words(one.text)) if one.speaker == speaker else None
        if language is not None:
            return nearest_locale(language, request.locale)
    return request.locale
