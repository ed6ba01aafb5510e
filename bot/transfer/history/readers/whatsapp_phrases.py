"""What WhatsApp itself writes into its exports, in the languages that most of them are in; pure."""

import re

_EDITED = re.compile(
    r"\s?\u200e?<(?:This message was edited|Ce message a été modifié"
    r"|Diese Nachricht wurde bearbeitet|Se editó este mensaje|Questo messaggio è stato modificato"
    r"|Mensagem editada"
    r"|Esta mensagem foi editada|Dit bericht is bewerkt)\.?>$"
)

_DELETED = frozenset({
    "this message was deleted", "you deleted this message",
    "ce message a été supprimé", "vous avez supprimé ce message",
    "diese nachricht wurde gelöscht", "du hast diese nachricht gelöscht",
    "se eliminó este mensaje", "este mensaje fue eliminado", "eliminaste este mensaje",
    "questo messaggio è stato eliminato", "hai eliminato questo messaggio",
    "mensagem apagada", "esta mensagem foi apagada", "você apagou esta mensagem",
    "dit bericht is verwijderd", "je hebt dit bericht verwijderd", "u hebt dit bericht verwijderd",
})  # fmt: skip

_LEFT_OUT = re.compile(
    r"<(?:media omitted|médias? omis|medien ausgeschlossen|multimedia omitido|archivo omitido"
    r"|media omessi|mídia oculta|arquivo de mídia oculto|ficheiro não revelado|media weggelaten)>",
    re.IGNORECASE,
)

_MISSING = re.compile(
    r"(?P<what>[^\n]{1,80}) (?:omitted|absente?|omise?|manquante?|retirée?|weggelassen|omitid[oa]"
    r"|omess[oa]|esclus[oa]|ocultad[oa]|ocult[oa]|weggelaten)",
    re.IGNORECASE,
)
"""A picture and the like that was not exported, as iPhones name it."""

_ATTACHED = re.compile(
    r"<(?:attached|pièce jointe|anhang|adjunto|archivo adjunto|allegato|anexado|bijgevoegd)"
    r"\s?: (?P<in_marks>[^<>\n]{1,255})>|(?P<bare>[^<>\n()]{1,255}\.\w{2,5})"
    r" \((?:file attached|fichier joint|datei angehängt|archivo adjunto|file allegato"
    r"|arquivo anexado|ficheiro anexado|bestand bijgevoegd)\)",
    re.IGNORECASE,
)

_POLL = re.compile(
    r"(?:poll|sondage|umfrage|encuesta|sondaggio|enquete|sondagem|peiling)\s?:\s?(?P<text>.*)",
    re.IGNORECASE,
)


def without_edited_mark(text: str) -> str:
    """The text without the note behind it that it was edited."""
    return _EDITED.sub("", text)


def is_deleted(text: str) -> bool:
    """Whether a message was taken back, by its author or by an admin."""
    return text.rstrip(".").lower() in _DELETED


def file_and_caption(text: str) -> tuple[str, str] | None:
    """The name or kind of what came along, and the words under it; None where nothing did."""
    first, _, caption = text.partition("\n")
    if _LEFT_OUT.fullmatch(first):
        return "media", caption
    found = _ATTACHED.fullmatch(first)
    return (found["in_marks"] or found["bare"], caption) if found else None


def missing_file(text: str) -> str | None:
    """The kind of what an iPhone left out of the export."""
    found = _MISSING.fullmatch(text)
    return found["what"] if found else None


def question_of_poll(text: str) -> str | None:
    """What a poll asks; its options are of no author."""
    first, _, rest = text.partition("\n")
    found = _POLL.fullmatch(first)
    return (found["text"] or rest.partition("\n")[0]).strip() if found else None
